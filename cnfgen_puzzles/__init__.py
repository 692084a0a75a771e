"""Puzzles to DIMACS CNF, solver binaries under honest limits, answers back to certified boards.

The public API on one screen:

    import cnfgen_puzzles as cp

    puzzle = cp.read("nonogram", "cat.nin")
    instance = cp.encode("nonogram", puzzle, "order")
    outcome = cp.solve(instance)             # outcome.status, outcome.board, outcome.run.measurement
    answer = cp.unique(instance)             # answer.verdict: one, several, none, undecided
    print(cp.draw("nonogram", puzzle, outcome.board))
    print(cp.count(instance).sentence())     # how many boards
    for solution in cp.enumerate(instance):  # solution.board, as they are found
        ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from cnfgen_puzzles.families import Board, Puzzle
    from cnfgen_puzzles.pipeline.count import Count, Search
    from cnfgen_puzzles.pipeline.instance import Instance
    from cnfgen_puzzles.pipeline.solve import Outcome, Uniqueness


def read(family: str, path: str | Path, **options: Any) -> Puzzle:
    """The puzzle in a file (`-`: standard input); InputError names file and line."""
    from cnfgen_puzzles.families import find_family
    from cnfgen_puzzles.ground.sources import open_source

    return find_family(family).read(open_source(path), **options)


def encode(family: str, puzzle: Puzzle, encoding: str | None = None, **options: Any) -> Instance:
    """The puzzle as a formula with its variable map; `instance.write(stream)` gives the DIMACS file."""
    from cnfgen_puzzles.families import find_family
    from cnfgen_puzzles.pipeline.instance import make_instance

    return make_instance(find_family(family), puzzle, encoding, **options)


def solve(instance: Instance, solver: str | None = None, **settings: Any) -> Outcome:
    """One checked board, or that there is none; settings are those of `pipeline.solve` (limits, seed, certify)."""
    from cnfgen_puzzles.pipeline import solve as pipeline

    return pipeline.solve(instance, pipeline.pick_solver(solver, proof=settings.get("certify", False)), **settings)


def unique(instance: Instance, solver: str | None = None, **settings: Any) -> Uniqueness:
    """Whether there is one board, several or none."""
    from cnfgen_puzzles.pipeline import solve as pipeline

    return pipeline.unique(instance, pipeline.pick_solver(solver, proof=settings.get("certify", False)), **settings)


def count(instance: Instance, engine: str = "auto", **settings: Any) -> Count:
    """How many boards there are; settings are those of `pipeline.count.Search` (jobs, state, limits, most, raw, ...)."""
    from cnfgen_puzzles.pipeline import count as pipeline

    return pipeline.count(instance, engine, **settings)


def enumerate(instance: Instance, engine: str = "auto", **settings: Any) -> Search:
    """All boards, to iterate over as they are found; its `count()` tells afterwards whether they were all."""
    from cnfgen_puzzles.pipeline.count import Search

    return Search(instance, engine, **settings)


def draw(family: str, puzzle: Puzzle, board: Board, view: str = "text") -> str | bytes:
    """The board as text, ANSI colours, SVG (str) or PNG (bytes)."""
    from cnfgen_puzzles.families import find_family

    return find_family(family).view(view).draw(puzzle, board, None)


__all__ = ["InputError", "__version__", "count", "draw", "encode", "enumerate", "read", "solve", "unique"]
