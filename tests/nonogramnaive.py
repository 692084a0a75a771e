"""Lines of nonograms by trying every filling, from the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, product
from typing import Any

from nonogramreasons import Placements, Reasons

from cnfgen_puzzles.families.clued.puzzle import Color
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

Blocks = tuple[tuple[int, int], ...]
"""The length and the color of each block."""


def blocks_in(cells: Sequence[int]) -> Blocks:
    """The runs of one color other than the background, which is 0."""
    return tuple((len(list(run)), color) for color, run in groupby(cells) if color)


@cache
def clue_of_line(cells: Iterable[int]) -> tuple[int, ...]:
    """The lengths of the blocks of a line in black and white."""
    return tuple(len(block) for block in "".join("#" if cell else " " for cell in cells).split())


def boards_of(puzzle: Nonogram) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every board of the puzzle, by trying all: the definition of a nonogram with known cells."""
    rows, columns = ([tuple(zip(*line, strict=True)) for line in puzzle.lines(kind)] for kind in ("row", "column"))
    known = puzzle.known or ((None,) * puzzle.width,) * puzzle.height
    values = (False, True) if puzzle.inks == 1 else range(puzzle.inks + 1)
    for cells in product(values, repeat=puzzle.width * puzzle.height):
        board = tuple(cells[r * puzzle.width : (r + 1) * puzzle.width] for r in range(puzzle.height))
        agrees = all(k in (None, v) for line, row in zip(known, board, strict=True) for k, v in zip(line, row, strict=True))
        if agrees and list(map(blocks_in, board)) == rows and list(map(blocks_in, zip(*board, strict=True))) == columns:
            yield board


PALETTE = (Color("paper", "#ffffff", "."), Color("red", "#ff0000", "r"), Color("blue", "#0000ff", "b"))


def puzzle_of(board: Sequence[Sequence[int]], known: Any = (), inks: int = 1) -> Nonogram:
    """The puzzle of a picture in black, or in two colors."""
    rows, columns = ([blocks_in(line) for line in lines] for lines in (board, tuple(zip(*board, strict=True))))
    lengths, colors = (
        [tuple(tuple(block[part] for block in line) for line in lines) for lines in (rows, columns)] for part in (0, 1)
    )
    palette = {"colors": PALETTE[: inks + 1], "row_colors": colors[0], "column_colors": colors[1]} if inks > 1 else {}
    return Nonogram(*lengths, known=known, **palette)


@cache
def fillings(size: int, colors: int) -> dict[Blocks, list[tuple[int, ...]]]:
    """All lines of this number of cells, by their clues."""
    found: dict[Blocks, list[tuple[int, ...]]] = {}
    for cells in product(range(colors), repeat=size):
        found.setdefault(blocks_in(cells), []).append(cells)
    return found


def arrangements(size: int, blocks: Blocks, before: int = 0) -> Iterator[tuple[int, ...]]:
    """All lines with this clue after a cell of the color `before`; for lines that are too long for brute force."""
    if not blocks:
        yield (0,) * size
        return
    (length, color), *rest = blocks
    for gap in range(int(before == color), size - length + 1):
        for tail in arrangements(size - gap - length, tuple(rest), color):
            yield (0,) * gap + (color,) * length + tail


def count(rows: Sequence[Sequence[int]], columns: Sequence[Sequence[int]]) -> int:
    """The number of boards in black and white: row by row, the number of ways to reach each state of all columns.

    The state of a column is the place in its pattern of the last cell, 0 for white and 1 for black; white may be repeated.
    """
    patterns = [[0, *(cell for length in clue if length for cell in (*[1] * length, 0))] for clue in columns]
    ways = Counter({(0,) * len(columns): 1})
    for number, clue in enumerate(rows, start=1):
        after: Counter[tuple[int, ...]] = Counter()
        for line, states in product(arrangements(len(columns), tuple((length, 1) for length in clue if length)), ways):
            moved = []
            for pattern, state, cell in zip(patterns, states, line, strict=True):
                if cell or pattern[state]:
                    state += 1
                if state == len(pattern) or pattern[state] != cell or len(pattern) - 2 - state > len(rows) - number:
                    break
                moved.append(state)
            else:
                after[tuple(moved)] += ways[states]
        ways = after
    return ways.total()


def colors_by_cell(lines: Sequence[Sequence[int]]) -> list[set[int]]:
    """The colors that each cell has in some of the lines."""
    return [set(cells) for cells in zip(*lines, strict=True)]


def fits(cells: Sequence[set[int]], blocks: Blocks) -> bool:
    """Whether the blocks can be placed in cells with these possible colors, for lines of any length."""

    @cache
    def rest(cell: int, block: int, before: int) -> bool:
        if cell >= len(cells):
            return cell == len(cells) and block == len(blocks)
        if 0 in cells[cell] and rest(cell + 1, block, 0):
            return True
        if block == len(blocks) or blocks[block][1] == before:
            return False
        length, color = blocks[block]
        return all(color in may for may in cells[cell : cell + length]) and rest(cell + length, block + 1, color)

    return rest(0, 0, 0)


class Replay:
    """The steps of an explanation from their JSON: each must follow from the known cells, with a correct reason."""

    def __init__(self, puzzle):
        self.reasons = Reasons([color.sign if color.name.startswith("#") else color.name for color in puzzle.palette])
        known = puzzle.known or ((None,) * puzzle.width,) * puzzle.height
        self.may = [[set(range(puzzle.inks + 1)) if cell is None else {cell} for cell in row] for row in known]
        self.blocks = {
            (kind, number): tuple(zip(clue, colors, strict=True))
            for kind in ("row", "column")
            for number, (clue, colors) in enumerate(puzzle.lines(kind), start=1)
        }

    def cells(self, line: dict) -> dict[tuple[int, int], set[int]]:
        """The possible colors of the cells of a line, by their places."""
        kind, number = line["kind"], line["number"]
        if kind == "row":
            return {(number, column): may for column, may in enumerate(self.may[number - 1], start=1)}
        return {(row, number): cells[number - 1] for row, cells in enumerate(self.may, start=1)}

    def fits(self, line: dict, cells: dict[tuple[int, int], set[int]]) -> bool:
        return fits(list(cells.values()), self.blocks[line["kind"], line["number"]])

    def all(self, steps: list[dict]) -> None:
        for step in steps:
            assert step["cells"], "a step that tells nothing"
            if step["kind"] == "line":
                self.line_step(step)
            else:
                self.ahead_step(step)

    def line_step(self, step: dict) -> None:
        cells = self.cells(step["line"])
        assert self.fits(step["line"], cells)
        for news in step["cells"]:
            place = news["row"], news["column"]
            for gone in self.gone(news):
                assert not self.fits(step["line"], {**cells, place: {gone}}), (step, news)
        if step["reason"]:
            self.reason(step, cells)
        for news in step["cells"]:
            self.take(news)

    def reason(self, step: dict, cells: dict[tuple[int, int], set[int]]) -> None:
        which = "column" if step["line"]["kind"] == "row" else "row"
        gone = {news[which] - 1: self.gone(news) for news in step["cells"]}
        line = Placements(list(cells.values()), self.blocks[step["line"]["kind"], step["line"]["number"]])
        self.reasons.check(step["technique"], step["reason"], line, gone)

    def ahead_step(self, step: dict) -> None:
        kept = [[set(may) for may in row] for row in self.may]
        assumed = step["assumption"]
        row, column = assumed["row"], assumed["column"]
        assert assumed["value"] in self.may[row - 1][column - 1]
        self.may[row - 1][column - 1] = {assumed["value"]}
        self.all(step["steps"])
        assert not self.fits(step["contradicted"], self.cells(step["contradicted"])), step
        line, value = step["contradicted"], self.reasons.names[assumed["value"]]
        told = step["reason"]
        assert told.startswith(f"if it were {value}, ") and told.endswith(f"of {line['kind']} {line['number']} would be left")
        assert step["depth"] == 1 + max((link.get("depth", 0) for link in step["steps"]), default=0)
        self.may = kept
        (news,) = step["cells"]
        assert (news["row"], news["column"], self.gone(news)) == (row, column, {assumed["value"]})
        self.take(news)

    def gone(self, news: dict) -> set[int]:
        """The colors that the cell loses; at least one."""
        may = self.may[news["row"] - 1][news["column"] - 1]
        gone = may - {news["value"]} if "value" in news else set(news["not"])
        assert gone and gone < may and ("value" in news) == (len(may - gone) == 1), news
        return gone

    def take(self, news: dict) -> None:
        self.may[news["row"] - 1][news["column"] - 1] -= self.gone(news)
