"""Whether the pinned pieces of a puzzle can lie where they are pinned; what cannot is malformed, not merely unsolvable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.tiling.formats.shorttexts import places_text
from cnfgen_puzzles.families.tiling.model.lattice import Cell
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling


def check_pins(puzzle: Tiling, error: Callable[[int, str], InputError]) -> None:
    """Raises `error(number of the piece, message)` for the first piece that cannot lie where it is pinned.

    A place must be on the board, in the piece's shape, and on cells of its colours. Places that must all be taken, since the
    piece is used so often, must not overlap.
    """
    taken: dict[Cell, str] = {}
    for number, piece in enumerate(puzzle.pieces):
        if not piece.pinned:
            continue
        places = {placement.cells for placement in replace(puzzle, pieces=(piece,)).placements}
        for place in piece.pinned:
            if place not in places:
                raise error(number, f"found {piece.name} on {_shown(puzzle, place)}, {_reason(puzzle, place, number)}")
        if piece.least > len(piece.pinned):
            raise error(number, f"found {len(piece.pinned)} places for {piece.name}, expected at least {piece.least}")
        if piece.least < len(piece.pinned):
            continue
        for place in piece.pinned:
            for cell in sorted(place & taken.keys()):
                message = (
                    f"found {piece.name} and {taken[cell]} both on {_shown(puzzle, [cell])}, expected pieces that do not overlap"
                )
                raise error(number, message)
            taken |= dict.fromkeys(place, piece.name)


def _reason(puzzle: Tiling, place: frozenset[Cell], number: int) -> str:
    outside = sorted(place - puzzle.board.keys())
    if outside:
        return f"expected cells of the board: {_shown(puzzle, outside)} is none"
    colours = puzzle.pieces[number].colours
    wrong = [cell for cell in sorted(place) if colours is not None and puzzle.colours.get(cell) not in (None, *colours)]
    if wrong:
        return f"expected cells of its colours: {_shown(puzzle, wrong)} has another"
    return "expected its shape, turned as it may be"


def _shown(puzzle: Tiling, cells: Iterable[Cell]) -> str:
    return places_text(puzzle.lattice, cells)
