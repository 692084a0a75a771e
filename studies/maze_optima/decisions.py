"""Decides one length: strings that solve all mazes of a case, or a certificate that none exists.

    method = Exhaustive(folder)
    method.decide(mazes, 28).file                     # its certificate, which has been checked
    optimum(mazes, method).strings

The programs in `scripts/`, which do not use the package, check all strings and certificates. `studies/mazes/exhaustive.py`
searches, and `campaign.py` cuts lengths into cubes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.families.maze.model import BLOCKED, THIN, maze_text
from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.families.maze.sets import size_of
from studies.maze_optima.campaign import LengthCampaign, LengthSettings
from studies.mazes.automata import automaton_of
from studies.mazes.campaigns import CubeCampaign
from studies.mazes.checkers import CERTIFICATE, CUBES, STRING, checked
from studies.mazes.cubes import Entry
from studies.mazes.exhaustive import MOST_JOINT, ExhaustiveSearch, refutation_certificate
from studies.mazes.jointstates import Bound, StringMachines

BOUNDS_OF = {BLOCKED: "triples", THIN: "none"}
"""The default tuples: for thin mazes, tables of joint distances take longer than they save."""

Log = Callable[[str], None]


@dataclass(frozen=True)
class Decision:
    """A decided length: strings, or the file of a checked refutation; seconds of processor time of search and checker."""

    length: int
    strings: tuple[str, ...]
    file: Path | None
    seconds: float
    checked: float
    bounds: tuple[Bound, ...] = ()
    work: dict[str, Any] = field(default_factory=dict)
    said: str = ""
    """The statement that the checker has verified."""


class Method(Protocol):
    """A way to decide a length."""

    def decide(self, mazes: Mazes, length: int, every: bool = False, bounds: Iterable[Bound] = ()) -> Decision:
        """All strings of the length if `every`, otherwise one; or a refutation. `bounds` refuted the previous length."""
        ...


@dataclass(frozen=True)
class Exhaustive:
    """Decides by breadth-first search over joint states. An existing certificate is only checked again.

    With `states`, only mazes whose automata have at most this many states take part. With `start`, a certificate of this grid,
    only its mazes take part, and the search starts with its tuples. A refutation holds for all mazes; a string that fails in
    others is an InputError.
    """

    folder: Path
    log: Log | None = None
    states: int | None = None
    start: Path | None = None

    def decide(self, mazes: Mazes, length: int, every: bool = False, bounds: Iterable[Bound] = ()) -> Decision:
        path = self.folder / f"{name_of(mazes)}-{length}.json"
        if path.exists() and not every and (known := self._known(path, mazes, length)):
            return known
        begun = time.process_time()
        some, bounds = self._chosen(mazes, bounds)
        search = ExhaustiveSearch(some, length, bounds, progress=self.log)
        if some is not mazes:
            search.most_joint = MOST_JOINT[1]
        found = search.run(every)
        taken = time.process_time() - begun
        if some is not mazes and found.strings and mazes.unsolved(found.strings[0]):
            told = f"{found.strings[0]} solves the {len(some)} chosen mazes, but not all"
            raise InputError(
                f"{told}; choose more mazes to decide {length} letters", source="--start" if self.start else "--states"
            )
        if found.sweep is None:
            check = checked(STRING, mazes.kind, size_of(mazes.grid), *found.strings).certain()
            return Decision(length, found.strings, None, taken, check.seconds, found.bounds)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_certificate(path, refutation_certificate(some, length, found.sweep))
        check = checked(CERTIFICATE, path).certain()
        return Decision(length, (), path, taken, check.seconds, found.bounds, said=check.claim)

    def _chosen(self, mazes: Mazes, bounds: Iterable[Bound]) -> tuple[Mazes, Iterable[Bound]]:
        """The mazes that take part, and the tuples to start with: `bounds` of the previous length, or those of `start`."""
        if self.start is None:
            return (mazes if self.states is None else small_mazes(mazes, self.states)), bounds
        if not (check := checked(CERTIFICATE, self.start)).verified:
            raise InputError(check.said)  # which names the file
        entry = json.loads(self.start.read_text(encoding="utf-8"))
        if (entry["kind"], entry["size"]) != (mazes.kind, size_of(mazes.grid)):
            raise InputError(
                f"found {entry['kind']} {entry['size']}, expected {mazes.kind} {size_of(mazes.grid)}", source=str(self.start)
            )
        places = {maze_text(maze): number for number, maze in enumerate(mazes)}
        if unknown := [text for text in entry["mazes"] if text not in places]:
            raise InputError(f"found the maze {unknown[0]}, expected mazes that the reductions leave", source=str(self.start))
        some = mazes.chosen(places[text] for text in entry["mazes"])
        machines = StringMachines(some, essential=True)
        return some, [*bounds] or [machines.bound(tuple(sorted(tuple_))) for tuple_ in entry["tuples"]]

    def _known(self, path: Path, mazes: Mazes, length: int) -> Decision | None:
        """The decision in a file, if it is a valid certificate of this case."""
        check = checked(CERTIFICATE, path)
        if check.verified and is_about(path, mazes, length):
            return Decision(length, (), path, 0.0, check.seconds, said=check.claim)
        wrong = f"{path}: found a certificate of another case" if check.verified else check.said
        print(f"{wrong}\nmaking a new one", file=sys.stderr)
        return None


@dataclass(frozen=True)
class ByCubes:
    """Decides by prefixes, each refuted by a SAT solver with a checked proof, or completed to a string. `watch` gets each
    result."""

    folder: Path
    settings: LengthSettings
    executor: Executor
    ahead: int
    recheck: int = 0
    log: Log | None = None
    watch: Callable[[CubeCampaign, Entry | None], None] | None = None

    def decide(self, mazes: Mazes, length: int, every: bool = False, bounds: Iterable[Bound] = ()) -> Decision:
        if every:
            raise InputError("the method cubes cannot list strings, expected the method exhaustive", source="--list")
        begun, before = time.monotonic(), time.process_time()
        settings = replace(self.settings, bounds=self.settings.bounds or BOUNDS_OF[mazes.kind])
        name = f"{name_of(mazes)}-{length}-cubes-{settings.bounds}"
        campaign = LengthCampaign(mazes, length, self.folder / name, settings, self.log)
        planning = time.process_time() - before
        if self.watch:
            self.watch(campaign, None)
        campaign.decide(self.executor, self.ahead, self.watch)
        wall = time.monotonic() - begun
        work = campaign.work() | {"prefixes": len(campaign.prefixes), "planning": planning, "wall": wall}
        total = planning + work["solving"] + work["checking"]
        if campaign.string is not None:
            check = checked(STRING, mazes.kind, size_of(mazes.grid), campaign.string).certain()
            return Decision(length, (campaign.string,), None, total, check.seconds, work=work)
        path = self.folder / f"{name}.json"
        write_certificate(path, campaign.certificate())
        words = [*(("--proofs", self.folder / name) if settings.keep_proofs else ()), "--recheck", self.recheck]
        check = checked(CUBES, path, *words).certain()
        return Decision(length, (), path, total, check.seconds, work=work, said=check.claim)


def small_mazes(mazes: Mazes, states: int) -> Mazes:
    """The mazes whose automata have at most this many states; a thin path has one for each cell."""
    return mazes.chosen(number for number, maze in enumerate(mazes) if len(automaton_of(maze, True)) <= states)


def name_of(mazes: Mazes) -> str:
    """The name of a case in file names."""
    return f"{mazes.kind}-{size_of(mazes.grid)}"


def is_about(path: Path, mazes: Mazes, length: int) -> bool:
    """True if a checked certificate is about this case."""
    entry = json.loads(path.read_text(encoding="utf-8"))
    return (entry["kind"], entry["size"], entry["length"]) == (mazes.kind, size_of(mazes.grid), length)


def write_certificate(path: Path, entry: dict[str, Any]) -> None:
    """Writes one line for each field, atomically."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in entry.items())
    with atomic_file(path) as stream:
        stream.write(f"{{{lines}}}\n".encode())


def optimum(mazes: Mazes, method: Method, every: bool = False, told: Callable[[Decision], None] | None = None) -> Decision:
    """The shortest strings. `told` gets each refutation; the bounds of one length help with the next."""
    length = max((mazes.hardest()[1] or 0) - 1, 0) if len(mazes) else 0
    bounds: tuple[Bound, ...] = ()
    while not (decision := method.decide(mazes, length, False, bounds)).strings:
        if told:
            told(decision)
        bounds, length = decision.bounds, length + 1
    return method.decide(mazes, length, True, bounds) if every else decision
