"""What certificates state: a row each. A statement is made of checks, and says of the formula what they show together.

To state something new, write its row (and its checks, in a module of their own if they are many).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cnfgen_puzzles.evidence.certificate.checks import Accepts, ByHand, Check, Differ, Forbids, Plain, Refuted, Satisfies, present
from cnfgen_puzzles.evidence.certificate.complete import all_models
from cnfgen_puzzles.evidence.certificate.manifest import Manifest
from cnfgen_puzzles.evidence.certificate.names import (
    BLOCKED,
    BOARD,
    FORMULA,
    LRAT,
    MODEL,
    PROJECTION,
    PROOF,
    RULES,
    SECOND,
    SOLUTIONS,
)


@dataclass(frozen=True)
class Statement:
    """What a certificate can state: `says` is what its checks show, one sentence without its full stop, safe in a script.

    `checks` gives them for a manifest: some are there only where a file is. The files that they look at must be there.
    """

    name: str
    says: str
    checks: Callable[[Manifest], tuple[Check, ...]]


def _model(manifest: Manifest) -> tuple[Check, ...]:
    return Plain(FORMULA), Satisfies(MODEL, FORMULA), *_rules(manifest)


def _two_models(manifest: Manifest) -> tuple[Check, ...]:
    return *_model(manifest), Satisfies(SECOND, FORMULA), Differ(MODEL, SECOND, FORMULA, PROJECTION)


def _only_model(manifest: Manifest) -> tuple[Check, ...]:
    blocked = Forbids(MODEL, PROJECTION, FORMULA, BLOCKED)
    return *_model(manifest), blocked, Plain(BLOCKED), Refuted(BLOCKED, PROOF, present(manifest.files, LRAT))


def _no_model(manifest: Manifest) -> tuple[Check, ...]:
    return Plain(FORMULA), Refuted(FORMULA, PROOF, present(manifest.files, LRAT))


def _rules(manifest: Manifest) -> tuple[Check, ...]:
    return (Accepts(RULES, BOARD),) if RULES in manifest.files else ()


STATEMENTS: Mapping[str, Statement] = {
    each.name: each
    for each in (
        Statement("model", f"{MODEL} is a model of {FORMULA}", _model),
        Statement("two models", f"{FORMULA} has two models that differ in {PROJECTION}", _two_models),
        Statement("only model", f"{FORMULA} has just one model, as far as the variables of {PROJECTION} go", _only_model),
        Statement(
            "all models", f"{SOLUTIONS} has all models of {FORMULA}, as far as the variables of {PROJECTION} go", all_models
        ),
        Statement("no model", f"{FORMULA} has no model", _no_model),
        Statement("obeys", f"{BOARD} obeys the rules in {RULES}", lambda _: (Accepts(RULES, BOARD),)),
        Statement("argument", "the files are as they were written; the argument is for you to follow", lambda _: (ByHand(),)),
    )
}
