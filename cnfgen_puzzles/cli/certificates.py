"""--certificate of solve-puzzle and count-cnf: its options, the order for the pipeline, and the final message."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.app import say
from cnfgen_puzzles.cli.families import PuzzleChoice
from cnfgen_puzzles.cli.params import flag, param
from cnfgen_puzzles.pipeline.request import CertificateOrder, origin_of


def certificate_params(implied: str = " Implies --certify.", where: str = " [--count]") -> list[click.Parameter]:
    """--certificate, --keep-proofs, and --replace-certificate. The texts say what the first implies and what the second needs."""
    written = f"Write a certificate, which `verify-certificate` and public programs can check.{implied}"
    return [
        param("--certificate", type=click.Path(file_okay=False), metavar="FOLDER", help=written),
        flag("--keep-proofs", help=f"Include the proofs of the parts in the certificate.{where}"),
        flag("--replace-certificate", help="Overwrite an existing certificate."),
    ]


def order_certificate(choice: PuzzleChoice, values: Mapping[str, Any]) -> CertificateOrder | None:
    """The order of --certificate; InputError if its folder cannot be used."""
    if values["certificate"] is None:
        return None
    from cnfgen_puzzles.evidence.certificate import check_place  # loads many modules

    folder, replaces = Path(values["certificate"]), values["replace_certificate"]
    check_place(folder, replaces=replaces)
    origin = origin_of(choice.options, source=choice.source, generator=choice.generator, seed=choice.seed)
    return CertificateOrder(folder, origin, choice.source, replaces)


def report_certificate(order: CertificateOrder, *, quiet: bool) -> None:
    """Print the folder of the certificate and its digest."""
    if not order.sums:
        say(f"no certificate was written: {order.reason}", err=True)
    elif not quiet:
        say(f"certificate in {order.folder}; the SHA-256 of its SHA256SUMS is {order.sums}", err=True)
