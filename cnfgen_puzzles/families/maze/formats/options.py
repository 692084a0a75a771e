"""The puzzle that a user describes: which mazes (of a grid, or of a file) and which pattern.

    gen-cnf maze --kind thin --size 2x2 --length 11
    gen-cnf maze --kind blocked --size 4x4 --pattern "ESSE****" --first 20
    gen-cnf maze counterexamples.mazes --length 28

Not here: what files look like (`formats.py`), which reductions there are (`reductions.py`).
"""

from __future__ import annotations

import re
from typing import Any

from cnfgen_puzzles.families.maze.formats.mazelines import FORMATS, read_mazes
from cnfgen_puzzles.families.maze.model.grid import Grid
from cnfgen_puzzles.families.maze.model.mazeset import Mazes
from cnfgen_puzzles.families.maze.model.puzzle import FREE, KINDS, MAX_LENGTH, MazeString, read_pattern
from cnfgen_puzzles.families.maze.sets.allmazes import check_size
from cnfgen_puzzles.families.maze.sets.reductions import ARTICLE, chosen_steps, reduced
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.sources import Source

GRID_OPTIONS = (
    Option("kind", "without a file: walls between cells, or blocked cells", choices=KINDS),
    Option("size", "without a file: all mazes on a grid of rows x columns, such as 3x3"),
    Option("reduce", f"without a file: which mazes may be left out: {ARTICLE} (default), all, none, or steps apart by commas"),
)
STRING_OPTIONS = (
    Option("pattern", "what the string looks like: letters N E S W (or U R D L), and * for a free step"),
    Option("length", "instead of a pattern: so many free steps", type=int, least=0, most=MAX_LENGTH),
    Option("first", "only the first so many mazes", type=int, least=0),
)
FILE_OPTIONS = (Option("format", "file format of the mazes", choices=tuple(FORMATS)),)
OPTIONS: tuple[Option, ...] = (*GRID_OPTIONS, *STRING_OPTIONS, *FILE_OPTIONS)

SIZE = re.compile(r"\s*([0-9]{1,9})\s*[x×]\s*([0-9]{1,9})\s*", re.IGNORECASE)


def read(source: Source | None, **options: Any) -> MazeString:
    """The puzzle; InputError names the file and line, or the option."""
    given = {name: value for name, value in options.items() if value is not None}
    pattern = _pattern(given)
    mazes = _of_grid(given) if source is None else _of_file(source, given)
    return MazeString(_first(mazes, given.get("first")), pattern)


def _pattern(given: dict[str, Any]) -> str:
    if ("pattern" in given) == ("length" in given):
        found = "found both" if "pattern" in given else "found neither"
        raise InputError(f"{found} --pattern and --length, expected one of them")
    if "pattern" in given:
        return read_pattern(given["pattern"], "--pattern")
    return FREE * int(given["length"])


def _of_file(source: Source, given: dict[str, Any]) -> Mazes:
    for option in GRID_OPTIONS:
        if option.name in given:
            raise InputError(
                f"--{option.name} describes mazes without a file, expected either the file or the option", source=source.name
            )
    return read_mazes(source.text(), source.name)


def _of_grid(given: dict[str, Any]) -> Mazes:
    for name in ("kind", "size"):
        if name not in given:
            raise InputError(f"--{name} is missing: expected a file of mazes, or --kind and --size")
    kind = given["kind"]
    grid = read_size(given["size"])
    steps = chosen_steps(kind, given.get("reduce", ARTICLE))
    check_size(kind, grid)
    return reduced(kind, grid, steps)


def read_size(text: str) -> Grid:
    """Rows x columns."""
    match = SIZE.fullmatch(text)
    if not match or not int(match[1]) or not int(match[2]):
        raise InputError(f"found {text!r}, expected rows x columns, such as 3x4", source="--size")
    return Grid(int(match[1]), int(match[2]))


def _first(mazes: Mazes, count: int | None) -> Mazes:
    if count is None:
        return mazes
    if count > len(mazes):
        raise InputError(f"found {count}, expected 0 to {len(mazes)}, for so many mazes there are", source="--first")
    return mazes.first(count)
