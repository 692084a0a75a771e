"""What nonograms and triddlers are alike in: boards of inked cells, whose lines have the runs that their clues say."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.capabilities import EqualCounting
from cnfgen_puzzles.families.cells import CellFamily, Look
from cnfgen_puzzles.families.looks import INK
from cnfgen_puzzles.families.nonogram.palette import looks_of_palette
from cnfgen_puzzles.families.nonogram.puzzle import Board, runs
from cnfgen_puzzles.formula import Block


class CluedFamily(CellFamily):
    """A family whose puzzles tell their clues as a `Nonogram` does: by `lines`, `sums` and `clue_text`."""

    kinds: ClassVar[Mapping[str, Any]]
    """What the lines of each direction are called, with what `lines` and `sums` know them by."""
    capabilities: ClassVar = {"counting": EqualCounting()}  # every solution has as many filled cells as the clues add up to
    looks: ClassVar = {True: Look("#", INK), False: Look(".")}
    lettered = True
    guides = 5

    @abstractmethod
    def row_lengths(self, puzzle: Any) -> Sequence[int]:
        """How many cells each row of the board has."""

    @abstractmethod
    def lines_of(self, puzzle: Any, board: Board) -> Iterable[Sequence[Sequence[int]]]:
        """The cells of the board in every line, kind by kind; not by the ways of an encoding, since `check` rests on it."""

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        return looks_of_palette(puzzle.colours) if puzzle.colours else self.looks

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Board:
        cell, rows = blocks["cell"], enumerate(self.row_lengths(puzzle))
        if puzzle.inks == 1:
            filled = [[variable in true for variable in cell.below(r)] for r, _ in rows]
            return tuple(tuple(row if not puzzle.colours else map(int, row)) for row in filled)
        return tuple(
            tuple(
                next((ink for ink, variable in enumerate(cell.below(r, place), start=1) if variable in true), 0)
                for place in range(length)
            )
            for r, length in rows
        )

    def check(self, puzzle: Any, board: Board) -> list[str]:
        """The runs are read off the board, so that this can bear witness against an encoding."""
        if wrong := self.misshapen(puzzle, board):
            return wrong
        values = range(puzzle.inks + 1)
        if strange := [cell for row in board for cell in row if cell not in values]:
            return [f"the board has a cell of colour {strange[0]!r:.40}, the puzzle the colours 0 to {puzzle.inks}"]
        found = self.wrongly_known(puzzle, board)
        for (name, kind), lines in zip(self.kinds.items(), self.lines_of(puzzle, board), strict=True):
            for number, (line, (clue, colours)) in enumerate(zip(lines, puzzle.lines(kind), strict=True), start=1):
                drawn = runs(line)
                if drawn != list(zip(clue, colours, strict=True)):
                    lengths, inks = zip(*drawn, strict=True) if drawn else ((), ())
                    told = f"clue {puzzle.clue_text(clue, colours)}, board has {puzzle.clue_text(lengths, inks)}"
                    found.append(f"{name} {number}: {told}")
        return found

    def wrongly_known(self, puzzle: Any, board: Board) -> list[str]:
        """The cells that the puzzle says otherwise than the board has them, in words."""
        return []

    def working(self, puzzle: Any) -> list[str]:
        """The sums of all clues, colour by colour."""
        return [
            f"{name}s: {' + '.join(map(str, sums))} = {sum(sums)} {colour.name} cells"
            for ink, colour in enumerate(puzzle.palette[1:], start=1)
            for name, kind in self.kinds.items()
            for sums in [puzzle.sums(kind, ink)]
        ]
