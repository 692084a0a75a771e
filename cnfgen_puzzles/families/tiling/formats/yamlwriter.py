"""Writing the project's own format, as `yamlfile.py` reads it: what has a name is named, all else is drawn.

A board that is a whole rectangle or box is written as its size. Cells with negative coordinates cannot be drawn, so such a puzzle
is moved as a whole.
"""

from __future__ import annotations

import re
import string
from dataclasses import replace

import yaml

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.tiling.formats import celllabels, shorttexts
from cnfgen_puzzles.families.tiling.formats.piecegroups import ALL
from cnfgen_puzzles.families.tiling.model import piecesets
from cnfgen_puzzles.families.tiling.model.celldrawing import draw, place_of, to_corner
from cnfgen_puzzles.families.tiling.model.claimedcounts import PREFIX, claims_of
from cnfgen_puzzles.families.tiling.model.lattice import CUBIC, SQUARE, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.pieces import Piece
from cnfgen_puzzles.families.tiling.model.puzzle import COVERED, EMPTY, OPTIONAL, Tiling, box

PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 .,'()/+*_-]*[A-Za-z0-9.)'])?")
SIGNS = [sign for sign in string.ascii_lowercase + string.ascii_uppercase + string.digits if sign not in "oX"]


def write(puzzle: Tiling) -> str:
    """The puzzle as a file."""
    puzzle = _moved(puzzle)
    empty = [cell for cell, kind in puzzle.board.items() if kind == EMPTY]
    puzzle = replace(puzzle, board={**puzzle.board, **dict.fromkeys(empty, COVERED)})
    lines = [f"{key}: {_text(puzzle.about[key])}" for key in ("title", "author", "source", "description") if key in puzzle.about]
    if puzzle.lattice is not SQUARE:
        lines.append(f"lattice: {puzzle.lattice.name}")
    lines += _board_lines(puzzle)
    if any(puzzle.wrap):
        axes = zip(shorttexts.AXES[puzzle.lattice.name], puzzle.wrap, strict=True)
        lines.append(f"wrap: {{{', '.join(f'{axis}: {period // puzzle.lattice.period}' for axis, period in axes if period)}}}")
    if puzzle.reflections == (puzzle.lattice is CUBIC):
        lines.append(f"reflections: {_bool(puzzle.reflections)}")
    if not puzzle.rotations:
        lines.append("rotations: false")
    lines += _labels_lines(puzzle)
    lines += [f"empty: {_text(shorttexts.places_text(puzzle.lattice, empty))}"] if empty else []
    lines += ["pieces:", *_pieces_lines(puzzle)] if puzzle.pieces else ["pieces: []"]
    lines += _groups_lines(puzzle)
    return "\n".join([*lines, *_claims_lines(puzzle), ""])


def _moved(puzzle: Tiling) -> Tiling:
    """The puzzle, moved if some of its cells cannot be drawn."""
    if any(min(place_of(puzzle.lattice, cell)) < 0 for cell in puzzle.cells):
        shift = to_corner(puzzle.lattice, puzzle.cells)

        def move(cell: Cell) -> Cell:
            return tuple(a + b for a, b in zip(cell, shift, strict=True))

        board = {move(cell): kind for cell, kind in puzzle.board.items()}
        colours = {move(cell): colour for cell, colour in puzzle.colours.items()}
        pieces = tuple(replace(p, pinned=tuple(frozenset(map(move, place)) for place in p.pinned)) for p in puzzle.pieces)
        labels = celllabels.moved(puzzle.labels, shift)
        return replace(puzzle, board=board, colours=colours, pieces=pieces, labels=labels)
    return puzzle


def _board_lines(puzzle: Tiling) -> list[str]:
    """`size`, or `board` with its legend."""
    sides = shorttexts.extents(puzzle.lattice, puzzle.cells)
    if puzzle.lattice in (SQUARE, CUBIC) and not puzzle.colours and puzzle.board == box(*sides):
        return [f"size: {'x'.join(map(str, sides))}"]
    kinds: dict[tuple[str, str | None], str] = {(COVERED, None): "X", (OPTIONAL, None): "o"}
    coloured = sorted({(puzzle.board[cell], colour) for cell, colour in puzzle.colours.items()})
    if len(coloured) > len(SIGNS):
        raise InputError(f"found {len(coloured)} kinds of coloured cells, expected at most {len(SIGNS)} in a drawing")
    kinds |= dict(zip(coloured, SIGNS, strict=False))
    signs = {place_of(puzzle.lattice, cell): kinds[kind, puzzle.colours.get(cell)] for cell, kind in puzzle.board.items()}
    lines = ["board: |", *_block(draw(puzzle.lattice, signs))]
    if coloured:
        lines.append("legend:")
        for kind, colour in coloured:
            if re.search(r"\s", colour) or colour in ("", "covered", "optional", "none"):
                raise InputError(f"found the colour {colour!r}, expected a word other than covered, optional and none")
            lines.append(f"  {_text(kinds[kind, colour])}: {_text(colour if kind == COVERED else f'{kind} {colour}')}")
    return lines


def _labels_lines(puzzle: Tiling) -> list[str]:
    """The labels drawn; by their places where they are no words."""
    if not puzzle.labels:
        return []
    drawing = celllabels.drawing(puzzle)
    if drawing is not None:
        return ["labels: |", *_block(drawing)]
    places = ((shorttexts.places_text(puzzle.lattice, [cell]), label) for cell, label in sorted(puzzle.labels.items()))
    return ["labels:", *(f'  "{place}": {_text(label)}' for place, label in places)]


def _block(drawing: str, indent: str = "  ") -> list[str]:
    return [indent + line if line else "" for line in drawing.split("\n")]


# -- pieces -------------------------------------------------------------------------------------------------------------


def _pieces_lines(puzzle: Tiling) -> list[str]:
    """An entry for every set that stands in a row, and for every other piece."""
    lines: list[str] = []
    at = 0
    while at < len(puzzle.pieces):
        piece = puzzle.pieces[at]
        known = _set_from(puzzle, at)
        if known is not None:
            entry, base, at = {"set": known.name}, known.pieces[0], at + len(known.pieces)
        else:
            entry, base, at = *_piece_entry(puzzle.lattice, piece), at + 1
        for number, (key, value) in enumerate((entry | _details(puzzle, piece, base)).items()):
            lead = "    " if number else "  - "
            lines += [f"{lead}{key}: |", *_block(value, " " * 6)] if key == "art" else [f"{lead}{key}: {value}"]
    return lines


def _set_from(puzzle: Tiling, at: int) -> piecesets.PieceSet | None:
    """The set that the pieces from this one on are, all of them used alike."""
    first = puzzle.pieces[at]
    if first.pinned:
        return None
    uses = {key: getattr(first, key) for key in ("least", "most", "colours", "reflect", "rotate")}
    for known in piecesets.known_sets(puzzle.lattice, first.size):
        alike = tuple(replace(piece, **uses) for piece in known.pieces)
        if puzzle.pieces[at : at + len(alike)] == alike and _can_be_said(first, known.pieces[0]):
            return known
    return None


def _can_be_said(piece: Piece, base: Piece) -> bool:
    """Whether an entry can turn what the known piece says of turning into what this one says: it cannot take a word back."""
    return all(getattr(piece, key) is not None or getattr(base, key) is None for key in ("reflect", "rotate"))


def _piece_entry(lattice: Lattice, piece: Piece) -> tuple[dict[str, str], Piece]:
    """The piece by its name if it is known by that, else its drawing; and the piece that this alone would be."""
    known = piecesets.known_piece(lattice, piece)
    if known is not None and _can_be_said(piece, known[1]):
        return {"piece": known[0]}, known[1]
    shift = to_corner(lattice, piece.shape)
    places = {place_of(lattice, tuple(a + b for a, b in zip(cell, shift, strict=True))): "X" for cell in piece.shape}
    entry = {"name": _text(piece.name), "art": draw(lattice, places)}
    if not lattice.connected(piece.shape):
        entry["disconnected"] = "true"
    return entry, Piece(piece.name, piece.shape)


def _details(puzzle: Tiling, piece: Piece, base: Piece) -> dict[str, str]:
    """What an entry says beside the shape."""
    found: dict[str, str] = {}
    if (piece.least, piece.most) != (1, 1) or puzzle.groups:
        found["count"] = shorttexts.count_text(piece.least, piece.most)
    for key in ("reflect", "rotate"):
        if getattr(piece, key) != getattr(base, key):
            found[key] = _bool(getattr(piece, key))
    if piece.colours is not None and puzzle.colours:
        found["colours"] = _text(" ".join(sorted(piece.colours & set(puzzle.colours.values()))) or "none")
    if piece.pinned:
        found["pinned"] = " or ".join(shorttexts.places_text(puzzle.lattice, place) for place in piece.pinned)
    return found


def _groups_lines(puzzle: Tiling) -> list[str]:
    names = [piece.name for piece in piecesets.distinct(puzzle.pieces)]  # as they are called when they are read again
    lines = ["groups:"] if puzzle.groups else []
    for group in puzzle.groups:
        every = len(group.pieces) == len(names) and ALL not in names
        who = ALL if every else f"[{', '.join(_text(names[number]) for number in group.pieces)}]"
        lines += [f"  - pieces: {who}", f"    count: {shorttexts.count_text(group.least, group.most)}"]
    return lines


# -- words --------------------------------------------------------------------------------------------------------------


def _claims_lines(puzzle: Tiling) -> list[str]:
    claims = claims_of(puzzle.about)
    if claims is None:
        return []
    said = claims.about()
    return ["claims:", *(f"  {key.removeprefix(PREFIX)}: {_text(value)}" for key, value in said.items())]


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _text(value: str) -> str:
    """A text as YAML, on one line; halves of surrogate pairs, which no file can hold, become question marks."""
    value = value.encode(errors="replace").decode()
    if PLAIN.fullmatch(value) and value.lower() != "null":
        return value
    return yaml.safe_dump(value, default_style='"', allow_unicode=True, width=float("inf")).rstrip("\n")
