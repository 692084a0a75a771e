"""The base of grid genres: a genre is one class with its rules in the docstring, its URL parts, `model`, and `faults`.

`model` writes the rules as constraints; `faults` checks a board by walking and flood fill, without any encoding. Everything else
(URLs, files, decoding, views, JSON) comes from here. docs/how-to/adding-a-genre.md has an example.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, cast

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import shortened
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.cells import CellFamily
from cnfgen_puzzles.families.clued import halffilled
from cnfgen_puzzles.families.family import Encoding, Puzzle, by_name
from cnfgen_puzzles.families.fileformats import Format, FormatTable, facts_of
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rows_and_columns
from cnfgen_puzzles.families.grid.layer.connectivity import DIAGONAL_FOREST, DIRECT, LAZY, RANK, TREE_COTREE
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.links import pzpr
from cnfgen_puzzles.families.links.formats import file_format, url_format
from cnfgen_puzzles.families.links.pzpr import NONE, Codec, Size
from cnfgen_puzzles.families.links.pzprfile import Answer, Section
from cnfgen_puzzles.families.looks import Cells, Clue
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula import Block, Formula
from cnfgen_puzzles.formula.formula import FALSE, TRUE

if TYPE_CHECKING:
    from cnfgen_puzzles.common.sources import Source
    from cnfgen_puzzles.families.cellviews import CellViews

COUNTING = "cnfgen_puzzles.families.grid.layer.refinement:"
REFINEMENT = "cnfgen_puzzles.families.grid.layer.refinement:GridRefinement"

ROWS = ("numbers", "rooms", "arrows", "marks", "corners", "lists", "outside", "between", "points")
"""The fields of a puzzle that have rows."""
CONNECTIVITY = {
    TREE_COTREE: "connected sets and cycles by a spanning tree and its dual; linear, projected",
    RANK: "connected sets and cycles by distances; quadratic, as many models as solutions",
    LAZY: "connected sets and cycles by cuts, only where a model needs them; solve-puzzle does this by default",
}
SIZED = {LAZY: "sizes of regions by cuts, only where a model needs them; solve-puzzle does this by default"}
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
    sets: tuple[tuple[str, int, tuple[tuple[int, int], ...]], ...] = ()
    """Rules for sets of cells: the name of the rule, a number, and the cells."""
    variant: str = ""
    """The flags of other rules, among those of `Genre.variants`."""
    count: int = 0
    """How many objects each row, column, and room has."""
    bank: tuple[str, ...] = ()
    """Pieces (see `pieces.py`)."""
    points: tuple[tuple[int, ...], ...] = ()
    """The clues at the centers of cells, sides, and corners: in row 2r and column 2c that of cell (r, c)."""
    walls: tuple[tuple[int, ...], ...] = ()
    """The walls inside rooms, which do not end at another room: rows and columns of two neighbors of one room, in order."""
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
        if unknown := set(self.variant) - set(cast(Genre, self.family).variants):
            raise ValueError(
                f"found the variant {min(unknown)!r}, expected one of {', '.join(cast(Genre, self.family).variants)}"
            )
        if wrong := cast(Genre, self.family).misfit(self):
            raise ValueError(wrong)
        if any(len(numbers) > 4 for row in self.lists for numbers in row):
            raise ValueError("found more than four numbers in a cell")
        if self.walls:
            places = [
                (*a, *b) for a, b in pzpr.sides(self.size) if self.rooms and self.rooms[a[0]][a[1]] == self.rooms[b[0]][b[1]]
            ]
            if self.walls != tuple(sorted(set(self.walls).intersection(places))):
                raise ValueError(f"found the walls {self.walls!r:.60}, expected pairs of neighbors in one room, in order")
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

    @cached_property
    def inner_walls(self) -> frozenset[tuple[Cell, Cell]]:
        """The pairs of neighbors with a wall inside a room between them."""
        return frozenset(((r, c), (k, m)) for r, c, k, m in self.walls)

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
    styles: ClassVar[Sequence[str]] = ("",)
    """The variants in addresses that only change the look."""
    variants: ClassVar[Mapping[str, str]] = {}
    """The flags of variants in addresses and files, which have other rules (`GridPuzzle.variant`), and what they change."""
    file: ClassVar[Sequence[Section]]
    """The sections of a pzprv3 file."""
    older: ClassVar[Sequence[Sequence[Section]]] = ()
    """The sections of files by their version, before that of `file`."""
    more_formats: ClassVar[Sequence[Callable[[Any], Format[Any]]]] = ()
    """Further formats, by the genre."""
    rules: ClassVar[str]
    """The codes of `faults`, in the order in which pzprjs looks at them."""
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:CLUES"}
    connectivity: ClassVar[bool] = True
    """Whether the rules need a connected set or a cycle, so that there is a choice of encodings."""

    more_encodings: ClassVar[Mapping[str, str]] = {}
    """Further encodings: `FOREST` where the set that has to be connected is all cells but some that share no side, and `SIZED`
    where parts of sets have sizes."""
    lazy_options: ClassVar[tuple[Option, ...]] = ()
    """The options of the encoding `lazy`, which `model` gets."""
    kind: ClassVar[str] = ""
    """The content of a board, for its views: `shading`, `loop`, `numbers`, `division`, or another one."""
    circles: ClassVar[bool] = False
    """Whether the clues are circles, 1 white and 2 black."""
    decided: ClassVar[bool] = False
    """Whether the value 0 is a decision, such as a shaded cell among numbers, so that an unknown cell does not have it."""
    letters: ClassVar[bool] = False
    """Whether letters stand for numbers: A for 1."""
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
            cls.title = cls.summary.partition(":")[0] if ":" in cls.summary else cls.name
            formats = [make(cls) for make in (url_format, file_format, *cls.more_formats)]
            cls.formats = FormatTable(cls.name, f"a {cls.name}", formats, _facts)
            names = {**(CONNECTIVITY if cls.connectivity else {DIRECT: "the rules as clauses"}), **cls.more_encodings}
            cls.capabilities = {
                "counting": COUNTING + ("CONNECTED" if cls.connectivity else "DIRECT"),
                **({"refinement": REFINEMENT} if LAZY in names else {}),
                **cls.capabilities,
                "reducing": cls.clue is not Genre.clue,
            }
            cls.encodings = by_name(
                *(
                    Encoding(name, summary, partial(_build, connectivity=name), cls.lazy_options if name == LAZY else ())
                    for name, summary in names.items()
                )
            )

    @abstractmethod
    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Add the rules to the formula."""

    @abstractmethod
    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The rules that the board breaks, each as often as it does."""

    def drawn_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        """The rules that a board breaks with its values as drawn, which may have borders within regions."""
        return self.faults(puzzle, board)

    def misfit(self, puzzle: Any) -> str:
        """A given value that no board of this size can have, in words; empty if there is none."""
        return ""

    def broken(self, puzzle: Any, board: Cells, parts: Parts | None = None) -> dict[str, str]:
        """The first fault of each rule that the board breaks, perhaps with its values as drawn, in the order of `rules`."""
        faults = self.drawn_faults(puzzle, board, parts) if parts else self.faults(puzzle, board)
        found = dict(reversed(list(faults)))
        return {code: found[code] for code in sorted(found, key=self.rules.split().index)}

    def check(self, puzzle: Any, board: Cells) -> list[str]:
        parts = self.all_parts(board) if puzzle.known and not self.misshapen(puzzle, board) else {}
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

    def all_parts(self, board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
        """Also the values that follow from those of cells, and that files of pzpr have."""
        return self.parts_of(board)

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        """The board with these values, those that clues tell, and otherwise empty cells."""
        empty = NONE if self.decided or 0 not in self.looks else 0
        blank = CellFamily.blank(self, replace(puzzle, known=()))
        rows = enumerate(blank)
        return tuple(tuple(parts.get((r, c), empty) if v is None else v for c, v in enumerate(row)) for r, row in rows)

    def known_signs(self, puzzle: Any) -> dict[str, int]:
        """The signs of values in drawings of half-filled boards: those of boards in JSON."""
        return {look.sign: value for value, look in self.looks_of(puzzle).items()}

    @staticmethod
    def answer_of(puzzle: Any) -> Answer:
        """The answer that a file of the puzzle has: the known values, or those of the file that it comes from."""
        return cast(Answer, puzzle.known or puzzle.saved)

    @staticmethod
    def with_saved(puzzle: Any, answer: Answer) -> Any:
        """The puzzle with the answer of its file."""
        return replace(puzzle, saved=answer)

    def solved(self, puzzle: Any, board: Cells) -> Any:
        return replace(puzzle, known=tuple(sorted((*place, value) for place, value in self.all_parts(board).items())))

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
        halffilled.read_once(known, source)
        return with_known(super().parse(source, **options), known, source.name)

    def describe(self, puzzle: Any) -> str:
        count = len(puzzle.known)
        rules = "".join(f", {self.variants[flag]}" for flag in puzzle.variant)
        return super().describe(puzzle) + rules + (f", {count} value{'s' * (count != 1)} known" if count else "")

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

    made: ClassVar[int] = 10
    """The default side of made puzzles."""

    def unmakeable(self, width: int, height: int) -> str:
        """The sizes that are made instead of this one, in words; empty if puzzles of this size are made."""
        return ""

    density: ClassVar[float] = 0.5
    """The probability with which a variable of a random board is true, where the rules allow both."""
    clue_field: ClassVar[str] = "numbers"
    """The field with the clues that can be left out."""
    without: ClassVar[Any] = NONE
    """The value in place of a clue that is left out: NONE, () in `lists`, or UNKNOWN where a question mark stays."""

    def column_clues(self, puzzle: Any) -> Sequence[Sequence[Clue]]:
        return self._beside(puzzle.outside[0]) if puzzle.outside else ()

    def row_clues(self, puzzle: Any) -> Sequence[Sequence[Clue]]:
        return self._beside(puzzle.outside[2]) if puzzle.outside else ()

    def _beside(self, numbers: Sequence[int]) -> list[list[Clue]]:
        """Numbers outside the board as clues of lines."""
        texts = list(map(self.sign, numbers))
        return [[Clue(text)] for text in texts] if any(texts) else []

    def sign(self, number: int) -> str:
        """A number in pictures, perhaps a letter; a question mark."""
        letter = chr(ord("A") - 1 + number) if self.letters and 0 < number < 27 else str(number)
        return {NONE: "", pzpr.UNKNOWN: "?"}.get(number, letter)

    def ground(self, puzzle: Any, cell: Cell) -> str | None:
        """The color that the puzzle gives to a cell in pictures."""
        return None

    def viewer(self) -> CellViews:
        from cnfgen_puzzles.families.grid.layer.gridviews import GridViews  # drawing is not needed to encode a puzzle

        return GridViews(self)


KNOWN = Option(
    "known",
    "values of a half-filled board, to find mistakes: saved (the answer in the file), a file of pzpr, or a drawing",
    file=halffilled.known_value,
)


def with_known(puzzle: Any, wanted: str, source: str) -> Any:
    """The puzzle with the known values that the option names; `source` is the name of the puzzle file, for errors.

        saved          the answer in the puzzle file, a file of pzpr
        |#?.|?.#|      the rows of the board as in JSON, with `?` for an unknown cell

    The value can also be the text of a file of pzpr, whose answer is taken.
    """
    genre = puzzle.family
    if wanted == "saved":
        if not puzzle.saved:
            raise InputError("found no answer, expected a file of pzpr with one", source=source)
        return _with_answer(puzzle, puzzle.saved, source)
    if wanted.startswith("pzprv3"):
        name = getattr(wanted, "source", "known")
        (read,) = genre.formats["pzprv3"].read_all(wanted, name)
        other = read()
        if other != puzzle:
            raise InputError(f"found the answer of another puzzle, expected one of {source}", source=name)
        return _with_answer(puzzle, other.saved, name)
    if not wanted.startswith("|"):
        raise InputError(f"found {shortened(wanted)} for known, expected saved, or rows such as |#?.|?.#|")
    values = genre.known_signs(puzzle)
    rows = halffilled.grid_of(wanted, genre.shape(puzzle), values, " ".join([*values, halffilled.UNKNOWN]))
    parts = genre.parts_of(rows)
    if genre.kind == "loop":
        for number, (drawn, found) in enumerate(zip(rows, genre.board_of(puzzle, parts), strict=True), start=1):
            if unlike := [c for c, (v, w) in enumerate(zip(drawn, found, strict=True), start=1) if v not in (None, w)]:
                lines = getattr(wanted, "lines", ())[number - 1 : number]
                message = (
                    f"found lines at row {number}, column {unlike[0]} that lead to a neighbor without them, expected both ends"
                )
                raise InputError(message, source=getattr(wanted, "source", None), line=lines[0] if lines else None)
    return replace(puzzle, known=tuple(sorted((*place, value) for place, value in parts.items())))


def _with_answer(puzzle: Any, saved: tuple[tuple[int, ...], ...], source: str) -> Any:
    """The puzzle with the answer of a file; InputError for a value that its boards cannot have."""
    try:
        return replace(puzzle, known=saved)
    except ValueError as error:
        raise InputError(str(error), source=source) from None


def _facts(puzzle: Any) -> dict[str, Any]:
    """The data that files can hold, by names for messages. Known values are stored as the answer, but those that clues tell."""
    facts = facts_of(puzzle)
    blank = puzzle.family.board_of(puzzle, {})
    told = {cell for cell in puzzle.cells if puzzle.number(cell) != NONE or (puzzle.lists and puzzle.lists[cell[0]][cell[1]])}
    answer = (part for part in facts["known"] or facts["saved"] if part[:-1] not in told or part[-1] != blank[part[0]][part[1]])
    return {
        **{name: value for name, value in facts.items() if name not in ("known", "saved", "walls")},
        "walls inside rooms": facts["walls"],
        "the answer": tuple(answer),
    }


def variable_of(block: Block, key: tuple[int, ...]) -> int:
    """The variable of a key, or FALSE."""
    try:
        return block[key]
    except KeyError:
        return FALSE


def formula_of(puzzle: Any, connectivity: str, **options: Any) -> GridFormula:
    """The rules and the known values."""
    formula, genre = GridFormula(puzzle.height, puzzle.width), puzzle.family
    genre.model(puzzle, formula, connectivity, **options)
    for place, value in formula.each(puzzle.parts.items()):
        for clause in genre.known_clauses(puzzle, formula.blocks, place, value):
            formula.add_folded(*clause)
    return formula


def _build(puzzle: Any, connectivity: str, **options: Any) -> Formula:
    """The formula of an encoding, with the cuts of the puzzle for `lazy`."""
    formula = formula_of(puzzle, connectivity, **options)
    if connectivity == LAZY:
        if puzzle.cuts is None:
            complete = ", ".join(name for name in puzzle.family.encodings if name != LAZY)
            raise InputError(f"the encoding lazy needs cuts, which solve-puzzle and gen-cnf --cuts find; complete: {complete}")
        for cut in puzzle.cuts:
            formula.add_clause(formula.clause_of(cut))
        formula.partial = f"{len(puzzle.cuts)} cut{'s' * (len(puzzle.cuts) != 1)}" if formula.lazy else ""
    return formula
