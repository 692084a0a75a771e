"""Input and output of maze puzzles: options, files of mazes, JSON.

Options describe the mazes (of a grid, or of a file) and the pattern:

    gen-cnf maze --kind thin --size 2x2 --length 11
    gen-cnf maze --kind blocked --size 4x4 --pattern "ESSE****" --first 20
    gen-cnf maze counterexamples.mazes --length 28

A file of mazes is plain text with one maze on each line:

    # a comment
    mazes thin 2x3
    6ac/1.1 0,0
    4.4/3a9 1,2
    mazes blocked 3x3          (the first line for blocked mazes, with lines such as ..#/#../#..)

The first line has the kind, and rows x columns. Each maze has its rows from the north, separated by `/`. Blocked: `.` is a free
cell, `#` a blocked one; the first and the last cell are free. Thin: for each cell the sum of its open sides in hexadecimal, 1
north, 2 east, 4 south, 8 west (`.` or `0` for none), and after a blank the row and the column of the start, from 0. A side must
be open from both cells.

In JSON, which is the form of a puzzle in the variable map, all mazes of a grid are given by the reductions and enumerated again;
mazes of a file, and few mazes, are listed:

    {"kind": "thin", "size": [3, 3], "pattern": "NNW**", "reduced": ["component", "shift"], "first": null, "count": 12246}
    {"kind": "blocked", "size": [2, 2], "pattern": "***", "mazes": ["../..", ".#/.."]}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.jsonfields import from_json
from cnfgen_puzzles.families.maze.model import BLOCKED, DIRECTIONS, KINDS, THIN, Grid, maze_text
from cnfgen_puzzles.families.maze.puzzle import FREE, MAX_LENGTH, Entry, Mazes, MazeString, read_pattern
from cnfgen_puzzles.families.maze.sets import ARTICLE, check_subset, mazes_of, reduced, step_names, subset
from cnfgen_puzzles.families.options import SIZE_HELP, Option, group_options

HEADER = re.compile(r"mazes[ \t]+(\w+)[ \t]+([0-9]{1,6})x([0-9]{1,6})", re.IGNORECASE)
THIN_LINE = re.compile(r"([0-9a-f./]+)[ \t]+([0-9]{1,6}),[ \t]*([0-9]{1,6})", re.IGNORECASE)
COMMENT = "#"
NAMES = ("north", "east", "south", "west")

MAX_CELLS = 10_000
"""The most cells of a grid in a file of mazes."""

FEW = 100
"""The most mazes that JSON lists although they could be enumerated again."""


# -- options -----------------------------------------------------------------------------------------------------------

GRID_OPTIONS = (
    Option("kind", "thin: walls between cells; blocked: blocked cells", choices=KINDS),
    Option("size", f"size of the grid: {SIZE_HELP}"),
    Option("reduce", f"reductions of the set of mazes: {ARTICLE} (default), all, none, or names separated by commas"),
)
STRING_OPTIONS = (
    Option("pattern", "pattern of the string: letters N E S W (or U R D L), and * for a free step"),
    Option("length", "length of the string, instead of a pattern", type=int, least=0, most=MAX_LENGTH),
    Option("first", "use only the first N mazes", type=int, least=0),
)
FILE_OPTIONS = (Option("format", "file format of the mazes", choices=("mazes",)),)
OPTIONS: tuple[Option, ...] = (*group_options("Mazes without a file", GRID_OPTIONS), *STRING_OPTIONS, *FILE_OPTIONS)
SUBSET_OPTIONS = (
    Option("kind", "thin: walls between cells; blocked: blocked cells", BLOCKED, choices=KINDS),
    Option("size", SIZE_HELP, "3x3"),
    Option("mazes", "largest number of mazes", 10, int, least=1),
    Option("length", "length of the string", 10, int, least=0, most=MAX_LENGTH),
    Option("longest", "draw the length of the string at random up to this", None, int, least=0, most=MAX_LENGTH),
    Option("reduce", f"reductions before the choice: {ARTICLE}, all, none, or names separated by commas", ARTICLE),
)


GENERATORS = by_name(Generator("subset", "some mazes of a grid and a length", subset, SUBSET_OPTIONS, check_subset))


def read(source: Source | None, **options: Any) -> MazeString:
    """The puzzle; InputError names the file and line, or the option."""
    given = {name: value for name, value in options.items() if value is not None}
    if ("pattern" in given) == ("length" in given):
        found = "found both" if "pattern" in given else "found neither"
        raise InputError(f"{found} --pattern and --length, expected one of them")
    pattern = read_pattern(str(given["pattern"]), "--pattern") if "pattern" in given else FREE * int(given["length"])
    if source is None:
        if missing := next((name for name in ("kind", "size") if not given.get(name)), None):
            raise InputError(f"--{missing} is missing: expected a file of mazes, or --kind and --size")
        mazes = mazes_of(given["kind"], given["size"], given.get("reduce", ARTICLE))
    elif option := next((option for option in GRID_OPTIONS if option.name in given), None):
        raise InputError(f"--{option.name} describes mazes without a file, expected the file or the option", source=source.name)
    else:
        mazes = read_mazes(source.text(), source.name)
    count = given.get("first", len(mazes))
    if not 0 <= count <= len(mazes):
        raise InputError(f"found {count}, expected 0 to {len(mazes)}, the number of mazes", source="--first")
    return MazeString(mazes.first(count) if "first" in given else mazes, pattern)


# -- files -------------------------------------------------------------------------------------------------------------


def read_mazes(text: str, source: str) -> Mazes:
    """The mazes of a file; InputError names the line."""
    lines = _lines(text)
    number, line = next(lines, (1, ""))
    header = HEADER.fullmatch(line)
    if not header or header[1].lower() not in KINDS:
        raise InputError(
            f"found {shortened(line)}, expected a first line such as `mazes thin 3x3` or `mazes blocked 4x4`",
            source=source,
            line=number,
        )
    kind, grid = header[1].lower(), Grid(int(header[2]), int(header[3]))
    if not 1 <= grid.cells <= MAX_CELLS:
        raise InputError(f"found {header[2]}x{header[3]}, expected 1 to {MAX_CELLS} cells", source=source, line=number)
    entries: list[Entry] = []
    for number, line in lines:
        steps = grid.cells * (len(entries) + 1)
        checked_amount("steps", steps, found=f"mazes with {steps} cells in total", source=source, line=number)
        try:
            entries.append(ENTRIES[kind](grid, line))
        except ValueError as error:
            raise InputError(str(error), source=source, line=number) from None
    if not entries:
        raise InputError("found no maze after the first line, expected at least one", source=source, line=number)
    return Mazes(kind, grid, tuple(entries))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty or comments, with their numbers."""
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if line and not line.startswith(COMMENT):
            yield number, line


def _rows(grid: Grid, text: str) -> str:
    """The characters of all cells."""
    rows = text.split("/")
    if len(rows) != grid.height or any(len(row) != grid.width for row in rows):
        sizes = ", ".join(str(len(row)) for row in rows[:5]) + (", ..." if len(rows) > 5 else "")
        raise ValueError(
            f"found {len(rows)} rows ({sizes} cells), expected {grid.height} rows of {grid.width} cells, separated by /"
        )
    return "".join(rows)


def _blocked(grid: Grid, line: str) -> Entry:
    if set(line) - set("./#"):
        raise ValueError(f"found {shortened(line)}, expected rows of . and #, separated by /")
    cells = _rows(grid, line)
    if cells[0] == "#" or cells[-1] == "#":
        which = "start" if cells[0] == "#" else "goal"
        raise ValueError(f"found a blocked {which}, expected the first cell and the last to be free")
    return int(cells[::-1].replace(".", "1").replace("#", "0"), 2), 0


def _thin(grid: Grid, line: str) -> Entry:
    match = THIN_LINE.fullmatch(line)
    if not match:
        raise ValueError(
            f"found {shortened(line)}, expected rows of hexadecimal digits, separated by /, and the start, such as 6ac/1.1 0,0"
        )
    row, column = int(match[2]), int(match[3])
    if row >= grid.height or column >= grid.width:
        raise ValueError(f"found the start {row},{column}, expected row,column from 0,0 to {grid.height - 1},{grid.width - 1}")
    sides = [int(digit, 16) for digit in _rows(grid, match[1]).replace(".", "0")]
    open = 0
    for cell, around in enumerate(grid.neighbours):
        for d in DIRECTIONS:
            if not sides[cell] >> d & 1:
                continue
            other = around[d]
            place = f"cell {cell // grid.width},{cell % grid.width}"
            if other is None:
                raise ValueError(f"found {place} open to the {NAMES[d]}, which is the border")
            if not sides[other] >> (d + 2) % 4 & 1:
                raise ValueError(
                    f"found {place} open to the {NAMES[d]}, but the cell there is not open to the {NAMES[(d + 2) % 4]}"
                )
            open |= 1 << grid.edge_number[cell, other]
    return open, row * grid.width + column


ENTRIES = {THIN: _thin, BLOCKED: _blocked}
"""The readers of mazes that `maze_text` wrote, by kind; ValueError for other texts."""


def write_mazes(mazes: Mazes) -> str:
    """The mazes as a file."""
    return "\n".join([f"mazes {mazes.kind} {mazes.grid.height}x{mazes.grid.width}", *map(maze_text, mazes), ""])


# -- JSON --------------------------------------------------------------------------------------------------------------


def puzzle_to_json(puzzle: MazeString) -> dict[str, Any]:
    """The puzzle in canonical form."""
    mazes = puzzle.mazes
    entry: dict[str, Any] = {"kind": mazes.kind, "size": [mazes.grid.height, mazes.grid.width], "pattern": puzzle.pattern}
    if mazes.origin is None or len(mazes) <= FEW:
        return entry | {"mazes": [maze_text(maze) for maze in mazes]}
    reductions, first = mazes.origin
    return entry | {"reduced": list(reductions), "first": first, "count": len(mazes)}


def puzzle_from_json(entry: Mapping[str, Any]) -> MazeString:
    """The puzzle that `puzzle_to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
    kind, (height, width) = entry["kind"], entry["size"]
    pattern, listed = from_json(str, entry["pattern"]), from_json(list[str] | None, entry.get("mazes"))
    if kind not in KINDS or type(height) is not int or type(width) is not int:
        raise ValueError(f"found mazes of kind {kind!r} and size {height!r} x {width!r}")
    if min(height, width) < 1 or height * width > MAX_CELLS:
        raise ValueError(f"found a grid of {height} x {width}, expected 1 to {MAX_CELLS} cells")
    grid = Grid(height, width)
    try:
        if listed is not None:
            mazes = Mazes(kind, grid, tuple(ENTRIES[kind](grid, text) for text in listed))
        else:
            mazes = _enumerated(kind, grid, entry)
        return MazeString(mazes, read_pattern(pattern))
    except InputError as error:
        raise ValueError(error.message) from None


def _enumerated(kind: str, grid: Grid, entry: Mapping[str, Any]) -> Mazes:
    names, first = from_json(tuple[str, ...], entry["reduced"]), from_json(int | None, entry["first"])
    if set(names) - set(step_names(kind)):
        raise ValueError(f"found unknown reductions in {names}")
    mazes = reduced(kind, grid, names)
    if first is not None:
        mazes = mazes.first(first)
    if len(mazes) != entry["count"]:
        raise ValueError(f"found {len(mazes)} mazes, but the map contains {entry['count']}")
    return mazes


FORMATS: FormatTable[MazeString] = FormatTable(
    "maze",
    "mazes",
    [
        Format(
            "mazes",
            "one maze per line",
            (".mazes", ".txt"),
            recognise=lambda text: HEADER.fullmatch(next(_lines(text), (1, ""))[1]) is not None,
            write=lambda puzzle: write_mazes(puzzle.mazes),
            example="mazes blocked 2x2\n../..\n.#/..\n",
            lost=lambda puzzle: ["the pattern"] if set(puzzle.pattern) - {FREE} else ["the length"],
        )
    ],
)
"""Files contain the mazes; the pattern is an option, so `read` reads them."""
