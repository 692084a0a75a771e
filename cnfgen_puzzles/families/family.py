"""The interface of a puzzle family: all other code reads, encodes, decodes, checks, and draws puzzles through a `Family` object.

A family defines seven members: `name`, `summary`, `puzzle`, `formats`, `encodings`, `decode`, and `check`. The mapping
`capabilities` lists what else it supports (see `CAPABILITIES`). Every other method has a default. Families whose boards are grids
of cells derive from `cells.CellFamily`. docs/how-to/adding-a-family.md has two complete examples.

A family does not depend on solvers, files on disk, or commands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, cast

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, quoted, unknown_name
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import jsonfields
from cnfgen_puzzles.families.capabilities import Counting, Explanation, Givens, Refinement
from cnfgen_puzzles.families.fileformats import FormatTable
from cnfgen_puzzles.families.options import Option, checked_options
from cnfgen_puzzles.formula import Block, Formula

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    P = TypeVar("P", default=Any)
    B = TypeVar("B", default=Any)
else:  # type variables have defaults since Python 3.13
    from typing import TypeVar

    P, B = TypeVar("P"), TypeVar("B")

MOST_SHOWN = 6
"""The number of reasons for an impossible puzzle that `impossible` lists."""


class Puzzle:
    """The base of puzzle classes, which must be decorated with `@dataclass(frozen=True, repr=False)`.

    Its `repr` uses `Family.describe`, and its picture shows the board of `Family.blank`.
    """

    if TYPE_CHECKING:  # not an annotation at run time, because `jsonfields` reads the annotations of the fields
        family: ClassVar[Family]
        """The family that names this class as its `puzzle`; the family sets it."""

    def __repr__(self) -> str:
        return showing.in_brackets(type(self).__name__, self.family.describe(self) if hasattr(self, "family") else "")

    def _repr_svg_(self) -> str | None:
        blank = self.family.blank(self) if hasattr(self, "family") else None
        return None if blank is None else svg_of_board(self.family, self, blank)


class Board:
    """A board with its puzzle and its family. It is also a tuple or a string (`TupleBoard`, `TextBoard`)."""

    family: Family | None = None  # None in copies made by other means
    puzzle: Any = None

    def _repr_svg_(self) -> str | None:
        return svg_of_board(self.family, self.puzzle, self) if self.family else None


class TupleBoard(Board, tuple[Any, ...]):
    """A board that is a tuple, of rows of cells or of pieces."""

    def __repr__(self) -> str:
        return showing.in_brackets("Board", self.family.describe(self.puzzle)) if self.family else tuple.__repr__(self)

    def __str__(self) -> str:
        if self.family is None:
            return tuple.__repr__(self)
        return str(next(iter(self.family.views.values())).draw(self.puzzle, self, None)).rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the plain value."""
        return tuple, (list(self),)


class TextBoard(Board, str):
    """A board that is a string."""

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str.__str__(self),)


def shown_board(family: Family, puzzle: Any, board: Any) -> Any:
    """An equal board with a picture for notebooks; a board that is neither a tuple nor a string is returned unchanged."""
    kinds: dict[type, type] = {tuple: TupleBoard, str: TextBoard}
    kind = kinds.get(type(board))
    if kind is None:
        return board
    shown = kind(board)
    shown.family, shown.puzzle = family, puzzle
    return shown


class Encoding(NamedTuple):
    """An encoding of puzzles as formulas: `build(puzzle, **options) -> Formula`, with its projection set."""

    name: str
    summary: str
    build: Callable[..., Formula]
    options: tuple[Option, ...] = ()


class Generator(NamedTuple):
    """A generator of random puzzles: `make(seed, **options) -> Puzzle`; a seed gives the same puzzle on every machine
    (`seededchoice`).

    `check(**options)` raises InputError for invalid combinations of options and makes nothing. `truth` is SATISFIABLE or
    UNSATISFIABLE if that holds for every puzzle of the generator.
    """

    name: str
    summary: str
    make: Callable[..., Any]
    options: tuple[Option, ...] = ()
    check: Callable[..., Any] | None = None
    truth: str | None = None


class View(NamedTuple):
    """A view of boards: `draw(puzzle, board, other)` returns str or bytes and marks cells that differ from `other`.

    `sheet(puzzle, boards)` shows many boards on one page; a view without it shows them one after the other. Both take the
    `options` as keywords; `Family.view` returns the view with some options fixed.
    """

    name: str
    summary: str
    draw: Callable[..., str | bytes]
    suffix: str
    sheet: Callable[..., str | bytes] | None = None
    options: tuple[Option, ...] = ()


Named = TypeVar("Named", Encoding, Generator, View)


def by_name(*entries: Named) -> dict[str, Named]:
    """A table of encodings, generators, or views; the first one is the default."""
    return {entry.name: entry for entry in entries}


T = TypeVar("T")


class Capability(Generic[T]):
    """An attribute of a family: its entry in `capabilities` under the name of the attribute, or a default."""

    def __init__(self, default: T):
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, family: Family[Any, Any] | None, owner: type) -> T:
        found: Any = self if family is None else family.capabilities.get(self.name, self.default)
        if isinstance(found, str):
            module, _, attribute = found.partition(":")
            found = getattr(import_module(module), attribute)
        return cast(T, found)


class Family(ABC, Generic[P, B]):
    """A family of puzzles of type `P`, whose boards have type `B`.

    `families.BUILT_IN` or the entry point `cnfgen_puzzles.families` lists one object of each class.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        """Inherit the capabilities of the base classes."""
        super().__init_subclass__(**more)
        declared = cls.__dict__.get("capabilities", {})
        if unknown := [name for name in declared if name not in CAPABILITIES]:
            raise TypeError(unknown_name(f"capability of {cls.__name__}", unknown[0], CAPABILITIES))
        cls.capabilities = {**getattr(super(cls, cls), "capabilities", {}), **declared}

    def __new__(cls) -> Self:
        """Set the family of the class of the puzzles."""
        family = super().__new__(cls)
        puzzle = cls.__dict__.get("puzzle")
        if isinstance(puzzle, type) and issubclass(puzzle, Puzzle):
            puzzle.family = family
        return family

    def __repr__(self) -> str:
        return showing.in_brackets("Family", self.name, self.summary)

    # -- the seven members ------------------------------------------------------------------------------------------------

    name: str
    summary: str
    """The puzzles in the plural: `black and white nonograms`."""
    in_words: ClassVar[str] = ""
    """The rules in words, for certificates; empty if everybody knows them."""
    puzzle: type[P]
    """The class of the puzzles: a frozen dataclass."""
    formats: FormatTable[P]
    encodings: Mapping[str, Encoding]
    """The encodings by name, the default first (`by_name`)."""

    @abstractmethod
    def decode(self, puzzle: P, blocks: Mapping[str, Block], true: Collection[int]) -> B:
        """The board of a model with these true variables, not checked. The variables of the projection set suffice."""

    @abstractmethod
    def check(self, puzzle: P, board: B) -> list[str]:
        """The rules that the board breaks, in words; empty for a solution. The check is independent of every encoding."""

    # -- capabilities -----------------------------------------------------------------------------------------------------

    capabilities: ClassVar[Mapping[str, Any]] = {}
    """Any of the following by name. A string `package.module:NAME` names an object that is imported when it is needed. Derived
    classes inherit the entries of their bases."""

    generators = Capability[Mapping[str, Generator]]({})
    """Generators of random puzzles, by name."""
    views = Capability[Mapping[str, View]](
        by_name(View("text", "the board as it is", lambda puzzle, board, other: f"{board}\n", ".txt"))
    )
    """Views of boards, by name."""
    counting = Capability[Counting](Counting())
    """Symmetries, exact covers, and cubes for faster counting."""
    givens = Capability[Givens | None](None)
    """The parts of a puzzle that can be omitted and that may contradict the rest."""
    refinement = Capability[type[Refinement] | None](None)
    """The CEGAR loop for puzzles that are too large for one formula."""
    making = Capability[Any](None)
    """Making puzzles from pictures: the methods of `nonogram.making.NonogramMaking`; None if the family makes none."""
    cutting = Capability[Any](None)
    """Making puzzles by cutting a region into pieces: the methods of `tiling.cutting.TilingCutting`; None if the family makes
    none."""
    reducing = Capability[bool](False)
    """Making puzzles of a given size by leaving out clues of a random board (`making/clues.py`)."""
    explaining = Capability[Callable[..., Explanation] | None](None)
    """Solving puzzles step by step, as people do: a function with the parameters of `nonogram.explaining.explain`."""
    plain_model = Capability[Callable[[Any, Mapping[str, Block]], Collection[int] | None]](lambda puzzle, blocks: None)
    """The true variables of a model of the formula with these blocks, found in less time than a solver takes to start; None if
    there is none. `unique` checks this model like a model of a solver, and searches for another one."""
    guesses = Capability[Callable[[Any], Callable[[Mapping[str, Block]], Iterator[Sequence[int]]] | None]](lambda puzzle: None)
    """Boards that are nearly correct, each as literals of a formula with the given blocks; None if there are none for this
    puzzle. A solver uses them as phases (`guided`, docs/results/hardest.md); they are never answers."""
    rules_in_awk = Capability[Callable[[Any, Any], tuple[str, str] | None]](lambda puzzle, board: None)
    """For a puzzle and a board: the name of a program in `families/awk`, and the board as its input. The program reads the
    canonical JSON of the puzzle and exits with 0 if the board obeys the rules, else with 1 and a message; it also accepts several
    boards, each followed by an empty line. Different boards have different texts. Certificates contain the program for readers
    who do not rely on an encoding. `verify.sh` has a list of the programs and runs no others. None if there is no such program,
    or if it would take minutes."""
    encoder_in_awk = Capability[Callable[[Any, str, Mapping[str, Any]], str | None]](lambda puzzle, encoding, options: None)
    """For a puzzle, an encoding, and its options: the name of a program in `families/awk` that reads the canonical JSON of the
    puzzle and writes its formula byte for byte. Certificates contain it for readers who do not rely on the encoder. None if there
    is no such program."""

    # -- members with defaults --------------------------------------------------------------------------------------------

    title: str = ""
    """The name in sentences, such as `Light Up`; empty if it is `name`."""
    board: Any = Any
    """The type of the boards, as `jsonfields` reads it."""
    reads_file: bool = True
    """False for a family whose puzzles can be described by options alone."""
    examples: Sequence[str] = ()
    """Arguments after the name of the family in a command, the simplest first, for help texts: `cat.nin`, `--board 6x10 ...`."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of `read`, besides the file."""
        return self.formats.options

    def parse(self, source: Source | None, **options: Any) -> P:
        """The puzzle in `source` (None: described by the options alone). Each option has been checked."""
        if source is None:
            raise InputError(f"found no file, expected the file of a {self.name}")
        return self.formats.read_puzzle(source, options.get("format"), options.get("number"))

    def puzzle_to_json(self, puzzle: P) -> dict[str, Any]:
        """The puzzle in canonical form, for variable maps."""
        entry: dict[str, Any] = jsonfields.to_json(puzzle)
        return entry

    def puzzle_from_json(self, entry: Mapping[str, Any]) -> P:
        """The puzzle that `puzzle_to_json` described; KeyError, TypeError, or ValueError if the entry describes none."""
        puzzle: P = jsonfields.from_json(self.puzzle, entry)
        return puzzle

    def board_to_json(self, puzzle: P, board: B) -> Any:
        """The board as JSON."""
        return jsonfields.to_json(board)

    def board_from_json(self, puzzle: P, entry: Any) -> B:
        """The board that `board_to_json` described, not checked against the rules; KeyError, TypeError, or ValueError if the
        entry describes none."""
        board: B = jsonfields.from_json(self.board, entry)
        return board

    def differences(self, puzzle: P, board: B, other: B) -> list[str]:
        """The places in which two boards differ, in words."""
        return [] if board == other else [f"{board} and {other}"]

    def impossible(self, puzzle: P) -> str | None:
        """A proof without search that the puzzle has no solution; None if there is no such simple argument.

        `solve`, `unique`, and `count` report this verdict at once and call no solver. The default is the list of
        `puzzle.contradictions()`, if the puzzle has that method; each entry is a complete argument, so the first few suffice.
        """
        found: list[str] = getattr(puzzle, "contradictions", list)()
        more = [f"and {len(found) - MOST_SHOWN} more"] if len(found) > MOST_SHOWN else []
        return "; ".join([*found[:MOST_SHOWN], *more]) or None

    def working(self, puzzle: P) -> Sequence[str]:
        """The numbers behind `impossible`, in lines that a person can add up; empty if the argument is complete."""
        return ()

    def size(self, puzzle: P) -> dict[str, int]:
        """The size by names such as `cells`, the most important first; plots show run times against it."""
        return {"cells": puzzle.width * puzzle.height} if hasattr(puzzle, "width") and hasattr(puzzle, "height") else {}

    def describe(self, puzzle: P) -> str:
        """A short description for tables and comments, such as `20x20 nonogram "Cat"`."""
        sides = f"{puzzle.width}x{puzzle.height} " if hasattr(puzzle, "width") and hasattr(puzzle, "height") else ""
        return f"{sides}{self.title or self.name}{quoted_title(puzzle)}"

    def blank(self, puzzle: P) -> B | None:
        """The board that views draw for an unsolved puzzle, with nothing known; None if the family has none."""
        return None

    def small_puzzles(self) -> Iterable[P]:
        """A few puzzles, small enough to try all their boards, with and without solutions: for `testing.check_family`."""
        return ()

    # -- common methods -------------------------------------------------------------------------------------------------

    @property
    def default_encoding(self) -> str:
        """The encoding that is used by default: the first."""
        return next(iter(self.encodings))

    def read(self, source: Source | None = None, **options: Any) -> P:
        """The puzzle in `source` (None: described by the options alone), with the defaults of options that are not given.

        InputError names file and line, or the option.
        """
        return self.parse(source, **checked_options(self.options, options, f"the family {self.name}", defaults=True))

    def write(self, puzzle: P, format: str) -> str:
        """The puzzle as a file of that format."""
        return self.formats.write_puzzle(puzzle, format)

    def solved(self, puzzle: P, board: Any) -> P:
        """The puzzle with this solution, which its files can hold; InputError if no format can."""
        raise InputError(f"no file of a {self.name} puzzle holds an answer; solve-puzzle writes boards")

    def generate(self, name: str, seed: int, **options: Any) -> P:
        """A puzzle from the generator of that name."""
        if name not in self.generators:
            raise InputError(unknown_name(f"generator of {self.name}", name, self.generators))
        generator = self.generators[name]
        puzzle: P = generator.make(seed, **checked_options(generator.options, options, f"the generator {name}"))
        return puzzle

    def encoding(self, name: str | None = None) -> Encoding:
        """The encoding of that name; the default for None."""
        name = name or next(iter(self.encodings))
        if name not in self.encodings:
            raise InputError(unknown_name(f"{self.name} encoding", name, self.encodings))
        return self.encodings[name]

    def uses_cegar(self, encoding: str | None) -> bool:
        """Whether the CEGAR loop solves puzzles with this encoding; None is that of the family's choice."""
        loop = self.refinement
        return loop is not None and (encoding is None or not loop.encodings or self.encoding(encoding).name in loop.encodings)

    def encoding_options(self, name: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options of an encoding, checked."""
        encoding = self.encoding(name)
        return checked_options(encoding.options, options, f"the {self.name} encoding {encoding.name}")

    def encode(self, puzzle: P, encoding: str | None = None, **options: Any) -> Formula:
        """The formula whose projected models are the solutions of the puzzle."""
        return self.encoding(encoding).build(puzzle, **self.encoding_options(encoding, options))

    def view(self, name: str, **options: Any) -> View:
        """The view of that name, with these options."""
        if name not in self.views:
            raise InputError(unknown_name(f"{self.name} view", name, self.views))
        view = self.views[name]
        how = checked_options(view.options, options, f"the {self.name} view {name}")
        if not how:
            return view
        return view._replace(draw=partial(view.draw, **how), sheet=view.sheet and partial(view.sheet, **how))

    def draw_puzzle(self, puzzle: P, view: str = "svg", **options: Any) -> str | bytes:
        """The puzzle without a solution, to print it and solve it by hand; InputError if the family cannot draw it."""
        chosen, blank = self.view(view, **options), self.blank(puzzle)
        if blank is None:
            raise InputError(f"found the view {view}, expected a file format: the family {self.name} draws no unsolved puzzles")
        return chosen.draw(puzzle, blank, None)


CAPABILITIES = tuple(name for name, entry in vars(Family).items() if isinstance(entry, Capability))
"""The names of the capabilities of a family: entries of `Family.capabilities`."""


# -- pictures -------------------------------------------------------------------------------------------------------------


def svg_of_board(family: Family, puzzle: Any, board: Any, other: Any = None) -> str | None:
    """The board as the first SVG view of the family draws it, with differences from `other`; None without such a view, or if too
    large."""
    view = next((view for view in family.views.values() if view.suffix == ".svg"), None)
    if view is None:
        return None
    svg = view.draw(puzzle, board, other)
    return svg if isinstance(svg, str) and len(svg) <= showing.MOST_PICTURE else None


def title_of(puzzle: Any) -> str:
    """The title of a puzzle; empty without one."""
    return str(getattr(puzzle, "title", "") or getattr(puzzle, "about", {}).get("title", ""))


def quoted_title(puzzle: Any) -> str:
    """The title of a puzzle for the end of a description, with a blank before it; empty without a title."""
    return f" {quoted(title_of(puzzle))}" if title_of(puzzle) else ""


def html_of_board(family: Family, puzzle: Any, board: Any, other: Any = None) -> str:
    """The board as HTML, with differences from `other`: its picture, else its text."""
    svg = svg_of_board(family, puzzle, board, other)
    if svg is not None:
        return showing.picture(svg, f"a board of {family.describe(puzzle)}")
    text = str(next(iter(family.views.values())).draw(puzzle, board, other))
    return showing.preformatted(text) if len(text) <= showing.MOST_PICTURE else showing.words(family.describe(puzzle))
