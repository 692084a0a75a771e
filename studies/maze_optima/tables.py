"""The known optima decided again in both directions: a table of claimed and measured values.

`decisions.py` decides lengths; `known.py` has the known optima.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families.maze.model import BLOCKED
from cnfgen_puzzles.families.maze.sets import grid_of, mazes_of
from studies.maze_optima.decisions import Decision, Method
from studies.maze_optima.known import KnownCase
from studies.maze_reductions.counts import effects

SEARCH_HEADERS = ["case", "instances claimed", "found", "optimum claimed", "found", "strings claimed", "found", "mazes", "tuples"]
SEARCH_HEADERS += ["largest level", "states", "bytes", "refuted s", "checked s", "strings s", "checked s"]

CUBE_HEADERS = ["case", "optimum claimed", "found", "string", "tuples", "first cubes", "cubes refuted", "split", "mazes"]
CUBE_HEADERS += ["most clauses", "proof bytes", "tuples s", "solver s", "drat-trim s", "wall s", "coverage s"]
CUBE_HEADERS += ["string: solver s", "wall s"]


@dataclass(frozen=True)
class Compared:
    """A case: the known values, and the decisions of its optimum and of one letter less."""

    known: KnownCase
    below: Decision
    found: Decision
    instances: int | None = None
    strings: int | None = None

    @property
    def is_optimum(self) -> bool:
        """True if a string of the length exists, and none with one letter less."""
        return bool(self.found.strings) and not self.below.strings

    @property
    def agrees(self) -> bool:
        """True if all measured values are as claimed."""
        known = self.known
        counted = self.instances is None or (self.instances, self.strings) == (known.instances, known.strings)
        return self.is_optimum and counted


def searched(known: KnownCase, method: Method) -> Compared:
    """Compares by a method that lists strings: instances and strings are counted if their numbers are known."""
    mazes = mazes_of(known.kind, known.size)
    instances = effects(known.kind, grid_of(known.size), ())[known.kind == BLOCKED].left
    below = method.decide(mazes, known.optimum - 1)
    found = method.decide(mazes, known.optimum, known.strings is not None, below.bounds)
    count = sum(string[0] in known.first for string in found.strings) if known.strings is not None else None
    return Compared(known, below, found, instances, count)


def by_cubes(known: KnownCase, method: Method) -> Compared:
    """Compares by SAT, which finds one string."""
    mazes = mazes_of(known.kind, known.size)
    return Compared(known, method.decide(mazes, known.optimum - 1), method.decide(mazes, known.optimum))


def search_row(compared: Compared) -> list[Any]:
    known, below, found = compared.known, compared.below, compared.found
    entry = json.loads(below.file.read_text(encoding="utf-8")) if below.file else {"mazes": (), "tuples": (), "levels": (0,)}
    row = [known.case, known.instances, compared.instances, known.optimum, found.length if compared.agrees else "?"]
    row += [known.counted(known.strings), known.counted(compared.strings), len(entry["mazes"]), len(entry["tuples"])]
    row += [max(entry["levels"]), sum(entry["levels"]), below.file.stat().st_size if below.file else None]
    return [*row, below.seconds, below.checked, found.seconds, found.checked]


def cube_row(compared: Compared) -> list[Any]:
    known, below, found = compared.known, compared.below, compared.found
    work, found_work = below.work, found.work
    row = [known.case, known.optimum, found.length if compared.agrees else "?", "".join(found.strings[:1])]
    row += [work["tuples"], work["prefixes"], work["refuted"], work["split"], work["mazes"], work["clauses"], work["bytes"]]
    row += [work["planning"], work["solving"], work["checking"], work["wall"], below.checked]
    return [*row, found_work["solving"], found_work["wall"]]


@dataclass(frozen=True)
class TableKind:
    """The method, the row, and the headers of a table."""

    compare: Callable[[KnownCase, Method], Compared]
    row: Callable[[Compared], list[Any]]
    headers: list[str]


EXHAUSTIVE, CUBES = "exhaustive", "cubes"
TABLES = {EXHAUSTIVE: TableKind(searched, search_row, SEARCH_HEADERS), CUBES: TableKind(by_cubes, cube_row, CUBE_HEADERS)}
"""By method."""
