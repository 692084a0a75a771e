"""Real runs as records of a benchmark, without the benchmark: a few small instances of every family, each by two solvers.

The tests of `cnfgen_puzzles.bench` itself are elsewhere; these records are input for its readers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from repository import REPOSITORY

from cnfgen_puzzles.common.journal import sealed_line
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.instance import checked_board, make_instance, sidecar_of
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import record_of, run_solver
from cnfgen_puzzles.solving.table import find_solver

INSTANCES = (
    ("nonogram", "instances/nonogram/cat.nin", {}, ("order", "direct")),
    ("nonogram", "instances/nonogram/too-long-10.cwd", {}, ("order",)),
    ("tiling", "instances/tiling/dominoes-4x4.yaml", {}, ("product", "pairwise")),
    ("tiling", "instances/tiling/soma-cube.yaml", {}, ("product",)),
    ("maze", "blocked 2x2 in 7", {"kind": "blocked", "size": "2x2", "length": 7}, ("pruned",)),
)
SOLVERS = ("kissat", "minisat")


def make_runs(folder: Path) -> list[dict[str, Any]]:
    """Solves `INSTANCES`; formulas and maps go into folder/cnf, records into folder/runs.jsonl."""
    records = []
    (folder / "cnf").mkdir(parents=True, exist_ok=True)
    for family, name, options, encodings in INSTANCES:
        for encoding in encodings:
            records += runs_of(folder, family, name, options, encoding)
    write_runs(folder, records)
    return records


def write_runs(folder: Path, records: list[dict[str, Any]]) -> None:
    plain = ({name: value for name, value in record.items() if name != "seal"} for record in records)
    (folder / "runs.jsonl").write_bytes(b"".join(map(sealed_line, plain)))


def runs_of(folder: Path, family_name: str, name: str, options: dict[str, Any], encoding: str) -> list[dict[str, Any]]:
    family = find_family(family_name)
    puzzle = family.read(None if options else open_source(REPOSITORY / name), **options)
    instance = make_instance(family, puzzle, encoding)
    cnf_file = folder / "cnf" / f"{Path(name).stem.replace(' ', '-')}.{encoding}.cnf"
    with cnf_file.open("wb") as stream:
        instance.write(stream, with_map=False)
    sidecar_of(cnf_file).write_text(instance.map.to_json())
    records = []
    for solver in SOLVERS:
        run = run_solver(find_solver(solver), cnf_file, cnf=instance.cnf, limits=Limits(cpu=20))
        record = {
            "record": 2,
            "key": json.dumps([family_name, name, encoding, None, solver, None, 1]),
            "suite": "sample",
            "family": family_name,
            "instance": name,
            "describe": family.describe(puzzle),
            "size": {"cells": 100},
            "expected": None,
            "encoding": encoding,
            "encode_seconds": 0.01,
            "scramble": None,
            "cnf_file": str(cnf_file.relative_to(folder)),
            **record_of(run, instance.cnf),
            "solver_options": [],
            "repetition": 1,
            "threads": 1,
            "cores": [0],
            "statistics": {"conflicts": 17, "restarts": 2},
            "output": run.excerpt,
            "warnings": [],
        }
        if run.model is not None and not any("board" in other for other in records):
            board = checked_board(family, puzzle, instance.map, run.model)
            record["board"] = family.board_to_json(puzzle, board)
        records.append(record)
    return records
