"""What is known of a puzzle that a certificate is about: of this the words are made, and made anew by who verifies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cnfgen_puzzles.common.printable import printable
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.families.compared import compared
from cnfgen_puzzles.formula import VariableMap


@dataclass(frozen=True)
class Facts:
    """What a certificate knows of its puzzle: `vmap` is that of its formula, None where it has none; `files` are its names.

    `details` is the manifest's: `claim`, `family`, `argument`, `pieces` (numbers of those that the formula has, None: all),
    `origin` (how the puzzle came, as `certify` wrote it), `compared` (`comparison`), and what else a claim has of its own.
    """

    family: Family
    puzzle: Puzzle
    vmap: VariableMap | None
    details: Mapping[str, Any]
    files: frozenset[str] = field(default_factory=frozenset)

    @property
    def up_to(self) -> str:
        """Which solutions the formula leaves out, if it does."""
        return self.vmap.up_to if self.vmap else ""

    @property
    def described(self) -> str:
        return printable(self.family.describe(self.puzzle))

    @property
    def part(self) -> str:
        """Of which pieces the formula speaks, in words; empty if of all."""
        numbers = self.details["pieces"]
        if numbers is None or self.family.refinement is None:
            return ""
        return f"{len(numbers)} {self.family.refinement.pieces} of the puzzle"


def comparison(family: Family, vmap: VariableMap | None) -> dict[str, Any] | None:
    """How the encoding of a map was held against the rules, as a certificate's details say it; None where nothing is known."""
    found = compared(family, vmap.encoding, vmap.options) if vmap else None
    if found is None:
        return None
    return {"puzzles": found.puzzles, "solutions": found.solutions, "left_out": found.left_out, "version": found.version}


def check_comparison(told: Any, here: Mapping[str, Any] | None) -> None:
    """ValueError unless the details say it in that form, and, of the version that is `here`, what is known here."""
    if told is None:
        return
    kinds = {"puzzles": int, "solutions": int, "left_out": bool, "version": str}
    if not isinstance(told, dict) or {name: type(value) for name, value in told.items()} != kinds:
        raise ValueError("found a comparison of the encoding in another form")
    if not re.fullmatch("[0-9a-f]{12}", told["version"]):
        raise ValueError("found a comparison of the encoding by no version")
    if here is not None and here["version"] == told["version"] and here != told:
        raise ValueError("found another comparison of the encoding than there was")
