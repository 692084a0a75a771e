"""The kinds of boards that genres have: shaded cells, numbers, regions, loops, and paths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.cells import Look, written_signs
from cnfgen_puzzles.families.grid.layer.boards import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Fault,
    adjacent,
    around,
    at,
    border_words,
    borders_of,
    cells_with,
    joined,
    loose_borders,
    room_borders,
    room_count_faults,
    room_numbers,
    room_parts,
    shaded_in_room,
    twice,
    value_at,
)
from cnfgen_puzzles.families.grid.layer.connectivity import LAZY
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, Ints, Lines, Rectangle, cells_of, lines_at
from cnfgen_puzzles.families.grid.layer.genre import FOREST, Clauses, Genre, Parts, variable_of
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import NONE
from cnfgen_puzzles.families.looks import INK, Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.formula.formula import FALSE

SHADE = "#9a968f"
"""The color of shaded cells between walls."""


class Shading(Genre):
    """Boards of shaded (1) and unshaded (0) cells, or of two other `states`: `model` defines the set `shaded`."""

    kind = "shading"
    looks: ClassVar[Mapping[Any, Look]] = {0: Look("."), 1: Look("#", fill=INK)}
    states: ClassVar[tuple[int, int]] = (0, 1)

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        """Shades are gray between the walls of rooms."""
        grey = {value: look._replace(fill=look.fill and SHADE) for value, look in self.looks.items()}
        return grey if puzzle.rooms else self.looks

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        shaded = blocks["shaded"]
        return tuple(tuple(self.states[shaded[r, c] in true] for c in range(puzzle.width)) for r in range(puzzle.height))

    def known_signs(self, puzzle: Any) -> dict[str, int]:
        """Also # and . where no value has them."""
        every = super().known_signs(puzzle)
        signs = {sign: value for sign, value in every.items() if value in self.states}
        return signs | ({} if "." in every else dict(zip(".#", self.states, strict=True)))

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        shaded = blocks["shaded"][place]
        return [[shaded if value == self.states[1] else -shaded if value == self.states[0] else FALSE]]


class Apart(Shading):
    """Boards whose shaded cells share no side, and whose other cells are connected. At least one cell is shaded, if the genre has
    the rule `brNoShade`."""

    more_encodings = FOREST

    def shades(self, formula: GridFormula, connectivity: str) -> dict[Cell, int]:
        """The set `shaded`, which obeys these rules."""
        shaded = formula.subset("shaded")
        if "brNoShade" in self.rules:
            formula.add_clause(shaded.values())
        formula.no_two_adjacent(shaded)
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        for cell in shaded if connectivity == LAZY else ():  # most violated cuts are those around a single cell
            near = [shaded[other] for other in neighbors(cell) if other in shaded]
            if 1 + len(near) < len(shaded):  # another cell is unshaded, since shaded ones do not touch
                formula.add_clause(-literal for literal in near)
        return shaded

    def shade_faults(self, board: Cells) -> Iterator[Fault]:
        """The faults of a board against these rules."""
        if "brNoShade" in self.rules and not cells_with(board, 1):
            yield "brNoShade", "no cell is shaded"
        for cell in adjacent(board, 1):
            yield "csAdjacent", f"{at(cell)}: shaded cells share a side"
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivideRB", "the unshaded cells are not connected"


class RoomShading(Shading):
    """Boards with rooms, some with the number of their shaded cells."""

    url = (pzpr.ROOMS, pzpr.ROOM_NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.SHADES)
    older = ((pzprfile.ROOMS, pzprfile.CLUES, pzprfile.SHADES),)

    clue = staticmethod(shaded_in_room)

    def shades(self, puzzle: Any, formula: GridFormula) -> dict[Cell, int]:
        """The set `shaded`, with so many cells in each room as its number says."""
        shaded = formula.subset("shaded")
        for cells, number in room_numbers(puzzle, formula):
            formula.exactly_k([shaded[cell] for cell in cells], number)
        return shaded


class RoomIslands(RoomShading):
    """Boards whose shaded cells are connected within each room, and do not touch across a wall by a side."""

    filled: ClassVar[bool] = False
    """Whether each room has a shaded cell, if its number is not 0."""

    def islands(self, puzzle: Any, formula: GridFormula, connectivity: str) -> dict[Cell, int]:
        """The set `shaded`, which obeys these rules."""
        shaded = self.shades(puzzle, formula)
        for one, other in room_borders(puzzle):
            formula.add(-shaded[one], -shaded[other])
        for cells in puzzle.room_cells():
            formula.connected_within(shaded, cells, connectivity)
            if self.filled and all(puzzle.number(cell) != 0 for cell in cells):
                formula.add_clause(shaded[cell] for cell in cells)
        return shaded

    def island_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The faults of a board against these rules."""
        for a, b in room_borders(puzzle):
            if board[a[0]][a[1]] and board[b[0]][b[1]]:
                yield "cbShade", f"{at(a)}: shaded cells touch across a wall"
        for cells in puzzle.room_cells():
            parts = room_parts(puzzle, board, cells)
            if len(parts) > 1:
                yield "bkShadeDivide", f"{at(cells[0])}: the shaded cells of the room are not connected"
            if self.filled and not parts and all(puzzle.number(cell) != 0 for cell in cells):
                yield "bkNoShade", f"{at(cells[0])}: the room has no shaded cell"
        yield from room_count_faults(puzzle, board)


WHITE, BLACK = 1, 2


class Circles(Shading):
    """Boards of a white (1) or a black (2) circle in each cell, some of which are given."""

    url = (pzpr.CIRCLES,)
    file = (pzprfile.CLUES, pzprfile.VALUES)
    circles = True
    states = (WHITE, BLACK)
    looks: ClassVar = {WHITE: Look("○", written=True), BLACK: Look("●", written=True)}
    clue = staticmethod(value_at)

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        return number if (number := puzzle.number((row, column))) >= 0 else None

    def colors(self, puzzle: Any, formula: GridFormula) -> tuple[dict[Cell, int], dict[Cell, int]]:
        """The white and the black circles, with those that are given."""
        black = formula.subset("shaded")
        for cell, circle in formula.each(puzzle.clues()):
            formula.add(black[cell] if circle == BLACK else -black[cell])
        return {cell: -literal for cell, literal in black.items()}, black

    def circle_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The cells without a circle, and those with another than the given one."""
        for r, c in puzzle.cells:
            if board[r][c] not in self.states or self.known(puzzle, r, c) not in (None, board[r][c]):
                yield "ceNoNum", f"{at((r, c))}: no circle, or another than the given one"


SIGNS = [*".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", *map(chr, range(0x4E00, 0x9FA6))]
"""The signs of numbers on boards in JSON; views write the numbers."""


class Numbers(Genre):
    """Boards of numbers, 0 for none: `model` calls `numbers`, which defines the block `number`. Clues are given numbers."""

    kind = "numbers"
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:GIVENS"}
    looks: ClassVar[Mapping[Any, Look]] = {**written_signs("".join(SIGNS[:62])), 0: Look(SIGNS[0])}
    connectivity = False
    exactly_one: ClassVar[str] = "pairwise"
    """The encoding of "exactly one value": another one has fewer clauses if there are many values."""

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        """The numbers that each cell can have: by default those of a Latin square."""
        return dict.fromkeys(puzzle.cells, range(1, max(puzzle.height, puzzle.width) + 1))

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        """The least and the largest number that any cell can have."""
        every = self.values(puzzle).values()
        return min(map(min, every)), max(map(max, every))

    def misfit(self, puzzle: Any) -> str:
        complete = puzzle.numbers and (puzzle.rooms or pzpr.ROOMS not in self.url)
        clues = list(puzzle.clues()) if complete else []
        least, most = self.numbers_from(puzzle) if clues else (0, 0)
        wrong = next(((cell, number) for cell, number in clues if not least <= number <= most), None)
        return f"{at(wrong[0])}: found the number {wrong[1]}, expected one from {least} to {most}" if wrong else ""

    def numbers(self, puzzle: Any, formula: GridFormula) -> Ints:
        """The numbers of the cells, with those that the puzzle gives."""
        found = formula.ints("number", self.values(puzzle), self.exactly_one)
        for cell, number in formula.each(puzzle.clues()):
            formula.add_folded(found[cell].get(number, FALSE))
        return found

    def number_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The cells without a number that they can have, and those with another number than the puzzle gives."""
        for (r, c), values in self.values(puzzle).items():
            if board[r][c] not in values:
                yield "ceNoNum", f"{at((r, c))}: found no number, expected one from {min(values)} to {max(values)}"
            elif puzzle.number((r, c)) not in (NONE, pzpr.UNKNOWN, board[r][c]):
                yield "ceNoNum", f"{at((r, c))}: found {board[r][c]}, expected the given {puzzle.number((r, c))}"

    def touching_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The cells that share a side or a corner with one of the same number."""
        for r, c in puzzle.cells:
            if board[r][c] > 0 and any(board[k][m] == board[r][c] for k, m in around(puzzle, (r, c))):
                yield "nmAround", f"{at((r, c))}: a cell with the same number touches it"

    def adjacent_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The cells that share a side with one of the same number."""
        for (r, c), (k, m) in pzpr.sides(puzzle.size):
            if board[r][c] == board[k][m] > 0:
                yield "nmAdjacent", f"{at((r, c))}: a cell with the same number is beside it"

    def with_unknown(self, puzzle: Any, board: Cells) -> dict[Cell, int]:
        """The number of each cell, 0 for none; a clue without a number on the board counts, a question mark as UNKNOWN."""
        clues = dict(puzzle.given())
        return {(r, c): board[r][c] or clues.get((r, c), 0) for r, c in puzzle.cells}

    def given_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The cells with a clue, perhaps a question mark, that have no number, or another one than the puzzle gives."""
        for (r, c), clue in puzzle.given():
            if board[r][c] <= 0 or clue not in (pzpr.UNKNOWN, board[r][c]):
                yield "ceNoNum", f"{at((r, c))}: the given number is not on the board"

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        most = puzzle.height * puzzle.width
        return self.looks if most < 62 else {**written_signs("".join(SIGNS[: most + 1])), **self.looks}

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        number: int = puzzle.number((row, column))
        most = max(len(self.looks), min(len(SIGNS), puzzle.height * puzzle.width + 1))
        return number if 0 <= number < most else super().known(puzzle, row, column)

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        board = [[0] * puzzle.width for _ in range(puzzle.height)]
        for (r, c, value), variable in blocks["number"].items():
            if variable in true:
                board[r][c] = value
        return tuple(map(tuple, board))


class RoomNumbers(Numbers):
    """Boards with the numbers from 1 to the size of a room in each room, once each."""

    density = 1.0
    clue = staticmethod(value_at)

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: range(1, len(cells) + 1) for cells in puzzle.room_cells() for cell in cells}

    def numbers(self, puzzle: Any, formula: GridFormula) -> Ints:
        found = super().numbers(puzzle, formula)
        for cells in puzzle.room_cells():
            formula.all_different(found[cell] for cell in cells if cell in found)
        return found

    def number_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in puzzle.room_cells():
            for number in twice(board, cells):
                yield "bkDupNum", f"{at(cells[0])}: its room has several cells with {number}"
        yield from super().number_faults(puzzle, board)


class RoomSizes(Numbers):
    """Boards with one number in each room, that of its cells, and 0 in all other cells."""

    url = (pzpr.ROOMS, pzpr.NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.DOTTED_VALUES)

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: (0, len(cells)) for cells in puzzle.room_cells() for cell in cells}

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        return 1, max(map(len, puzzle.room_cells()))

    def numbers(self, puzzle: Any, formula: GridFormula) -> Ints:
        found = super().numbers(puzzle, formula)
        for cells in puzzle.room_cells():
            formula.exactly_one([found[cell][len(cells)] for cell in cells])
        return found

    def size_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The rooms without exactly one number, and those with another one."""
        for cells in puzzle.room_cells():
            found = [board[r][c] for r, c in cells if board[r][c] > 0]
            if len(found) != 1:
                yield "bkNumGe2" if found else "bkNoNum", f"{at(cells[0])}: its room has {len(found) or 'no'} numbers"
            if found and found[0] != len(cells):
                yield "bkSizeNe", f"{at(cells[0])}: its room has {len(cells)} cells and the number {found[0]}"


class FreeNumbers(Numbers):
    """Boards of numbers, none of which is given: clues say other things. Cells that are not `free` have no number (0)."""

    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:CLUES"}

    def free(self, puzzle: Any, cell: Cell) -> bool:
        """Whether a cell has a number."""
        return True

    def misfit(self, puzzle: Any) -> str:
        return ""

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        return Genre.known(self, puzzle, row, column) if self.free(puzzle, (row, column)) else 0

    def given(self, puzzle: Any, row: int, column: int) -> bool:
        return False

    def numbers(self, puzzle: Any, formula: GridFormula) -> Ints:
        return formula.ints("number", self.values(puzzle))

    def number_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        values = self.values(puzzle)
        for r, c in puzzle.cells:
            if board[r][c] not in values.get((r, c), (0,)):
                expected = f"a number from {min(values[r, c])} to {max(values[r, c])}" if (r, c) in values else "none"
                yield "ceNoNum", f"{at((r, c))}: found {max(board[r][c], 0) or 'no number'}, expected {expected}"


class Division(Genre):
    """Boards of regions, numbered from 0 in reading order of their first cells: `model` calls `formula.division`."""

    kind = "division"
    looks: ClassVar[Mapping[Any, Look]] = {number: Look(sign) for number, sign in enumerate(SIGNS[10:62])}
    connectivity = False
    without = pzpr.UNKNOWN
    bordered = True

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        count = puzzle.height * puzzle.width
        return self.looks if count <= 52 else {number: Look(sign) for number, sign in enumerate(SIGNS[10 : 10 + count])}

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        block, found = blocks["region"], dict[Cell, int]()
        chosen = sorted(key for key, variable in block.items() if variable in true)
        for number, (r, c, height, width) in enumerate(chosen):
            for cell in cells_of((r, c, height, width)):
                if found.setdefault(cell, number) != number:
                    raise ValueError("found rectangles that overlap")
        return pzpr.cut((found[cell] for cell in puzzle.cells), [puzzle.width] * puzzle.height)

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        r, c, k, m = place
        every = [((i, j, i + height, j + width), variable) for (i, j, height, width), variable in blocks["region"].items()]
        regions = [variable for (i, j, i2, j2), variable in every if i <= r and j <= c and k < i2 and m < j2]
        return [[-variable] for variable in regions] if value else [regions]

    def parts_of(self, board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
        """Whether there are borders between neighbors."""
        return borders_of(board)

    def holes(self, puzzle: Any) -> set[Cell]:
        """The cells that belong to no region."""
        return set()

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        holes = self.holes(puzzle)
        around = {(a, b) for a, b in pzpr.sides(puzzle.size) if (a in holes) != (b in holes)}
        return pzpr.rooms_of(puzzle.size, around | {((r, c), (k, m)) for (r, c, k, m), border in parts.items() if border})

    def part_words(self, puzzle: Any, place: tuple[int, ...], value: int) -> str:
        return border_words(place, value)

    def drawn_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        yield from self.faults(puzzle, board)
        yield from loose_borders(board, parts)


class Borders(Division):
    """Boards of regions of any shape: `model` calls `formula.lines("border")`, and has no border within a region."""

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        return self.board_of(puzzle, {place: int(variable in true) for place, variable in blocks["border"].items()})

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        border = blocks["border"][place]
        return [[border if value else -border]]


class Owned(Division):
    """Boards of regions with a clue each: `model` defines the block `owner`: a cell is in the region of a clue."""

    connectivity = True

    def owners(
        self, puzzle: Any, formula: GridFormula, reach: Mapping[Cell, Collection[Cell]], connectivity: str
    ) -> list[dict[Cell, int]]:
        """For each clue the cells of its region, connected, of those that it can reach. Each but the clue has a neighbor in the
        region, too, which follows, and saves most cuts."""
        block = formula.bools("owner", [(k, *cell) for k, cells in enumerate(reach.values()) for cell in cells])
        regions = [{cell: block[k, *cell] for cell in cells} for k, cells in enumerate(reach.values())]
        for cell in puzzle.cells:
            formula.exactly_one([region[cell] for region in regions if cell in region], "pairwise")
        for clue, region in zip(reach, regions, strict=True):
            formula.connected_within(region, region, connectivity)
            for cell in (cell for cell in region if cell != clue):
                formula.add(-region[cell], *(region[other] for other in neighbors(cell) if other in region))
        return regions

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        owner = {key[1:]: key[0] for key, variable in blocks["owner"].items() if variable in true}
        return pzpr.rooms_of(puzzle.size, {(a, b) for a, b in pzpr.sides(puzzle.size) if owner.get(a) != owner.get(b)})

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        numbers = {key[0] for key in blocks["owner"].keys()}  # noqa: SIM118
        pairs = [tuple(variable_of(blocks["owner"], (k, *cell)) for cell in (place[:2], place[2:])) for k in numbers]
        return [[-a, -b] for a, b in pairs] if value else [[s * a, -s * b] for a, b in pairs for s in (1, -1)]


def rectangles(puzzle: Any, fits: Callable[[int, int, int], bool]) -> Iterator[Rectangle]:
    """The rectangles that contain one clue and fit it: `fits(number, height, width)`."""
    given = dict(puzzle.given())
    above = [[0] * (puzzle.width + 1) for _ in range(puzzle.height + 1)]
    for r, c in puzzle.cells:
        above[r + 1][c + 1] = ((r, c) in given) + above[r][c + 1] + above[r + 1][c] - above[r][c]
    sizes = [(height, width) for height in range(1, puzzle.height + 1) for width in range(1, puzzle.width + 1)]
    fitting = {number: [size for size in sizes if fits(number, *size)] for number in set(given.values())}
    for (r, c), number in given.items():
        for height, width in fitting[number]:
            rows = range(max(0, r - height + 1), min(r, puzzle.height - height) + 1)
            for k, m in product(rows, range(max(0, c - width + 1), min(c, puzzle.width - width) + 1)):
                if above[k + height][m + width] - above[k][m + width] - above[k + height][m] + above[k][m] == 1:
                    yield k, m, height, width


SHADED = 16
"""A shaded cell of a board of lines."""
LINES = " ╵╴┘╶└─┴╷│┐┤┌├┬┼"


class Loop(Genre):
    """Boards of lines: each vertex has the directions of its lines. `model` calls `single_cycle`, which defines `inside`."""

    kind = "loop"
    looks: ClassVar = {mask: Look(sign, written=True) for mask, sign in enumerate(LINES)}
    around_cells: ClassVar[bool] = False
    """Whether the vertices are the corners of cells, and not their centers."""
    bridges: ClassVar[bool] = False
    """Whether the lines are bridges between numbers in circles, which may be double."""
    ends_at_numbers: ClassVar[bool] = False
    """Whether lines end at numbers, which are drawn over them."""

    def shape(self, puzzle: Any) -> tuple[int, int]:
        return puzzle.height + self.around_cells, puzzle.width + self.around_cells

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        block = blocks["inside"]
        inside = {key: variable in true for key, variable in zip(block.keys(), block.variables, strict=True)}
        height, width = self.shape(puzzle)

        def mask(r: int, c: int) -> int:
            a, b, d, e = (inside.get((r + i, c + j), False) for i in (-1, 0) for j in (-1, 0))
            return UP * (a != b) + LEFT * (a != d) + RIGHT * (b != e) + DOWN * (d != e)

        return tuple(tuple(mask(r, c) for c in range(width)) for r in range(height))

    def lines_from(self, value: int) -> tuple[int, int]:
        """How many lines lead to the right and down from a vertex with this value."""
        return int(bool(value & RIGHT)), int(bool(value & DOWN))

    def known_signs(self, puzzle: Any) -> dict[str, int]:
        """A dot for a vertex without lines."""
        return {sign.replace(" ", "."): value for sign, value in super().known_signs(puzzle).items()}

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        r, c, k, _ = place
        one, other = variable_of(blocks["inside"], (r - (k == r), c - (k > r))), variable_of(blocks["inside"], (r, c))
        return [[one, other], [-one, -other]] if value == 1 else [[one, -other], [-one, other], *[[]] * value]

    def parts_of(self, board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
        """The lines at vertices that are not None."""
        found = dict[tuple[int, ...], int]()
        for (r, c), value in super().parts_of(board).items():
            right, down = self.lines_from(value)
            found |= {(r, c, r, c + 1): right, (r, c, r + 1, c): down}
            found |= {} if self.bridges else {(r - 1, c, r, c): value & UP, (r, c - 1, r, c): int(bool(value & LEFT))}
        height, width = len(board), len(board[0])
        return {place: n for place, n in found.items() if min(place) >= 0 and place[2] < height and place[3] < width}

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        height, width = self.shape(puzzle)
        board = [[0] * width for _ in range(height)]
        for place, count in parts.items():
            if len(place) == 4 and count:
                r, c, k, m = place
                board[r][c] |= DOWN if k > r else RIGHT
                board[k][m] |= UP if k > r else LEFT
        return tuple(map(tuple, board))

    def blank(self, puzzle: Any) -> Cells:
        return tuple(tuple(value or None for value in row) for row in self.board_of(puzzle, puzzle.parts))

    def part_words(self, puzzle: Any, place: tuple[int, ...], value: int) -> str:
        if len(place) == 2:
            return f"{at((place[0], place[1]))} is {'' if value else 'not '}shaded"
        names = ("no bridge", "a bridge", "two bridges") if self.bridges else ("no line", "a line", "two lines")
        (r, c, k, m), line = place, names[value]
        if not self.around_cells:
            return f"between {at((r, c))} and {at((k, m))} is {line}"
        if k > r:
            return f"{'left of' if c < puzzle.width else 'right of'} {at((r, min(c, puzzle.width - 1)))} is {line}"
        return f"{'above' if r < puzzle.height else 'below'} {at((min(r, puzzle.height - 1), c))} is {line}"

    def cycle(self, puzzle: Any, formula: GridFormula, connectivity: str) -> Lines:
        """One cycle, or none where the genre allows it; in the variant `f` it passes all vertices."""
        height, width = self.shape(puzzle)
        side = formula.single_cycle(height, width, connectivity, empty="brNoLine" not in self.rules)
        for vertex in product(range(height), range(width)) if "f" in puzzle.variant else ():
            formula.add_folded(*lines_at(side, vertex))
        return side

    def cycle_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The faults of lines that are not such a cycle."""
        yield from self.loop_faults(board)
        for cell in cells_with(board, 0) if "f" in puzzle.variant else ():
            yield "cxNoLine" if self.around_cells else "ceNoLine", f"{at(cell)}: the line misses this place"

    def line_faults(self, board: Cells) -> Iterator[Fault]:
        """The faults of lines that branch or cross, and of no lines."""
        ends = {(mask & (UP | LEFT | RIGHT | DOWN)).bit_count() for row in board for mask in row}
        if ends == {0} and "brNoLine" in self.rules:
            yield "brNoLine", "there is no line"
        if 3 in ends and "lnBranch" in self.rules:
            yield "lnBranch", "a line has a branch"
        if 4 in ends:
            yield "lnCross", "lines cross"

    def loop_faults(self, board: Cells) -> Iterator[Fault]:
        """The faults of lines that are not one cycle."""
        yield from self.line_faults(board)
        if any(len(joined(board, (r, c))) == 1 for r, row in enumerate(board) for c in range(len(row))):
            yield "lnDeadEnd", "a line has an end"
        on_line = [(r, c) for r, row in enumerate(board) for c in range(len(row)) if joined(board, (r, c))]
        if len(components(on_line, lambda cell: joined(board, cell))) > 1:
            yield "lnPlLoop", "there is more than one loop"


class ShadedLoop(Loop):
    """Boards of one loop, which passes all free cells that are not shaded. No two shaded cells share a side, if the genre has the
    rule `csAdjacent`; there may be no loop, if it lacks the rule `brNoLine`."""

    variants: ClassVar[Mapping[str, str]] = {"o": "all shaded cells are outside the loop"}
    looks: ClassVar = {**Loop.looks, **{SHADED + mask: Look("#", fill=INK) for mask in reversed(Loop.looks)}}

    def shaded_loop(
        self, puzzle: Any, formula: GridFormula, free: Sequence[Cell], connectivity: str
    ) -> tuple[Lines, dict[Cell, int]]:
        """The lines, and the set `shaded` of free cells, which obey these rules."""
        side = formula.single_cycle(formula.height, formula.width, connectivity, empty="brNoLine" not in self.rules)
        block = formula.bools("shaded", free)
        shaded = {cell: block[cell] for cell in free}
        formula.no_two_adjacent(shaded if "csAdjacent" in self.rules else {})
        for cell, literal in shaded.items():
            formula.forbid(lines_at(side, cell), unless=-literal)
            formula.add_folded(literal, *lines_at(side, cell))
            if "o" in puzzle.variant:  # the face above and to the left, as all faces around a cell without lines
                formula.add_folded(-literal, -variable_of(formula.blocks["inside"], (cell[0] - 1, cell[1] - 1)))
        return side, shaded

    def shades_of(self, board: Cells) -> Cells:
        """The shaded cells (1) of a board."""
        return tuple(tuple(int(value >= SHADED) for value in row) for row in board)

    def shaded_loop_faults(self, puzzle: Any, board: Cells, free: Sequence[Cell]) -> Iterator[Fault]:
        """The faults of a board against these rules."""
        yield from self.loop_faults(board)
        shaded = self.shades_of(board)
        for cell in adjacent(shaded, 1) if "csAdjacent" in self.rules else ():
            yield "csAdjacent", f"{at(cell)}: shaded cells share a side"
        for r, c in cells_with(shaded, 1):
            if joined(board, (r, c)):
                yield "lnOnShade", f"{at((r, c))}: a shaded cell with a line"
        for r, c in free:
            if not shaded[r][c] and not joined(board, (r, c)):
                yield "ceEmpty", f"{at((r, c))}: neither shaded nor on the loop"
        for r, c in cells_with(shaded, 1) if "o" in puzzle.variant else ():
            if sum(bool(board[k][c] & RIGHT) for k in range(r)) % 2:
                yield "shInside", f"{at((r, c))}: a shaded cell is inside the loop"

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        lines = self.parts_of(super().decode(puzzle, blocks, true))
        return self.board_of(puzzle, lines | {place: variable in true for place, variable in blocks["shaded"].items()})

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        if len(place) == 4:
            return super().known_clauses(puzzle, blocks, place, value)
        shaded = variable_of(blocks["shaded"], place)
        return [[shaded if value else -shaded]]

    def parts_of(self, board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
        """Also whether cells are shaded."""
        shades = {(r, c): int(bool(value & SHADED)) for (r, c), value in Genre.parts_of(self, board).items()}
        return super().parts_of(board) | shades

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        rows = enumerate(super().board_of(puzzle, parts))
        return tuple(tuple(value + SHADED * parts.get((r, c), 0) for c, value in enumerate(row)) for r, row in rows)


class Paths(Loop):
    """Boards of lines through the centers of cells that need not be one cycle. `model` calls `lines`, which defines `line`."""

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        return self.board_of(puzzle, {place: int(variable in true) for place, variable in blocks["line"].items()})

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        line = blocks["line"][place]
        return [[(-line, line, FALSE)[value]]]
