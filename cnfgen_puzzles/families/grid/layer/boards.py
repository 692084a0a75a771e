"""Functions that models and checks of genres share: lines, rooms, and clues of a puzzle, cells and faults of a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product, takewhile
from typing import Any

from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.grid.layer.constraints import LATER, GridFormula
from cnfgen_puzzles.families.links import pzpr
from cnfgen_puzzles.families.links.pieces import orientations, piece_cells
from cnfgen_puzzles.families.links.pzpr import NONE, Size
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors

Fault = tuple[str, str]
"""The code that pzprjs has for a rule, and the violation in words."""
UP, LEFT, RIGHT, DOWN = 1, 2, 4, 8
"""The directions in which a line leaves a vertex; a vertex of a board of lines has their sum."""


def regions(board: Cells) -> list[list[Cell]]:
    """The cells of each region, in reading order."""
    cells = {(r, c): value for r, row in enumerate(board) for c, value in enumerate(row)}
    parts = components(cells, lambda cell: [other for other in neighbors(cell) if cells.get(other) == cells[cell]])
    return [sorted(part) for part in parts]


def borders_of(board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
    """Whether there are borders between neighbors: 1 if their values differ; none for unknown values."""
    sides = pzpr.sides(Size(len(board), len(board[0])))
    pairs = (((*a, *b), (board[a[0]][a[1]], board[b[0]][b[1]])) for a, b in sides)
    return {place: int(one != other) for place, (one, other) in pairs if None not in (one, other)}


def border_words(place: tuple[int, ...], value: int) -> str:
    """A known border in words."""
    r, c, k, m = place
    return f"between {at((r, c))} and {at((k, m))} is {'a' if value else 'no'} border"


def loose_places(board: Cells, parts: Mapping[tuple[int, ...], int]) -> list[tuple[int, ...]]:
    """The places of drawn borders between neighbors of one region."""
    apart = borders_of(board)
    return [place for place, value in parts.items() if len(place) == 4 and value and not apart[place]]


def loose_borders(board: Cells, parts: Mapping[tuple[int, ...], int]) -> Iterator[Fault]:
    """The faults of drawn borders between neighbors of one region."""
    for place in loose_places(board, parts):
        yield "bdDeadEnd", f"{border_words(place, 1)} within a region"


def crossing_faults(borders: Mapping[tuple[int, ...], int]) -> Iterator[Fault]:
    """The points in which four borders meet."""
    for r, c, *_ in (place for place in borders if len(place) == 4):
        four = (r, c, r, c + 1), (r, c, r + 1, c), (r + 1, c, r + 1, c + 1), (r, c + 1, r + 1, c + 1)
        if all(borders.get(place) for place in four):
            yield "bdCross", f"{at((r, c))}: four borders meet at the lower right corner"


def rectangle_faults(puzzle: Any, board: Cells) -> Iterator[Fault]:
    """The regions without exactly one clue, and those that are not rectangles."""
    for cells in regions(board):
        clues = sum(puzzle.number(cell) != NONE for cell in cells)
        height, width = extent(cells)
        if clues == 0:
            yield "bkNoNum", f"{at(cells[0])}: its region has no clue"
        if clues > 1:
            yield "bkNumGe2", f"{at(cells[0])}: its region has several clues"
        if len(cells) != height * width:
            yield "bkNotRect", f"{at(cells[0])}: its region is not a rectangle"


def holed(puzzle: Any, board: Cells) -> Cells:
    """The regions of a board, and -1 for cells that are no part of it (`puzzle.family.holes`)."""
    holes = puzzle.family.holes(puzzle)
    return tuple(tuple(-1 if (r, c) in holes else number for c, number in enumerate(row)) for r, row in enumerate(board))


def polyominoes(cells: Iterable[Cell], size: int, beside: Callable[[Cell], Iterable[Cell]]) -> list[frozenset[Cell]]:
    """All sets of so many cells that are connected by `beside`."""
    found = {frozenset([cell]) for cell in cells}
    for _ in range(size - 1):
        found = {piece | {other} for piece in found for cell in piece for other in beside(cell) if other not in piece}
    return sorted(found, key=sorted)


def border_count(board: Cells, cell: Cell) -> int:
    """How many sides of a cell are borders of its region."""
    region = {(r, c) for r, row in enumerate(board) for c, value in enumerate(row) if value == board[cell[0]][cell[1]]}
    return len(set(neighbors(cell)) - region)


def border_count_faults(puzzle: Any, board: Cells, loose: Collection[tuple[int, ...]] = ()) -> Iterator[Fault]:
    """The numbers that are not those of the borders of their cells, with those drawn within a region."""
    for cell, number in puzzle.clues():
        if (found := border_count(board, cell) + sum(cell in (place[:2], place[2:]) for place in loose)) != number:
            yield "nmBorderNe", f"{at(cell)}: {found} sides are borders, expected {number}"


def extent(cells: Collection[Cell]) -> tuple[int, int]:
    """The height and the width of the smallest rectangle around these cells."""
    rows, columns = {r for r, _ in cells}, {c for _, c in cells}
    return 1 + max(rows) - min(rows), 1 + max(columns) - min(columns)


def joined(board: Cells, cell: Cell) -> list[Cell]:
    """The vertices to which lines lead from this one."""
    mask = board[cell[0]][cell[1]]
    return [other for bit, other in zip((UP, LEFT, RIGHT, DOWN), neighbors(cell), strict=True) if mask & bit]


def cells_with(board: Cells, value: int) -> list[Cell]:
    """The cells that have a value."""
    return [(r, c) for r, row in enumerate(board) for c, found in enumerate(row) if found == value]


def blocks_of(board: Cells, value: int, height: int = 2, width: int = 2) -> Iterator[Cell]:
    """The top left cells of rectangles of this size whose cells all have a value."""
    for r, c in product(range(len(board) - height + 1), range(len(board[0]) - width + 1)):
        if all(board[r + i][c + j] == value for i in range(height) for j in range(width)):
            yield r, c


def at(cell: Cell) -> str:
    """A cell in words, counted from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def lines_from(puzzle: Any, cell: Cell) -> list[list[Cell]]:
    """The cells in each of the four directions, nearest first."""
    r, c = cell
    up, left = [(k, c) for k in range(r - 1, -1, -1)], [(r, k) for k in range(c - 1, -1, -1)]
    return [up, left, [(r, k) for k in range(c + 1, puzzle.width)], [(k, c) for k in range(r + 1, puzzle.height)]]


def pointed_at(puzzle: Any, cell: Cell) -> list[Cell]:
    """The cells in the direction of the arrow of a clue, nearest first; none without an arrow."""
    up, left, right, down = lines_from(puzzle, cell)
    return [[], up, down, left, right][puzzle.arrow(cell)]


def visible(puzzle: Any, board: Cells, cell: Cell, value: int) -> int:
    """How many cells with this value are seen from a cell, in all directions."""
    count = 0
    for line in lines_from(puzzle, cell):
        for r, c in line:
            if board[r][c] != value:
                break
            count += 1
    return count


def viewed(puzzle: Any, board: Cells, place: Cell, value: int) -> int:
    """How many cells with this value are seen from an unshaded cell, with itself if it has the value; NONE for a shaded cell."""
    return NONE if board[place[0]][place[1]] else visible(puzzle, board, place, value) + (value == 0)


def add_views(puzzle: Any, formula: GridFormula, shaded: Mapping[Cell, int], value: int) -> None:
    """No clue is shaded, and from each number so many cells with this value are seen, with itself if it has the value."""
    for cell, number in formula.each(puzzle.given()):
        formula.add(-shaded[cell])
        if number >= 0:
            lines = [[shaded[other] if value else -shaded[other] for other in line] for line in lines_from(puzzle, cell)]
            formula.visible_count(lines, number - (value == 0))


def view_faults(puzzle: Any, board: Cells, value: int, code: str) -> Iterator[Fault]:
    """The shaded clues, and the numbers from which another number of cells with this value is seen."""
    for cell, number in puzzle.given():
        if board[cell[0]][cell[1]]:
            yield code, f"{at(cell)}: a clue is shaded"
        elif number >= 0 and (found := viewed(puzzle, board, cell, value)) != number:
            yield code, f"{at(cell)}: {found} cells are seen, expected {number}"


def add_islands(puzzle: Any, formula: GridFormula, shaded: Mapping[Cell, int], connectivity: str) -> None:
    """Each island of unshaded cells has exactly one clue, a number that is its size or a question mark."""
    if any(number == 0 for _, number in puzzle.clues()):
        formula.add()  # an island has at least one cell
    formula.islands({cell: -literal for cell, literal in shaded.items()}, dict(puzzle.given()), connectivity)


def island_faults(puzzle: Any, board: Cells) -> Iterator[Fault]:
    """The islands of unshaded cells with no or several clues, and the numbers that are not the size of an island."""
    for cell, _ in puzzle.given():
        if board[cell[0]][cell[1]]:
            yield "bkSizeNe", f"{at(cell)}: a number is shaded"
    for part in components(cells_with(board, 0)):
        numbers = [puzzle.number(cell) for cell in part if puzzle.number(cell) != NONE]
        if not numbers:
            yield "bkNoNum", f"{at(min(part))}: an island without a number"
        elif len(numbers) > 1:
            yield "bkNumGe2", f"{at(min(part))}: an island with several numbers"
        elif numbers[0] not in (pzpr.UNKNOWN, len(part)):
            yield "bkSizeNe", f"{at(min(part))}: an island of {len(part)} cells, expected {numbers[0]}"


def shape_faults(board: Cells, code: str, shape: str, fits: Callable[[int, int, int], bool]) -> Iterator[Fault]:
    """No shaded cell, and the shaded parts of another shape: `fits(cells, height, width)`."""
    parts = components(cells_with(board, 1))
    if not parts:
        yield "brNoShade", "no cell is shaded"
    for part in parts:
        if not fits(len(part), *extent(part)):
            yield code, f"{at(min(part))}: the shaded part is not a {shape}"


def domino_faults(board: Cells) -> Iterator[Fault]:
    """The shaded parts of more or fewer than two cells."""
    for part in components(cells_with(board, 1)):
        if len(part) != 2:
            yield "csGt2" if len(part) > 2 else "csLt2", f"{at(min(part))}: {len(part)} shaded cells in a piece, expected 2"


def rows_and_columns(puzzle: Any) -> list[list[Cell]]:
    """The cells of each row, then those of each column."""
    rows = [[(r, c) for c in range(puzzle.width)] for r in range(puzzle.height)]
    return rows + [[(r, c) for r in range(puzzle.height)] for c in range(puzzle.width)]


def line_beside(puzzle: Any, place: Cell) -> list[Cell]:
    """The row or column of a number outside: its side (0 above, 1 below, 2 left, 3 right), and which of its numbers it is."""
    side, k = place
    return rows_and_columns(puzzle)[k if side > 1 else puzzle.height + k]


def arrow_clues(puzzle: Any) -> Iterator[tuple[Cell, int]]:
    """The cells with a number and an arrow, and the number."""
    return ((cell, number) for cell, number in puzzle.clues() if puzzle.arrow(cell))


def border(puzzle: Any) -> list[Cell]:
    """The cells of the border, clockwise from the first one."""
    rows, columns = rows_and_columns(puzzle)[: puzzle.height], rows_and_columns(puzzle)[puzzle.height :]
    return list(dict.fromkeys([*rows[0], *columns[-1], *rows[-1][::-1], *columns[0][::-1]]))


def around(puzzle: Any, cell: Cell) -> list[Cell]:
    """The cells that share a side or a corner with this one."""
    r, c = cell
    near = product(range(max(r - 1, 0), min(r + 2, puzzle.height)), range(max(c - 1, 0), min(c + 2, puzzle.width)))
    return [other for other in near if other != cell]


def corner_clues(puzzle: Any) -> Iterator[tuple[Cell, int]]:
    """The numbers at corners of cells, question marks left out."""
    return ((corner, number) for corner, number in puzzle.given("corners") if number >= 0)


def cells_around(place: Cell) -> list[Cell]:
    """The cells around a place of `points`, which is in a cell, between two, or between four."""
    y, x = place
    return [(r, c) for r in sorted({y // 2, (y + 1) // 2}) for c in sorted({x // 2, (x + 1) // 2})]


def corner_cells(corner: Cell) -> list[Cell]:
    """The cells around a corner, also beyond the border, in reading order."""
    r, c = corner
    return [(r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)]


def room_borders(puzzle: Any) -> Iterator[tuple[Cell, Cell]]:
    """The pairs of neighboring cells with a wall between them, which lie in two rooms or beside a wall inside a room."""
    return ((a, b) for a, b in pzpr.sides(puzzle.size) if walled(puzzle, a, b))


def walled(puzzle: Any, one: Cell, other: Cell) -> bool:
    """Whether there is a wall between two neighboring cells."""
    rooms = puzzle.rooms
    if rooms[one[0]][one[1]] != rooms[other[0]][other[1]]:
        return True
    return bool(puzzle.walls) and (min(one, other), max(one, other)) in puzzle.inner_walls


def wall_lengths(puzzle: Any) -> dict[tuple[Cell, Cell], int]:
    """The pairs of neighboring cells with a wall between them, and the number of walls in its straight line."""
    walls, found = dict.fromkeys(room_borders(puzzle)), dict[tuple[Cell, Cell], int]()
    for wall in walls:
        if wall not in found:
            (r, c), (k, m) = wall
            down, right = m - c, k - r
            shifted = (((r + n * down, c + n * right), (k + n * down, m + n * right)) for n in range(len(walls)))
            line = list(takewhile(walls.__contains__, shifted))
            found |= dict.fromkeys(line, len(line))
    return found


def room_numbers(puzzle: Any, formula: GridFormula | None = None) -> Iterator[tuple[list[Cell], int]]:
    """The cells of each room with a number, and the number; question marks left out. With a formula, by its `each`."""
    cells = {puzzle.rooms[cells[0][0]][cells[0][1]]: cells for cells in puzzle.room_cells()}
    clues = formula.each(puzzle.clues()) if formula else puzzle.clues()
    return ((cells[room(puzzle, cell)], number) for cell, number in clues)


def room_count_faults(puzzle: Any, board: Cells) -> Iterator[Fault]:
    """The rooms with another number of shaded cells than their clue says."""
    for cells, number in room_numbers(puzzle):
        if (found := sum(board[r][c] for r, c in cells)) != number:
            yield "bkShadeNe", f"{at(cells[0])}: the room has {found} shaded cells, expected {number}"


def mixed_faults(board: Cells, tiles: Iterable[Sequence[Cell]]) -> Iterator[Fault]:
    """The tiles with shaded and unshaded cells."""
    for cells in tiles:
        if len({board[r][c] for r, c in cells}) > 1:
            yield "bkMixed", f"{at(cells[0])}: its room has shaded and unshaded cells"


def room_neighbors(puzzle: Any, cell: Cell) -> list[Cell]:
    """The neighbors of a cell in its room without a wall between them."""
    near = (other for other in neighbors(cell) if 0 <= other[0] < puzzle.height and 0 <= other[1] < puzzle.width)
    return [other for other in near if not walled(puzzle, cell, other)]


def room_parts(puzzle: Any, board: Cells, cells: Iterable[Cell]) -> list[set[Cell]]:
    """The parts of shaded cells of a room that are connected without crossing a wall."""
    return components((cell for cell in cells if board[cell[0]][cell[1]]), lambda cell: room_neighbors(puzzle, cell))


def value_at(puzzle: Any, board: Cells, place: Cell) -> int:
    """The value of a cell."""
    value: int = board[place[0]][place[1]]
    return value


def shaded_in_room(puzzle: Any, board: Cells, place: Cell) -> int:
    """How many cells of a room are shaded; NONE for a place that is not its first cell."""
    cells = [cell for cell in puzzle.cells if room(puzzle, cell) == room(puzzle, place)]
    return sum(board[r][c] for r, c in cells) if cells[0] == place else NONE


def with_room_cut(genre: Any, puzzle: Any, board: Cells, other: Cells, choice: SeededChoice) -> Any:
    """The puzzle with a room cut in two, such that the board obeys the new numbers and the other one does not; None if that is
    impossible."""
    for cells in choice.shuffled(puzzle.room_cells()):
        for axis, place in choice.shuffled([(axis, cell[axis]) for axis in (0, 1) for cell in cells]):
            part = {cell for cell in cells if cell[axis] < place}
            differs = sum(board[r][c] for r, c in part) != sum(other[r][c] for r, c in part)
            if differs and len(components(part)) == len(components(set(cells) - part)) == 1:
                order: dict[Any, int] = {}
                numbers = [order.setdefault((room(puzzle, cell), cell in part), len(order)) for cell in puzzle.cells]
                rooms = Size(puzzle.height, puzzle.width).rows(numbers)
                cut = genre.clued(replace(puzzle, rooms=rooms), board, choice)
                if not genre.check(cut, board):
                    return cut
    return None


def twice(board: Cells, cells: Collection[Cell]) -> set[int]:
    """The numbers from 1 on that occur more than once in these cells."""
    found = [board[r][c] for r, c in cells]
    return {number for number in found if number > 0 and found.count(number) > 1}


def latin_faults(puzzle: Any, board: Cells) -> Iterator[Fault]:
    """The rows and columns with a number that occurs twice."""
    for line in rows_and_columns(puzzle):
        for number in twice(board, line):
            yield "nmDupRow", f"{at(line[0])}: {number} occurs twice in its line"


def runs(puzzle: Any, rooms: int) -> Iterator[list[Cell]]:
    """The shortest stretches of rows and columns with one wall less than `rooms` between their cells."""
    for line in rows_and_columns(puzzle):
        crossings = [k for k in range(1, len(line)) if walled(puzzle, line[k], line[k - 1])]
        for first, last in zip(crossings, crossings[rooms - 2 :], strict=False):
            yield line[first - 1 : last + 1]


def room(puzzle: Any, cell: Cell) -> int:
    """The number of the room of a cell."""
    return int(puzzle.rooms[cell[0]][cell[1]])


def adjacent(board: Cells, value: int) -> Iterator[Cell]:
    """The cells with this value that have a neighbor to the right or below with it."""
    for r, c in cells_with(board, value):
        if any(k < len(board) and m < len(board[0]) and board[k][m] == value for k, m in neighbors((r, c))[2:]):
            yield r, c


def is_straight(board: Cells, cell: Cell) -> bool:
    """Whether a line goes straight through a vertex."""
    return board[cell[0]][cell[1]] in (UP | DOWN, LEFT | RIGHT)


def arm_lengths(board: Cells, cell: Cell) -> list[int]:
    """How far lines go straight from a vertex: up, left, right, and down."""
    lengths = []
    for k, way in enumerate((UP, LEFT, RIGHT, DOWN)):
        (r, c), length = cell, 0
        while board[r][c] & way:
            (r, c), length = neighbors((r, c))[k], length + 1
        lengths.append(length)
    return lengths


def stretches(puzzle: Any) -> list[list[Cell]]:
    """The longest stretches of cells without a clue in rows and columns."""
    found = []
    for line in rows_and_columns(puzzle):
        parts = groupby(line, lambda cell: puzzle.number(cell) == NONE)
        found += [list(cells) for empty, cells in parts if empty]
    return found


def touching(board: Cells, value: int) -> Iterator[Cell]:
    """The cells with this value that share a side or a corner with a later one."""
    members = set(cells_with(board, value))
    return (cell for cell in sorted(members) if members & {(cell[0] + i, cell[1] + j) for i, j in LATER})


def bank_faults(puzzle: Any, board: Cells) -> Iterator[Fault]:
    """The faults of shaded parts that are not the pieces of the bank."""
    counts = Counter(orientations(piece_cells(piece))[0] for piece in puzzle.bank)
    parts = [(min(part), orientations(part)[0]) for part in components(cells_with(board, 1))]
    found = Counter(shape for _, shape in parts)
    for cell, shape in parts:
        if shape not in counts:
            yield "bankInvalid", f"{at(cell)}: a piece that is not in the bank"
        elif found[shape] > counts[shape]:
            yield "bankGt", f"{at(cell)}: {found[shape]} pieces of this shape, the bank has {counts[shape]}"
    for shape, count in counts.items():
        if found[shape] < count:
            yield "bankLt", f"{found[shape]} of {count} pieces of {len(shape)} cells are on the board"


def summed_runs(puzzle: Any) -> Iterator[tuple[list[Cell], int]]:
    """The cells of each run between clue cells, and the number before it."""
    before = [*((number, 0) for number in puzzle.outside[2]), *((number, 1) for number in puzzle.outside[0])]
    for line, (total, way) in zip(rows_and_columns(puzzle), before, strict=True):
        run: list[Cell] = []
        for r, c in line:
            clue = puzzle.lists[r][c]
            if clue and run:
                yield run, total
            run, total = ([], (*clue, 0, 0)[way]) if clue else ([*run, (r, c)], total)
        if run:
            yield run, total
