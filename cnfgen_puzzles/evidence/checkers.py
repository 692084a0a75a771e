"""The checkers of proofs: what each reads, how it is called, and what its verdict says. A line of `CHECKERS` is a checker.

Which one checks is decided here (`pick_checker`); that it runs under limits, and what becomes of its verdict, in `proofs`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.suggestions import unknown_name
from cnfgen_puzzles.solving.table import Solver, find_solver


@dataclass(frozen=True)
class ProofChecker:
    """A program that checks proofs, by what is particular to it.

    `formats` has the proof formats that it reads (those of `Solver.proof_format`), each with the words that tell it so.
    `memory` is what it may use where the caller sets no limit, in bytes.
    """

    name: str
    told: str
    """As sentences and records name it."""
    summary: str
    formats: Mapping[str, tuple[str, ...]]
    program: Callable[[], Solver]
    verified: bytes = b"s VERIFIED"
    """The line, and the only verdict, that says so."""
    memory: int | None = None

    def available(self) -> bool:
        """Whether its program is there; InputError where the environment names one that is not."""
        return self.program().available()


DRAT_TRIM = ProofChecker(
    name="drat-trim",
    told="drat-trim",
    summary="DRAT proofs of any length",
    # its `-I` for text is broken: the first character that is no number hangs it
    formats={"text": (), "binary": ("-i",)},
    program=functools.partial(find_solver, "drat-trim"),
)

OWN = ProofChecker(
    name="own",
    told="cnfgen's own checker",
    summary="DRAT and LRAT proofs of up to some ten thousand steps; it is always there",
    formats={name: (name,) for name in ("text", "binary", "lrat", "binary-lrat")},
    # -P: modules come from where they come from here, and never from the scratch folder
    program=functools.partial(
        Solver,
        name="own",
        title="our own checker of proofs",
        kind="checker",
        arguments=("{options}", "{cnf}", "{proof}"),
        proof_arguments=("{proof}",),
        proof_format="text",
        module="cnfgen_puzzles.evidence.own",
        executable=sys.executable,
        source="this package",
    ),
    memory=4 << 30,
)

CHECKERS: Mapping[str, ProofChecker] = {checker.name: checker for checker in (DRAT_TRIM, OWN)}
"""By name, the one to be preferred first."""


def pick_checker(name: str | None = None, proof_format: str = "text") -> ProofChecker:
    """The checker of that name, or the first that is there and reads such proofs; InputError for one that is none or cannot."""
    if name is not None and name not in CHECKERS:
        raise InputError(unknown_name("checker", name, CHECKERS))
    able = [checker for checker in CHECKERS.values() if proof_format in checker.formats]
    if name is not None:
        if CHECKERS[name] not in able:
            raise InputError(
                f"{name} reads no {proof_format} proofs; these do: {', '.join(each.name for each in able) or 'none'}"
            )
        return CHECKERS[name]
    for checker in able:
        if checker.available():
            return checker
    raise InputError(f"no checker that reads {proof_format} proofs is there")
