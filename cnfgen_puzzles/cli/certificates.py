"""--certificate of solve-puzzle and count-cnf: its options, the order that they make, and what is told afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.common import flag, param, say
from cnfgen_puzzles.cli.families import PuzzleChoice
from cnfgen_puzzles.pipeline.request import CertificateOrder, origin_of_file, origin_of_generator, origin_of_options


def certificate_params(implied: str = " Implies --certify.", where: str = " [--count]") -> list[click.Parameter]:
    """--certificate, --keep-proofs and --replace-certificate; what the first implies, and where the second has a meaning."""
    written = f"Write a certificate that anybody can check (`verify-certificate`).{implied}"
    return [
        param("--certificate", type=click.Path(file_okay=False), metavar="FOLDER", help=written),
        flag("--keep-proofs", help=f"Take the proofs of the parts into the certificate.{where}"),
        flag("--replace-certificate", help="A certificate that is in FOLDER already gives way."),
    ]


def order_certificate(choice: PuzzleChoice, values: Mapping[str, Any]) -> CertificateOrder | None:
    """What --certificate asks for; InputError where its folder is not free."""
    if values["certificate"] is None:
        return None
    from cnfgen_puzzles.evidence.certificate import check_place  # loads all that writes certificates

    folder, replaces = Path(values["certificate"]), values["replace_certificate"]
    check_place(folder, replaces=replaces)
    if choice.generator is not None:
        origin = origin_of_generator(choice.generator, choice.seed, choice.options)
    elif choice.source is not None:
        origin = origin_of_file(choice.source, choice.options)
    else:
        origin = origin_of_options(choice.options)
    return CertificateOrder(folder, origin, choice.source, replaces)


def tell_certificate(order: CertificateOrder, *, quiet: bool) -> None:
    """Where the certificate is, and what names it."""
    if not order.sums:
        say(f"no certificate was written: {order.reason}", err=True)
    elif not quiet:
        say(f"certificate in {order.folder}; the SHA-256 of its SHA256SUMS is {order.sums}", err=True)
