"""run-cnf: run a solver, or a portfolio, on a CNF under limits; check the model; measure the resources."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from cnfgen_puzzles.cli.app import check_suffix, check_writable, say, say_lines, version_option, warn_of_header, write_text
from cnfgen_puzzles.cli.errors import SOLVER_CODES, SOLVER_EXIT_HELP
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import (
    CNF_FILE,
    COUNT,
    LIMITS,
    SIZE,
    WRONG_HEADER,
    FileName,
    Name,
    checker_param,
    flag,
    param,
    solver_titles,
)
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.files import register_input, scratch_folder
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.checkers import proving
from cnfgen_puzzles.evidence.evidence import COMMENT as EVIDENCE_COMMENT
from cnfgen_puzzles.evidence.evidence import evidence_json
from cnfgen_puzzles.formula import Cnf, DimacsFile, VariableMap, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.varmap import COMMENT as MAP_COMMENT
from cnfgen_puzzles.pipeline.instance import sidecar_of
from cnfgen_puzzles.pipeline.portfolio import Entrant, pick_portfolio, run_portfolio
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import CheckedRun, FormulaTask, run_checked
from cnfgen_puzzles.solving.answers import UNKNOWN, answer_lines
from cnfgen_puzzles.solving.process import DEFAULT_PROOF, Limits
from cnfgen_puzzles.solving.run import ERROR, WRONG, record_of, side_by_side, summary_of
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers


def list_solvers(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        from cnfgen_puzzles.cli.cnf_solvers import table_of_solvers

        say_lines(table_of_solvers())
        ctx.exit()


def run_named(
    solver: str,
    file: str,
    like: str | None,
    proof: str | None,
    check_proof: bool,
    checker: str | None,
    as_json: bool,
    record: str | None,
    cpu: float | None,
    wall: float | None,
    memory: int | None,
    proof_size: int,
    seed: int | None,
    threads: int | None,
    relaxed: bool,
) -> int:
    if check_proof and not proof:
        raise click.UsageError("--check-proof needs --proof FILE")
    if Path(solver).is_file() and not os.access(solver, os.X_OK):
        wanted = file if file in load_solvers() else "kissat"
        raise InputError(f"found a file, expected a solver before it: `run-cnf {wanted} {solver}`", source=solver)
    check_suffix(record, ".json", "--record writes JSON")
    if checker and not check_proof:
        raise click.UsageError("--checker needs --check-proof")
    portfolio = pick_portfolio(solver, proof=bool(proof)) if like is None else (Entrant(_solver_like(solver, like)),)
    if len(portfolio) > 1 and threads:
        raise InputError("found --threads with several solvers, expected options behind each solver: 'kissat --sat,minisat-core'")
    if checker:
        portfolio = tuple(each._replace(solver=proving(each.solver, checker)) for each in portfolio)
    if relaxed:
        portfolio = tuple(each._replace(solver=replace(each.solver, relaxed=True)) for each in portfolio)
    with doing(f"reading {file}"):
        source = open_source(file)
        read = read_dimacs(source, relaxed=relaxed)
        warn_of_header(read.wrong_header, source.name)
        comments = _map_comments(file, VariableMap.of_file(read, source.name), read.cnf)
        del source  # while the solver runs, the memory of a large file is free
    if proof:
        check_writable(Path(proof))
    task = FormulaTask(
        limits=Limits(cpu=cpu, wall=wall, memory=memory, proof=proof_size), seed=seed, threads=threads, checker=checker,
        proof=ProofPolicy.REQUIRED if check_proof else ProofPolicy.NONE, proof_to=Path(proof).absolute() if proof else None,
    )  # fmt: skip
    with scratch_folder("cnf") as folder:
        cnf_file = _plain_file(file, read, folder)
        found = run_portfolio(portfolio, task, partial(run_checked, read.cnf, file=cnf_file))
    return _write_answer(found, comments, as_json, record)


def _write_answer(found: CheckedRun, comments: Sequence[str], as_json: bool, record: str | None) -> int:
    """Write the answer, its record, and errors; return the exit code."""
    done, check = found.run, found.check
    entry = record_of(done, found.cnf, proof=check.to_json() if check else None, evidence=evidence_json(found.evidence))
    entry |= side_by_side(found.cpu, [(run, found.cnf) for run in found.others], found.alarms)
    if record:
        write_text(record, json.dumps(entry, indent=2) + "\n")
    write_text(None, json.dumps(entry | {"model": done.model}) + "\n" if as_json else _answer(found, comments))
    for alarm in found.alarms:
        say(f"run-cnf: ALARM: {alarm}", err=True)
    if done.status in (WRONG, ERROR):
        kept = f"; its output is kept in {done.kept}" if done.kept else ""
        say(f"run-cnf: {done.solver.name}: {done.status}: {done.reason}{kept}", err=True)
    if done.decided and done.reason:
        say(f"warning: {done.solver.name}: the answer has {done.reason}; accepted, since its model was checked", err=True)
    for run in () if done.decided else (done, *found.others):
        for line in (line for line in run.stderr if f"({line})" not in run.reason):
            say(f"run-cnf: {run.solver.name}: standard error: {line}", err=True)
    return SOLVER_CODES[done.status]


def _solver_like(program: str, like: str) -> Solver:
    if "/" not in program:
        raise InputError(f"found {program!r} with --like, expected the path of a program, such as ./{program}")
    register_input(program)
    return find_solver(like).alike(Path(program).name, executable=program, program=program, source=program)


def _plain_file(file: str, read: DimacsFile, folder: Path) -> Path:
    """The given file if every solver can read it, else a copy with a correct header: of a pipe or of an unusual file."""
    if file != "-" and read.strict:
        return Path(file)
    copy = folder / "input.cnf"
    with copy.open("wb") as stream:
        write_dimacs(read.cnf, stream)
    return copy


def _map_comments(file: str, vmap: VariableMap | None, cnf: Cnf) -> list[str]:
    """The comments with the variable map, for decode-cnf: from the CNF, else from the sidecar file.

    A sidecar of another formula causes a warning and is not used.
    """
    sidecar = sidecar_of(Path(file))
    if vmap is None and file != "-" and sidecar.is_file():
        try:
            vmap = VariableMap.from_json(open_source(sidecar).text(), str(sidecar))
            vmap.check_belongs(cnf, map_name=str(sidecar), cnf_name=file)
        except InputError as error:
            say(f"warning: {error}; pass the right map to decode-cnf with --map", err=True)
            vmap = None
    return [comment for comment in vmap.to_comments() if comment.startswith(MAP_COMMENT)] if vmap else []


def _answer(found: CheckedRun, map_comments: Sequence[str]) -> str:
    """The answer as `s` and `v` lines, after comments with the measurements, the evidence, and the variable map."""
    done, evidence = found.run, found.evidence
    comments = [comment for run in (done, *found.others) for comment in summary_of(run)]
    if found.others:
        comments.append(f"all solvers together: cpu {found.cpu:.3f} s")
    comments = list(map(printable, comments))
    if evidence is not None:
        comments.append(EVIDENCE_COMMENT + json.dumps(evidence.to_json()))
    comments += map_comments
    verdict = done.status if done.decided else UNKNOWN
    return "".join(f"{line}\n" for line in (*(f"c {comment}" for comment in comments), *answer_lines(verdict, done.model)))


SOLVER: list[click.Parameter] = [
    param(
        "--like",
        type=Name("solver", solver_titles),
        help="Call SOLVER, which is the path of a program, like this solver of the list: with its seeds and proofs.",
    ),
    param("--seed", type=int, help="Set the seed of the solver."),
    param("--threads", type=COUNT, help="Set the number of threads of a parallel solver."),
]
PROOF: list[click.Parameter] = [
    param("--proof", type=FileName(allow_dash=False, dir_okay=False), help="Write a DRAT proof to this file."),
    param("--proof-size", type=SIZE, default=DEFAULT_PROOF, help="Limit the size of the proof.  [default: 64GiB]"),
    flag("--check-proof", help="Report UNSAT only if a checker verifies the proof. Needs --proof."),
    checker_param(),
]
OUTPUT: list[click.Parameter] = [
    flag("--json", "as_json", help="Print one JSON object (status, measurements, model) instead of s and v lines."),
    param("--record", type=FileName(), help="Also write the measurements to this file, as JSON."),
    click.Option(["--list"], is_flag=True, is_eager=True, expose_value=False, callback=list_solvers, help="List the solvers."),
]
COMMAND = DocumentedCommand(
    "run-cnf",
    callback=run_named,
    help="""Run a SOLVER on a CNF file (plain, gz, xz, bz2, zst; `-` is standard input) under limits, and check its model.

    The answer goes to standard output as `s` and `v` lines, after comments with the measurements and the variable map of the CNF
    (from its comments or from x.map.json beside x.cnf), which decode-cnf reads. SOLVER is a name from `run-cnf --list`, or the
    path of a program with the input and output of the SAT competition, with options behind it. Several solvers, separated by
    commas, run as a portfolio, each under the limits, until one has a checked answer. `auto` is the default portfolio.""",
    sections={
        "Input": [
            click.Argument(["solver"], type=Name("solver", solver_titles, others=True)),
            click.Argument(["file"], metavar="CNF", type=CNF_FILE, default="-"),
            flag(
                "--relaxed",
                help=f"{WRONG_HEADER} Accept a right model with exit code 0, or without its 0 at the end, with a warning, too.",
            ),
        ],
        "Limits": LIMITS,
        "Solver": SOLVER,
        "Proof": PROOF,
        "Output": OUTPUT,
    },
    common=("--list",),
    examples=[
        "gen-cnf sample:cat -o cat.cnf",
        "run-cnf kissat cat.cnf --time 60 --memory 2GiB",
        "gen-cnf sample:cat | run-cnf glucose - | decode-cnf",
        "gen-cnf maze --kind blocked --size 3x3 --length 10 -o unsat.cnf",
        "run-cnf kissat unsat.cnf --proof unsat.drat --check-proof",
        "run-cnf glucose cat.cnf --seed 7 --json",
        "run-cnf 'kissat --sat,glucose' cat.cnf",
    ],
    closing=SOLVER_EXIT_HELP,
)
version_option(COMMAND)
