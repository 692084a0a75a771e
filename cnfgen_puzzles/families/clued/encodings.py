"""Nonograms and triddlers as formulas.

A line is a row or a column: L cells x[0..L-1] and a clue b_0 .. b_(k-1). Packed to the left, block i starts at
base_i = b_0 + g_0 + ... + b_(i-1) + g_(i-1), where g_i is the gap behind block i: 1 if block i+1 has the same color, else 0.
Every block can move by slack = L - (sum(b) + sum(g)) cells, so it has p = slack + 1 positions. Every encoding has the block
`cell[row, column]`, its projection set, and adds variables for each line:

* `direct` (the published one): start[line, i, t], block i starts at base_i + t.
* `order` (the default): by[line, i, t], block i starts at base_i + t or earlier; t = p-1 is true, t = -1 false.
* `regular`: state[line, q, s], the automaton of the clue is in state s after q cells.

Rows are lines 0 .. height-1, columns follow; in triddlers rising, then falling lines.
Cells that are known beforehand give unit clauses, before all other clauses. In all three encodings the other variables are
functions of the cells, so there is a bijection between models and boards. A line that is too short for its clue gives the empty
clause.

With several colors besides the background (n inks) the block is `cell[row, column, ink]`, inks from 0, and x[q, c] says that
cell q has ink c: H*W*n variables instead of H*W. No cell has two inks: H*W*n*(n-1)/2 clauses. With one ink, the formula is the
published one.

A complete example: 3x1, row clue `1`, column clues `1`, empty, empty (the block has the positions 0, 1, 2 in the row, and 0 in
column 0):

>>> from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
>>> puzzle = Nonogram(rows=((1,),), columns=((1,), (), ()))
>>> list(order(puzzle).clauses())  # by[0,0,0] = 4, by[0,0,1] = 5
[[-4, 5], [-4, 1], [-5, 4, 2], [5, 3], [4, -1], [5, -2], [-4, -2], [-5, -3], [1], [-2], [-3]]

An example with two colors: 2x1, row clue `1` of ink 0 and `1` of ink 1, which need no gap. Unit clauses determine both cells.

>>> from cnfgen_puzzles.families.clued.puzzle import Color
>>> colors = (Color("white", "#ffffff", "."), Color("red", "#ff0000", "r"), Color("blue", "#0000ff", "b"))
>>> puzzle = Nonogram(rows=((1, 1),), columns=((1,), (1,)), colors=colors, row_colors=((1, 2),), column_colors=((1,), (2,)))
>>> list(order(puzzle).clauses())  # cell[0,0,0] = 1, cell[0,0,1] = 2, cell[0,1,0] = 3, cell[0,1,1] = 4
[[-1, -2], [-3, -4], [1], [4], [-3], [-2], [1], [-2], [4], [-3]]
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, pairwise
from typing import NamedTuple

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.clued.puzzle import Clue, CluedPuzzle, gap, known_cells, shortest_line
from cnfgen_puzzles.families.family import Encoding, by_name
from cnfgen_puzzles.families.options import amo_option
from cnfgen_puzzles.formula import Block, Formula
from cnfgen_puzzles.formula.regular import accepts


@dataclass(frozen=True)
class ClueLine:
    """One line of the puzzle: its number, its cell variables in order for every ink, its clue, and the ink of every block.

    The variables of a line are a range in a rectangle; in a hexagon they zigzag.
    """

    number: int
    inked: tuple[Sequence[int], ...]
    clue: Clue
    inks: tuple[int, ...]

    def __len__(self) -> int:
        """L, the number of cells."""
        return len(self.inked[0])

    def of_block(self, i: int) -> Sequence[int]:
        """The cell variables of the ink of block i."""
        return self.inked[self.inks[i]]

    @property
    def shortest(self) -> int:
        """The cells that the clue needs."""
        return shortest_line(self.clue, self.inks)

    @property
    def positions(self) -> int:
        """p, the positions of each block; 0 where the clue does not fit."""
        return max(len(self) - self.shortest + 1, 0)

    def bases(self) -> list[int]:
        """The first cell of each block when all are packed to the left."""
        gaps = [*map(gap, self.inks, self.inks[1:]), 0]
        return list(accumulate((length + space for length, space in zip(self.clue, gaps, strict=False)), initial=0))[:-1]


def lines_of(puzzle: CluedPuzzle, first_cell: int) -> list[ClueLine]:
    """The lines by kind: rows, then columns; `first_cell` is the variable of the first cell and its first ink."""
    inks = puzzle.inks

    def variables(cells: Sequence[int], ink: int) -> Sequence[int]:
        first = first_cell + ink
        if isinstance(cells, range):
            return range(first + cells.start * inks, first + cells.stop * inks, cells.step * inks)
        return tuple(first + cell * inks for cell in cells)

    found: list[ClueLine] = []
    for kind in puzzle.kinds.values():
        for cells, (clue, colors) in zip(puzzle.line_cells(kind), puzzle.lines(kind), strict=True):
            inked = tuple(variables(cells, ink) for ink in range(inks))
            found.append(ClueLine(len(found), inked, clue, tuple(color - 1 for color in colors)))
    return found


def start_formula(puzzle: CluedPuzzle) -> tuple[Formula, list[ClueLine]]:
    """A formula with the block `cell`, which is the projection set, and unit clauses for known cells; and the lines over it. Its
    clauses exclude two inks in one cell."""
    formula, several = Formula(), (puzzle.inks,) if puzzle.inks > 1 else ()
    if puzzle.shape:
        cell = formula.grid("cell", *puzzle.shape, *several)
    else:
        checked_amount("variables", sum(puzzle.row_lengths) * puzzle.inks)
        cells: dict[tuple[int, ...], int] = {(r,): length for r, length in enumerate(puzzle.row_lengths)}
        if several:
            cells = {(r, place): puzzle.inks for (r,), length in cells.items() for place in range(length)}
        cell = formula.ragged("cell", cells)
    formula.projection = cell.variables
    for literals in known_literals(puzzle, cell):
        formula.add_clauses([literal] for literal in literals)
    for first in range(cell.first, cell.first + cell.count, puzzle.inks) if several else ():
        for one, other in combinations(range(first, first + puzzle.inks), 2):
            formula.add(-one, -other)
    return formula, lines_of(puzzle, cell.first)


def known_literals(puzzle: CluedPuzzle, cell: Block) -> Iterator[list[int]]:
    """For every known cell, the literals that state its color."""
    return (ink_literals(cell, r, c, color) for _, r, c, color in known_cells(puzzle))


def ink_literals(cell: Block, row: int, column: int, color: int) -> list[int]:
    """The literals that are all true if and only if the cell has the color (0: the background). `cell` has one variable for each
    cell, or for each cell and ink."""
    return [variable if ink == color else -variable for ink, variable in enumerate(cell.below(row, column), start=1)]


# -- direct -----------------------------------------------------------------------------------------------------------


def direct(puzzle: CluedPuzzle, amo: str = "pairwise") -> Formula:
    """The article's encoding, with its numbers of variables and clauses when `amo` is `pairwise`.

    Variables: H*W + sum over lines of k*p. Clauses per line: (1) k; (2) k*p*(p-1)/2; (3) for every pair i < j of blocks m*(m+1)/2
    with m = max(0, p-1-d), d = sum of b_c + 1 over i < c < j; (4) L; (5) p*sum(b); L more for an empty line.

    With n inks: H*W*n variables of cells, (4) L*n, L*n more for an empty line, and in (3) d = base_j - base_i - b_i, less 1 if
    blocks i and j have the same color (the sum above if all blocks have the same color).
    """
    formula, lines = start_formula(puzzle)
    lengths: dict[tuple[int, ...], int] = {(line.number, i): line.positions for line in lines for i in range(len(line.clue))}
    start = formula.ragged("start", lengths)
    for line in lines:
        starts = [start.below(line.number, i) for i in range(len(line.clue))]
        for positions in starts:  # (1) every block has a position, (2) and at most one
            formula.add_clause(positions)
            formula.at_most_one(positions, amo)
        _blocks_in_order(formula, line, starts)
        _filled_cells_are_covered(formula, line, starts)
        _positions_fill_cells(formula, line, starts)
    return formula


def _blocks_in_order(formula: Formula, line: ClueLine, starts: list[range]) -> None:
    """(3) Blocks i < j: position t of i excludes every position of j that is not right of it, with a gap if they have one color:
    u < t - d."""
    bases, positions = line.bases(), line.positions
    negations = [array("i", range(-variables.start, -variables.stop, -1)) for variables in starts]
    left, right = array("i"), array("i")
    for i in range(len(starts)):
        for j in range(i + 1, len(starts)):
            between = bases[j] - bases[i] - line.clue[i] - gap(line.inks[i], line.inks[j])
            for t in range(between + 1, positions):
                left.extend(negations[i][t : t + 1] * (t - between))
                right.extend(negations[j][: t - between])
    formula.add_binary(left, right)


def _filled_cells_are_covered(formula: Formula, line: ClueLine, starts: list[range]) -> None:
    """(4) A filled cell q lies in some block of its ink: base_i + t <= q < base_i + t + b_i."""
    bases = line.bases()
    for ink, cells in enumerate(line.inked):
        blocks = [block for block, its in zip(zip(bases, line.clue, starts, strict=True), line.inks, strict=True) if its == ink]
        for q, cell in enumerate(cells):
            covering = [-cell]
            for base, length, positions in blocks:
                covering += positions[max(q - length + 1 - base, 0) : max(q + 1 - base, 0)]
            formula.add_clause(covering)


def _positions_fill_cells(formula: Formula, line: ClueLine, starts: list[range]) -> None:
    """(5) A block's position fills its cells; every cell of an empty line is empty (redundant clauses of the article)."""
    for i, (base, length, positions) in enumerate(zip(line.bases(), line.clue, starts, strict=True)):
        its_cells = array("i", line.of_block(i))
        for first, position in enumerate(positions, start=base):
            formula.implies_each(position, its_cells[first : first + length])
    if not line.clue:
        for cells in line.inked:
            for cell in cells:
                formula.add(-cell)


# -- order ------------------------------------------------------------------------------------------------------------


def order(puzzle: CluedPuzzle) -> Formula:
    """The order encoding: clauses of at most three literals over cells and by[line, i, t].

    Variables: H*W + sum over lines of k*(p-1). With by_i(q) for 'block i starts at cell q or earlier', by_(-1) true and by_k
    false, the clauses of a line are: (1) by_i(q) -> by_i(q+1); (2) by_(i+1)(q) -> by_i(q - b_i - 1); (3) by_i(q) and not by_i(q -
    b_i) -> x_q; (4) x_q and by_(i-1)(q - b_(i-1)) -> by_i(q), for i = 0 .. k.

    With several inks (2) has g_i for the 1, (3) fills cells with the block's ink, and (4) is stated for each ink separately:
    blocks i-1 and i are neighbors among the blocks of that ink, so a cell between them does not have this ink.
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
        for ink, cells in enumerate(line.inked):
            _gaps_are_empty(formula, cells, [block for block, its in zip(blocks, line.inks, strict=True) if its == ink])
    return formula


class _StartedBy(NamedTuple):
    """by_i: a variable for each cell from `base` on; false before them, and true after them."""

    base: int
    length: int
    variables: range


def _starts_are_ordered(formula: Formula, started: list[range]) -> None:
    """(1) Each by_i is monotone; (2) the next block starts later, with its gap (in both windows the same t)."""
    literals: list[int] = []
    for variables in started:
        for earlier, later in pairwise(variables):
            literals += (-earlier, later, 0)
    for left, right in pairwise(started):
        for by_left, by_right in zip(left, right, strict=True):
            literals += (-by_right, by_left, 0)
    formula.add_ended(literals)


def _blocks_fill_cells(formula: Formula, line: ClueLine, blocks: list[_StartedBy]) -> None:
    """(3) A block that has started by q, and later than q - b, fills q; only for cells that the block can reach."""
    literals: list[int] = []
    for i, (base, length, variables) in enumerate(blocks):
        cells, count = line.of_block(i), len(variables)
        for t in range(count + length):
            if t < count:  # otherwise it has started
                literals.append(-variables[t])
            if t >= length:
                literals.append(variables[t - length])
            literals += (cells[base + t], 0)
    formula.add_ended(literals)


def _gaps_are_empty(formula: Formula, cells: Sequence[int], blocks: list[_StartedBy]) -> None:
    """(4) Where block i-1 of an ink has ended before q and block i has not started by q, q does not have that ink; also before
    the first block and after the last. The clause matters from the first cell behind block i-1 to the last before block i."""
    size = len(cells)
    for previous, following in pairwise([None, *blocks, None]):
        first = previous.base + previous.length if previous else 0
        last = following.base + len(following.variables) if following else size
        literals: list[int] = []
        for q in range(first, last):
            if previous and q - first < len(previous.variables):  # otherwise it has ended
                literals.append(-previous.variables[q - first])
            if following and q >= following.base:
                literals.append(following.variables[q - following.base])
            literals += (-cells[q], 0)
        formula.add_ended(literals)


# -- regular ----------------------------------------------------------------------------------------------------------


def regular(puzzle: CluedPuzzle) -> Formula:
    """The clue as a deterministic automaton over the line; `formula/regular.py` has the clauses.

    Its states are the cells of the tightest line with all gaps: gap, b_0 filled ones, gap, b_1 filled ones, ..., a last gap:
    sum(b) + k + 1 states. state[line, q, s]: in state s after q cells, only for pairs that a solution can visit. A line starts in
    the first gap and ends in the last block or the last gap. Between blocks of two colors the automaton may skip the gap.
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
        accepts(formula, list(zip(*run.line.inked, strict=True)), variable, run.step, run.letters)
    return formula


class _Unrolled:
    """The automaton of a line; state s is cell s of the tightest line that has a gap before, between and after the blocks.

    `letters[s]` is 0 if cell s is in a gap, else the number of its ink from 1. State s is possible after at least `before[s]`
    cells, and the rest of the clue needs at least `after[s]` more.
    """

    def __init__(self, line: ClueLine):
        self.line = line
        self.letters, self.before, self.after = [0], [0], [line.shortest]
        bases = [*line.bases(), line.shortest]
        for length, ink, base, following in zip(line.clue, line.inks, bases, bases[1:], strict=False):
            self.letters += [*[ink + 1] * length, 0]
            self.before += range(base + 1, base + length + 2)
            self.after += [*(line.shortest - base - n for n in range(1, length + 1)), line.shortest - following]
        self._targets = [{self.letters[t]: t for t in following_states(self.letters, s)} for s in range(len(self.letters))]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs (q, s) that a solution can visit: s is possible after q cells, and the rest of the clue fits behind them."""
        size = len(self.line)
        if self.line.positions:
            for q in range(size + 1):
                yield from ((q, s) for s in range(len(self.letters)) if self.before[s] <= q <= size - self.after[s])

    def step(self, s: int, letter: int) -> int | None:
        """The state after one more cell, or None where the clue forbids it."""
        return self._targets[s].get(letter)


def following_states(letters: Sequence[int], state: int) -> Iterator[int]:
    """The successors of a state: a gap can have any length, and may be empty between blocks of two colors."""
    if not letters[state]:
        yield state
    if state + 1 < len(letters):
        yield state + 1
    if letters[state] and state + 2 < len(letters) and not letters[state + 1] and letters[state + 2] != letters[state]:
        yield state + 2


AMO = amo_option("at-most-one encoding of a block's positions")
ENCODINGS = by_name(
    Encoding("order", "order variables 'block starts by here', three literals a clause: small and fast", order),
    Encoding("direct", "a variable for each position of each block: the published one", direct, (AMO,)),
    Encoding("regular", "each clue as an automaton over its line", regular),
)
