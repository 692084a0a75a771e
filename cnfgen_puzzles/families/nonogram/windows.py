"""Windows: what two lines with the same clue differ in, with the cells beside it that make this possible.

Let a line of the picture X and one of another solution Y differ. A window is a run of neighbouring cells in which both have the
same blocks and, at each of its ends, either the same cell or the end of the line. Then, whatever stands outside of the window,
exchanging what X has in it for what Y has gives a line with the same clue. So where a set of cells D is made of whole windows in
all rows and columns, every picture that agrees with X in the windows has a second solution, which differs from it in D alone: a
picture with one solution differs from X in some cell of the windows of D. Those cells are the flaw's decisive ones.

>>> list(windows((1, 0, 0, 1, 1, 0, 1), (0, 1, 0, 1, 1, 0, 1)))
[range(0, 3)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cnfgen_puzzles.families.nonogram.puzzle import runs

Cells = Sequence[int]
"""The values of a line's cells."""


def windows(cells: Cells, others: Cells) -> Iterator[range]:
    """The windows, as short as they can be, outside of which two lines with the same clue are equal."""
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
