"""One event: a puzzle on a road with a fault, all determined by a seed and a number, with its results as a JSON object.

After a fault, the same commands run again without one: then they must answer, nothing that was finished may be lost, and no files
may remain.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from cnfgen_puzzles.common.files import sweep
from cnfgen_puzzles.solving.table import find_solver, load_solvers
from soak import stage as stages
from soak.benches import bench
from soak.faults import FAULTS, Fault, FullDisk
from soak.judge import WRONG, Statement, judged
from soak.liars import LIARS, solver_table, write_liar, write_slow
from soak.puzzles import Puzzle, random_puzzle
from soak.roads import COUNTING, ROADS, Cast
from soak.stage import TRACEBACK, Done, Stage

HONEST = "kissat"
"""Solvers that liars use to know the truth, and the solver of the slow honest one."""
PACKAGE = "cnfgen_puzzles"
CODES = (0, 1, 2, 3, 10, 20, 130)
TINY = (("--time", "0.001"), ("--wall-time", "0.001"), ("--wall-time", "0.05"), ("--memory", "100KiB"), ("--memory", "3MiB"))
AMPLE = ("--time", "100", "--wall-time", "300", "--memory", "4GiB")
BOUNDED = ("--wall-time", "4", "--memory", "300MiB")
EVERY_ROAD = {**ROADS, "bench": bench}
SLOWED = ("kill solver", "kill supervisor", "kill launcher", "stop")
"""Faults that strike a solver, which must be slow enough."""
SOLVING = {"files": 1, "converted": 1}
"""The step in which a road runs its first solver, if it is not the first step."""


@dataclass(frozen=True)
class Plan:
    """The plan of an event."""

    seed: int
    number: int
    road: str
    fault: str
    liar: str
    solvers: tuple[str, ...]
    limits: tuple[str, ...]
    proof: bool
    struck: int
    """The step of the road in which the fault strikes."""
    puzzle: Puzzle


def planned(seed: int, number: int, strangers: Sequence[str] = ()) -> Plan:
    """The event of that number: faults and liars rotate in an order determined by the seed; everything else is random."""
    chance = Random(f"{seed} {number}")
    fault = in_turn([*FAULTS, "none", "liar", "liar", "liar"], seed, number)
    liar = in_turn(list(LIARS), seed, number) if fault == "liar" else ""
    roads = [name for name in EVERY_ROAD if not (liar and name in COUNTING)]
    if fault in SLOWED[:3]:
        roads = [name for name in roads if name not in COUNTING]
    road = chance.choice([*roads, *(["bench", "resumed"] if fault.startswith("kill") and "resumed" in roads else ["bench"])])
    every = [each.name for each in load_solvers().values() if each.kind == "solver" and each.available()]
    solvers = list(strangers) or chance.sample(every, min(len(every), 2))
    if not strangers and fault in SLOWED:
        solvers = ["slow", *solvers]
    if liar:
        solvers = [liar, *solvers]
    limits = chance.choice(TINY) if fault == "limits" else BOUNDED if liar else chance.choice(((), (), AMPLE))
    steps = {"files": 3, "converted": 2, "bench": 2}.get(road, 1)
    struck = SOLVING.get(road, 0) if fault in SLOWED else chance.randrange(steps)
    proof, solvers = chance.random() < 0.4, solvers[: 2 if road == "bench" else 1]
    return Plan(seed, number, road, fault, liar, tuple(solvers), limits, proof, struck, random_puzzle(chance))


def in_turn(names: list[str], seed: int, number: int) -> str:
    """One of the names: each occurs once before any occurs twice."""
    turn, place = divmod(number, len(names))
    return Random(f"{seed} turn {turn}").sample(names, len(names))[place]


def played(plan: Plan, folder: Path, strangers: Sequence[str] = ()) -> dict[str, Any]:
    """Run the event in a new `folder`; returns its record."""
    began = time.monotonic()
    stages.prepare()
    stage = Stage(folder)
    chance = Random(f"{plan.seed} {plan.number} fault")
    programs = equip(plan, stage)
    names = {name: str(Path(name).absolute()) if name in strangers else name for name in plan.solvers}
    provers = {*programs, *(name for name in plan.solvers if name not in programs and find_solver(names[name]).proof_format)}
    cast = Cast(
        plan.puzzle, [names[name] for name in plan.solvers], plan.limits, plan.proof, bool(plan.liar),
        frozenset(names.get(name, name) for name in provers), stage, chance.randrange(1 << 30),
    )  # fmt: skip
    theirs = inputs(stage)
    fault = FAULTS[plan.fault](chance)
    claims, done = walked(plan, cast, fault)
    problems = examined(plan, cast, claims, done, calm=fault.harmless and plan.fault != "limits" and not plan.liar)
    verdicts = judgements(plan, claims, problems)
    problems += [("survivor", told) for told in stage.survivors()]
    if fault.again and fault.hit:
        cast.faults, stage.stuck = [], []
        more, again = walked(plan, cast, Fault(chance))
        problems += [(kind, f"again: {detail}") for kind, detail in examined(plan, cast, more, again, calm=not plan.liar)]
        verdicts += judgements(plan, more, problems)
        problems += [("survivor", f"again: {told}") for told in stage.survivors()]
        claims, done = claims + more, done + again
    if isinstance(fault, FullDisk) and not fault.scratch:  # what was written there went with that disk
        problems = [(kind, detail) for kind, detail in problems if kind != "lost line"]
    told = "\n".join(each.out + each.err for each in done)
    sweep(stage.scratch)  # as the next run does
    problems += [("leftover", name) for name in stage.leftovers(told)]
    problems += [("damage", f"{name} was changed") for name, text in theirs.items() if inputs(stage).get(name) != text]
    return {
        "seed": plan.seed,
        "number": plan.number,
        "road": plan.road,
        "fault": plan.fault,
        "liar": plan.liar,
        "hit": fault.hit or plan.liar or (" ".join(plan.limits) if plan.fault == "limits" else ""),
        "solvers": plan.solvers,
        "puzzle": {"family": plan.puzzle.family, "text": plan.puzzle.text, "options": dict(plan.puzzle.options)},
        "oracle": plan.puzzle.truth.to_json(),
        "commands": [{"words": each.words, "code": each.code, "err": each.err[-300:]} for each in done],
        "claims": [claim.to_json() for claim in claims],
        "verdicts": verdicts,
        "problems": [{"kind": kind, "detail": detail} for kind, detail in problems],
        "seconds": round(time.monotonic() - began, 2),
    }


def equip(plan: Plan, stage: Stage) -> dict[str, Path]:
    """Prepare the user's folder: the file of the puzzle, and a table with the paths of the programs that the event needs."""
    (stage.work / plan.puzzle.file).write_text(plan.puzzle.text, encoding="utf-8")
    bin = stage.folder / "bin"
    bin.mkdir()
    honest = find_solver(HONEST).locate()
    programs = {"slow": write_slow(bin, honest, Random(f"{plan.seed} {plan.number} slow").uniform(0.2, 1.5))}
    if plan.liar:
        programs[plan.liar] = write_liar(plan.liar, bin, honest, plan.number)
    (stage.folder / "solvers.yaml").write_text(solver_table(programs, honest), encoding="utf-8")
    return programs


def inputs(stage: Stage) -> dict[str, bytes]:
    """The user's files, which are not outputs."""
    own = (path for path in stage.work.glob("*") if path.is_file() and path.name != "suite.yaml")
    return {path.name: path.read_bytes() for path in [*own, stage.folder / "solvers.yaml"]}


def walked(plan: Plan, cast: Cast, fault: Fault) -> tuple[list[Statement], list[Done]]:
    """Run the road, with the fault in one of its steps; returns the claims, and the results of all commands."""
    road = EVERY_ROAD[plan.road](cast)
    done: list[Done] = []
    calm = Fault(Random(0))
    try:
        pipeline, step = next(road), 0
        while True:
            came = cast.stage.run(pipeline, fault if step == plan.struck else calm)
            done += came
            pipeline, step = road.send(came), step + 1
    except StopIteration as end:
        return end.value, done


def examined(plan: Plan, cast: Cast, claims: list[Statement], done: list[Done], *, calm: bool) -> list[tuple[str, str]]:
    """The errors of the commands, independent of their claims. In a `calm` event, they must answer."""
    problems = [*cast.faults, *(("stuck", told) for told in cast.stage.stuck)]
    for each in done:
        if has_traceback(each.err) or has_traceback(each.out):
            problems.append(("traceback", f"{each.words[0]}: {each.err[-1500:]}"))
        if each.code not in CODES and not (each.code < 0 and not calm):
            problems.append(("exit code", f"{each.words[0]} exited with {each.code}: {each.err[-300:]}"))
        if "\x1b" in each.err + each.out:
            problems.append(("escape", f"{each.words[0]} printed what a program said, raw"))
    refused = [each for each in done if each.code == 2]
    if calm and not claims and not (refused and refusable(refused[0])):
        problems.append(("silent", f"no answer without a cause: {[(each.code, each.err[-300:]) for each in done]}"))
    return problems


def has_traceback(text: str) -> bool:
    """Whether Python's error is about this package. Ctrl-C before its first command (`cli/start.py`) does not count: until then,
    only the interpreter can handle it."""
    for trace in text.split(TRACEBACK)[1:]:
        files = set(re.findall(rf'/{PACKAGE}/([^"]*)"', trace))
        if files and not (files == {"__init__.py"} and "KeyboardInterrupt" in trace):
            return True
    return False


def refusable(done: Done) -> bool:
    """Whether the call may be refused: conflicting options, an encoding without its cuts, content that a format cannot hold."""
    named = {"representatives", "exact-cover", "lazy"}
    return bool(named.intersection(done.words)) or done.words[0] == "convert-puzzle"


def judgements(plan: Plan, claims: list[Statement], problems: list[tuple[str, str]]) -> list[str]:
    """The verdict on each claim; wrong claims are problems."""
    verdicts = []
    for claim in claims:
        verdict, why = judged(claim, plan.puzzle.truth, liar=bool(plan.liar) and claim.who.startswith(plan.liar))
        verdicts.append(verdict)
        if verdict == WRONG:
            problems.append((WRONG, f"{claim.who} ({claim.evidence}) says {claim.kind} {claim.number or ''}: {why}"))
    return verdicts
