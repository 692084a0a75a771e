"""Cube and conquer for maze strings: each cube refuted by a solver binary with a checked proof, side by side, resumable.

    run = CubeRun(mazes, 28, folder, Settings(solver="glucose"))
    with open_executor(None, jobs=2) as executor:
        run.decide(executor, ahead=4)
    run.string, run.certificate()

In the folder are `plan.json` (tuples of mazes, first cubes) and `cubes.jsonl`, a line for each cube that is decided: refuted,
satisfied by a string that solves all mazes, or too hard and so replaced by its children. A run that was ended goes on there;
what a kill can take is the cubes in flight. Mazes that some string did not solve are shared with the cubes that come later.

Not here: which cubes (`families/maze/cubes.py`), their formulas (`families/maze/cubeformula.py`), the checker of the certificate
(`scripts/check_maze_cubes.py`), which shares no code with this.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from cnfgen_puzzles.errors import CnfgenError, InputError
from cnfgen_puzzles.families.maze.cubeformula import CubeFormulas, string_of
from cnfgen_puzzles.families.maze.cubes import Plan, Tree, make_plan, maze_checksum
from cnfgen_puzzles.families.maze.formats import maze_text
from cnfgen_puzzles.families.maze.mazes import Mazes
from cnfgen_puzzles.families.maze.puzzle import THIN
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.pipeline.refine import proving_solver
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.proofs import check_proof
from cnfgen_puzzles.solving.run import ERROR, MEMOUT, TIMEOUT, run_solver

REFUTED, STRING, SPLIT = "refuted", "string", "split"
PLAN, JOURNAL = "plan.json", "cubes.jsonl"

ADDED_AT_ONCE = 10
WHOLE = 200
"""So few thin mazes are all in each formula. A selection is refuted sooner, but finding it takes rounds with long runs."""

CHECKING = 10
"""A proof may take so many times as long to check as a cube may take to refute."""


@dataclass(frozen=True)
class Settings:
    """How a case is cut and its cubes are refuted. `cpu` seconds and `memory` are limits of each cube; more splits it."""

    solver: str = "glucose"
    bounds: str = "triples"
    effort: float = 60.0
    count: int | None = None
    cpu: float = 60.0
    memory: int | None = 4 << 30
    keep_proofs: bool = False


@dataclass(frozen=True)
class Case:
    """What all tasks of a run have in common."""

    mazes: Mazes
    length: int
    tuples: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Task:
    """A cube to refute, beginning with some mazes."""

    case: Case
    prefix: str
    numbers: tuple[int, ...]
    settings: Settings
    folder: Path


@lru_cache(maxsize=2)
def _formulas(case: Case) -> CubeFormulas:
    return CubeFormulas(case.mazes, case.length, case.tuples)


def refute(task: Task) -> dict:
    """The record of a cube: solved with more and more mazes until it has no string, or one that solves all."""
    case, numbers, seconds, rounds = task.case, list(task.numbers), 0.0, 0
    solver = proving_solver(task.settings.solver)
    about = {"prefix": task.prefix, "solver": solver.name}
    while True:
        rounds += 1
        cnf = _formulas(case).formula(task.prefix, sorted(numbers))
        about |= {"mazes": sorted(numbers), "rounds": rounds, "variables": cnf.num_variables, "clauses": cnf.num_clauses}
        with tempfile.TemporaryDirectory(prefix="cnfgen-cube-") as work:
            formula, proof = Path(work) / "cube.cnf", Path(work) / "cube.drat"
            with formula.open("wb") as stream:
                write_dimacs(cnf, stream)
            limits = Limits(cpu=max(task.settings.cpu - seconds, 0.1), memory=task.settings.memory)
            run = run_solver(solver, formula, cnf=cnf, limits=limits, proof=proof)
            seconds += run.measurement.cpu
            about |= {"cpu": round(seconds, 2)}
            beyond = run.status == ERROR and run.measurement.cpu > limits.cpu  # the kernel's limit came first, on a busy machine
            if beyond or run.status in (TIMEOUT, MEMOUT):
                return about | {"verdict": SPLIT, "reason": run.reason}
            if run.status == UNSATISFIABLE:
                return about | _checked(task, cnf, formula, proof, solver.proof_format)
            if run.status != SATISFIABLE:
                used = f"after {run.measurement.cpu:.1f} s of processor time"
                raise CnfgenError(f"{solver.name} on the cube {task.prefix}: {run.status} {run.reason} {used}")
        string = string_of(task.prefix, case.length, run.model)
        unsolved = case.mazes.unsolved(string)
        if not unsolved:
            return about | {"verdict": STRING, "string": string}
        if not set(unsolved).isdisjoint(numbers):
            raise CnfgenError(f"{string} does not solve a maze of its formula: the encoding is at fault")
        step = max(len(unsolved) // ADDED_AT_ONCE, 1)
        numbers += unsolved[::step][:ADDED_AT_ONCE]


def _checked(task: Task, cnf: Cnf, formula: Path, proof: Path, proof_format: str) -> dict:
    """The rest of a record: the proof is checked, and kept if it is wanted."""
    limits = Limits(cpu=task.settings.cpu * CHECKING, memory=task.settings.memory)
    check = check_proof(formula, proof, limits, cnf=cnf, proof_format=proof_format)
    checking = round(check.measurement.cpu, 2) if check.measurement else 0.0
    if not check.verified:
        if check.reason.startswith("the check was ended by"):
            return {"verdict": SPLIT, "reason": check.reason, "checking": checking}
        raise CnfgenError(f"the proof of the cube {task.prefix} does not hold: {check.reason}")
    text = proof.read_bytes()
    if task.settings.keep_proofs:
        task.folder.mkdir(parents=True, exist_ok=True)
        with proof.open("rb") as source, gzip.open(task.folder / proof_name(task.prefix), "wb", compresslevel=1) as target:
            shutil.copyfileobj(source, target)
    return {
        "verdict": REFUTED,
        "checking": checking,
        "formula": cnf.checksum(),
        "proof": hashlib.sha256(text).hexdigest(),
        "bytes": len(text),
    }


def proof_name(prefix: str) -> str:
    """The file of a cube's proof."""
    return f"cube-{prefix}.drat.gz"


class CubeRun:
    """One length of one case, in a folder of its own."""

    def __init__(self, mazes: Mazes, length: int, folder: Path, settings: Settings, log: Callable[[str], None] | None = None):
        self.mazes, self.length, self.folder, self.settings = mazes, length, folder, settings
        self._log = log or (lambda line: None)
        folder.mkdir(parents=True, exist_ok=True)
        self.plan = self._read_plan() or self._new_plan()
        self.tree = Tree(mazes, self.plan)
        self.records = {record["prefix"]: record for record in read_journal(folder / JOURNAL)}
        self.open: dict[str, None] = {}
        for prefix in self.plan.prefixes:
            self._enter(prefix)

    def _read_plan(self) -> Plan | None:
        path = self.folder / PLAN
        if not path.exists():
            return None
        try:
            plan = Plan.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"is no plan of cubes: {type(error).__name__}: {error}", source=str(path)) from None
        asked = (self.length, self.settings.bounds, maze_checksum(self.mazes))
        if (plan.length, plan.bounds, plan.checksum) != asked:
            raise InputError("found cubes of another case or of other bounds, expected those asked for", source=str(path))
        return plan

    def _new_plan(self) -> Plan:
        settings = self.settings
        plan = make_plan(self.mazes, self.length, settings.bounds, settings.effort, settings.count, self._log)
        write_whole(self.folder / PLAN, json.dumps(plan.to_json()) + "\n")
        return plan

    def _enter(self, prefix: str) -> None:
        """A cube that is to be decided, has been, or has been replaced by others."""
        record = self.records.get(prefix)
        if record is None:
            self.open[prefix] = None
        elif record["verdict"] == SPLIT:
            for child in self.tree.children(prefix):
                self._enter(child)

    @property
    def string(self) -> str | None:
        """A string that solves all mazes, if one was found."""
        return next((record["string"] for record in self.records.values() if record["verdict"] == STRING), None)

    @property
    def refuted(self) -> bool:
        """Whether no cube is left, and no string was found."""
        return not self.open and self.string is None

    @property
    def counts(self) -> Counter:
        """How many cubes were decided how."""
        return Counter(record["verdict"] for record in self.records.values())

    def decide(self, executor: Executor, ahead: int, progress: Callable[[CubeRun, dict], None] | None = None) -> None:
        """Decide the open cubes, at most `ahead` at once, until none is left or a string is found."""
        if self.string is not None or not self.open:
            return
        flying: dict[Future, str] = {}
        failed: dict[str, Exception] = {}
        end_last_line(self.folder / JOURNAL)
        case = Case(self.mazes, self.length, self.plan.tuples)
        with (self.folder / JOURNAL).open("a", encoding="utf-8") as stream:
            try:
                while self.string is None and (len(self.open) > len(failed) or flying):
                    for prefix in self._next({*flying.values(), *failed}, ahead - len(flying)):
                        task = Task(case, prefix, self._pool(), self.settings, self.folder.absolute())
                        flying[executor.submit(refute, task)] = prefix
                    done, _ = wait(flying, return_when=FIRST_COMPLETED)
                    for future in done:
                        prefix = flying.pop(future)
                        try:
                            record = future.result()
                        except CnfgenError as error:  # the other cubes are worth their time all the same
                            failed[prefix] = error
                            self._log(str(error))
                            continue
                        self._decided(record, stream)
                        if progress:
                            progress(self, record)
            finally:
                for future in flying:
                    future.cancel()
        if failed and self.string is None:
            raise CnfgenError(
                f"{len(failed)} cubes failed and are left for another run, the first: {next(iter(failed.values()))}"
            )

    def _next(self, busy: set[str], count: int) -> list[str]:
        """So many open cubes to begin with now."""
        return list(islice((prefix for prefix in self.open if prefix not in busy), max(count, 0)))

    def _decided(self, record: dict, stream) -> None:
        if record["verdict"] == SPLIT and len(record["prefix"]) == self.length:
            raise CnfgenError(f"the whole string {record['prefix']} is not refuted within the limits: {record['reason']}")
        stream.write(json.dumps(record) + "\n")
        stream.flush()
        self.records[record["prefix"]] = record
        del self.open[record["prefix"]]
        self._enter(record["prefix"])

    def _pool(self) -> tuple[int, ...]:
        """The mazes of all tuples and of all cubes so far; of few thin mazes all."""
        if self.mazes.kind == THIN and len(self.mazes) <= WHOLE:
            return tuple(range(len(self.mazes)))
        numbers = {maze for each in self.plan.tuples for maze in each}
        return tuple(sorted(numbers.union(*(record["mazes"] for record in self.records.values()))))

    def work(self) -> dict[str, float]:
        """How much was done: cubes, sizes, seconds of processor time."""
        records = list(self.records.values())
        refuted = [record for record in records if record["verdict"] == REFUTED]
        return {
            "prefixes": len(self.plan.prefixes),
            "tuples": len(self.plan.tuples),
            "refuted": len(refuted),
            "split": self.counts[SPLIT],
            "mazes": len(self._pool()),
            "clauses": max((record["clauses"] for record in records), default=0),
            "bytes": sum(record["bytes"] for record in refuted),
            "solving": sum(record["cpu"] for record in records),
            "checking": sum(record.get("checking", 0.0) for record in records),
        }

    def certificate(self) -> dict:
        """What the checker reads (`docs/maze-optimality.md`)."""
        refuted = [record for record in self.records.values() if record["verdict"] == REFUTED]
        numbers = {maze for each in self.plan.tuples for maze in each}.union(*(record["mazes"] for record in refuted))
        place = {maze: index for index, maze in enumerate(sorted(numbers))}
        return {
            "certificate": "no universal maze string, by cubes",
            "kind": self.plan.kind,
            "size": self.plan.size,
            "length": self.length,
            "mazes": [maze_text(self.mazes[maze]) for maze in place],
            "tuples": [[place[maze] for maze in each] for each in self.plan.tuples],
            "cubes": [
                {"prefix": record["prefix"], "mazes": [place[maze] for maze in record["mazes"]]}
                | {name: record[name] for name in ("formula", "proof", "solver")}
                for record in refuted
            ],
        }


# -- files --------------------------------------------------------------------------------------------------------------


def read_journal(path: Path) -> list[dict]:
    """The records; a last line that was cut off is left out."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    try:
        return [json.loads(line) for line in lines if line.endswith("\n")]
    except ValueError:
        raise InputError("found a line that is no JSON object, expected the journal of cubes", source=str(path)) from None


def end_last_line(path: Path) -> None:
    """Removes the beginning of a line that a killed run left."""
    if path.exists() and (text := path.read_bytes()) and not text.endswith(b"\n"):
        path.write_bytes(text[: text.rfind(b"\n") + 1])


def write_whole(path: Path, text: str) -> None:
    """The file is there whole or not at all."""
    draft = path.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
