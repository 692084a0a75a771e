"""A maze string puzzle as JSON and back: the form in which the variable map carries it.

    {"kind": "thin", "size": [3, 3], "pattern": "NNW**", "reduced": ["component", "shift"], "first": null, "count": 12246}
    {"kind": "blocked", "size": [2, 2], "pattern": "***", "mazes": ["../..", ".#/.."]}

All mazes of a grid are named by the reductions and enumerated again; mazes of a file are listed. Not for people: `formats.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cnfgen_puzzles.families.maze.formats.mazelines import maze_of_text, maze_text
from cnfgen_puzzles.families.maze.model.grid import Grid
from cnfgen_puzzles.families.maze.model.mazeset import Mazes
from cnfgen_puzzles.families.maze.model.puzzle import KINDS, MAX_CELLS, MazeString, read_pattern
from cnfgen_puzzles.families.maze.sets.allmazes import check_size
from cnfgen_puzzles.families.maze.sets.reductions import reduced, step_names
from cnfgen_puzzles.ground.errors import InputError

FEW = 100
"""So many mazes are listed even if they could be enumerated again."""


def to_json(puzzle: MazeString) -> dict[str, Any]:
    """The puzzle in canonical form."""
    mazes = puzzle.mazes
    entry: dict[str, Any] = {"kind": mazes.kind, "size": [mazes.grid.height, mazes.grid.width], "pattern": puzzle.pattern}
    if mazes.origin is None or len(mazes) <= FEW:
        return entry | {"mazes": [maze_text(maze) for maze in mazes]}
    return entry | {"reduced": list(mazes.origin.reductions), "first": mazes.origin.first, "count": len(mazes)}


def from_json(entry: Mapping[str, Any]) -> MazeString:
    """The puzzle that `to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
    kind, (height, width) = entry["kind"], entry["size"]
    if kind not in KINDS or type(height) is not int or type(width) is not int:
        raise ValueError(f"found mazes of kind {kind!r} and size {height!r} x {width!r}")
    if min(height, width) < 1 or height * width > MAX_CELLS:
        raise ValueError(f"found a grid of {height} x {width}, expected 1 to {MAX_CELLS} cells")
    grid = Grid(height, width)
    if "mazes" in entry:
        mazes = Mazes(kind, grid, tuple(maze_of_text(kind, grid, text) for text in entry["mazes"]))
    else:
        mazes = _enumerated(kind, grid, entry)
    try:
        return MazeString(mazes, read_pattern(entry["pattern"]))
    except InputError as error:
        raise ValueError(error.message) from None


def _enumerated(kind: str, grid: Grid, entry: Mapping[str, Any]) -> Mazes:
    names, first = tuple(entry["reduced"]), entry["first"]
    if set(names) - set(step_names(kind)):
        raise ValueError(f"found the reductions {names}, which are not all known")
    try:
        check_size(kind, grid)
    except InputError as error:
        raise ValueError(error.message) from None
    mazes = _reduced(kind, grid, names)
    if first is not None:
        mazes = mazes.first(first)
    if len(mazes) != entry["count"]:
        raise ValueError(f"found {len(mazes)} mazes, the map says {entry['count']}")
    return mazes


@lru_cache(maxsize=4)
def _reduced(kind: str, grid: Grid, names: tuple[str, ...]) -> Mazes:
    return reduced(kind, grid, names)
