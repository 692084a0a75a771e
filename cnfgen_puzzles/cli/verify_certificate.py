"""verify-certificate: whether a certificate shows what it claims, and what that is, in a sentence."""

from __future__ import annotations

import json

import click

from cnfgen_puzzles.cli.common import SectionedCommand, checker_param, flag, limit_params, say, version_option
from cnfgen_puzzles.cli.progress import watch
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.solving.process import Limits


def verify_named(
    folder: str, formula_only: bool, encoding: bool, checker: str | None, as_json: bool, quiet: bool, cpu: float | None,
    wall: float | None, memory: int | None,
) -> int:  # fmt: skip
    if encoding and formula_only:
        raise InputError("found --encoding and --formula-only, which contradict each other")
    limits = Limits(cpu=cpu, wall=wall, memory=memory)
    try:
        with watch(f"verifying {folder}"):
            found = verify_certificate(folder, formula_only=formula_only, checker=checker, limits=limits)
    except CnfgenError as error:
        if not as_json:
            raise
        click.echo(json.dumps({"verified": False, "folder": folder, "reason": str(error)}, indent=1))
        return error.exit_code
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1))
        return 0
    say(found.sentence)
    if not quiet:
        for sentence in found.sentences:
            say(f"  {sentence}", err=True)
    return 0


COMMAND = SectionedCommand(
    "verify-certificate",
    callback=verify_named,
    help="""Check a certificate: that its files are those that were written, that its models and proofs show what it claims, that
    its formula is the one that the puzzle has when it is read and encoded once more, that its words say no more than that, that
    its boards obey the rules of the puzzle. Then its claim is told in a sentence.

    The same, by public programs alone, does `sh FOLDER/verify.sh`.""",
    sections={
        "Certificate": [click.Argument(["folder"], type=click.Path())],
        "Checks": [
            flag("--formula-only", help="Check what is stated of the formula alone, not that it is the formula of the puzzle."),
            click.Option(["--encoding"], is_flag=True, hidden=True),  # what is done anyway; accepted for one release
            checker_param(),
            *limit_params(),
        ],
        "Output": [
            flag("--json", "as_json", help="The result as JSON."),
            flag("--quiet", "-q", help="Only the sentence."),
        ],
    },
    examples=[
        "solve-puzzle sample:cat --unique --certificate cat.certificate",
        "verify-certificate cat.certificate",
        "sh cat.certificate/verify.sh",
    ],
    closing="Exits with 0 (verified), 1 (damaged, or it does not show its claim), 2 (no certificate), 3 (a limit ended a check).",
)
version_option(COMMAND)
