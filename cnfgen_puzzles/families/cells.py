"""Families whose boards are grids of cells with one of a few values each.

A family derives from `CellFamily` and defines the appearance of each value. The base class provides text, terminal, SVG, and PNG
views, sheets of many boards, JSON in both directions, and differences between boards (`cellviews.py` draws). A board is a tuple
of rows, each a tuple of values.
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
"""The longest side of a board that is read; a file with a longer side is more likely damaged than large."""


def read_rows(text: str, source: str, signs: str) -> tuple[tuple[int, ...], ...]:
    """The rows of a file of signs, with each sign as its index in `signs`. Blank lines, and comments after a `;`, are ignored.

    InputError with the line of an unknown sign, or of a row whose length differs from the first.
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
    """The text that `read_rows` reads."""
    return "".join("".join(signs[value] for value in row) + "\n" for row in rows)


class CellFamily(Family[P, Cells], Generic[P]):
    """A family whose boards are grids of cells."""

    looks: ClassVar[Mapping[Any, Look]]
    """The appearance of each cell value on every board; a family whose puzzles have their own colors overrides `looks_of`."""
    lettered: bool = False
    """Whether the colors of pictures have letters; then views have the option `letters`, which writes them into the cells."""
    guides: int = 0
    """The distance between thicker grid lines in pictures, which make counting cells easy; 0: none."""

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        """The appearance of each cell value on the boards of this puzzle."""
        return self.looks

    def boxes(self, puzzle: Any) -> tuple[int, int] | None:
        """Rows and columns of the boxes of the board, if the rules define boxes; text and pictures separate them."""
        return None

    def row_clues(self, puzzle: Any) -> Sequence[Sequence[Clue]]:
        """The clues beside each row, from left to right; empty if there are none."""
        return ()

    def column_clues(self, puzzle: Any) -> Sequence[Sequence[Clue]]:
        """The clues above each column, from top to bottom; empty if there are none."""
        return ()

    def given(self, puzzle: Any, row: int, column: int) -> bool:
        """Whether the puzzle determines this cell; pictures give such cells another background."""
        return self.known(puzzle, row, column) is not None

    def known(self, puzzle: Any, row: int, column: int) -> Any:
        """The value of a cell that the puzzle determines; None for other cells. `blank` shows these values."""
        return None

    def shape(self, puzzle: Any) -> tuple[int, int]:
        """The number of rows and columns of the board: by default `height` and `width` of the puzzle."""
        return puzzle.height, puzzle.width

    # -- what follows ---------------------------------------------------------------------------------------------------

    @property
    def views(self) -> Mapping[str, View]:  # type: ignore[override]  # made for each kind of board
        return self.viewer().views()

    def viewer(self) -> CellViews:
        """The object that draws the boards: rectangles of square cells."""
        from cnfgen_puzzles.families.cellviews import CellViews  # encoding a puzzle does not need to import it

        return CellViews(self)

    def blank(self, puzzle: Any) -> Cells:
        rows, columns = self.shape(puzzle)
        return tuple(tuple(self.known(puzzle, r, c) for c in range(columns)) for r in range(rows))

    def misshapen(self, puzzle: Any, board: Cells) -> list[str]:
        """The difference between the shapes of the board and the puzzle in words; empty if they are equal."""
        rows, columns = self.shape(puzzle)
        widths = {len(row) for row in board}
        if len(board) == rows and not widths - {columns}:
            return []
        found = f"{'/'.join(map(str, sorted(widths))) or 0} x {len(board)}"
        return [f"the board has {found} cells, the puzzle {columns} x {rows}"]

    def board_to_json(self, puzzle: Any, board: Cells) -> dict[str, Any]:
        """The size of the board, and its rows as signs."""
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
        """The cells whose signs these rows contain; TypeError or ValueError for other rows."""
        if not (isinstance(rows, list) and all(isinstance(row, str) for row in rows)):
            raise TypeError("found rows of another type, expected a list of strings")
        values = {look.sign: value for value, look in self.looks_of(puzzle).items()}
        if unknown := set().union(*rows) - values.keys():
            raise ValueError(f"found {', '.join(sorted(unknown))} in the rows, expected only {', '.join(values)}")
        return tuple(tuple(values[sign] for sign in row) for row in rows)

    def rows_to_json(self, puzzle: Any, board: Cells) -> list[str]:
        """The rows of a board as signs."""
        looks = self.looks_of(puzzle)
        return ["".join(looks[value].sign for value in row) for row in board]

    def differences(self, puzzle: Any, board: Cells, other: Cells) -> list[str]:
        """The rows and columns in which two boards differ; both count from 1."""
        found = []
        for r, (row, other_row) in enumerate(zip(board, other, strict=True), start=1):
            columns = [str(c) for c, (a, b) in enumerate(zip(row, other_row, strict=True), start=1) if a != b]
            if columns:
                found.append(f"row {r}, column{'s' if len(columns) > 1 else ''} {', '.join(columns)}")
        return found


__all__ = ["CellFamily", "Cells", "Clue", "Look", "read_rows", "write_rows", "written_signs"]
