"""Files of mazes: plain text, a line a maze.

    # anything after a # at the beginning of a line
    mazes thin 2x3
    6ac/1.1 0,0
    4.4/3a9 1,2
    mazes blocked 3x3          (a file of blocked mazes begins so, and has lines such as ..#/#../#..)

The first line names the kind and the size, rows x columns. Then rows from the north, apart by `/`. Blocked: `.` is a free cell,
`#` a blocked one; the first cell and the last are free. Thin: for each cell the sum of its open sides in hexadecimal, 1 north, 2
east, 4 south, 8 west (`.` or `0` for none), and after a blank the row and the column of the start, from 0. Both sides of a wall
must agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.maze.model.grid import DIRECTIONS, Grid
from cnfgen_puzzles.families.maze.model.mazeset import Entry, Mazes
from cnfgen_puzzles.families.maze.model.puzzle import BLOCKED, KINDS, MAX_CELLS, THIN, Maze
from cnfgen_puzzles.ground.errors import InputError

HEADER = re.compile(r"mazes[ \t]+(\w+)[ \t]+([0-9]{1,6})x([0-9]{1,6})", re.IGNORECASE)
THIN_LINE = re.compile(r"([0-9a-f./]+)[ \t]+([0-9]{1,6}),[ \t]*([0-9]{1,6})", re.IGNORECASE)
COMMENT = "#"
SHOWN = 40


def read_mazes(text: str, source: str) -> Mazes:
    """The mazes of a file; raises InputError with the line."""
    lines = _lines(text)
    number, line = next(lines, (1, ""))
    header = HEADER.fullmatch(line)
    if not header or header[1].lower() not in KINDS:
        raise InputError(
            f"found {_shown(line)}, expected a first line such as `mazes thin 3x3` or `mazes blocked 4x4`",
            source=source,
            line=number,
        )
    kind, grid = header[1].lower(), Grid(int(header[2]), int(header[3]))
    if not 1 <= grid.cells <= MAX_CELLS:
        raise InputError(f"found {header[2]}x{header[3]}, expected 1 to {MAX_CELLS} cells", source=source, line=number)
    entries = []
    for number, line in lines:
        try:
            entries.append(_thin(grid, line) if kind == THIN else _blocked(grid, line))
        except ValueError as error:
            raise InputError(str(error), source=source, line=number) from None
    if not entries:
        raise InputError("found no maze below the first line, expected at least one", source=source, line=number)
    return Mazes(kind, grid, tuple(entries))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if line and not line.startswith(COMMENT):
            yield number, line


def _rows(grid: Grid, text: str) -> str:
    """The characters of all cells."""
    rows = text.split("/")
    if len(rows) != grid.height or any(len(row) != grid.width for row in rows):
        sizes = ", ".join(str(len(row)) for row in rows[:5]) + (", ..." if len(rows) > 5 else "")
        raise ValueError(f"found {len(rows)} rows ({sizes} cells), expected {grid.height} rows of {grid.width} cells apart by /")
    return "".join(rows)


def _blocked(grid: Grid, line: str) -> Entry:
    if set(line) - set("./#"):
        raise ValueError(f"found {_shown(line)}, expected rows of . and # apart by /")
    cells = _rows(grid, line)
    if cells[0] == "#" or cells[-1] == "#":
        which = "start" if cells[0] == "#" else "goal"
        raise ValueError(f"found a blocked {which}, expected the first cell and the last to be free")
    return int("".join("1" if cell == "." else "0" for cell in reversed(cells)), 2), 0


def _thin(grid: Grid, line: str) -> Entry:
    match = THIN_LINE.fullmatch(line)
    if not match:
        raise ValueError(
            f"found {_shown(line)}, expected rows of hexadecimal digits apart by / and the start, such as 6ac/1.1 0,0"
        )
    row, column = int(match[2]), int(match[3])
    if row >= grid.height or column >= grid.width:
        raise ValueError(f"found the start {row},{column}, expected a cell of the {grid.height}x{grid.width} grid, from 0,0")
    sides = [int(digit, 16) for digit in _rows(grid, match[1]).replace(".", "0")]
    open = 0
    for cell, around in enumerate(grid.neighbours):
        for d in DIRECTIONS:
            if not sides[cell] >> d & 1:
                continue
            other = around[d]
            place = f"cell {cell // grid.width},{cell % grid.width}"
            if other is None:
                raise ValueError(f"found {place} open to the {_NAMES[d]}, where the border is")
            if not sides[other] >> (d + 2) % 4 & 1:
                raise ValueError(
                    f"found {place} open to the {_NAMES[d]}, but the cell there not open to the {_NAMES[(d + 2) % 4]}"
                )
            open |= 1 << grid.edge_number[cell, other]
    return open, row * grid.width + column


_NAMES = ("north", "east", "south", "west")


def _shown(line: str) -> str:
    return repr(line) if len(line) <= SHOWN else f"{line[:SHOWN]!r}... ({len(line)} characters)"


def write_mazes(mazes: Mazes) -> str:
    """The mazes as a file."""
    grid = mazes.grid
    return "".join(f"{line}\n" for line in (f"mazes {mazes.kind} {grid.height}x{grid.width}", *map(maze_text, mazes)))


def maze_text(maze: Maze) -> str:
    """The line of a maze."""
    grid = maze.grid
    if maze.kind == BLOCKED:
        cells = "".join(".#"[not maze.open >> cell & 1] for cell in range(grid.cells))
    else:
        moves = maze.moves
        sides = (sum(1 << d for d in DIRECTIONS if moves[cell][d] != cell) for cell in range(grid.cells))
        cells = "".join(f"{side:x}" if side else "." for side in sides)
    rows = "/".join(cells[r * grid.width : (r + 1) * grid.width] for r in range(grid.height))
    return rows if maze.kind == BLOCKED else f"{rows} {maze.start // grid.width},{maze.start % grid.width}"


def maze_of_text(kind: str, grid: Grid, line: str) -> Entry:
    """The maze that `maze_text` wrote; ValueError if it is none."""
    return _thin(grid, line) if kind == THIN else _blocked(grid, line)


FORMATS = FormatTable(
    "maze",
    "mazes",
    (Format("mazes", "a line a maze", (".mazes", ".txt"), lambda text: False, None, lambda puzzle: write_mazes(puzzle.mazes)),),
)
"""Files hold the mazes; the pattern of the string that is looked for comes by options, so `options.py` reads."""
