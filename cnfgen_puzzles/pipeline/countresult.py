"""How many solutions a puzzle has, as a result: two numbers, what makes two solutions one, and what it rests on.

Who counts is in `count.py`; this knows only how to say it, in words, in JSON and in a notebook.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.wholenumbers import digits
from cnfgen_puzzles.evidence.basis import Evidence

TOLD_APART = "symmetric solutions told apart"


@dataclass(frozen=True)
class Count:
    """How many solutions were found: `solutions` by `convention`, `raw` where symmetric ones are told apart.

    Only if `complete` are these all; else `reason` says why not, and there may be more. `seconds` are of wall time, `cpu` of the
    processor, all processes together. The search has so many `parts`. If the solutions are `listed` each has been found and
    checked, and `evidence` says what it rests on that there are no more, or, of a partial count, that there are so many; else it
    says whose number it is.
    """

    solutions: int
    raw: int
    convention: str
    complete: bool
    reason: str
    engine: str
    seconds: float
    cpu: float
    parts: int
    parts_done: int
    interrupted: bool = False
    evidence: Evidence | None = None
    listed: bool = True

    def __repr__(self) -> str:
        return showing.in_brackets("Count", self.sentence())

    def _repr_html_(self) -> str:
        rows = [
            (f"solutions {self.convention}".strip(), digits(self.solutions)),
            *([("in all", digits(self.raw))] if self.raw != self.solutions else []),
            ("complete", "yes" if self.complete else f"no: {self.reason}"),
            ("engine", self.engine or "none"),
            ("wall time, CPU time", f"{self.seconds:.2f} s, {self.cpu:.2f} s"),
        ]
        return showing.words(self.sentence()) + showing.table((), rows, words=2)

    def to_json(self) -> dict[str, Any]:
        """The numbers as JSON."""
        entry = asdict(self)
        del entry["interrupted"]  # `reason` says so
        return entry

    def sentence(self) -> str:
        """The result in words, with the convention and what it rests on."""
        grounds = self.evidence.words() if self.evidence else ""
        noun = "solution" if self.solutions == 1 else "solutions"
        number = digits(self.solutions) if self.solutions else "no"
        if self.complete and not self.solutions:
            return f"No solution{grounds}."
        convention = f" {self.convention}" if self.convention.startswith("up to") else ""
        raw = f"; {digits(self.raw)} in all" if convention and self.raw != self.solutions else ""
        if self.convention == TOLD_APART:
            raw = f", {TOLD_APART}"
        if self.complete and not self.listed:
            return f"{number} {noun}{convention}{raw}{grounds}."
        if self.complete:
            return f"{number} {noun}{convention}{raw}." + (f" No others{grounds}." if grounds else "")
        done = f", {self.parts_done} of {self.parts} parts done" if self.parts > 1 else ""
        return f"Partial ({self.reason}{done}): at least {digits(self.solutions)} {noun}{convention}{raw}."
