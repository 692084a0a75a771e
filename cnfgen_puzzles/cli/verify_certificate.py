"""verify-certificate: check that a certificate proves its claim, and print the claim."""

from __future__ import annotations

import json

import click

from cnfgen_puzzles.cli.app import say, say_lines, version_option
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import LIMITS, checker_param, flag
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.solving.process import Limits


def verify_named(
    folder: str, formula_only: bool, checker: str | None, as_json: bool, quiet: bool, cpu: float | None,
    wall: float | None, memory: int | None,
) -> int:  # fmt: skip
    limits = Limits(cpu=cpu, wall=wall, memory=memory)
    try:
        with doing(f"verifying {folder}"):
            found = verify_certificate(folder, formula_only=formula_only, checker=checker, limits=limits)
    except CnfgenError as error:
        if not as_json:
            raise
        say_lines(json.dumps({"verified": False, "folder": folder, "reason": str(error)}, indent=1))
        return error.exit_code
    if as_json:
        say_lines(json.dumps(found.to_json(), indent=1))
        return 0
    say(found.sentence)
    if not quiet:
        for sentence in found.sentences:
            say(f"  {sentence}", err=True)
    return 0


COMMAND = DocumentedCommand(
    "verify-certificate",
    callback=verify_named,
    help="""Check that a certificate proves its claim, and print the claim.

    The checks: no file was changed; the models and proofs show the claim; the formula is the one that the puzzle has when it is
    read and encoded again; the boards obey the rules of the puzzle. `sh FOLDER/verify.sh` does the same with public programs
    alone.""",
    sections={
        "Certificate": [click.Argument(["folder"], type=click.Path())],
        "Checks": [
            flag("--formula-only", help="Check only the claim about the formula, not that it is the formula of the puzzle."),
            checker_param(),
            *LIMITS,
        ],
        "Output": [
            flag("--json", "as_json", help="Print the result as JSON."),
            flag("--quiet", "-q", help="Print only the claim."),
        ],
    },
    common=("--formula-only", "--checker", "--json", "--quiet"),
    examples=[
        "solve-puzzle sample:cat --unique --certificate cat.certificate",
        "verify-certificate cat.certificate",
        "sh cat.certificate/verify.sh",
    ],
    closing="Exit codes: 0 verified, 1 damaged or not proved, 2 not a certificate, 3 not decided (a limit ended a check).",
)
version_option(COMMAND)
