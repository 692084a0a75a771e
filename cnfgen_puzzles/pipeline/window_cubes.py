"""Cube and conquer for a window of a maze string: each cube refuted by a solver binary with a checked proof, side by side.

    run = WindowCubes(mazes, pattern, tuples, folder, Settings(solver="glucose"))
    with open_executor(None, jobs=2) as executor:
        run.decide(executor, ahead=4)
    run.string, run.refuted

In the folder are `plan.json` (tuples of mazes, how many cubes to begin with) and `cubes.jsonl`, a line for each cube that is
decided: refuted, satisfied by a string that solves all mazes, or too hard and so replaced by its children. The same call goes on
there.

Not here: cubes and formulas (`families/maze/windowcubes.py`); cubes of whole strings (`maze_cubes.py`), which have a checker of
their own.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from cnfgen_puzzles.errors import CnfgenError, InputError
from cnfgen_puzzles.families.maze.cubeformula import string_of
from cnfgen_puzzles.families.maze.cubes import maze_checksum
from cnfgen_puzzles.families.maze.jointstates import Tuple
from cnfgen_puzzles.families.maze.layers import Window
from cnfgen_puzzles.families.maze.mazes import Mazes
from cnfgen_puzzles.families.maze.windowcubes import WindowTree, cube_formula, fixed, needed_tuples
from cnfgen_puzzles.formula import Formula, write_dimacs
from cnfgen_puzzles.pipeline.maze_cubes import JOURNAL, PLAN, end_last_line, read_journal, write_whole
from cnfgen_puzzles.pipeline.refine import proving_solver
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.proofs import check_proof
from cnfgen_puzzles.solving.run import ERROR, MEMOUT, TIMEOUT, run_solver

REFUTED, STRING, SPLIT = "refuted", "string", "split"

ADDED_AT_ONCE = 10
"""Mazes that join a formula whose string does not solve them."""

CHECKING = 10
"""A proof may take so many times as long to check as a cube may take to refute."""


@dataclass(frozen=True)
class Settings:
    """`cpu` seconds and `memory` are limits of each cube; one that needs more is split. `count` cubes to begin with."""

    solver: str = "glucose"
    count: int = 1
    cpu: float = 600.0
    memory: int | None = 4 << 30


@dataclass(frozen=True)
class Task:
    """A cube to refute, beginning with the mazes of these numbers."""

    mazes: Mazes
    pattern: str
    tuples: tuple[Tuple, ...]
    prefix: str
    numbers: tuple[int, ...]
    settings: Settings

    def begun(self) -> Task:
        """With those mazes and tuples alone that are known to suffice, if they are."""
        needed = needed_tuples(self.mazes, self.pattern, self.prefix, self.tuples)
        if needed is None:
            return self
        return replace(self, tuples=needed, numbers=tuple({maze for each in needed for maze in each}))

    def formula(self, numbers: Iterable[int]) -> Formula:
        return cube_formula(self.mazes, sorted(numbers), self.pattern, self.prefix, self.tuples)

    def string(self, model: Iterable[int]) -> str:
        """The whole string of a model."""
        window = Window(self.pattern)
        begun = window.prefix + self.prefix
        return string_of(begun, window.end, model) + window.suffix


def refute(task: Task) -> dict[str, Any]:
    """The record of a cube: solved with more and more mazes until it has no string, or one that solves all."""
    task = task.begun()
    numbers, seconds, rounds = set(task.numbers), 0.0, 0
    solver = proving_solver(task.settings.solver)
    while True:
        rounds += 1
        formula = task.formula(numbers)
        about = {"prefix": task.prefix, "solver": f"{solver.name} {solver.version}", "mazes": sorted(numbers), "rounds": rounds}
        about |= {"tuples": len(task.tuples), "variables": formula.num_variables, "clauses": formula.num_clauses}
        with tempfile.TemporaryDirectory(prefix="cnfgen-cube-") as work:
            file, proof = Path(work) / "cube.cnf", Path(work) / "cube.drat"
            with file.open("wb") as stream:
                write_dimacs(formula, stream)
            limits = Limits(cpu=max(task.settings.cpu - seconds, 0.1), memory=task.settings.memory)
            run = run_solver(solver, file, cnf=formula, limits=limits, proof=proof)
            seconds += run.measurement.cpu
            about["cpu"] = round(seconds, 2)
            beyond = run.status == ERROR and run.measurement.cpu > limits.cpu  # the kernel's limit came first, on a busy machine
            if beyond or run.status in (TIMEOUT, MEMOUT):
                return about | {"verdict": SPLIT, "reason": run.reason}
            if run.status == UNSATISFIABLE:
                return about | _checked(task, formula, file, proof, solver.proof_format)
            if run.status != SATISFIABLE:
                raise CnfgenError(f"{solver.name} on the cube {task.prefix!r}: {run.status} {run.reason}")
        string = task.string(run.model)
        unsolved = task.mazes.unsolved(string)
        if not unsolved:
            return about | {"verdict": STRING, "string": string}
        if not numbers.isdisjoint(unsolved):
            raise CnfgenError(f"{string} does not solve a maze of its formula: the encoding is at fault")
        numbers.update(unsolved[:: max(len(unsolved) // ADDED_AT_ONCE, 1)][:ADDED_AT_ONCE])


def _checked(task: Task, formula: Formula, file: Path, proof: Path, proof_format: str) -> dict[str, Any]:
    """The rest of a record: the proof is checked."""
    limits = Limits(cpu=task.settings.cpu * CHECKING, memory=task.settings.memory)
    check = check_proof(file, proof, limits, cnf=formula, proof_format=proof_format)
    about = {"checking": round(check.measurement.cpu, 2) if check.measurement else 0.0}
    if not check.verified and check.reason.startswith("the check was ended by"):
        return about | {"verdict": SPLIT, "reason": check.reason}
    if not check.verified:
        raise CnfgenError(f"the proof of the cube {task.prefix!r} does not hold: {check.reason}")
    return about | {"verdict": REFUTED, "formula": formula.checksum(), "bytes": proof.stat().st_size}


class WindowCubes:
    """One window of one string, in a folder of its own; tuples and first cubes of a run that began there are kept."""

    def __init__(self, mazes: Mazes, pattern: str, tuples: Iterable[Tuple], folder: Path, settings: Settings):
        self.mazes, self.pattern, self.folder, self.settings = mazes, pattern, folder, settings
        folder.mkdir(parents=True, exist_ok=True)
        self.tuples, count = self._read_plan() or (tuple(tuples), settings.count)
        self._tree = WindowTree(mazes, pattern, self.tuples)
        self.first = self._tree.prefixes(count)
        plan = {"pattern": pattern, "mazes": maze_checksum(mazes), "tuples": self.tuples, "count": count}
        write_whole(folder / PLAN, json.dumps(plan) + "\n")
        self.records = {record["prefix"]: record for record in read_journal(folder / JOURNAL)}
        self.open: dict[str, None] = {}
        for prefix in self.first:
            self._enter(prefix)

    def _read_plan(self) -> tuple[tuple[Tuple, ...], int] | None:
        path = self.folder / PLAN
        if not path.exists():
            return None
        try:
            plan = json.loads(path.read_text(encoding="utf-8"))
            about = plan["pattern"], plan["mazes"]
            tuples, count = tuple(tuple(each) for each in plan["tuples"]), int(plan["count"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"is no plan of cubes: {type(error).__name__}: {error}", source=str(path)) from None
        if about != (self.pattern, maze_checksum(self.mazes)):
            raise InputError("found cubes of another window, expected those of the one asked for", source=str(path))
        return tuples, count

    def _enter(self, prefix: str) -> None:
        """A cube that is to be decided, has been, or has been replaced by others."""
        record = self.records.get(prefix)
        if record is None:
            self.open[prefix] = None
        elif record["verdict"] == SPLIT:
            for child in self._tree.children(prefix):
                self._enter(child)

    @property
    def string(self) -> str | None:
        """A string that solves all mazes, if one was found."""
        return next((record["string"] for record in self.records.values() if record["verdict"] == STRING), None)

    @property
    def refuted(self) -> bool:
        """Whether no cube is left, and no string was found."""
        return not self.open and self.string is None

    def of_verdict(self, verdict: str) -> list[dict[str, Any]]:
        """The records of cubes that were decided so."""
        return [record for record in self.records.values() if record["verdict"] == verdict]

    def numbers(self) -> tuple[int, ...]:
        """The mazes of all tuples and of all cubes so far."""
        numbers = {maze for each in self.tuples for maze in each}
        return tuple(sorted(numbers.union(*(record["mazes"] for record in self.records.values()))))

    def summary(self) -> dict[str, Any]:
        """What was needed: mazes, cubes, seconds of processor time of solver and checker."""
        refuted, records = self.of_verdict(REFUTED), list(self.records.values())
        about = {
            "mazes": len(self.numbers()),
            "tuples": len(self.tuples),
            "cubes": len(refuted),
            "split": len(self.of_verdict(SPLIT)),
            "clauses": max((record["clauses"] for record in records), default=0),
            "solver_cpu": round(sum(record["cpu"] for record in records), 2),
        }
        if self.refuted:
            solvers = sorted({record["solver"] for record in refuted})
            numbers = {"cpu": round(sum(record["checking"] for record in refuted), 2), "bytes": sum(r["bytes"] for r in refuted)}
            about["proof"] = {"by": ", ".join([*solvers, "drat-trim"]), "verified": True, **numbers}
        return about

    def decide(self, executor: Executor, ahead: int) -> None:
        """Decide the open cubes, at most `ahead` at once, until none is left or a string is found."""
        flying: dict[Future, str] = {}
        end_last_line(self.folder / JOURNAL)
        with (self.folder / JOURNAL).open("a", encoding="utf-8") as journal:
            try:
                while self.string is None and self.open:
                    busy = set(flying.values())
                    waiting = (prefix for prefix in self.open if prefix not in busy)
                    for prefix in list(islice(waiting, ahead - len(flying))):
                        task = Task(self.mazes, self.pattern, self.tuples, prefix, self.numbers(), self.settings)
                        flying[executor.submit(refute, task)] = prefix
                    done, _ = wait(flying, return_when=FIRST_COMPLETED)
                    for future in done:
                        del flying[future]
                        self._decided(future.result(), journal)
            finally:
                for future in flying:
                    future.cancel()

    def _decided(self, record: dict[str, Any], journal: TextIO) -> None:
        prefix = record["prefix"]
        if record["verdict"] == SPLIT and len(prefix) == self._tree.letters:
            raise CnfgenError(f"the string {fixed(self.pattern, prefix)} is not refuted within the limits: {record['reason']}")
        journal.write(json.dumps(record) + "\n")
        journal.flush()
        self.records[prefix] = record
        del self.open[prefix]
        self._enter(prefix)
