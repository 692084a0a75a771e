"""run-cnf: run a solver, or a portfolio, on a CNF under limits; check the model; measure the resources."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
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
    RELAXED,
    SIZE,
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
from cnfgen_puzzles.evidence.proofs import ProofCheck, certified, check_proof, ready_checker
from cnfgen_puzzles.formula import Cnf, DimacsFile, VariableMap, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.varmap import COMMENT as MAP_COMMENT
from cnfgen_puzzles.pipeline.instance import sidecar_of
from cnfgen_puzzles.pipeline.portfolio import CheckedRun, Entrant, FirstAnswer, Portfolio, first_checked, names_of, pick_portfolio
from cnfgen_puzzles.solving.answers import UNKNOWN, UNSATISFIABLE, answer_lines
from cnfgen_puzzles.solving.process import DEFAULT_PROOF, Limits
from cnfgen_puzzles.solving.run import ERROR, WRONG, Run, record_of, run_solver, side_by_side, summary_of
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers

NO_PROOFS = "it writes no proofs"


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
    options: tuple[str, ...],
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
    sides = pick_portfolio(solver, proof=bool(proof)) if like is None else (Entrant(_solver_like(solver, like)),)
    if len(sides) > 1 and (threads or options):
        given = "--threads" if threads else "--option"
        raise InputError(f"found {given} with several solvers, expected options behind each solver: 'kissat --sat,minisat-core'")
    if check_proof:
        sides = tuple(_require_proof(side, checker) for side in sides)
    with doing(f"reading {file}"):
        source = open_source(file)
        read = read_dimacs(source, relaxed=relaxed)
        warn_of_header(read.wrong_header, source.name)
        comments = _map_comments(file, VariableMap.of_file(read, source.name), read.cnf)
    limits = Limits(cpu=cpu, wall=wall, memory=memory, proof=proof_size)
    proof_file = Path(proof).absolute() if proof else None
    if proof_file:
        check_writable(proof_file)
    with scratch_folder("cnf") as folder:
        cnf_file = _plain_file(file, read, Path(folder))

        def answer_by(chosen: Solver, proof_file: Path | None) -> CheckedRun:
            done = run_solver(
                chosen,
                cnf_file,
                cnf=read.cnf,
                limits=limits,
                seed=seed if chosen.seed_arguments or len(sides) == 1 else None,
                threads=threads,
                proof=proof_file,
                options=options,
            )
            checked = _check(done, cnf_file, read.cnf, proof_file, limits, checker) if check_proof and proof_file else None
            why_none = NO_PROOFS if check_proof and not chosen.proof_format else ""
            done, evidence = certified(done, checked, why_none=why_none, required=check_proof and proof_file is not None)
            return CheckedRun(done, checked, evidence)

        first = _first(sides, answer_by, proof_file, Path(folder), check_proof=check_proof)
    return _write_answer(first, read.cnf, comments, as_json, record)


def _write_answer(first: FirstAnswer[CheckedRun], cnf: Cnf, comments: Sequence[str], as_json: bool, record: str | None) -> int:
    """Write the answer, its record, and errors; return the exit code."""
    done = first.answer.run
    check = first.answer.check
    entry = record_of(done, cnf, proof=check.to_json() if check else None, evidence=evidence_json(first.answer.evidence))
    entry |= side_by_side(first.cpu, [(run, cnf) for run in first.others], first.alarms)
    if record:
        write_text(record, json.dumps(entry, indent=2) + "\n")
    write_text(None, json.dumps(entry | {"model": done.model}) + "\n" if as_json else _answer(first, comments))
    for alarm in first.alarms:
        say(f"run-cnf: ALARM: {alarm}", err=True)
    if done.status in (WRONG, ERROR):
        kept = f"; its output is kept in {done.kept}" if done.kept else ""
        say(f"run-cnf: {done.solver.name}: {done.status}: {done.reason}{kept}", err=True)
    for run in () if done.decided else (done, *first.others):
        for line in (line for line in run.stderr if f"({line})" not in run.reason):
            say(f"run-cnf: {run.solver.name}: standard error: {line}", err=True)
    return SOLVER_CODES[done.status]


def _require_proof(side: Entrant, checker: str | None) -> Entrant:
    """The solver with the proof format of this checker; InputError if the checker is not installed.

    Without a checker, the solver writes its usual proof, DRAT.
    """
    if not side.solver.proof_format:
        return side
    solver = side.solver if checker is None else proving(side.solver, checker)
    ready_checker(checker, solver.proof_format)
    return replace(side, solver=solver)


def _first(
    sides: Portfolio,
    answer_by: Callable[[Solver, Path | None], CheckedRun],
    proof: Path | None,
    folder: Path,
    *,
    check_proof: bool,
) -> FirstAnswer[CheckedRun]:
    """The answer of the only solver, or the first checked answer of several. Its proof is in the file `proof`."""
    if len(sides) == 1:
        return FirstAnswer(answer_by(sides[0].solver, proof), 0)
    if check_proof and not any(side.solver.proof_format for side in sides):
        raise InputError(f"none of the solvers writes proofs: {names_of(sides)}")
    # a solver without proofs may still find a model; without a check, every solver gets a proof file
    proofs = [folder / f"proof{number}" if proof and (side.solver.proof_format or not check_proof) else None
              for number, side in enumerate(sides)]  # fmt: skip
    calls = [partial(answer_by, side.solver, own) for side, own in zip(sides, proofs, strict=True)]
    able = [check_proof and own is not None for own in proofs]
    with doing(f"{names_of(sides)} are solving in parallel"):
        first = first_checked(calls, able, None if check_proof else (lambda _: 0.0), after=[side.after for side in sides])
    written, best = proofs[first.number], first.answer
    if proof is not None and written is not None and written.exists():
        shutil.copyfile(written, proof)  # moving it would replace a device
    if check_proof and written is None:
        run, evidence = certified(best.run, None, why_none=NO_PROOFS, required=True)
        first = replace(first, answer=replace(best, run=run, evidence=evidence))
    return first


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


def _check(done: Run, cnf_file: Path, cnf: Cnf, proof: Path, limits: Limits, checker: str | None) -> ProofCheck | None:
    """The result of the proof checker for an UNSAT answer; None for other answers."""
    if done.status != UNSATISFIABLE or done.solver.proof_format is None:
        return None
    with doing(f"checking the proof of {done.solver.name}"):
        return check_proof(cnf_file, proof, limits, cnf=cnf, proof_format=done.solver.proof_format, checker=checker)


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


def _answer(first: FirstAnswer[CheckedRun], map_comments: Sequence[str]) -> str:
    """The answer as `s` and `v` lines, after comments with the measurements, the evidence, and the variable map."""
    done, evidence = first.answer.run, first.answer.evidence
    comments = list(summary_of(done))
    for other in first.others:
        comments += summary_of(other)
    if first.others:
        comments.append(f"all solvers together: cpu {first.cpu:.3f} s")
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
    param("--option", "options", multiple=True, metavar="WORD", help="Pass WORD to the solver. Repeatable."),
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
    help="""Run a SOLVER on a CNF file (plain, gz, xz; `-` is standard input) under limits, and check its model.

    The answer goes to standard output as `s` and `v` lines, after comments with the measurements and the variable map of the CNF
    (from its comments or from x.map.json beside x.cnf), which decode-cnf reads. SOLVER is a name from `run-cnf --list`, or the
    path of a program with the input and output of the SAT competition, with options behind it. Several solvers, separated by
    commas, run as a portfolio, each under the limits, until one has a checked answer. `auto` is the default portfolio.""",
    sections={
        "Input": [
            click.Argument(["solver"], type=Name("solver", solver_titles, others=True)),
            click.Argument(["file"], metavar="CNF", type=CNF_FILE, default="-"),
            RELAXED,
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
