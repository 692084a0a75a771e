"""The readers of puzzles, as targets: file formats of all families, the short texts of options, boards in results."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from fuzz.target import NAME, Target
from repository import INSTANCES
from smallpuzzles import small_puzzles

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import Family, find_family
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.halffilled import grid_in
from cnfgen_puzzles.families.clued.puzzle import Color
from cnfgen_puzzles.families.fileformats import FormatTable
from cnfgen_puzzles.families.nonogram.knowncells import with_known
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.pipeline.instance import Instance, decode, make_instance
from cnfgen_puzzles.testing import models

SMALL = 3000
"""The largest file used as a seed: damaged bytes do not find errors that need a larger one."""

NONOGRAM, TILING, MAZE, TRIDDLER = map(find_family, ("nonogram", "tiling", "maze", "triddler"))


def shipped(*patterns: str) -> list[bytes]:
    """The small files of instances/ that match."""
    paths = sorted(path for pattern in patterns for path in INSTANCES.glob(pattern))
    return [data for path in paths if len(data := path.read_bytes()) <= SMALL]


def read_as(formats: FormatTable[Any], name: str | None, data: bytes) -> Any:
    suffix = formats[name].suffixes[0] if name and formats[name].suffixes else ""
    return formats.read_puzzle(Source(NAME, data, suffix), name)


# -- what holds of every puzzle -------------------------------------------------------------------------------------------


LARGE = 300
"""The limit on cells times pieces: descriptions of larger puzzles can take as long as their formulas."""


def carried(family: Family, puzzle: Any) -> None:
    """A variable map can contain the puzzle, and its descriptions before encoding raise no error."""
    entry = json.loads(json.dumps(family.puzzle_to_json(puzzle)))
    assert family.puzzle_from_json(entry) == puzzle
    family.describe(puzzle)
    if family is not TILING or len(puzzle.board) * len(puzzle.pieces) <= LARGE:
        family.impossible(puzzle)


def same_again(formats: FormatTable[Any], name: str, puzzle: Any) -> None:
    """The format writes what it read, and reads that again."""
    text = formats.write_puzzle(puzzle, name)
    again = read_as(formats, name, text.encode())
    assert again == puzzle, f"read {puzzle!r:.600}, written {text[:600]!r}, read again {again!r:.600}"


BLACK_ONLY = ("nin", "mk", "clues", "cwd", "url", "pzprv3")
"""Formats of nonograms that refuse colors."""
PZPR = ("url", "pzprv3")
"""Formats that refuse clues with more blocks than fit into a line, and sides above 200."""


def clues_with_sides(puzzle: Nonogram) -> list[tuple[Any, int]]:
    """The clues of all lines, each with the length of its line."""
    return [*((clue, puzzle.width) for clue in puzzle.rows), *((clue, puzzle.height) for clue in puzzle.columns)]


def _nonogram(name: str | None, puzzle: Nonogram) -> None:
    carried(NONOGRAM, puzzle)
    assert 1 <= puzzle.width <= MOST_SIDE and 1 <= puzzle.height <= MOST_SIDE
    for format in NONOGRAM.formats:
        try:
            text = NONOGRAM.formats.write_puzzle(puzzle, format)
        except InputError:
            long = any(len(clue) > (side + 1) // 2 or side > 200 for clue, side in clues_with_sides(puzzle))
            assert puzzle.row_colors or puzzle.column_colors or (long and format in PZPR), f"{format} refuses a black puzzle"
            assert format in BLACK_ONLY, f"{format} refuses colors"
            continue
        again = read_as(NONOGRAM.formats, format, text.encode())
        for kind in ("row", "column"):
            assert list(again.lines(kind)) == list(puzzle.lines(kind)), f"{format} lost clues"
    if name is not None:
        same_again(NONOGRAM.formats, name, puzzle)
        again = read_as(NONOGRAM.formats, name, NONOGRAM.formats.write_puzzle(puzzle, name).encode())
        assert again.goal is None or again.goal == puzzle.goal
        assert again.saved == puzzle.saved


def _tiling(name: str, puzzle: Any) -> None:
    carried(TILING, puzzle)
    same_again(TILING.formats, name, puzzle)


def _burrtools(puzzle: Any) -> None:
    _tiling("yaml", puzzle)
    try:
        text = TILING.formats.write_puzzle(puzzle, "burrtools")
    except InputError:
        return
    again = read_as(TILING.formats, "burrtools", text.encode())
    assert (len(again.board), len(again.pieces)) == (len(puzzle.board), len(puzzle.pieces))


def _mazes(puzzle: Any) -> None:
    carried(MAZE, puzzle)
    again = MAZE.read(Source("again", MAZE.write(puzzle, "mazes").encode(), ".mazes"), pattern=puzzle.pattern)
    assert again == puzzle


# -- options ----------------------------------------------------------------------------------------------------------------


def of_options(family: Family, data: bytes) -> Any:
    """The puzzle that lines `name=value` describe; each line is an option of a command."""
    lines = (line.partition("=") for line in data.decode("utf-8", "surrogateescape").split("\n") if line)
    return family.read(None, **{name: value for name, _, value in lines})


def _lines(**options: str) -> bytes:
    return "\n".join(f"{name}={value}" for name, value in options.items()).encode()


def tiling_options() -> Iterable[bytes]:
    for board, pieces in (
        *(("6x10", "pentominoes"), ("8x8", "pentominoes, square tetromino"), ("4x4", "domino: any"), ("2x3x4", "12*domino")),
        *(("triangle 3", "triamond: any"), ("hexagon 2", "moniamond: any"), ("4x6", "X./XX: any"), ("4x7", "tetrahexes")),
        *(("2x3 + 2x3", "I3, L tromino"), ("3x3", "monomino: 1..4, domino: at least 2, XXX: at most 1")),
    ):
        yield _lines(board=board, pieces=pieces)
        yield _lines(board=board, pieces=pieces, optional="all", reflections="no", rotations="no")
    yield _lines(board="6x10", pieces="pentominoes", holes="0,0 1,1", torus="yes")
    yield _lines(board="4x4", pieces="domino: any", optional="0,1", cylinder="yes", lattice="square")
    yield _lines(board="###/#o#/###", pieces="tetrominoes without O, T: at most 1", groups="1..2 of all; 1 of I, L")
    yield _lines(board="XX/XX//XX/X.", pieces="2 of tetracubes without I", empty="0,0,0")


def maze_options() -> Iterable[bytes]:
    yield _lines(kind="blocked", size="2x2", pattern="NE**S")
    yield _lines(kind="thin", size="2x2", length="5", first="3")
    yield _lines(kind="blocked", size="3x2", reduce="none", length="0")
    yield _lines(kind="thin", size="2x2", reduce="all", pattern="URDL")


# -- boards -----------------------------------------------------------------------------------------------------------------


@cache
def solved(family: Family) -> tuple[Instance, list[int]]:
    """The first small puzzle of the family that has a board, and a model of it."""
    for puzzle in small_puzzles(family):
        instance = make_instance(family, puzzle)
        if model := next(models(instance.cnf), None):
            return instance, sorted(model, key=abs)
    raise AssertionError(f"no small puzzle of {family.name} has a board")


def board_of(family: Family, data: bytes) -> Any:
    """A board in a result file; readers catch exactly these errors."""
    puzzle = solved(family)[0].puzzle
    try:
        entry = json.loads(data)
    except (ValueError, RecursionError):
        return None
    try:
        board = family.board_from_json(puzzle, entry)
        return board, family.check(puzzle, board)
    except (KeyError, TypeError, ValueError, IndexError):
        return None


def drawn(family: Family, found: Any) -> None:
    if found is not None and not found[1]:
        for view in ("svg", "text"):
            family.view(view).draw(solved(family)[0].puzzle, found[0], None)


def boards(family: Family) -> Iterable[bytes]:
    instance, model = solved(family)
    yield json.dumps(family.board_to_json(instance.puzzle, decode(instance.map, model)[2])).encode()


# -- the table --------------------------------------------------------------------------------------------------------------

COLORS = (Color("sand", "#ffeecc", "."), Color("red", "#d55e00", "r"), Color("sea blue", "#0072b2", "B"))
COLORED = tuple(tuple(map(".rB".index, row)) for row in ("rrB.B", ".....", "BBrr.", "r.rBr"))
PICTURE = tuple(tuple(cell == "#" for cell in row) for row in ("#.##.", ".....", "##..#", "#.#.#"))

HALF = Nonogram(clues_of(PICTURE).rows, clues_of(PICTURE).columns, known=((1, None, 1, 1, 0), *((None, 0) * 2 + (None,),) * 3))


def known(data: bytes) -> Nonogram:
    """A puzzle with its known cells drawn in a file."""
    return with_known(clues_of(PICTURE), grid_in(Source(NAME, data)), NAME)


def known_again(puzzle: Nonogram) -> None:
    """Known cells are written as a saved grid and read again."""
    carried(NONOGRAM, puzzle)
    for format in ("non", "webpbn") if puzzle.known else ():
        source = Source(NAME, NONOGRAM.formats.write_puzzle(puzzle, format).encode())
        assert NONOGRAM.read(source, known="saved") == puzzle


def drawings() -> Iterable[bytes]:
    yield NONOGRAM.view("plain").draw(HALF, NONOGRAM.blank(HALF), None).encode()
    yield b"|X1x1.|\n\n ????? \n0.0.0\n#####\n"


def nonograms(name: str | None) -> Iterable[bytes]:
    formats = NONOGRAM.formats
    about = {key: f"the {key} & 'more' <\"é\">" for key in ("title", "author", "copyright", "catalogue", "description")}
    puzzle = Nonogram(clues_of(PICTURE).rows, clues_of(PICTURE).columns, about, PICTURE)
    colored = replace(clues_of(COLORED, COLORS), about=about)
    for each in [name] if name else formats:
        yield formats.write_puzzle(clues_of(PICTURE), each).encode()
        if each not in BLACK_ONLY:
            yield formats.write_puzzle(colored, each).encode()
        yield formats.write_puzzle(puzzle, each).encode()
        yield formats.write_puzzle(HALF, each).encode()
        yield from shipped(*(f"nonogram/**/*{suffix}" for suffix in formats[each].suffixes))


def tilings() -> Iterable[bytes]:
    yield from shipped("tiling/*.yaml")


def burrtools() -> Iterable[bytes]:
    for text in shipped("tiling/*.yaml"):
        try:
            yield TILING.formats.write_puzzle(read_as(TILING.formats, "yaml", text), "burrtools").encode()
        except InputError:
            continue


def mazes() -> Iterable[bytes]:
    yield from shipped("maze/*.mazes")
    yield b"mazes blocked 2x3\n# a comment\n.../.#.\n..#/...\n"
    for kind in ("thin", "blocked"):
        yield MAZE.write(MAZE.read(None, kind=kind, size="2x2", length=3), "mazes").encode()


def triddlers(name: str) -> Iterable[bytes]:
    for puzzle in [*small_puzzles(TRIDDLER)[3:], TRIDDLER.generate("blobs", 1, sides="2-1-3-1", colors=3)]:
        yield TRIDDLER.formats.write_puzzle(replace(puzzle, about={"title": 'a "title" & more'}), name).encode()
    yield from shipped(*(f"triddler/*{suffix}" for suffix in TRIDDLER.formats[name].suffixes))


def _triddler(name: str, puzzle: Any) -> None:
    carried(TRIDDLER, puzzle)
    same_again(TRIDDLER.formats, name, puzzle)
    again = read_as(TRIDDLER.formats, name, TRIDDLER.formats.write_puzzle(puzzle, name).encode())
    assert name == "g" or again.goal == puzzle.goal


FORMATS, TILINGS = NONOGRAM.formats, TILING.formats

TARGETS: list[Target] = [
    *(
        Target(f"nonogram-{name or 'any'}", partial(read_as, FORMATS, name), partial(nonograms, name), partial(_nonogram, name))
        for name in (*FORMATS, None)
    ),
    Target("nonogram-known", known, drawings, known_again),
    Target("tiling-yaml", partial(read_as, TILINGS, "yaml"), tilings, partial(_tiling, "yaml"), "yaml"),
    Target("tiling-burrtools", partial(read_as, TILINGS, "burrtools"), burrtools, _burrtools),
    Target("tiling-options", partial(of_options, TILING), tiling_options, partial(_tiling, "yaml")),
    Target("maze-file", lambda data: MAZE.read(Source(NAME, data, ".mazes"), pattern="N*"), mazes, _mazes),
    Target("maze-options", partial(of_options, MAZE), maze_options, partial(carried, MAZE)),
    *(
        Target(f"triddler-{name}", partial(read_as, TRIDDLER.formats, name), partial(triddlers, name), partial(_triddler, name))
        for name in ("g", "webpbn")
    ),
    *(
        Target(f"board-{family.name}", partial(board_of, family), partial(boards, family), partial(drawn, family), "json")
        for family in (NONOGRAM, TILING, MAZE, TRIDDLER)
    ),
]
