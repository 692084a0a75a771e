"""A call of a model counter: a worker process under limits, confined to its own files, and what came of it.

What is wrong with a counter is the status of its call, never an exception: COUNTED, TIMEOUT, MEMOUT, INTERRUPTED or ERROR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.printable import printable
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.counting.counters.table import ModelCounter, choose_counters
from cnfgen_puzzles.counting.counters.worker import Clauses, give_work, read_counts, worker_command
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.confinement import Confinement, python_environment, python_files
from cnfgen_puzzles.solving.process import Limits, Measurement, SupervisorLost, run_process

COUNTED, TIMEOUT, MEMOUT, INTERRUPTED, ERROR = "COUNTED", "TIMEOUT", "MEMOUT", "INTERRUPTED", "ERROR"

ENDS = {
    process.CPU_LIMIT: (TIMEOUT, "CPU time limit"),
    process.WALL_LIMIT: (TIMEOUT, "wall time limit"),
    process.MEMORY_LIMIT: (MEMOUT, "memory limit"),
    process.INTERRUPTED: (INTERRUPTED, "interrupted"),
}
LAST_WORDS = 2000
"""Bytes of what a counter that failed has said last, among which the reason is looked for."""


@dataclass(frozen=True)
class ModelCount:
    """What came of a call. `numbers` are exact, one for each formula that was asked for; fewer unless `status` is COUNTED."""

    numbers: tuple[int, ...]
    counter: ModelCounter
    version: str
    status: str
    reason: str
    measurement: Measurement | None

    @property
    def number(self) -> int | None:
        """That of the only formula, or of the first; None unless everything was counted."""
        return self.numbers[0] if self.status == COUNTED else None

    @property
    def cpu(self) -> float:
        """Seconds."""
        return self.measurement.cpu if self.measurement else 0.0


def count_models(cnf: Cnf, projection: Sequence[int], counter: str | ModelCounter, limits: Limits | None = None) -> ModelCount:
    """How many assignments of the projection variables can be extended to models of the formula.

    Variables of the projection set that occur in no clause count too; an empty set gives 1 or 0.
    """
    return count_each(cnf, projection, [()], counter, limits)


def count_each(
    cnf: Cnf,
    projection: Sequence[int],
    restrictions: Sequence[Clauses],
    counter: str | ModelCounter,
    limits: Limits | None = None,
) -> ModelCount:
    """The same of several formulas, one after the other by one process: for each restriction the formula with these clauses.

    `limits` are for all of them together. InputError if there is no such counter.
    """
    if isinstance(counter, str):
        (counter,) = choose_counters(counter)
    with scratch_folder("counter") as folder, doing(f"{counter.name} is counting"):
        give_work(folder, Problem(cnf, projection), counter.name, restrictions)
        stdout, stderr, scratch = folder / "stdout", folder / "stderr", folder / "scratch"
        scratch.mkdir()
        confinement = Confinement(scratch, reads=[folder, *python_files()])
        try:
            measurement = run_process(
                worker_command(folder), stdout=stdout, stderr=stderr, limits=limits or Limits(), env=python_environment(),
                confinement=confinement,
            )  # fmt: skip
            numbers = read_counts(stdout.read_text())
        except (SupervisorLost, CnfgenError) as error:
            return ModelCount((), counter, counter.version(), ERROR, str(error), None)
        status, reason = _judged(measurement, stderr)
        if status == COUNTED and len(numbers) != len(restrictions):
            status, reason = ERROR, f"it gave {len(numbers)} numbers for {len(restrictions)} formulas"
    return ModelCount(tuple(numbers), counter, counter.version(), status, printable(reason), measurement)


def _judged(measurement: Measurement, stderr: Path) -> tuple[str, str]:
    """The status, and the reason where it is not COUNTED."""
    if measurement.ended in ENDS:
        return ENDS[measurement.ended]
    if (measurement.ended, measurement.exit_code) == (process.EXIT, 0):
        return COUNTED, ""
    if measurement.ended == process.LAUNCH_FAILED:
        return ERROR, f"could not be started: {measurement.detail}"
    if measurement.ended == process.OUTPUT_LIMIT:
        return ERROR, "printed more than the limit"
    how = f"signal {measurement.signal}" if measurement.signal else f"exit code {measurement.exit_code}"
    lines = stderr.read_bytes()[-LAST_WORDS:].decode("utf-8", "replace").strip().splitlines()
    return ERROR, f"failed with {how}{f': {lines[-1]}' if lines else ''}"
