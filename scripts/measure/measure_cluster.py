#!/usr/bin/env python3
"""Measure benchmarks on many machines: the Dask scheduler with simulated workers, and the shares of a job array. No solver runs.

    python scripts/measure/measure_cluster.py --workers 1000 --runs 100000
    python scripts/measure/measure_cluster.py --shares 10000 --runs 1000000

With --workers: the real scheduler, the real loop of bench-cnf, and real workers of Dask, many in each process. A run returns a
record at once. So the numbers are the costs of scheduling, sending, and storing; workers on one machine share its cores. With
--shares: the time to divide a suite, to start one share, and to collect the results of all shares, each with its peak memory.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from make_results import write_suite
from tabulate import tabulate

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run import workers
from cnfgen_puzzles.bench.run.job import BenchJob, place_of
from cnfgen_puzzles.bench.run.shares import share_folder
from cnfgen_puzzles.bench.runs import Store
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.evidence.evidence import MODEL
from cnfgen_puzzles.solving.answers import SATISFIABLE
from cnfgen_puzzles.solving.run import circumstances

BENCH = Path(sys.executable).with_name("bench-cnf")
Row = tuple[str, object]


def simulated_run(job: BenchJob, _cache: object = None, _source: object = None) -> Record:
    """The record of a run that a solver could have made."""
    usage = {
        "cpu": 1.0,
        "wall": 1.0,
        "memory": 10**7,
        "kept": None,
        "exit_code": 10,
        "command": f"solver {job.prepared.cnf_file}",
    }
    outcome = {"status": SATISFIABLE, "reason": "", "verified": True, "evidence": {"kind": MODEL, "by": "", "note": ""}}
    more = {
        "cores": [0],
        "binary_sha256": job.binary,
        "output": "s SATISFIABLE\n" + "c a line of the solver\n" * 40,
        "worker": "w",
    }
    return place_of(job.suite, job.task, job.prepared) | outcome | usage | circumstances(job.suite.limits) | more


# -- a scheduler and workers ------------------------------------------------------------------------------------------------


def many_workers(address: str, count: int) -> None:
    """So many workers of Dask in this process, until it is killed."""
    from distributed import Worker

    async def work() -> None:
        for start in range(0, count, 50):
            made = [Worker(address, nthreads=1, dashboard=False, memory_limit=0) for _ in range(start, min(start + 50, count))]
            await asyncio.gather(*made)
            kept.extend(made)
        await asyncio.Event().wait()

    kept: list[Any] = []
    raise_limits()
    asyncio.run(work())


def raise_limits() -> None:
    """Allow as many open files as possible: each worker has some connections."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (200_000, 200_000))


def of_workers(folder: Path, count: int, runs: int) -> Iterator[Row]:
    raise_limits()
    file = folder / "scheduler.json"
    words = ["--no-dashboard", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    scheduler = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", *words], stderr=subprocess.DEVNULL)
    processes = []
    try:
        while not file.exists():
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        spawn = multiprocessing.get_context("spawn")
        for part in range(2):
            processes.append(spawn.Process(target=many_workers, args=(address, (count + part) // 2), daemon=True))
            processes[-1].start()
        from distributed import Client

        started = time.monotonic()
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=1800)
        yield "seconds until all workers are connected", time.monotonic() - started
        watched = {"scheduler": psutil.Process(scheduler.pid), "bench-cnf": psutil.Process()}
        before = {name: process.cpu_times() for name, process in watched.items()}
        path = write_suite(folder, runs, min(1000, runs // 10), 10)
        suite = read_suite(path)
        yield "runs", len(suite.tasks)
        first: list[float] = []
        last: list[float] = []
        most = dict.fromkeys(watched, 0)

        def report(_record: Record) -> None:
            first[:] = first or [time.monotonic()]
            last[:] = [time.monotonic()]
            if not next(ticks) % 1000:
                for name, process in watched.items():
                    most[name] = max(most[name], process.memory_info().rss)

        ticks = iter(range(sys.maxsize))
        workers.run_elsewhere = simulated_run
        done = run_suite(suite, folder / "out", scheduler=address, report=report, other_binaries=True, whole=False)
        yield "runs without a result", len(suite.tasks) - len(done.records)
        yield "seconds from the first to the last result", last[0] - first[0]
        yield "runs per second", len(suite.tasks) / (last[0] - first[0])
        for name, process in watched.items():
            used = process.cpu_times()
            yield f"CPU ms per run of {name}", 1000 * (used.user + used.system - before[name].user - before[name].system) / runs
            yield f"peak MiB of {name} during the runs", most[name] / 2**20
    finally:
        for process in processes:
            process.kill()
        scheduler.kill()
        scheduler.wait()


# -- shares -----------------------------------------------------------------------------------------------------------------


def measured(*words: object) -> tuple[float, float, float]:
    """Elapsed seconds, CPU seconds, and peak MiB of a command."""
    started = time.monotonic()
    process = subprocess.Popen([BENCH, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"bench-cnf {words[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def of_shares(folder: Path, count: int, runs: int) -> Iterator[Row]:
    path = write_suite(folder, runs, min(10_000, runs // 10), 10)
    for name, words in {
        f"divide into {count} shares": ("--slurm-array", count),
        "make one share": ("--share", 1),
    }.items():
        elapsed, cpu, memory = measured("run", path, "-o", folder / "out", *words)
        yield f"{name}: seconds, CPU seconds, MiB", f"{elapsed:.1f}, {cpu:.1f}, {memory:.0f}"
    made = [json.loads(line) for line in (share_folder(folder / "out", 1) / "runs.jsonl").read_text().splitlines()]
    yield "runs of one share", len(made)
    yield "wall seconds inside the runs of one share", sum(record["wall"] for record in made)
    suite = read_suite(path)
    tasks = {task.key: task for task in suite.tasks}
    for number in range(2, count + 1):
        place = share_folder(folder / "out", number)
        with Store(place / "runs.jsonl") as store:
            for key in json.loads((place / "plan.json").read_text())["suites"]["made"]["keys"]:
                names = ("instance", "solver", "repetition")
                task = tasks[key]
                values = dict(zip(names, (task.instance.name, task.solver.label, task.repetition), strict=True))
                cnf = made[0]["cnf_file"].replace(Path(made[0]["instance"]).name, Path(task.instance.name).name)
                store.add(
                    {**{name: value for name, value in made[0].items() if name != "seal"}, **values, "key": key, "cnf_file": cnf}
                )
    yield "MiB of all results", sum(place.stat().st_size for place in (folder / "out").glob("shares/*/runs.jsonl")) / 2**20
    for name, words in {
        "check": ("check", path, "-o", folder / "out"),
        "collect the shares, and scores": ("run", path, "-o", folder / "out"),
        "scores": ("scores", folder / "out"),
        "start again with all results": ("run", path, "-o", folder / "out", "--slurm-array", count),
    }.items():
        elapsed, cpu, memory = measured(*words)
        yield f"{name}: seconds, CPU seconds, MiB", f"{elapsed:.1f}, {cpu:.1f}, {memory:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--workers", type=int)
    kind.add_argument("--shares", type=int)
    parser.add_argument("--runs", type=int, default=10_000)
    given = parser.parse_args()
    os.environ["DASK_DISTRIBUTED__LOGGING__DISTRIBUTED"] = "critical"
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        rows = (
            of_workers(Path(folder), given.workers, given.runs)
            if given.workers
            else of_shares(Path(folder), given.shares, given.runs)
        )
        print(tabulate(list(rows), floatfmt=".3g"))


if __name__ == "__main__":
    main()
