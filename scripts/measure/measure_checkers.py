#!/usr/bin/env python3
"""Measure the cost of each way to check proofs, on every UNSAT answer of a suite.

    python scripts/measure/measure_checkers.py [SUITE] [--solvers kissat,cadical] [--seconds N] [--unique]
        [--out FILE] [--page PAGE.md]

The script measures each unsatisfiable formula of the suite (default: instances/suites/default.yaml), and with --unique the
formula "no other solution" of each puzzle with one solution (in the first encoding): the size of the proof in DRAT, LRAT, and
packed, and the CPU seconds of solving, of drat-trim (which writes LRAT), of lrat-check, and of cake_lpr; for a solver that writes
LRAT, without drat-trim. The CPU limit of a solver is that of the suite, or --seconds.

Each measurement becomes a JSON line in --out and is not repeated later. --page writes the tables to that page. The exit code is 1
if a proof was refused or its check did not finish.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tabulate import tabulate

from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.suite.plan import Task
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.checkers import HINTED, TRANSLATE
from cnfgen_puzzles.evidence.proofs import ProofCheck, check_proof, run_step, take_output
from cnfgen_puzzles.formula import Cnf, VariableMap, write_dimacs
from cnfgen_puzzles.pipeline.instance import with_blocked
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import machine, run_solver
from cnfgen_puzzles.solving.table import Solver, find_solver

Row = dict[str, Any]
REPOSITORY = Path(__file__).resolve().parents[2]
SOLVERS = "kissat,cadical,glucose,lingeling"
CHECK_FACTOR = 100
"""The time limit of a check as a multiple of that of solving."""
BEGIN, END = "<!-- measured by scripts/measure/measure_checkers.py -->", "<!-- end -->"


def formulas(suite_file: Path, cache: Path, unique: bool, limits: Limits) -> Iterator[tuple[str, Path, Cnf]]:
    """The unsatisfiable formulas of the suite by name, each as a file, and then the formulas "no other solution"."""
    suite = read_suite(suite_file)
    tasks = [*{task.formula_key: task for task in suite.tasks}.values()]
    for task in tasks:
        if task.instance.expected == UNSATISFIABLE:
            made = Formulas(suite.folder, cache).get(task)
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
    """The formula whose models are the solutions other than the first one."""
    made = Formulas(folder, cache).get(task)
    if made.map is None or task.instance.family == "maze":  # mazes have many solutions
        return None
    run = run_solver(find_solver("kissat"), made.cnf_file, cnf=made.cnf(), limits=limits)
    if run.status != SATISFIABLE or run.model is None:
        return None
    return with_blocked(made.cnf(), VariableMap.from_json(open_source(made.map).text(), str(made.map)).projection, run.model)


def measured(name: str, path: Path, cnf: Cnf, solver: Solver, limits: Limits) -> Row:
    """Measure one formula with one solver. `drat` and `lrat` are the proofs of the solver, each with its checks."""
    within = Limits(cpu=CHECK_FACTOR * (limits.cpu or 0), wall=10 * CHECK_FACTOR * (limits.cpu or 0), memory=4 << 30)
    row: Row = {"instance": name, "solver": solver.name, "clauses": cnf.num_clauses, "load": round(os.getloadavg()[0], 1)}
    with scratch_folder("measure") as folder:
        proof, hinted = folder / "proof", folder / "hinted"
        run = run_solver(solver, path, cnf=cnf, limits=limits, proof=proof)
        row |= {"status": run.status, "reason": run.reason}
        if run.status != UNSATISFIABLE:
            return row
        row["drat"] = {"solving": run.measurement.cpu, "size": proof.stat().st_size}
        row["drat"] |= {
            "translation": told(translate(path, proof, hinted, within)),
            **checks(path, hinted, cnf, within),
        }
        if solver.lrat_arguments:
            run = run_solver(solver.with_hints(), path, cnf=cnf, limits=limits, proof=hinted)
            row["lrat"] = {"solving": run.measurement.cpu, "status": run.status}
            row["lrat"] |= checks(path, hinted, cnf, within) if run.status == UNSATISFIABLE else {}
    return row


def translate(path: Path, proof: Path, hinted: Path, within: Limits) -> ProofCheck:
    """Write an LRAT proof from a DRAT proof with drat-trim, which checks it in the process."""
    with scratch_folder("translation") as folder:
        check = run_step(TRANSLATE, path, proof, folder, within, folder / "scratch" / HINTED)
        take_output(folder / "scratch" / HINTED, hinted)
    return check


def checks(path: Path, hinted: Path, cnf: Cnf, within: Limits) -> Row:
    """Check an LRAT proof with these checkers."""
    if not hinted.is_file():
        return {}
    return {
        "hinted": hinted.stat().st_size,
        "lrat-check": told(check_proof(path, hinted, within, cnf=cnf, proof_format="lrat", checker="lrat")),
        "verified": told(check_proof(path, hinted, within, cnf=cnf, proof_format="lrat", checker="verified")),
    }


def told(check: ProofCheck) -> Row:
    return {"verified": check.verified, "reason": check.reason, "cpu": check.measurement.cpu if check.measurement else 0.0}


def failures(rows: list[Row]) -> list[str]:
    """The proofs that were not verified."""
    return [
        f"{row['instance']}, {row['solver']}: {kind}, {check}: {result['reason']}"
        for row in rows
        for kind in ("drat", "lrat")
        for check, result in row.get(kind, {}).items()
        if isinstance(result, dict) and not result["verified"]
    ]


# -- tables -----------------------------------------------------------------------------------------------------------------


HEADS = ("solving", "drat-trim", "lrat-check", "cake_lpr", "DRAT, kB", "LRAT, kB")


def numbers(proof: Row) -> list[float | None]:
    """The values of HEADS for one proof or the sum of several; None for missing values."""
    checked = [proof[key]["cpu"] or 0.0 if key in proof else None for key in ("translation", "lrat-check", "verified")]
    return [proof["solving"], *checked, *(size and size / 1000 for size in map(proof.get, ("size", "hinted")))]


def shown(values: Iterable[float | None]) -> list[str]:
    return ["" if value is None else f"{value:,.2f}" if place < 4 else f"{value:,.0f}" for place, value in enumerate(values)]


def of_kind(rows: list[Row], solver: str, kind: str) -> list[tuple[str, Row]]:
    """The proofs of one solver in one format, by formula."""
    return [(row["instance"], row[kind]) for row in rows if row["solver"] == solver and "verified" in row.get(kind, {})]


def summed(rows: list[Row]) -> str:
    """One line for each solver and format, with the sum of its proofs."""
    lines = []
    for solver in dict.fromkeys(row["solver"] for row in rows):
        for kind in ("drat", "lrat"):
            if proofs := of_kind(rows, solver, kind):
                columns = zip(*(numbers(proof) for _, proof in proofs), strict=True)
                totals = [None if None in column else sum(filter(None, column)) for column in columns]
                passed = sum(all(proof[check]["verified"] for check in ("lrat-check", "verified")) for _, proof in proofs)
                lines.append([f"{solver}, {kind.upper()}", len(proofs), passed, *shown(totals)])
    return table(["proofs of", "answers", "verified", *HEADS], lines)


def table(heads: list[str], lines: list[list[Any]]) -> str:
    alignment = ("left", *["right"] * (len(heads) - 1))
    return tabulate(lines, heads, tablefmt="github", disable_numparse=True, colalign=alignment)


def page_text(rows: list[Row], suite: str) -> str:
    """The number of answers, whether all proofs passed, the circumstances, and the table."""
    answers = [row for row in rows if row["status"] == UNSATISFIABLE]
    bad, late = failures(rows), [row for row in rows if row["status"] not in (UNSATISFIABLE, SATISFIABLE)]
    loads, here = sorted(row["load"] for row in rows), machine()
    passed = "drat-trim, lrat-check, and cake_lpr verified all of them."
    unanswered = f" {len(late)} more runs exceeded their time limit, so they have no proof." if late else ""
    return f"""\
The table has {len(answers)} UNSAT answers to {len({row["instance"] for row in answers})} formulas of the suite `{suite}`: puzzles
without a solution, and "no other solution" for puzzles with exactly one.
{"**Not verified: " + "; ".join(bad) + ".**" if bad else passed}{unanswered}

CPU seconds (user and system) on {here["cpu"]}, {here["cores"]} cores, {time.strftime("%Y-%m-%d")}, with other
work on the machine (load {loads[0]} to {loads[-1]}, median {loads[len(loads) // 2]}). Solving includes
writing the proof. drat-trim checks DRAT and writes LRAT; lrat-check and cake_lpr check that, or the LRAT that the solver wrote.

{summed(rows)}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", nargs="?", type=Path, default=REPOSITORY / "instances/suites/default.yaml")
    parser.add_argument("--solvers", default=SOLVERS)
    parser.add_argument("--seconds", type=float, help=f"CPU time of a solver; a check has {CHECK_FACTOR} times that")
    parser.add_argument("--unique", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("checkers.jsonl"))
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    seconds = options.seconds or read_suite(options.suite).limits.cpu
    limits = Limits(cpu=seconds, wall=60 * seconds, memory=4 << 30)
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
                if row["status"] == SATISFIABLE:  # a second solution exists, so no solver can refute the formula
                    break
    if options.page:
        text = options.page.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        written = page_text(rows, options.suite.stem)
        options.page.write_text(f"{before}{BEGIN}\n\n{written}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return int(bool(failures(rows)))


if __name__ == "__main__":
    sys.exit(main())
