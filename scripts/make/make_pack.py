#!/usr/bin/env python3
"""Make the benchmark pack: DIMACS instances with known results (docs/results/pack.md).

    python scripts/make/make_pack.py [FOLDER] [--only PATTERN]     # write the instances, their metadata, and tasks for BenchExec
    python scripts/make/make_pack.py [FOLDER] --measure            # make the missing runs and counts, and record them

`instances/pack/puzzles.yaml` and `excluded.yaml` list puzzles and encodings as suites. The formulas of `excluded.yaml` get a
clause for each solution, which forbids it. `results.jsonl` has a line for each instance: checksums, verdict, count, and their
evidence. `runs.jsonl` has the measured runs as `bench-cnf` reads them, without names of machines and files.

The bytes of an instance depend only on the two lists, the puzzles, and the encodings. If the SHA-256 of an instance differs from
the recorded one, the exit code is 1.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from math import inf
from pathlib import Path
from typing import Any

import numpy
import yaml

from cnfgen_puzzles.bench.benchexec.tasks import DTD, PROPERTY, TRUTHS
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.runsuite import run_suite
from cnfgen_puzzles.bench.suite.plan import CNF, BenchInstance, SolverChoice, Suite, Task
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.journal import sealed_line
from cnfgen_puzzles.counting.total import Total, plan_for
from cnfgen_puzzles.evidence.evidence import MODEL, PROOF
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.pipeline.api import count, solve
from cnfgen_puzzles.pipeline.count import problem_of
from cnfgen_puzzles.pipeline.instance import Instance, make_instance, project_model, with_blocked
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits

ROOT = Path(__file__).resolve().parents[2]
LISTS = ROOT / "instances" / "pack"
FOLDER = ROOT / "results" / "pack"
RUNS = ROOT / "results" / "pack-runs"
RESULTS, MEASURED = LISTS / "results.jsonl", LISTS / "runs.jsonl"
EXCLUDED = "excluded"
SEVERAL = ("tiling", "maze")
"""Families with puzzles in `excluded.yaml` that have several solutions; those of other families have one."""


# -- instances ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    """An instance of the pack: a puzzle with an encoding. If it is `excluded`, a clause forbids each solution."""

    suite: Suite
    task: Task
    excluded: bool

    @cached_property
    def name(self) -> str:
        """The name of the file without `.cnf`, such as `nonogram.random-25-40.order`."""
        puzzle, encoding = self.task.instance, self.task.encoding
        assert encoding is not None
        title = Path(puzzle.source).stem if puzzle.source else puzzle.name
        parts = [plain(part) for part in (puzzle.family, title, encoding.label)]
        return ".".join([*parts, *[EXCLUDED] * self.excluded])

    @property
    def expected(self) -> str:
        return UNSATISFIABLE if self.excluded else self.task.instance.expected or ""

    @property
    def puzzle_file(self) -> Path | None:
        """The file of the puzzle relative to the repository."""
        source = self.task.instance.source
        return None if source is None else (self.suite.folder / source).resolve().relative_to(ROOT)

    def instance(self) -> Instance:
        """The formula without excluded solutions, with its map."""
        puzzle, encoding = self.task.instance, self.task.encoding
        assert encoding is not None
        made = Formulas(self.suite.folder, RUNS).puzzle(puzzle)
        return make_instance(find_family(puzzle.family), made, encoding.name, **dict(encoding.options))

    def command(self) -> str:
        """The command that makes the formula."""
        if self.excluded:
            return f"python scripts/make/make_pack.py FOLDER --only {self.name}"
        puzzle, encoding = self.task.instance, self.task.encoding
        assert encoding is not None
        words = ["gen-cnf", puzzle.family, *([str(self.puzzle_file)] if puzzle.source else [])]
        if puzzle.generator is not None:
            words += ["--generate", puzzle.generator, "--seed", str(puzzle.seed)]
        words += [*flags(puzzle.options), "--encoding", encoding.name, *flags(encoding.options), "-o", f"{self.name}.cnf"]
        return shlex.join(words)


def plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def flags(options: Iterable[tuple[str, Any]]) -> list[str]:
    """Options of a suite as words of a command."""
    words = []
    for name, value in options:
        flag = name.replace("_", "-")
        words += [f"--{flag}" if value else f"--no-{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]
    return words


def members() -> list[Member]:
    """The instances of the pack, in the order of the lists; InputError if two have one name."""
    found = []
    for excluded in (False, True):
        suite = read_suite(LISTS / ("excluded.yaml" if excluded else "puzzles.yaml"))
        found += [Member(suite, task, excluded) for task in suite.tasks]
    twice = [name for name, times in Counter(member.name for member in found).items() if times > 1]
    if twice:
        raise InputError(f"found two instances named {twice[0]}, expected different names", source=str(LISTS))
    return found


def without_solutions(instance: Instance, several: bool) -> tuple[Cnf, int]:
    """The formula with a clause for each solution, which forbids it, and the number of these clauses.

    Unless there are `several`, the solution of a solver is the only one; if not, the formula stays satisfiable.

    If no solution is a subset of another one, as in nonograms and tilings, the clause names only its true variables.
    """
    problem = problem_of(instance)
    if several:
        total = Total(problem, plan_for("auto", problem, listed=True), jobs=1)
        solutions = sorted(sorted(true) for true in total)
        if not total.complete:
            raise CnfgenError(f"the enumeration did not end: {total.reason}")
    else:
        model = solve(instance, solver="kissat", proof=False).model
        if model is None:
            raise CnfgenError("kissat found no model, expected one")
        solutions = [sorted(project_model(instance, model))]
    cnf = instance.cnf
    for true in solutions:
        cnf = with_blocked(cnf, true if problem.antichain else problem.projection, true)
    return cnf, len(solutions)


def features(cnf: Cnf) -> dict[str, int]:
    """Sizes of the formula: variables, clauses, literals, and clauses by length."""
    ends = numpy.flatnonzero(numpy.frombuffer(cnf.literals, dtype=numpy.intc) == 0)
    lengths = numpy.diff(ends, prepend=-1) - 1
    by_length = {name: int((lengths == length).sum()) for length, name in enumerate(("unit", "binary", "ternary"), start=1)}
    return {
        "variables": cnf.num_variables,
        "clauses": cnf.num_clauses,
        "literals": len(cnf.literals) - cnf.num_clauses,
        **by_length,
        "longer": int((lengths > 3).sum()),
        "longest": int(lengths.max(initial=0)),
    }


def make(member: Member, path: Path) -> dict[str, Any]:
    """Write the instance; its row for pack.csv, without results."""
    instance = member.instance()
    cnf, forbidden = instance.cnf, 0
    if member.excluded:
        cnf, forbidden = without_solutions(instance, member.task.instance.family in SEVERAL)
    puzzle, encoding = member.task.instance, member.task.encoding
    assert encoding is not None
    family = instance.family
    described = printable(family.describe(instance.puzzle))
    if family.title:  # the checksums of published files do not depend on titles for display
        described = described.replace(family.title, family.name, 1)
    head = [f"{member.name}: {described}, encoding {encoding.label}", "made by cnfgen-puzzles; MIT license"]
    if forbidden:
        head.append(f"the last {forbidden} clauses forbid the solutions of the puzzle")
    with atomic_file(path, parents=True) as stream:
        write_dimacs(cnf, stream, [*head, *instance.map.projection_comments()])
    return {
        "name": member.name,
        "file": f"cnf/{path.name}",
        "family": puzzle.family,
        "puzzle": described,
        "source": str(member.puzzle_file)
        if puzzle.source
        else f"generator {puzzle.generator}"
        if puzzle.generator
        else "options",
        "seed": puzzle.seed,
        "license": "CC BY (see instances/nonogram/webpbn/README.md)" if "webpbn" in (puzzle.source or "") else "MIT",
        "encoding": encoding.label,
        "forbidden": forbidden,
        "command": member.command(),
        "expected": member.expected,
        **features(cnf),
        "projection": len(instance.projection),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "gbd_hash": cnf.gbd_hash(),
    }


# -- the folder -----------------------------------------------------------------------------------------------------------


def write_pack(folder: Path, only: Sequence[str]) -> int:
    """Write the instances whose names match a pattern, and their metadata; the number of wrong checksums."""
    known = recorded()
    chosen = [member for member in members() if any(fnmatchcase(member.name, pattern) for pattern in only)]
    rows, wrong = [], 0
    for member in chosen:
        row = make(member, folder / "cnf" / f"{member.name}.cnf")
        result = known.get(member.name, {})
        if result.get("sha256") not in (None, row["sha256"]):
            wrong += 1
            print(
                f"{member.name}: found the SHA-256 {row['sha256']}, expected {result['sha256']} (results.jsonl)", file=sys.stderr
            )
        rows.append(row | {name: value for name, value in result.items() if name not in row})
    if not chosen:
        raise InputError(
            f"found no instance named {', '.join(only)}, expected names as in instances/pack/results.jsonl", source="--only"
        )
    write(folder / "pack.json", json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    write(folder / "pack.csv", as_csv(rows))
    write(folder / "SHA256SUMS", "".join(f"{row['sha256']}  {row['file']}\n" for row in rows))
    write_benchexec(folder, rows)
    write(folder / "README.md", (LISTS / "README.md").read_text(encoding="utf-8") + "\n" + composition(rows))
    size = sum((folder / row["file"]).stat().st_size for row in rows)
    print(f"{folder}: {len(rows)} instances, {size / 1e6:.0f} MB; {wrong} checksums differ from the recorded ones")
    return wrong


def write(path: Path, text: str) -> None:
    with atomic_file(path, parents=True) as stream:
        stream.write(text.encode())


def composition(rows: Iterable[Mapping[str, Any]]) -> str:
    """A section for the data card: the number of instances by family and verdict."""
    counts = Counter((row["family"], row["expected"]) for row in rows)
    counted = Counter(row["family"] for row in rows if row.get("count"))
    lines = ["## Composition", "", "| family | satisfiable | unsatisfiable | with a count |", "|---|---:|---:|---:|"]
    for family in dict.fromkeys(family for family, _ in counts):
        numbers = [counts[family, SATISFIABLE], counts[family, UNSATISFIABLE], counted[family]]
        lines.append(f"| {family} | {' | '.join(map(str, numbers))} |")
    return "\n".join([*lines, ""])


def recorded() -> dict[str, dict[str, Any]]:
    """The lines of results.jsonl by name."""
    if not RESULTS.is_file():
        return {}
    lines = (json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines())
    return {line["name"]: line for line in lines}


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as a table: lists are joined by semicolons, the times of a solver are the column `seconds.SOLVER`."""
    flat = []
    for row in rows:
        line = {name: "; ".join(value) if isinstance(value, list) else value for name, value in row.items() if name != "seconds"}
        flat.append(line | {f"seconds.{solver}": text for solver, text in row.get("seconds", {}).items()})
    text = io.StringIO()
    table = csv.DictWriter(text, list(dict.fromkeys(name for line in flat for name in line)), lineterminator="\n")
    table.writeheader()
    table.writerows(flat)
    return text.getvalue()


def write_benchexec(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write task definitions, their list, and an example of a benchmark definition."""
    write(folder / f"{PROPERTY}.prp", "SATISFIABLE\n")
    for row in rows:
        lines = [
            "format_version: '2.0'",
            f"input_files: '../{row['file']}'",
            "properties:",
            f"  - property_file: ../{PROPERTY}.prp",
            *([f"    expected_verdict: {TRUTHS[row['verdict']]}"] if row.get("verdict") else []),
        ]
        write(folder / "tasks" / f"{row['name']}.yml", "\n".join(lines) + "\n")
    write(folder / "pack.set", "".join(f"tasks/{row['name']}.yml\n" for row in rows))
    definition = f"""<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC {DTD}>
<benchmark tool="kissat" timelimit="60 s" walltimelimit="200 s" memlimit="4 GB" cpuCores="1">
  <resultfiles></resultfiles>
  <propertyfile>{PROPERTY}.prp</propertyfile>
  <rundefinition name="kissat">
    <option name="-q"/>
    <tasks name="pack"><includesfile>pack.set</includesfile></tasks>
  </rundefinition>
</benchmark>
"""
    write(folder / "pack.kissat.xml", definition)


# -- measurements ---------------------------------------------------------------------------------------------------------

SOLVERS = ("kissat", "cadical", "minisat", "glucose")
MEMORY = 4 << 30


@dataclass
class Known:
    """The results of all runs of an instance."""

    seconds: dict[str, float] = field(default_factory=dict)
    """The least CPU seconds of each solver that decided the instance, with any flags."""
    proved: bool = False
    """Whether a checker accepted a proof."""


@dataclass(frozen=True)
class Stage:
    """Runs with one limit of CPU seconds.

    `wants` tells whether an instance is run, given the results of the runs of all stages.
    """

    solvers: tuple[str, ...]
    cpu: float
    wants: Callable[[Member, Known], bool]
    proofs: bool = False
    flags: tuple[str, ...] = ()
    """With flags, the solver is another one, such as `kissat plain`."""

    def lacks(self, run: Record | None) -> bool:
        """Whether the run is missing, or it has an answer without the proof that this stage writes."""
        return run is None or (self.proofs and not run["proofs"] and run["status"] == UNSATISFIABLE)

    def choices(self, stage: str) -> list[SolverChoice]:
        return [SolverChoice(f"{solver} {stage}" if self.flags else solver, solver, self.flags) for solver in self.solvers]


STAGES = {
    "times": Stage(SOLVERS, 10, lambda member, known: True),
    "proofs": Stage(("cadical",), 10, lambda member, known: member.expected == UNSATISFIABLE, proofs=True),
    # the rule of the SAT Competition: no answer of MiniSat within a minute, and an answer of another solver within an hour
    "minute": Stage(("minisat",), 60, lambda member, known: "minisat" not in known.seconds),
    "hour": Stage(
        ("kissat", "cadical"),
        3600,
        lambda member, known: not (known.proved if member.expected == UNSATISFIABLE else known.seconds),
        proofs=True,
    ),
    # without preprocessing and inprocessing by probing and elimination of variables
    "plain": Stage(
        ("kissat",),
        10,
        lambda member, known: 0.2 <= known.seconds.get("kissat", inf) <= 10,
        flags=("--preprocess=false", "--fastel=false", "--simplify=false"),
    ),
}
COUNTS = "counts"
"""The stage without runs: numbers of solutions."""
COUNT_LIMITS = Limits(cpu=10.0, wall=600.0, memory=MEMORY)
ENGINES = ("exact-cover", "clasp", "ganak", "tididi")
COUNTED = re.compile(r"(\S+) \((.+) s\)")
"""An engine and its CPU seconds in `count_by` of results.jsonl."""
UNCOUNTED = ("texture", "random")
"""Generators of puzzles with very many solutions."""
OEIS = {
    "simpleloop-10x10": ("OEIS A003763", "467260456608"),
    "slither-blank-5x5": ("OEIS A140517", "1222363"),
    "skyscrapers-7x7": ("OEIS A002860", "61479419904000"),
}
"""Published numbers of solutions of boards without clues."""
ARGUMENTS = {"simpleloop": "a cycle in a grid has even length, and the number of cells is odd"}


def measure(folder: Path, wanted: Sequence[str]) -> None:
    """Make the missing runs of these stages. The same call resumes."""
    everything = members()
    for member in everything:  # the other formulas are made by the runs
        if member.excluded and not (path := folder / "cnf" / f"{member.name}.cnf").is_file():
            make(member, path)
    for name in wanted:
        if name == COUNTS:
            make_counts(everything)
            continue
        stage = STAGES[name]
        for choice in stage.choices(name):  # one after the other, because a suite takes all solvers of a formula together
            done = all_runs(everything)
            known = known_from(done.values())
            chosen = tuple(
                task_of(member, choice, folder)
                for member in everything
                if stage.lacks(done.get(key_at(name, member, choice.label))) and stage.wants(member, known[member.name])
            )
            if chosen:
                limits = Limits(cpu=stage.cpu, wall=600 + 3 * stage.cpu, memory=MEMORY)
                suite = Suite("pack", LISTS, chosen, limits, 1, proofs=stage.proofs)
                found = run_suite(suite, RUNS / name, report=tell, warn=print)
                print(f"{name}: {found.made} runs of {choice.label} made, {len(found.records)} in all", flush=True)


def known_from(runs: Iterable[Record]) -> defaultdict[str, Known]:
    """The results of these runs, by instance."""
    found: defaultdict[str, Known] = defaultdict(Known)
    for run in runs:
        own, solver = found[stage_and_name(run)[1]], run["solver_name"]
        if run["status"] in DECIDED:
            own.seconds[solver] = min(run["cpu"], own.seconds.get(solver, inf))
            own.proved |= evidence_kind(run) == PROOF
    return found


def evidence_kind(run: Record) -> str | None:
    """The kind of evidence of a run: MODEL, PROOF, or another one of `evidence.evidence`."""
    return (run["evidence"] or {}).get("kind")


def key_at(stage: str, member: Member, solver: str) -> str:
    return json.dumps([stage, member.name, solver])


def stage_and_name(run: Record) -> tuple[str, str]:
    """The stage and the instance of a recorded run."""
    stage, name, _ = json.loads(run["key"])
    return stage, name


def task_of(member: Member, choice: SolverChoice, folder: Path) -> Task:
    """A run of the member: of its puzzle, so that boards are checked against the rules, or of its file."""
    if not member.excluded:
        return Task(member.task.instance, member.task.encoding, choice)
    path = (folder / "cnf" / f"{member.name}.cnf").absolute()
    return Task(BenchInstance(CNF, member.name, str(path), expected=UNSATISFIABLE), None, choice)


def title_of(task: Task) -> tuple[str, str, str | None]:
    """The family, instance, and encoding of the task's records."""
    return task.instance.family, task.instance.name, task.encoding.label if task.encoding else None


def read_runs(path: Path) -> Iterator[Record]:
    """The last record of each run."""
    found = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            found[record["key"]] = record
    yield from found.values()


def tell(record: Record) -> None:
    print(record["instance"], record["encoding"] or "", record["solver"], record["status"], f"{record['cpu']:.2f} s", flush=True)


def make_counts(everything: Iterable[Member]) -> None:
    """Count the solutions of each satisfiable puzzle by two engines, if they end within the limits."""
    path = RUNS / "counts.jsonl"
    done = set(read_counts(everything))
    for member in everything:
        puzzle = member.task.instance
        if member.expected != SATISFIABLE or puzzle.generator in UNCOUNTED or (key := puzzle_key(member)) in done:
            continue
        done.add(key)
        numbers: list[dict[str, Any]] = []
        for engine in ENGINES:
            try:
                made = Formulas(member.suite.folder, RUNS).puzzle(puzzle)
                found = count(made, raw=True, engine=engine, limits=COUNT_LIMITS, jobs=1)
            except CnfgenError as error:  # the engine does not suit the family
                print(f"{key}: {engine}: {error}")
                continue
            print(f"{key}: {found.sentence()} {found.engine}, {found.cpu:.1f} s", flush=True)
            if found.complete:
                numbers.append({"engine": found.engine, "number": str(found.raw), "cpu": round(found.cpu, 2)})
            if len(numbers) == 2:
                break
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"puzzle": key, "numbers": numbers}) + "\n")


def puzzle_key(member: Member) -> str:
    return f"{member.task.instance.family} {member.task.instance.name}"


def read_counts(everything: Iterable[Member]) -> dict[str, list[dict[str, Any]]]:
    """The numbers of solutions of each puzzle by engine: the recorded ones and those made here, which replace them."""
    found, known = {}, recorded()
    for member in everything:
        line = known.get(member.name, {})
        engines = [COUNTED.fullmatch(text) for text in line.get("count_by", [])]
        if numbers := [{"engine": by[1], "number": line["count"], "cpu": float(by[2])} for by in engines if by]:
            found[puzzle_key(member)] = numbers
    path = RUNS / "counts.jsonl"
    made = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return found | {line["puzzle"]: line["numbers"] for line in map(json.loads, made)}


# -- records --------------------------------------------------------------------------------------------------------------

KEPT = (
    "record", "key", "suite", "family", "instance", "encoding", "encoding_name", "scramble", "solver", "solver_name", "version",
    "seed", "repetition", "threads", "status", "reason", "cpu", "wall", "memory", "memory_method", "limits", "proofs", "evidence",
    "verified", "size", "cnf", "expected", "binary_sha256", "load", "date", "encode_seconds",
)  # fmt: skip
"""The fields of runs.jsonl: what scores and plots need, and no names of machines and files."""


def record(folder: Path) -> None:
    """Write results.jsonl and runs.jsonl from everything that was measured so far."""
    everything = members()
    runs: dict[str, list[Record]] = {member.name: [] for member in everything}
    kept = [run for run in all_runs(everything).values() if stage_and_name(run)[1] in runs]
    for run in kept:
        runs[stage_and_name(run)[1]].append(run)
    rows = {row["name"]: row for row in json.loads((folder / "pack.json").read_text(encoding="utf-8"))}
    counts = read_counts(everything)
    lines = []
    for member in everything:
        row, own = rows[member.name], runs[member.name]
        line = {"name": member.name, "sha256": row["sha256"], "gbd_hash": row["gbd_hash"], "expected": member.expected}
        lines.append(line | result_of(member, own, counts.get(puzzle_key(member), [])))
    MEASURED.write_bytes(b"".join(map(sealed_line, kept)))
    write(RESULTS, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    print(f"{RESULTS.relative_to(ROOT)}: {len(lines)} instances; {MEASURED.relative_to(ROOT)}: {len(kept)} runs")


def all_runs(everything: Sequence[Member]) -> dict[str, Record]:
    """The recorded runs and those made here, which replace recorded ones, by stage, name, and solver (as JSON)."""
    found = {run["key"]: {name: value for name, value in run.items() if name != "seal"} for run in read_runs(MEASURED)}
    titles = {title_of(task_of(member, SolverChoice("", ""), FOLDER)): member for member in everything}
    for stage in STAGES:
        for made in read_runs(RUNS / stage / "runs.jsonl"):
            member = titles.get((made["family"], made["instance"], made["encoding"]))
            if member is None:
                continue
            slim = {name: made[name] for name in KEPT if made.get(name) is not None} | {"expected": member.expected}
            puzzle, encoding = member.task.instance, member.task.encoding
            assert encoding is not None
            if member.excluded:  # as the puzzle's family and encoding, not as a file
                title = f"{puzzle.name}, solutions excluded"
                slim |= {"family": puzzle.family, "instance": title, "encoding": encoding.label, "encoding_name": encoding.name}
            key = key_at(stage, member, made["solver"])
            found[key] = slim | {"key": key, "suite": "pack" if stage in ("times", "plain") else f"pack {stage}"}
    return found


def result_of(member: Member, runs: Sequence[Record], counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The verdict and the count with their evidence, the seconds by solver, and the rule of the competition."""
    wrong = [run for run in runs if run["status"] not in (*DECIDED, "TIMEOUT", "MEMOUT", "UNKNOWN")]
    wrong += [run for run in runs if run["status"] in DECIDED and run["status"] != member.expected]
    if wrong:
        raise CnfgenError(f"{member.name}: {wrong[0]['solver']} {wrong[0]['status']} {wrong[0].get('reason', '')}")
    evidence = list(evidence_of_verdict(member, runs))
    strongest = evidence[0][0] if evidence else None
    return {
        "verdict": None if strongest in (None, ONE_SOLVER) else member.expected,
        "strongest": strongest,
        "evidence": [text for _, text in evidence],
        **count_of(member, counts),
        "seconds": times_by_solver(runs),
        "competition": competition(runs),
    }


def count_of(member: Member, counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The number of solutions if it is published or two engines found it; CnfgenError for different numbers."""
    known = [{"engine": where, "number": number} for where, number in published(member) if number is not None]
    agreed = {entry["number"] for entry in [*counts, *known]}
    if len(agreed) > 1:
        raise CnfgenError(f"{member.name}: found different counts: {[*counts, *known]}")
    encoding = member.task.encoding
    one_of_each_class = encoding is not None and "symmetry" in dict(encoding.options)
    if member.expected != SATISFIABLE or one_of_each_class or not (len(counts) > 1 or known):
        return {"count": None, "engines": 0, "count_by": []}
    by = [*(entry["engine"] for entry in known), *(f"{entry['engine']} ({entry['cpu']} s)" for entry in counts)]
    return {"count": agreed.pop(), "engines": len(counts), "count_by": by}


def times_by_solver(runs: Iterable[Record]) -> dict[str, str]:
    """CPU seconds by solver; of an undecided solver, the run with the longest limit."""
    best: dict[str, Record] = {}
    for run in sorted(runs, key=lambda run: (run["status"] in DECIDED, run["limits"]["cpu"])):
        if run["solver"] in SOLVERS:
            best[f"{run['solver']} with proof" if run["proofs"] else run["solver"]] = run
    return {name: shown(best[name]) for solver in SOLVERS for name in (solver, f"{solver} with proof") if name in best}


def competition(runs: Sequence[Record]) -> str:
    """The two runs that meet the rule of the SAT Competition: MiniSat has no answer in a minute, and another solver has one in an
    hour. Empty if they are missing.
    """
    own = [run for run in runs if run["solver"] == "minisat"]
    others = [(run["cpu"], run["solver"]) for run in runs if run["solver_name"] != "minisat" and run["status"] in DECIDED]
    limit = max((run["limits"]["cpu"] for run in own if run["status"] == "TIMEOUT"), default=0)
    if limit < STAGES["minute"].cpu or any(run["status"] in DECIDED for run in own) or not others:
        return ""
    seconds, solver = min(others)
    return f"minisat: no answer in {limit:g} s; {solver}: {seconds:.2f} s"


def shown(run: Record) -> str:
    """The CPU seconds of a run, or its limit if it is not decided: `0.31`, `>10`, `memory`."""
    if run["status"] in DECIDED:
        return f"{run['cpu']:.2f}"
    return f">{run['limits']['cpu']:g}" if run["status"] == "TIMEOUT" else str(run["status"]).lower()


ONE_SOLVER = "one solver, unchecked"


def evidence_of_verdict(member: Member, runs: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """The evidence for the expected verdict: its kind and words, the strongest first.

    A solver with other flags is the same solver.
    """
    decided = [(run, evidence_kind(run)) for run in runs if run["status"] in DECIDED]
    if models := sorted({run["solver_name"] for run, kind in decided if kind == MODEL}):
        yield "model", f"models of {', '.join(models)}, checked against the formula; boards checked against the rules"
    for run in [run for run, kind in decided if kind == PROOF][:1]:
        yield "proof", f"proof of {run['solver']}, checked by {run['evidence']['by']}"
    puzzle = member.task.instance
    if member.expected == UNSATISFIABLE and not member.excluded:
        made = Formulas(member.suite.folder, RUNS).puzzle(puzzle)
        if argument := find_family(puzzle.family).impossible(made) or ARGUMENTS.get(puzzle.family):
            yield "argument", f"argument: {argument}"
    for where, number in published(member):
        if (number == "0") == (member.expected == UNSATISFIABLE):
            yield "recorded fact", f"recorded: {where}"
    if claimed := sorted({run["solver_name"] for run, kind in decided if kind not in (MODEL, PROOF)}):
        yield "two solvers" if len(claimed) > 1 else ONE_SOLVER, f"claimed by {', '.join(claimed)}"


def published(member: Member) -> Iterator[tuple[str, str | None]]:
    """Facts about the number of solutions that the repository records: the source and the number, None for at least one.

    Facts about puzzles whose solutions are excluded are facts about other formulas, so they have none.
    """
    puzzle = member.task.instance
    path, options = member.puzzle_file, dict(puzzle.options)
    if member.excluded:
        return
    if puzzle.generator is not None and puzzle.expected == SATISFIABLE:
        yield f"the generator {puzzle.generator} makes the puzzle from a solution", None
    if path is not None and path.parent.name == "nonogram":
        truth = read_yaml(ROOT / path.parent / "truth.yaml")[path.name]
        number = truth.get("count", 0 if truth["solutions"] == "none" else None)
        yield "instances/nonogram/truth.yaml, decided by other formulas", None if number is None else str(number)
    if path is not None and path.parent.name == "tiling":
        claims = read_yaml(ROOT / path)["claims"]
        zero = 0 if claims.get("verdict") == "unsatisfiable" or claims.get("solutions") == 0 else None
        number = claims.get("raw", zero)
        yield claims["source"], None if number is None else str(number)
    if path is not None and path.parent.name == "grid":
        yield "instances/grid/README.md: one solution, proof checked", "1"
    if path is not None and path.stem in OEIS:
        yield OEIS[path.stem]
    if puzzle.family == "maze":
        length = len(options["pattern"]) if "pattern" in options else int(options["length"])
        for entry in read_yaml(ROOT / "instances" / "maze" / "known.yaml"):
            if (entry["kind"], entry["size"]) == (options["kind"], options["size"]):
                if length == entry["length"]:
                    yield "instances/maze/known.yaml: a string for all mazes of the grid", None
                elif length < entry["length"] and entry["optimal"] and "first" not in options:
                    yield "instances/maze/known.yaml: exhaustive search for shorter strings", "0"


@cache
def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the benchmark pack, or measure it.")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=FOLDER, help="write the pack to this folder (default: results/pack)"
    )
    parser.add_argument(
        "--only", action="append", metavar="PATTERN", help="make only instances whose names match; you can repeat it"
    )
    parser.add_argument(
        "--measure",
        nargs="*",
        choices=(*STAGES, COUNTS),
        metavar="STAGE",
        help=f"measure these stages: {', '.join((*STAGES, COUNTS))} (default: all)",
    )
    parser.add_argument(
        "--record", action="store_true", help="write results.jsonl and runs.jsonl from the pack and the measurements"
    )
    given = parser.parse_args()
    try:
        if given.measure is not None:
            measure(given.folder, given.measure or (*STAGES, COUNTS))
        if given.record:
            record(given.folder)
        return 0 if given.measure is not None or given.record else int(write_pack(given.folder, given.only or ["*"]) > 0)
    except (CnfgenError, OSError) as error:
        print(f"make_pack.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
