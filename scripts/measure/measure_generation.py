#!/usr/bin/env python3
"""Measure how fast formulas are generated and written, and compare with the targets and with PySAT's CNF class.

    python scripts/measure/measure_generation.py [PUZZLE.nin]      (pip install -e '.[compare]' for PySAT)

The puzzle is webpbn-22336 if it is available (5.4 million clauses in `direct`), otherwise the largest puzzle of the repository.
Each measurement is a separate process, for its peak memory.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLES = REPOSITORY.parent / "shared" / "data" / "nonogram"
SHIPPED = REPOSITORY / "instances" / "nonogram"
SMALL = SHIPPED / "webpbn" / "webpbn-00006.nin"  # 20x20
RUNS = 5


def ours(puzzle: str, target: str) -> int:
    """Encode and write; returns the number of clauses."""
    import cnfgen_puzzles as cp

    instance = cp.encode(cp.read(puzzle, family="nonogram"), "direct")
    with Path(target).open("wb") as stream:
        instance.write(stream)
    return instance.cnf.num_clauses


def pysat(puzzle: str, target: str) -> int:
    """Append the same clauses in the same order to PySAT's CNF, and write it.

    The generation of the clauses is not included: the time of PySAT is that of its class only, ours includes everything.
    """
    from pysat.formula import CNF

    import cnfgen_puzzles as cp

    formula = cp.encode(cp.read(puzzle, family="nonogram"), "direct").cnf
    clauses = list(formula.clauses())
    started = time.perf_counter()
    cnf = CNF()
    for clause in clauses:
        cnf.append(clause)
    cnf.to_file(target)
    print(json.dumps({"seconds": time.perf_counter() - started}), file=sys.stderr)
    return formula.num_clauses


def child(which: str, puzzle: str, target: str) -> None:
    """Call the function in a new process, and return its resources."""
    started = time.perf_counter()
    clauses = {"ours": ours, "pysat": pysat}[which](puzzle, target)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"clauses": clauses, "seconds": seconds, "peak": peak}))


def measure(which: str, puzzle: Path, folder: str) -> dict:
    """The fastest of RUNS processes."""
    results = []
    for _ in range(RUNS):
        words = [sys.executable, __file__, "--child", which, str(puzzle), f"{folder}/x.cnf"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        result = json.loads(done.stdout)
        if done.stderr.strip():
            result |= json.loads(done.stderr.strip().splitlines()[-1])
        results.append(result)
    return min(results, key=lambda result: result["seconds"])


def start_up() -> float:
    """CPU seconds of `gen-cnf` on a 20x20 puzzle, including everything: the minimum of RUNS runs."""
    command = [str(Path(sys.executable).with_name("gen-cnf")), "nonogram", str(SMALL)]
    costs = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(costs)


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:])
    large = SAMPLES / "webpbn-22336.nin"
    shipped = SHIPPED / "webpbn" / "webpbn-01611.nin"
    puzzle = Path(sys.argv[1]) if len(sys.argv) > 1 else large if large.exists() else shipped
    with tempfile.TemporaryDirectory() as folder:
        mine = measure("ours", puzzle, folder)
        rows = [
            ["clauses of " + puzzle.stem, "", f"{mine['clauses']:,}"],
            [
                "million clauses a second, from the puzzle file to the CNF file",
                ">= 1",
                f"{mine['clauses'] / mine['seconds'] / 1e6:.2f}",
            ],
            ["peak memory, MiB", "< 400 MB", f"{mine['peak'] / 2**20:.0f} ({mine['peak'] / 1e6:.0f} MB)"],
            ["gen-cnf on a 20x20 puzzle, process time, s", "<= 0.2", f"{start_up():.3f}"],
        ]
        if importlib.util.find_spec("pysat"):
            theirs = measure("pysat", puzzle, folder)
            rows.append(
                [
                    "PySAT's CNF class, append and write only, times our seconds",
                    "> 1",
                    f"{theirs['seconds'] / mine['seconds']:.2f}",
                ]
            )
        else:
            rows.append(["PySAT's CNF class", "> 1 times our seconds", "not installed: pip install -e '.[compare]'"])
    print(tabulate(rows, headers=["what", "target", "measured"], disable_numparse=True))
    return None


if __name__ == "__main__":
    main()
