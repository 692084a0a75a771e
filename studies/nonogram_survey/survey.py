"""One puzzle of the survey: the size of its formula and how many solutions it has. No claim is looked at here."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import cnfgen_puzzles as cp
from cnfgen_puzzles.solving.process import Limits

REPOSITORY = Path(__file__).resolve().parents[2]
SHIPPED = REPOSITORY / "instances" / "nonogram" / "webpbn"
"""The twelve that may be redistributed, and what is claimed of all 28."""
SAMPLES = REPOSITORY.parent / "shared" / "data" / "nonogram"
"""Where all 28 lie for those who have them."""


@dataclass(frozen=True)
class Decided:
    """How many solutions, found in how many CPU seconds of all processes together."""

    verdict: str
    seconds: float


def sizes_of(path: Path) -> tuple[int, int]:
    """Variables and clauses of the encoding `direct`, which is the article's."""
    instance = cp.encode(cp.read(path, family="nonogram"), "direct")
    return instance.cnf.num_variables, instance.cnf.num_clauses


def decide(path: Path, encoding: str, solver: str, limit: float) -> Decided:
    """One solution, several or none: all of the road, from the file to the checked boards."""
    started = time.process_time()
    instance = cp.encode(cp.read(path, family="nonogram"), encoding)
    answer = cp.unique(instance, solver=solver, limits=Limits(cpu=limit))
    ours = time.process_time() - started
    return Decided(answer.verdict, ours + sum(o.run.measurement.cpu for o in answer.outcomes if isinstance(o, cp.FormulaOutcome)))
