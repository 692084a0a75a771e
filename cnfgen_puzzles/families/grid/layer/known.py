"""Half-filled boards of grid puzzles: the option `known` of the readers.

    saved          the answer in the puzzle file, a file of pzpr
    |#?.|?.#|      the rows of the board as in JSON, with `?` for an unknown cell

Commands also accept the name of a file with such rows, or of a file of pzpr, whose answer is taken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import shortened
from cnfgen_puzzles.families.clued.halffilled import UNKNOWN, grid_of


def with_known(puzzle: Any, wanted: str, source: str) -> Any:
    """The puzzle with the known values that the option names; `source` is the name of the puzzle file, for errors."""
    genre = puzzle.family
    if wanted == "saved":
        if not puzzle.saved:
            raise InputError("found no answer, expected a file of pzpr with one", source=source)
        return _with_answer(puzzle, puzzle.saved, source)
    if wanted.startswith("pzprv3"):
        name = getattr(wanted, "source", "known")
        (read,) = genre.formats["pzprv3"].read_all(wanted, name)
        other = read()
        if other != puzzle:
            raise InputError(f"found the answer of another puzzle, expected one of {source}", source=name)
        return _with_answer(puzzle, other.saved, name)
    if not wanted.startswith("|"):
        raise InputError(f"found {shortened(wanted)} for known, expected saved, or rows such as |#?.|?.#|")
    values = genre.known_signs(puzzle)
    rows = grid_of(wanted, genre.shape(puzzle), values, " ".join([*values, UNKNOWN]))
    parts = genre.parts_of(rows)
    if genre.kind == "loop":
        for number, (drawn, found) in enumerate(zip(rows, genre.board_of(puzzle, parts), strict=True), start=1):
            if unlike := [c for c, (v, w) in enumerate(zip(drawn, found, strict=True), start=1) if v not in (None, w)]:
                lines = getattr(wanted, "lines", ())[number - 1 : number]
                message = (
                    f"found lines at row {number}, column {unlike[0]} that lead to a neighbor without them, expected both ends"
                )
                raise InputError(message, source=getattr(wanted, "source", None), line=lines[0] if lines else None)
    return replace(puzzle, known=tuple(sorted((*place, value) for place, value in parts.items())))


def _with_answer(puzzle: Any, saved: tuple[tuple[int, ...], ...], source: str) -> Any:
    """The puzzle with the answer of a file; InputError for a value that its boards cannot have."""
    try:
        return replace(puzzle, known=saved)
    except ValueError as error:
        raise InputError(str(error), source=source) from None
