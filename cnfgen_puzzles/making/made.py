"""What came of making a puzzle of a picture, as a value and in words: what was changed, whether less would do, what is proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.evidence.basis import evidence_json
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.families.capabilities import Rows
from cnfgen_puzzles.families.family import html_of_board
from cnfgen_puzzles.making.changes import differences
from cnfgen_puzzles.pipeline.answer import FormulaOutcome
from cnfgen_puzzles.solving.answers import UNSATISFIABLE

FEWEST, MINIMAL, FOUND, NOTHING, UNREACHED = "fewest", "minimal", "found", "nothing", "unreached"
HOW: Mapping[str, str] = {
    FEWEST: "no fewer suffice",
    MINIMAL: "no subset of these suffices",
    FOUND: "not checked whether fewer suffice",
    NOTHING: "nothing was found in the time",
    UNREACHED: "no puzzle as hard as that was found",
}
"""What is known of the changes, in words."""
NO_PUZZLE = (NOTHING, UNREACHED)

SHOWN = 40
"""So many changed cells are listed."""


@dataclass(frozen=True, repr=False)
class Made:
    """A puzzle whose only solution is `board`, which differs from `picture` as little as `how` says (one of `HOW`).

    `bound`: no picture with fewer changed cells is as wanted. `outcome` is the search for a second solution, with its proof that
    there is none; None where `how` is one of NO_PUZZLE: then `board` is the last that was tried. `line_solvable` is whether line
    logic solves it without looking ahead, as the program for that says. `wanted` is the difficulty that was asked for, if any.
    """

    family: Family
    puzzle: Puzzle
    picture: Rows
    board: Rows
    how: str
    bound: int
    line_solvable: bool
    outcome: FormulaOutcome | None = None
    wanted: str = ""

    def __repr__(self) -> str:
        return showing.in_brackets("Made", self.family.describe(self.puzzle), self.sentence())

    def _repr_html_(self) -> str:
        told = "\n".join([f"{self.family.describe(self.puzzle)}: {self.sentence()}", *self.places()])
        return showing.words(told) + html_of_board(self.family, self.puzzle, self.board, self.picture if self.changes else None)

    @property
    def changes(self) -> dict[tuple[int, int], int]:
        """The new values of the cells that were changed, by row and column from 0."""
        return differences(self.picture, self.board)

    @property
    def unique(self) -> bool:
        """Whether it is proved that the puzzle has one solution."""
        return self.outcome is not None and self.outcome.status == UNSATISFIABLE

    def sentence(self) -> str:
        """What was changed, and what is known of the puzzle."""
        if self.how in NO_PUZZLE:
            return f"No puzzle{f' of difficulty {self.wanted}' if self.wanted else ''}: {HOW[self.how]}{self.at_least()}."
        assert self.outcome is not None
        told = (
            "One solution" + self.outcome.grounds
            if self.unique
            else f"Not proved that it has one solution: {self.outcome.reason}"
        )
        lines = "line logic alone solves it" if self.line_solvable else "line logic alone does not solve it"
        asked = f"; as hard as asked for, {self.wanted}" if self.wanted else ""
        return f"{self.changed()}. {told}; {lines}{asked}."

    def changed(self) -> str:
        """How many cells were changed, and whether less would do."""
        count = len(self.changes)
        if not count:
            return "Nothing changed"
        return f"{count} cell{'s' * (count > 1)} changed ({HOW[self.how]}{'' if self.how == FEWEST else self.at_least()})"

    def at_least(self) -> str:
        """How many have to change, where that is known; else empty."""
        told = "1 has" if self.bound == 1 else f"{self.bound} have"
        return f"; at least {told} to change" if self.bound else ""

    def places(self) -> list[str]:
        """The changed cells row by row, in lines; rows and columns count from 1."""
        rows: dict[int, list[str]] = {}
        for number, (row, column) in enumerate(self.changes):
            if number < SHOWN:
                rows.setdefault(row, []).append(str(column + 1))
        listed = [f"row {row + 1}, column{'s' * (len(found) > 1)} {', '.join(found)}" for row, found in rows.items()]
        return [*listed, *([f"and {len(self.changes) - SHOWN} more"] if len(self.changes) > SHOWN else [])]

    def to_json(self) -> dict[str, Any]:
        """The puzzle, both pictures, the changes (rows and columns from 1) and the evidence as JSON."""
        return {
            "family": self.family.name,
            "puzzle": self.family.puzzle_to_json(self.puzzle),
            "board": self.family.board_to_json(self.puzzle, self.board),
            "picture": self.family.board_to_json(self.puzzle, self.picture),
            "changes": [[row + 1, column + 1] for row, column in self.changes],
            "how": self.how,
            "at_least": self.bound,
            "unique": self.unique,
            "line_solvable": self.line_solvable,
            "evidence": evidence_json(self.outcome.evidence) if self.outcome else None,
        }
