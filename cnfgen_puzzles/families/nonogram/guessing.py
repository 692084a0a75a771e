"""Nearly correct boards by belief propagation, for puzzles with so many solutions that solvers have little guidance.

Each cell is in two lines, its row and its column. From the probabilities that the other lines assign to its cells, a line
computes the probability that each cell is filled, over all its arrangements: a sum over blocks and positions, forwards and
backwards. Rows and columns exchange these messages as log-odds (Pearl's sum-product rule). They converge to the average of the
solutions, which is not a solution. So each cell is slowly pulled to the value that it tends to (reinforced belief propagation:
Braunstein, Zecchina, "Learning by message passing in networks of discrete synapses", Phys. Rev. Lett. 96, 2006).

Each guess takes twice the time of the previous one. Black and white puzzles only; needs numpy. A guess proves nothing: a solver
must confirm that it is a solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cnfgen_puzzles.families.clued.encodings import ClueLine, lines_of
from cnfgen_puzzles.families.clued.puzzle import known_cells
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.formula import Block

Array = np.ndarray[Any, Any]

SURE = 25.0
"""The largest absolute value of log-odds."""
PULL, GUESSES = 0.02, 7
"""After t rounds of the first guess, each cell is pulled by 1 - (1 - PULL)^t of its log-odds; each later guess uses half the
PULL."""
ROUNDS = 2.5
"""A guess has ROUNDS / PULL rounds; its result is visible after two thirds of them."""
DAMPING = 0.3
"""The weight of the last message in the next one."""
MOST = 20_000_000
"""The largest number of block positions of all rows, or columns, padded to equal lengths: about 100 bytes each."""


def guesses(puzzle: Nonogram, blocks: Mapping[str, Block]) -> Iterator[list[int]]:
    """One guess after another, as literals of the cells of a formula with these blocks. The other variables follow from them."""
    if puzzle.inks > 1:
        return
    lines = lines_of(puzzle, blocks["cell"].first)
    rows, columns = lines[: puzzle.height], lines[puzzle.height :]
    if not all(line.positions for line in lines) or not all(Arrangements.size(side) <= MOST for side in (rows, columns)):
        return
    sides = Arrangements(rows), Arrangements(columns)
    known = np.zeros((puzzle.height, puzzle.width))
    for _, row, column, color in known_cells(puzzle):
        known[row, column] = SURE if color else -SURE
    cells = blocks["cell"].first + np.arange(known.size)
    for number in range(GUESSES):
        odds = guess(sides, known, PULL / 2**number, number)
        yield np.where(odds.ravel() > 0, cells, -cells).tolist()


def guess(sides: tuple[Arrangements, Arrangements], known: Array, pull: float, seed: int) -> Array:
    """The log-odds of all cells in the round with the fewest wrong lines."""
    rows, columns = sides
    drawn = known + np.random.default_rng(seed).normal(0, 0.05, known.shape)  # breaks ties between equal solutions
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
    """All arrangements of the rows of a puzzle, or of its columns; arrays have the axes block, line, and position.

    Blocks i and i+1 of a line at positions t and u (see encodings.py) are compatible if and only if t <= u. So the weights of all
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
        for places in (self._start, self._end):  # in an array of length + 1 sums per line
            places += (self.length + 1) * np.arange(count)[:, None]
        self._counts = np.array([len(line.clue) for line in lines])
        self._clues = np.array([block for line in lines for block in line.clue], int)

    @staticmethod
    def shape(lines: Sequence[ClueLine]) -> tuple[int, int]:
        """The maximal number of blocks of a line, at least one, and the maximal number of positions."""
        return max(1, *(len(line.clue) for line in lines)), max(line.positions for line in lines)

    @classmethod
    def size(cls, lines: Sequence[ClueLine]) -> int:
        """The entries of each array."""
        blocks, positions = cls.shape(lines)
        return len(lines) * blocks * positions

    def filled(self, odds: Array) -> Array:
        """The probability that each cell is filled: its share of all arrangements of its line, weighted by these log-odds."""
        sums = np.zeros((len(self.lines), self.length + 1))
        np.cumsum(odds, axis=1, out=sums[:, 1:])
        # the log-weight of each block at each position: the sum of the log-odds of its cells
        weights: Array = sums.ravel()[self._end] - sums.ravel()[self._start] + self._allowed
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
        """The messages of the lines on each cell, without the messages on this cell to them."""
        share = np.clip(self.filled(odds), 1e-13, 1 - 1e-13)
        message: Array = np.clip(np.log(share) - np.log1p(-share) - odds, -SURE, SURE)
        return message

    def wrong(self, board: Array) -> int:
        """The number of lines of the board whose blocks differ from the clues."""
        edges = np.diff(board.astype(np.int8), axis=1, prepend=0, append=0)
        of_line, starts = np.nonzero(edges == 1)
        lengths = np.nonzero(edges == -1)[1] - starts
        counts = np.bincount(of_line, minlength=len(board))
        wrong = counts != self._counts
        right = ~wrong
        differ = lengths[right[of_line]] != self._clues[np.repeat(right, self._counts)]
        wrong[of_line[right[of_line]][differ]] = True
        return int(wrong.sum())
