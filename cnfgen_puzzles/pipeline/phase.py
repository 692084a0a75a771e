"""Phase: a search that starts near a known model, by flipping polarities in the formula so that the known model is all false.

Solvers whose initial phase is false then start their search at the known model; if a puzzle has several boards, the second one is
often near the first. The flip is only a renaming. Models and proofs (line by line) are renamed back before they are checked, so
the checked proof is a proof of the original formula, and an error in this module can only make the check fail.

>>> from array import array
>>> flip = PhaseFlip([1, -2], 2)
>>> list(flip.apply(Cnf(2, 1, array("i", [1, -2, 0]))).literals), flip.model([-1, 2])
([-1, -2, 0], (1, 2))
>>> [flip.step(line, hints=True) for line in (b"4 -1 2 0 3 1 0", b"5 0 1 4 0", b"4 d 1 0")]
[b'4 1 2 0 3 1 0', b'5 0 1 4 0', b'4 d 1 0']
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.run import Run

TEXTS = ("text", "lrat")
"""The formats of proofs (`Solver.proof_format`) that can be renamed."""


class PhaseFlip:
    """The flip of the variables that are true in a model of a formula with this number of variables."""

    def __init__(self, model: Collection[int], variables: int):
        self._images = [*range(variables + 1), *range(-variables, 0)]  # by literal; negative from the end
        self._texts: dict[bytes, bytes] = {}
        for true in (literal for literal in model if literal > 0):
            self._images[true], self._images[-true] = -true, true
            self._texts |= {b"%d" % true: b"%d" % -true, b"%d" % -true: b"%d" % true}

    def apply(self, cnf: Cnf) -> Cnf:
        """The formula with flipped polarities."""
        return Cnf(cnf.num_variables, cnf.num_clauses, array("i", map(self._images.__getitem__, cnf.literals)))

    def model(self, model: Collection[int]) -> tuple[int, ...]:
        """The model of the formula that corresponds to a model of `apply(cnf)`."""
        return tuple(map(self._images.__getitem__, model))

    def restore(self, run: Run, cnf: Cnf, proof: Path) -> Run:
        """Translate the result of a run on `apply(cnf)` to `cnf`: its model, which is checked again, or its proof, if any."""
        if run.model is not None:
            run = replace(run, model=(model := self.model(run.model)))
            if (broken := cnf.falsified_clause(model)) is not None:
                raise CnfgenError(f"the model, with its polarities restored, falsifies clause {broken}")
        elif run.status == UNSATISFIABLE and proof.is_file():
            self.rename_proof(proof, run.solver.proof_format)
        return run

    def rename_proof(self, proof: Path, proof_format: str) -> None:
        """Rename a proof (one of TEXTS) for the flipped formula to one for the original formula, in place."""
        renamed = proof.with_name(f"{proof.name}-renamed")
        with proof.open("rb") as lines, renamed.open("wb") as stream:
            stream.writelines(self.step(line, hints=proof_format == "lrat") + b"\n" for line in lines)
        os.replace(renamed, proof)

    def step(self, line: bytes, *, hints: bool) -> bytes:
        """A renamed line of a proof; with `hints`, it begins with its number and ends with the numbers of other clauses."""
        words = line.split()
        if not hints:
            return b" ".join([self._texts.get(word, word) for word in words])
        if b"d" in words[1:2]:
            return b" ".join(words)
        end = words.index(b"0") if b"0" in words else len(words)
        return b" ".join([*words[:1], *[self._texts.get(word, word) for word in words[1:end]], *words[end:]])
