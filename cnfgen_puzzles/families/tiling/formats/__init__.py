"""Tiling files: a format is one module of this folder and one line of `FORMATS`.

Not here: what a puzzle means (`model/puzzle.py`), the options that describe a puzzle without a file (`options.py`), how a format
is found (`families/fileformats.py`).
"""

from __future__ import annotations

from typing import Any

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.tiling.formats import burrtools, dlx, yamlfile, yamlwriter
from cnfgen_puzzles.families.tiling.model.lattice import SQUARE
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling


def _facts(puzzle: Tiling) -> dict[str, Any]:
    """All that a file says of a puzzle, by the words for it; a flat puzzle has its cells where a layer of cubes has them."""
    lift = (lambda cell: (0, *cell)) if puzzle.lattice is SQUARE else (lambda cell: cell)
    pieces = puzzle.pieces
    return {
        "the lattice": puzzle.lattice.name,
        "the cells of the board": {lift(cell): kind for cell, kind in puzzle.board.items()},
        "the colours of cells": {lift(cell): colour for cell, colour in puzzle.colours.items()},
        "rings": puzzle.wrap if any(puzzle.wrap) else (),
        "whether pieces are turned over": (puzzle.reflections, [piece.reflect for piece in pieces]),
        "whether pieces are rotated": (puzzle.rotations, [piece.rotate for piece in pieces]),
        "names of pieces": [piece.name for piece in pieces],
        "shapes of pieces": [{lift(cell) for cell in piece.shape} for piece in pieces],
        "numbers of pieces": [(piece.least, piece.most) for piece in pieces],
        "bounds on groups of pieces": puzzle.groups,
        "labels of cells": {lift(cell): label for cell, label in puzzle.labels.items()},
        "colours of pieces": [piece.colours for piece in pieces],
        "pinned pieces": [{frozenset(map(lift, place)) for place in piece.pinned} for piece in pieces],
        **puzzle.about,
    }


FORMATS: FormatTable[Tiling] = FormatTable(
    "tiling",
    "a tiling puzzle",
    (
        Format("yaml", "the project's own YAML", (".yaml", ".yml"), yamlfile.recognise, yamlfile.read, yamlwriter.write),
        Format(
            "burrtools",
            "BurrTools' .xmpuzzle",
            (".xmpuzzle", ".xml"),
            burrtools.recognise,
            None,
            burrtools.write,
            burrtools.read_set,
            claims=burrtools.claims,
        ),
        Format("dlx", "Knuth's DLX exact cover (written only)", (".dlx",), dlx.recognise, write=dlx.write, lost=dlx.lost),
    ),
    _facts,
)
read_puzzle = FORMATS.read_puzzle
write_puzzle = FORMATS.write_puzzle
