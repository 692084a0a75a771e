"""Half-filled grids: the option `known` of the reader gives cells that are known beforehand.

    saved       the half-filled grid in the puzzle file; saved:2 the second one
    goal        the picture in the puzzle file
    |##?|.#.|   the grid itself, with each row between two bars

Commands and `read` also accept the name of a file with a drawing of the grid, one row per line (blanks are ignored):

    ##?
    .#.

Each cell has the sign of a color of the puzzle, or `?` if it is not known. In black and white, `#`, `X`, and `1` are black, `.`
and `0` are white, as in webpbn and `.non`.

`KnownCells` finds known cells that contradict each other or the clues (`capabilities.Givens`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import shortened
from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.families.clued.encodings import known_literals
from cnfgen_puzzles.families.clued.halffilled import EXPECTED, SAVED, UNKNOWN, grid_of, known_value
from cnfgen_puzzles.families.clued.puzzle import Known, known_cells
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Block

EQUAL = {"X": "#", "x": "#", "1": "#", "0": "."}
"""Other signs of black and white."""

OPTION = Option(
    "known",
    "cells of a half-filled board, to find mistakes: saved or goal (in the puzzle file), or a drawing of #, ?, and dots",
    file=known_value,
)


def with_known(puzzle: Nonogram, wanted: str, source: str) -> Nonogram:
    """The puzzle with the known cells that the option names; `source` is the name of the puzzle file, for errors."""
    grids: dict[str, Known] = {f"saved:{number}": grid for number, grid in enumerate(puzzle.saved, start=1)}
    grids |= {"saved": puzzle.saved[0]} if len(puzzle.saved) == 1 else {}
    grids |= {"goal": puzzle.goal} if puzzle.goal is not None else {}
    if wanted in grids:
        return replace(puzzle, known=grids[wanted])
    if wanted == "goal" or SAVED.fullmatch(wanted):
        listed = ", ".join(grids) or "neither a goal nor a saved grid"
        raise InputError(f"found {wanted} for known, expected a grid of the file, which has {listed}", source=source)
    if not wanted.startswith("|"):
        raise InputError(f"found {shortened(wanted)} for known, {EXPECTED}")
    values: dict[str, int | None] = {color.sign: value for value, color in enumerate(puzzle.palette)}
    signs = " ".join([*values, UNKNOWN])
    if puzzle.inks == 1:
        values |= {sign: values[same] for sign, same in EQUAL.items() if same in values and sign not in values}
    return replace(puzzle, known=grid_of(wanted, (puzzle.height, puzzle.width), values, signs))


class KnownCells(Givens):
    """The known cells, row by row."""

    name = "known cell"
    rest = "clues"

    def count(self, puzzle: Nonogram) -> int:
        return sum(1 for _ in known_cells(puzzle))

    def entries(self, puzzle: Nonogram, blocks: Mapping[str, Block]) -> Sequence[Given]:
        names = [color.name for color in puzzle.palette]
        return [
            Given(f"{place} is {names[color]}", {"row": r + 1, "column": c + 1, "color": names[color]}, tuple(literals))
            for (place, r, c, color), literals in zip(known_cells(puzzle), known_literals(puzzle, blocks["cell"]), strict=True)
        ]

    def only(self, puzzle: Nonogram, numbers: Collection[int]) -> Nonogram:
        kept = {(r, c) for number, (_, r, c, _) in enumerate(known_cells(puzzle)) if number in numbers}
        grid = (tuple(v if (r, c) in kept else None for c, v in enumerate(line)) for r, line in enumerate(puzzle.known))
        return replace(puzzle, known=tuple(grid))
