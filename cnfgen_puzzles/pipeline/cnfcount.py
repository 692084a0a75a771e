"""The number of models of a CNF file, as a sentence, as JSON, and in the format of the model counting competitions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common.numbers import digits
from cnfgen_puzzles.counting.total import Total
from cnfgen_puzzles.evidence.evidence import evidence_json
from cnfgen_puzzles.formula.shown import CountingFile
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE


@dataclass(frozen=True)
class CnfCount:
    """The number of models of a file."""

    file: CountingFile
    total: Total

    @property
    def status(self) -> str:
        """The verdict of the formula: one model shows that it is satisfiable."""
        if self.total.number:
            return SATISFIABLE
        return UNSATISFIABLE if self.total.complete else UNKNOWN

    def sentence(self) -> str:
        """The result and its evidence in a sentence."""
        total, number, variables = self.total, self.total.number, len(self.file.projection)
        noun = "models" if number > 1 else "model"
        everything = self.file.cnf.num_variables
        projected = f", projected on {variables} of the {everything} variables" if variables < everything else ""
        models = f"{digits(number) if number else 'no'} {noun}{projected}"
        if not total.complete:
            found = f"at least {models}" if number else f"{models} was found"
            return f"Partial ({total.reason}{total.parts_text()}): {found}."
        evidence = total.evidence()
        grounds = evidence.words() if evidence else ""
        if total.listed and number:
            return f"{models}, each checked. No others{grounds}."
        return f"{models[:1].upper()}{models[1:]}{grounds}."

    def lines(self) -> Iterator[str]:
        """The answer in the format of the model counting competitions, with the sentence as a comment."""
        yield f"c o {self.sentence()}"
        yield f"s {self.status}"
        if self.total.complete:
            number = self.total.number
            yield f"c s type {self.file.kind}"
            yield f"c s log10-estimate {math.log10(number):.12g}" if number else "c s log10-estimate -inf"
            yield f"c s exact arb int {digits(number)}"
            for caveat in self.total.verdict.caveats if self.total.verdict else ():
                yield f"c o confidence: {caveat}, which its Python package does not report"

    def to_json(self) -> dict[str, Any]:
        """The result as JSON."""
        total = self.total
        evidence = total.evidence() if total.complete else None
        return {
            "models": total.number, "complete": total.complete, "reason": total.reason, "type": self.file.kind,
            "shown": len(self.file.projection), "variables": self.file.cnf.num_variables, "clauses": self.file.cnf.num_clauses,
            "sha256": self.file.cnf.checksum(), "engine": total.by, "listed": total.listed, "seconds": round(total.seconds, 3),
            "cpu": round(total.cpu, 3), "evidence": evidence_json(evidence),
        }  # fmt: skip
