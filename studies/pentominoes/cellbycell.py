"""Counts tilings without finding them, where pieces may be used any number of times: 12,988,816 as quickly as 36.

Cells are covered in their order, each by a placement whose first cell it is. All that matters of what lies there is which of the
later cells are covered; tilings that agree on these are counted together. Shares nothing with the engines but the placements.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from cnfgen_puzzles.families.tiling.puzzle import Tiling


def number_of_tilings(puzzle: Tiling) -> int:
    """Of a puzzle all of whose cells must be covered, by pieces of which there are as many as it takes.

    >>> from cnfgen_puzzles.families import find_family
    >>> number_of_tilings(find_family("tiling").read(None, board="2x3", pieces="domino: any"))
    3
    """
    assert puzzle.must_cover == set(puzzle.cells)
    assert all(piece.least == 0 and piece.most is None for piece in puzzle.pieces)
    order = {cell: number for number, cell in enumerate(puzzle.cells)}
    beginning: dict[int, list[int]] = defaultdict(list)  # by first cell: the placements' cells as bits, the first cell's lowest
    for placement in puzzle.placements:
        numbers = [order[cell] for cell in placement.cells]
        beginning[min(numbers)].append(sum(1 << number - min(numbers) for number in numbers))
    tilings = Counter({0: 1})  # by the bits of covered cells, from the cell at hand on
    for cell in range(len(order)):
        further: Counter[int] = Counter()
        for covered, number in tilings.items():
            for laid in (0,) if covered & 1 else beginning[cell]:
                if not covered & laid:
                    further[(covered | laid) >> 1] += number
        tilings = further
    return tilings[0]
