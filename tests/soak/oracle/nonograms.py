"""Nonograms counted row by row: the number of ways to reach each state of all columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any

from soak.oracle import MOST_WORK, TooLong, Truth

MOST_LINES = 5000
"""The most fillings of one row."""

Clue = Sequence[int]
State = tuple[int, int]
"""The state of a column: started blocks, and cells of the last one; -1 if it is complete."""


class NonogramTruth(Truth):
    """Clues of rows and columns; `drawn`: they come from a picture."""

    def __init__(self, rows: Sequence[Clue], columns: Sequence[Clue], *, drawn: bool):
        self.rows, self.columns = rows, columns
        try:
            super().__init__(count(rows, columns))
        except TooLong:
            super().__init__(None, exists=True if drawn else None)

    def key(self, board: Any) -> tuple[str, ...]:
        return tuple(board["rows"])

    def broken(self, board: Any) -> str:
        lines = board["rows"]
        if len(lines) != len(self.rows) or any(len(line) != len(self.columns) or set(line) - set("#.") for line in lines):
            return "the board has another size"
        for kind, clues, cells in (("row", self.rows, lines), ("column", self.columns, list(zip(*lines, strict=True)))):
            for number, (clue, line) in enumerate(zip(clues, cells, strict=True), start=1):
                if clue_of(line) != [block for block in clue if block]:
                    return f"{kind} {number} has {clue_of(line)}, its clue is {list(clue)}"
        return ""


def clue_of(line: Sequence[str]) -> list[int]:
    """The lengths of the runs of black cells."""
    return [len(list(run)) for black, run in groupby(line, "#".__eq__) if black]


def count(rows: Sequence[Clue], columns: Sequence[Clue]) -> int:
    """The number of boards with these clues; TooLong if that takes too many steps."""
    work = 0
    ways: dict[tuple[State, ...], int] = {((0, -1),) * len(columns): 1}
    for number, clue in enumerate(rows):
        below = len(rows) - number - 1
        after: dict[tuple[State, ...], int] = {}
        lines = list(islice(fillings([block for block in clue if block], len(columns)), MOST_LINES + 1))
        if len(lines) > MOST_LINES:
            raise TooLong
        for states, number_of_ways in ways.items():
            for line in lines:
                work += len(columns)
                if work > 5 * MOST_WORK:
                    raise TooLong
                moved = stepped(columns, states, line, below)
                if moved is not None:
                    after[moved] = after.get(moved, 0) + number_of_ways
        ways = after
    return sum(ways.values())


def fillings(clue: Sequence[int], length: int) -> Iterator[tuple[bool, ...]]:
    """All lines with this clue."""
    if not clue:
        yield (False,) * length
        return
    block, *rest = clue
    for gap in range(length - block - sum(rest) - len(rest) + 1):
        head = (False,) * gap + (True,) * block + ((False,) if rest else ())
        for tail in fillings(rest, length - len(head)):
            yield head + tail


def stepped(columns: Sequence[Clue], states: tuple[State, ...], line: tuple[bool, ...], below: int) -> tuple[State, ...] | None:
    """The states of the columns after one more row; None if the rows `below` are too few for the clue of a column."""
    moved = []
    for clue, (begun, size), black in zip(columns, states, line, strict=True):
        blocks = [block for block in clue if block]
        if black:
            begun, size = (begun, size + 1) if size >= 0 else (begun + 1, 1)
            if begun > len(blocks) or size > blocks[begun - 1]:
                return None
        elif size >= 0:
            if size < blocks[begun - 1]:
                return None
            size = -1
        rest = blocks[begun:]
        missing = blocks[begun - 1] - size if size >= 0 else 0
        if missing + sum(rest) + len(rest) - (1 if rest and size < 0 else 0) > below:
            return None
        moved.append((begun, size))
    return tuple(moved)
