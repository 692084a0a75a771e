# ruff: noqa: E501  (records as tables of fields)
"""The fields that scores need give the same numbers as whole records, digit by digit."""

import json
import random

import pytest

from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.record import SCORED
from cnfgen_puzzles.bench.show import tables
from cnfgen_puzzles.bench.show.drawing import charts
from cnfgen_puzzles.common.journal import sealed_line

STATUSES = ["SATISFIABLE"] * 4 + ["UNSATISFIABLE"] * 4 + ["TIMEOUT", "MEMOUT", "UNKNOWN", "WRONG", "ERROR"]


def made_up(seed: int, count: int = 300) -> list[dict]:
    """Records with ties, failures, claims, contradictions, repeated runs, proofs, and unknown fields."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        family = chance.choice(["nonogram", "tiling", "cnf"])
        instance = f"{family}-{chance.randrange(5)}"
        encoding = None if family == "cnf" else chance.choice(["direct", "order"])
        solver = chance.choice(["kissat", "cadical", "minisat", "zchaff"][: chance.choice([2, 4])])
        repetition = chance.randrange(1, 5)
        cpu = chance.choice([0, 0.0004, 0.5, 0.5, 1, round(chance.expovariate(0.3), 3)])
        record = {
            "record": 2, "key": json.dumps([family, instance, encoding, None, solver, None, repetition]), "suite": chance.choice(["one", "two"]),
            "family": family, "instance": instance, "encoding": encoding, "solver": solver, "solver_name": solver, "repetition": repetition,
            "seed": None, "scramble": None, "status": chance.choice(STATUSES), "cpu": cpu, "wall": cpu * 1.1 + 0.001,
            "memory": chance.randrange(10**8), "limits": {"cpu": chance.choice([5, 10]), "wall": 20, "memory": None},
            "version": chance.choice(["1", "2"]), "machine": {"host": chance.choice(["a", "b"]), "cores": 2},
            "size": {"cells": 10 ** chance.randrange(4)}, "binary_sha256": solver * 3, "threads": chance.choice([1, 1, 4]),
            "cnf": {"variables": 3, "clauses": chance.randrange(1, 99), "sha256": "0" * 64}, "proofs": chance.choice([True, False]),
            "date": f"2026-01-{chance.randrange(1, 29):02d}", "warnings": ["swap"][: chance.randrange(2)], "joules": 3.5, "output": "é\r\n",
        }  # fmt: skip
        if record["status"] == "UNSATISFIABLE":
            kind = chance.choice(["word", "proof"])
            record |= {
                "evidence": {"kind": kind, "by": "x"},
                "proof": {"verified": kind == "proof", "seconds": chance.random()},
            }
        if chance.random() < 0.05:
            record["expected"] = chance.choice(["SATISFIABLE", "UNSATISFIABLE"])
        found.append(record)
    return found


def written(folder, records, *, end=b"\n"):
    folder.mkdir(parents=True, exist_ok=True)
    lines = b"".join(map(sealed_line, records))
    (folder / "runs.jsonl").write_bytes(lines.removesuffix(b"\n") + end)
    return folder


@pytest.mark.parametrize("seed", [1])
def test_records_for_scores_are_parts_of_whole_records(seed, tmp_path):
    folders = [written(tmp_path / name, made_up(10 * seed + place)) for place, name in enumerate("ab")]
    for filters in ([], ["solver=k*,cad*", "status!=TIMEOUT"], ["cnf.clauses=1*"], ["host=a"], ["joules=3.5"]):
        scored, whole = read_results(folders, filters, whole=False), read_results(folders, filters)
        assert 0 < len(scored.records) == len(whole.records)
        assert scored.notes == whole.notes and [r["status"] for r in scored.revoked] == [r["status"] for r in whole.revoked]
        for one, other in zip(scored.records, whole.records, strict=True):
            assert one.items() <= other.items() if "joules" in one else {**other, **one} == other
            assert {n: one[n] for n in SCORED & other.keys()} == {n: other[n] for n in SCORED & other.keys()}
            assert one.keys() <= {*SCORED, "joules"}
    assert whole.records[0]["output"] == "é\r\n"


def test_tables_sentences_and_plots_are_the_same(tmp_path):
    folder = written(tmp_path / "a", made_up(1, 150))
    slim, whole = read_results([folder], whole=False), read_results([folder])
    for by in (("family", "encoding"), ("size",)):
        assert tables.score_tables(slim.records, by) == tables.score_tables(whole.records, by)
        assert tables.notes(slim.records) == tables.notes(whole.records)
    assert tables.sentence(slim.records) == tables.sentence(whole.records)
    assert slim.alarms == whole.alarms != []
    drawn = [
        [(plot.name, plot.caption, plot.data) for plot in charts(part.records, kinds=["cactus", "box"])] for part in (slim, whole)
    ]
    assert drawn[0] == drawn[1] != []
