"""One drawing of every piece that has a name of its own: the only shapes that are typed (see `piecesets.py` for all others).

Rows are separated by `/`, layers (from the bottom up) by `//`; `celldrawing.py` says where the characters lie. A drawing fixes
the name, and which of two mirror images bears it.

Sources: Golomb, Polyominoes (letters); O'Beirne, New Scientist 259 (1961), and the Polyform Puzzler of David Goodger (names of
the hexiamonds); Gardner, Mathematical Magic Show, chapter 11 (tetrahexes); Piet Hein's letters of the Soma pieces; the Bedlam
pieces and letters as in bedlam.c of Simon Tatham, compared with a second solver's.
"""

from __future__ import annotations

DRAWINGS: dict[str, dict[str, str]] = {
    "monomino": {"monomino": "X"},
    "domino": {"domino": "XX"},
    "tromino": {"I": "XXX", "L": "X./XX"},
    "tetromino": {"I": "XXXX", "L": "X./X./XX", "O": "XX/XX", "S": ".XX/XX.", "T": "XXX/.X."},
    "pentomino": {
        "F": ".XX/XX./.X.",
        "I": "XXXXX",
        "L": "X./X./X./XX",
        "N": "X./X./XX/.X",
        "P": "XX/XX/X.",
        "T": "XXX/.X./.X.",
        "U": "X.X/XXX",
        "V": "X../X../XXX",
        "W": "..X/.XX/XX.",
        "X": ".X./XXX/.X.",
        "Y": "X./XX/X./X.",
        "Z": ".XX/.X./XX.",
    },
    "moniamond": {"moniamond": "X"},
    "diamond": {"diamond": "XX"},
    "triamond": {"triamond": "XXX"},
    "tetriamond": {"Bar": "XXXX", "Triangle": "..X./.XXX", "Hook": "XXX/X.."},
    "hexiamond": {
        "Bar": "XXXXXX",
        "Butterfly": ".XXX/.XXX",
        "Chevron": "....XX/.XXXX.",
        "Crook": "....X/XXXXX",
        "Crown": "..X../XXXXX",
        "Hexagon": "XXX/XXX",
        "Hook": "X.XX/XXX.",
        "Lobster": ".XX./XXXX",
        "Signpost": "..XX/XXXX",
        "Snake": "..XXX/XXX..",
        "Sphinx": "....X./.XXXXX",
        "Yacht": ".XXX/XXX.",
    },
    "monohex": {"monohex": "X"},
    "dihex": {"dihex": "X X"},
    "trihex": {"A": "X X/.X", "I": "X X X", "V": "X/.X/X"},
    "tetrahex": {
        "Arch": "X . X/.X X",
        "Bar": "X X X X",
        "Bee": "X X/.X X",
        "Pistol": "X X X/.X",
        "Propeller": "X/.X X/X",
        "Wave": "X X/...X X",
        "Worm": "X/.X X X",
    },
    "monocube": {"monocube": "X"},
    "dicube": {"dicube": "XX"},
    "tricube": {"I": "XXX", "V": "X./XX"},
    "tetracube": {
        "I": "XXXX",
        "O": "XX/XX",
        "L": "X./X./XX",
        "T": "XXX/.X.",
        "Z": ".XX/XX.",
        "A": "XX/X.//../X.",
        "B": "XX/X.//.X/..",
        "P": "XX/X.//X./..",
    },
}

SOMA: dict[str, str] = {
    "V": "X./XX",
    **{letter: DRAWINGS["tetracube"][letter] for letter in "LTZABP"},
}
"""Piet Hein: the seven polycubes of at most four cubes that are no boxes. A has its fourth cube on the clockwise arm."""

BEDLAM: dict[str, str] = {
    "F": "XX./.XX/.X.",
    "X": ".X./XXX/.X.",
    "W": "XX./.XX/..X",
    "M": "XXX/.X.//.X./...",
    "B": "XXX/.X.//.../.X.",
    "H": "XXX/.X.//X../...",
    "L": "XXX/..X//X../...",
    "S": "XXX/X..//.../X..",
    "C": "XXX/X..//X../...",
    "E": "XX./.XX//X../...",
    "I": "XX./.XX//.X./...",
    "T": "XX./.X.//.../.XX",
    "Z": "XX/X.//.X/..",
}
"""Bruce Bedlam's cube: twelve pentacubes and a tetracube."""

MIRRORED: dict[tuple[str, str], str] = {("tetromino", "L"): "J", ("tetromino", "S"): "Z"}
"""Mirror images with a letter of their own; any other is called by an apostrophe (F')."""

ALIASES: dict[str, tuple[str, str]] = {
    "straight tromino": ("tromino", "I"),
    "right tromino": ("tromino", "L"),
    "v tromino": ("tromino", "L"),
    "l tricube": ("tricube", "V"),
    "straight tetromino": ("tetromino", "I"),
    "square tetromino": ("tetromino", "O"),
    "skew tetromino": ("tetromino", "S"),
    "pistol hexiamond": ("hexiamond", "Signpost"),
    "club hexiamond": ("hexiamond", "Crook"),
    "shoe hexiamond": ("hexiamond", "Hook"),
    "bat hexiamond": ("hexiamond", "Chevron"),
    "rhomboid hexiamond": ("hexiamond", "Bar"),
}
"""Other names of single pieces, in lower case."""
