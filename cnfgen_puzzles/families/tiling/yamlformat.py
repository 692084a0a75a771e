"""The YAML format of tilings: its schema, the lines of errors, and the writer.

    title: two L trominoes
    size: 2x3
    pieces:
      - piece: L tromino
        count: 2

docs/reference/formats-tiling.md describes the format; `description.py` reads its keys.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import yaml

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.strictyaml import Either, Required, check_yaml, lines_of
from cnfgen_puzzles.families.lattice import CUBIC, SQUARE, Lattice, draw, place_of, to_corner
from cnfgen_puzzles.families.tiling import texts
from cnfgen_puzzles.families.tiling.description import ABOUT, CLAIM, Description
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceSet, distinct, known_sets
from cnfgen_puzzles.families.tiling.puzzle import CLAIMS, COVERED, EMPTY, OPTIONAL, Tiling, box

PIECE = {
    **dict.fromkeys(("set", "piece", "name", "art", "count", "without", "colors", "pinned"), str),
    **dict.fromkeys(("reflect", "rotate", "disconnected"), bool),
}
GROUP = {"pieces": Required(Either(scalar=str, list=[str])), "count": Required(str)}
SCHEMA = {
    **dict.fromkeys((*ABOUT, "lattice", "board", "size", "holes", "optional", "empty"), str),
    **dict.fromkeys(("torus", "cylinder", "reflections", "rotations"), bool),
    "legend": {str: str},
    "wrap": {str: int},
    "pieces": Required([PIECE]),
    "groups": [GROUP],
    "labels": Either(scalar=str, mapping={str: str}),
    "claims": CLAIM,
}

BLOCK = re.compile(r"[|>][-+0-9]*\s*(#.*)?$")


def recognise(text: str) -> bool:
    """True if a line begins with a key of this format."""
    return not text.lstrip().startswith("<") and bool(re.search(rf"^({'|'.join(SCHEMA)})\s*:", text, re.MULTILINE))


def read(text: str, source_name: str) -> Tiling:
    """The puzzle; raises InputError."""
    document = check_yaml(text, SCHEMA, source=source_name)
    text_lines = lines_of(text)

    def where(path: tuple[str, ...], row: int | None) -> tuple[str, int]:
        line = document.lines[path]
        if row is not None and isinstance(document.nodes[path], yaml.ScalarNode) and BLOCK.search(text_lines[line - 1]):
            line += 1 + row
        return source_name, line

    for path, node in document.nodes.items():
        drawn = path in (("board",), ("labels",)) or path[2:] in (("art",), ("pinned",))
        if drawn and (rows := folded_rows(path[-1], node, text_lines)):
            found = f"found {rows} rows after '{path[-1]}:', which YAML folds into fewer"
            message = f"{found}; expected '{path[-1]}: |' and the rows below it"
            raise InputError(message, source=source_name, line=where(path, 0)[1])
    return Description(document.value, where).puzzle()


def folded_rows(key: str, node: yaml.Node, lines: Sequence[str]) -> int:
    """The number of lines of a drawing whose rows YAML joined because `|` is missing; otherwise 0.

    `pinned` with places such as `0,0 0,1` can continue over lines.
    """
    if not isinstance(node, yaml.ScalarNode) or node.style == "|":
        return 0
    if key == "pinned" and all("," in text for text in re.split(r"\bor\b", node.value)):
        return 0
    start, end = node.start_mark.line + (node.style == ">"), node.end_mark.line + (node.end_mark.column > 0)
    rows = sum(bool(line.strip()) for line in lines[start:end])
    return rows if rows > sum(bool(line.strip()) for line in node.value.split("\n")) else 0


# -- writing ------------------------------------------------------------------------------------------------------------


SIGNS = [sign for sign in string.ascii_lowercase + string.ascii_uppercase + string.digits if sign not in "oX"]


def write(puzzle: Tiling) -> str:
    """The puzzle as a file; InputError for a board that cannot be drawn."""
    if any(min(place_of(puzzle.lattice, cell)) < 0 for cell in puzzle.cells):
        raise InputError("found a cell with a negative row or column, which cannot be drawn; expected rows and columns from 0")
    empty = [cell for cell, kind in puzzle.board.items() if kind == EMPTY]
    puzzle = replace(puzzle, board={**puzzle.board, **dict.fromkeys(empty, COVERED)})
    entry: dict[str, Any] = {key: puzzle.about[key] for key in ABOUT if key in puzzle.about}
    if puzzle.lattice is not SQUARE:
        entry["lattice"] = puzzle.lattice.name
    entry |= _board(puzzle)
    if any(puzzle.wrap):
        axes = zip(texts.AXES[puzzle.lattice.name], puzzle.wrap, strict=True)
        entry["wrap"] = {axis: period // puzzle.lattice.period for axis, period in axes if period}
    if puzzle.reflections == (puzzle.lattice is CUBIC):
        entry["reflections"] = puzzle.reflections
    if not puzzle.rotations:
        entry["rotations"] = False
    if puzzle.labels:
        entry["labels"] = {texts.places_text(puzzle.lattice, [cell]): puzzle.labels[cell] for cell in sorted(puzzle.labels)}
    if empty:
        entry["empty"] = texts.places_text(puzzle.lattice, empty)
    entry["pieces"] = list(_pieces(puzzle))
    if puzzle.groups:
        entry["groups"] = list(_groups(puzzle))
    if claims := {key: text for key in CLAIM if (text := puzzle.about.get(CLAIMS + key)) is not None}:
        entry["claims"] = {key: int(text) if CLAIM[key] is int else text for key, text in claims.items()}
    return yaml.dump(entry, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=float("inf"))


class _Dumper(yaml.SafeDumper):
    """Texts of several lines, such as drawings, are blocks, and lists are indented."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def represent_text(self, text: str) -> yaml.Node:
        text = text.encode(errors="replace").decode()  # YAML has no halves of surrogate pairs
        style = None if "\n" not in text else "|"
        if not text.replace("\n", "").isprintable():
            style = '"'  # other line ends would be lost
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


def _board(puzzle: Tiling) -> dict[str, Any]:
    """`size`, or `board` with its legend."""
    sides = texts.extents(puzzle.lattice, puzzle.cells)
    if puzzle.lattice in (SQUARE, CUBIC) and not puzzle.colors and puzzle.board == box(*sides):
        return {"size": "x".join(map(str, sides))}
    kinds: dict[tuple[str, str | None], str] = {(COVERED, None): "X", (OPTIONAL, None): "o"}
    colored = sorted({(puzzle.board[cell], color) for cell, color in puzzle.colors.items()})
    if len(colored) > len(SIGNS):
        raise InputError(f"found {len(colored)} kinds of colored cells, expected at most {len(SIGNS)} in a drawing")
    kinds |= dict(zip(colored, SIGNS, strict=False))
    signs = {place_of(puzzle.lattice, cell): kinds[kind, puzzle.colors.get(cell)] for cell, kind in puzzle.board.items()}
    legend = {}
    for kind, color in colored:
        if re.search(r"\s", color) or color in ("", "covered", "optional", "none"):
            raise InputError(f"found the color {color!r}, expected a word other than covered, optional, and none")
        legend[kinds[kind, color]] = color if kind == COVERED else f"{kind} {color}"
    return {"board": draw(puzzle.lattice, signs), **({"legend": legend} if legend else {})}


def _pieces(puzzle: Tiling) -> Iterator[dict[str, Any]]:
    """An entry for every set whose pieces are consecutive, and for every other piece."""
    at = 0
    while at < len(puzzle.pieces):
        piece = puzzle.pieces[at]
        known = _known(puzzle, at)
        if known is None:
            entry, base, at = _drawn_entry(puzzle.lattice, piece), Piece(piece.name, piece.shape), at + 1
        else:
            entry = {"set" if len(known.pieces) > 1 else "piece": known.name}
            base, at = known.pieces[0], at + len(known.pieces)
        yield entry | _details(puzzle, piece, base)


def _known(puzzle: Tiling, at: int) -> PieceSet | None:
    """The set, or the piece as a set of one, that starts at this piece, if an entry can describe the use of all of its pieces."""
    first = puzzle.pieces[at]
    uses = {key: getattr(first, key) for key in ("least", "most", "colors", "reflect", "rotate", "pinned")}
    for known in known_sets(puzzle.lattice, first):
        alike, base = tuple(replace(piece, **uses) for piece in known.pieces), known.pieces[0]
        settable = all(uses[key] is not None or getattr(base, key) is None for key in ("reflect", "rotate"))
        if puzzle.pieces[at : at + len(alike)] == alike and settable and not (first.pinned and len(alike) > 1):
            return known
    return None


def _drawn_entry(lattice: Lattice, piece: Piece) -> dict[str, Any]:
    """The entry with the name and the drawing of a piece."""
    shift = to_corner(lattice, piece.shape)
    places = {place_of(lattice, tuple(a + b for a, b in zip(cell, shift, strict=True))): "X" for cell in piece.shape}
    entry: dict[str, Any] = {"name": piece.name, "art": draw(lattice, places)}
    if not lattice.connected(piece.shape):
        entry["disconnected"] = True
    return entry


def _details(puzzle: Tiling, piece: Piece, base: Piece) -> dict[str, Any]:
    """The settings of an entry except for the shape."""
    found: dict[str, Any] = {}
    if (piece.least, piece.most) != (1, 1) or puzzle.groups:
        found["count"] = _count(piece.least, piece.most)
    for key in ("reflect", "rotate"):
        if getattr(piece, key) != getattr(base, key):
            found[key] = getattr(piece, key)
    if piece.colors is not None and puzzle.colors:
        found["colors"] = " ".join(sorted(piece.colors & set(puzzle.colors.values()))) or "none"
    if piece.pinned:
        found["pinned"] = " or ".join(texts.places_text(puzzle.lattice, place) for place in piece.pinned)
    return found


def _groups(puzzle: Tiling) -> Iterator[dict[str, Any]]:
    names = [piece.name for piece in distinct(puzzle.pieces)]  # with the names that the reader gives them
    for group in puzzle.groups:
        every = len(group.pieces) == len(names) and texts.ALL not in names
        members = texts.ALL if every else [names[number] for number in group.pieces]
        yield {"pieces": members, "count": _count(group.least, group.most)}


def _count(least: int, most: int | None) -> int | str:
    """The inverse of `texts.count_bounds`."""
    if most is None:
        return f"at least {least}" if least else "any"
    return least if least == most else f"{least}..{most}"
