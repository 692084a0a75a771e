"""The evidence of a verdict: a checked model, a checked proof, an argument, or the claim of a program.

Every outcome, count, run record, and report names its evidence, by `words` in a sentence and by `to_json` in files. `proofs`
determines it for the runs of solvers, a family's `impossible` for arguments, and `counting` for counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common.errors import printable

MODEL, PROOF, ARGUMENT, AGREEMENT, CLAIMED = "model", "proof", "argument", "agreement", "word"
KINDS: Mapping[str, str] = {
    MODEL: "the model satisfies every clause, the board obeys the rules",
    PROOF: "a proof that an independent checker has verified",
    ARGUMENT: "an argument that needs no search: sums, volume, coloring",
    AGREEMENT: "the same claim of several programs, not independently verified",
    CLAIMED: "the claim of a program, not independently verified",
}

COMMENT = "cnfgen-evidence "
"""The start of a comment that passes on the evidence of an answer, as JSON."""


@dataclass(frozen=True)
class Evidence:
    """The evidence of a verdict: one of `KINDS`.

    `by` is the checker of a proof, the argument as a sentence, or the programs that claim it. `note` says why a claim is not
    verified; it is empty if no proof was requested.
    """

    kind: str
    by: str = ""
    note: str = ""

    @property
    def certain(self) -> bool:
        """Whether the evidence is more than the claim of programs."""
        return self.kind not in (CLAIMED, AGREEMENT)

    def words(self) -> str:
        """The end of a sentence: ` (claimed by kissat; not independently verified)`, ` (proof checked by drat-trim)`."""
        note = f": {self.note}" if self.note else ""
        words = {
            PROOF: f" (proof checked by {self.by})",
            ARGUMENT: f": {self.by}",
            AGREEMENT: f": {self.by} agree" + (f" ({self.note})" if self.note else ""),
            CLAIMED: f" (claimed by {self.by}; not independently verified{note})",
        }
        return printable(words.get(self.kind, ""))

    def to_json(self) -> dict[str, Any]:
        """A JSON object, the same in answers and in run records."""
        return {"kind": self.kind, "by": self.by, "note": self.note}


def evidence_json(evidence: Evidence | None) -> dict[str, Any] | None:
    """The JSON of evidence; None for a run that decided nothing."""
    return None if evidence is None else evidence.to_json()
