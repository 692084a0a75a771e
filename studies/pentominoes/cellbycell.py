"""Counts tilings without enumerating them, for pieces that may be used any number of times.

Cells are covered in their order, each by a placement whose first cell it is. Only the covered later cells matter; partial tilings
that agree on them are counted together. The module shares only the placements with the engines.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from cnfgen_puzzles.families.tiling.puzzle import Tiling


def number_of_tilings(puzzle: Tiling) -> int:
    """The number of tilings of a puzzle whose cells must all be covered, with unbounded pieces.

    >>> from cnfgen_puzzles.families import find_family
    >>> number_of_tilings(find_family("tiling").read(None, board="2x3", pieces="domino: any"))
    3
    """
    assert puzzle.must_cover == set(puzzle.cells)
    assert all(piece.least == 0 and piece.most is None for piece in puzzle.pieces)
    order = {cell: number for number, cell in enumerate(puzzle.cells)}
    beginning: dict[int, list[int]] = defaultdict(list)  # by first cell: the cells of placements as bits, lowest first
    for placement in puzzle.placements:
        numbers = [order[cell] for cell in placement.cells]
        beginning[min(numbers)].append(sum(1 << number - min(numbers) for number in numbers))
    tilings = Counter({0: 1})  # by the bits of covered cells, from the current cell on
    for cell in range(len(order)):
        further: Counter[int] = Counter()
        for covered, number in tilings.items():
            for laid in (0,) if covered & 1 else beginning[cell]:
                if not covered & laid:
                    further[(covered | laid) >> 1] += number
        tilings = further
    return tilings[0]
