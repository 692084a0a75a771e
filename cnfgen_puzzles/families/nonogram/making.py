"""Making nonograms from pictures: the independent causes of ambiguity, and the decisive cells of each.

Windows are the differences between two lines with the same clue. Suppose that a line of the picture X and the same line of
another solution Y differ. A window is a run of neighboring cells in which both have the same blocks and, at each of its ends,
either the same cell or the end of the line. Then, for any cells outside the window, replacing X by Y in it gives a line with the
same clue. If a set of cells D consists of whole windows in all rows and columns, every picture that agrees with X in the windows
has a second solution, which differs from it only in D. So a picture with one solution differs from X in some cell of the windows
of D. These cells are the decisive cells of the flaw.

>>> list(windows((1, 0, 0, 1, 1, 0, 1), (0, 1, 0, 1, 1, 0, 1)))
[range(0, 3)]
>>> sorted(*(flaw.decisive for flaw in MAKING.flaws(((1, 0), (0, 1)), ((0, 1), (1, 0)))))
[(0, 0), (0, 1), (1, 0), (1, 1)]

Options describe where line logic stops: an option is a cell with another color than in the picture. Line logic never excludes the
options of a set S if, with only the colors of the picture and these options, every option of S occurs in an arrangement of its
row and in one of its column. Such an arrangement differs from the picture in windows. Every picture that agrees with the original
in all of them has the same arrangements, so line logic leaves at least the cells of S open there, too. To find a part, cells are
fixed to the color of the picture, and line logic continues, as long as some cell stays open: distant cells first, many at once.

>>> from cnfgen_puzzles.families.nonogram.puzzle import clues_of
>>> picture = ((1, 0), (0, 1))
>>> [sorted(flaw.decisive) for flaw in MAKING.stuck(picture, clues_of(picture))]
[[(0, 0), (0, 1), (1, 0), (1, 1)]]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.families.capabilities import Flaw, Place
from cnfgen_puzzles.families.clued.encodings import following_states
from cnfgen_puzzles.families.clued.palette import Palette
from cnfgen_puzzles.families.clued.puzzle import Board, clue_of_runs, runs
from cnfgen_puzzles.families.nonogram.generators import DRAWN
from cnfgen_puzzles.families.nonogram.lines import ColorGrid, blocks_of, propagate
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.families.squares import components
from cnfgen_puzzles.formula.dead_ends import bits

# -- windows ------------------------------------------------------------------------------------------------------------

Cells = Sequence[int]
"""The values of the cells of a line."""


def windows(cells: Cells, others: Cells) -> Iterator[range]:
    """The shortest windows outside which two lines with the same clue are equal."""
    size, q = len(cells), 0
    while q < size:
        if cells[q] == others[q]:
            q += 1
            continue
        first = max(q - 1, 0)
        end = q + 1
        while end < size and (cells[end] != others[end] or runs(cells[first : end + 1]) != runs(others[first : end + 1])):
            end += 1
        end = min(end + 1, size)
        yield range(first, end)
        q = end


# -- where line logic is stuck ------------------------------------------------------------------------------------------

TRIES = 24
"""The number of shares of a part that are tried. If none can be fixed, the part stays as it is: its cells depend on each other,
as in puzzles in which line logic finds nothing, and trying each cell would take too long."""


def with_picture(grid: ColorGrid, picture: Board, cells: Sequence[Place] | frozenset[Place]) -> ColorGrid:
    """The grid with the colors of the picture in these cells, and the consequences."""
    made = grid.copy()
    lines = set()
    for row, column in cells:
        made.fix(row, column, int(picture[row][column]))
        lines |= {row, grid.lines.height + column}
    made.narrow_all(lines)
    return made


def find_smallest_part(grid: ColorGrid, picture: Board) -> ColorGrid:
    """The grid after fixing as many cells as possible such that some cell stays open."""
    needed: set[Place] = set()
    cells = list(grid.open_cells())
    row, column = cells[0]
    share = len(cells)
    while (share > 1 and len(cells) <= share // 2 * TRIES) or len(needed) < len(cells) <= TRIES:
        share = max(share // 2, 1)
        cells.sort(key=lambda cell: (-max(abs(cell[0] - row), abs(cell[1] - column)), cell))
        waiting = [cell for cell in cells if cell not in needed]
        while waiting:
            tried, waiting = waiting[:share], waiting[share:]
            fewer = with_picture(grid, picture, tried)
            if fewer.open:
                grid = fewer
                cells = list(grid.open_cells())
                left = set(cells)
                waiting = [cell for cell in waiting if cell in left]
            elif share == 1:
                needed.update(tried)
    return grid


def decisive_cells(grid: ColorGrid, picture: Board) -> Iterator[Place]:
    """The cells of the windows of an arrangement for each remaining option of the grid."""
    lines = grid.lines
    columns = tuple(zip(*picture, strict=True))
    for line in range(lines.count):
        cells = [int(value) for value in (picture[line] if line < lines.height else columns[line - lines.height])]
        options = {
            (place, color)
            for color, mask in enumerate(grid.can[line])
            for place in bits(mask & grid.open_in(line))
            if cells[place] != color
        }
        while options:
            nearest = nearest_arrangement(cells, grid.can[line], *min(options))
            options -= set(enumerate(nearest))
            yield from (lines.cell(line, place) for window in windows(cells, nearest) for place in window)


def nearest_arrangement(cells: Sequence[int], can: Sequence[int], turned: int, color: int) -> list[int]:
    """The arrangement of the clue of the line that gives the cell `turned` this color, with colors that each cell `can` have, and
    that differs from the line in the fewest cells. It must exist.

    States are the cells of the tightest line with a gap before, between, and after the blocks; the gap between two blocks of
    different colors can be omitted.
    """
    letters = [0]
    for length, ink in runs(cells):
        letters += [*[ink] * length, 0]
    steps = [tuple(following_states(letters, state)) for state in range(len(letters))]
    infinite = len(cells) + 1
    came: list[list[int]] = []
    before = [0] + [infinite] * (len(letters) - 1)  # in the first gap, before the first cell
    for q, value in enumerate(cells):
        after, origin = [infinite] * len(letters), [-1] * len(letters)
        allowed = [mask >> q & 1 and (q != turned or ink == color) for ink, mask in enumerate(can)]
        for state, cost in enumerate(before):
            if cost < infinite:
                for target in steps[state]:
                    ink = letters[target]
                    if allowed[ink] and cost + (ink != value) < after[target]:
                        after[target], origin[target] = cost + (ink != value), state
        came.append(origin)
        before = after
    last = len(letters) - 1
    ends = [last, last - 1] if last else [0]
    state = min(ends, key=lambda state: before[state])
    found = []
    for origin in reversed(came):
        found.append(letters[state])
        state = origin[state]
    return found[::-1]


# -- making -------------------------------------------------------------------------------------------------------------


class NonogramMaking:
    """Making a puzzle whose solution is a given picture. A picture is a board, a tuple of rows of cell values.

    `making/` finds the cells that must change for the puzzle to have one solution: it changes the fewest cells such that none of
    the flaws found so far remains.
    """

    generators = DRAWN
    """The generators of the family whose puzzles have a `picture`, by name."""

    def puzzle(self, picture: Board, values: Sequence[str] = (), about: Mapping[str, str] | None = None) -> Nonogram:
        """The puzzle of the picture, with the picture as its goal. `values` are its colors as `#rrggbb`, by cell value; empty for
        black on white."""
        palette = Palette()
        for number, value in enumerate(values[1:]):
            palette.add(str(number), "", value)
        colors = palette.colors(values[0]) if values else ()
        return replace(clues_of(picture, colors), about=dict(about or {}))

    def picture(self, puzzle: Nonogram) -> tuple[Board, tuple[str, ...]] | None:
        """The picture of a puzzle, with its `values`; None if it is not known."""
        return None if puzzle.goal is None else (puzzle.goal, tuple(color.value for color in puzzle.colors))

    def flaws(self, picture: Board, other: Board) -> list[Flaw]:
        """The flaws that another solution of the picture's puzzle shows: windows connect the differing cells to parts."""
        beside: defaultdict[Place, set[Place]] = defaultdict(set)
        found: list[tuple[Place, list[Place]]] = []  # a differing cell of a window, and its cells
        both = zip((*picture, *zip(*picture, strict=True)), (*other, *zip(*other, strict=True)), strict=True)
        for line, (cells, others) in enumerate(both):
            for window in windows(cells, others):
                places = {q: (line, q) if line < len(picture) else (q, line - len(picture)) for q in window}
                differing = {place for q, place in places.items() if cells[q] != others[q]}
                for place in differing:
                    beside[place] |= differing
                found.append((min(differing), list(places.values())))
        return [
            Flaw(frozenset(part), frozenset(cell for one, window in found if one in part for cell in window))
            for part in components(beside, beside.__getitem__)
        ]

    def open_cells(self, puzzle: Nonogram) -> frozenset[Place]:
        """The cells that line logic leaves open, without lookahead. If there are none, the puzzle has exactly one solution."""
        return frozenset(propagate(puzzle, ()).grid.open_cells())

    def stuck(self, picture: Board, puzzle: Nonogram) -> list[Flaw]:
        """The flaws of a picture's puzzle that line logic does not solve, with disjoint differing cells; none if it solves the
        puzzle. Without the cells of all flaws, no cell stays open."""
        grid, found = propagate(puzzle, ()).grid, []
        while grid.open:
            part = find_smallest_part(grid, picture)
            cells = frozenset(part.open_cells())
            found.append(Flaw(cells, frozenset(decisive_cells(part, picture))))
            grid = with_picture(grid, picture, cells)
        return found

    def left_after(self, picture: Board, puzzle: Nonogram) -> Callable[[Place, int], int]:
        """A fast estimate, by cell and value, of the number of cells that line logic leaves open if the picture has this value
        there.

        It continues the line logic of the picture in the two lines whose clues change, which takes a fraction of
        the work. The known cells may exceed or contradict those of the changed picture; otherwise the number is exact."""
        grid = propagate(puzzle, ()).grid
        columns = [list(column) for column in zip(*picture, strict=True)]

        def left(place: Place, value: int) -> int:
            row, column = place
            made, blocks = grid.copy(), {}
            for line, cells, where in ((row, list(picture[row]), column), (len(picture) + column, columns[column].copy(), row)):
                cells[where] = value
                blocks[line] = blocks_of(*clue_of_runs(cells))
                made.can[line] = tuple(mask | 1 << where for mask in made.can[line])
            made.lines = grid.lines.with_blocks(blocks)
            made.narrow_all(blocks)
            return made.open

        return left


MAKING = NonogramMaking()
