"""Phase: another model near a known one, by the formula with flipped polarities, in which the known model has false variables
alone.

Solvers that try false first begin their search at the known model then, and where a puzzle has several boards the second one is
often near the first. It is a renaming and nothing more: models are renamed back, and so are proofs, line by line, before a
checker sees them. So what is checked is a proof of the formula itself, and a mistake here could only spoil it.

>>> from array import array
>>> flip = PhaseFlip([1, -2])
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
    """Those of the variables that are true in a model are flipped."""

    def __init__(self, model: Collection[int]):
        self._true = {literal for literal in model if literal > 0}
        self._texts = {b"%d" % literal: b"%d" % -literal for true in self._true for literal in (true, -true)}

    def apply(self, cnf: Cnf) -> Cnf:
        """The formula with these polarities."""
        images = list(range(cnf.num_variables + 1)) + list(range(-cnf.num_variables, 0))  # by literal, negative ones from the end
        for variable in self._true:
            images[variable], images[-variable] = -variable, variable
        return Cnf(cnf.num_variables, cnf.num_clauses, array("i", map(images.__getitem__, cnf.literals)))

    def model(self, model: Collection[int]) -> tuple[int, ...]:
        """The model of the formula that one of `apply` stands for."""
        return tuple(-literal if abs(literal) in self._true else literal for literal in model)

    def restore(self, run: Run, cnf: Cnf, proof: Path) -> Run:
        """What a run on `apply(cnf)` says of `cnf`: its model, which is checked again, or its proof, if there is one."""
        if run.model is not None:
            run = replace(run, model=(model := self.model(run.model)))
            if (broken := cnf.falsified_clause(model)) is not None:
                raise CnfgenError(f"the model, with its polarities restored, falsifies clause {broken}")
        elif run.status == UNSATISFIABLE and proof.is_file():
            self.rename_proof(proof, run.solver.proof_format)
        return run

    def rename_proof(self, proof: Path, proof_format: str) -> None:
        """Make a proof (one of TEXTS) that `apply` has no model one that the formula has none, in its place."""
        renamed = proof.with_name(f"{proof.name}-renamed")
        with proof.open("rb") as lines, renamed.open("wb") as stream:
            stream.writelines(self.step(line, hints=proof_format == "lrat") + b"\n" for line in lines)
        os.replace(renamed, proof)

    def step(self, line: bytes, *, hints: bool) -> bytes:
        """A line of it; with `hints` it begins with its number and ends with those of others."""
        words = line.split()
        if not hints:
            return b" ".join([self._texts.get(word, word) for word in words])
        if b"d" in words[1:2]:
            return b" ".join(words)
        end = words.index(b"0") if b"0" in words else len(words)
        return b" ".join([*words[:1], *[self._texts.get(word, word) for word in words[1:end]], *words[end:]])
