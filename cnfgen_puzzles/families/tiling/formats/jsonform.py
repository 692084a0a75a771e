"""A tiling puzzle as JSON and back, exactly: the form in which the variable map carries it.

    {"lattice": "square", "covered": [[0, 0], [0, 1]], "optional": [], "colours": [], "wrap": [], "reflections": true,
     "rotations": true, "pieces": [{"name": "domino", "shape": [[0, 0], [0, 1]], "least": 1, "most": 1}], "about": {}}

`"groups": [{"pieces": [0, 2], "least": 1, "most": 1}]`, `"labels": [[[0, 0], "Mar"]]` and `"empty": [[0, 1]]` are there where the
puzzle has any.

Not for people: puzzle files are in `formats/`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from cnfgen_puzzles.families.tiling.model.lattice import LATTICES, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.pieces import Piece, PieceGroup
from cnfgen_puzzles.families.tiling.model.puzzle import COVERED, EMPTY, OPTIONAL, Tiling


def to_json(puzzle: Tiling) -> dict[str, Any]:
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


def from_json(entry: Mapping[str, Any]) -> Tiling:
    """The puzzle that `to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
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
