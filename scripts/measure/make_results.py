#!/usr/bin/env python3
"""Make synthetic results of benchmarks, for tests and measurements of the programs that read them. No solver runs.

    python scripts/measure/make_results.py FOLDER [--runs 1000000] [--machines 4] [--instances 1000] [--solvers 20] [--seed 0] [--suite]

Records have the fields and sizes of real ones (2.3 KB each; 15 seconds for a million on an idle core). Times are log-normal, with
the hardness of the instance and the speed of the solver as parameters; the results include time limits, ties, failures, and
claims. Each machine has one folder. With --suite, the script also writes the instances as CNF files, and a `suite.yaml` for
exactly these runs.
"""

# ruff: noqa: E501  (a record as one table of fields)
from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

CPU, WALL, MEMORY = 10.0, 30.0, 2 << 30
NAMES = ("kissat", "cadical", "glucose", "minisat", "lingeling", "gimsatul", "isasat", "maplesat")
FAMILIES = {"nonogram": ("direct", "order"), "tiling": ("exact",), "cnf": (None,)}
SOLVER = "#!/bin/sh\necho 's UNKNOWN'\n"
OUTPUT = "".join(
    f"c {number:5d} {number * number:8d} conflicts {number * 7:9d} propagations, level {number % 13}\n" for number in range(18)
)
EVIDENCE = {
    "SATISFIABLE": '{"kind":"model","by":"the model satisfies every clause","note":""}',
    "UNSATISFIABLE": '{"kind":"word","by":"%s","note":"proofs were not asked for"}',
    "PROVED": '{"kind":"proof","by":"drat-trim","note":""}',
}


def solver_names(count: int) -> list[str]:
    return [f"{NAMES[number % len(NAMES)]}{number // len(NAMES) or ''}" for number in range(count)]


def combinations(instances: int, solvers: int, suite: bool) -> list[tuple[str, str | None, int, str, float]]:
    """Family, encoding, instance number, solver, and the logarithm of the typical time, for each instance and each solver."""
    found = []
    for number in range(instances):
        family = "cnf" if suite else (*FAMILIES,)[number % len(FAMILIES)]
        hardness = random.Random(f"instance {number}").gauss(-1.5, 2)
        for encoding, (place, solver) in product(FAMILIES[family], enumerate(solver_names(solvers))):
            found.append((family, encoding, number, solver, hardness + 0.12 * place))
    return found


def instance_name(family: str, number: int) -> str:
    return f"{family}/made-{number:05d}.{'cnf' if family == 'cnf' else 'txt'}"


def template(family: str, encoding: str | None, number: int, solver: str, suite: str, host: str, of_suite: bool) -> str:
    """The line of a record with placeholders for the fields that differ between its runs (%-format)."""
    name = instance_name(family, number)
    sums = [hashlib.sha256(f"{what} {name} {encoding}".encode()).hexdigest() for what in ("formula", "suite")]
    binary = hashlib.sha256((SOLVER if of_suite else solver).encode()).hexdigest()
    key = json.dumps(json.dumps([family, name, encoding, None, solver, None, 987654321], separators=(",", ":")))
    size = {"nonogram": {"cells": 25 + number * 3}, "tiling": {"cells": 12 + number, "pieces": 2 + number % 40}}.get(family, {})
    record: dict[str, Any] = {
        "record": 2, "key": "@key", "suite": suite, "suite_sha256": hashlib.sha256(suite.encode()).hexdigest(), "family": family,
        "instance": name, "expected": None, "encoding": encoding, "encoding_name": encoding, "encoding_options": {},
        "scramble": None, "solver": solver, "solver_name": solver, "solver_options": [], "seed": None, "repetition": "@repetition",
        "threads": 1, "worker": None, "describe": f"{family} number {number}", "size": size, "encode_seconds": 0.01 + number / 1e5,
        "cnf": {"variables": 60 + 9 * number, "clauses": 200 + 41 * number, "sha256": sums[0]}, "cnf_file": f"cnf/{number}.{encoding}.cnf",
        "version": "4.0.2", "binary_sha256": binary, "command": f"/opt/solvers/{solver} --quiet=false cnf/{number}.{encoding}.cnf",
        "status": "@status", "reason": "@reason", "verified": "@verified", "evidence": "@evidence", "proofs": False,
        "exit_code": "@exit", "signal": None, "ended": "@ended", "cpu": "@cpu", "wall": "@wall", "memory": "@memory",
        "memory_method": "control group", "leftovers": 0, "confinement": "landlock", "statistics": "@statistics", "kept": None,
        "limits": {"cpu": CPU, "wall": WALL, "memory": MEMORY},
        "machine": {"host": host, "system": "Linux 6.18", "cpu": "AMD EPYC", "cores": 64, "memory": 1 << 38, "python": "3.12.4"},
        "date": "@date", "cnfgen_puzzles": "0.3.0", "cores": [number % 64], "output": f"c {solver} 4.0.2\n{OUTPUT}s @said\n",
        "warnings": [], "load": 1.5,
    }  # fmt: skip
    text = (
        json.dumps(record, separators=(",", ":")).replace("%", "%%").replace('"@key"', key.replace("987654321", "%(repetition)s"))
    )
    for place in ("repetition", "reason", "verified", "evidence", "exit", "ended", "cpu", "wall", "memory", "statistics"):
        text = text.replace(f'"@{place}"', f"%({place})s")
    return text.replace("@status", "%(status)s").replace("@date", "%(date)s").replace("@said", "%(status)s") + "\n"


def values(solver: str, number: int, usual: float, repetition: int, chance: random.Random) -> dict[str, Any]:
    """The result of one run."""
    cpu = round(math.exp(usual + chance.gauss(0, 0.25)), 4)
    odd = chance.random()
    status = "UNSATISFIABLE" if number % 7 < 3 else "SATISFIABLE"
    if cpu >= CPU:
        cpu, status = CPU + 0.01, "TIMEOUT"
    elif odd < 0.002:
        status = ("ERROR", "MEMOUT", "UNKNOWN", "WRONG")[int(odd * 1e6) % 4]
    decided = status in ("SATISFIABLE", "UNSATISFIABLE")
    evidence = "null" if not decided else EVIDENCE["PROVED" if status == "UNSATISFIABLE" and number % 2 else status]
    conflicts = int(cpu * 20_000)
    return {
        "repetition": repetition, "status": status, "reason": '""' if decided else f'"{status.lower()}"',
        "verified": "true" if decided and "word" not in evidence else "false" if decided else "null",
        "evidence": evidence.replace("%s", solver), "exit": {"SATISFIABLE": 10, "UNSATISFIABLE": 20}.get(status, 0),
        "ended": '"exit"' if status != "TIMEOUT" else '"cpu limit"', "cpu": cpu, "wall": round(cpu * 1.01 + 0.001, 4),
        "memory": 4_000_000 + 40 * conflicts, "date": f"2026-11-{1 + repetition % 28:02d}T{number % 24:02d}:00:00+00:00",
        "statistics": f'{{"conflicts":{conflicts},"decisions":{conflicts * 3},"propagations":{conflicts * 90},"restarts":{conflicts // 90}}}',
    }  # fmt: skip


def lines(runs: int, instances: int, solvers: int, *, machine: int, machines: int, seed: int, suite: bool) -> Iterator[bytes]:
    """The lines of one machine; each machine has an equal share of all repetitions."""
    made = combinations(instances, solvers, suite)
    repetitions = math.ceil(runs / len(made))
    first, end = (repetitions * place // machines for place in (machine, machine + 1))
    if machines > repetitions:  # distribute the instances instead
        made, first, end = made[machine::machines], 0, repetitions
    share = runs // machines + (machine < runs % machines) if end - first else 0
    chance = random.Random(f"{seed} {machine}")

    def all_lines() -> Iterator[bytes]:
        for family, encoding, number, solver, usual in made:
            text = template(family, encoding, number, solver, "made", f"node{machine + 1:02d}", suite)
            for repetition in range(first + 1, end + 1):
                yield (text % values(solver, number, usual, repetition, chance)).encode()

    return islice(all_lines(), share)


def write_results(
    folder: Path, runs: int, *, instances: int = 1000, solvers: int = 20, machines: int = 1, seed: int = 0, suite: bool = False
) -> list[Path]:
    """The result folders, one for each machine: `folder` itself for one machine."""
    folders = [folder] if machines == 1 else [folder / f"node{number + 1:02d}" for number in range(machines)]
    for machine, place in enumerate(folders):
        place.mkdir(parents=True, exist_ok=True)
        with (place / "runs.jsonl").open("wb") as stream:
            stream.writelines(lines(runs, instances, solvers, machine=machine, machines=machines, seed=seed, suite=suite))
    return folders


def write_suite(folder: Path, runs: int, instances: int, solvers: int) -> Path:
    """Write a suite for exactly these runs, with its formulas and solvers."""
    (folder / "cnf").mkdir(parents=True, exist_ok=True)
    for number in range(instances):
        (folder / instance_name("cnf", number)).write_text(f"p cnf {number + 3} 2\n1 2 0\n-1 {number + 3} 0\n")
    named = []
    for name in solver_names(solvers):
        program = folder / f"{name}.sh"
        program.write_text(SOLVER)
        program.chmod(0o755)
        named.append({"name": f"./{program.name}", "label": name})
    suite = {
        "name": "made", "instances": [{"cnf": [instance_name("cnf", number) for number in range(instances)]}], "solvers": named,
        "repetitions": math.ceil(runs / (instances * solvers)), "limits": {"cpu": CPU, "wall": WALL, "memory": "2 GiB"},
    }  # fmt: skip
    path = folder / "suite.yaml"
    path.write_text(json.dumps(suite))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name, default in (("runs", 1_000_000), ("machines", 1), ("instances", 1000), ("solvers", 20), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--suite", action="store_true")
    given = vars(parser.parse_args())
    folder = given.pop("folder")
    if given["suite"]:
        print(write_suite(folder, given["runs"], given["instances"], given["solvers"]))
        folder = folder / "results"
    for place in write_results(folder, **given):
        print(place)


if __name__ == "__main__":
    main()
