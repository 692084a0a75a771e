"""Further rules of Sudoku: sets of cells, and files of text with them.

    sudoku
    diagonals
    cage 5 r1c1 r1c2
    greater r2c1 r1c1
    cells
    ...4
    ....
    .1..
    ....

A line before `cells` is one rule: its name, the sum of a cage, and the cells. The lines after `boxes` draw boxes of other shapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import isqrt
from typing import Any

from cnfgen_puzzles.families.fileformats import Format
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rows_and_columns, twice
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, Ints
from cnfgen_puzzles.families.grid.layer.kinds import SIGNS
from cnfgen_puzzles.families.links import pzpr
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors

WHOLE = ("diagonals", "windows")
"""The rules without cells: no number twice in a diagonal, or in one of the squares between the boxes."""
LEAST = {"different": 2, "cage": 1, "arrow": 2, "greater": 2, "odd": 1, "even": 1}
"""The rules of sets, and how many cells they need."""
CELL = re.compile("r([1-9][0-9]{0,2})c([1-9][0-9]{0,2})")


def misfit(puzzle: Any) -> str:
    """What is wrong with the rules of a puzzle, in words; empty if nothing is."""
    side, square = puzzle.width, puzzle.width == puzzle.height
    if puzzle.rooms and {len(cells) for cells in puzzle.room_cells()} != {max(puzzle.height, side)}:
        return f"found boxes of other sizes, expected {max(puzzle.height, side)} cells in each"
    for name, value, cells in puzzle.sets:
        known = len(cells) >= LEAST[name] if name in LEAST else name in WHOLE and not cells
        inside = all(0 <= r < puzzle.height and 0 <= c < side for r, c in cells) and len(set(cells)) == len(cells)
        if not known or not inside or (value > 0) != (name == "cage"):
            return f"found the rule {name!r:.40} with the number {value} and {len(cells)} cells, expected cells of the board"
        if name == "greater" and (len(cells) > 2 or cells[1] not in neighbors(cells[0])):
            return "found the rule greater, expected two neighboring cells"
        if name in WHOLE and not (square and (name == "diagonals" or isqrt(side) ** 2 == side)):
            return f"found {name}, expected a square board{' whose side is a square number' if name == 'windows' else ''}"
    return ""


def groups(puzzle: Any) -> Iterator[tuple[str, Sequence[Cell]]]:
    """The sets in which no number occurs twice, but boxes, and the code of their rule."""
    yield from (("nmDupRow", line) for line in rows_and_columns(puzzle))
    side, box = puzzle.width, isqrt(puzzle.width)
    for name, _, cells in puzzle.sets:
        if name == "diagonals":
            yield from (("setDupNum", line) for line in ([(k, k) for k in range(side)], [(k, side - 1 - k) for k in range(side)]))
        elif name == "windows":
            starts = range(1, side - box, box + 1)
            for r, c in product(starts, repeat=2):
                yield "setDupNum", list(product(range(r, r + box), range(c, c + box)))
        elif name in ("different", "cage"):
            yield "setDupNum", cells


def add_rules(puzzle: Any, formula: GridFormula, number: Ints) -> None:
    """The rules of rows, columns, and sets. An arrow is a sum from which the number in its circle is subtracted."""
    for _, cells in groups(puzzle):
        formula.all_different(number[cell] for cell in cells)
    for name, value, cells in puzzle.sets:
        ints = [number[cell] for cell in cells]
        if name == "cage":
            formula.sum_of(ints, value)
        elif name == "arrow":
            formula.sum_of([*ints[1:], {-total: literal for total, literal in ints[0].items()}], 0)
        elif name == "greater":
            for (more, here), (less, there) in product(ints[0].items(), ints[1].items()):
                if more <= less:
                    formula.add(-here, -there)
        elif name in ("odd", "even"):
            formula.forbid(literal for each in ints for n, literal in each.items() if n % 2 != (name == "odd"))


def rule_faults(puzzle: Any, board: Cells) -> Iterator[Fault]:
    """The violations of these rules."""
    for code, cells in groups(puzzle):
        for number in twice(board, cells):
            yield code, f"{at(cells[0])}: {number} occurs twice in its {'line' if code == 'nmDupRow' else 'set'}"
    for name, value, cells in puzzle.sets:
        found = [board[r][c] for r, c in cells]
        if name in ("odd", "even"):
            for cell, number in zip(cells, found, strict=True):
                if number > 0 and number % 2 != (name == "odd"):
                    yield "nmParityNe", f"{at(cell)}: {number} is not {name}"
        elif cells and min(found) > 0:
            if name == "cage" and sum(found) != value:
                yield "cageSumNe", f"{at(cells[0])}: the sum of the cage is {sum(found)}, expected {value}"
            if name == "arrow" and sum(found[1:]) != found[0]:
                yield "arrowSumNe", f"{at(cells[0])}: the sum along the arrow is {sum(found[1:])}, expected {found[0]}"
            if name == "greater" and found[0] <= found[1]:
                yield "nmNotGreater", f"{at(cells[0])}: {found[0]} is not greater than {found[1]} beside it"


# -- files ------------------------------------------------------------------------------------------------------------------


def lines_of(puzzle: Any) -> list[str]:
    """The rules of sets, a line each."""
    words = ([name, *[str(value)] * bool(value), *(f"r{r + 1}c{c + 1}" for r, c in cells)] for name, value, cells in puzzle.sets)
    return list(map(" ".join, words))


def write_text(puzzle: Any) -> str:
    """The text that `text_format` reads."""
    boxes = ["boxes", *("".join(SIGNS[1 + room] for room in row) for row in puzzle.rooms)] if puzzle.rooms else []
    cells = ["".join(SIGNS[max(number, 0)] for number in row) for row in puzzle.numbers]
    return "\n".join(["sudoku", *boxes, *lines_of(puzzle), "cells", *cells, ""])


def text_format(genre: Any) -> Format[Any]:
    """Files that begin with the line `sudoku`."""

    def read(text: str, name: str) -> Any:
        lines = [(number, line.split("#")[0].strip()) for number, line in enumerate(text.split("\n"), 1)]
        lines, sets, drawn = [(number, line) for number, line in lines if line][1:], [], dict[str, list[str]]()
        while lines:
            number, line = lines.pop(0)
            word, *rest = line.split()
            if line in ("boxes", "cells"):
                drawn[line] = []
                while lines and not (line == "boxes" and _begins_rule(lines[0][1])):
                    drawn[line].append(lines.pop(0)[1].replace(" ", ""))
                if len({*map(len, drawn[line])}) != 1:
                    raise ValueError(f"line {number}: found no rectangle of signs after {line}, expected lines of equal length")
            else:
                sets.append(_rule(number, word, rest))
        if "cells" not in drawn:
            raise ValueError(f"found no line cells, expected it and the {genre.title} after it")
        numbers = [[_number(sign) for sign in row] for row in drawn["cells"]]
        order: dict[str, int] = {}
        rooms = tuple(tuple(order.setdefault(sign, len(order)) for sign in row) for row in drawn.get("boxes", ()))
        return genre.puzzle(len(numbers), len(numbers[0]), numbers=tuple(map(tuple, numbers)), rooms=rooms, sets=tuple(sets))

    def recognise(text: str) -> bool:
        return re.match(r"(?:\s|#.*\n)*sudoku\s*(?:\n|$)", text) is not None

    return Format("text", "a Sudoku with further rules", (".txt",), recognise, read, write_text)


def _begins_rule(line: str) -> bool:
    """Whether a line after `boxes` is no row of them."""
    word, *rest = line.split()
    return line in (*WHOLE, "cells") or (word in LEAST and bool(rest))


def _rule(number: int, word: str, rest: list[str]) -> tuple[str, int, tuple[Cell, ...]]:
    """The rule of a line, its number, and its cells; ValueError for another line."""
    value = int(rest.pop(0)) if word == "cage" and rest and re.fullmatch("[0-9]{1,4}", rest[0]) else 0
    cells = [CELL.fullmatch(each) for each in rest]
    if (word not in LEAST and word not in WHOLE) or None in cells:
        names = ", ".join((*WHOLE, *LEAST, "boxes"))
        found = " ".join([word, *rest])
        raise ValueError(f"line {number}: found {found!r:.60}, expected one of {names}, or cells, and cells such as r1c2")
    return word, value, tuple((int(each[1]) - 1, int(each[2]) - 1) for each in cells if each)


def _number(sign: str) -> int:
    """The number of a sign; NONE for an empty cell."""
    if sign in (".", "0", "_", "*"):
        return pzpr.NONE
    if sign not in SIGNS:
        raise ValueError(f"found {sign!r} in a cell, expected a digit, a letter, or a point")
    return SIGNS.index(sign)
