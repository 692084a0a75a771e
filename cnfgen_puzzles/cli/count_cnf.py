"""count-cnf: how many models a CNF has, projected if it says so, or all of them one by one. No puzzle is needed.

`counting/total.py` counts, as for puzzles. The answer is in the words of the model counting competitions.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.certificates import certificate_params
from cnfgen_puzzles.cli.common import (
    CNF_FILE,
    COUNT,
    EXIT_CODES,
    INTERRUPTED,
    JOBS,
    Name,
    SectionedCommand,
    checker_param,
    engine_help,
    engine_summaries,
    flag,
    limit_params,
    param,
    say,
    version_option,
    write_text,
)
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.numbers import digits
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.counting.enginenames import AUTO, COVER
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.total import Total, plan_for
from cnfgen_puzzles.evidence.basis import PROOF, Evidence, evidence_json
from cnfgen_puzzles.evidence.certificate import check_place
from cnfgen_puzzles.evidence.proofs import ready_checker
from cnfgen_puzzles.formula.shown import CountingFile, read_counting
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits

EXIT_HELP = (
    "Exits with 10 (there are models), 20 (there is none), 0 (not decided: a limit was met), 130 (Ctrl-C), "
    "1 (a fault of an engine or ours), 2 (a mistake in the call or the input)."
)


@dataclass(frozen=True)
class CnfCount:
    """The number of models of a file."""

    file: CountingFile
    total: Total

    @property
    def status(self) -> str:
        """The verdict of the formula: one model is enough for satisfiable."""
        if self.total.number:
            return SATISFIABLE
        return UNSATISFIABLE if self.total.complete else UNKNOWN

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        if self.total.interrupted:
            return INTERRUPTED
        return EXIT_CODES[self.status if self.total.complete else UNKNOWN]

    def sentence(self) -> str:
        """The result in words, and what it rests on."""
        total, number, variables = self.total, self.total.number, len(self.file.projection)
        noun = "models" if number > 1 else "model"
        everything = self.file.cnf.num_variables
        projected = f", projected on {variables} of the {everything} variables" if variables < everything else ""
        models = f"{digits(number) if number else 'no'} {noun}{projected}"
        if not total.complete:
            found = f"at least {models}" if number else f"{models} was found"
            return f"Partial ({total.reason}{total.parts_text()}): {found}."
        evidence = total.evidence()
        grounds = evidence.words() if evidence else ""
        if total.listed and number:
            return f"{models}, each checked. No others{grounds}."
        return f"{models[:1].upper()}{models[1:]}{grounds}."

    def lines(self) -> Iterator[str]:
        """The answer as the model counting competitions want it, the sentence as a comment."""
        yield f"c o {self.sentence()}"
        yield f"s {self.status}"
        if self.total.complete:
            number = self.total.number
            yield f"c s type {self.file.kind}"
            yield f"c s log10-estimate {math.log10(number):.12g}" if number else "c s log10-estimate -inf"
            yield f"c s exact arb int {digits(number)}"

    def to_json(self) -> dict[str, Any]:
        """The result as JSON."""
        total = self.total
        evidence = total.evidence() if total.complete else None
        return {
            "models": total.number, "complete": total.complete, "reason": total.reason, "type": self.file.kind,
            "shown": len(self.file.projection), "variables": self.file.cnf.num_variables, "clauses": self.file.cnf.num_clauses,
            "sha256": self.file.cnf.checksum(), "engine": total.by, "listed": total.listed, "seconds": round(total.seconds, 3),
            "cpu": round(total.cpu, 3), "evidence": evidence_json(evidence),
        }  # fmt: skip


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
) -> int:
    """Do what the user asked for; the exit code."""
    sys.set_int_max_str_digits(0)  # numbers of models have as many digits as they have
    with Ticker(), doing(f"reading {file}"):
        read = choose_shown(read_counting(open_source(file)), show)
    for name, given in (("keep-proofs", keep_proofs), ("replace-certificate", replace_certificate), ("checker", checker)):
        if given and certificate is None:
            raise InputError(f"found --{name} without --certificate")
    if certificate is not None:
        chosen = ready_checker(checker, "lrat")
        if limit:
            raise InputError("found --certificate and --limit: a certificate says that these are all models")
        check_place(Path(certificate), replaces=replace_certificate)
    problem = Problem(read.cnf, read.projection)
    every = all_models or certificate is not None
    if engine == COVER:
        raise InputError(f"the engine {COVER} cannot count this: a CNF alone is no exact cover problem")
    search = bool(every or state or limit or jobs == 1)
    plan = plan_for(engine or AUTO, problem, solver, listed=every or (search and engine in (None, AUTO)))
    if plan.engine is None:
        for name, value in (("state", state), ("limit", limit), ("jobs", jobs)):
            if value:
                raise InputError(f"--{name} is for engines that enumerate, and {plan} does not")
    found: list[frozenset[int]] = []
    with Ticker() as ticker:
        total = Total(
            problem, plan, jobs=jobs, state=Path(state) if state else None, limits=Limits(cpu=cpu, wall=wall, memory=memory),
            on_look=lambda: ticker.show(f"{total.by}: {total.found} models so far{total.parts_text()}"),
        )  # fmt: skip
        with contextlib.closing(iter(total)) as models:  # type: ignore[type-var]  # a generator: to close it ends the workers
            try:
                for true in models:
                    if certificate is not None:
                        found.append(true)
                    if all_models:
                        with ticker.aside():
                            click.echo(model_line(read.projection, true, as_json=as_json))
                    if total.found == limit:
                        total.stop(f"limit of {limit} models")
                        break
            except KeyboardInterrupt:
                total.interrupt()
    if certificate is not None and total.complete:
        from cnfgen_puzzles.counting.proving.cubes import certify_list  # compiles

        with Ticker() as ticker:
            sums = certify_list(
                problem, found, Path(certificate), jobs=jobs, keep=keep_proofs, replaces=replace_certificate,
                checker=checker, on_look=lambda proving: ticker.show(proving.progress()),
            )  # fmt: skip
        total.proved = Evidence(PROOF, chosen.told)
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
    return counted.exit_code


def model_line(projection: list[int], true: frozenset[int], *, as_json: bool) -> str:
    """A model, by its shown variables."""
    model = [variable if variable in true else -variable for variable in projection]
    return json.dumps({"model": model}) if as_json else " ".join(["v", *map(str, model), "0"])


def choose_shown(file: CountingFile, chosen: str | None) -> CountingFile:
    """The file with the variables that the user chose to be shown: `all`, or a list such as `1-9,12`."""
    if chosen is None:
        return file
    most = file.cnf.num_variables
    if chosen == "all":
        return CountingFile(file.cnf, list(range(1, most + 1)), declared=False)
    wanted = set[int]()
    for piece in filter(None, chosen.split(",")):
        first, _, last = piece.partition("-")
        ends = [int(word) if word.isascii() and word.isdigit() and len(word) <= 10 else 0 for word in (first, last or first)]
        if not 1 <= ends[0] <= ends[1] <= most:
            raise InputError(f"found {piece!r} in --show, expected variables from 1 to {most}, such as 1-9,12")
        wanted.update(range(ends[0], ends[1] + 1))
    return CountingFile(file.cnf, sorted(wanted), declared=True)


COUNTING: list[click.Parameter] = [
    flag("--all", "-a", "all_models", help="Write all models, each as it is found."),
    param(
        "--show",
        metavar="VARIABLES",
        help="Which variables tell two models apart, such as 1-9,12, or `all`; by default those that the file shows, or all.",
    ),
    param("--limit", type=COUNT, help="Stop after N models."),
    param(
        "--engine",
        "-e",
        type=Name("engine", lambda: engine_summaries(COVER), others=True),
        metavar="ENGINE",
        help=engine_help(COVER),
    ),
    param("--solver", "-s", metavar="SOLVER", help="Which of python-sat's solvers `blocking` uses."),
    param("--jobs", "-j", type=JOBS, help="Processes that enumerate side by side; by default one a core."),
    param(
        "--state",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Keep what is done here, so that the same command continues it: an enumeration.",
    ),
]


COMMAND = SectionedCommand(
    "count-cnf",
    callback=count_models,
    help="""Count the models of a CNF file (plain, gz, xz; `-` is standard input), or list them.

    Where the file shows variables (`c p show 1 2 0`, `c ind 1 2 0`, `p pcnf`), models that agree in these are one. The number is
    exact, however large; the answer says on whose word. Numbers beyond a million take a model counter: ganak or tididi, or
    `--engine counters` for both, which must agree.""",
    sections={
        "": [click.Argument(["file"], metavar="CNF", type=CNF_FILE, default="-")],
        "Counting": COUNTING,
        "Certificate": [*certificate_params(implied="", where=""), checker_param()],
        "Limits": limit_params(),
        "Output": [
            flag("--json", "as_json", help="Print JSON: with --all an object a model, then the count."),
            flag("--quiet", "-q", help="No measurements."),
        ],
    },
    examples=[
        "gen-cnf tiling --board 6x6 --pieces domino -o dominoes.cnf",
        "count-cnf dominoes.cnf",
        "count-cnf dominoes.cnf --engine counters --time 600 --memory 4GiB",
        "count-cnf dominoes.cnf --all --limit 10",
        "gen-cnf sample:cat | count-cnf -",
    ],
    closing=EXIT_HELP,
)
version_option(COMMAND)
