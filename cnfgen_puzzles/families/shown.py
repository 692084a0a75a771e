"""Puzzles and boards that show themselves: in a notebook as the picture that their family draws, at a prompt in one line.

A puzzle's class derives from `ShownPuzzle`. A board is a plain value, by which it is compared, hashed, unpacked and written as
ever; `shown_board` gives one of the same value that also knows its puzzle.

Not here: how boards are drawn (the families' views).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from cnfgen_puzzles.common import showing


class Draws(Protocol):
    """What is asked of a family here; `Family` says what each is."""

    @property
    def views(self) -> Mapping[str, Any]: ...
    def describe(self, puzzle: Any) -> str: ...
    def blank(self, puzzle: Any) -> Any: ...


class ShownPuzzle:
    """The base of a puzzle's class, which has to be decorated by `@dataclass(frozen=True, repr=False)`.

    Its `repr` is what the family says in `describe`, its picture the board of `Family.blank`.
    """

    family_class: ClassVar[Callable[[], Draws] | None] = None
    """Set by the family that names this class as its `puzzle`."""

    def __repr__(self) -> str:
        kind = type(self)
        return showing.in_brackets(kind.__name__, kind.family_class().describe(self) if kind.family_class else "")

    def _repr_svg_(self) -> str | None:
        kind = type(self)
        return svg_of_puzzle(kind.family_class(), self) if kind.family_class else None


class ShownBoard:
    """What boards have that show themselves: the family and the puzzle that draw it."""

    family: Draws | None = None  # none of a copy by other means than ours
    puzzle: Any = None

    def _repr_svg_(self) -> str | None:
        return svg_of_board(self.family, self.puzzle, self) if self.family else None


class TupleBoard(ShownBoard, tuple[Any, ...]):
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


class TextBoard(ShownBoard, str):
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
