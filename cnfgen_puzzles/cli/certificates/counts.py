"""`solve-puzzle --count --certificate`: all boards counted, with a proof that there is no other."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from cnfgen_puzzles.cli.boards import Display
from cnfgen_puzzles.cli.certificates.options import certificate_wanted, tell_certificate
from cnfgen_puzzles.cli.common import EXIT_CODES, INTERRUPTED, say
from cnfgen_puzzles.cli.families import encoding_options_named, read_named
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.counting import AUTO
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.countcertificate import certify_count


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
