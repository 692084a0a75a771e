#!/usr/bin/env python3
"""Measure what bench-cnf adds to the runs that it makes, each number beside its target.

    python scripts/measure_bench.py [--runs 10000]

Overhead: wall time of the whole benchmark, times cores, less what the runs themselves took, for runs of a program that answers at
once. Utilisation: the part of all cores' time that runs of a second (of computing) take. Resume: from the start of the command on
a half-done result file to the beginning of the first run. Ends with status 1 if a target is missed; measure on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

BENCH = Path(sys.executable).with_name("bench-cnf")
TRIVIAL = "#!/bin/sh\ntouch {begun}\necho 's UNKNOWN'\n"
BURN = """#!{python} -S
import time
end = time.process_time() + 1
while time.process_time() < end:
    pass
print("s UNKNOWN")
"""


def suite(folder: Path, program: str, runs: int) -> Path:
    """One tiny CNF file, run so often by a program."""
    folder.mkdir(parents=True)
    (folder / "tiny.cnf").write_text("p cnf 2 2\n1 2 0\n-1 2 0\n")
    solver = folder / "solver"
    solver.write_text(program.format(begun=folder / "begun", python=sys.executable))
    solver.chmod(0o755)
    value = {
        "name": "measured",
        "instances": [{"cnf": ["tiny.cnf"]}],
        "solvers": ["./solver"],
        "repetitions": runs,
        "limits": {"cpu": 10, "wall": 60},
    }
    path = folder / "suite.yaml"
    path.write_text(json.dumps(value))
    return path


def run(path: Path) -> tuple[float, list[dict]]:
    """Seconds of the whole command, and the records."""
    started = time.monotonic()
    subprocess.run([BENCH, "run", path, "-o", path.parent / "out"], check=True, stdout=subprocess.DEVNULL)
    records = [json.loads(line) for line in (path.parent / "out" / "runs.jsonl").read_text().splitlines()]
    return time.monotonic() - started, records


def rows(folder: Path, runs: int) -> Iterator[tuple[str, float, float, str]]:
    """What, target, measured, unit."""
    cores = len(os.sched_getaffinity(0))
    path = suite(folder / "trivial", TRIVIAL, runs)
    before = os.times()
    seconds, records = run(path)
    cpu = sum(os.times()[2:4]) - sum(before[2:4])
    inside = sum(record["wall"] for record in records)
    yield f"overhead of a run, {runs} runs on {cores} cores", 25.0, 1000 * (seconds * cores - inside) / runs, "ms"
    yield (
        "CPU time of all that is not the program, of a run",
        25.0,
        1000 * (cpu - sum(record["cpu"] for record in records)) / runs,
        "ms",
    )
    yield "runs that are missing or twice", 0, abs(len({record["key"] for record in records}) - runs), ""

    results = path.parent / "out" / "runs.jsonl"
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join(lines[: runs // 2]) + lines[runs // 2][:100])
    begun = path.parent / "begun"
    begun.unlink()
    started = time.monotonic()
    process = subprocess.Popen([BENCH, "run", path, "-o", path.parent / "out"], stdout=subprocess.DEVNULL)
    while not begun.exists() and process.poll() is None:
        time.sleep(0.005)
    yield f"first run of a half-done file of {runs} runs, after", 2.0, time.monotonic() - started, "s"
    process.terminate()
    process.wait()

    count = 20 * cores
    seconds, records = run(suite(folder / "burn", BURN, count))
    inside = sum(record["wall"] for record in records)
    yield f"time of the cores that is not in runs, {count} runs of 1 s", 10.0, 100 - 100 * inside / (seconds * cores), "%"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10000)
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        found = list(rows(Path(folder), given.runs))
    table = [
        (what, f"{target:g} {unit}", f"{measured:.3g} {unit}", "missed" if measured > target else "")
        for what, target, measured, unit in found
    ]
    print(tabulate(table, headers=("", "at most", "measured", "")))
    sys.exit(any(measured > target for _, target, measured, _ in found))


if __name__ == "__main__":
    main()
