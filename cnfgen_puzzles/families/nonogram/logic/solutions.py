"""What solutions are known to have: no thought refutes that, so that nobody need try. And where two differ, no thought ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cnfgen_puzzles.families.nonogram.logic.lines import Can
from cnfgen_puzzles.families.nonogram.logic.propagation import several
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram


class Solutions:
    """The colours that cells have in the boards which `boards` finds, once they were asked for.

    `had[row]` has for each colour the cells of the row that have it in one of them, as bits.
    """

    def __init__(self, puzzle: Nonogram, boards: Callable[[], Iterable[Board]] | None):
        self._boards = boards
        self.had: list[Can] = [(0,) * (puzzle.inks + 1) for _ in range(puzzle.height)]

    def ask(self) -> None:
        """Once; later calls do nothing."""
        boards, self._boards = self._boards, None
        for board in boards() if boards else ():
            for row, cells in enumerate(board):
                masks = list(self.had[row])
                for column, colour in enumerate(cells):
                    masks[colour] |= 1 << column
                self.had[row] = tuple(masks)

    @property
    def differing(self) -> int:
        """The cells that have more than one colour in them."""
        return sum(several(masks).bit_count() for masks in self.had)
