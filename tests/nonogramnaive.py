"""Lines of nonograms by trying every filling: the rules and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, product

Blocks = tuple[tuple[int, int], ...]
"""Length and colour of each block."""


def blocks_in(cells: Sequence[int]) -> Blocks:
    """The runs of one colour other than the background, which is 0."""
    return tuple((len(list(run)), colour) for colour, run in groupby(cells) if colour)


@cache
def fillings(size: int, colours: int) -> dict[Blocks, list[tuple[int, ...]]]:
    """All lines of so many cells, by the clue that they have."""
    found: dict[Blocks, list[tuple[int, ...]]] = {}
    for cells in product(range(colours), repeat=size):
        found.setdefault(blocks_in(cells), []).append(cells)
    return found


def arrangements(size: int, blocks: Blocks, before: int = 0) -> Iterator[tuple[int, ...]]:
    """All lines with this clue, the cell before them having that colour; for lines too long to try all."""
    if not blocks:
        yield (0,) * size
        return
    (length, colour), *rest = blocks
    for gap in range(int(before == colour), size - length + 1):
        for tail in arrangements(size - gap - length, tuple(rest), colour):
            yield (0,) * gap + (colour,) * length + tail


def colours_by_cell(lines: Sequence[Sequence[int]]) -> list[set[int]]:
    """The colours that each cell has in some of the lines."""
    return [set(cells) for cells in zip(*lines, strict=True)]
