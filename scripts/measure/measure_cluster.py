#!/usr/bin/env python3
"""Measure benchmarks on many machines: the Dask scheduler with simulated workers, and the shares of a job array. No solver runs.

    python scripts/measure/measure_cluster.py --workers 1000 --runs 100000
    python scripts/measure/measure_cluster.py --shares 10000 --runs 1000000

With --workers: the real scheduler, the real loop of bench-cnf, and one process in place of all workers. A run returns a record at
once. So the numbers are the costs of scheduling, sending, and storing, for short runs. With
--shares: the time to divide a suite, to start one share, and to collect the results of all shares, each with its peak memory.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import pickle
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

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run import workers
from cnfgen_puzzles.bench.run.job import BenchJob, place_of
from cnfgen_puzzles.bench.run.shares import share_folder
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.journal import sealed_line
from cnfgen_puzzles.common.version import __version__
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


def many_workers(scheduler: str, count: int) -> None:
    """Be so many workers, until this process is killed: connections that answer the messages of the scheduler as workers do.

    A Worker of Dask takes more CPU time for its messages than the scheduler. The workers have the addresses 127.0.0.1, 127.0.0.2,
    ... and one server, which holds their results.
    """
    from distributed.batched import BatchedSend
    from distributed.comm import connect
    from distributed.core import Server, Status
    from distributed.protocol import to_serialize
    from distributed.versions import get_versions

    results: dict[str, Any] = {}
    versions = get_versions()

    async def get_data(comm: Any, keys: list[str], serializers: list[str] | None = None, **_: object) -> Any:
        data = {key: to_serialize(results[key]) for key in keys if key in results}
        await comm.write({"status": "OK", "data": data}, serializers=serializers)
        await comm.read(deserializers=serializers)
        return Status.dont_reply

    def run(**_: object) -> dict[str, Any]:
        facts = {"name": "simulated", "threads": 1, "version": __version__, "binaries": {}}
        return {"status": "OK", "result": to_serialize(facts)}

    def compute(message: dict[str, Any]) -> dict[str, Any]:
        try:
            results[message["key"]] = message["run_spec"]({})
            more = {
                "op": "task-finished",
                "nbytes": 5000,
                "type": pickle.dumps(dict),
                "typename": "dict",
                "metadata": {},
                "status": "OK",
            }
        except Exception as error:
            more = {"op": "task-erred", "exception": to_serialize(pickle.dumps(error)), "traceback": None}
            more |= {"exception_text": repr(error), "traceback_text": ""}
        same = {"key": message["key"], "run_id": message["run_id"], "stimulus_id": message["stimulus_id"]}
        return same | more | {"thread": 1, "startstops": []}

    async def be_worker(number: int, port: int) -> None:
        comm = await connect(scheduler)
        address = f"tcp://127.{number >> 16}.{number >> 8 & 255}.{number & 255}:{port}"
        ids = {"name": f"worker-{number}", "server_id": f"worker-{number}", "stimulus_id": f"start-{number}", "pid": os.getpid()}
        metrics = {"memory": 0, "spilled_bytes": {"memory": 0, "disk": 0}, "cpu": 0, "managed_bytes": 0, "task_counts": {}}
        metrics |= {
            "digests_total_since_heartbeat": {},
            "event_loop_interval": 0.02,
            "host": {},
            "bandwidth": {"workers": {}, "types": {}},
        }
        metrics["bandwidth"]["total"] = 10**8
        rest = {
            "resources": {},
            "memory_limit": 0,
            "local_directory": "",
            "services": {},
            "versions": versions,
            "nanny": None,
            "extra": {},
        }
        first = {
            "op": "register-worker",
            "reply": False,
            "address": address,
            "status": "running",
            "nthreads": 1,
            "now": time.time(),
        }
        await comm.write(first | ids | rest | {"metrics": metrics}, serializers=["msgpack"])
        await comm.read(deserializers=["msgpack"])
        answers = BatchedSend(interval="5ms")
        answers.start(comm)
        connected.append(number)
        while True:
            messages = await comm.read()
            for message in messages if isinstance(messages, (list, tuple)) else [messages]:
                if message.get("op") == "compute-task":
                    answers.send(compute(message))
                elif message.get("op") == "free-keys":
                    for key in message["keys"]:
                        results.pop(key, None)

    async def work() -> None:
        server = Server(handlers={"get_data": get_data, "run": run})
        await server.listen("tcp://0.0.0.0:0")
        running = []
        for number in range(1, count + 1):
            running.append(asyncio.ensure_future(be_worker(number, server.port)))
            while len(running) - len(connected) >= 100:
                await asyncio.sleep(0.01)
        await asyncio.gather(*running)

    connected: list[int] = []
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
    try:
        while not file.exists():
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        simulated = multiprocessing.get_context("spawn").Process(target=many_workers, args=(address, count), daemon=True)
        simulated.start()
        from distributed import Client

        started = time.monotonic()
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=1800)
        yield "seconds until all workers are connected", time.monotonic() - started
        watched = {
            "scheduler": psutil.Process(scheduler.pid),
            "bench-cnf": psutil.Process(),
            "the simulated workers": psutil.Process(simulated.pid),
        }
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
        simulated.kill()
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
    tasks = {task.key: task for task in read_suite(path).tasks}
    for number in range(2, count + 1):  # the records of the first share, with the names of the others
        place = share_folder(folder / "out", number)
        with (place / "runs.jsonl").open("wb") as stream:
            for key in json.loads((place / "plan.json").read_text())["suites"]["made"]["keys"]:
                task = tasks[key]
                names = {"instance": task.instance.name, "solver": task.solver.label, "repetition": task.repetition}
                stream.write(
                    sealed_line({name: value for name, value in made[0].items() if name != "seal"} | names | {"key": key})
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
    os.environ |= {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical", "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1 day"}
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        rows = (
            of_workers(Path(folder), given.workers, given.runs)
            if given.workers
            else of_shares(Path(folder), given.shares, given.runs)
        )
        for name, value in rows:
            print(f"{name}: {value:.3g}" if isinstance(value, float) else f"{name}: {value}", flush=True)


if __name__ == "__main__":
    main()
