"""File formats of tilings: each is a module of this folder and a line of `FORMATS`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.jsonfields import from_json, to_json
from cnfgen_puzzles.families.lattice import LATTICES, SQUARE, Cell
from cnfgen_puzzles.families.tiling import burrtools, yamlformat
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup, Shape
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Tiling


def _facts(puzzle: Tiling) -> dict[str, Any]:
    """The parts of a puzzle that a file contains, by their names in messages; a flat puzzle has its cells in one layer of
    cubes."""
    lift = (lambda cell: (0, *cell)) if puzzle.lattice is SQUARE else (lambda cell: cell)
    pieces = puzzle.pieces
    return {
        "the lattice": puzzle.lattice.name,
        "the cells of the board": {lift(cell): kind for cell, kind in puzzle.board.items()},
        "the colors of cells": {lift(cell): color for cell, color in puzzle.colors.items()},
        "rings": puzzle.wrap if any(puzzle.wrap) else (),
        "whether pieces are turned over": (puzzle.reflections, [piece.reflect for piece in pieces]),
        "whether pieces are rotated": (puzzle.rotations, [piece.rotate for piece in pieces]),
        "names of pieces": [piece.name for piece in pieces],
        "shapes of pieces": [{lift(cell) for cell in piece.shape} for piece in pieces],
        "numbers of pieces": [(piece.least, piece.most) for piece in pieces],
        "bounds on groups of pieces": puzzle.groups,
        "labels of cells": {lift(cell): label for cell, label in puzzle.labels.items()},
        "colors of pieces": [piece.colors for piece in pieces],
        "pinned pieces": [{frozenset(map(lift, place)) for place in piece.pinned} for piece in pieces],
        **puzzle.about,
    }


XMPUZZLE = """<puzzle version="2">
<gridType type="0"/>
<shapes>
<voxel x="2" y="1" z="1" name="domino" type="0">##</voxel>
<voxel x="2" y="2" z="1" type="0">####</voxel>
</shapes>
<problems>
<problem><shapes><shape id="0" count="2"/></shapes><result id="1"/></problem>
</problems>
</puzzle>
"""


FORMATS: FormatTable[Tiling] = FormatTable(
    "tiling",
    "a tiling puzzle",
    (
        Format(
            "yaml",
            "YAML",
            (".yaml", ".yml"),
            yamlformat.recognise,
            yamlformat.read,
            yamlformat.write,
            example="size: 2x2\npieces:\n  - piece: domino\n    count: 2\n",
        ),
        Format(
            "burrtools",
            "the .xmpuzzle format of BurrTools",
            (".xmpuzzle", ".xml"),
            burrtools.recognise,
            None,
            burrtools.write,
            burrtools.read_set,
            example=XMPUZZLE,
        ),
    ),
    _facts,
)
read_puzzle = FORMATS.read_puzzle
write_puzzle = FORMATS.write_puzzle


# -- JSON ---------------------------------------------------------------------------------------------------------------


def puzzle_to_json(puzzle: Tiling) -> dict[str, Any]:
    """The puzzle in canonical form: equal puzzles give equal JSON."""
    kinds = {kind: [list(cell) for cell in puzzle.cells if puzzle.board[cell] == kind] for kind in (COVERED, OPTIONAL, EMPTY)}
    if not kinds[EMPTY]:
        del kinds[EMPTY]
    pieces = ({"name": p.name, "shape": to_json(p.shape), "least": p.least, "most": p.most} | to_json(p) for p in puzzle.pieces)
    return {
        "lattice": puzzle.lattice.name,
        **kinds,
        "colors": [[list(cell), color] for cell, color in sorted(puzzle.colors.items())],
        "wrap": list(puzzle.wrap),
        "reflections": puzzle.reflections,
        "rotations": puzzle.rotations,
        "pieces": list(pieces),
        "about": dict(puzzle.about),
        **({"groups": [vars(group) | {"pieces": list(group.pieces)} for group in puzzle.groups]} if puzzle.groups else {}),
        **({"labels": [[list(cell), label] for cell, label in sorted(puzzle.labels.items())]} if puzzle.labels else {}),
    }


@dataclass(frozen=True)
class TilingEntry:
    """The keys that `puzzle_to_json` writes."""

    lattice: str
    covered: Shape
    optional: Shape
    colors: tuple[tuple[Cell, str], ...]
    wrap: tuple[int | None, ...]
    reflections: bool
    rotations: bool
    pieces: tuple[Piece, ...]
    about: Mapping[str, str]
    empty: Shape = ()
    groups: tuple[PieceGroup, ...] = ()
    labels: tuple[tuple[Cell, str], ...] = ()


def puzzle_from_json(entry: Mapping[str, Any]) -> Tiling:
    """The puzzle that `puzzle_to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
    read: TilingEntry = from_json(TilingEntry, entry)
    lattice, colors, labels = LATTICES[read.lattice], dict(read.colors), dict(read.labels)
    listed = {COVERED: read.covered, OPTIONAL: read.optional, EMPTY: read.empty}
    board = {cell: kind for kind, cells in listed.items() for cell in cells}
    if not board or len(board) != sum(map(len, listed.values())) or not colors.keys() | labels.keys() <= board.keys():
        raise ValueError("the board has no cells or repeated cells, or a color or label is on a cell outside the board")
    wrap = read.wrap
    if wrap and (len(wrap) != lattice.dimension or any(p is not None and (p < 1 or p % lattice.period) for p in wrap)):
        raise ValueError(f"{wrap} does not fit the {lattice.name} lattice")
    for cell in (*board, *(cell for piece in read.pieces for cells in (piece.shape, *piece.pinned) for cell in cells)):
        if len(cell) != lattice.dimension or not lattice.has(cell):
            raise ValueError(f"{cell} is not a cell of the {lattice.name} lattice")
    if any(period and not 0 <= x < period for cell in board for x, period in zip(cell, wrap or cell, strict=True) if wrap):
        raise ValueError("a cell lies outside the period of a wrapped board")
    for piece in read.pieces:
        if not piece.shape or len(set(piece.shape)) != piece.size:
            raise ValueError("a piece has no cells, or the same cell twice")
    for group in read.groups:
        if not group.pieces or list(group.pieces) != sorted({n for n in group.pieces if 0 <= n < len(read.pieces)}):
            raise ValueError("a group has no pieces, unsorted pieces, or pieces outside the puzzle")
    for least, most in ((each.least, each.most) for several in (read.pieces, read.groups) for each in several):
        if least < 0 or (most is not None and most < least):
            raise ValueError("the bounds of a piece or a group contradict each other")
    turning = (read.reflections, read.rotations)
    return Tiling(lattice, board, read.pieces, *turning, colors, wrap, read.about, read.groups, labels)
