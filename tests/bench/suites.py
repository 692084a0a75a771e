"""Small suites of CNF files, and small programs that replace solvers, for tests of running them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.analyse.rules import Rules
from cnfgen_puzzles.bench.analyse.scores import Score, group_scores

RECORDED = Path(__file__).parents[1] / "golden" / "runs"
"""Results of the suite instances/suites/smoke.yaml."""

SAT = "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
UNSAT = "p cnf 1 2\n1 0\n-1 0\n"

NONOGRAMS = """\
name: small
instances:
  - family: nonogram
    puzzles: ["*.nin"]
    encodings: [order, direct]
solvers: [kissat, minisat]
limits: {cpu: 5, wall: 20, memory: 1GiB}
jobs: 2
"""
"""A suite's text, for a folder with nonograms."""

HONEST = "print('s SATISFIABLE\\nv 1 -2 3 0'); sys.exit(10)"
"""Solves SAT."""


def solver(folder: Path, name: str, body: str) -> Path:
    """A program that runs this Python text; the formula's file is its last argument."""
    path = folder / name
    path.write_text(f"#!{sys.executable} -S\nimport os, sys, time, signal, subprocess\n{body}\n")
    path.chmod(0o755)
    return path


def made_run(solver: str, status: str, cpu: float = 1.0, instance: str = "i", encoding: str = "e", **more) -> dict:
    """A record of a run that was not made, of the suite `s` and the family `f`."""
    host = more.pop("host", "h")
    key = json.dumps(["f", instance, encoding, None, solver, more.get("seed"), 1])
    return {
        "record": 2, "key": key, "suite": "s", "family": "f", "instance": instance, "encoding": encoding, "scramble": None,
        "solver": solver, "version": "1", "binary_sha256": solver, "status": status, "cpu": cpu, "wall": cpu, "memory": 1,
        "seed": None, "repetition": 1, "limits": {"cpu": 10, "wall": 30}, "machine": {"host": host}, "date": "2026-01-01",
        "ended": "exit",
    } | more  # fmt: skip


def suite(folder: Path, solvers: list, *, files: int = 1, text: str = SAT, **keys) -> Path:
    """A suite with this number of CNF files of the same formula."""
    for number in range(files):
        (folder / f"f{number:03}.cnf").write_text(text)
    value = {
        "name": "small",
        "instances": [{"cnf": ["*.cnf"]}],
        "solvers": solvers,
        "limits": {"cpu": 5, "wall": 10, "memory": "1GiB"},
        "jobs": 2,
    }
    path = folder / "suite.yaml"
    path.write_text(json.dumps(value | keys))  # JSON is YAML
    return path


def run_all(path: Path, folder: Path, **settings) -> list[dict]:
    """Run what is missing; returns the new records."""
    fresh: list[dict] = []
    run_suite(path, folder, report=fresh.append, **settings)
    return fresh


def scores(records: list[dict], *by, **rules) -> list[Score]:
    """The scores of all groups."""
    return [score for group in group_scores(records, *by, rules=Rules(**rules)) for score in group.scores]


def records(folder: Path) -> list[dict]:
    """The records in the result file, line by line."""
    return [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
