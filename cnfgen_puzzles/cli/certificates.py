"""--certificate of solve-puzzle and count-cnf: its options, what they ask for, certified counts, and what is told afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cnfgen_puzzles.cli.common import EXIT_CODES, INTERRUPTED, chosen, say
from cnfgen_puzzles.cli.families import encoding_options_named, read_named, source_named
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.request import CertificateOrder, origin_of_file, origin_of_generator, origin_of_options

if TYPE_CHECKING:
    from cnfgen_puzzles.cli.boards import Display
    from cnfgen_puzzles.counting.problem import Problem
    from cnfgen_puzzles.evidence.basis import Evidence


def certificate_params(implied: str = " Implies --certify.", where: str = " [--count]") -> list[click.Parameter]:
    """--certificate, --keep-proofs and --replace-certificate; what the first implies, and where the second has a meaning."""
    return [
        click.Option(
            ["--certificate"],
            type=click.Path(file_okay=False),
            metavar="FOLDER",
            help=f"Write a certificate that anybody can check (`verify-certificate`).{implied}",
        ),
        click.Option(["--keep-proofs"], is_flag=True, help=f"Take the proofs of the parts into the certificate.{where}"),
        click.Option(["--replace-certificate"], is_flag=True, help="A certificate that is in FOLDER already gives way."),
    ]


def certificate_wanted(family: Family, values: dict[str, Any]) -> CertificateOrder | None:
    """What --certificate asks for; the puzzle's file is read here and kept for `read_named`."""
    if values["certificate"] is None:
        return None
    from cnfgen_puzzles.evidence.certificate import check_place  # loads all that writes certificates

    wanted = CertificateOrder(Path(values["certificate"]), replaces=values["replace_certificate"])
    check_place(wanted.folder, replaces=wanted.replaces)
    if values.get("generate"):
        options = chosen(values, family.generators[values["generate"]].options)
        wanted.origin = origin_of_generator(values["generate"], 1 if values["seed"] is None else values["seed"], options)
    elif values.get("file"):
        wanted.source = source_named(values["file"])
        click.get_current_context().obj = wanted.source  # standard input can be read once
        wanted.origin = origin_of_file(wanted.source, chosen(values, family.options))
    else:
        wanted.origin = origin_of_options(chosen(values, family.options))
    return wanted


def tell_certificate(wanted: CertificateOrder, *, quiet: bool) -> None:
    """Where the certificate is, and what names it."""
    if not wanted.sums:
        say(f"no certificate was written: {wanted.reason}", err=True)
    elif not quiet:
        say(f"certificate in {wanted.folder}; the SHA-256 of its SHA256SUMS is {wanted.sums}", err=True)


def certify_models(problem: Problem, found: list[frozenset[int]], values: dict[str, Any]) -> Evidence:
    """Write the certificate that these are all models of a formula; what it rests on now that there are no others."""
    from cnfgen_puzzles.cli.progress import Ticker
    from cnfgen_puzzles.counting.proving.cubes import certify_list  # compiles
    from cnfgen_puzzles.evidence.basis import PROOF, Evidence
    from cnfgen_puzzles.evidence.checkers import LRAT

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
    from cnfgen_puzzles.cli.progress import Ticker
    from cnfgen_puzzles.counting.enginenames import AUTO
    from cnfgen_puzzles.pipeline.certificates.countcertificate import certify_count  # compiles

    wanted = certificate_wanted(family, values)
    assert wanted is not None
    puzzle = read_named(family, values)
    encoding_chosen = click.get_current_context().get_parameter_source("encoding") is not ParameterSource.DEFAULT
    try:
        with Ticker() as ticker:
            found = certify_count(
                family,
                puzzle,
                wanted,
                encoding=values["encoding"] if encoding_chosen else None,
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
