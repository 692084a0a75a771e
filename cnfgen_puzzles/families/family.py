"""What a puzzle family is: the object by which everything else reads, encodes, decodes, checks and draws a puzzle.

A family knows nothing of solvers, files on disk or commands. To add one, see docs/adding-a-family.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cnfgen_puzzles.formula import Block, Formula
from cnfgen_puzzles.formula.exactcover import ExactCover
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.sources import Source
from cnfgen_puzzles.ground.suggestions import unknown_name

Puzzle = Any
Board = Any


@dataclass(frozen=True)
class Option:
    """A setting that a family's reader or an encoding takes, for the library (a keyword) and the commands (`--name`) alike."""

    name: str
    help: str
    default: Any = None
    type: type = str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Encoding:
    """One way to write a puzzle as a formula: `build(puzzle, **options) -> Formula`, with its projection set."""

    name: str
    summary: str
    build: Callable[..., Formula]
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Generator:
    """One way to make puzzles at random: `make(seed, **options) -> Puzzle`, the same for a seed everywhere (`seededchoice`).

    `check(**options)` raises InputError for options that cannot be, without making anything. `truth` is SATISFIABLE or
    UNSATISFIABLE where every puzzle it makes is.
    """

    name: str
    summary: str
    make: Callable[..., Puzzle]
    options: tuple[Option, ...] = ()
    check: Callable[..., Any] | None = None
    truth: str | None = None


@dataclass(frozen=True)
class View:
    """One way to show a board: `draw(puzzle, board, other)` gives str or bytes; cells that differ from `other` are marked.

    `sheet(puzzle, boards)` shows many on one page; a view without it shows them one after the other.
    """

    name: str
    summary: str
    draw: Callable[[Puzzle, Board, Board | None], str | bytes]
    suffix: str
    sheet: Callable[[Puzzle, Sequence[Board]], str | bytes] | None = None


class Symmetry(ABC):
    """The symmetry group of a puzzle, as it acts on solutions: each the set of the projection variables that are true.

    `order` is the number of its elements; `convention` says in words what is told apart: `up to the 8 symmetries of the board`.
    """

    order: int
    convention: str

    @abstractmethod
    def canonical(self, true: Collection[int]) -> tuple[Hashable, int]:
        """What is equal for two solutions exactly if a symmetry maps one to the other (JSON can hold it), and how many solutions
        its orbit has."""


class Refinement(ABC):
    """A puzzle that is told to the solver piece by piece: only those pieces that boards were found to break.

    `formula` says what the pieces added so far demand; to add more appends clauses and changes none. Every solution of the puzzle
    (one of each orbit, if not `keeps_all`) is a model of it at any time, so that its unsatisfiability is the puzzle's. Pieces
    have numbers from 0; `added` are those of the formula, in order. The loop itself is in `pipeline/refine.py`.
    """

    pieces: str
    """What a piece is called, in the plural."""
    choices: Mapping[str, str]
    """Ways to choose among broken pieces, the default first: name and summary."""
    formula: Formula
    added: list[int]
    total: int
    keeps_all: bool

    @staticmethod
    def helpful_options(puzzle: Puzzle, *, every: bool) -> Mapping[str, Any]:
        """Encoding options that make the loop faster; without `every` they may leave out solutions symmetric to others."""
        return {}

    @abstractmethod
    def __init__(self, puzzle: Puzzle, encoding: Encoding, **options: Any):
        """A formula without any piece. `options` are those of the encoding."""

    @abstractmethod
    def add(self, numbers: Iterable[int]) -> None:
        """Append what these pieces demand."""

    @abstractmethod
    def decode(self, true: Collection[int]) -> Board:
        """The board of a model, given by its true variables."""

    @abstractmethod
    def broken(self, board: Board) -> Sequence[int]:
        """All pieces of the puzzle that the board breaks: none for a solution. Independent of the encoding."""

    @abstractmethod
    def choose(self, board: Board, broken: Sequence[int], count: int, choice: str, random: Random) -> list[int]:
        """So many of the broken pieces (all, if they are fewer), in one of the ways that `choices` names."""

    def search(self, seconds: float, random: Random) -> Board | None:
        """A solution found without any solver, if the family has a way and is lucky within the time."""
        return None

    @abstractmethod
    def part(self) -> Puzzle:
        """The puzzle of the added pieces alone; its formula by the same encoding and options is unsatisfiable if `formula` is."""


class Family(ABC):
    """A puzzle family; one object of each is listed in `families.FAMILIES` or under the entry point `cnfgen_puzzles.families`."""

    name: str
    summary: str
    formats: Mapping[str, Any]
    """File formats by name; each has `name`, `title` and `suffixes`."""
    encodings: Mapping[str, Encoding]
    default_encoding: str
    views: Mapping[str, View]
    options: tuple[Option, ...] = ()
    """What `read` takes besides the file."""
    generators: Mapping[str, Generator] = {}
    """Ways to make puzzles at random, by name."""
    reads_file: bool = True
    """False for a family whose puzzles may be given by options alone."""
    refinement: type[Refinement] | None = None
    """How a puzzle too large for one formula is solved piece by piece; None: always by the whole formula."""

    # -- puzzles ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def read(self, source: Source | None, **options: Any) -> Puzzle:
        """The puzzle in `source` (None: given by the options alone); InputError names file and line."""

    def generate(self, name: str, seed: int, **options: Any) -> Puzzle:
        """A puzzle by the generator of that name."""
        if name not in self.generators:
            raise InputError(unknown_name(f"generator of {self.name}", name, self.generators))
        generator = self.generators[name]
        for option in options:
            if option not in {known.name for known in generator.options}:
                raise InputError(unknown_name(f"option of the generator {name}", option, (o.name for o in generator.options)))
        return generator.make(seed, **options)

    @abstractmethod
    def write(self, puzzle: Puzzle, format: str) -> str:
        """The puzzle as a file of that format."""

    @abstractmethod
    def puzzle_to_json(self, puzzle: Puzzle) -> dict[str, Any]:
        """The puzzle in canonical form, for the variable map."""

    @abstractmethod
    def puzzle_from_json(self, entry: Mapping[str, Any]) -> Puzzle:
        """The puzzle that `puzzle_to_json` described; KeyError, TypeError or ValueError if it does not describe one."""

    def warnings(self, puzzle: Puzzle) -> list[str]:
        """Why the puzzle has no solution, where that is plain to see: told to the user, never an error."""
        return []

    @abstractmethod
    def describe(self, puzzle: Puzzle) -> str:
        """A few words for tables and comments, such as `20x20 nonogram "Cat"`."""

    def size(self, puzzle: Puzzle) -> dict[str, int]:
        """How large it is, by names such as `cells`, the most telling first: against what times are plotted."""
        return {}

    # -- formulas ---------------------------------------------------------------------------------------------------

    def encode(self, puzzle: Puzzle, encoding: str | None = None, **options: Any) -> Formula:
        """The formula whose models, projected, are the puzzle's boards."""
        chosen = self.encoding(encoding)
        known = {option.name for option in chosen.options}
        for name in options:
            if name not in known:
                raise InputError(unknown_name(f"option of {self.name} encoding {chosen.name}", name, known))
        return chosen.build(puzzle, **options)

    def encoding(self, name: str | None = None) -> Encoding:
        """The encoding of that name; the default for None."""
        name = name or self.default_encoding
        if name not in self.encodings:
            raise InputError(unknown_name(f"{self.name} encoding", name, self.encodings))
        return self.encodings[name]

    # -- boards -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def decode(self, puzzle: Puzzle, blocks: Mapping[str, Block], true: Collection[int]) -> Board:
        """The board that a model with these true variables stands for; it is not checked here."""

    @abstractmethod
    def check(self, puzzle: Puzzle, board: Board) -> list[str]:
        """The rules that the board breaks, in words; empty for a solution. Independent of every encoding."""

    @abstractmethod
    def board_to_json(self, puzzle: Puzzle, board: Board) -> Any:
        """The board as JSON."""

    def board_from_json(self, puzzle: Puzzle, entry: Any) -> Board | None:
        """The board that `board_to_json` described, not checked against the rules; KeyError, TypeError or ValueError if the entry
        describes none. A family may leave this out: then this is None, and reports of benchmarks do not draw its boards."""
        return None

    @abstractmethod
    def differences(self, puzzle: Puzzle, board: Board, other: Board) -> list[str]:
        """The places in which two boards differ, in words."""

    # -- all boards: a family that leaves these alone is enumerated and counted too, only slower ------------------------------

    counting_options: Mapping[str, Any] = {}
    """Encoding options that make enumeration faster by any engine; they may leave out solutions that `symmetry` restores."""
    searching_options: Mapping[str, Any] = {}
    """More such options that take time themselves, and pay only where the formula is searched, not its `exact_cover`."""

    def symmetry(self, puzzle: Puzzle, blocks: Mapping[str, Block]) -> Symmetry | None:
        """The puzzle's symmetries; None where every solution counts for itself."""
        return None

    def exact_cover(self, puzzle: Puzzle, blocks: Mapping[str, Block]) -> ExactCover | None:
        """The same solutions as an exact cover problem over the formula's own variables; None where it is none."""
        return None

    def antichain(self, puzzle: Puzzle, blocks: Mapping[str, Block]) -> bool:
        """Whether no solution's true projection variables are part of another's: enumeration then blocks with those alone."""
        cover = self.exact_cover(puzzle, blocks)
        return cover is not None and cover.antichain

    def cubes(self, puzzle: Puzzle, blocks: Mapping[str, Block]) -> Sequence[tuple[int, ...]] | None:
        """Literals that split the search: every solution satisfies exactly one of these cubes; None leaves the choice open."""
        return None

    # -- views --------------------------------------------------------------------------------------------------------

    def view(self, name: str) -> View:
        """The view of that name."""
        if name not in self.views:
            raise InputError(unknown_name(f"{self.name} view", name, self.views))
        return self.views[name]
