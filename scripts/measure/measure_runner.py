#!/usr/bin/env python3
"""Measure the runner and compare with its targets: overhead, accuracy, time to end a process tree. Takes half a minute.

    python scripts/measure/measure_runner.py

The programs are those of tests/solving/misbehaving. Run it on an idle machine: times are compared with a plain subprocess in the
same minute, and a busy core delays both. The exit code is 1 if a target is missed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import psutil
from tabulate import tabulate

from cnfgen_puzzles.solving.confinement import Confinement
from cnfgen_puzzles.solving.process import Limits, Measurement, run_process

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "solving"))
from misbehaving import Mark, program

MIB = 1 << 20
RUNS = 200  # of `true`
REPEATS = 3  # of the other measurements; the worst result counts
GONE_TARGET = 500  # ms


class Row(NamedTuple):
    what: str
    target: float  # at most
    measured: float
    unit: str

    @property
    def is_missed(self) -> bool:
        return self.measured > self.target


class Bench:
    """Runs with discarded output in a folder, and a mark that identifies their remaining processes."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.mark = Mark()

    def run(self, command: list[str], name: str = "", confinement: Confinement | None = None, **limits) -> Measurement:
        files = {"stdout": self.folder / f"{name}.out", "stderr": self.folder / f"{name}.err"}
        return run_process(command, **files, limits=Limits(**limits), env=self.mark.environment, confinement=confinement)

    def overhead(self) -> Iterator[Row]:
        """A run of `true`, confined as solvers are, against a plain subprocess. They alternate, so that the load is the same."""
        confinement = Confinement(self.folder)
        yield Row("first run, with the launcher's start", 200, milliseconds(lambda: self.run(["true"], "", confinement)), "ms")
        bare, ours = [], []
        for _ in range(RUNS):
            bare.append(milliseconds(lambda: subprocess.run(["true"], env=self.mark.environment)))
            ours.append(milliseconds(lambda: self.run(["true"], "", confinement)))
        yield Row("overhead of a run, mean", 20, statistics.mean(ours) - statistics.mean(bare), "ms")
        yield Row("overhead of a run, median", 20, statistics.median(ours) - statistics.median(bare), "ms")
        with ThreadPoolExecutor(2) as pool:
            names = [str(number % 2) for number in range(RUNS)]
            both = milliseconds(lambda: list(pool.map(lambda name: self.run(["true"], name, confinement), names)))
        yield Row("time for a run, two at a time", 25, both / RUNS, "ms")

    def memory(self) -> Iterator[Row]:
        own = self.run(program("spike", 4096, 0.1, 0)).memory
        spikes = [self.run(program("spike", 1024 * MIB, 0.02, 0)).memory for _ in range(REPEATS)]
        yield Row("peak of 1 GiB for 20 ms, error", 2, worst_error(spikes, 1024 * MIB + own), "%")
        own = self.run(program("crowd", 4, 4096, 0.2)).memory
        crowds = [self.run(program("crowd", 4, 100 * MIB, 0.2)).memory for _ in range(REPEATS)]
        yield Row("peak of 4 processes of 100 MiB, error", 2, worst_error(crowds, 400 * MIB + own), "%")
        yield Row("peak of sleep, called from a process of 200 MiB", 4, self.small_program(), "MiB")

    def small_program(self) -> float:
        ballast = b"x" * (200 * MIB)
        peak = self.run(["sleep", "0.2"]).memory
        del ballast
        return peak / MIB

    def cpu(self) -> Iterator[Row]:
        for how in ("waited", "orphaned"):
            own = self.run(program("children", 20, 0, how)).cpu
            times = [self.run(program("children", 20, 0.03, how)).cpu for _ in range(REPEATS)]
            yield Row(f"CPU time of 20 children of 30 ms, {how}, error", 5, worst_error(times, 20 * 0.03 + own), "%")

    def limits(self) -> Iterator[Row]:
        limit = 0.5
        trees = {
            "a process deaf to SIGTERM": program("deaf"),
            "a tree of 4": program("family"),
            "a forker of 300": program("forker", 300),
            "3 fork-and-end hoppers": program("hopper", 3),
        }
        for name, command in trees.items():
            times = [milliseconds(lambda command=command: self.run(command, wall=limit)) for _ in range(REPEATS)]
            yield Row(f"{name}, gone after its wall limit", GONE_TARGET, max(times) - 1000 * limit, "ms")
        flood = self.run(program("flood", 1), output=64 * MIB)
        yield Row("an output flood, ended at 64 MiB after", 1000, 1000 * flood.wall, "ms")

    def killed_caller(self) -> Iterator[Row]:
        """`kill -9` of a process in run_process."""
        times = []
        runner = [sys.executable, Path(program("runner")[-1]), *program("family")]
        for _ in range(REPEATS):
            caller = subprocess.Popen(runner, cwd=self.folder, env=self.mark.environment)
            self.mark.await_found(program("family"), 4)
            caller.kill()
            times.append(milliseconds(lambda: (caller.wait(), self.mark.await_none(program("family")))))  # noqa: B023
        yield Row("a tree of 4, gone after kill -9 of the caller", GONE_TARGET, max(times), "ms")

    def watching(self) -> Iterator[Row]:
        """The CPU time of a supervisor that monitors a run, in steady state."""
        for name, command in {"one process": ["sleep", "60"], "16 processes": program("crowd", 15, MIB, 60)}.items():
            run = threading.Thread(target=self.run, args=(command,), kwargs={"wall": 4})
            run.start()
            time.sleep(1)
            [launcher] = psutil.Process().children()
            [supervisor] = [each for each in launcher.children() if each.children()]  # others are idle
            before, start = sum(supervisor.cpu_times()[:2]), time.monotonic()
            time.sleep(2.5)
            used = sum(supervisor.cpu_times()[:2]) - before
            yield Row(f"CPU for watching {name}", 3, 100 * used / (time.monotonic() - start), "% of a core")
            run.join()


def milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def worst_error(measured: list[float], true: float) -> float:
    """The value in percent."""
    return max(100 * abs(value - true) / true for value in measured)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        parts = (bench.overhead, bench.memory, bench.cpu, bench.limits, bench.killed_caller, bench.watching)
        rows = [row for part in parts for row in part()]
        left = bench.mark.alive()
    rows.append(Row("processes left behind", 0, len(left), ""))
    table = [
        (row.what, f"{row.target:g} {row.unit}", f"{row.measured:.3g} {row.unit}", "missed" if row.is_missed else "")
        for row in rows
    ]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(tabulate(table, headers=("", "at most", "measured", "")))
    sys.exit(any(row.is_missed for row in rows))


if __name__ == "__main__":
    main()
