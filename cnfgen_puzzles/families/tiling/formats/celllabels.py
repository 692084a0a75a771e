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

from cnfgen_puzzles.families.tiling.model.celldrawing import BLANK, Place, place_of
from cnfgen_puzzles.families.tiling.model.lattice import HEXAGONAL, Cell
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.inputlimits import checked_amount, shortened

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


def moved(labels: Mapping[Cell, str], shift: Cell) -> dict[Cell, str]:
    """The labels on a board that is moved."""
    return {tuple(a + b for a, b in zip(cell, shift, strict=True)): label for cell, label in labels.items()}
