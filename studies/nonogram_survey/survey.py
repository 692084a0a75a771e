"""One puzzle of the survey: the size of its formula and its number of solutions, independent of claims."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import cnfgen_puzzles as cp
from cnfgen_puzzles.solving.process import Limits

REPOSITORY = Path(__file__).resolve().parents[2]
SHIPPED = REPOSITORY / "instances" / "nonogram" / "webpbn"
"""The twelve puzzles that may be redistributed, and the claims about all 28."""
SAMPLES = REPOSITORY.parent / "shared" / "data" / "nonogram"
"""The folder with all 28 puzzles, if present."""


@dataclass(frozen=True)
class Decided:
    """The number of solutions, and the CPU seconds of all processes."""

    verdict: str
    seconds: float


def sizes_of(path: Path) -> tuple[int, int]:
    """Variables and clauses of the encoding `direct`, which is the encoding of the article."""
    instance = cp.encode(cp.read(path, family="nonogram"), "direct")
    return instance.cnf.num_variables, instance.cnf.num_clauses


def decide(path: Path, encoding: str, solver: str, limit: float) -> Decided:
    """One solution, several, or none, with all steps from the file to the checked boards."""
    started = time.process_time()
    instance = cp.encode(cp.read(path, family="nonogram"), encoding)
    answer = cp.unique(instance, solver=solver, limits=Limits(cpu=limit))
    ours = time.process_time() - started
    return Decided(answer.verdict, ours + sum(o.run.measurement.cpu for o in answer.searches if isinstance(o, cp.FormulaAnswer)))
