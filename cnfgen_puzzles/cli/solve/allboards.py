"""solve-puzzle --all and --count: show or count all solutions. Loads the packages for counting."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace

from cnfgen_puzzles.cli.app import say, say_lines
from cnfgen_puzzles.cli.boards import PICTURES, Display
from cnfgen_puzzles.cli.certificates import report_certificate
from cnfgen_puzzles.cli.errors import ANSWERED, INTERRUPTED, exit_code_of
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.counting.counters import COUNTERS, EXTRA
from cnfgen_puzzles.counting.total import MANY
from cnfgen_puzzles.pipeline.api import solutions_of
from cnfgen_puzzles.pipeline.count import Solutions, count
from cnfgen_puzzles.pipeline.mus import bound_limits, extract_mus
from cnfgen_puzzles.pipeline.request import CertificateOrder, CountRequest, MusRequest
from cnfgen_puzzles.solving.executors import jobs_of, open_executor
from cnfgen_puzzles.solving.process import Limits


def enumerate_boards(request: CountRequest, display: Display, *, scheduler: str | None, quiet: bool, as_solvers: bool) -> int:
    """Show or count all solutions and return the exit code."""
    view = display.view
    if request.listed and view is not None and view.suffix in PICTURES and view.sheet is None:
        raise InputError(f"the view {view.name} of {request.family.name} cannot show many boards on one sheet")
    with open_executor(scheduler) if scheduler is not None else nullcontext() as executor, doing("counting"):
        if executor is not None and not jobs_of(executor):
            say(f"{scheduler}: no workers yet; waiting for the first one", err=True)
        solutions: Solutions = solutions_of(replace(request, executor=executor))
        if request.listed:
            display.show_all(solutions)
        else:
            sys.set_int_max_str_digits(0)  # Python refuses to print long numbers by default
            count(solutions)
        found, why = solutions.count(), None
        if found.complete and not found.solutions:
            limits = bound_limits(request.limits or Limits(), found.seconds)
            mus_request = MusRequest(family=request.family, puzzle=request.puzzle, encoding=request.encoding, limits=limits)
            why = extract_mus(mus_request)
    if not request.listed and display.view is None:
        display.write_json(found.to_json() | ({"contradiction": why.to_json()} if why else {}))
    else:
        for sentence in (found, why):
            if sentence is not None:
                say_lines(sentence.sentence(), err=display.takes_stdout)
    if not quiet:
        say(solutions.measured(), err=True)
    if (
        found.solutions >= MANY
        and found.listed
        and not request.listed
        and not any(each.available() for each in COUNTERS.values())
    ):
        say(f"no model counter is installed, which may count this much faster: {install_extra(EXTRA)}", err=True)
    if found.interrupted:
        return INTERRUPTED
    if request.most and found.solutions >= request.most and not as_solvers:
        return ANSWERED
    return exit_code_of(found.status if found.complete else "UNKNOWN", as_solvers=as_solvers)


def certify_boards(
    request: CountRequest,
    order: CertificateOrder,
    display: Display,
    *,
    keep: bool,
    checker: str | None,
    quiet: bool,
    as_solvers: bool,
) -> int:
    """Count the solutions, write the certificate, and return the exit code."""
    from cnfgen_puzzles.pipeline.certificates.countcertificate import certify_count  # compiles

    try:
        with doing("counting"):
            found = certify_count(request, order, keep=keep, checker=checker)
    except KeyboardInterrupt:
        say("interrupted; the same command resumes", err=True)
        return INTERRUPTED
    if display.view is None:
        display.write_json(found.to_json())
    else:
        say_lines(found.sentence())
    if not quiet:
        say(f"{found.cubes} cubes, {found.cpu:.1f} s CPU", err=True)
    report_certificate(order, quiet=quiet)
    return exit_code_of("SATISFIABLE" if found.raw else "UNSATISFIABLE", as_solvers=as_solvers)
