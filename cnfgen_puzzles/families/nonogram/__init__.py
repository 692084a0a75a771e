"""Nonograms: pictures given by the lengths of the runs of filled cells in every row and column."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from cnfgen_puzzles.families.family import Family, Option, View
from cnfgen_puzzles.families.nonogram import board as boards
from cnfgen_puzzles.families.nonogram.encodings import ENCODINGS
from cnfgen_puzzles.families.nonogram.formats import FORMATS, read_puzzle, write_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.ground.sources import Source


class NonogramFamily(Family):
    """Reads, encodes, decodes, checks and draws nonograms."""

    name = "nonogram"
    summary = "black and white nonograms (paint by numbers, griddlers, hanjie)"
    formats = FORMATS
    encodings = ENCODINGS
    default_encoding = "order"
    options = (
        Option("format", "file format; by default told by content and ending", choices=tuple(FORMATS)),
        Option("number", "which puzzle of a file that holds several, from 1", type=int),
    )
    views: ClassVar = {
        view.name: view
        for view in (
            View("text", "the board with its clues", boards.render_text, ".txt"),
            View("plain", "rows of # and . for scripts", boards.render_plain, ".txt"),
            View("ansi", "coloured cells for a terminal", boards.render_ansi, ".txt"),
            View("svg", "a picture that scales", boards.render_svg, ".svg", boards.sheet_svg),
            View("png", "a picture (needs the extra `pictures`)", boards.render_png, ".png", boards.sheet_png),
        )
    }

    @property
    def generators(self):
        from cnfgen_puzzles.families.nonogram.generators import GENERATORS  # seldom needed

        return GENERATORS

    def read(self, source: Source | None, **options: Any) -> Nonogram:
        assert source is not None, "a nonogram comes from a file"
        return read_puzzle(source, options.get("format"), options.get("number"))

    def write(self, puzzle: Nonogram, format: str) -> str:
        return write_puzzle(puzzle, format)

    def puzzle_to_json(self, puzzle: Nonogram) -> dict[str, Any]:
        entry: dict[str, Any] = {"rows": list(map(list, puzzle.rows)), "columns": list(map(list, puzzle.columns))}
        return entry | ({"about": dict(puzzle.about)} if puzzle.about else {})

    def puzzle_from_json(self, entry: Mapping[str, Any]) -> Nonogram:
        rows, columns = (tuple(tuple(map(int, clue)) for clue in entry[side]) for side in ("rows", "columns"))
        return Nonogram(rows, columns, dict(entry.get("about", {})))

    def warnings(self, puzzle: Nonogram) -> list[str]:
        return puzzle.contradictions()

    def describe(self, puzzle: Nonogram) -> str:
        title = puzzle.about.get("title")
        return f"{puzzle.width}x{puzzle.height} nonogram" + (f' "{title}"' if title else "")

    def size(self, puzzle: Nonogram) -> dict[str, int]:
        return {"cells": puzzle.width * puzzle.height}

    def decode(self, puzzle: Nonogram, blocks: Mapping[str, Block], true: Collection[int]) -> Board:
        cell = blocks["cell"]
        return tuple(tuple(variable in true for variable in cell.below(r)) for r in range(puzzle.height))

    def antichain(self, puzzle: Nonogram, blocks: Mapping[str, Block]) -> bool:
        return True  # every solution has as many black cells as the clues add up to

    def check(self, puzzle: Nonogram, board: Board) -> list[str]:
        return boards.check_board(puzzle, board)

    def board_to_json(self, puzzle: Nonogram, board: Board) -> Any:
        return boards.to_json(board)

    def board_from_json(self, puzzle: Nonogram, entry: Any) -> Board:
        return boards.from_json(entry)

    def differences(self, puzzle: Nonogram, board: Board, other: Board) -> list[str]:
        found = []
        for r, (row, other_row) in enumerate(zip(board, other, strict=True), start=1):
            columns = [str(c) for c, (a, b) in enumerate(zip(row, other_row, strict=True), start=1) if a != b]
            if columns:
                found.append(f"row {r}, column{'s' if len(columns) > 1 else ''} {', '.join(columns)}")
        return found


FAMILY = NonogramFamily()
