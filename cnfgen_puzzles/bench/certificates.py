"""Certificates of a suite's instances, one for each that was decided: `certificates: true`. Made after the runs, not measured.

    results/NAME/certificates/INSTANCE/        a folder as `solve-puzzle --certificate` writes it (docs/certificates.md)

An instance is solved once more for it, by the encoding and, if it writes proofs, the solver that decided it quickest. What is
there already stays; what cannot be certified is told, and ends nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.run.job import solver_of
from cnfgen_puzzles.bench.suite.plan import CNF, BenchInstance, Suite, Task
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.answer import Outcome
from cnfgen_puzzles.pipeline.certificates.certify import certified
from cnfgen_puzzles.pipeline.instance import make_instance
from cnfgen_puzzles.pipeline.request import CertificateOrder, ProofPolicy, origin_of_file, origin_of_generator, origin_of_options
from cnfgen_puzzles.pipeline.solve import FormulaTask, pick_solver, solve
from cnfgen_puzzles.solving.answers import DECIDED
from cnfgen_puzzles.solving.table import Solver

FOLDER = "certificates"
LONGEST = 150
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def write_certificates(suite: Suite, folder: Path, records: Mapping[str, Record], tell: Callable[[str], object]) -> int:
    """Certificates of all decided instances that have none yet, in `folder`; how many were written now.

    `records` are the latest by the keys of tasks; `tell` gets what could not be certified.
    """
    formulas = Formulas(suite.folder, folder / FOLDER)  # for its puzzles: no formula is kept there
    written = 0
    for task, status in quickest(suite.tasks, records):
        place = folder / FOLDER / name_of(task.instance)
        if place.exists():
            continue
        try:
            found = _certify(suite, formulas, task, place)
        except (CnfgenError, OSError, MemoryError) as error:
            tell(f"no certificate of {task.instance.name}: {error or type(error).__name__}")
            continue
        if found.status != status:
            tell(f"no certificate of {task.instance.name}: it was {status.lower()}, solved once more {found.sentence()}")
        written += place.exists()
    return written


def quickest(tasks: Collection[Task], records: Mapping[str, Record]) -> Iterator[tuple[Task, str]]:
    """For each puzzle that was decided the task that did so quickest, one whose solver writes proofs if there is any."""
    best: dict[BenchInstance, tuple[bool, float, Task, str]] = {}
    for task in tasks:
        record = records.get(task.key)
        if record is None or record["status"] not in DECIDED or task.instance.family == CNF:
            continue
        rank = (not solver_of(task.solver).proof_format, float(record.get("cpu") or 0.0))
        if task.instance not in best or rank < best[task.instance][:2]:
            best[task.instance] = (*rank, task, record["status"])
    return ((task, status) for *_, task, status in best.values())


def name_of(instance: BenchInstance) -> str:
    """The folder of an instance: its name; where that can be none, the like of it and a checksum."""
    name = f"{instance.family}-{instance.name}"
    plain = UNSAFE.sub("-", name)[:LONGEST]
    return name if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _certify(suite: Suite, formulas: Formulas, task: Task, place: Path) -> Outcome:
    """Solve the instance once more, and write what shows the answer."""
    instance, family = task.instance, find_family(task.instance.family)
    options: dict[str, Any] = dict(instance.options)
    wanted = CertificateOrder(place, origin_of_options(options))
    if instance.generator is not None:
        wanted.origin = origin_of_generator(instance.generator, instance.seed or 0, options)
    elif instance.source is not None:
        wanted.source = open_source(suite.folder / instance.source)
        wanted.origin = origin_of_file(wanted.source, options)
    encoding = task.encoding
    made = make_instance(
        family, formulas.puzzle(instance), encoding.name if encoding else None, **dict(encoding.options if encoding else ())
    )
    solver: Solver = solver_of(task.solver)
    if not solver.proof_format:
        solver = pick_solver(proof=True)
    asked = FormulaTask(limits=suite.limits, seed=task.seed, proof=ProofPolicy.REQUIRED)
    return certified(wanted, lambda proof: solve(made, solver, replace(asked, proof_to=proof)))
