"""Random tiling puzzles for the tests, on all lattices, with all features of puzzles."""

from __future__ import annotations

from hypothesis import strategies as st

from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, LATTICES, TRIANGULAR, Lattice, cell_at
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup, free
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Tiling

NAMES = ["A", "F'", "I", "X", "domino", "1", "null", "tall one", "ö", "a: b", "- c", "'q'", "#"]
LABELS = st.sampled_from(["Mar", "31", "New Year", ".", "#", "null", "ö", ": x", "'", "- a"])
COLORS = ["red", "blue", "null", "7", "light-green", "x:y"]


def source(text: str | bytes, suffix: str = "", name: str = "p") -> Source:
    return Source(name, text if isinstance(text, bytes) else text.encode(), suffix)


@st.composite
def boards(draw, lattice: Lattice) -> set:
    """Some cells whose places in a drawing are not negative."""
    sides = (2, 3, 3) if lattice is CUBIC else (4, 6)
    places = st.tuples(*(st.integers(0, side - 1) for side in sides))
    if lattice is HEXAGONAL:
        places = places.filter(lambda place: sum(place) % 2 == 0)
    return {cell_at(lattice, place) for place in draw(st.sets(places, min_size=1, max_size=14))}


@st.composite
def pieces(draw, lattice: Lattice, name: str, cells: set, colors: list[str]) -> Piece:
    """A connected piece in normal form, with possible settings."""
    shape = draw(st.sampled_from(free(lattice, draw(st.integers(1, 4)))))
    shape = draw(st.sampled_from(lattice.orientations(shape, lattice.symmetries)))
    least = draw(st.integers(0, 2))
    most = draw(st.none() | st.integers(least, 3))
    turning = [draw(st.sampled_from([None, True, False])) for _ in range(2)]
    may = draw(st.none() | st.frozensets(st.sampled_from(colors))) if colors else None
    return Piece(name, shape, least, most, *turning, may)


@st.composite
def groups(draw, pieces: int, least_groups: int = 0) -> tuple[PieceGroup, ...]:
    """Bounds on any groups of this number of pieces."""
    found = []
    for _ in range(draw(st.integers(least_groups, 2)) if pieces else 0):
        numbers = draw(st.sets(st.integers(0, pieces - 1), min_size=1))
        least = draw(st.integers(0, 4))
        found.append(PieceGroup(tuple(sorted(numbers)), least, draw(st.none() | st.integers(least, 5))))
    return tuple(found)


@st.composite
def puzzles(draw, grouped: bool = False) -> Tiling:
    """Any well-formed puzzle, usually without a solution; `grouped` ones have groups, and most cells may stay empty."""
    lattice = draw(st.sampled_from(list(LATTICES.values())))
    cells = draw(boards(lattice))
    kinds = [COVERED, OPTIONAL, OPTIONAL, EMPTY] if grouped else [COVERED, COVERED, COVERED, OPTIONAL, EMPTY]
    board = {cell: draw(st.sampled_from(kinds)) for cell in cells}
    colored = draw(st.dictionaries(st.sampled_from(sorted(cells)), st.sampled_from(COLORS), max_size=4))
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=int(grouped), max_size=4))
    made = tuple(draw(pieces(lattice, name, cells, sorted(set(colored.values())))) for name in names)
    wrap = ()
    if lattice is not HEXAGONAL and all(x >= 0 for cell in cells for x in cell) and draw(st.booleans()):
        step = 3 if lattice is TRIANGULAR else 1
        ends = [max(axis) // step + 1 for axis in zip(*cells, strict=True)]
        wrap = tuple(draw(st.none() | st.integers(end, end + 1).map(lambda n: n * step)) for end in ends)
        wrap = wrap if any(wrap) else ()
    labels = draw(st.dictionaries(st.sampled_from(sorted(cells)), LABELS))
    told = (colored, wrap, draw(abouts), draw(groups(len(made), int(grouped))), labels)
    puzzle = Tiling(lattice, board, made, draw(st.booleans()), draw(st.booleans()), *told)
    return pinned(puzzle, draw(st.integers(0, 30)))


def pinned(puzzle: Tiling, choice: int) -> Tiling:
    """The puzzle with its first piece pinned, if it fits somewhere; or as it is."""
    from dataclasses import replace

    mine = [placement.cells for placement in puzzle.placements if placement.piece == 0]
    if choice % 2 or not mine:
        return puzzle
    start = choice % len(mine)
    places = tuple(mine[start : start + 3])
    if puzzle.pieces[0].least >= len(places):
        return puzzle
    return replace(puzzle, pieces=(replace(puzzle.pieces[0], pinned=places), *puzzle.pieces[1:]))


_texts = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=12)
_about = st.dictionaries(st.sampled_from(["title", "author", "source", "description"]), _texts, max_size=3)
_claims = st.sampled_from(
    [
        {},
        {"claims.solutions": "2", "claims.raw": "8", "claims.source": "me: myself"},
        {"claims.verdict": "unsatisfiable", "claims.raw": "0"},
        {"claims.solutions": "3", "claims.convention": "up to rotations"},
    ]
)
abouts = st.builds(lambda about, claims: about | claims, _about, _claims)
