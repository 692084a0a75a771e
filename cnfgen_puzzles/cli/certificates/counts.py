"""`--count --certificate` of solve-puzzle, and `--certificate` of count-cnf: all counted, with a proof that there is no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from cnfgen_puzzles.cli.boards import Display
from cnfgen_puzzles.cli.certificates.options import certificate_wanted, tell_certificate
from cnfgen_puzzles.cli.common import EXIT_CODES, INTERRUPTED, say
from cnfgen_puzzles.cli.families import encoding_options_named, read_named
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.counting.enginenames import AUTO
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.proving.cubes import certify_list
from cnfgen_puzzles.evidence.basis import PROOF, Evidence
from cnfgen_puzzles.evidence.checkers import LRAT
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.certificates.countcertificate import certify_count


def certify_models(problem: Problem, found: list[frozenset[int]], values: dict[str, Any]) -> Evidence:
    """Write the certificate that these are all models of a formula; what it rests on now that there are no others."""
    folder = Path(values["certificate"])
    with Ticker() as ticker:
        sums = certify_list(
            problem, found, folder, jobs=values["jobs"], keep=values["keep_proofs"], replaces=values["replace_certificate"],
            on_look=lambda proving: ticker.show(proving.progress()),
        )  # fmt: skip
    if not values["quiet"]:
        say(f"certificate in {folder}; the SHA-256 of its SHA256SUMS is {sums}", err=True)
    return Evidence(PROOF, LRAT.told)


def certify_boards(family: Family, display: Display, values: dict[str, Any]) -> int:
    """Count them and write the certificate; the exit code."""
    wanted = certificate_wanted(family, values)
    assert wanted is not None
    puzzle = read_named(family, values)
    chosen = click.get_current_context().get_parameter_source("encoding") is not ParameterSource.DEFAULT
    try:
        with Ticker() as ticker:
            found = certify_count(
                family,
                puzzle,
                wanted,
                encoding=values["encoding"] if chosen else None,
                options=encoding_options_named(family, values),
                engine=values["engine"] or AUTO,
                jobs=values["jobs"],
                raw=values["raw"],
                keep=values["keep_proofs"],
                on_look=ticker.show,
            )
    except KeyboardInterrupt:
        say("interrupted; the same command goes on where it was", err=True)
        return INTERRUPTED
    if display.view is None:
        display.write_json(found.to_json())
    else:
        say(found.sentence())
    if not values["quiet"]:
        say(f"{found.cubes} cubes, {found.cpu:.1f} s CPU", err=True)
    tell_certificate(wanted, quiet=values["quiet"])
    return EXIT_CODES["SATISFIABLE" if found.raw else "UNSATISFIABLE"]
