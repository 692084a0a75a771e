"""Cube and conquer over mazes: each cube refuted by a solver binary with a checked proof, side by side, resumable.

A cube is a prefix of the free letters. `maze_cubes.py` cuts whole strings so, `window_cubes.py` windows of a known string; what
they share is here: how one cube is decided (`refute`, which a worker process can run) and how all of them are (`Cubes`).

In the folder of a run are `plan.json` (what the cubes were made of) and `cubes.jsonl`, a line for each cube that is decided:
refuted, satisfied by a string that solves all mazes, or too hard and so replaced by its children. A run that was ended goes on
there; a kill takes the cubes in flight. Mazes that some string did not solve are shared with the cubes that come later.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from cnfgen_puzzles.distribution.distributor import Distributor
from cnfgen_puzzles.distribution.work import WorkExecutor
from cnfgen_puzzles.evidence.proofs import check_proof
from cnfgen_puzzles.families.maze.model.puzzle import Mazes
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.ground.atomicfiles import write_whole
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.jsonlines import end_last_line, read_jsonlines
from cnfgen_puzzles.pipeline.refine import proving_solver
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import ERROR, MEMOUT, TIMEOUT, run_solver

Record = dict[str, Any]
REFUTED, STRING, SPLIT = "refuted", "string", "split"
PLAN, JOURNAL = "plan.json", "cubes.jsonl"

ADDED_AT_ONCE = 10
"""Mazes that join a formula whose string does not solve them."""

CHECKING = 10
"""A proof may take so many times as long to check as a cube may take to refute."""


@dataclass(frozen=True)
class Settings:
    """How cubes are refuted. `cpu` seconds and `memory` are limits of each; one that needs more is split."""

    solver: str = "glucose"
    cpu: float = 60.0
    memory: int | None = 4 << 30
    keep_proofs: bool = False


class Task(ABC):
    """A cube to refute, beginning with the mazes of some numbers; it can be pickled."""

    mazes: Mazes
    prefix: str
    numbers: tuple[int, ...]
    settings: Settings
    folder: Path
    """Where proofs are kept, if they are."""

    @abstractmethod
    def formula(self, numbers: list[int]) -> Cnf:
        """That a string of the cube solves these mazes (ascending)."""

    @abstractmethod
    def string(self, model: Iterable[int]) -> str:
        """The whole string of a model."""

    def begun(self) -> Task:
        """The task as the worker begins it."""
        return self


# -- one cube -----------------------------------------------------------------------------------------------------------


def refute(task: Task) -> Record:
    """The record of a cube: solved with more and more mazes until it has no string, or one that solves all."""
    task = task.begun()
    numbers, seconds, rounds = set(task.numbers), 0.0, 0
    solver = proving_solver(task.settings.solver)
    while True:
        rounds += 1
        cnf = task.formula(sorted(numbers))
        about = {"prefix": task.prefix, "solver": f"{solver.name} {solver.version}", "mazes": sorted(numbers), "rounds": rounds}
        about |= {"variables": cnf.num_variables, "clauses": cnf.num_clauses}
        with tempfile.TemporaryDirectory(prefix="cnfgen-cube-") as work:
            formula, proof = Path(work) / "cube.cnf", Path(work) / "cube.drat"
            with formula.open("wb") as stream:
                write_dimacs(cnf, stream)
            limits = Limits(cpu=max(task.settings.cpu - seconds, 0.1), memory=task.settings.memory)
            run = run_solver(solver, formula, cnf=cnf, limits=limits, proof=proof)
            seconds += run.measurement.cpu
            about["cpu"] = round(seconds, 2)
            beyond = run.status == ERROR and run.measurement.cpu > limits.cpu  # the kernel's limit came first, on a busy machine
            if beyond or run.status in (TIMEOUT, MEMOUT):
                return about | {"verdict": SPLIT, "reason": run.reason}
            if run.status == UNSATISFIABLE:
                return about | _checked(task, cnf, formula, proof, solver.proof_format)
            if run.status != SATISFIABLE:
                used = f"after {run.measurement.cpu:.1f} s of processor time"
                raise CnfgenError(f"{solver.name} on the cube {task.prefix!r}: {run.status} {run.reason} {used}")
        string = task.string(run.model)
        unsolved = task.mazes.unsolved(string)
        if not unsolved:
            return about | {"verdict": STRING, "string": string}
        if not numbers.isdisjoint(unsolved):
            raise CnfgenError(f"{string} does not solve a maze of its formula: the encoding is at fault")
        numbers.update(unsolved[:: max(len(unsolved) // ADDED_AT_ONCE, 1)][:ADDED_AT_ONCE])


def _checked(task: Task, cnf: Cnf, formula: Path, proof: Path, proof_format: str) -> Record:
    """The rest of a record: the proof is checked, and kept if it is wanted."""
    limits = Limits(cpu=task.settings.cpu * CHECKING, memory=task.settings.memory)
    check = check_proof(formula, proof, limits, cnf=cnf, proof_format=proof_format)
    about = {"checking": round(check.measurement.cpu, 2) if check.measurement else 0.0}
    if not check.verified:
        if check.unfinished:
            return about | {"verdict": SPLIT, "reason": check.reason}
        raise CnfgenError(f"the proof of the cube {task.prefix!r} does not hold: {check.reason}")
    if task.settings.keep_proofs:
        task.folder.mkdir(parents=True, exist_ok=True)
        with proof.open("rb") as source, gzip.open(task.folder / proof_name(task.prefix), "wb", compresslevel=1) as target:
            shutil.copyfileobj(source, target)
    with proof.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256").hexdigest()
    return about | {"verdict": REFUTED, "formula": cnf.checksum(), "proof": digest, "bytes": proof.stat().st_size}


def proof_name(prefix: str) -> str:
    """The file of a cube's proof."""
    return f"cube-{prefix}.drat.gz"


# -- all cubes ----------------------------------------------------------------------------------------------------------


class Cubes(ABC):
    """The cubes of one case, in a folder of its own. A subclass has `tuples` and its tree of prefixes when it calls `begin`."""

    tuples: tuple[tuple[int, ...], ...]
    """The mazes whose joint distances prune the tree."""

    def __init__(self, folder: Path, log: Callable[[str], None] | None = None):
        self.folder = folder
        self.log = log or (lambda line: None)
        folder.mkdir(parents=True, exist_ok=True)

    def begin(self, prefixes: Iterable[str]) -> None:
        """The first cubes, and what was decided of them and their children in earlier runs."""
        self.records = {record["prefix"]: record for record in read_jsonlines(self.folder / JOURNAL)}
        self.open: dict[str, None] = {}
        for prefix in prefixes:
            self._enter(prefix)

    @abstractmethod
    def children(self, prefix: str) -> Iterable[str]:
        """The cubes, one letter longer, that replace one; none for a whole string."""

    @abstractmethod
    def task(self, prefix: str) -> Task:
        """What a worker needs to decide a cube."""

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

    def _enter(self, prefix: str) -> None:
        """A cube that is to be decided, has been, or has been replaced by others."""
        record = self.records.get(prefix)
        if record is None:
            self.open[prefix] = None
        elif record["verdict"] == SPLIT:
            for child in self.children(prefix):
                self._enter(child)

    @property
    def string(self) -> str | None:
        """A string that solves all mazes, if one was found."""
        return next((record["string"] for record in self.of_verdict(STRING)), None)

    @property
    def refuted(self) -> bool:
        """Whether no cube is left, and no string was found."""
        return not self.open and self.string is None

    def of_verdict(self, verdict: str) -> list[Record]:
        """The records of cubes that were decided so."""
        return [record for record in self.records.values() if record["verdict"] == verdict]

    def numbers(self) -> tuple[int, ...]:
        """The mazes of all tuples and of all cubes so far."""
        numbers = {maze for each in self.tuples for maze in each}
        return tuple(sorted(numbers.union(*(record["mazes"] for record in self.records.values()))))

    def work(self) -> dict[str, Any]:
        """How much was done: cubes, sizes, seconds of processor time of solver and checker."""
        records, refuted = self.records.values(), self.of_verdict(REFUTED)
        return {
            "mazes": len(self.numbers()),
            "tuples": len(self.tuples),
            "refuted": len(refuted),
            "split": len(self.of_verdict(SPLIT)),
            "clauses": max((record["clauses"] for record in records), default=0),
            "bytes": sum(record["bytes"] for record in refuted),
            "solving": sum(record["cpu"] for record in records),
            "checking": sum(record.get("checking", 0.0) for record in records),
        }

    def decide(self, executor: WorkExecutor, ahead: int, progress: Callable[[Cubes, Record], None] | None = None) -> None:
        """Decide the open cubes, at most `ahead` at once, until none is left or a string is found; what is in flight then is
        ended. A cube that fails does not stop the others, which are worth their time all the same."""
        if self.string is not None or not self.open:
            return
        begun: set[str] = set()
        failed: list[CnfgenError] = []

        def next_prefix() -> str | None:
            prefix = next((prefix for prefix in self.open if prefix not in begun), None)
            if prefix is not None:
                begun.add(prefix)
            return prefix

        work = Distributor[str](executor, lambda prefix: (refute, self.task(prefix)), "cubes", at_once=ahead)
        end_last_line(self.folder / JOURNAL)
        with (self.folder / JOURNAL).open("a", encoding="utf-8") as journal, closing(work.results(next_prefix)) as events:
            for event in events:
                try:
                    record = event.result()
                except CnfgenError as error:
                    failed.append(error)
                    self.log(str(error))
                    continue
                self._decided(record, journal)
                if progress:
                    progress(self, record)
                if self.string is not None:
                    return
        if failed:
            raise CnfgenError(f"{len(failed)} cubes failed and are left for another run, the first: {failed[0]}")

    def _decided(self, record: Record, journal: TextIO) -> None:
        prefix = record["prefix"]
        if record["verdict"] == SPLIT and self.is_whole(prefix):
            raise CnfgenError(f"the string with {prefix!r} is not refuted within the limits: {record['reason']}")
        journal.write(json.dumps(record) + "\n")
        journal.flush()
        self.records[prefix] = record
        del self.open[prefix]
        self._enter(prefix)

    @abstractmethod
    def is_whole(self, prefix: str) -> bool:
        """Whether no letter is free behind the prefix, so that its cube cannot be split."""
