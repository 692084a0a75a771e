"""Labels of cells in puzzle files: drawn as rows of words, a word a place.

    labels: |
      Jan Feb Mar
      1   2   .

`.` is a place without a label. Word k of a row stands in column k, as in a drawing of the board; on hexagons, whose drawings have
gaps, on the k-th hexagon from the first cell of the row. Layers are apart by blank lines. What has blanks in it is written by its
place: `labels: {"0,0": New Year}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.families.tiling.formats.shorttexts import places_cells
from cnfgen_puzzles.families.tiling.model.celldrawing import BLANK, Place, place_of
from cnfgen_puzzles.families.tiling.model.claimedcounts import PREFIX
from cnfgen_puzzles.families.tiling.model.lattice import HEXAGONAL, Cell
from cnfgen_puzzles.families.tiling.model.puzzle import COVERED, EMPTY, Tiling

LONGEST = 20
"""Characters of a label: more would not be seen on a cell."""


def checked(label: str) -> str:
    """The label; InputError for one that cannot be shown on a cell."""
    if not label.strip() or not label.isprintable():
        raise InputError(f"found the label {shortened(label)}, expected signs that can be seen")
    if len(label) > LONGEST:
        raise InputError(f"found a label of {len(label)} characters, {shortened(label)}, expected at most {LONGEST}")
    return label


def read_drawing(puzzle: Tiling, text: str) -> list[tuple[Place, str, int]]:
    """Each label with its place and the line of the drawing on which it stands, from 0."""
    checked_amount("cells", len(text.split()), found=f"a drawing of {len(text.split())} labels")
    firsts = _first_columns(puzzle)
    return list(_labels(puzzle, text, firsts))


def _labels(puzzle: Tiling, text: str, firsts: Mapping[Place, int]) -> Iterator[tuple[Place, str, int]]:
    layer, row = 0, 0
    step = 2 if puzzle.lattice is HEXAGONAL else 1
    for line, content in enumerate(text.split("\n")):
        words = content.split()
        if not words and puzzle.lattice.dimension == 3 and row:
            layer, row = layer + 1, 0
        if not words:
            continue
        above = (layer, row) if puzzle.lattice.dimension == 3 else (row,)
        first = firsts.get(above, row % 2) if puzzle.lattice is HEXAGONAL else 0
        for number, word in enumerate(words):
            if word != BLANK:
                yield (*above, first + step * number), word, line
        row += 1


def _first_columns(puzzle: Tiling) -> dict[Place, int]:
    """For each row (and layer) the column of its first cell."""
    found: dict[Place, int] = {}
    for cell in puzzle.cells:
        *above, column = place_of(puzzle.lattice, cell)
        found[tuple(above)] = min(column, found.get(tuple(above), column))
    return found


def drawing(puzzle: Tiling) -> str | None:
    """The labels as `read_drawing` reads them; None where some cannot be drawn."""
    if any(label == BLANK or len(label.split()) != 1 or label != label.strip() for label in puzzle.labels.values()):
        return None
    hexagons, firsts = puzzle.lattice is HEXAGONAL, _first_columns(puzzle)
    rows: dict[Place, dict[int, str]] = {}
    for cell, label in puzzle.labels.items():
        *above, column = place_of(puzzle.lattice, cell)
        rows.setdefault(tuple(above), {})[(column - firsts[tuple(above)]) // 2 if hexagons else column] = label
    wide = max(map(len, puzzle.labels.values()))
    height = max(above[-1] for above in rows) + 1
    layers = range(max(above[0] for above in rows) + 1) if puzzle.lattice.dimension == 3 else [None]
    return "\n\n".join("\n".join(_row(rows.get((r,) if z is None else (z, r), {}), wide) for r in range(height)) for z in layers)


def _row(labels: Mapping[int, str], wide: int) -> str:
    return " ".join(labels.get(n, BLANK).ljust(wide) for n in range(max(labels, default=0) + 1)).rstrip()


def with_empty(puzzle: Tiling, text: str) -> Tiling:
    """The puzzle with these cells empty and no others: by their labels or their places, apart by blanks or commas with blanks.

    A cell that stayed empty before must be covered then. What is claimed of the solutions is claimed no longer.
    """
    board = {cell: COVERED if kind == EMPTY else kind for cell, kind in puzzle.board.items()}
    known = [text] if text in puzzle.labels.values() else [word.strip(",") for word in text.split()]
    for word in known:
        board[_named(puzzle, word)] = EMPTY
    about = {key: value for key, value in puzzle.about.items() if not key.startswith(PREFIX)}
    return replace(puzzle, board=board, about=about)


def _named(puzzle: Tiling, word: str) -> Cell:
    """The cell with this label, or at this place."""
    cells = [cell for cell, label in puzzle.labels.items() if label == word]
    if len(cells) > 1:
        raise InputError(f"found {shortened(word)}, the label of {len(cells)} cells, expected one or a place such as 3,4")
    if not cells and "," not in word:
        raise InputError(unknown_name("label", word, puzzle.labels.values()) + "; a place is 3,4")
    cells = cells or [puzzle.canonical(cell) for cell in places_cells(puzzle.lattice, word)]
    if cells[0] not in puzzle.board:
        raise InputError(f"found {shortened(word)}, which is no cell of the board")
    return cells[0]


def moved(labels: Mapping[Cell, str], shift: Cell) -> dict[Cell, str]:
    """The labels on a board that is moved."""
    return {tuple(a + b for a, b in zip(cell, shift, strict=True)): label for cell, label in labels.items()}
