"""Whether a certificate shows what it states: its words are those of its manifest, and each of its checks holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.evidence.certificate.checks import Check, How, Refute, same_text
from cnfgen_puzzles.evidence.certificate.manifest import Manifest
from cnfgen_puzzles.evidence.certificate.names import MANIFEST, README, SCRIPT
from cnfgen_puzzles.evidence.certificate.opened import Damaged, Opened, open_certificate
from cnfgen_puzzles.evidence.certificate.proving import CHECKER, output_of, verified_by
from cnfgen_puzzles.evidence.certificate.readme import readme_text
from cnfgen_puzzles.evidence.certificate.script import script_text
from cnfgen_puzzles.evidence.certificate.statements import STATEMENTS, Statement
from cnfgen_puzzles.solving.process import Limits


@dataclass(frozen=True)
class Verified:
    """What was found right: `says` of the formula, by `sentences`, one a check."""

    opened: Opened
    says: str
    sentences: tuple[str, ...]


def verify(
    folder: str | Path, checker: str | None = None, limits: Limits | None = None, refute: Refute | None = None
) -> Verified:
    """Check the certificate in a folder.

    `checker` is the one for its proofs (None: the first that is there, for each format), `limits` are for each call of it;
    `refute` proves anew what was not kept (`counting.proving.refute_anew`).
    Damaged says what is wrong, with file and line; InputError that it is no certificate; Unfinished that a limit ended a check.
    """
    return verify_opened(open_certificate(Path(folder)), checker, limits, refute)


def verify_opened(
    opened: Opened, checker: str | None = None, limits: Limits | None = None, refute: Refute | None = None
) -> Verified:
    """The same of a certificate that was opened."""
    statement, checks = stated(opened.manifest, str(opened.folder / MANIFEST))
    if not opened.other_words:
        same_text(opened, README, readme_text(opened.manifest, statement.says))
        same_text(opened, SCRIPT, script_text(opened.manifest, statement.says, checks))
    for program in opened.manifest.programs:
        if program.used_as == CHECKER and (name := output_of(program.name)) in opened.manifest.files:
            says_verified(opened, name)
    how = How(checker, limits or Limits(), refute)
    sentences = [*(check.verify(opened, how) for check in checks), opened.other_words]
    return Verified(opened, statement.says, tuple(filter(None, sentences)))


def says_verified(opened: Opened, name: str) -> None:
    """Damaged unless the output of a checker ends in that verdict."""
    if not verified_by(opened.data(name)):
        raise Damaged("is not the output of a checker that verified a proof", source=str(opened.folder / name))


def stated(manifest: Manifest, source: str) -> tuple[Statement, tuple[Check, ...]]:
    """The statement of a manifest and its checks, whose files are all there."""
    if manifest.statement not in STATEMENTS:
        raise Damaged(unknown_name("statement", manifest.statement, STATEMENTS), source=source)
    statement = STATEMENTS[manifest.statement]
    checks = statement.checks(manifest)
    missing = sorted({name for check in checks for name in check.files} - manifest.files.keys())
    if missing:
        raise Damaged(f"names no {missing[0]}, which '{manifest.statement}' needs", source=source)
    return statement, checks
