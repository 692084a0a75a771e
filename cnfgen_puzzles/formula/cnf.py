"""A propositional formula in conjunctive normal form: numbers only, no names.

One `array('i')` holds all clauses, each terminated by 0, because a large instance has millions of clauses (a 99x55 nonogram in
the direct encoding: 5.4 million clauses in 65 MB; lists of lists take ten times as much).
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.lazy import regex

FALSIFIED = regex(rb"(?:\A|\x02)\x00*\x02")
"""A clause in which every literal is false, where 1 is a true literal, 0 a false one and 2 the end of a clause."""

GBD_PIECE = 1 << 18
"""Literals that are converted to text at once."""

SPARSE = 16
"""Variables per literal above which a model is checked without a table of all literals."""


@dataclass(eq=False)
class Cnf:
    """`num_clauses` clauses over variables 1 .. `num_variables`; `literals` is flat and zero-terminated."""

    num_variables: int = 0
    num_clauses: int = 0
    literals: array[int] = field(default_factory=lambda: array("i"))

    def __repr__(self) -> str:
        return showing.in_brackets(type(self).__name__, *self.facts())

    def facts(self) -> list[str]:
        """The size in words."""
        return [showing.numbered(self.num_variables, "variable"), showing.numbered(self.num_clauses, "clause")]

    def clauses(self) -> Iterator[list[int]]:
        """The clauses as lists, for small formulas and tests."""
        clause: list[int] = []
        for literal in self.literals:
            if literal:
                clause.append(literal)
            else:
                yield clause
                clause = []

    def checksum(self) -> str:
        """SHA-256 (hex) of the formula, independent of comments, white space, and compression of its file."""
        digest = hashlib.sha256(f"cnf {self.num_variables} {self.num_clauses}\n".encode())
        if sys.byteorder == "little":
            digest.update(self.literals)
        else:
            swapped = array("i", self.literals)
            swapped.byteswap()
            digest.update(swapped)
        return digest.hexdigest()

    def gbd_hash(self) -> str:
        """The identifier of the formula in the Global Benchmark Database: the MD5 of its clauses, with one blank between numbers.

        It depends on the order of clauses and literals, not on header, comments, or line ends.

        >>> Cnf(3, 2, array("i", [1, -2, 0, 3, 0])).gbd_hash() == hashlib.md5(b"1 -2 0 3 0").hexdigest()
        True
        """
        digest = hashlib.md5(usedforsecurity=False)
        for start in range(0, len(self.literals), GBD_PIECE):
            text = " ".join(map(str, self.literals[start : start + GBD_PIECE]))
            digest.update(f" {text}".encode() if start else text.encode())
        return digest.hexdigest()

    def falsified_clause(self, model: Iterable[int]) -> int | None:
        """The number (from 1) of the first clause that `model` does not satisfy, or None.

        `model` lists true literals in any order; a variable that it omits is false. ValueError for a literal that is not of the
        formula's variables.
        """
        n = self.num_variables
        model = model if isinstance(model, Collection) else list(model)
        if model and (max(model) > n or min(model) < -n):
            raise ValueError(f"a literal of the model lies beyond the {n} variables of the formula")
        if n > SPARSE * (len(self.literals) + len(model)):  # a table of all literals would need more memory
            true = set(model)  # variables without a value are false
            for number, clause in enumerate(self.clauses(), start=1):
                if not any(literal in true or (literal < 0 and -literal not in true) for literal in clause):
                    return number
            return None
        truth = bytearray(2 * n + 1)  # indexed by literal: -n .. n, negative ones from the end
        truth[0] = 2
        truth[n + 1 :] = b"\x01" * n
        for literal in model:
            truth[literal] = 1
            truth[-literal] = 0
        values = bytes(map(bytes(truth).__getitem__, self.literals))
        found = FALSIFIED.search(values)
        return values.count(2, 0, found.end()) if found else None
