"""What a verdict rests on, as a value: a checked model, a checked proof, an argument, or the word of programs and nothing more.

Every outcome, count, run record and report names it, by `words` in a sentence and by `to_json` in files. Who finds it out:
`proofs` for the runs of solvers, a family's `impossible` for arguments, `counting` for counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common.errors import printable

MODEL, PROOF, ARGUMENT, AGREEMENT, WORD = "model", "proof", "argument", "agreement", "word"
KINDS: Mapping[str, str] = {
    MODEL: "the model satisfies every clause, the board obeys the rules",
    PROOF: "a proof that an independent checker has verified",
    ARGUMENT: "an argument that needs no search: sums, volume, colouring",
    AGREEMENT: "the same word of several programs, and nothing more",
    WORD: "the word of a program, and nothing more",
}

COMMENT = "cnfgen-evidence "
"""Begins the comment of an answer that hands its evidence on, as JSON."""


@dataclass(frozen=True)
class Evidence:
    """What a verdict rests on: one of `KINDS`.

    `by` is the checker of a proof, the argument itself in words, or the programs whose word it is. `note` says of a word why
    there is no more than that; empty where nobody asked.
    """

    kind: str
    by: str = ""
    note: str = ""

    @property
    def certain(self) -> bool:
        """Whether it is more than the word of programs."""
        return self.kind not in (WORD, AGREEMENT)

    def words(self) -> str:
        """As the end of a sentence, with what separates it: ` (claimed by kissat; not independently verified)`, ` (proof checked by drat-trim)`."""
        return printable(self._words())

    def _words(self) -> str:
        if self.kind == PROOF:
            return f" (proof checked by {self.by})"
        if self.kind == ARGUMENT:
            return f": {self.by}"
        if self.kind == AGREEMENT:
            return f": {self.by} agree" + (f" ({self.note})" if self.note else "")
        if self.kind == WORD:
            return f" (claimed by {self.by}; not independently verified)" + (f" ({self.note})" if self.note else "")
        return ""

    def to_json(self) -> dict[str, Any]:
        """As a JSON object, the same in answers and in run records."""
        return {"kind": self.kind, "by": self.by, "note": self.note}


def evidence_json(evidence: Evidence | None) -> dict[str, Any] | None:
    """The same of what may be missing: a run that decided nothing rests on nothing."""
    return None if evidence is None else evidence.to_json()
