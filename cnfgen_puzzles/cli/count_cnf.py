"""count-cnf: count or list the models of a CNF, projected if the file declares a projection set. No puzzle is needed.

`counting/total.py` counts, as for puzzles. The output format is that of the model counting competitions.
"""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

import click

from cnfgen_puzzles.cli.app import say, version_option, warn_of_header, write_text
from cnfgen_puzzles.cli.certificates import certificate_params
from cnfgen_puzzles.cli.errors import ANSWERED, EXIT_HELP, INTERRUPTED, exit_code_of
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import (
    CNF_FILE,
    COUNT,
    EXIT_CODE,
    JOBS,
    LIMITS,
    WRONG_HEADER,
    Name,
    checker_param,
    engine_help,
    engine_summaries,
    flag,
    param,
)
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.counting.enginenames import AUTO, COVER
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.total import Total, plan_for
from cnfgen_puzzles.evidence.certificate import check_place
from cnfgen_puzzles.evidence.evidence import PROOF, Evidence
from cnfgen_puzzles.evidence.proofs import ready_checker
from cnfgen_puzzles.formula.shown import CountingFile, read_counting
from cnfgen_puzzles.pipeline.cnfcount import CnfCount
from cnfgen_puzzles.solving.answers import UNKNOWN
from cnfgen_puzzles.solving.process import Limits


def count_models(
    file: str,
    all_models: bool,
    show: str | None,
    limit: int | None,
    engine: str | None,
    solver: str | None,
    jobs: int | None,
    state: str | None,
    certificate: str | None,
    keep_proofs: bool,
    replace_certificate: bool,
    checker: str | None,
    cpu: float | None,
    wall: float | None,
    memory: int | None,
    as_json: bool,
    quiet: bool,
    exit_code: bool,
    relaxed: bool,
) -> int:
    """Run the command and return its exit code."""
    sys.set_int_max_str_digits(0)  # Python refuses to print long numbers by default
    with doing(f"reading {file}"):
        read = choose_shown(read_counting(open_source(file), relaxed=relaxed), show)
    warn_of_header(read.wrong_header, file)
    for name, given in (("keep-proofs", keep_proofs), ("replace-certificate", replace_certificate), ("checker", checker)):
        if given and certificate is None:
            raise InputError(f"found --{name} without --certificate")
    if certificate is not None:
        chosen = ready_checker(checker, "lrat")
        if limit:
            raise InputError("found --certificate and --limit, expected one of them: a certificate covers all models")
        check_place(Path(certificate), replaces=replace_certificate)
    problem = Problem(read.cnf, read.projection)
    every = all_models or certificate is not None
    if engine == COVER:
        raise InputError(f"the engine {COVER} cannot count this: a CNF alone is not an exact cover problem")
    search = bool(every or state or limit or jobs == 1)
    plan = plan_for(engine or AUTO, problem, solver, listed=every or (search and engine in (None, AUTO)))
    if plan.engine is None:
        for name, value in (("state", state), ("limit", limit), ("jobs", jobs)):
            if value:
                raise InputError(f"--{name} needs an engine that enumerates, and {plan} does not")
    found: list[frozenset[int]] = []
    with doing("counting"):
        limits = Limits(cpu=cpu, wall=wall, memory=memory)
        total = Total(problem, plan, jobs=jobs, state=Path(state) if state else None, limits=limits)
        with contextlib.closing(iter(total)) as models:  # type: ignore[type-var]  # a generator: to close it ends the workers
            try:
                for true in models:
                    if certificate is not None:
                        found.append(true)
                    if all_models:
                        model = [variable if variable in true else -variable for variable in read.projection]
                        say(json.dumps({"model": model}) if as_json else " ".join(["v", *map(str, model), "0"]))
                    if total.found == limit:
                        total.stop(f"limit of {limit} models")
                        break
            except KeyboardInterrupt:
                total.interrupt()
    if certificate is not None and total.complete:
        from cnfgen_puzzles.counting.proving.cubes import certify_list  # compiles

        with doing("proving that there are no other models"):
            sums = certify_list(
                problem, found, Path(certificate), jobs=jobs, keep=keep_proofs, replaces=replace_certificate,
                checker=checker,
            )  # fmt: skip
        total.proved = Evidence(PROOF, chosen.title)
        if not quiet:
            say(f"certificate in {certificate}; the SHA-256 of its SHA256SUMS is {sums}", err=True)
    counted = CnfCount(read, total)
    if as_json:
        write_text(None, json.dumps(counted.to_json()) + "\n")
    else:
        for line in counted.lines():
            say(line)
    if not quiet:
        say(f"{total.by}{total.used_text()}: {total.seconds:.2f} s, {total.cpu:.2f} s CPU", err=True)
    if total.interrupted:
        return INTERRUPTED
    if limit and total.found == limit and not exit_code:
        return ANSWERED
    return exit_code_of(counted.status if total.complete else UNKNOWN, as_solvers=exit_code)


def choose_shown(file: CountingFile, chosen: str | None) -> CountingFile:
    """The file with the chosen projection set: `all`, or a list such as `1-9,12`."""
    if chosen is None:
        return file
    most = file.cnf.num_variables
    if chosen == "all":
        return CountingFile(file.cnf, list(range(1, most + 1)), declared=False, wrong_header=file.wrong_header)
    wanted = set[int]()
    for piece in filter(None, chosen.split(",")):
        first, _, last = piece.partition("-")
        ends = [int(word) if word.isascii() and word.isdigit() and len(word) <= 10 else 0 for word in (first, last or first)]
        if not 1 <= ends[0] <= ends[1] <= most:
            raise InputError(f"found {piece!r} in --show, expected variables from 1 to {most}, such as 1-9,12")
        wanted.update(range(ends[0], ends[1] + 1))
    return CountingFile(file.cnf, sorted(wanted), declared=True, wrong_header=file.wrong_header)


COUNTING: list[click.Parameter] = [
    flag("--all", "-a", "all_models", help="List all models as they are found."),
    param(
        "--show",
        metavar="VARIABLES",
        help="Project on these variables, such as 1-9,12, or `all`; by default on those that the file declares, else on all.",
    ),
    param("--limit", type=COUNT, help="Stop after N models."),
    param(
        "--engine",
        "-e",
        type=Name("engine", lambda: engine_summaries(COVER), others=True),
        metavar="ENGINE",
        help=engine_help(COVER),
    ),
    param("--solver", "-s", metavar="SOLVER", help="Use this solver of python-sat in the engine `blocking`."),
    param("--jobs", "-j", type=JOBS, help="Enumerate with N parallel processes; by default one per core."),
    param(
        "--state",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Save the progress of an enumeration in this folder, so that the same command resumes.",
    ),
]


COMMAND = DocumentedCommand(
    "count-cnf",
    callback=count_models,
    help="""Count the models of a CNF file (plain, gz, xz, bz2, zst; `-` is standard input), or list them.

    If the file declares a projection set (`c p show 1 2 0`, `c ind 1 2 0`, `p pcnf`), models that agree on these variables count
    once. The output states the evidence of the number. Numbers above a million need a model counter: ganak (probabilistic: exact
    with probability at least 1 - delta), tididi, or `--engine counters` for both, which must agree.""",
    sections={
        "Input": [click.Argument(["file"], metavar="CNF", type=CNF_FILE, default="-"), flag("--relaxed", help=WRONG_HEADER)],
        "Counting": COUNTING,
        "Certificate": [*certificate_params(implied="", where=""), checker_param()],
        "Limits": LIMITS,
        "Output": [
            flag("--json", "as_json", help="Print JSON: with --all one object per model, then the count."),
            flag("--quiet", "-q", help="Do not print measurements."),
            EXIT_CODE,
        ],
    },
    common=("--engine", "--certificate", "--json", "--quiet"),
    examples=[
        "gen-cnf tiling --board 6x6 --pieces '18*domino' -o dominoes.cnf",
        "count-cnf dominoes.cnf",
        "count-cnf dominoes.cnf --engine counters --time 600 --memory 4GiB",
        "count-cnf dominoes.cnf --all --limit 10",
        "gen-cnf sample:cat | count-cnf -",
    ],
    closing=EXIT_HELP,
)
version_option(COMMAND)
