"""Cube-and-conquer for mazes: all cubes of a case, refuted in parallel, in a folder from which a later run resumes.

The folder has `plan.json` (the origin of the cubes) and `cubes.jsonl` with a line for each decided cube. If the run is killed,
only cubes in progress are lost. Mazes that some string did not solve are shared with later cubes. Studies define their cubes: of
complete strings (`maze_optima/campaign.py`), and of windows of a known string (`maze_windows/campaign.py`). `cubes.py` decides
one cube.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.journal import Journal, read_lines, sealed_entries
from cnfgen_puzzles.families.maze.model import maze_text
from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.families.maze.sets import size_of
from cnfgen_puzzles.solving.distribute import distribute
from studies.mazes.cases import maze_checksum
from studies.mazes.cubes import REFUTED, SPLIT, STRING, Cube, Entry, refute
from studies.mazes.jointstates import Tuple
from studies.mazes.prefixtree import PrefixTree

PLAN, JOURNAL = "plan.json", "cubes.jsonl"


class CubeCampaign(ABC):
    """The cubes of one case. A subclass has `tuples` and its `tree` of prefixes when it calls `begin`."""

    tuples: tuple[Tuple, ...]
    """The tuples of mazes whose joint distances prune the tree."""

    tree: PrefixTree

    def __init__(self, mazes: Mazes, folder: Path, log: Callable[[str], None] | None = None):
        self.mazes, self.folder = mazes, folder
        self.log = log or (lambda line: None)
        folder.mkdir(parents=True, exist_ok=True)

    def begin(self, prefixes: Iterable[str]) -> None:
        """The first cubes, and the decisions of earlier runs."""
        path = self.folder / JOURNAL
        kept = sealed_entries(read_lines(path), path) if path.exists() else ()
        self.entries = {entry["prefix"]: entry for entry in kept}
        self.open: dict[str, None] = {}
        for prefix in prefixes:
            self._enter(prefix)

    @abstractmethod
    def cube(self, prefix: str) -> Cube:
        """The data that a worker needs to decide a cube."""

    def _enter(self, prefix: str) -> None:
        """Add a cube: it is open, decided, or replaced by its children, which are longer by one letter."""
        entry = self.entries.get(prefix)
        if entry is None:
            self.open[prefix] = None
        elif entry["verdict"] == SPLIT:
            for child in self.tree.children(prefix):
                self._enter(child)

    # -- the plan -------------------------------------------------------------------------------------------------------

    def planned(self, about: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """The plan in the folder, or a new one, which is written.

        `about` identifies the case; InputError if the folder has cubes of another case.
        """
        path = self.folder / PLAN
        about = {**about, "checksum": maze_checksum(self.mazes)}
        if not path.exists():
            plan = {**make(), **about}
            with atomic_file(path) as stream:
                stream.write((json.dumps(plan) + "\n").encode())
            return plan
        try:
            earlier: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            same = all(earlier[name] == value for name, value in about.items())
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"is not a plan of cubes: {type(error).__name__}: {error}", source=str(path)) from None
        if not same:
            raise InputError("found cubes of another case, expected cubes of this case", source=str(path))
        return earlier

    def certificate_of(self, title: str, about: Mapping[str, Any], tuples: Sequence[Tuple]) -> Entry:
        """The data for the checkers: the case, the needed mazes, the tuples, and the refuted cubes."""
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

    # -- results --------------------------------------------------------------------------------------------------------

    @property
    def string(self) -> str | None:
        """A string that solves all mazes, if one was found."""
        return next((str(entry["string"]) for entry in self.of_verdict(STRING)), None)

    @property
    def refuted(self) -> bool:
        """True if no cube is left, and no string was found."""
        return not self.open and self.string is None

    def of_verdict(self, verdict: str) -> list[Entry]:
        """The entries of cubes with this verdict."""
        return [entry for entry in self.entries.values() if entry["verdict"] == verdict]

    def numbers(self) -> tuple[int, ...]:
        """The mazes of all tuples and of all cubes so far."""
        numbers = {maze for each in self.tuples for maze in each}
        return tuple(sorted(numbers.union(*(entry["mazes"] for entry in self.entries.values()))))

    def work(self) -> dict[str, Any]:
        """The work so far: numbers of cubes, sizes, and seconds of processor time of solver and checker."""
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

    def decide(self, executor: Executor, ahead: int, progress: Callable[[CubeCampaign, Entry], None] | None = None) -> None:
        """Decides the open cubes, at most `ahead` at once, until none is left or a string is found; then it stops cubes in
        progress. A failed cube does not stop the others."""
        begun: set[str] = set()
        failed: list[CnfgenError] = []

        def prefixes() -> Iterator[str | None]:
            while True:
                prefix = next((prefix for prefix in self.open if prefix not in begun), None)
                if prefix is not None:
                    begun.add(prefix)
                yield prefix

        if self.string is not None:
            return
        work = distribute(executor, prefixes(), lambda prefix: (refute, self.cube(prefix)), "cubes", at_once=ahead)
        with Journal(self.folder / JOURNAL) as journal, closing(work) as events:
            for event in filter(None, events):
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
            raise CnfgenError(f"{len(failed)} cubes failed and remain open; the first: {failed[0]}")

    def _decided(self, entry: Entry, journal: Journal) -> None:
        prefix = entry["prefix"]
        if entry["verdict"] == SPLIT and len(prefix) == self.tree.letters:
            raise CnfgenError(f"the string with {prefix!r} is not refuted within the limits: {entry['reason']}")
        journal.append(entry)
        self.entries[prefix] = entry
        del self.open[prefix]
        self._enter(prefix)
