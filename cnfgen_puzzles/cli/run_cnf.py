"""run-cnf: one solver on one CNF under limits, its model checked, its resources measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.common import (
    EXIT_CODES,
    EXIT_HELP,
    Memory,
    check_writable,
    limit_params,
    run,
    say,
    version_option,
    write_text,
)
from cnfgen_puzzles.evidence.basis import COMMENT as EVIDENCE_COMMENT
from cnfgen_puzzles.evidence.basis import Evidence, evidence_json
from cnfgen_puzzles.evidence.proofs import ProofCheck, certified, check_proof
from cnfgen_puzzles.formula import Cnf, DimacsFile, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.varmap import COMMENT as MAP_COMMENT
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.printable import UNPRINTABLE, printable
from cnfgen_puzzles.ground.scratch import scratch_folder
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.solving.answers import UNKNOWN, UNSATISFIABLE, answer_lines
from cnfgen_puzzles.solving.executables import UNKNOWN_VERSION
from cnfgen_puzzles.solving.process import DEFAULT_PROOF, Limits
from cnfgen_puzzles.solving.record import record_of, summary_of
from cnfgen_puzzles.solving.run import ERROR, WRONG, Run, run_solver
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers


def list_solvers(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from tabulate import tabulate

    rows = [list(map(printable, _row(solver))) for solver in load_solvers().values()]
    say(tabulate(rows, headers=["name", "version", "proof", "seed", "program"], disable_numparse=True))
    ctx.exit()


def _row(solver: Solver) -> list[str]:
    """A solver in the list. What is wrong with it stands in its row, and the others are listed all the same."""
    version, where = solver.version, "not there" + ("; `make solvers` builds it" if solver.build else "")
    try:
        if solver.fault or solver.executable or solver.available():
            version, where = UNKNOWN_VERSION, str(solver.locate())
            version = solver.version_line(Path(where))
    except CnfgenError as error:
        where = str(error)
    return [solver.name, version, "yes" if solver.proof_format else "", "yes" if solver.seed_arguments else "", where]


@click.command(
    "run-cnf",
    params=limit_params(),
    help=f"""Run one SOLVER on a CNF file (plain, gz, xz; `-` is standard input) under limits.

    The answer goes to standard output as `s` and `v` lines, after the model was checked against every clause; comments tell
    what was measured, and the variable map of the CNF is passed on, so that decode-cnf can read the answer. SOLVER is a name
    from `run-cnf --list` or the path of a program that speaks the SAT competition's dialect.

    \b
    Examples:
      run-cnf kissat x.cnf --time 60 --memory 2GiB
      gen-cnf nonogram cat.nin | run-cnf glucose - | decode-cnf
      run-cnf cadical x.cnf --proof x.drat --check-proof
      run-cnf minisat x.cnf --seed 7 --json

    {EXIT_HELP}""",
)
@click.argument("solver", metavar="SOLVER")
@click.argument("file", metavar="CNF", type=click.Path(allow_dash=True, readable=False), default="-")
@click.option("--like", metavar="NAME", help="SOLVER is a program's path, called as this solver of the list is: seeds, proofs.")
@click.option("--threads", type=click.IntRange(min=1), help="Threads of a parallel solver.")
@click.option(
    "--option", "options", multiple=True, metavar="WORD", help="A word to pass to the solver as it is; may be repeated."
)
@click.option("--proof", type=click.Path(dir_okay=False), metavar="FILE", help="Let the solver write a DRAT proof to this file.")
@click.option("--proof-size", type=Memory(), default=DEFAULT_PROOF, metavar="SIZE",
              help="Limit on the size of the proof; 64GiB unless told otherwise.")  # fmt: skip
@click.option("--check-proof", is_flag=True, help="UNSAT only with a proof that drat-trim has verified (needs --proof).")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object (status, measurements, model) instead of s and v lines."
)
@click.option("--record", metavar="FILE", help="Also write the measurements as JSON to this file.")
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=list_solvers, help="Show the solvers.")
@version_option
def command(
    solver: str,
    file: str,
    like: str | None,
    proof: str | None,
    check_proof: bool,
    as_json: bool,
    record: str | None,
    **how: Any,
) -> int:
    if check_proof and not proof:
        raise click.UsageError("--check-proof needs --proof FILE")
    chosen = find_solver(solver) if like is None else _alike(solver, like)
    read = read_dimacs(open_source(file))
    limits = Limits(**{name: how.pop(name) for name in ("cpu", "wall", "memory")}, proof=how.pop("proof_size"))
    proof_file = Path(proof).absolute() if proof else None
    if proof_file:
        check_writable(proof_file)
    with scratch_folder("cnf") as folder:
        cnf_file = _plain_file(file, read, Path(folder))
        done = run_solver(chosen, cnf_file, cnf=read.cnf, limits=limits, proof=proof_file, **how)
        checked = _check(done, cnf_file, read.cnf, proof_file, limits) if check_proof and proof_file else None
    done, evidence = certified(done, checked, required=check_proof)
    entry = record_of(done, read.cnf, proof=checked, evidence=evidence_json(evidence))
    if record:
        write_text(record, json.dumps(entry, indent=2) + "\n")
    write_text(None, json.dumps(entry | {"model": done.model}) + "\n" if as_json else _answer(done, read, evidence))
    if done.status in (WRONG, ERROR):
        kept = f"; its output is kept in {done.kept}" if done.kept else ""
        say(f"run-cnf: {done.solver.name}: {done.status}: {done.reason}{kept}", err=True)
    return EXIT_CODES[done.status]


def _alike(program: str, like: str) -> Solver:
    if "/" not in program:
        raise InputError(f"found {program!r} with --like, expected the path of a program, such as ./{program}")
    return find_solver(like).alike(Path(program).name, executable=program, program=program, source=program)


def _plain_file(file: str, read: DimacsFile, folder: Path) -> Path:
    """The user's own file where every solver can read it, else a copy: of a pipe, unpacked, without a trailer."""
    if file != "-" and read.strict:
        return Path(file)
    copy = folder / "input.cnf"
    with copy.open("wb") as stream:
        write_dimacs(read.cnf, stream)
    return copy


def _check(done: Run, cnf_file: Path, cnf: Cnf, proof: Path, limits: Limits) -> ProofCheck | None:
    """The verdict of the proof checker on an UNSAT answer; there is nothing to check in another one."""
    if done.status != UNSATISFIABLE or done.solver.proof_format is None:
        return None
    return check_proof(cnf_file, proof, limits, cnf=cnf, proof_format=done.solver.proof_format)


def _answer(done: Run, read: DimacsFile, evidence: Evidence | None) -> str:
    """The answer as `s` and `v` lines, under comments that tell the measurements and hand evidence and variable map on."""
    comments = list(summary_of(done))
    comments = list(map(printable, comments))
    if evidence is not None:
        comments.append(EVIDENCE_COMMENT + json.dumps(evidence.to_json()))
    comments += [_json_line(comment) for comment in read.comments if comment.startswith(MAP_COMMENT)]
    verdict = done.status if done.decided else UNKNOWN
    return "".join(f"{line}\n" for line in (*(f"c {comment}" for comment in comments), *answer_lines(verdict, done.model)))


def _json_line(comment: str) -> str:
    """A line of a map, which stays the same JSON: what a terminal would obey is written as JSON escapes it."""
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", comment.rstrip("\r"))


def main() -> None:
    run(command)
