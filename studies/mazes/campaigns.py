"""Cube and conquer over mazes: all cubes of a case refuted side by side, in a folder where a later run goes on.

In the folder are `plan.json` (what the cubes were made of) and `cubes.jsonl`, a line for each cube that is decided. A kill takes
the cubes in flight. Mazes that some string did not solve are shared with the cubes that come later. A study says what its cubes
are: of whole strings (`maze_optima/campaign.py`), of windows of a known string (`maze_windows/campaign.py`).

Not here: how one cube is decided (`cubes.py`).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import write_whole
from cnfgen_puzzles.common.journal import Journal, read_entries
from cnfgen_puzzles.families.maze.model import maze_text
from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.families.maze.sets import size_of
from cnfgen_puzzles.solving.pool import Distributor, WorkExecutor
from studies.mazes.cases import maze_checksum
from studies.mazes.cubes import REFUTED, SPLIT, STRING, Cube, Entry, refute
from studies.mazes.jointstates import Tuple
from studies.mazes.prefixtree import PrefixTree

PLAN, JOURNAL = "plan.json", "cubes.jsonl"


class CubeCampaign(ABC):
    """The cubes of one case. A subclass has `tuples` and its `tree` of prefixes when it calls `begin`."""

    tuples: tuple[Tuple, ...]
    """The mazes whose joint distances prune the tree."""

    tree: PrefixTree

    def __init__(self, mazes: Mazes, folder: Path, log: Callable[[str], None] | None = None):
        self.mazes, self.folder = mazes, folder
        self.log = log or (lambda line: None)
        folder.mkdir(parents=True, exist_ok=True)

    def begin(self, prefixes: Iterable[str]) -> None:
        """The first cubes, and what was decided of them and their children in earlier runs."""
        self.entries = {entry["prefix"]: entry for entry in read_entries(self.folder / JOURNAL)}
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

    def planned(self, about: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """The plan of the run that began here, or the one that is made now and written.

        `about` identifies the case; InputError if the folder holds cubes of another one.
        """
        path = self.folder / PLAN
        about = {**about, "checksum": maze_checksum(self.mazes)}
        if not path.exists():
            plan = {**make(), **about}
            write_whole(path, json.dumps(plan) + "\n")
            return plan
        try:
            earlier: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            same = all(earlier[name] == value for name, value in about.items())
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"is no plan of cubes: {type(error).__name__}: {error}", source=str(path)) from None
        if not same:
            raise InputError("found cubes of another case, expected those of the one asked for", source=str(path))
        return earlier

    def certificate_of(self, title: str, about: Mapping[str, Any], tuples: Sequence[Tuple]) -> Entry:
        """What the checkers read: the case, the mazes that were needed, the tuples, and the refuted cubes."""
        refuted = self.of_verdict(REFUTED)
        numbers = {maze for each in tuples for maze in each}.union(*(entry["mazes"] for entry in refuted))
        place = {maze: index for index, maze in enumerate(sorted(numbers))}
        number = {each: index for index, each in enumerate(tuples)}
        cubes = []
        for entry in refuted:
            cube = {"prefix": entry["prefix"], "mazes": [place[maze] for maze in entry["mazes"]]}
            if "tuples" in entry:
                cube["tuples"] = [number[tuple(each)] for each in entry["tuples"]]
            cubes.append(cube | {name: entry[name] for name in ("formula", "proof", "solver")})
        return {
            "certificate": title,
            "kind": self.mazes.kind,
            "size": size_of(self.mazes.grid),
            **about,
            "mazes": [maze_text(self.mazes[maze]) for maze in place],
            "tuples": [[place[maze] for maze in each] for each in tuples],
            "cubes": cubes,
        }

    # -- what is known --------------------------------------------------------------------------------------------------

    @property
    def string(self) -> str | None:
        """A string that solves all mazes, if one was found."""
        return next((str(entry["string"]) for entry in self.of_verdict(STRING)), None)

    @property
    def refuted(self) -> bool:
        """True if no cube is left, and no string was found."""
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
        with Journal(self.folder / JOURNAL) as journal, closing(work.results(next_prefix)) as events:
            for event in events:
                try:
                    entry = event.result()
                except CnfgenError as error:
                    failed.append(error)
                    self.log(str(error))
                    continue
                self._decided(entry, journal)
                if progress:
                    progress(self, entry)
                if self.string is not None:
                    return
        if failed:
            raise CnfgenError(f"{len(failed)} cubes failed and are left for another run, the first: {failed[0]}")

    def _decided(self, entry: Entry, journal: Journal) -> None:
        prefix = entry["prefix"]
        if entry["verdict"] == SPLIT and len(prefix) == self.tree.letters:
            raise CnfgenError(f"the string with {prefix!r} is not refuted within the limits: {entry['reason']}")
        journal.append(entry)
        self.entries[prefix] = entry
        del self.open[prefix]
        self._enter(prefix)
