"""Pieces and sets of pieces by name: `pentominoes`, `one-sided tetrominoes`, `Soma`, `F pentomino`, `domino`, `1x2x4`.

Shapes are computed; `DRAWINGS` defines the letters and the names of mirror images. The name of a set is the plural of its kind,
optionally after one of these words:

* `free` (pieces may be turned over), `one-sided` (they may not; mirror images are two pieces), `fixed` (they may not be rotated
  either; every orientation is a piece). The default is `free` in the plane and `one-sided` in space: `tetracubes` are 8 pieces,
  `pentacubes` 29, `free pentacubes` 23.
* `solid`: polyominoes made of cubes. `solid pentominoes` are the 12 planar pentacubes.

Pieces have their usual letters. A mirror image without a separate letter has a prime (F'), an orientation has a number (F3), and
pieces without letters are numbered in ascending order of their normal form.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import product

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR, Cell, Lattice, Matrix, cell_at, read_art

Shape = tuple[Cell, ...]


@dataclass(frozen=True)
class Piece:
    """A shape with its number of copies and its restrictions.

    `least` and `most` bound the number of copies (`most` None: no bound). If `reflect` or `rotate` is None, the setting of the
    puzzle applies. `colors` are the colors of cells that it may cover (None: any cell); `pinned` lists the only sets of cells
    that it may cover.
    """

    name: str
    shape: Shape
    least: int = 1
    most: int | None = 1
    reflect: bool | None = None
    rotate: bool | None = None
    colors: frozenset[str] | None = None
    pinned: tuple[frozenset[Cell], ...] = ()

    @property
    def size(self) -> int:
        return len(self.shape)


@dataclass(frozen=True)
class PieceGroup:
    """Bounds on the total number of copies of some pieces, which are given by their numbers in ascending order.

    `most` None means no upper bound. The bounds of the single pieces apply as well.
    """

    pieces: tuple[int, ...]
    least: int
    most: int | None


# -- polyforms ----------------------------------------------------------------------------------------------------------


@cache
def free(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """The free polyforms of `size` cells in ascending order, each as the least of its orientations."""
    return _grow(lattice, size, lattice.symmetries)


@cache
def one_sided(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """The one-sided polyforms: as `free`, but a shape and its mirror image are different unless a rotation makes them equal."""
    return _grow(lattice, size, lattice.rotations)


@cache
def fixed(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """The fixed polyforms: every orientation is a separate shape."""
    return tuple(sorted({each for shape in free(lattice, size) for each in lattice.orientations(shape, lattice.symmetries)}))


def _grow(lattice: Lattice, size: int, matrices: tuple[Matrix, ...]) -> tuple[Shape, ...]:
    """All shapes of `size` cells up to `matrices`, by adding a cell to each smaller shape."""
    origin = next(cell for cell in ((0,) * lattice.dimension, (1,) * lattice.dimension) if lattice.has(cell))
    shapes = {min(lattice.orientations([origin], matrices))}
    for _ in range(size - 1):
        shapes = {
            min(lattice.orientations((*shape, near), matrices))
            for shape in shapes
            for cell in shape
            for near in lattice.neighbours(cell)
            if near not in shape
        }
    return tuple(sorted(shapes))


# -- drawn pieces -------------------------------------------------------------------------------------------------------


def _read_drawings(text: str) -> dict[str, str]:
    """Drawings by their letters, from a text such as `I XXX, L X./XX`."""
    return {letter: drawing for letter, _, drawing in (entry.partition(" ") for entry in text.split(", "))}


DRAWINGS: dict[str, dict[str, str]] = {
    kind: _read_drawings(drawings)
    for kind, drawings in {
        "monomino": "monomino X",
        "domino": "domino XX",
        "tromino": "I XXX, L X./XX",
        "tetromino": "I XXXX, L X./X./XX, O XX/XX, S .XX/XX., T XXX/.X.",
        "pentomino": (
            "F .XX/XX./.X., I XXXXX, L X./X./X./XX, N X./X./XX/.X, P XX/XX/X., T XXX/.X./.X., U X.X/XXX, V X../X../XXX, "
            "W ..X/.XX/XX., X .X./XXX/.X., Y X./XX/X./X., Z .XX/.X./XX."
        ),
        "moniamond": "moniamond X",
        "diamond": "diamond XX",
        "triamond": "triamond XXX",
        "tetriamond": "Bar XXXX, Triangle ..X./.XXX, Hook XXX/X..",
        "hexiamond": (
            "Bar XXXXXX, Butterfly .XXX/.XXX, Chevron ....XX/.XXXX., Crook ....X/XXXXX, Crown ..X../XXXXX, Hexagon XXX/XXX, "
            "Hook X.XX/XXX., Lobster .XX./XXXX, Signpost ..XX/XXXX, Snake ..XXX/XXX.., Sphinx ....X./.XXXXX, "
            "Yacht .XXX/XXX."
        ),
        "monohex": "monohex X",
        "dihex": "dihex X X",
        "trihex": "A X X/.X, I X X X, V X/.X/X",
        "tetrahex": (
            "Arch X . X/.X X, Bar X X X X, Bee X X/.X X, Pistol X X X/.X, Propeller X/.X X/X, Wave X X/...X X, Worm X/.X X X"
        ),
        "monocube": "monocube X",
        "dicube": "dicube XX",
        "tricube": "I XXX, V X./XX",
        "tetracube": "I XXXX, O XX/XX, L X./X./XX, T XXX/.X., Z .XX/XX., A XX/X.//../X., B XX/X.//.X/.., P XX/X.//X./..",
    }.items()
}

SOMA = {"V": "X./XX", **{letter: DRAWINGS["tetracube"][letter] for letter in "LTZABP"}}
"""Piet Hein: the seven polycubes of at most four cubes that are not boxes. A has its fourth cube on the clockwise arm."""

BEDLAM = _read_drawings(
    "F XX./.XX/.X., X .X./XXX/.X., W XX./.XX/..X, M XXX/.X.//.X./..., B XXX/.X.//.../.X., H XXX/.X.//X../..., "
    "L XXX/..X//X../..., S XXX/X..//.../X.., C XXX/X..//X../..., E XX./.XX//X../..., I XX./.XX//.X./..., "
    "T XX./.X.//.../.XX, Z XX/X.//.X/.."
)
"""Bruce Bedlam's cube: twelve pentacubes and a tetracube."""

MIRRORED: dict[tuple[str, str], str] = {("tetromino", "L"): "J", ("tetromino", "S"): "Z"}
"""Mirror images with a separate letter; all others have a prime (F')."""

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


# -- pieces and sets by name --------------------------------------------------------------------------------------------


GREEK = ("mono", "do", "tro", "tetro", "pento", "hexo", "hepto", "octo")
KINDS: dict[str, tuple[Lattice, int]] = {
    **{f"{stem}mino": (SQUARE, n) for n, stem in enumerate(GREEK, start=1)},
    **{f"{stem}cube": (CUBIC, n) for n, stem in enumerate(("mono", "di", "tri", "tetra", "penta", "hexa"), start=1)},
    **{
        f"{stem}iamond": (TRIANGULAR, n)
        for n, stem in enumerate(("mon", "d", "tr", "tetr", "pent", "hex", "hept", "oct"), start=1)
    },
    **{f"{stem}hex": (HEXAGONAL, n) for n, stem in enumerate(("mono", "di", "tri", "tetra", "penta", "hexa"), start=1)},
}
"""The kinds of polyforms with their lattice and their number of cells."""
KINDS["diamond"], KINDS["triamond"] = (TRIANGULAR, 2), (TRIANGULAR, 3)

FREE, ONE_SIDED, FIXED, SOLID = "free", "one-sided", "fixed", "solid"
TOGETHER = {"soma": ("Soma", SOMA), "bedlam": ("Bedlam", BEDLAM)}
"""Sets of cube pieces of different sizes."""
BOX = re.compile(r"[1-9][0-9]{0,30}(x[1-9][0-9]{0,30}){1,2}")


@dataclass(frozen=True)
class PieceSet:
    """A named set of pieces on a lattice, each used once."""

    name: str
    lattice: Lattice
    pieces: tuple[Piece, ...]


@lru_cache(maxsize=1024)
def find(name: str) -> PieceSet:
    """The set with this name (not case-sensitive), or the piece with this name as a set of one; InputError with the nearest
    names."""
    found = _known_set(name) or find_piece(name)
    if found is None:
        sets = [*map(plural, KINDS), "Soma", "Bedlam", "solid pentominoes", "one-sided tetrominoes", "fixed trominoes"]
        pieces = [letter if letter == kind else f"{letter} {kind}" for kind, drawn in DRAWINGS.items() for letter in drawn]
        near = get_close_matches(name, [*sorted(sets), *pieces, *ALIASES, "1x2", "1x2x4"], n=2, cutoff=0.6)
        raise InputError(unknown_name("piece or set of pieces", name, {*near, *sets}))
    return found


def _known_set(name: str) -> PieceSet | None:
    """The set with this name; None if there is none."""
    words = _plain(name)
    if words.removesuffix(" pieces") in TOGETHER:
        return _together(words.removesuffix(" pieces"))
    solid, modifier, rest = SOLID in words.split(), None, words.removeprefix(f"{SOLID} ")
    for each in (FREE, ONE_SIDED, FIXED):
        if rest.startswith(f"{each} "):
            modifier, rest = each, rest.removeprefix(f"{each} ").removeprefix(f"{SOLID} ")
    kind = next((kind for kind in KINDS if rest in (plural(kind), kind + "s")), None)
    if kind is None or (solid and KINDS[kind][0] is not SQUARE):
        return None
    return lift(_set(kind, modifier), CUBIC if solid else None)


def find_piece(name: str) -> PieceSet | None:
    """The piece with this name as a set of one: `F pentomino`, `pentomino F`, `square tetromino`, `domino`, `Soma A`, `2x3`; None
    if there is none. InputError for an unknown piece of a known kind."""
    words = _plain(name)
    if BOX.fullmatch(words):
        sides = [int(side) for side in words.split("x")]
        checked_amount("cells", math.prod(sides), found=f"the piece {words} of {math.prod(sides)} cells")
        return PieceSet(name, SQUARE if len(sides) == 2 else CUBIC, (Piece(words, tuple(product(*map(range, sides)))),))
    parts = words.split()
    for alias in (words, " ".join(reversed(parts))):
        if alias in ALIASES:
            kind, letter = ALIASES[alias]
            return PieceSet(name, KINDS[kind][0], (_by_name(kind)[letter.lower()],))
    for kind, letter in ((parts[0], parts[-1]), (parts[-1], parts[0])) if 1 <= len(parts) <= 2 else ():
        if kind not in KINDS and kind not in TOGETHER:
            continue
        found = _by_name(kind)
        if letter in found:
            return PieceSet(name, CUBIC if kind in TOGETHER else KINDS[kind][0], (found[letter],))
        if len(parts) == 2:
            raise InputError(unknown_name(kind, letter.capitalize(), (piece.name for piece in found.values())))
    return None


def lift(found: PieceSet, lattice: Lattice | None) -> PieceSet:
    """Pieces of squares as pieces of cubes if the lattice is cubic; other sets unchanged."""
    if found.lattice is not SQUARE or lattice is not CUBIC:
        return found
    pieces = tuple(replace(piece, shape=tuple((0, *cell) for cell in piece.shape)) for piece in found.pieces)
    return PieceSet(f"{SOLID} {found.name}", CUBIC, pieces)


def without(found: PieceSet, names: Iterable[str]) -> PieceSet:
    """The set, with the same name, without the pieces with these names."""
    known = {piece.name for piece in found.pieces}
    names = set(names)
    for name in sorted(names - known):
        raise InputError(unknown_name(f"piece of {found.name}", name, known))
    return replace(found, pieces=tuple(piece for piece in found.pieces if piece.name not in names))


def distinct(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces with unique names: a repeated name gets the piece's size, then a number (I, I4, I4-2)."""
    taken: set[str] = set()
    tried: Counter[tuple[str, int]] = Counter()
    found = []
    for piece in pieces:
        name, key = piece.name, (piece.name, piece.size)
        while name in taken:
            tried[key] += 1
            separator = "-" if piece.name[-1:].isdigit() else ""
            name = f"{piece.name}{separator}{piece.size}" + (f"-{tried[key]}" if tried[key] > 1 else "")
        taken.add(name)
        found.append(replace(piece, name=name))
    return found


# -- names --------------------------------------------------------------------------------------------------------------


def _plain(name: str) -> str:
    words = " ".join(name.lower().replace("×", "x").split())
    words = re.sub(r"\bone[ -]?sided\b", ONE_SIDED, words)
    return re.sub(r"^(\S+')?([a-z]'?)-(?=[a-z]{4,}$)", r"\1\2 ", words)  # F-pentomino


def plural(kind: str) -> str:
    return kind + ("es" if kind.endswith(("o", "x")) else "s")


# -- shapes -------------------------------------------------------------------------------------------------------------


def read_shape(lattice: Lattice, drawing: str) -> Shape:
    """The shape of a drawing on one line: rows end with `/`, layers with `//`."""
    places, _ = read_art(lattice, drawing.replace("//", "\n\n").replace("/", "\n"))
    return lattice.normal(cell_at(lattice, place) for place in places)


@cache
def _set(kind: str, modifier: str | None) -> PieceSet:
    lattice, _ = KINDS[kind]
    chosen = modifier or (ONE_SIDED if lattice is CUBIC else FREE)
    title = f"{modifier} {plural(kind)}" if modifier else plural(kind)
    if chosen == FREE:
        made = [Piece(name, shape, reflect=True if modifier or lattice is CUBIC else None) for name, shape in _free(kind)]
    elif chosen == ONE_SIDED:
        made = [Piece(name, shape, reflect=False) for name, shape in _one_sided(kind)]
    else:
        made = [Piece(name, shape, reflect=False, rotate=False) for name, shape in _fixed(kind)]
    return PieceSet(title, lattice, tuple(made))


def _free(kind: str) -> list[tuple[str, Shape]]:
    """The free polyforms of a kind with their names: those with letters, then those with numbers."""
    lattice, size = KINDS[kind]
    return _name_shapes(lattice, free(lattice, size), _letters(kind), lattice.symmetries)


def _one_sided(kind: str) -> list[tuple[str, Shape]]:
    """Each free piece, and its mirror image if that is another piece. Mirror images in `DRAWINGS` keep their names."""
    lattice, size = KINDS[kind]
    letters = _letters(kind)
    known = {min(lattice.orientations(shape, lattice.rotations)) for shape in letters.values()}
    for name, shape in list(letters.items()):
        mirrored = lattice.orientations(shape, lattice.symmetries[len(lattice.rotations) :])[0]  # left and right exchanged
        if min(lattice.orientations(mirrored, lattice.rotations)) not in known:
            letters[MIRRORED.get((kind, name), f"{name}'")] = mirrored
    order = sorted(letters, key=lambda name: (name.rstrip("'"), name))
    return _name_shapes(lattice, one_sided(lattice, size), {name: letters[name] for name in order}, lattice.rotations)


def _fixed(kind: str) -> list[tuple[str, Shape]]:
    """Every orientation of each free piece, numbered if a piece has several."""
    lattice, _ = KINDS[kind]
    found = []
    for name, shape in _free(kind):
        turns = lattice.orientations(shape, lattice.symmetries)
        separator = "-" if name[-1].isdigit() else ""
        found += [(name if len(turns) == 1 else f"{name}{separator}{n}", each) for n, each in enumerate(turns, start=1)]
    return found


def _name_shapes(
    lattice: Lattice, shapes: Iterable[Shape], letters: dict[str, Shape], matrices: tuple[Matrix, ...]
) -> list[tuple[str, Shape]]:
    """All `shapes` with names: first those with letters, as drawn and in the order of `letters`, then the others by numbers."""
    left = {min(lattice.orientations(shape, matrices)): None for shape in shapes}
    found = []
    for name, shape in letters.items():
        key = min(lattice.orientations(shape, matrices))
        if key in left:
            del left[key]
            found.append((name, shape))
    return found + [(str(number), shape) for number, shape in enumerate(left, start=1)]


def _letters(kind: str) -> dict[str, Shape]:
    """The drawn shapes of a kind by their letters; planar pentacubes have the letters of pentominoes."""
    lattice, _ = KINDS[kind]
    if kind == "pentacube":
        return {name: tuple((0, *cell) for cell in shape) for name, shape in _letters("pentomino").items()}
    return {name: read_shape(lattice, drawing) for name, drawing in DRAWINGS.get(kind, {}).items()}


@cache
def _by_name(kind: str) -> dict[str, Piece]:
    """The pieces of a kind and their mirror images by lower-case names; a kind of one piece is also a name of this piece."""
    if kind in TOGETHER:
        return {piece.name.lower(): piece for piece in _together(kind).pieces}
    free = _free(kind)
    found = {name.lower(): Piece(name, shape) for name, shape in [*_one_sided(kind), *free]}
    if len(free) == 1:
        found[kind] = Piece(kind, free[0][1])
    return found


@cache
def _together(name: str) -> PieceSet:
    title, drawings = TOGETHER[name]
    return PieceSet(title, CUBIC, tuple(Piece(letter, read_shape(CUBIC, art), reflect=False) for letter, art in drawings.items()))


# -- names of shapes ----------------------------------------------------------------------------------------------------

MOST_IN_SET = 100
"""`known_sets` skips larger sets."""


def known_sets(lattice: Lattice, piece: Piece) -> Iterator[PieceSet]:
    """The sets on a lattice whose first piece has this size; at the end the set of one, if `find` finds a piece of this name and
    shape."""
    if lattice is CUBIC:
        yield from (found for found in map(_together, TOGETHER) if found.pieces[0].size == piece.size)
    kinds = {kind: where for kind, (where, size) in KINDS.items() if size == piece.size and where in (lattice, SQUARE)}
    for kind in sorted(kinds, key=lambda kind: kinds[kind] is not lattice):
        if 1 < piece.size < 7 and (kinds[kind] is lattice or lattice is CUBIC):
            for modifier in (None, ONE_SIDED, FREE, FIXED) if piece.size < 6 else (None, ONE_SIDED):
                found = _set(kind, modifier)
                if 1 < len(found.pieces) <= MOST_IN_SET:
                    yield lift(found, lattice)
    for name in (piece.name, *(f"{piece.name} {kind}" for kind in kinds)):
        with suppress(InputError):
            one = find_piece(name)
            if one and (one := lift(one, lattice)).lattice is lattice:
                (known,) = one.pieces
                if (known.name, known.shape) == (piece.name, piece.shape):
                    yield replace(one, name=name)
                    return
