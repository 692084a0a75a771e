"""The base of grid genres: a genre is one class with its rules in the docstring, its URL parts, `model`, and `faults`.

`model` writes the rules as constraints; `faults` checks a board by walking and flood fill, without any encoding. Everything else
(URLs, files, decoding, views, JSON) comes from here. docs/adding-a-genre.md has an example.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, cast

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.cells import CellFamily, Look, written_signs
from cnfgen_puzzles.families.family import Encoding, Puzzle, by_name
from cnfgen_puzzles.families.fileformats import FormatTable, facts_of
from cnfgen_puzzles.families.grid import pzpr
from cnfgen_puzzles.families.grid.addresses import file_format, url_format
from cnfgen_puzzles.families.grid.boards import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Fault,
    adjacent,
    at,
    cells_with,
    joined,
    room_values,
    rows_and_columns,
    twice,
    value_at,
)
from cnfgen_puzzles.families.grid.constraints import (
    DIAGONAL_FOREST,
    LAZY,
    RANK,
    TREE_COTREE,
    Cell,
    GridFormula,
    Ints,
    Rectangle,
    cells_of,
    components,
)
from cnfgen_puzzles.families.grid.pzpr import NONE, Codec, Size
from cnfgen_puzzles.families.grid.pzprfile import Section
from cnfgen_puzzles.families.looks import INK, Cells
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Block, Formula
from cnfgen_puzzles.formula.formula import FALSE, TRUE

if TYPE_CHECKING:
    from cnfgen_puzzles.common.sources import Source
    from cnfgen_puzzles.families.cellviews import CellViews

SHADE = "#9a968f"
"""The color of shaded cells between walls."""
COUNTING = "cnfgen_puzzles.families.grid.refinement:"
REFINEMENT = "cnfgen_puzzles.families.grid.refinement:GridRefinement"

ROWS = ("numbers", "rooms", "arrows", "marks", "corners", "lists", "outside", "between", "points")
"""The fields of a puzzle that have rows."""
CONNECTIVITY = {
    TREE_COTREE: "connected sets and cycles by a spanning tree and its dual; linear, projected",
    RANK: "connected sets and cycles by distances; quadratic, as many models as solutions",
    LAZY: "connected sets and cycles by cuts, only where a model needs them; solve-puzzle does this by default",
}
FOREST = {DIAGONAL_FOREST: "connected sets by diagonal steps of all other cells; n log n, projected"}


Clauses = Sequence[Sequence[int]]
Parts = Mapping[tuple[int, ...], int]
"""Values of a board by their places: two coordinates of a cell, or four of two neighbors (see `GridPuzzle.known`)."""


@dataclass(frozen=True, repr=False)
class GridPuzzle(Puzzle):
    """A rectangle of cells with clues: `numbers` (NONE, UNKNOWN for a question mark, or the number), the number of the room of
    each cell, the `arrows` of numbers (up 1, down 2, left 3, right 4, none 0), `marks` of cells with a meaning that the
    genre gives, numbers at the `corners` of cells, and `lists` of numbers in cells; each is empty in genres without it."""

    height: int
    width: int
    numbers: tuple[tuple[int, ...], ...] = ()
    rooms: tuple[tuple[int, ...], ...] = ()
    arrows: tuple[tuple[int, ...], ...] = ()
    marks: tuple[tuple[int, ...], ...] = ()
    corners: tuple[tuple[int, ...], ...] = ()
    lists: tuple[tuple[tuple[int, ...], ...], ...] = ()
    outside: tuple[tuple[int, ...], ...] = ()
    """The numbers above the board, below it, to its left, and to its right."""
    between: tuple[tuple[int, ...], ...] = ()
    """The marks between neighboring cells, in the order of `pzpr.sides`: a row for each of the board, then those between rows."""
    count: int = 0
    """How many objects each row, column, and room has."""
    bank: tuple[str, ...] = ()
    """Pieces (see `pieces.py`)."""
    points: tuple[tuple[int, ...], ...] = ()
    """The clues at the centers of cells, sides, and corners: in row 2r and column 2c that of cell (r, c)."""
    cuts: tuple[tuple[int, ...], ...] | None = None
    """The clauses of the encoding `lazy` for connected sets and cycles (`constraints.Cut`); they follow from the rules."""
    known: tuple[tuple[int, ...], ...] = ()
    """The values of a half-filled board: row, column, and value of a cell; or rows and columns of two neighbors, and how
    many lines or borders are between them."""
    saved: tuple[tuple[int, ...], ...] = field(default=(), compare=False)
    """The same for the answer in a file; it has no effect until it is chosen as `known`."""

    def __post_init__(self) -> None:
        if not (1 <= self.height <= pzpr.MOST_SIDE and 1 <= self.width <= pzpr.MOST_SIDE):
            raise ValueError(f"found a board of {self.width}x{self.height} cells, expected sides from 1 to {pzpr.MOST_SIDE}")
        for name in ROWS:
            found, expected = [len(row) for row in getattr(self, name)], pzpr.widths_of(name, self.size)
            if found and found != expected:
                raise ValueError(f"found rows of {found} {name}, expected {expected}")
        if any(len(numbers) > 4 for row in self.lists for numbers in row):
            raise ValueError("found more than four numbers in a cell")
        genre = cast(Genre, self.family) if self.known else None
        height, width = genre.shape(self) if genre else (0, 0)
        values: Collection[int] = () if genre is None else (0, 1) if genre.kind == "loop" else genre.looks_of(self)
        for *place, value in self.known:
            r, c, k, m = (*place, *place)[:4] if len(place) in (2, 4) else (-1,) * 4
            near = 2 * (k + m - r - c) == len(place) - 2 and 0 <= r <= k < height and 0 <= c <= m < width
            if not near or value not in (values if len(place) == 2 else (0, 1, 2)):
                raise ValueError(f"found the known value {value} at {at((r, c))}, expected one of a cell, or of two neighbors")

    @cached_property
    def parts(self) -> Parts:
        """The known values by their places."""
        return {part[:-1]: part[-1] for part in self.known}

    @property
    def size(self) -> Size:
        return Size(self.height, self.width)

    @property
    def cells(self) -> list[Cell]:
        return list(product(range(self.height), range(self.width)))

    def number(self, cell: Cell) -> int:
        """The clue of a cell; NONE if it has none."""
        return self.numbers[cell[0]][cell[1]] if self.numbers else NONE

    def clues(self) -> Iterator[tuple[Cell, int]]:
        """The cells with a number, question marks left out."""
        return ((cell, number) for cell, number in self.given() if number >= 0)

    def given(self, field: str = "numbers") -> Iterator[tuple[Cell, Any]]:
        """The places with a clue in this field, question marks (UNKNOWN) among them."""
        rows = enumerate(getattr(self, field))
        return (((r, c), clue) for r, row in rows for c, clue in enumerate(row) if clue not in (NONE, ()))

    def pairs(self) -> Iterator[tuple[Cell, Cell, int]]:
        """The pairs of neighboring cells and the mark between them, or NONE."""
        marks = (mark for row in self.between for mark in row)
        return ((a, b, mark) for (a, b), mark in zip(pzpr.sides(self.size) if self.between else (), marks, strict=True))

    def sights(self) -> Iterator[tuple[list[Cell], int]]:
        """The lines of cells beside each number outside, nearest first, and the number; question marks left out."""
        lines = rows_and_columns(self)
        rows, columns = lines[: self.height], lines[self.height :]
        ways = columns, [line[::-1] for line in columns], rows, [line[::-1] for line in rows]
        for seen, numbers in zip(ways, self.outside, strict=True):
            yield from ((line, number) for line, number in zip(seen, numbers, strict=True) if number >= 0)

    def arrow(self, cell: Cell) -> int:
        """The direction of a clue: up 1, down 2, left 3, right 4, none 0."""
        return self.arrows[cell[0]][cell[1]] if self.arrows else 0

    def room_cells(self) -> list[list[Cell]]:
        """The cells of each room."""
        found: dict[int, list[Cell]] = {}
        for r, c in self.cells:
            found.setdefault(self.rooms[r][c], []).append((r, c))
        return list(found.values())


class Genre(CellFamily[Any]):
    """A genre of puzzles on a grid. A derived class has `name`, a docstring with the rules, `url`, `model`, and `faults`."""

    url: ClassVar[Sequence[Codec]]
    """The parts of the body of a URL."""
    file: ClassVar[Sequence[Section]]
    """The sections of a pzprv3 file."""
    rules: ClassVar[str]
    """The codes of `faults`, in the order in which pzprjs looks at them."""
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.givens:CLUES"}
    connectivity: ClassVar[bool] = True
    """Whether the rules need a connected set or a cycle, so that there is a choice of encodings."""

    apart: ClassVar[bool] = False
    """Whether the set that has to be connected is all cells but some that share no side: the encoding `diagonal-forest`."""
    kind: ClassVar[str] = ""
    """The content of a board, for its views: `shading`, `loop`, `numbers`, `division`, or another one."""
    circles: ClassVar[bool] = False
    """Whether the clues are circles, 1 white and 2 black."""
    ringed: ClassVar[bool] = False
    """Whether pictures show numbers in circles, and question marks as empty circles."""
    bordered: ClassVar[bool] = False
    """Whether pictures have borders between different values."""
    joint: ClassVar[str] = ""
    """The separator of several numbers in a cell, in text."""
    beside: ClassVar[bool] = False
    """Whether clues are next to the signs of values, and not in their place."""
    signs: ClassVar[Mapping[int, str]] = {}
    """The signs of clues in cells, if not the number."""
    polygons: ClassVar[Mapping[Any, Sequence[tuple[float, float]]]] = {}
    """The shapes of values in pictures, in place of signs: polygons in a cell of size 1."""
    ships: ClassVar[Mapping[int, int]] = {}
    """For clues of parts of ships: where the ship continues (up 1, left 2, right 4, down 8)."""
    solid: ClassVar[bool] = False
    """Whether cells with a clue are black."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "name" in cls.__dict__:
            members = {"__module__": cls.__module__, "__qualname__": f"{cls.__qualname__}.puzzle", "__doc__": cls.__doc__}
            cls.puzzle = type("puzzle", (GridPuzzle,), members)
            cls.in_words = "\n\n".join(" ".join(part.split()) for part in (cls.__doc__ or "").split("\n\n"))
            cls.summary = cls.in_words.split("\n", 1)[0].rstrip(".")
            cls.formats = FormatTable(cls.name, f"a {cls.name}", [url_format(cls), file_format(cls)], _facts)
            cls.capabilities = {
                "counting": COUNTING + ("CONNECTED" if cls.connectivity else "DIRECT"),
                **cls.capabilities,
                **({"refinement": REFINEMENT} if cls.connectivity else {}),
                "reducing": cls.clue is not Genre.clue,
            }
            names = CONNECTIVITY if cls.connectivity else {"direct": "the rules as clauses"}
            names = names | FOREST if cls.apart else names
            cls.encodings = by_name(*(Encoding(name, told, _builder(cls, name)) for name, told in names.items()))

    @abstractmethod
    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Add the rules to the formula."""

    @abstractmethod
    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The rules that the board breaks, each as often as it does."""

    def broken(self, puzzle: Any, board: Cells) -> dict[str, str]:
        """The first fault of each rule that the board breaks, in the order of `rules`."""
        found = dict(reversed(list(self.faults(puzzle, board))))
        return {code: found[code] for code in sorted(found, key=self.rules.split().index)}

    def check(self, puzzle: Any, board: Cells) -> list[str]:
        parts = self.parts_of(board) if puzzle.known and not self.misshapen(puzzle, board) else {}
        unlike = [place for place, value in puzzle.parts.items() if parts.get(place) != value]
        words = [f"the half-filled board differs: {self.part_words(puzzle, place, puzzle.parts[place])}" for place in unlike]
        return self.misshapen(puzzle, board) or [*self.broken(puzzle, board).values(), *words]

    # -- half-filled boards -----------------------------------------------------------------------------------------------

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        """Clauses, perhaps with constants, that hold if and only if the board has this value at this place. Here the block
        `number` has a variable for each value of a cell, and cells that are not in it have the value 0."""
        found = variable_of(blocks["number"], (*place, value))
        return [[TRUE if found == FALSE and value == 0 and not blocks["number"].below(*place) else found]]

    def parts_of(self, board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
        """The values of a board, without those of cells that are None."""
        return {(r, c): value for r, row in enumerate(board) for c, value in enumerate(row) if value is not None}

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        """The board with these values, those that clues tell, and otherwise empty cells."""
        empty = 0 if 0 in self.looks else NONE
        blank = CellFamily.blank(self, replace(puzzle, known=()))
        rows = enumerate(blank)
        return tuple(tuple(parts.get((r, c), empty) if v is None else v for c, v in enumerate(row)) for r, row in rows)

    def known_signs(self, puzzle: Any) -> dict[str, int]:
        """The signs of values in drawings of half-filled boards: those of boards in JSON."""
        return {look.sign: value for value, look in self.looks_of(puzzle).items()}

    def part_words(self, puzzle: Any, place: tuple[int, ...], value: int) -> str:
        """A known value in words."""
        sign = self.looks_of(puzzle)[value].sign if value in self.looks_of(puzzle) else str(value)
        words = {"#": "shaded", ".": "empty"}.get(sign, sign)
        return f"{at((place[0], place[1]))} is {words if self.kind != 'numbers' or value == 0 else value}"

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        known: int | None = puzzle.parts.get((row, column))
        return known

    @property
    def options(self) -> tuple[Option, ...]:
        return (*super().options, KNOWN)

    def parse(self, source: Source | None, **options: Any) -> Any:
        if (known := options.get("known")) is None or source is None:
            return super().parse(source, **options)
        from cnfgen_puzzles.families.grid.known import with_known  # seldom needed
        from cnfgen_puzzles.families.nonogram.knowncells import read_once

        read_once(known, source)
        return with_known(super().parse(source, **options), known, source.name)

    def describe(self, puzzle: Any) -> str:
        count = len(puzzle.known)
        return super().describe(puzzle) + (f", {count} value{'s' * (count != 1)} known" if count else "")

    # -- making -----------------------------------------------------------------------------------------------------------

    def prepared(self, blank: Any, choice: SeededChoice) -> Any:
        """A puzzle without clues, with the parts that a random board needs; rooms are random already."""
        return blank

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> Any:
        """The clue that a board allows at a place; NONE or () if it allows none there. `make-puzzle` needs it."""
        raise NotImplementedError

    def clued(self, puzzle: Any, board: Cells, choice: SeededChoice) -> Any:
        """The puzzle with all clues that the board allows."""
        rows = getattr(puzzle, field := self.clue_field)
        clues = (tuple(self.clue(puzzle, board, (r, c)) for c in range(len(row))) for r, row in enumerate(rows))
        return replace(puzzle, **{field: tuple(clues)})

    def changed(self, puzzle: Any, board: Cells, other: Cells, choice: SeededChoice) -> Any:
        """The puzzle with other clues, which the board obeys and the other board breaks; None if there is no way."""
        return None

    def random_board(self, puzzle: Any, choice: SeededChoice) -> Cells | None:
        """A random board of a puzzle without clues; None if `making/clues.py` finds one from the model."""
        return None

    density: ClassVar[float] = 0.5
    """The probability with which a variable of a random board is true, where the rules allow both."""
    clue_field: ClassVar[str] = "numbers"
    """The field with the clues that can be left out."""
    without: ClassVar[Any] = NONE
    """The value in place of a clue that is left out: NONE, () in `lists`, or UNKNOWN where a question mark stays."""

    larger: ClassVar[int] = 0
    """By how much the sides of the smallest boards exceed 1 and 2."""

    def small_puzzles(self) -> list[Any]:
        """Boards of at most 2 x 2 cells (3 x 3 for lines through cells) without clues, and with one or two in the corners."""
        fields, found = {field for codec in self.url for field in (codec.field, *codec.more)}, []
        for height, width, first, last in ((1, 2, NONE, NONE), (2, 1, NONE, 1), (2, 2, NONE, 2), (2, 2, 1, 1)):
            size = Size(height + self.larger, width + self.larger)
            height, width = size
            widths = {field: pzpr.widths_of(field, size) for field in ROWS}
            numbers, corners = ([NONE] * sum(widths[field]) for field in ("numbers", "corners"))
            points = [0] * sum(widths["points"])
            numbers[-1] = NONE if pzpr.ROOM_NUMBERS in self.url else last
            numbers[0] = corners[width + 1] = first
            corners[2 * width + 1] = last
            points[0] = max(first, 0)
            points[(height - 1) * (2 * width - 1) + width - 1] = max(last, 0)
            behind = (1, 3) if pzpr.HEADINGS in self.url else ()
            parts = {
                "outside": tuple(
                    (NONE,) * n if k in behind else (first, *[last] * (n - 1)) for k, n in enumerate(widths["outside"])
                ),
                "between": tuple((last, *[first] * (n - 1))[:n] for n in widths["between"]),
                "numbers": size.rows(numbers),
                "rooms": ((0, *[int(last == 2)] * (width - 1)),) * height,
                "arrows": size.rows(3 * (number > 0) for number in numbers),
                "marks": size.rows(int(number == 2) for number in numbers),
                "corners": pzpr.cut(corners, widths["corners"]),
                "lists": pzpr.cut(((number,) * (number != NONE) for number in numbers), widths["lists"]),
                "count": 1,
                "bank": ("11g",) * (last == 2),
                "points": pzpr.cut(points, widths["points"]),
            }
            found.append(self.puzzle(*size, **{name: rows for name, rows in parts.items() if name in fields}))
        return found

    def column_clues(self, puzzle: Any) -> Sequence[Sequence[str]]:
        return _beside(puzzle.outside[0]) if puzzle.outside else ()

    def row_clues(self, puzzle: Any) -> Sequence[Sequence[str]]:
        return _beside(puzzle.outside[2]) if puzzle.outside else ()

    def ground(self, puzzle: Any, cell: Cell) -> str | None:
        """The color that the puzzle gives to a cell in pictures."""
        return None

    def viewer(self) -> CellViews:
        from cnfgen_puzzles.families.grid.gridviews import GridViews  # drawing is not needed to encode a puzzle

        return GridViews(self)


def _known_value(given: Any) -> Any:
    from cnfgen_puzzles.families.nonogram.knowncells import known_value  # the same words and files

    return known_value(given)


KNOWN = Option("known", "known values: saved (the answer in the file), a file of pzpr, or a drawing", file=_known_value)


def _facts(puzzle: Any) -> dict[str, Any]:
    """The data that files can hold, by names for messages."""
    names = {"known": "known values", "saved": "the saved answer"}
    return {names.get(name, name): value for name, value in facts_of(puzzle).items()}


def _beside(numbers: Sequence[int]) -> list[list[str]]:
    """Numbers outside the board as clues of lines."""
    texts = [{NONE: "", pzpr.UNKNOWN: "?"}.get(number, str(number)) for number in numbers]
    return [[text] for text in texts] if any(texts) else []


def variable_of(block: Block, key: tuple[int, ...]) -> int:
    """The variable of a key, or FALSE."""
    try:
        return block[key]
    except KeyError:
        return FALSE


def formula_of(puzzle: Any, connectivity: str) -> GridFormula:
    """The rules and the known values."""
    formula, genre = GridFormula(puzzle.height, puzzle.width), puzzle.family
    genre.model(puzzle, formula, connectivity)
    for place, value in formula.each(puzzle.parts.items()):
        for clause in genre.known_clauses(puzzle, formula.blocks, place, value):
            formula.add_folded(*clause)
    return formula


def _builder(cls: type[Genre], connectivity: str) -> Any:
    def build(puzzle: Any) -> Formula:
        formula = formula_of(puzzle, connectivity)
        if connectivity == LAZY:
            if puzzle.cuts is None:
                raise InputError(
                    "the encoding lazy needs cuts, which solve-puzzle and gen-cnf --cuts find; complete: tree-cotree, rank"
                )
            for cut in puzzle.cuts:
                formula.add_clause(formula.clause_of(cut))
            formula.partial = f"{len(puzzle.cuts)} cut{'s' * (len(puzzle.cuts) != 1)}" if formula.lazy else ""
        return formula

    return build


# -- kinds of boards ----------------------------------------------------------------------------------------------------------


class Shading(Genre):
    """Boards of shaded (1) and unshaded (0) cells, or of two other `states`: `model` defines the set `shaded`."""

    kind = "shading"
    looks: ClassVar[Mapping[Any, Look]] = {0: Look("."), 1: Look("#", fill=INK)}
    states: ClassVar[tuple[int, int]] = (0, 1)

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        """Shades are gray between the walls of rooms."""
        grey = {value: replace(look, fill=look.fill and SHADE) for value, look in self.looks.items()}
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
    """Boards with at least one shaded cell, whose shaded cells share no side, and whose other cells are connected."""

    apart = True

    def shades(self, formula: GridFormula, connectivity: str) -> dict[Cell, int]:
        """The set `shaded`, which obeys these rules."""
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        formula.no_two_adjacent(shaded)
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        return shaded

    def shade_faults(self, board: Cells) -> Iterator[Fault]:
        """The faults of a board against these rules."""
        if not cells_with(board, 1):
            yield "brNoShade", "no cell is shaded"
        for cell in adjacent(board, 1):
            yield "csAdjacent", f"{at(cell)}: shaded cells share a side"
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivideRB", "the unshaded cells are not connected"


SIGNS = [*".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", *map(chr, range(0x4E00, 0x9FA6))]
"""The signs of numbers on boards in JSON; views write the numbers."""


class Numbers(Genre):
    """Boards of numbers, 0 for none: `model` calls `numbers`, which defines the block `number`. Clues are given numbers."""

    kind = "numbers"
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.givens:GIVENS"}
    looks: ClassVar[Mapping[Any, Look]] = {**written_signs("".join(SIGNS[:62])), 0: Look(SIGNS[0])}
    connectivity = False

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        """The numbers that each cell can have: by default those of a Latin square."""
        return dict.fromkeys(puzzle.cells, range(1, max(puzzle.height, puzzle.width) + 1))

    def numbers(self, puzzle: Any, formula: GridFormula) -> Ints:
        """The numbers of the cells, with those that the puzzle gives."""
        found = formula.ints("number", self.values(puzzle))
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

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        most = puzzle.height * puzzle.width
        return self.looks if most < 62 else {**written_signs("".join(SIGNS[: most + 1])), **self.looks}

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        number: int = puzzle.number((row, column))
        most = max(62, min(len(SIGNS), puzzle.height * puzzle.width + 1))
        return number if 0 <= number < most else super().known(puzzle, row, column)

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        board = [[0] * puzzle.width for _ in range(puzzle.height)]
        number = blocks["number"]
        for variable in sorted(true):
            if variable in number.variables:
                r, c, board[r][c] = number.key(variable)
        return tuple(map(tuple, board))


class RoomNumbers(Numbers):
    """Boards with the numbers from 1 to the size of a room in each room, once each."""

    density = 1.0

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return room_values(puzzle)

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return value_at(puzzle, board, place)

    def numbers(self, puzzle: Any, formula: GridFormula) -> Ints:
        found = super().numbers(puzzle, formula)
        for cells in puzzle.room_cells():
            formula.all_different(found[cell] for cell in cells)
        return found

    def number_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in puzzle.room_cells():
            for number in twice(board, cells):
                yield "bkDupNum", f"{at(cells[0])}: its room has several cells with {number}"
        yield from super().number_faults(puzzle, board)


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
        chosen = sorted(block.key(variable) for variable in true if variable in block.variables)
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
        pairs = (((*a, *b), (board[a[0]][a[1]], board[b[0]][b[1]])) for a, b in pzpr.sides(Size(len(board), len(board[0]))))
        return {place: int(one != other) for place, (one, other) in pairs if None not in (one, other)}

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        return pzpr.rooms_of(puzzle.size, {((r, c), (k, m)) for (r, c, k, m), border in parts.items() if border})

    def part_words(self, puzzle: Any, place: tuple[int, ...], value: int) -> str:
        r, c, k, m = place
        return f"between {at((r, c))} and {at((k, m))} is {'a' if value else 'no'} border"

    def small_puzzles(self) -> list[Any]:
        free, two = (pzpr.UNKNOWN, NONE), (NONE, pzpr.UNKNOWN)
        return [*super().small_puzzles(), self.puzzle(1, 2, numbers=(free,)), self.puzzle(2, 2, numbers=(free, two))]


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

    def line_faults(self, board: Cells) -> Iterator[Fault]:
        """The faults of lines that branch or cross, and of no lines."""
        ends = {(mask & (UP | LEFT | RIGHT | DOWN)).bit_count() for row in board for mask in row}
        if ends == {0} and "brNoLine" in self.rules:
            yield "brNoLine", "there is no line"
        if 3 in ends:
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


class Paths(Loop):
    """Boards of lines through the centers of cells that need not be one cycle. `model` calls `lines`, which defines `line`."""

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        return self.board_of(puzzle, {place: int(variable in true) for place, variable in blocks["line"].items()})

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        line = blocks["line"][place]
        return [[(-line, line, FALSE)[value]]]
