"""The steps of a solution: what follows from one line, and what follows because its opposite ends in a contradiction.

Every step can be replayed by another program from its JSON, in which rows and columns count from 1 (docs/hints.md says what each
field is). What a step claims is checked by nobody here: that it follows is for the tests, and for whoever replays it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families.nonogram.logic.lines import Can
from cnfgen_puzzles.families.nonogram.logic.propagation import ColourGrid, bits
from cnfgen_puzzles.families.nonogram.logic.techniques import TECHNIQUES
from cnfgen_puzzles.families.nonogram.logic.words import Words, line_name, ranges

AHEAD = "look ahead"
WEIGHT_AHEAD = 10
"""What a look ahead weighs besides its own steps; docs/hints.md has the score."""
WEIGHTS = {technique.name: technique.weight for technique in TECHNIQUES}


@dataclass(frozen=True)
class CellNews:
    """What became known of a cell: the colour that it has, or (where several are left) those that it has not. From 0."""

    row: int
    column: int
    colour: int | None
    without: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        place = {"row": self.row + 1, "column": self.column + 1}
        return {**place, "value": self.colour} if self.colour is not None else {**place, "not": list(self.without)}


@dataclass(frozen=True)
class LineStep:
    """What follows from one line, by a technique."""

    line: int
    technique: str
    reason: str
    cells: tuple[CellNews, ...]
    depth = 0

    @property
    def weight(self) -> int:
        return WEIGHTS[self.technique]


@dataclass(frozen=True)
class AheadStep:
    """A colour that a cell cannot have: assumed, it leads by these steps to a line that no arrangement fits any more."""

    cell: tuple[int, int]
    colour: int
    chain: tuple[LineStep | AheadStep, ...]
    contradicted: int
    cells: tuple[CellNews, ...]
    technique = AHEAD

    @property
    def depth(self) -> int:
        """1 where the chain has line steps only, one more than that of the steps in it else."""
        return 1 + max((step.depth for step in self.chain), default=0)

    @property
    def lines(self) -> int:
        """The lines to be thought through, the contradicted one among them."""
        return 1 + sum(step.lines if isinstance(step, AheadStep) else 1 for step in self.chain)

    @property
    def weight(self) -> int:
        return WEIGHT_AHEAD + WEIGHTS["arrangements"] + sum(step.weight for step in self.chain)


Step = LineStep | AheadStep


def news(grid: ColourGrid, line: int, before: Can) -> tuple[CellNews, ...]:
    """What is known of the cells of a line that was not `before`."""
    found = []
    changed = 0
    for old, new in zip(before, grid.can[line], strict=True):
        changed |= old ^ new
    for place in bits(changed):
        row, column = grid.lines.cell(line, place)
        left = grid.colours(row, column)
        gone = tuple(colour for colour, mask in enumerate(before) if mask >> place & 1 and colour not in left)
        found.append(CellNews(row, column, left[0]) if len(left) == 1 else CellNews(row, column, None, gone))
    return tuple(found)


# -- in words, and for programs ---------------------------------------------------------------------------------------------


class Telling:
    """Steps of one puzzle as text and as JSON."""

    def __init__(self, grid: ColourGrid, words: Words):
        self.lines, self.words = grid.lines, words

    def text(self, step: Step) -> str:
        """The step in one paragraph: `row 3: cells 4-6 filled (overlap: ...)`."""
        if isinstance(step, LineStep):
            return f"{line_name(self.lines, step.line)}: {self.cells(step)} ({step.technique}: {step.reason})"
        row, column = step.cell
        place = f"row {row + 1}, column {column + 1}"
        return f"{place}: {self.outcome(step)} ({self.why(step)})"

    def outcome(self, step: AheadStep) -> str:
        (cell,) = step.cells
        return self.words.value(cell.colour) if cell.colour is not None else f"not {self.words.value(step.colour)}"

    def why(self, step: AheadStep) -> str:
        """The chain of a look ahead."""
        thoughts = [f"were it {self.words.value(step.colour)}"]
        for link in step.chain:
            if isinstance(link, LineStep):
                thoughts.append(f"{line_name(self.lines, link.line)} would have {self.cells(link)}")
            else:
                row, column = link.cell
                thoughts.append(f"row {row + 1}, column {column + 1} would be {self.outcome(link)} ({self.why(link)})")
        return f"{', '.join(thoughts)}, and no arrangement of {line_name(self.lines, step.contradicted)} would be left"

    def cells(self, step: LineStep) -> str:
        """`cells 4-6 filled, 7 empty`."""
        is_row = self.lines.named(step.line)[0] == "row"
        places: dict[str, list[int]] = {}
        for cell in step.cells:
            values = [cell.colour] if cell.colour is not None else cell.without
            said = " or ".join(map(self.words.value, values))
            places.setdefault(said if cell.colour is not None else f"not {said}", []).append(cell.column if is_row else cell.row)
        told = ", ".join(f"{ranges(where)} {said}" for said, where in places.items())
        return f"cell{'s' * (len(step.cells) > 1)} {told}"

    def to_json(self, step: Step) -> dict[str, Any]:
        """The step for a program that replays it."""
        if isinstance(step, LineStep):
            return {
                "kind": "line",
                "line": self.line(step.line),
                "technique": step.technique,
                "reason": step.reason,
                "cells": [cell.to_json() for cell in step.cells],
            }
        return {
            "kind": "ahead",
            "assumption": CellNews(*step.cell, step.colour).to_json(),
            "depth": step.depth,
            "steps": [self.to_json(link) for link in step.chain],
            "contradicted": self.line(step.contradicted),
            "reason": self.why(step),
            "cells": [cell.to_json() for cell in step.cells],
        }

    def line(self, line: int) -> dict[str, Any]:
        kind, index = self.lines.named(line)
        return {"kind": kind, "number": index + 1}

    def all(self, steps: Sequence[Step]) -> list[dict[str, Any]]:
        """All steps with their numbers from 1."""
        return [{"step": number, **self.to_json(step)} for number, step in enumerate(steps, start=1)]
