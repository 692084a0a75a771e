"""Boards that are nearly right, by belief propagation: for puzzles with so many solutions that a solver has nothing to go by.

A cell is in two lines, its row and its column. Given how likely each of its cells is to be filled, as far as the other lines say,
a line tells how likely each is by all of its arrangements together: a sum over blocks and positions, forwards and backwards. As
log-odds these messages go to and fro between rows and columns (Pearl's sum-product rule). What they come to says how solutions
look on average, which is no solution; so each cell is drawn, slowly, to the side to which it leans already (reinforced belief
propagation: Braunstein, Zecchina, "Learning by message passing in networks of discrete synapses", Phys. Rev. Lett. 96, 2006).

Each guess takes twice the time of the one before. In black and white; needs numpy. Nothing is shown by this: a guess that is no
solution says nothing, and one that is a solution is a solver's to confirm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cnfgen_puzzles.families.nonogram.encodings import ClueLine, lines_of, true_starts
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, known_cells
from cnfgen_puzzles.formula import Block

Array = np.ndarray[Any, Any]

SURE = 25.0
"""Log-odds are kept between this and its negative."""
PULL, GUESSES = 0.02, 7
"""After t rounds of the first guess each cell is drawn by 1 - (1 - PULL)^t of its log-odds; half the PULL each guess after it."""
ROUNDS = 2.5
"""A guess has ROUNDS / PULL rounds; what it comes to shows after two thirds of them."""
DAMPING = 0.3
"""The share of the last message in the next one."""
MOST = 20_000_000
"""Block positions of all rows, or columns, padded to equal lengths: some 100 bytes each."""


def guesses(puzzle: Nonogram, blocks: Mapping[str, Block]) -> Iterator[list[int]]:
    """Guess after guess, as literals of a formula with these blocks: the cells, in `order` and `direct` the others, too."""
    if puzzle.inks > 1:
        return
    lines = lines_of(puzzle, blocks["cell"].first)
    rows, columns = lines[: puzzle.height], lines[puzzle.height :]
    if not all(line.positions for line in lines) or not all(Arrangements.size(side) <= MOST for side in (rows, columns)):
        return
    sides = Arrangements(rows), Arrangements(columns)
    known = np.zeros((puzzle.height, puzzle.width))
    for _, row, column, colour in known_cells(puzzle):
        known[row, column] = SURE if colour else -SURE
    for number in range(GUESSES):
        odds = guess(sides, known, PULL / 2**number, number)
        positions = [*sides[0].likeliest(odds).T.tolist(), *sides[1].likeliest(odds.T).T.tolist()]
        true = {variable for variables in true_starts(blocks, lines, positions) for variable in variables}
        started = blocks.get("by") or blocks.get("start")
        starts = (variable if variable in true else -variable for variable in (started.variables if started else ()))
        cells = blocks["cell"].first + np.arange(odds.size)
        yield [*np.where(odds.ravel() > 0, cells, -cells).tolist(), *starts]


def guess(sides: tuple[Arrangements, Arrangements], known: Array, pull: float, seed: int) -> Array:
    """The log-odds of all cells at the round of which the fewest lines are wrong."""
    rows, columns = sides
    drawn = known + np.random.default_rng(seed).normal(0, 0.05, known.shape)  # of equal solutions one
    from_rows, from_columns = np.zeros_like(known), np.zeros_like(known)
    best, fewest = known, len(rows.lines) + len(columns.lines) + 1
    for turn in range(int(ROUNDS / pull)):
        from_rows += (1 - DAMPING) * (rows.message(from_columns + drawn) - from_rows)
        from_columns += (1 - DAMPING) * (columns.message((from_rows + drawn).T).T - from_columns)
        odds = np.clip(from_rows + from_columns + drawn, -SURE, SURE)
        drawn = known + (1 - (1 - pull) ** turn) * odds
        wrong = rows.wrong(odds > 0) + columns.wrong(odds.T > 0)
        if wrong < fewest:
            best, fewest = odds, wrong
        if not wrong:
            break
    return best


class Arrangements:
    """All arrangements of the rows of a puzzle, or its columns; arrays have an entry a block, line and position in this order.

    Blocks i and i+1 of a line at positions t and u of theirs (encodings.py) go together exactly if t <= u. So the weights of all
    arrangements of the first blocks add up from left to right. Lines with fewer blocks have empty ones at the last position.
    """

    def __init__(self, lines: Sequence[ClueLine]):
        self.lines, self.length = lines, len(lines[0])
        count, (blocks, positions) = len(lines), self.shape(lines)
        self._start = np.full((blocks, count, positions), self.length)
        self._end = self._start.copy()
        self._allowed = np.full((blocks, count, positions), -np.inf)
        for n, line in enumerate(lines):
            for i, (base, block) in enumerate(zip(line.bases(), line.clue, strict=True)):
                self._start[i, n, : line.positions] = range(base, base + line.positions)
                self._end[i, n] = self._start[i, n] + block
                self._allowed[i, n, : line.positions] = 0
            self._allowed[len(line.clue) :, n, line.positions - 1] = 0
        np.minimum(self._end, self.length, out=self._end)
        for places in (self._start, self._end):  # in an array of length + 1 sums a line
            places += (self.length + 1) * np.arange(count)[:, None]
        self._counts = np.array([len(line.clue) for line in lines])
        self._clues = np.array([block for line in lines for block in line.clue], int)

    @staticmethod
    def shape(lines: Sequence[ClueLine]) -> tuple[int, int]:
        """The most blocks of a line, one at least, and the most positions."""
        return max(1, *(len(line.clue) for line in lines)), max(line.positions for line in lines)

    @classmethod
    def size(cls, lines: Sequence[ClueLine]) -> int:
        """The entries of each array."""
        blocks, positions = cls.shape(lines)
        return len(lines) * blocks * positions

    def _weights(self, odds: Array) -> Array:
        """The log-weight of each block at each position: the log-odds of its cells, added up."""
        sums = np.zeros((len(self.lines), self.length + 1))
        np.cumsum(odds, axis=1, out=sums[:, 1:])
        weights: Array = sums.ravel()[self._end] - sums.ravel()[self._start] + self._allowed
        return weights

    def filled(self, odds: Array) -> Array:
        """How likely each cell is filled: its share of all arrangements of its line, weighted by these log-odds of the cells."""
        weights = self._weights(odds)
        before, behind = np.zeros_like(weights), np.zeros_like(weights)
        for i in range(1, len(weights)):
            np.logaddexp.accumulate(before[i - 1] + weights[i - 1], axis=1, out=before[i])
        for i in range(len(weights) - 1, 0, -1):
            np.logaddexp.accumulate((behind[i] + weights[i])[:, ::-1], axis=1, out=behind[i - 1][:, ::-1])
        total = before + weights + behind
        shares = np.exp(total - np.logaddexp.reduce(total[0], axis=1)[:, None]).ravel()
        size = len(self.lines) * (self.length + 1)
        begun = np.bincount(self._start.ravel(), shares, size) - np.bincount(self._end.ravel(), shares, size)
        return np.cumsum(begun.reshape(len(self.lines), -1), axis=1)[:, :-1]

    def message(self, odds: Array) -> Array:
        """What the lines say of each cell, without what is said of this cell to them."""
        share = np.clip(self.filled(odds), 1e-13, 1 - 1e-13)
        said: Array = np.clip(np.log(share) - np.log1p(-share) - odds, -SURE, SURE)
        return said

    def wrong(self, board: Array) -> int:
        """How many lines of the board have other blocks than their clues."""
        edges = np.diff(board.astype(np.int8), axis=1, prepend=0, append=0)
        of_line, starts = np.nonzero(edges == 1)
        lengths = np.nonzero(edges == -1)[1] - starts
        counts = np.bincount(of_line, minlength=len(board))
        wrong = counts != self._counts
        right = ~wrong
        differ = lengths[right[of_line]] != self._clues[np.repeat(right, self._counts)]
        wrong[of_line[right[of_line]][differ]] = True
        return int(wrong.sum())

    def likeliest(self, odds: Array) -> Array:
        """The positions of the blocks of each line in its arrangement of most weight: `[block, line]`."""
        weights = self._weights(odds)
        for i in range(1, len(weights)):
            weights[i] += np.maximum.accumulate(weights[i - 1], axis=1)
        places = np.arange(weights.shape[2])
        chosen, last = np.empty(weights.shape[:2], int), np.full((len(self.lines), 1), len(places))
        for i in range(len(weights) - 1, -1, -1):
            chosen[i] = np.argmax(np.where(places <= last, weights[i], -np.inf), axis=1)
            last = chosen[i][:, None]
        return chosen
