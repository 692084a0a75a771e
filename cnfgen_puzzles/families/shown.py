"""The base classes of puzzles and boards: a puzzle knows its family, a board its puzzle, and a notebook draws both.

A puzzle's class derives from `Puzzle`. A family decodes a board as a plain value; `shown_board` gives a `Board` that is equal to
it and also knows its puzzle.

Not here: how boards are drawn (the families' views).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from cnfgen_puzzles.common import showing

if TYPE_CHECKING:
    from cnfgen_puzzles.families.family import Family


class Draws(Protocol):
    """What is asked of a family here; `Family` says what each is."""

    @property
    def views(self) -> Mapping[str, Any]: ...
    def describe(self, puzzle: Any) -> str: ...
    def blank(self, puzzle: Any) -> Any: ...


class Puzzle:
    """The base of a puzzle's class, which has to be decorated by `@dataclass(frozen=True, repr=False)`.

    Its `repr` is the family's `describe`, its picture the board of `Family.blank`.
    """

    if TYPE_CHECKING:  # no annotation when it runs: `jsonfields` reads those of the fields
        family: ClassVar[Family]
        """The family that names this class as its `puzzle`, which sets it."""

    def __repr__(self) -> str:
        return showing.in_brackets(type(self).__name__, self.family.describe(self) if hasattr(self, "family") else "")

    def _repr_svg_(self) -> str | None:
        return svg_of_puzzle(self.family, self) if hasattr(self, "family") else None


class Board:
    """A board that knows the puzzle it solves, and its family. It is a tuple or a string as well (`TupleBoard`, `TextBoard`)."""

    family: Draws | None = None  # a copy by other means does not know it
    puzzle: Any = None

    def _repr_svg_(self) -> str | None:
        return svg_of_board(self.family, self.puzzle, self) if self.family else None


class TupleBoard(Board, tuple[Any, ...]):
    """A board that is a tuple: of rows of cells, of pieces."""

    def __repr__(self) -> str:
        return showing.in_brackets("Board", self.family.describe(self.puzzle)) if self.family else tuple.__repr__(self)

    def __str__(self) -> str:
        if self.family is None:
            return tuple.__repr__(self)
        return str(next(iter(self.family.views.values())).draw(self.puzzle, self, None)).rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent elsewhere it is the plain value."""
        return tuple, (list(self),)


class TextBoard(Board, str):
    """A board that is a string, and reads as that."""

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str.__str__(self),)


def shown_board(family: Draws, puzzle: Any, board: Any) -> Any:
    """A board equal to this one that shows itself; a board that is neither a tuple nor a string is given back as it is."""
    kinds: dict[type, type] = {tuple: TupleBoard, str: TextBoard}
    kind = kinds.get(type(board))
    if kind is None:
        return board
    shown = kind(board)
    shown.family, shown.puzzle = family, puzzle
    return shown


# -- pictures -------------------------------------------------------------------------------------------------------------


def svg_of_board(family: Draws, puzzle: Any, board: Any, other: Any = None) -> str | None:
    """The board as the family's first SVG draws it, with what differs from `other`; None without such a view, or if too large."""
    view = next((view for view in family.views.values() if view.suffix == ".svg"), None)
    if view is None:
        return None
    svg = view.draw(puzzle, board, other)
    return svg if isinstance(svg, str) and len(svg) <= showing.MOST_PICTURE else None


def svg_of_puzzle(family: Draws, puzzle: Any) -> str | None:
    """The puzzle before anything is known of its boards; None where the family does not draw that."""
    blank = family.blank(puzzle)
    return None if blank is None else svg_of_board(family, puzzle, blank)


def html_of_board(family: Draws, puzzle: Any, board: Any, other: Any = None) -> str:
    """The board as HTML, with what differs from `other`: its picture, else its text."""
    svg = svg_of_board(family, puzzle, board, other)
    if svg is not None:
        return showing.picture(svg, f"a board of {family.describe(puzzle)}")
    text = str(next(iter(family.views.values())).draw(puzzle, board, other))
    return showing.preformatted(text) if len(text) <= showing.MOST_PICTURE else showing.words(family.describe(puzzle))
