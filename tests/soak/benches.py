"""The road of a suite: bench-cnf on one puzzle in several encodings with several solvers, and the claims of its result file.

Records that were written before a kill are kept; the same command makes the missing runs; at the end, every run exists.
"""

from __future__ import annotations

import json
from typing import Any

import yaml

from soak.judge import BOARD, NONE, PROOF, WORD, Statement
from soak.puzzles import random_encoding
from soak.roads import Cast, Walk, evidence_of

TINY = {"--time": "cpu", "--wall-time": "wall", "--memory": "memory"}


def bench(cast: Cast) -> Walk:
    """bench-cnf run, its scores, and sometimes a report."""
    chance, out = cast.chance(), cast.stage.out / "results"
    suite, expected = suite_of(cast)
    path = cast.stage.work / "suite.yaml"
    path.write_text(yaml.safe_dump(suite), encoding="utf-8")
    before = lines_of(cast)
    (done,) = yield [["bench-cnf", "run", str(path), "-o", str(out)]]
    after = lines_of(cast)
    for lost in [line for line in before if line not in after]:
        cast.fault("lost line", lost[:200])
    records = [json.loads(line) for line in after]
    keys = {record["key"] for record in records}
    alarmed = done.code == 1 and cast.liar and "bench-cnf:" not in done.err  # all runs are made, and some are wrong
    if (done.code == 0 or alarmed) and len(keys) != expected:
        cast.fault("lost line", f"{len(keys)} runs of {expected} after exit code {done.code}: {done.err[-300:]}")
    if records and done.code in (0, 1):
        yield [["bench-cnf", "scores", str(out)]]
        if chance.random() < 0.15:
            yield [["bench-cnf", "report", str(out)]]
    return [claim for record in records for claim in claims_in(record)]


def suite_of(cast: Cast) -> tuple[dict[str, Any], int]:
    """The suite, and the number of its runs."""
    chance = cast.chance()
    encodings = {each.name: each for each in (random_encoding(cast.puzzle.family, chance) for _ in range(2))}
    listed = [{"name": each.name, **each.options} for each in encodings.values()]
    scrambles = chance.choice(([], [1], [1, 2]))
    limits = {TINY[name]: words for name, words in zip(cast.limits[::2], cast.limits[1::2], strict=True)}
    suite: dict[str, Any] = {
        "name": "soak",
        "instances": [cast.puzzle.entry(str(cast.stage.work)) | {"encodings": listed}],
        "solvers": list(cast.solvers),
        "limits": {name: value if name == "memory" else float(value) for name, value in ({"cpu": 60} | limits).items()},
        "jobs": chance.randint(1, 2),
    }
    if cast.proof:
        suite["proofs"] = True
    if scrambles:
        suite["scramble"] = {"seeds": scrambles, "original": True}
    return suite, len(encodings) * (1 + len(scrambles)) * len(cast.solvers)


def lines_of(cast: Cast) -> list[str]:
    """The complete lines of the result file; a truncated line is a run that was killed."""
    path = cast.stage.out / "results" / "runs.jsonl"
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    lines = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    found = []
    for line in lines:
        try:
            json.loads(line)
            found.append(line)
        except ValueError:
            if line is lines[-1] or line.strip():
                cast.fault("lost line", f"a line of the result file is no JSON: {line[:200]!r}")
    return found


def claims_in(record: dict[str, Any]) -> list[Statement]:
    """The claims of a run record about the puzzle."""
    who = f"{record['solver']} ({record['encoding']})"
    if record["status"] == "SATISFIABLE":
        return [Statement(BOARD, who, (record["board"],) if record.get("board") is not None else ())]
    if record["status"] == "UNSATISFIABLE":
        evidence = PROOF if (record.get("proof") or {}).get("verified") else evidence_of(record)
        return [Statement(NONE, who, evidence=evidence if evidence == PROOF else WORD)]
    return []
