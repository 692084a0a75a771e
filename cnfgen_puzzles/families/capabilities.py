"""The interfaces of `Family.capabilities`: counting, CEGAR refinement, and contradicting givens; and the results of making
puzzles from pictures and of explaining, which `families/nonogram` does. All are optional."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from cnfgen_puzzles.formula import Block, Cnf, Formula
from cnfgen_puzzles.formula.exactcover import ExactCover


class Symmetry(ABC):
    """The symmetry group of a puzzle and its action on solutions. A solution is the set of its true projection variables.

    `order` is the order of the group; `convention` describes the count in words: `up to the 8 symmetries of the board`.
    """

    order: int
    convention: str

    @abstractmethod
    def canonical(self, true: Collection[int]) -> tuple[Hashable, int]:
        """A canonical form, equal for two solutions if and only if a symmetry maps one to the other (it can be stored as JSON),
        and the size of the orbit."""

    def permutations(self) -> Sequence[Mapping[int, int]] | None:
        """Each element of the group once, as a mapping of the projection variables, for counting by orbits. None if the family
        does not provide it; used only if `order` is small."""
        return None

    def transformation(self, element: Mapping[int, int]) -> str:
        """An element of `permutations` as a transformation of the board: `(r, c) -> (c, 7-r)`. Empty if the family does not
        provide it."""
        return ""


class Counting:
    """Optional information that makes enumerating and counting faster, or describes results in more detail.

    docs/how-to/counting.md states which of it is verified.
    """

    options: ClassVar[Mapping[str, Any]] = {}
    """Encoding options that make enumeration faster for every engine; they may omit solutions that `symmetry` restores."""
    searching_options: ClassVar[Mapping[str, Any]] = {}
    """More such options that take time themselves, and pay off only if the formula is searched, not its `exact_cover`."""

    convention: ClassVar[str] = ""
    """The counted solutions, in words, if there is no `symmetry` that could make one of several."""
    encodings: ClassVar[Mapping[str, str]] = {}
    """The best encoding for an engine, by its name, where it is not the default."""
    proving_encoding: ClassVar[str | None] = None
    """The encoding for which the completeness of a list of all solutions is easiest to prove: without variables that are
    equivalent to others, and with clauses that the symmetries map to clauses. None: the default."""

    def symmetry(self, puzzle: Any, blocks: Mapping[str, Block]) -> Symmetry | None:
        """The symmetries of the puzzle; None if solutions are counted without symmetries."""
        return None

    def rotations(self, puzzle: Any, blocks: Mapping[str, Block]) -> Symmetry | None:
        """The rotations and translations among the symmetries, without reflections; None if the family does not provide them."""
        return None

    def exact_cover(self, puzzle: Any, blocks: Mapping[str, Block]) -> ExactCover | None:
        """The same solutions as an exact cover problem over the variables of the formula; None if it is not one."""
        return None

    def antichain(self, puzzle: Any, blocks: Mapping[str, Block]) -> bool:
        """Whether the true projection variables of no solution are a subset of those of another; then blocking clauses need only
        these."""
        cover = self.exact_cover(puzzle, blocks)
        return cover is not None and cover.antichain

    def cubes(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[tuple[int, ...]] | None:
        """Cubes that split a proof: every solution satisfies exactly one of them; None leaves the choice open."""
        return None


class EqualCounting(Counting):
    """For puzzles whose solutions all have the same number of true projection variables, so none is a subset of another."""

    def antichain(self, puzzle: Any, blocks: Mapping[str, Block]) -> bool:
        return True


class Refinement(ABC):
    """A puzzle with lazy constraints: the formula has only constraints that some board violated.

    `formula` states the constraints added so far; adding more appends clauses and changes none. Every solution of the puzzle (one
    of each orbit, without `keeps_all`) is always a model, so the puzzle is unsatisfiable if the formula is. Constraints are
    values of JSON, by default numbers from 0; `added` are those of the formula, in order. `pipeline/cegar.py` contains the loop.
    """

    noun: str
    """The name of the constraints, in the plural."""
    formula: Formula
    encodings: Sequence[str] = ()
    """The encodings that the loop can use, the default first; empty: all of the family."""
    added: list[Any]
    total: int | None
    """The number of all constraints; None if it is not known."""
    keeps_all: bool
    finds_others: ClassVar[bool] = False
    """Whether `another` finds solutions that the formula leaves out, if it has only one."""
    guess: Sequence[int] = ()
    """Literals that are true in some models of most puzzles. The loop assumes them as long as it finds such a model."""

    def another(self, board: Any) -> Any | None:
        """A solution besides this one that the formula may leave out; None if there is none."""
        return None

    @staticmethod
    def helpful_options(puzzle: Any, *, every: bool) -> Mapping[str, Any]:
        """Encoding options that make the loop faster; without `every` they may omit solutions that are symmetric to others."""
        return {}

    @abstractmethod
    def __init__(self, puzzle: Any, encoding: Any, **options: Any):
        """A formula without constraints, from an `Encoding` of the family with these options."""

    @abstractmethod
    def add(self, constraints: Iterable[Any]) -> None:
        """Add these constraints to the formula."""

    def constraint(self, entry: Any) -> Any:
        """The constraint that a value of JSON describes; ValueError if it describes none of this puzzle."""
        if type(entry) is not int or not 0 <= entry < (self.total or 0):
            raise ValueError(f"found {entry!r:.40}, expected a number from 0 to {(self.total or 0) - 1}")
        return entry

    def cuts_text(self) -> str:
        """The added constraints as `cuts.txt` of certificates, which verify.sh checks; empty if it cannot check them."""
        return ""

    @abstractmethod
    def inspect(self, true: Collection[int]) -> tuple[Any, Sequence[Any]]:
        """The board of a model, which may be None if it violates constraints, and all constraints that it violates: none for a
        solution, whatever the encoding is."""

    @abstractmethod
    def decode(self, true: Collection[int]) -> Any:
        """The board of a model, given by its true variables."""

    @abstractmethod
    def choose(self, broken: Sequence[Any], count: int) -> list[Any]:
        """The violated constraints to add, about `count`."""

    @abstractmethod
    def part(self) -> Any:
        """The puzzle of the added constraints alone; with the same encoding, its formula is unsatisfiable if `formula` is."""


class Given(NamedTuple):
    """A given of a puzzle: in `words` (`row 3, column 4 is black`), as JSON, and as literals that are all true if and only if it
    holds on the board."""

    words: str
    entry: Mapping[str, Any]
    literals: tuple[int, ...]


class Givens(ABC):
    """Givens of a puzzle that can be omitted, such as known cells. If a puzzle has no solution, but has one without its givens,
    `pipeline/mus.py` finds a minimal set of givens that contradicts the rest."""

    name: str
    """The name of a given, such as `known cell`; the plural appends an s."""
    rest: str
    """The name of the rest that contradicts them, in the plural: `clues`."""

    def of(self, puzzle: Any) -> Givens:
        """The givens of this puzzle, if families have several kinds."""
        return self

    def remark(self, puzzle: Any) -> str:
        """A remark on the givens as they are, which needs no solver; may be empty."""
        return ""

    @abstractmethod
    def count(self, puzzle: Any) -> int:
        """The number of givens."""

    @abstractmethod
    def entries(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[Given]:
        """All givens, with the blocks of any encoding of the puzzle without them."""

    @abstractmethod
    def only(self, puzzle: Any, numbers: Collection[int]) -> Any:
        """The puzzle with only the givens at these indices of `entries`."""

    def selecting(self, puzzle: Any, encoding: str) -> Cnf | None:
        """For givens without literals: the formula of the puzzle, with the negation of a selector in each clause of a given. The
        selectors are the last variables, in the order of `entries`. None if other clauses depend on the givens."""
        return None

    def boards(self, puzzle: Any, numbers: Collection[int]) -> Sequence[Any]:
        """Two boards for a visual comparison: all givens, and those without these `numbers`. Empty if the family draws none."""
        every = range(self.count(puzzle))
        found = [puzzle.family.blank(each) for each in (puzzle, self.only(puzzle, set(every).difference(numbers)))]
        return [] if None in found else found


Rows = Any
"""A picture, or a board of the same shape: a tuple of rows of values of cells."""

Place = tuple[int, int]
"""Row and column of a cell, from 0 at the top left."""


class Flaw(NamedTuple):
    """A reason why the puzzle of a picture is not as requested: in the cells `differing`, it has another solution, or line logic
    stops.

    `decisive` are the cells that cause it: every picture that agrees with this one in all of them has the same flaw.
    """

    differing: frozenset[Place]
    decisive: frozenset[Place]


DEPTH = 2
"""The default limit on nested assumptions."""
LOOKS = 500_000
"""The default limit on lines that are examined for lookahead; it takes a few seconds."""
Boards = Callable[[], Iterable[Any]]
"""A function that returns solutions of a puzzle that differ in many cells; none if there are none, or if none is found soon."""


class ExplainedStep(NamedTuple):
    """One step in words, and as JSON for replaying it. The family defines the fields; `technique` is one of them."""

    text: str
    fields: Mapping[str, Any]


class Explanation(NamedTuple):
    """The explanation of a puzzle, as far as deduction without search goes.

    `status` is SATISFIABLE if every cell was deduced, so `board` is the only solution; UNSATISFIABLE if no solution remains; else
    UNKNOWN, and `board` has the known cells (None: none). `sentence` states the result and why the explanation ended.
    `difficulty` has numbers and words by name, for the whole puzzle, or for the steps of an unsolved one.
    """

    puzzle: Any
    steps: tuple[ExplainedStep, ...]
    status: str
    sentence: str
    board: Any
    difficulty: Mapping[str, Any] = MappingProxyType({})

    def to_json(self) -> dict[str, Any]:
        """All members except the puzzle and its board, which the family writes."""
        return {"status": self.status, "sentence": self.sentence, "difficulty": dict(self.difficulty)}

    def __repr__(self) -> str:
        return f"<Explanation: {self.sentence}>"
