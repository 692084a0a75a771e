"""What count-cnf answers: in words, in the lines of the model counting competitions, in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.cli.common import EXIT_CODES, INTERRUPTED
from cnfgen_puzzles.common.wholenumbers import digits, log10
from cnfgen_puzzles.counting.total import Total
from cnfgen_puzzles.evidence.basis import evidence_json
from cnfgen_puzzles.formula.shown import CountingFile
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE


@dataclass(frozen=True)
class Counted:
    """What came of it: `stopped` says why the search was ended from here."""

    file: CountingFile
    total: Total
    stopped: str
    interrupted: bool
    seconds: float

    @property
    def complete(self) -> bool:
        return self.total.complete and not self.stopped

    @property
    def number(self) -> int:
        return self.total.number

    @property
    def status(self) -> str:
        """The verdict of the formula: one model is enough for satisfiable."""
        if self.number:
            return SATISFIABLE
        return UNSATISFIABLE if self.complete else UNKNOWN

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return INTERRUPTED
        return EXIT_CODES[self.status if self.complete else UNKNOWN]

    def sentence(self) -> str:
        """The result in words, and what it rests on."""
        total, variables = self.total, len(self.file.projection)
        noun = "models" if self.number > 1 else "model"
        everything = self.file.cnf.num_variables
        projected = f", projected on {variables} of the {everything} variables" if variables < everything else ""
        told = f"{digits(self.number) if self.number else 'no'} {noun}{projected}"
        if not self.complete:
            found = f"at least {told}" if self.number else f"{told} was found"
            return f"Partial ({self.stopped or total.reason}{parts_of(total)}): {found}."
        evidence = total.evidence()
        grounds = evidence.words() if evidence else ""
        if total.listed and self.number:
            return f"{told}, each checked. No others{grounds}."
        return f"{told[:1].upper()}{told[1:]}{grounds}."

    def lines(self) -> Iterator[str]:
        """The answer as the model counting competitions want it, the sentence as a comment."""
        yield f"c o {self.sentence()}"
        yield f"s {self.status}"
        if self.complete:
            yield f"c s type {self.file.kind}"
            yield f"c s log10-estimate {log10(self.number):.12g}" if self.number else "c s log10-estimate -inf"
            yield f"c s exact arb int {digits(self.number)}"

    def measured(self) -> str:
        beside = f" ({self.total.fault})" if self.total.fault else ""
        if self.total.plan.engine and not self.total.listed:
            beside = f", before {self.total.plan.engine}, which had found {self.total.found}"
        return f"{self.total.by}{beside}: {self.seconds:.2f} s, {self.total.cpu:.2f} s CPU"

    def to_json(self) -> dict[str, Any]:
        total = self.total
        evidence = total.evidence() if self.complete else None
        return {
            "models": self.number, "complete": self.complete, "reason": self.stopped or total.reason, "type": self.file.kind,
            "shown": len(self.file.projection), "variables": self.file.cnf.num_variables, "clauses": self.file.cnf.num_clauses,
            "sha256": self.file.cnf.checksum(), "engine": total.by, "listed": total.listed, "seconds": round(self.seconds, 3),
            "cpu": round(total.cpu, 3), "evidence": evidence_json(evidence),
        }  # fmt: skip


def parts_of(total: Total) -> str:
    """How many parts of the search are done, after what is said before; nothing where there is one."""
    enumeration = total.enumeration
    several = enumeration is not None and enumeration.parts > 1
    return f", {enumeration.parts_done} of {enumeration.parts} parts done" if enumeration and several else ""
