#!/usr/bin/env python3
"""Measure what each way of checking proofs costs, on every UNSAT answer of a suite, and whether each of them passes.

    python scripts/measure_checkers.py [SUITE] [--solvers kissat,cadical] [--seconds 30] [--unique] [--out FILE] [--page PAGE.md]

For each unsatisfiable formula of the suite (default: instances/suites/default.yaml), and with --unique for that of 'no other
solution' of each puzzle that has a single one (in the first encoding): bytes of the proof in DRAT, LRAT and packed, CPU seconds
of solving, of drat-trim, of lrat-check, of ACL2's verified checker (with its packing); and of a solver that writes LRAT itself
the same without drat-trim. A line of JSON each goes to --out as it is measured, and what is there already is not measured again. --page writes the
tables into that page. Ends with status 1 if a proof was refused or not checked to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabulate import tabulate

from cnfgen_puzzles.bench.run.job import prepare
from cnfgen_puzzles.bench.suite.plan import Task
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.evidence.proofs import ProofCheck, check_proof, translate_proof
from cnfgen_puzzles.formula import Cnf, VariableMap, write_dimacs
from cnfgen_puzzles.ground.scratch import scratch_folder
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.pipeline.solve import with_blocked
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.record import machine
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import Solver, find_solver

Row = dict[str, Any]
REPOSITORY = Path(__file__).resolve().parent.parent
SOLVERS = "kissat,cadical,glucose,lingeling"
CHECK_FACTOR = 20
"""So many times the limit for solving a chain of programs may take for a proof."""
BEGIN, END = "<!-- measured by scripts/measure_checkers.py -->", "<!-- end -->"


def formulas(suite_file: Path, cache: Path, unique: bool, limits: Limits) -> Iterator[tuple[str, Path, Cnf]]:
    """The unsatisfiable formulas of the suite by their names, each as a file; then, that puzzles have no other solution."""
    suite = read_suite(suite_file)
    tasks = [*{task.formula_key: task for task in suite.tasks}.values()]
    for task in tasks:
        if task.instance.expected == UNSATISFIABLE:
            made = prepare(suite.folder, cache, task)
            yield told_of(task), made.cnf_file, made.cnf()
    for task in {task.instance: task for task in reversed(tasks)}.values() if unique else ():
        if task.instance.expected == SATISFIABLE and (other := no_other(suite.folder, cache, task, limits)) is not None:
            path = cache / "unique.cnf"
            with path.open("wb") as stream:
                write_dimacs(other, stream)
            yield f"{told_of(task)}, no other", path, other


def told_of(task: Task) -> str:
    name, encoding = task.instance.name, task.encoding.label if task.encoding else ""
    return f"{Path(name).stem if '/' in name else name}, {encoding}"


def no_other(folder: Path, cache: Path, task: Task, limits: Limits) -> Cnf | None:
    """The formula that the puzzle has another solution than the first that is found."""
    made = prepare(folder, cache, task)
    if made.map is None or task.instance.family == "maze":  # of strings there are many
        return None
    run = run_solver(find_solver("kissat"), made.cnf_file, cnf=made.cnf(), limits=limits)
    if run.status != SATISFIABLE or run.model is None:
        return None
    return with_blocked(made.cnf(), VariableMap.from_json(open_source(made.map).text(), str(made.map)).projection, run.model)


def measured(name: str, path: Path, cnf: Cnf, solver: Solver, limits: Limits) -> Row:
    """All of one formula and solver. `drat` and `lrat` are what the solver writes; each has its checks."""
    within = Limits(cpu=CHECK_FACTOR * limits.cpu, wall=CHECK_FACTOR * limits.wall, memory=limits.memory)
    row: Row = {"instance": name, "solver": solver.name, "clauses": cnf.num_clauses, "load": round(os.getloadavg()[0], 1)}
    with scratch_folder("measure") as folder:
        proof, hinted = folder / "proof", folder / "hinted"
        run = run_solver(solver, path, cnf=cnf, limits=limits, proof=proof)
        row |= {"status": run.status, "reason": run.reason}
        if run.status != UNSATISFIABLE:
            return row
        trimmed = check_proof(path, proof, within, cnf=cnf, checker="drat-trim")
        translated = translate_proof(path, proof, hinted, within, cnf=cnf)
        row["drat"] = {
            "solving": run.measurement.cpu, "size": proof.stat().st_size, "drat-trim": told(trimmed), "translation": told(translated),
            **checks(path, hinted, cnf, within),
        }  # fmt: skip
        if solver.lrat_arguments:
            run = run_solver(solver.with_hints(), path, cnf=cnf, limits=limits, proof=hinted)
            row["lrat"] = {"solving": run.measurement.cpu, "status": run.status}
            if run.status == UNSATISFIABLE:
                row["lrat"] |= checks(path, hinted, cnf, within)
    return row


def checks(path: Path, hinted: Path, cnf: Cnf, within: Limits) -> Row:
    """Of an LRAT proof."""
    if not hinted.is_file():
        return {}
    verified = check_proof(path, hinted, within, cnf=cnf, proof_format="lrat", checker="verified")
    return {
        "hinted": hinted.stat().st_size,
        "lrat-check": told(check_proof(path, hinted, within, cnf=cnf, proof_format="lrat", checker="lrat")),
        "packed": verified.steps[0].wrote if verified.steps else 0,
        "verified": told(verified),
    }


def told(check: ProofCheck) -> Row:
    return {"verified": check.verified, "reason": check.reason, "cpu": check.measurement.cpu if check.measurement else None}


def failures(rows: list[Row]) -> list[str]:
    """What was not verified."""
    return [
        f"{row['instance']}, {row['solver']}: {kind}, {check}: {result['reason']}"
        for row in rows
        for kind in ("drat", "lrat")
        for check, result in row.get(kind, {}).items()
        if isinstance(result, dict) and not result["verified"]
    ]


# -- tables -----------------------------------------------------------------------------------------------------------------


def cpu(*results: Row | float | None) -> float:
    return sum((each["cpu"] or 0.0) if isinstance(each, dict) else each or 0.0 for each in results)


def kilobytes(size: float) -> str:
    return f"{size / 1000:,.0f}"


def sums(rows: list[Row]) -> str:
    """A line a solver and kind of proof: all of its answers together."""
    lines = []
    for solver in dict.fromkeys(row["solver"] for row in rows):
        for kind in ("drat", "lrat"):
            given = [row[kind] for row in rows if row["solver"] == solver and "verified" in row.get(kind, {})]
            if not given:
                continue
            total = {
                key: sum(cpu(each.get(key)) for each in given)
                for key in ("solving", "drat-trim", "translation", "lrat-check", "verified")
            }
            passed = sum(each["lrat-check"]["verified"] and each["verified"]["verified"] for each in given)
            size = {key: sum(each.get(key, 0) for each in given) for key in ("size", "hinted", "packed")}
            lines.append([
                f"{solver}, {kind.upper()}", len(given), passed, f"{total['solving']:.1f}", f"{total['drat-trim']:.1f}" if kind == "drat" else "",
                f"{total['translation'] + total['lrat-check']:.1f}", f"{total['translation'] + total['verified']:.1f}",
                *(kilobytes(size[key]) if size[key] else "" for key in ("size", "hinted", "packed")),
            ])  # fmt: skip
    heads = [
        "proofs of",
        "answers",
        "verified",
        "solving",
        "`drat-trim`",
        "`lrat`",
        "`verified`",
        "DRAT, kB",
        "LRAT, kB",
        "packed, kB",
    ]
    return tabulate(lines, heads, tablefmt="github", disable_numparse=True, colalign=("left", *["right"] * 9))


def single(rows: list[Row], solver: str) -> str:
    """A line for each formula: the way through DRAT, and where the solver writes LRAT, that way beside it."""
    lines = []
    for row in rows:
        if row["solver"] != solver or "verified" not in row.get("drat", {}):
            continue
        one, other = row["drat"], row.get("lrat", {})
        lines.append([
            row["instance"], f"{one['solving']:.2f}", f"{cpu(one['drat-trim']):.2f}", f"{cpu(one['lrat-check']):.2f}", f"{cpu(one['verified']):.2f}",
            *(kilobytes(one[key]) for key in ("size", "hinted", "packed")),
            *([f"{other['solving']:.2f}", f"{cpu(other['lrat-check']):.2f}", f"{cpu(other['verified']):.2f}", kilobytes(other["hinted"])]
              if "verified" in other else [""] * 4),
        ])  # fmt: skip
    heads = ["formula", "solving", "drat-trim", "lrat-check", "ACL2", "DRAT, kB", "LRAT, kB", "packed, kB"]
    heads += ["own LRAT: solving", "lrat-check", "ACL2", "LRAT, kB"]
    return tabulate(lines, heads, tablefmt="github", disable_numparse=True, colalign=("left", *["right"] * 11))


def page_text(rows: list[Row], suite: str, seconds: float) -> str:
    answers = [row for row in rows if row["status"] == UNSATISFIABLE]
    others = [
        f"{row['instance']} by {row['solver']} ({row['status']})"
        for row in rows
        if row["status"] not in (UNSATISFIABLE, SATISFIABLE)
    ]
    bad = failures(rows)
    loads = sorted(row["load"] for row in rows)
    here = machine()
    detailed = "cadical" if any(row["solver"] == "cadical" for row in answers) else answers[0]["solver"]
    return "\n\n".join([
        f"{len(answers)} UNSAT answers to {len({row['instance'] for row in answers})} formulas of `{suite}` (`expected: unsat`, and 'no other "
        f"solution' where there is one), solvers with {seconds:g} CPU seconds each. "
        + (f"**Not verified: {'; '.join(bad)}.**" if bad else "Every one was verified by all three, drat-trim, lrat-check and ACL2's verified checker.")
        + (f" No answer in time, so no proof: {'; '.join(others)}." if others else ""),
        f"CPU seconds (user and system) on {here['cpu']}, {here['cores']} cores, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}, "
        f"beside other work (load {loads[0]} to {loads[-1]}, median {loads[len(loads) // 2]}); `lrat` and `verified` with the translation by "
        "drat-trim where the proof is DRAT, ACL2 with its start (about 0.6 s).",
        sums(rows), f"One by one, {detailed}:", single(rows, detailed),
    ])  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", nargs="?", type=Path, default=REPOSITORY / "instances/suites/default.yaml")
    parser.add_argument("--solvers", default=SOLVERS)
    parser.add_argument(
        "--seconds", type=float, default=30, help="CPU time of a solver; a check has %d times that" % CHECK_FACTOR
    )
    parser.add_argument("--unique", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("checkers.jsonl"))
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    limits = Limits(cpu=options.seconds, wall=10 * options.seconds, memory=4 << 30)
    rows = [json.loads(line) for line in options.out.read_text().splitlines()] if options.out.exists() else []
    known = {(row["instance"], row["solver"]) for row in rows}
    with scratch_folder("checkers") as cache, options.out.open("a") as out:
        for name, path, cnf in formulas(options.suite, cache, options.unique, limits):
            for solver in map(find_solver, options.solvers.split(",")):
                if (name, solver.name) in known:
                    continue
                row = measured(name, path, cnf, solver, limits)
                rows.append(row)
                out.write(json.dumps(row) + "\n")
                out.flush()
                checked = "; ".join(failures([row])) or "verified" if row["status"] == UNSATISFIABLE else row["reason"]
                print(f"{name}, {solver.name}: {row['status']}, {checked}", flush=True)
                if row["status"] == SATISFIABLE:  # another solution: none of the solvers will prove that there is none
                    break
    if options.page:
        text = options.page.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        table = page_text(rows, str(options.suite.resolve().relative_to(REPOSITORY)), options.seconds)
        options.page.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return int(bool(failures(rows)))


if __name__ == "__main__":
    sys.exit(main())
