"""What a puzzle family is: the object by which everything else reads, encodes, decodes, checks and draws a puzzle.

Only what the family alone can know must be written: its name, formats and encodings, how a model becomes a board, and the rules.
All else has a default. Families whose boards are grids of cells begin with `cells.CellFamily`; what is optional besides (counting
faster, solving piece by piece, being made of pictures or regions) stands in `capabilities.py`. To add a family, see
docs/adding-a-family.md.

A family knows nothing of solvers, files on disk or commands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self, TypeVar

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.families import jsonfields
from cnfgen_puzzles.families.capabilities import Counting, Cutting, Givens, Making, Refinement
from cnfgen_puzzles.families.explaining import Explaining
from cnfgen_puzzles.families.fileformats import FormatTable
from cnfgen_puzzles.families.options import Option, checked_options
from cnfgen_puzzles.families.shown import Puzzle
from cnfgen_puzzles.formula import Block, Formula

MOST_SHOWN = 6
"""So many reasons why a puzzle has no solution are told."""


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

    `check(**options)` raises InputError for options that cannot be together, without making anything. `truth` is SATISFIABLE or
    UNSATISFIABLE where every puzzle it makes is.
    """

    name: str
    summary: str
    make: Callable[..., Any]
    options: tuple[Option, ...] = ()
    check: Callable[..., Any] | None = None
    truth: str | None = None


@dataclass(frozen=True)
class View:
    """One way to show a board: `draw(puzzle, board, other)` gives str or bytes; cells that differ from `other` are marked.

    `sheet(puzzle, boards)` shows many on one page; a view without it shows them one after the other. Both take the `options` as
    keywords; `Family.view` gives the view with some of them chosen.
    """

    name: str
    summary: str
    draw: Callable[..., str | bytes]
    suffix: str
    sheet: Callable[..., str | bytes] | None = None
    options: tuple[Option, ...] = ()


Named = TypeVar("Named", Encoding, Generator, View)


def by_name(*entries: Named) -> dict[str, Named]:
    """A table of encodings, generators or views; the first one is the default."""
    return {entry.name: entry for entry in entries}


class Family(ABC):
    """A puzzle family; one object of each is listed in `families.BUILT_IN` or under the entry point `cnfgen_puzzles.families`."""

    def __new__(cls) -> Self:
        """The class of its puzzles learns which family they belong to."""
        family = super().__new__(cls)
        puzzle = cls.__dict__.get("puzzle")
        if isinstance(puzzle, type) and issubclass(puzzle, Puzzle):
            puzzle.family = family
        return family

    def __repr__(self) -> str:
        return showing.in_brackets("Family", self.name, self.summary)

    # -- what must be written -------------------------------------------------------------------------------------------

    name: str
    summary: str
    """What the puzzles are, in the plural: `black and white nonograms`."""
    puzzle: Any
    """The class of the puzzles: a frozen dataclass."""
    formats: FormatTable[Any]
    encodings: Mapping[str, Encoding]
    """By name, the default first (`by_name`)."""

    @abstractmethod
    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Any:
        """The board that a model with these true variables stands for; it is not checked here. The variables of the projection
        set are enough."""

    @abstractmethod
    def check(self, puzzle: Any, board: Any) -> list[str]:
        """The rules that the board breaks, in words; empty for a solution. Independent of every encoding."""

    # -- what may be written --------------------------------------------------------------------------------------------

    board: Any = Any
    """The type of the boards, as `jsonfields` reads it."""
    reads_file: bool = True
    """False for a family whose puzzles may be given by options alone."""
    examples: Sequence[str] = ()
    """What may stand in a command after the family's name, the plainest first, for helps: `cat.nin`, `--board 6x10 ...`."""
    counting: Counting = Counting()
    givens: Givens | None = None
    """What of a puzzle may contradict the rest of it; None: nobody asks which."""

    @property
    def refinement(self) -> type[Refinement] | None:
        """How a puzzle too large for one formula is solved piece by piece; None: always by the whole formula."""
        return None

    @property
    def making(self) -> Making | None:
        """How puzzles are made of pictures; None: they are not."""
        return None

    @property
    def cutting(self) -> Cutting | None:
        """How puzzles are made by cutting a region into pieces; None: they are not."""
        return None

    @property
    def explaining(self) -> Explaining | None:
        """How puzzles are solved by thought, step by step; None: they are not."""
        return None

    @property
    def options(self) -> tuple[Option, ...]:
        """What `read` takes besides the file."""
        return self.formats.options

    @property
    def generators(self) -> Mapping[str, Generator]:
        """Ways to make puzzles at random, by name."""
        return {}

    @property
    def views(self) -> Mapping[str, View]:
        """Ways to show a board, by name."""
        return by_name(View("text", "the board as it is", lambda puzzle, board, other: f"{board}\n", ".txt"))

    def parse(self, source: Source | None, **options: Any) -> Any:
        """The puzzle in `source` (None: given by the options alone); the options have been checked one by one."""
        if source is None:
            raise InputError(f"a {self.name} comes from a file, but none is given")
        return self.formats.read_puzzle(source, options.get("format"), options.get("number"))

    def puzzle_to_json(self, puzzle: Any) -> dict[str, Any]:
        """The puzzle in canonical form, for the variable map."""
        entry: dict[str, Any] = jsonfields.to_json(puzzle)
        return entry

    def puzzle_from_json(self, entry: Mapping[str, Any]) -> Any:
        """The puzzle that `puzzle_to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
        return jsonfields.from_json(self.puzzle, entry)

    def board_to_json(self, puzzle: Any, board: Any) -> Any:
        """The board as JSON."""
        return jsonfields.to_json(board)

    def board_from_json(self, puzzle: Any, entry: Any) -> Any:
        """The board that `board_to_json` described, not checked against the rules; KeyError, TypeError or ValueError if none."""
        return jsonfields.from_json(self.board, entry)

    def differences(self, puzzle: Any, board: Any, other: Any) -> list[str]:
        """The places in which two boards differ, in words."""
        return [] if board == other else [f"{board} and {other}"]

    def impossible(self, puzzle: Any) -> str | None:
        """An argument that proves that the puzzle has no solution, without any search; None if there is none so plain.

        `solve`, `unique` and `count` give this verdict at once and call no solver. By default what `puzzle.contradictions()`
        lists (each shows it alone, so that the first few are enough), where the puzzle has that method.
        """
        found: list[str] = getattr(puzzle, "contradictions", list)()
        more = [f"and {len(found) - MOST_SHOWN} more"] if len(found) > MOST_SHOWN else []
        return "; ".join([*found[:MOST_SHOWN], *more]) or None

    def working(self, puzzle: Any) -> Sequence[str]:
        """The numbers behind `impossible`, in lines that a person can add up; empty where the argument says it all."""
        return ()

    def plain_model(self, puzzle: Any, blocks: Mapping[str, Block]) -> Collection[int] | None:
        """The true variables of a model of the puzzle's formula with these blocks, found without a solver and in less time than
        one takes to start; None if there is none so plain. `unique` checks it as it checks a solver's, and asks for another one.
        """
        return None

    def guesses(self, puzzle: Any) -> Callable[[Mapping[str, Block]], Iterator[Sequence[int]]] | None:
        """Boards that are nearly right, one after the other, each as literals of a formula with the blocks that are given; None
        if it has none for this puzzle. A solver takes their values first (`guided`, docs/hardest.md); none is believed.
        """
        return None

    def size(self, puzzle: Any) -> dict[str, int]:
        """How large it is, by names such as `cells`, the most telling first: against what times are plotted."""
        return {"cells": puzzle.width * puzzle.height} if hasattr(puzzle, "width") and hasattr(puzzle, "height") else {}

    def describe(self, puzzle: Any) -> str:
        """A few words for tables and comments, such as `20x20 nonogram "Cat"`."""
        sides = f"{puzzle.width}x{puzzle.height} " if hasattr(puzzle, "width") and hasattr(puzzle, "height") else ""
        title = getattr(puzzle, "title", "") or getattr(puzzle, "about", {}).get("title", "")
        return f"{sides}{self.name}" + (f' "{title}"' if title else "")

    def blank(self, puzzle: Any) -> Any | None:
        """What the views draw of the puzzle alone: a board of which nothing is known; None where they cannot."""
        return None

    def rules_in_awk(self, puzzle: Any, board: Any) -> tuple[str, str] | None:
        """A program for awk, and the board as text for it: exit code 0 if the board obeys the rules, else 1 and what is wrong.

        It has the numbers of the puzzle in it and no text of a user's, and goes into certificates, for who trusts no encoding.
        None where there is no such program, or where it would take minutes.
        """
        return None

    def small_puzzles(self) -> Iterable[Puzzle]:
        """A few puzzles so small that all their boards can be tried, with and without solutions: for `testing.check_family`."""
        return ()

    # -- what is the same for all ---------------------------------------------------------------------------------------

    @property
    def default_encoding(self) -> str:
        """The encoding that is used where none is named: the first."""
        return next(iter(self.encodings))

    def read(self, source: Source | None = None, **options: Any) -> Any:
        """The puzzle in `source` (None: given by the options alone); InputError names file and line, or the option."""
        return self.parse(source, **checked_options(self.options, options, f"the family {self.name}"))

    def write(self, puzzle: Any, format: str) -> str:
        """The puzzle as a file of that format."""
        return self.formats.write_puzzle(puzzle, format)

    def generate(self, name: str, seed: int, **options: Any) -> Any:
        """A puzzle by the generator of that name."""
        if name not in self.generators:
            raise InputError(unknown_name(f"generator of {self.name}", name, self.generators))
        generator = self.generators[name]
        return generator.make(seed, **checked_options(generator.options, options, f"the generator {name}"))

    def encoding(self, name: str | None = None) -> Encoding:
        """The encoding of that name; the default for None."""
        name = name or self.default_encoding
        if name not in self.encodings:
            raise InputError(unknown_name(f"{self.name} encoding", name, self.encodings))
        return self.encodings[name]

    def encoding_options(self, name: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options of an encoding, checked."""
        encoding = self.encoding(name)
        return checked_options(encoding.options, options, f"the {self.name} encoding {encoding.name}")

    def encode(self, puzzle: Any, encoding: str | None = None, **options: Any) -> Formula:
        """The formula whose models, projected, are the puzzle's boards."""
        return self.encoding(encoding).build(puzzle, **self.encoding_options(encoding, options))

    def view(self, name: str, **options: Any) -> View:
        """The view of that name, with these options."""
        if name not in self.views:
            raise InputError(unknown_name(f"{self.name} view", name, self.views))
        view = self.views[name]
        how = checked_options(view.options, options, f"the {self.name} view {name}")
        if not how:
            return view
        return replace(view, draw=partial(view.draw, **how), sheet=view.sheet and partial(view.sheet, **how))
