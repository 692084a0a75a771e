"""How cells, lines and blocks are called in reasons: places count from 1, as in the margins of a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from cnfgen_puzzles.families.nonogram.logic.lines import ClueBlock
from cnfgen_puzzles.families.nonogram.logic.propagation import PuzzleLines, bits
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

FEW = 3
"""So many blocks are told apart in one reason; of more, the rest is counted."""


class Words:
    """The words of one puzzle: with names of colours, if it has several, or their signs where these have no other name."""

    def __init__(self, puzzle: Nonogram):
        self.names = [colour.sign if colour.name.startswith("#") else colour.name for colour in puzzle.palette]
        self.coloured = puzzle.inks > 1

    def value(self, colour: int) -> str:
        """What a cell is that has this colour."""
        if not colour:
            return "empty"
        return self.names[colour] if self.coloured else "filled"

    def kind(self, colour: int) -> str:
        """What a block of this colour is called: `block`, or `red block`."""
        return f"{self.names[colour]} block" if self.coloured else "block"

    def block(self, number: int, blocks: Sequence[ClueBlock]) -> str:
        """`the 5`, told apart from others of the line by its number."""
        length, colour = blocks[number].length, blocks[number].colour
        name = f"the {self.value(colour)} {length}" if self.coloured else f"the {length}"
        alike = [other for other, block in enumerate(blocks) if (block.length, block.colour) == (length, colour)]
        return name if len(alike) == 1 else f"{name} that is block {number + 1}"

    def clue(self, blocks: Sequence[ClueBlock]) -> str:
        """The clue as it stands in the margin."""
        told = (f"{block.length} {self.value(block.colour)}" if self.coloured else str(block.length) for block in blocks)
        return (", " if self.coloured else " ").join(told) or "0"


def line_name(lines: PuzzleLines, line: int) -> str:
    """`row 3`, `column 1`."""
    kind, index = lines.named(line)
    return f"{kind} {index + 1}"


def cells(mask: int) -> str:
    """`cell 4`, `cells 1-3, 7`: places in the line."""
    places = list(bits(mask))
    return f"cell{'s' * (len(places) > 1)} {ranges(places)}"


def ranges(places: Iterable[int]) -> str:
    """Places that count from 0, in order, as runs that count from 1.

    >>> ranges([0, 1, 2, 6])
    '1-3, 7'
    """
    runs = [[place for _, place in run] for _, run in groupby(enumerate(places), lambda pair: pair[1] - pair[0])]
    return ", ".join(f"{run[0] + 1}-{run[-1] + 1}" if len(run) > 1 else str(run[0] + 1) for run in runs)


def span(first: int, end: int) -> str:
    """The cells from `first` to before `end`, counted from 0, as places from 1."""
    return cells((1 << end) - (1 << first))
