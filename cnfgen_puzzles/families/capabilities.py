"""The classes behind `Family.capabilities`: counting, CEGAR refinement, contradicting givens, making puzzles of pictures or of
regions, explaining. All are optional."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from cnfgen_puzzles.formula import Block, Formula
from cnfgen_puzzles.formula.exactcover import ExactCover


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

    def permutations(self) -> Sequence[Mapping[int, int]] | None:
        """Each element of the group once, as the projection variables onto which it maps these: for counting by numbers alone.
        None where that is not told; asked for only where `order` is small."""
        return None

    def transformation(self, element: Mapping[int, int]) -> str:
        """One of `permutations` as the transformation of the board that it is: `(r, c) -> (c, 7-r)`. Empty if not told."""
        return ""


class Counting:
    """What makes enumerating and counting faster, or tells more of the result; without any of it, it works all the same.

    docs/counting.md says what is believed of these and what is not.
    """

    options: ClassVar[Mapping[str, Any]] = {}
    """Encoding options that make enumeration faster by any engine; they may leave out solutions that `symmetry` restores."""
    searching_options: ClassVar[Mapping[str, Any]] = {}
    """More such options that take time themselves, and pay only where the formula is searched, not its `exact_cover`."""

    proving_encoding: ClassVar[str | None] = None
    """The encoding by which a list of all solutions is best proved complete: one without variables that are not told apart, and
    whose clauses the symmetries map onto themselves. None: the default."""

    def symmetry(self, puzzle: Any, blocks: Mapping[str, Block]) -> Symmetry | None:
        """The puzzle's symmetries; None where every solution counts for itself."""
        return None

    def rotations(self, puzzle: Any, blocks: Mapping[str, Block]) -> Symmetry | None:
        """Those of the symmetries that turn and move the puzzle and do not reflect it; None where the family does not tell."""
        return None

    def exact_cover(self, puzzle: Any, blocks: Mapping[str, Block]) -> ExactCover | None:
        """The same solutions as an exact cover problem over the formula's own variables; None where it is none."""
        return None

    def antichain(self, puzzle: Any, blocks: Mapping[str, Block]) -> bool:
        """Whether no solution's true projection variables are part of another's: enumeration then blocks with those alone."""
        cover = self.exact_cover(puzzle, blocks)
        return cover is not None and cover.antichain

    def cubes(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[tuple[int, ...]] | None:
        """Literals that split the search: every solution satisfies exactly one of these cubes; None leaves the choice open."""
        return None


class EqualCounting(Counting):
    """For puzzles whose solutions all have equally many true projection variables, so that none is part of another."""

    def antichain(self, puzzle: Any, blocks: Mapping[str, Block]) -> bool:
        return True


class Refinement(ABC):
    """A puzzle with lazy constraints: the formula has only those that boards were found to violate.

    `formula` says what the constraints added so far demand; to add more appends clauses and changes none. Every solution of the
    puzzle (one of each orbit, if not `keeps_all`) is a model of it at any time, so that its unsatisfiability is the puzzle's.
    Constraints have numbers from 0; `added` are those of the formula, in order. The loop itself is in `pipeline/cegar.py`.
    """

    noun: str
    """What the constraints are called, in the plural."""
    choices: Mapping[str, str]
    """Ways to choose among violated constraints, the default first: name and summary."""
    formula: Formula
    added: list[int]
    total: int
    keeps_all: bool

    @staticmethod
    def helpful_options(puzzle: Any, *, every: bool) -> Mapping[str, Any]:
        """Encoding options that make the loop faster; without `every` they may leave out solutions symmetric to others."""
        return {}

    @abstractmethod
    def __init__(self, puzzle: Any, encoding: Any, **options: Any):
        """A formula without any constraint, by an `Encoding` of the family with these options."""

    @abstractmethod
    def add(self, numbers: Iterable[int]) -> None:
        """Append what these constraints demand."""

    @abstractmethod
    def decode(self, true: Collection[int]) -> Any:
        """The board of a model, given by its true variables."""

    @abstractmethod
    def broken(self, board: Any) -> Sequence[int]:
        """All constraints of the puzzle that the board violates: none for a solution. Independent of the encoding."""

    @abstractmethod
    def choose(self, board: Any, broken: Sequence[int], count: int, choice: str, random: Random) -> list[int]:
        """So many of the violated constraints (all, if they are fewer), in one of the ways that `choices` names."""

    def search(self, seconds: float, random: Random) -> Any:
        """A solution found without any solver, if the family has a way and is lucky within the time; else None."""
        return None

    @abstractmethod
    def part(self) -> Any:
        """The puzzle of the added constraints alone; its formula, encoded alike, is unsatisfiable if `formula` is."""


@dataclass(frozen=True)
class Given:
    """One thing that a puzzle gives: in `words` (`row 3, column 4 is black`), as JSON, and the literals that say it, which are
    all true of a board if and only if it holds there."""

    words: str
    entry: Mapping[str, Any]
    literals: tuple[int, ...]


class Givens(ABC):
    """What a puzzle gives that could be left out, such as cells known beforehand: where a puzzle has no solution and has one
    without them, a set of them that contradicts the rest is found by this, from which none can be left out
    (`pipeline/mus.py`)."""

    name: str
    """What one is called: `known cell`; more have an s."""
    rest: str
    """What contradicts them, in the plural: `clues`."""

    @abstractmethod
    def count(self, puzzle: Any) -> int:
        """How many there are."""

    @abstractmethod
    def entries(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[Given]:
        """All of them, by the blocks of any encoding of the puzzle without them."""

    @abstractmethod
    def only(self, puzzle: Any, numbers: Collection[int]) -> Any:
        """The puzzle with those alone that stand at these places of `entries`."""


Rows = Any
"""A picture, or a board of the same shape: a tuple of rows of values of cells."""

Place = tuple[int, int]
"""Row and column of a cell, from 0 at the top left."""


@dataclass(frozen=True)
class Flaw:
    """Why the puzzle of a picture is not as it is wanted: in the cells `differing` it has another solution, or is stuck.

    `decisive` are the cells that make it so: a picture that agrees with this one in all of them has the same flaw.
    """

    differing: frozenset[Place]
    decisive: frozenset[Place]


class Making(ABC):
    """How a picture becomes a puzzle whose solution it is; a picture is a board, a tuple of rows of values of cells.

    Which cells must change for the puzzle to have one solution is found in `making/`: it changes the fewest cells such
    that no flaw is left that was met.
    """

    @abstractmethod
    def puzzle(self, picture: Any, values: Sequence[str] = (), about: Mapping[str, str] | None = None) -> Any:
        """The puzzle of the picture, with the picture as its goal. `values` are its colors as `#rrggbb`, by the values of
        cells; empty for black on white."""

    @property
    def generators(self) -> Mapping[str, Any]:
        """Those of the family's generators whose puzzles have a `picture`, by name."""
        return {}

    @abstractmethod
    def picture(self, puzzle: Any) -> Any:
        """The picture that a puzzle was made of, with its `values`; None where it is not known."""

    @abstractmethod
    def literals(self, puzzle: Any, blocks: Mapping[str, Block], place: Place, value: int) -> list[int]:
        """What says in the family's formulas that the cell has this value: all of them are true exactly if it has."""

    @abstractmethod
    def flaws(self, picture: Any, other: Any) -> list[Flaw]:
        """Why the puzzle of the picture has another solution too: that in which they differ, in parts that stand by
        themselves."""

    @abstractmethod
    def open_cells(self, puzzle: Any) -> frozenset[Place]:
        """The cells that line logic leaves open, without looking ahead; empty: it solves the puzzle, which has one solution."""

    @abstractmethod
    def stuck(self, picture: Any, puzzle: Any) -> list[Flaw]:
        """Why line logic leaves cells of the picture's puzzle open, in parts that stand by themselves; none if it solves it."""

    @abstractmethod
    def left_after(self, picture: Any, puzzle: Any) -> Callable[[Place, int], int]:
        """A quick guess, by cell and value: how many cells line logic leaves open where the picture has this value there."""


class Cutting(ABC):
    """How a region becomes a puzzle: it is cut into pieces, which are the puzzle, and the cut is its solution.

    A cut is a frozenset of places, each that of a piece. Where its puzzle has other solutions, `making/cutting.py` has a
    few pieces cut anew, until there is one. A wish says the region and which pieces may be; `choice` is a `SeededChoice`.
    """

    options: Sequence[Any] = ()
    """What says the region, where there is no file, and which pieces are wanted: each an `Option`."""

    @abstractmethod
    def region(self, cells: Sequence[Sequence[int]]) -> Any:
        """The region of a picture, as a puzzle without pieces: its filled cells, in rows of 0 and others."""

    @abstractmethod
    def wish(self, region: Any = None, **options: Any) -> Any:
        """What is wanted, as the other methods take it; the region is a puzzle's board, None: that of the options. InputError,
        with the reason, where no cut can be as they say."""

    @abstractmethod
    def first(self, wish: Any, choice: Any, failed: int) -> frozenset[Any] | None:
        """A cut at random; None where none is found at once. After so many that `failed` there may be fewer pieces."""

    @abstractmethod
    def again(self, wish: Any, cut: frozenset[Any], pieces: Collection[Any], choice: Any) -> frozenset[Any] | None:
        """The cut, some of these pieces and of their neighbors cut anew; None where that fails."""

    @abstractmethod
    def puzzle(self, wish: Any, cut: frozenset[Any], about: Mapping[str, str] | None = None) -> Any:
        """The puzzle of the cut, which tells nothing of where its pieces lie."""

    @abstractmethod
    def places(self, puzzle: Any, blocks: Mapping[str, Block]) -> Mapping[Any, int]:
        """The variable of each place of a piece that has one."""

    @abstractmethod
    def images(self, wish: Any, cut: frozenset[Any]) -> Iterable[frozenset[Any]]:
        """What the symmetries of the region make of a cut, itself first."""

    @abstractmethod
    def differences(self, wish: Any, cut: frozenset[Any], other: frozenset[Any]) -> list[tuple[frozenset[Any], frozenset[Any]]]:
        """Where a cut and another solution of its puzzle differ, in parts that stand by themselves: pieces of the cut, and how
        the other lays the same pieces on the same cells. Every cut with those of the first has another solution, too."""


DEPTH = 2
"""How many assumptions are made within each other at most, if nobody says otherwise."""
LOOKS = 500_000
"""Lines looked at for looking ahead at most, if nobody says otherwise: some seconds."""
Boards = Callable[[], Iterable[Any]]
"""Finds solutions of a puzzle that differ much, the more the better; none where there is none, or none that is soon found."""


@dataclass(frozen=True)
class ExplainedStep:
    """One step in words, and as JSON for who replays it: what fields it has is the family's affair, `technique` among them."""

    text: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Explanation:
    """How a puzzle is solved by thought, as far as that goes.

    `status` is SATISFIABLE where every cell followed, so that `board` is the only solution; UNSATISFIABLE where no solution is
    left; else UNKNOWN, and `board` has what is known, None where nothing is. `sentence` says which, and why it ended.
    `difficulty` has numbers and words by name, for the whole puzzle; where it was not solved they are of what was done.
    """

    puzzle: Any
    steps: tuple[ExplainedStep, ...]
    status: str
    sentence: str
    board: Any
    difficulty: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Everything but the puzzle and its board, which the family writes."""
        return {"status": self.status, "sentence": self.sentence, "difficulty": dict(self.difficulty)}

    def __repr__(self) -> str:
        return f"<Explanation: {self.sentence}>"


class Explaining(ABC):
    """Solves puzzles of a family by thought."""

    @abstractmethod
    def explain(
        self, puzzle: Any, *, depth: int = DEPTH, looks: int = LOOKS, most: int | None = None, boards: Boards | None = None
    ) -> Explanation:
        """The steps from what is known of the puzzle on; the next is the easiest. They end after `most` that
        say what some part of the board is; with 1, a hint, they are only those that it needs.

        `depth` assumptions are made within each other at most (0: none), and `looks` lines are looked at for them at most.
        No step rests on `boards`: they say only what need not be tried, since it is true in some solution, and where several
        differ.
        """

    @abstractmethod
    def board_to_json(self, puzzle: Any, board: Any) -> Any:
        """A board of which not everything is known."""
