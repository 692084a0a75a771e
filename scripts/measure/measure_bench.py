#!/usr/bin/env python3
"""Measure the overhead of bench-cnf, and compare each number with its target.

    python scripts/measure/measure_bench.py [--runs 10000]
    python scripts/measure/measure_bench.py --results 1000000      # reading synthetic results

Overhead: the wall time of the benchmark times the number of cores, minus the time of the runs, for a program that answers
immediately. Utilization: the share of the cores' time that runs of one CPU second take. Resume: the time from the start of the
command on a half-complete result file to the start of the first run. The exit code is 1 if a target is missed; measure on an idle
machine.

With --results: CPU seconds and peak memory of each command with all its processes, measured by the runner for solvers.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from make_results import write_results, write_suite
from tabulate import tabulate

from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.solving.process import Measurement, run_process

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
    """A suite with one tiny CNF file and this number of runs of a program."""
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
    """The seconds of the whole command, and the records."""
    started = time.monotonic()
    subprocess.run([BENCH, "run", path, "-o", path.parent / "out"], check=True, stdout=subprocess.DEVNULL)
    records = [json.loads(line) for line in (path.parent / "out" / "runs.jsonl").read_text().splitlines()]
    return time.monotonic() - started, records


def rows(folder: Path, runs: int) -> Iterator[tuple[str, float, float, str]]:
    """Yield the name, the target, the measured value, and the unit of each measurement."""
    cores = len(usable_cores())
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


def command(folder: Path, *words: object, expected: tuple[int, ...] = (0,)) -> Measurement:
    """Run a command of bench-cnf and measure it."""
    errors = folder / "stderr"
    done = run_process([BENCH, *map(str, words)], stdout=folder / "stdout", stderr=errors)
    if done.exit_code not in expected:
        raise SystemExit(f"bench-cnf {words[0]} ended with {done.exit_code}: {errors.read_text()[-400:]}")
    return done


def result_rows(folder: Path, runs: int) -> Iterator[tuple[str, float, float, str]]:
    """Measure the commands that read results: with `runs` records, when resuming a benchmark of `runs` runs, and with 20,000."""
    results = folder / "results"
    write_results(results, runs, machines=4)
    named = f"{runs:,} runs"
    commands: dict[str, tuple[object, ...]] = {
        "scores": ("scores", results),
        "plot": ("plot", results, "-o", folder / "plots"),
        "export --csv": ("export", results, "--csv", folder / "x.csv"),
        "export --parquet": ("export", results, "--parquet", folder / "x.parquet"),
        "export --json": ("export", results, "--json", folder / "x.json"),
        "diff of a quarter with itself": ("diff", results / "node01", results / "node01"),
        "report": ("report", results, "-o", folder / "report.html"),
    }
    for what, words in commands.items():
        done = command(folder, *words, expected=(0, 1))
        yield f"{what}, {named}", 120.0, done.cpu, "CPU s"
        yield f"{what}, {named}", 1024.0, done.memory / (1 << 20), "MiB"
    shutil.rmtree(results)

    whole = folder / "suite"
    path = write_suite(whole, runs, 1000, 20)
    [results] = write_results(whole / "results", runs, suite=True)
    lines = results / "runs.jsonl"
    last = lines.read_bytes()[-10_000:].splitlines(keepends=True)[-1]
    os.truncate(lines, cut := lines.stat().st_size - len(last))
    started = time.monotonic()
    process = subprocess.Popen([BENCH, "run", path, "-o", results], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while lines.stat().st_size == cut and process.poll() is None:
        time.sleep(0.02)
    yield f"first run of a resumed benchmark, {named}, after", 10.0, time.monotonic() - started, "s"
    process.terminate()
    process.wait()
    shutil.rmtree(whole)

    write_results(folder / "few", 20_000)
    page = folder / "few" / "report.html"
    yield "report, 20,000 runs", 10.0, command(folder, "report", folder / "few").cpu, "CPU s"
    yield "report, 20,000 runs", 10.0, page.stat().st_size / 1e6, "MB"
    if seconds := opened(page):
        yield "report, 20,000 runs, opened by Chromium", 3.0, seconds, "s"


def opened(page: Path) -> float | None:
    """The seconds of a headless Chromium; None if it is not installed."""
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if find_spec("selenium") is None or not all(programs):
        return None
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(programs[0])
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(word)
    driver = webdriver.Chrome(options, webdriver.ChromeService(str(programs[1])))
    try:
        driver.get("about:blank")
        started = time.monotonic()
        driver.get(page.as_uri())
        return time.monotonic() - started
    finally:
        driver.quit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--results", type=int, metavar="RUNS", help="measure what reads results, with so many made-up runs")
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        measured = result_rows(Path(folder), given.results) if given.results else rows(Path(folder), given.runs)
        found = list(measured)
    table = [
        (what, f"{target:g} {unit}", f"{measured:.3g} {unit}", "missed" if measured > target else "")
        for what, target, measured, unit in found
    ]
    print(tabulate(table, headers=("", "at most", "measured", "")))
    sys.exit(any(measured > target for _, target, measured, _ in found))


if __name__ == "__main__":
    main()
