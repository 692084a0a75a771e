"""Running a suite: every task once, several at a time with cores of their own, every answer checked, every result kept."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.store import Store
from cnfgen_puzzles.bench.suite import Suite, Task
from cnfgen_puzzles.errors import CnfgenError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.solve import BrokenBoard, checked_board
from cnfgen_puzzles.solving.answers import SATISFIABLE
from cnfgen_puzzles.solving.process import interrupt_runs
from cnfgen_puzzles.solving.record import record_of
from cnfgen_puzzles.solving.run import ERROR, WRONG, Run, run_solver
from cnfgen_puzzles.solving.table import find_solver
from cnfgen_puzzles.sources import open_source

KEPT_INSTANCES = 4
"""Formulas held in memory: tasks come sorted by instance, so a few more than the runs in flight are enough."""


def execute(suite: Suite, store: Store, folder: Path, report: Callable[[dict[str, Any]], None]) -> None:
    """Make every run of `suite` that `store` does not have yet; `report` is called with each new result."""
    done = {entry["key"] for entry in store.entries}
    tasks = [task for task in suite.tasks if task.key not in done]
    cores = Cores(suite.jobs)
    instances = Instances(suite, folder)

    def work(task: Task) -> None:
        result = run_task(suite, task, instances, cores, folder)
        store.add(result)
        report(result)

    with ThreadPoolExecutor(suite.jobs) as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            for future in futures:
                future.result()
        except BaseException:  # Ctrl-C or a fault of ours: stop what runs now, begin nothing new
            pool.shutdown(wait=False, cancel_futures=True)
            interrupt_runs()
            raise


def run_task(suite: Suite, task: Task, instances: Instances, cores: Cores, folder: Path) -> dict[str, Any]:
    """One run with its result: where it belongs in the suite, what `record_of` tells, and the board's check."""
    instance, cnf_file, encode_seconds = instances.get(task)
    solver = find_solver(task.solver)
    with cores.take(suite.jobs if solver.parallel else 1) as mine:
        place = {
            "key": task.key,
            "suite": suite.name,
            "family": task.family,
            "instance": task.instance,
            "encoding": task.encoding,
            "encode_seconds": round(encode_seconds, 4),
            "threads": len(mine) if solver.parallel else 1,
        }
        try:
            run = run_solver(
                solver,
                cnf_file,
                cnf=instance.cnf,
                limits=suite.limits,
                seed=task.seed,
                threads=len(mine) if solver.parallel else None,
                cores=mine,
                keep=folder,
            )
        except (CnfgenError, OSError) as error:  # its program vanished, say: the other runs go on
            return place | failed_record(suite, task, str(error))
    return place | record_of(check_board(instance, run), instance.cnf)


def failed_record(suite: Suite, task: Task, reason: str) -> dict[str, Any]:
    """What is kept of a run that could not be made."""
    limits = {"cpu": suite.limits.cpu, "wall": suite.limits.wall, "memory": suite.limits.memory}
    nothing_used = {"cpu": 0.0, "wall": 0.0, "memory": 0, "kept": None}
    return {"solver": task.solver, "seed": task.seed, "limits": limits, "status": ERROR, "reason": reason} | nothing_used


def check_board(instance: Instance, run: Run) -> Run:
    """The run as it is if its board obeys the rules, else WRONG: then an encoding or a map is at fault."""
    if run.status == SATISFIABLE:
        try:
            checked_board(instance.family, instance.puzzle, instance.map, run.model)
        except BrokenBoard as error:
            return replace(run, status=WRONG, reason=str(error), model=None)
    return run


class Instances:
    """Encodes each instance once, writes its CNF, and keeps the last few in memory."""

    def __init__(self, suite: Suite, folder: Path):
        self.suite = suite
        self.folder = folder / "cnf"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._made: dict[tuple[str, str, str], tuple[Instance, Path, float]] = {}
        self._lock = threading.Lock()

    def get(self, task: Task) -> tuple[Instance, Path, float]:
        """The instance of a task, its CNF file, and the seconds that reading, encoding and writing took."""
        key = (task.family, task.instance, task.encoding)
        with self._lock:
            if key not in self._made:
                while len(self._made) >= KEPT_INSTANCES:
                    self._made.pop(next(iter(self._made)))
                self._made[key] = self._make(task)
            return self._made[key]

    def _make(self, task: Task) -> tuple[Instance, Path, float]:
        started = time.perf_counter()
        family = find_family(task.family)
        puzzle = family.read(open_source(self.suite.puzzle_file(task)))
        instance = make_instance(family, puzzle, task.encoding)
        name = "_".join(Path(task.instance).parts[-2:]).replace("..", "")
        path = self.folder / f"{name}.{task.encoding}.cnf"
        with path.open("wb") as stream:
            instance.write(stream)
        return instance, path, time.perf_counter() - started


class Cores:
    """The cores of this machine that a suite may use, handed out so that no two runs share one."""

    def __init__(self, count: int):
        self._free = sorted(os.sched_getaffinity(0))[:count]
        self.count = len(self._free)
        self._changed = threading.Condition()

    @contextmanager
    def take(self, wanted: int) -> Iterator[list[int]]:
        """Wait for `wanted` free cores (at most all of them) and give them back afterwards."""
        wanted = min(wanted, self.count)
        with self._changed:
            self._changed.wait_for(lambda: len(self._free) >= wanted)
            mine, self._free = self._free[:wanted], self._free[wanted:]
        try:
            yield mine
        finally:
            with self._changed:
                self._free = sorted(self._free + mine)
                self._changed.notify_all()
