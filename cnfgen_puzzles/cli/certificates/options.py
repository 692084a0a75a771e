"""--certificate of solve-puzzle: its options, what they ask for, and what is told of the certificate afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.common import chosen, say
from cnfgen_puzzles.cli.families import source_named
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.request import CertificateOrder, origin_of_file, origin_of_generator, origin_of_options


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
