"""Shares: the missing runs of a benchmark, divided among processes that see the same folder, such as a Slurm job array.

    shares/3/plan.json     the runs of share 3
    shares/3/runs.jsonl    their results; only the process of this share writes them
    array.sh               the script for `sbatch`

`divide` writes the plans and the script, `bench-cnf run --share 3` makes the runs of a share, and the next call without a share
moves the results to the result file (`collect`). Formulas and outputs of failed runs are in the folder of the benchmark.
"""

from __future__ import annotations

import math
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cnfgen_puzzles.bench.planfile import PLAN, SuitePlan, read_plans, write_plans
from cnfgen_puzzles.bench.run.execution import longest
from cnfgen_puzzles.bench.runs import RESULTS, Store, read_records
from cnfgen_puzzles.bench.suite.plan import Suite, Task
from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.journal import Journal

SHARES, SCRIPT = "shares", "array.sh"
MORE_SECONDS = 30
"""Seconds for checking a model and for storing a record after the longest run."""
MOST_SECONDS = 65535
"""The longest time before the limit of a job at which Slurm can send a signal."""
MORE_MEMORY = 2048
"""MiB for each core of a task, in addition to the memory limit of a run: for making formulas and checking models."""


def share_folder(folder: Path, number: int) -> Path:
    return folder / SHARES / str(number)


def results_of_shares(folder: Path) -> list[Path]:
    """The result files of the shares that have begun."""
    return sorted((folder / SHARES).glob(f"[0-9]*/{RESULTS}"))


def divide(folder: Path, suite: Suite, tasks: Sequence[Task], count: int, jobs: int) -> int:
    """Write the plans of at most `count` shares with `jobs` cores each, and the script; return the number of shares.

    Shares have equal numbers of runs. The runs of a formula are in one share or in consecutive ones, and the formulas are in an
    order without system, so that a hard family is not in one share.
    """
    if suite.file is None:
        raise InputError("a job array needs the file of the suite", source=suite.name)
    tasks = sorted(tasks, key=lambda task: digest(repr(task.words[:4]).encode()))
    count = min(count, len(tasks))
    for number in range(1, count + 1):
        keys = frozenset(task.key for task in tasks[len(tasks) * (number - 1) // count : len(tasks) * number // count])
        share_folder(folder, number).mkdir(parents=True)
        write_plans(share_folder(folder, number), {suite.name: SuitePlan(keys)})
    one_of_each = {task.solver: task for task in tasks}.values()
    seconds = math.ceil(max(longest(suite, [task], 1) for task in one_of_each)) + MORE_SECONDS
    values = {
        "COUNT": str(count),
        "JOBS": str(jobs),
        "MEMORY": f"{jobs * (math.ceil((suite.limits.memory or 0) / 2**20) + MORE_MEMORY)}M",
        "SECONDS": str(min(seconds, MOST_SECONDS)),
        "FOLDER": shlex.quote(str(folder.absolute())),
        "SUITE": shlex.quote(str(suite.file.absolute())),
        "BENCH": shlex.quote(str(Path(sys.executable).with_name("bench-cnf"))),
    }
    text = Path(__file__).with_name(SCRIPT).read_text()
    with atomic_file(folder / SCRIPT) as stream:
        stream.write(re.sub("@([A-Z]+)@", lambda match: values[match[1]], text).encode())
    return count


def suite_of_share(suite: Suite, folder: Path) -> Suite:
    """The suite with the runs of the share in this folder."""
    plan = read_plans(folder).get(suite.name)
    if plan is None:
        advice = "`bench-cnf run SUITE --slurm-array N` divides the missing runs among N shares"
        raise InputError(f"found no share of the suite {suite.name}, expected one: {advice}", source=str(folder))
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.key in plan.keys))


def collect(folder: Path, store: Store, *, discard: bool) -> None:
    """Move the results of all shares to the store (or `discard` them), and remove the shares. InputError while one runs."""
    files = results_of_shares(folder)
    for path in files:
        Journal(path).close()  # before any change: InputError if another process has the file
    for path in files:
        with Journal(path):
            for record, line in read_records(path, []):
                if line.sealed and not discard:
                    store.add(record)
            path.unlink()
    if files:
        store.read()
    for plan in (folder / SHARES).glob(f"[0-9]*/{PLAN}"):
        shutil.rmtree(plan.parent, ignore_errors=True)
