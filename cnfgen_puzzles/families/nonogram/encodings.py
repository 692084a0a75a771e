"""Nonograms as formulas.

A line is a row or a column: L cells x[0..L-1] and a clue b_0 .. b_(k-1). Packed to the left, block i starts at
base_i = b_0 + 1 + ... + b_(i-1) + 1; every block can move by slack = L - (sum(b) + k-1) cells, so it has p = slack + 1 positions.
Every encoding has the block `cell[row, column]`, its projection set, and adds variables of its own for each line:

* `direct` (the published one): start[line, i, t], block i starts at base_i + t.
* `order` (the default): by[line, i, t], block i starts at base_i + t or earlier; t = p-1 is true, t = -1 false.
* `regular`: state[line, q, s], the automaton of the clue is in state s after q cells.

Rows are lines 0 .. height-1, columns follow. Cells that are known beforehand are unit clauses, before all others. In all three
the other variables are functions of the cells, so models and boards are in bijection. A line that is too short for its clue gives
the empty clause. A small case in full, 3x1, row clue `1`, column clues `1`, empty, empty (blocks of one line: positions 0, 1, 2
in the row, 0 in column 0):

>>> from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
>>> puzzle = Nonogram(rows=((1,),), columns=((1,), (), ()))
>>> list(order(puzzle).clauses())  # by[0,0,0] = 4, by[0,0,1] = 5
[[-4, 5], [-4, 1], [-5, 4, 2], [5, 3], [4, -1], [5, -2], [-4, -2], [-5, -3], [1], [-2], [-3]]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from cnfgen_puzzles.families.family import Encoding, by_name
from cnfgen_puzzles.families.nonogram.puzzle import Clue, Nonogram, known_cells, shortest_line
from cnfgen_puzzles.families.options import amo_option
from cnfgen_puzzles.formula import Block, Formula
from cnfgen_puzzles.formula.formula import FALSE, TRUE
from cnfgen_puzzles.formula.regular import accepts


@dataclass(frozen=True)
class Line:
    """One line of the puzzle: its number, its cell variables in order, and where its blocks can stand."""

    number: int
    cells: range
    clue: Clue

    @property
    def positions(self) -> int:
        """p, the positions of each block; 0 where the clue does not fit."""
        return max(len(self.cells) - shortest_line(self.clue) + 1, 0)

    def bases(self) -> list[int]:
        """The first cell of each block when all are packed to the left."""
        return list(accumulate((length + 1 for length in self.clue), initial=0))[:-1]


def lines_of(puzzle: Nonogram, first_cell: int) -> list[Line]:
    """Rows, then columns; `first_cell` is the variable of cell[0, 0]."""
    height, width = puzzle.height, puzzle.width
    end = first_cell + height * width
    rows = [range(first_cell + r * width, first_cell + (r + 1) * width) for r in range(height)]
    columns = [range(first_cell + c, end, width) for c in range(width)]
    clues = (*puzzle.rows, *puzzle.columns)
    return [Line(number, cells, clue) for number, (cells, clue) in enumerate(zip(rows + columns, clues, strict=True))]


def start_formula(puzzle: Nonogram) -> tuple[Formula, list[Line]]:
    """A formula with the block `cell`, which is the projection set, the known cells as units, and the lines over it."""
    formula = Formula()
    cell = formula.grid("cell", puzzle.height, puzzle.width)
    formula.projection = cell.variables
    for literals in known_literals(puzzle, cell):
        formula.add_clauses([literal] for literal in literals)
    return formula, lines_of(puzzle, cell.first)


def known_literals(puzzle: Nonogram, cell: Block) -> Iterator[list[int]]:
    """For every known cell the literals that say its colour: the variable of its ink, or for the background that no ink is there.
    `cell` has a variable a cell, or one for each of its inks."""
    for _, r, c, colour in known_cells(puzzle):
        inks = cell.below(r, c)
        yield [inks[colour - 1]] if colour else [-variable for variable in inks]


# -- direct -----------------------------------------------------------------------------------------------------------


def direct(puzzle: Nonogram, amo: str = "pairwise") -> Formula:
    """The article's encoding, with its numbers of variables and clauses when `amo` is `pairwise`.

    Variables: H*W + sum over lines of k*p. Clauses a line: (1) k; (2) k*p*(p-1)/2; (3) for every pair i < j of blocks m*(m+1)/2
    with m = max(0, p-1-d), d = sum of b_c + 1 over i < c < j; (4) L; (5) p*sum(b); an empty line L more.
    """
    formula, lines = start_formula(puzzle)
    lengths: dict[tuple[int, ...], int] = {(line.number, i): line.positions for line in lines for i in range(len(line.clue))}
    start = formula.ragged("start", lengths)
    for line in lines:
        starts = [start.below(line.number, i) for i in range(len(line.clue))]
        _one_position_each(formula, starts, amo)
        _blocks_in_order(formula, line, starts)
        _filled_cells_are_covered(formula, line, starts)
        _positions_fill_cells(formula, line, starts)
    return formula


def _one_position_each(formula: Formula, starts: list[range], amo: str) -> None:
    """(1) Every block has a position, (2) and at most one."""
    for positions in starts:
        formula.at_least_one(positions)
        formula.at_most_one(positions, amo)


def _blocks_in_order(formula: Formula, line: Line, starts: list[range]) -> None:
    """(3) Blocks i < j: position t of i excludes every position of j that is not right of it with a gap, u < t - d."""
    for i in range(len(starts)):
        between = 0
        for j in range(i + 1, len(starts)):
            for t in range(between + 1, line.positions):
                formula.conflict(starts[i][t], starts[j][: t - between])
            between += line.clue[j] + 1


def _filled_cells_are_covered(formula: Formula, line: Line, starts: list[range]) -> None:
    """(4) A filled cell q lies in some block: base_i + t <= q < base_i + t + b_i."""
    bases = line.bases()
    for q, cell in enumerate(line.cells):
        covering = [-cell]
        for base, length, positions in zip(bases, line.clue, starts, strict=True):
            covering += positions[max(q - length + 1 - base, 0) : max(q + 1 - base, 0)]
        formula.add_clause(covering)


def _positions_fill_cells(formula: Formula, line: Line, starts: list[range]) -> None:
    """(5) A block's position fills its cells; in an empty line every cell is empty (said once more, as the article does)."""
    for base, length, positions in zip(line.bases(), line.clue, starts, strict=True):
        for first, position in enumerate(positions, start=base):
            formula.implies_each(position, line.cells[first : first + length])
    if not line.clue:
        for cell in line.cells:
            formula.add(-cell)


# -- order ------------------------------------------------------------------------------------------------------------


def order(puzzle: Nonogram) -> Formula:
    """The lean order encoding: clauses of at most three literals over cells and by[line, i, t], nothing else.

    Variables: H*W + sum over lines of k*(p-1). With by_i(q) for 'block i starts at cell q or earlier', by_(-1) true and by_k
    false, clauses a line: (1) by_i(q) -> by_i(q+1); (2) by_(i+1)(q) -> by_i(q - b_i - 1); (3) by_i(q) and not by_i(q - b_i) ->
    x_q; (4) x_q and by_(i-1)(q - b_(i-1)) -> by_i(q), for i = 0 .. k.
    """
    formula, lines = start_formula(puzzle)
    lengths: dict[tuple[int, ...], int] = {
        (line.number, i): max(line.positions - 1, 0) for line in lines for i in range(len(line.clue))
    }
    by = formula.ragged("by", lengths)
    for line in lines:
        if not line.positions:
            formula.add()  # the clue does not fit
            continue
        started = [by.below(line.number, i) for i in range(len(line.clue))]
        _starts_are_ordered(formula, started)
        blocks = [
            _StartedBy(base, length, variables) for base, length, variables in zip(line.bases(), line.clue, started, strict=True)
        ]
        _blocks_fill_cells(formula, line, blocks)
        _gaps_are_empty(formula, line, blocks)
    return formula


@dataclass(frozen=True)
class _StartedBy:
    """by_i as a function of the cell, with constants outside the block's window."""

    base: int
    length: int
    variables: range

    def __call__(self, q: int) -> int:
        t = q - self.base
        if t < 0:
            return FALSE
        return self.variables[t] if t < len(self.variables) else TRUE


def _starts_are_ordered(formula: Formula, started: list[range]) -> None:
    """(1) Each by_i is monotone; (2) the next block starts later, with a gap (in both windows the same t)."""
    for variables in started:
        for earlier, later in pairwise(variables):
            formula.add(-earlier, later)
    for left, right in pairwise(started):
        for by_left, by_right in zip(left, right, strict=True):
            formula.add(-by_right, by_left)


def _blocks_fill_cells(formula: Formula, line: Line, blocks: list[_StartedBy]) -> None:
    """(3) A block that has started by q, and later than q - b, fills q; only cells that the block can reach matter."""
    for by in blocks:
        for q in range(by.base, by.base + len(by.variables) + by.length):
            formula.add_folded(-by(q), by(q - by.length), line.cells[q])


def _gaps_are_empty(formula: Formula, line: Line, blocks: list[_StartedBy]) -> None:
    """(4) Where block i-1 has ended before q and block i has not started by q, q is empty; also before the first block and
    after the last. The clause matters from the first cell behind block i-1 to the last before block i."""
    size = len(line.cells)
    for previous, following in pairwise([None, *blocks, None]):
        first = previous.base + previous.length if previous else 0
        last = following.base + len(following.variables) if following else size
        for q in range(first, last):
            ended = previous(q - previous.length) if previous else TRUE
            started = following(q) if following else FALSE
            formula.add_folded(-ended, started, -line.cells[q])


# -- regular ----------------------------------------------------------------------------------------------------------


def regular(puzzle: Nonogram) -> Formula:
    """The clue as a deterministic automaton over the line; `formula/regular.py` has the clauses.

    Its states are the cells of the tightest line: gap, b_0 filled ones, gap, b_1 filled ones, ..., a last gap: sum(b) + k + 1
    states. state[line, q, s]: in state s after q cells, only for pairs that a solution can visit. A line starts in the first gap,
    and its last pairs are the last block's and the last gap's.
    """
    formula, lines = start_formula(puzzle)
    unrolled = [_Unrolled(line) for line in lines]
    state = formula.keyed("state", ((run.line.number, *pair) for run in unrolled for pair in run.pairs()))
    first = state.first
    for run in unrolled:
        if not run.line.positions:
            formula.add()  # the clue does not fit
            continue
        variable = {pair: first + n for n, pair in enumerate(run.pairs())}
        first += len(variable)
        accepts(formula, run.line.cells, variable, run.step, run.filled)
    return formula


class _Unrolled:
    """The automaton of a line; state s is cell s of the tightest line that has a gap before, between and after the blocks."""

    def __init__(self, line: Line):
        self.line = line
        self.filled = [*(cell for length in line.clue for cell in (False, *[True] * length)), False]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs (q, s) that a solution can visit: state s needs s cells, and what is missing for the clue must still fit."""
        if self.line.positions:
            shortest = shortest_line(self.line.clue)
            slack = self.line.positions - 1
            for q in range(len(self.line.cells) + 1):
                yield from ((q, s) for s in range(len(self.filled)) if s <= q <= min(s, shortest) + slack)

    def step(self, s: int, filled: bool) -> int | None:
        """The state after one more cell, or None where the clue forbids it."""
        if self.filled[s]:
            return s + 1 if self.filled[s + 1] == filled else None
        if not filled:
            return s
        return s + 1 if s + 1 < len(self.filled) else None


AMO = amo_option("at-most-one encoding of a block's positions")
ENCODINGS = by_name(
    Encoding("order", "order variables 'block starts by here', three literals a clause: small and fast", order),
    Encoding("direct", "a variable for each position of each block: the published one", direct, (AMO,)),
    Encoding("regular", "each clue as an automaton over its line", regular),
)
