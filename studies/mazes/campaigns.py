"""Cube and conquer over mazes: all cubes of a case refuted side by side, in a folder where a later run goes on.

In the folder are `plan.json` (what the cubes were made of) and `cubes.jsonl`, a line for each cube that is decided. A kill takes
the cubes in flight. Mazes that some string did not solve are shared with the cubes that come later. A study says what its cubes
are: of whole strings (`maze_optima/campaign.py`), of windows of a known string (`maze_windows/campaign.py`).

Not here: how one cube is decided (`cubes.py`).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.atomicfiles import write_whole
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.pool import Distributor, WorkExecutor
from studies.mazes.appendedlines import AppendedLines, Entry
from studies.mazes.cubes import REFUTED, SPLIT, STRING, Cube, refute
from studies.mazes.jointstates import Tuple
from studies.mazes.prefixtree import PrefixTree

PLAN, JOURNAL = "plan.json", "cubes.jsonl"


class CubeCampaign(ABC):
    """The cubes of one case. A subclass has `tuples` and its `tree` of prefixes when it calls `begin`."""

    tuples: tuple[Tuple, ...]
    """The mazes whose joint distances prune the tree."""

    tree: PrefixTree

    def __init__(self, folder: Path, log: Callable[[str], None] | None = None):
        self.folder = folder
        self.log = log or (lambda line: None)
        folder.mkdir(parents=True, exist_ok=True)

    def begin(self, prefixes: Iterable[str]) -> None:
        """The first cubes, and what was decided of them and their children in earlier runs."""
        self._lines = AppendedLines(self.folder / JOURNAL)
        self.entries = {entry["prefix"]: entry for entry in self._lines.entries}
        self.open: dict[str, None] = {}
        for prefix in prefixes:
            self._enter(prefix)

    @abstractmethod
    def cube(self, prefix: str) -> Cube:
        """What a worker needs to decide a cube."""

    def _enter(self, prefix: str) -> None:
        """A cube that is to be decided, has been, or has been replaced by its children, one letter longer."""
        entry = self.entries.get(prefix)
        if entry is None:
            self.open[prefix] = None
        elif entry["verdict"] == SPLIT:
            for child in self.tree.children(prefix):
                self._enter(child)

    # -- the plan -------------------------------------------------------------------------------------------------------

    def read_plan(self) -> Any:
        """The JSON value of the plan of an earlier run; None if there was none."""
        path = self.folder / PLAN
        if not path.exists():
            return None
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise self.plan_error(error) from None

    def write_plan(self, plan: Any) -> None:
        write_whole(self.folder / PLAN, json.dumps(plan) + "\n")

    def plan_error(self, error: Exception) -> InputError:
        return InputError(f"is no plan of cubes: {type(error).__name__}: {error}", source=str(self.folder / PLAN))

    # -- what is known --------------------------------------------------------------------------------------------------

    @property
    def string(self) -> str | None:
        """A string that solves all mazes, if one was found."""
        return next((str(entry["string"]) for entry in self.of_verdict(STRING)), None)

    @property
    def refuted(self) -> bool:
        """Whether no cube is left, and no string was found."""
        return not self.open and self.string is None

    def of_verdict(self, verdict: str) -> list[Entry]:
        """The entries of cubes that were decided so."""
        return [entry for entry in self.entries.values() if entry["verdict"] == verdict]

    def numbers(self) -> tuple[int, ...]:
        """The mazes of all tuples and of all cubes so far."""
        numbers = {maze for each in self.tuples for maze in each}
        return tuple(sorted(numbers.union(*(entry["mazes"] for entry in self.entries.values()))))

    def work(self) -> dict[str, Any]:
        """How much was done: cubes, sizes, seconds of processor time of solver and checker."""
        entries, refuted = self.entries.values(), self.of_verdict(REFUTED)
        return {
            "mazes": len(self.numbers()),
            "tuples": len(self.tuples),
            "refuted": len(refuted),
            "split": len(self.of_verdict(SPLIT)),
            "clauses": max((entry["clauses"] for entry in entries), default=0),
            "bytes": sum(entry["bytes"] for entry in refuted),
            "solving": sum(entry["cpu"] for entry in entries),
            "checking": sum(entry.get("checking", 0.0) for entry in entries),
        }

    # -- the work -------------------------------------------------------------------------------------------------------

    def decide(self, executor: WorkExecutor, ahead: int, progress: Callable[[CubeCampaign, Entry], None] | None = None) -> None:
        """Decide the open cubes, at most `ahead` at once, until none is left or a string is found; what is in flight then is
        ended. A cube that fails does not stop the others, which are worth their time all the same."""
        begun: set[str] = set()
        failed: list[CnfgenError] = []

        def next_prefix() -> str | None:
            prefix = next((prefix for prefix in self.open if prefix not in begun), None)
            if prefix is not None:
                begun.add(prefix)
            return prefix

        if self.string is not None:
            return
        work = Distributor[str](executor, lambda prefix: (refute, self.cube(prefix)), "cubes", at_once=ahead)
        with closing(work.results(next_prefix)) as events:
            for event in events:
                try:
                    entry = event.result()
                except CnfgenError as error:
                    failed.append(error)
                    self.log(str(error))
                    continue
                self._decided(entry)
                if progress:
                    progress(self, entry)
                if self.string is not None:
                    return
        if failed:
            raise CnfgenError(f"{len(failed)} cubes failed and are left for another run, the first: {failed[0]}")

    def _decided(self, entry: Entry) -> None:
        prefix = entry["prefix"]
        if entry["verdict"] == SPLIT and len(prefix) == self.tree.letters:
            raise CnfgenError(f"the string with {prefix!r} is not refuted within the limits: {entry['reason']}")
        self._lines.append(entry)
        self.entries[prefix] = entry
        del self.open[prefix]
        self._enter(prefix)
