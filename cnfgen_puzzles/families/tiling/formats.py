"""Tiling files: a format is one module of this folder and one line of `FORMATS`.

Not here: what a puzzle means (`puzzle.py`), the options that describe a puzzle without a file (`options.py`), how a format
is found (`families/fileformats.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.tiling import burrtools, dlx, yamlformat
from cnfgen_puzzles.families.tiling.lattice import LATTICES, SQUARE, Cell, Lattice
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Tiling


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
        Format("yaml", "the project's own YAML", (".yaml", ".yml"), yamlformat.recognise, yamlformat.read, yamlformat.write),
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


# -- JSON ---------------------------------------------------------------------------------------------------------------


def puzzle_to_json(puzzle: Tiling) -> dict[str, Any]:
    """The puzzle in canonical form: equal puzzles give equal JSON."""
    kinds = {kind: [list(cell) for cell in puzzle.cells if puzzle.board[cell] == kind] for kind in (COVERED, OPTIONAL, EMPTY)}
    if not kinds[EMPTY]:
        del kinds[EMPTY]
    return {
        "lattice": puzzle.lattice.name,
        **kinds,
        "colours": [[list(cell), colour] for cell, colour in sorted(puzzle.colours.items())],
        "wrap": list(puzzle.wrap),
        "reflections": puzzle.reflections,
        "rotations": puzzle.rotations,
        "pieces": [_piece_to_json(piece) for piece in puzzle.pieces],
        "about": dict(puzzle.about),
        **({"groups": [vars(group) | {"pieces": list(group.pieces)} for group in puzzle.groups]} if puzzle.groups else {}),
        **({"labels": [[list(cell), label] for cell, label in sorted(puzzle.labels.items())]} if puzzle.labels else {}),
    }


def _piece_to_json(piece: Piece) -> dict[str, Any]:
    """What a piece leaves open is left out."""
    entry: dict[str, Any] = {
        "name": piece.name,
        "shape": [list(cell) for cell in piece.shape],
        "least": piece.least,
        "most": piece.most,
    }
    if piece.reflect is not None:
        entry["reflect"] = piece.reflect
    if piece.rotate is not None:
        entry["rotate"] = piece.rotate
    if piece.colours is not None:
        entry["colours"] = sorted(piece.colours)
    if piece.pinned:
        entry["pinned"] = [[list(cell) for cell in sorted(place)] for place in piece.pinned]
    return entry


def puzzle_from_json(entry: Mapping[str, Any]) -> Tiling:
    """The puzzle that `puzzle_to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
    lattice = LATTICES[_of(str, entry["lattice"])]
    board: dict[Cell, str] = {}
    listed = {COVERED: entry[COVERED], OPTIONAL: entry[OPTIONAL], EMPTY: entry.get(EMPTY, ())}
    for kind, cells in listed.items():
        board |= dict.fromkeys(_cells(lattice, cells), kind)
    colours = {_cell(lattice, cell): _of(str, colour) for cell, colour in entry["colours"]}
    wrap = tuple(None if period is None else _of(int, period) for period in entry["wrap"])
    if not board or len(board) != sum(map(len, listed.values())) or not colours.keys() <= board.keys():
        raise ValueError("the cells of the board are none, are repeated, or some that have a colour are not among them")
    if wrap and (len(wrap) != lattice.dimension or any(p is not None and (p < 1 or p % lattice.period) for p in wrap)):
        raise ValueError(f"{wrap} is no wrapping of the {lattice.name} lattice")
    if any(not 0 <= x < period for cell in board for x, period in zip(cell, wrap) if period):  # noqa: B905
        raise ValueError("a cell lies outside the period of a wrapped board")
    pieces = tuple(_piece(lattice, piece) for piece in entry["pieces"])
    about = {_of(str, key): _of(str, value) for key, value in _of(dict, entry["about"]).items()}
    turning = (_of(bool, entry["reflections"]), _of(bool, entry["rotations"]))
    groups = tuple(_group(len(pieces), group) for group in entry.get("groups", ()))
    labels = {_cell(lattice, cell): _of(str, label) for cell, label in entry.get("labels", ())}
    if not labels.keys() <= board.keys():
        raise ValueError("some cells that have a label are not among those of the board")
    return Tiling(lattice, board, pieces, *turning, colours, wrap, about, groups, labels)


def _group(pieces: int, entry: Mapping[str, Any]) -> PieceGroup:
    numbers, least, most = tuple(_of(int, number) for number in entry["pieces"]), _of(int, entry["least"]), entry["most"]
    if not numbers or list(numbers) != sorted({number for number in numbers if 0 <= number < pieces}):
        raise ValueError("the pieces of a group are none, are not in order, or are not among those of the puzzle")
    if least < 0 or (most is not None and _of(int, most) < least):
        raise ValueError("a group has bounds that contradict each other")
    return PieceGroup(numbers, least, most)


def _piece(lattice: Lattice, entry: Mapping[str, Any]) -> Piece:
    least, most = _of(int, entry["least"]), entry["most"]
    shape = _cells(lattice, entry["shape"])
    if not shape or len(set(shape)) != len(shape) or least < 0 or (most is not None and _of(int, most) < least):
        raise ValueError("a piece has no cells, the same cell twice, or bounds on its number that contradict each other")
    reflect, rotate = (None if entry.get(key) is None else _of(bool, entry[key]) for key in ("reflect", "rotate"))
    colours = None if entry.get("colours") is None else frozenset(_of(str, colour) for colour in entry["colours"])
    pinned = tuple(frozenset(_cells(lattice, place)) for place in entry.get("pinned", ()))
    return Piece(_of(str, entry["name"]), tuple(shape), least, most, reflect, rotate, colours, pinned)


def _cells(lattice: Lattice, entry: Collection[Any]) -> list[Cell]:
    return [_cell(lattice, cell) for cell in entry]


def _cell(lattice: Lattice, entry: Iterable[Any]) -> Cell:
    cell = tuple(_of(int, x) for x in entry)
    if len(cell) != lattice.dimension or not lattice.has(cell):
        raise ValueError(f"{cell} is no cell of the {lattice.name} lattice")
    return cell


def _of(kind: type, value: Any) -> Any:
    """The value, which must be of exactly this type (`true` is no number)."""
    if type(value) is not kind:
        raise TypeError(f"found {value!r}, expected {kind.__name__}")
    return value
