"""Boards that are grids of cells, each with one of a few values: what such a family says of its cells, and all that follows.

A family derives from `CellFamily` and says how each value looks; text, terminal, SVG, PNG, sheets of many boards, JSON both ways
and the differences of two boards come from here (`cellviews.py` draws). A board is a tuple of rows, each a tuple of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.family import Family, P, View
from cnfgen_puzzles.families.looks import Cells, Clue, Look, written_signs

if TYPE_CHECKING:
    from cnfgen_puzzles.families.cellviews import CellViews

MOST_SIDE = 10_000
"""The longest side of a board that is read; beyond it a file is more likely damaged than large."""


def read_rows(text: str, source: str, signs: str) -> tuple[tuple[int, ...], ...]:
    """The rows of a file of signs, each sign as its place in `signs`; blank lines and what follows a `;` mean nothing.

    InputError with the line of a sign that is not known, and of a row that is not as long as the first.
    """
    rows: list[tuple[int, ...]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        content = line.partition(";")[0].strip()
        if unknown := next((sign for sign in content if sign not in signs), None):
            raise InputError(f"found {unknown!r}, expected only {signs}", source=source, line=number)
        if rows and content and len(content) != len(rows[0]):
            raise InputError(f"found {len(content)} cells, expected {len(rows[0])} as above", source=source, line=number)
        if content:
            rows.append(tuple(map(signs.index, content)))
    if not rows:
        raise InputError("found no rows, expected some", source=source, line=1)
    return tuple(rows)


def write_rows(rows: Iterable[Iterable[int]], signs: str) -> str:
    """The file that `read_rows` reads."""
    return "".join("".join(signs[value] for value in row) + "\n" for row in rows)


class CellFamily(Family[P, Cells], Generic[P]):
    """A family whose boards are grids of cells: how they look, and what follows."""

    looks: ClassVar[Mapping[Any, Look]]
    """How each value of a cell looks, on every board; a family whose puzzles have colors of their own overrides `looks_of`."""
    lettered: bool = False
    """Whether pictures have colors that have letters: then views take the option `letters`, which writes them into the cells."""
    guides: int = 0
    """In pictures the line after so many cells is a thicker one, which makes cells easy to count; 0: none is."""

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        """How each value of a cell looks on the boards of this puzzle."""
        return self.looks

    def boxes(self, puzzle: Any) -> tuple[int, int] | None:
        """Rows and columns of the boxes into which the rules divide the board, if they do: set apart in text and pictures."""
        return None

    def row_clues(self, puzzle: Any) -> Sequence[Sequence[str | Clue]]:
        """What stands beside each row, from left to right; empty where nothing does."""
        return ()

    def column_clues(self, puzzle: Any) -> Sequence[Sequence[str | Clue]]:
        """What stands above each column, from top to bottom."""
        return ()

    def given(self, puzzle: Any, row: int, column: int) -> bool:
        """Whether the puzzle says what this cell is: such cells have a ground of their own in pictures."""
        return self.known(puzzle, row, column) is not None

    def known(self, puzzle: Any, row: int, column: int) -> Any:
        """The value of a cell that the puzzle itself says, where it does: what `blank` shows there."""
        return None

    def shape(self, puzzle: Any) -> tuple[int, int]:
        """Rows and columns of the board: by default the puzzle's `height` and `width`."""
        return puzzle.height, puzzle.width

    # -- what follows ---------------------------------------------------------------------------------------------------

    @property
    def views(self) -> Mapping[str, View]:  # type: ignore[override]  # made for each kind of board
        return self.viewer().views()

    def viewer(self) -> CellViews:
        """What draws the boards: rectangles of square cells."""
        from cnfgen_puzzles.families.cellviews import CellViews  # drawing is not needed to encode a puzzle

        return CellViews(self)

    def blank(self, puzzle: Any) -> Cells:
        rows, columns = self.shape(puzzle)
        return tuple(tuple(self.known(puzzle, r, c) for c in range(columns)) for r in range(rows))

    def misshapen(self, puzzle: Any, board: Cells) -> list[str]:
        """In words that the board has not as many cells as the puzzle; empty if it has."""
        rows, columns = self.shape(puzzle)
        widths = {len(row) for row in board}
        if len(board) == rows and not widths - {columns}:
            return []
        found = f"{'/'.join(map(str, sorted(widths))) or 0} x {len(board)}"
        return [f"the board has {found} cells, the puzzle {columns} x {rows}"]

    def board_to_json(self, puzzle: Any, board: Cells) -> dict[str, Any]:
        """The board's size, and its rows in signs."""
        return {"width": len(board[0]), "height": len(board), "rows": self.rows_to_json(puzzle, board)}

    def board_from_json(self, puzzle: Any, entry: Any) -> Cells:
        width, height, rows = entry["width"], entry["height"], entry["rows"]
        cells = self.cells_from_json(puzzle, rows)
        if not 1 <= len(rows) <= MOST_SIDE or len(rows) != height or any(len(row) != width for row in rows):
            raise ValueError(f"found {len(rows)} rows, expected {height} of {width} cells each")
        if (height, width) != self.shape(puzzle):
            raise ValueError(f"found {height} rows of {width} cells, the puzzle has {' of '.join(map(str, self.shape(puzzle)))}")
        return cells

    def cells_from_json(self, puzzle: Any, rows: Any) -> Cells:
        """The cells whose signs these rows have; TypeError or ValueError for others."""
        if not (isinstance(rows, list) and all(isinstance(row, str) for row in rows)):
            raise TypeError("found rows of another type, expected a list of strings")
        values = {look.sign: value for value, look in self.looks_of(puzzle).items()}
        if unknown := set().union(*rows) - values.keys():
            raise ValueError(f"found {', '.join(sorted(unknown))} in the rows, expected only {', '.join(values)}")
        return tuple(tuple(values[sign] for sign in row) for row in rows)

    def rows_to_json(self, puzzle: Any, board: Cells) -> list[str]:
        """The rows of a board in signs."""
        looks = self.looks_of(puzzle)
        return ["".join(looks[value].sign for value in row) for row in board]

    def differences(self, puzzle: Any, board: Cells, other: Cells) -> list[str]:
        """The rows in which two boards differ, with the columns; both count from 1."""
        found = []
        for r, (row, other_row) in enumerate(zip(board, other, strict=True), start=1):
            columns = [str(c) for c, (a, b) in enumerate(zip(row, other_row, strict=True), start=1) if a != b]
            if columns:
                found.append(f"row {r}, column{'s' if len(columns) > 1 else ''} {', '.join(columns)}")
        return found


__all__ = ["CellFamily", "Cells", "Clue", "Look", "read_rows", "write_rows", "written_signs"]
