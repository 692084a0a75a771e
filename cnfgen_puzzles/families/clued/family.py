"""The common part of nonograms and triddlers: boards of colored cells, and clues for the runs of their lines."""

from __future__ import annotations

import string
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from cnfgen_puzzles.common.errors import named
from cnfgen_puzzles.families.capabilities import EqualCounting
from cnfgen_puzzles.families.cells import CellFamily, Clue, Look
from cnfgen_puzzles.families.clued.palette import looks_of_palette
from cnfgen_puzzles.families.clued.puzzle import Board, CluedPuzzle, known_cells, runs
from cnfgen_puzzles.families.looks import INK
from cnfgen_puzzles.formula import Block


def rules_in_awk(puzzle: CluedPuzzle, board: Board) -> tuple[str, str] | None:
    """The program `families/awk/clued-rules.awk`, and its input: one row per line, with `#` for black and `.` for white cells, or
    with a letter for each color, `a` for the first; None for more colors than letters."""
    letters = string.ascii_letters[: puzzle.inks] if puzzle.inks > 1 else "#"
    if puzzle.inks > len(letters):
        return None
    signs = "." + letters
    return "clued-rules", "".join("".join(signs[cell] for cell in row) + "\n" for row in board)


def encoder_in_awk(puzzle: CluedPuzzle, encoding: str, options: Mapping[str, Any]) -> str | None:
    """The program `families/awk/clued-encode.awk`; None for at-most-one encodings other than the default."""
    return "clued-encode" if options.get("amo", "pairwise") == "pairwise" else None


class CluedFamily(CellFamily):
    """A family whose puzzles are `CluedPuzzle`s."""

    capabilities: ClassVar = {
        "counting": EqualCounting(),  # all solutions have the same number of filled cells
        "rules_in_awk": rules_in_awk,
        "encoder_in_awk": encoder_in_awk,
    }
    looks: ClassVar = {True: Look("#", INK), False: Look(".")}
    lettered = True
    guides = 5

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        return looks_of_palette(puzzle.colors) if puzzle.colors else self.looks

    def line_clues(self, puzzle: CluedPuzzle, kind: Any) -> list[list[Clue]]:
        """The clues of every line of a kind for the views, `0` for an empty one; with several colors, each clue has its color."""
        looks = self.looks_of(puzzle)
        colors = [(looks[ink].fill, looks[ink].sign) if puzzle.inks > 1 else (None, "") for ink in range(puzzle.inks + 1)]
        lines = puzzle.lines(kind)
        return [[Clue(str(block), *colors[ink]) for block, ink in zip(*line, strict=True)] or [Clue("0")] for line in lines]

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Board:
        cell, rows = blocks["cell"], enumerate(puzzle.row_lengths)
        if puzzle.inks == 1:
            filled = [[variable in true for variable in cell.below(r)] for r, _ in rows]
            return tuple(tuple(row if not puzzle.colors else map(int, row)) for row in filled)
        return tuple(
            tuple(
                next((ink for ink, variable in enumerate(cell.below(r, place), start=1) if variable in true), 0)
                for place in range(length)
            )
            for r, length in rows
        )

    def check(self, puzzle: Any, board: Board) -> list[str]:
        """The runs are computed from the board, independently of every encoding."""
        if wrong := self.misshapen(puzzle, board):
            return wrong
        values = range(puzzle.inks + 1)
        if strange := [cell for row in board for cell in row if cell not in values]:
            return [f"the board has a cell of color {strange[0]!r:.40}, but the puzzle has the colors 0 to {puzzle.inks}"]
        found = [
            f"{place} is known to be {puzzle.palette[color].name}, the board has {puzzle.palette[int(board[r][c])].name}"
            for place, r, c, color in known_cells(puzzle)
            if board[r][c] != color
        ]
        for (name, kind), lines in zip(puzzle.kinds.items(), puzzle.board_lines(board), strict=True):
            for number, (line, (clue, colors)) in enumerate(zip(lines, puzzle.lines(kind), strict=True), start=1):
                drawn = runs(line)
                if drawn != list(zip(clue, colors, strict=True)):
                    lengths, inks = zip(*drawn, strict=True) if drawn else ((), ())
                    words = f"clue {puzzle.clue_text(clue, colors)}, board has {puzzle.clue_text(lengths, inks)}"
                    found.append(f"{name} {number}: {words}")
        return found

    def working(self, puzzle: Any) -> list[str]:
        """The sums of all clues, by color."""
        return [
            f"{name}s: {' + '.join(map(str, sums))} = {sum(sums)} {named(color.name)} cells"
            for ink, color in enumerate(puzzle.palette[1:], start=1)
            for name, kind in puzzle.kinds.items()
            for sums in [puzzle.sums(kind, ink)]
        ]
