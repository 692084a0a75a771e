"""Bounds on groups of pieces as people write them: who is in a group, for puzzle files and the command line alike.

    9 of all            at most 2 of F, I, L        1..3 of pentominoes

A word names a piece, `all` of them, or all pieces of an entry by the name that it has there (`pentominoes`). Each function raises
InputError without a file or a line, which the caller adds. How many: `shorttexts.count_bounds`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.families.tiling.formats import shorttexts
from cnfgen_puzzles.families.tiling.model.pieces import Piece, PieceGroup

ALL = "all"
OF = re.compile(r"(?P<count>.*?\S)\s+of\s+(?P<rest>\S.*)", re.DOTALL)

Entries = Mapping[str, Sequence[int]]
"""The numbers of the pieces of each entry, by its name."""


def members(items: Iterable[str], pieces: Sequence[Piece], entries: Entries) -> tuple[int, ...]:
    """The numbers of the pieces that are named; an item that is no name may be several, apart by blanks."""
    names = {piece.name: number for number, piece in enumerate(pieces)}
    known = {ALL: range(len(pieces)), **{name: found for name, found in entries.items() if name}}
    known |= {name: [number] for name, number in names.items()}
    found: list[int] = []
    for item in items:
        words = [item] if item in known else [item.strip()] if item.strip() in known else item.split()
        if not words:
            raise InputError("found no name, expected the name of a piece or `all`")
        for word in words:
            if word not in known:
                raise InputError(unknown_name("piece of the puzzle", word, known))
            checked_amount("pieces", len(found) + len(known[word]))
            found += known[word]
    if twice := sorted({number for number in found if found.count(number) > 1}) if len(found) > len(set(found)) else []:
        raise InputError(f"found {pieces[twice[0]].name} twice in a group, expected each piece once")
    if not found:
        raise InputError("found a group without pieces, expected at least one")
    return tuple(sorted(found))


def with_optional(pieces: Sequence[Piece], groups: Iterable[PieceGroup], uncounted: Collection[int]) -> list[Piece]:
    """The pieces, where those of a group that have no count of their own may be left out: they are used at most once."""
    grouped = {number for group in groups for number in group.pieces}
    return [
        replace(piece, least=0, most=1) if number in grouped and number in uncounted else piece
        for number, piece in enumerate(pieces)
    ]


def counted(text: str) -> tuple[tuple[int, int | None], str]:
    """The bounds and what is behind `of`."""
    match = OF.fullmatch(text.strip())
    if match is None:
        raise InputError(f"found {shortened(text)}, expected such as '9 of all' or 'at most 2 of F, I'")
    return shorttexts.count_bounds(match["count"]), match["rest"]


def read_groups(text: str, pieces: Sequence[Piece], entries: Entries) -> list[PieceGroup]:
    """The groups of a text in which `;` stands between them."""
    found = []
    checked_amount("pieces", text.count(";") + 1)
    for part in text.split(";"):
        (least, most), rest = counted(part)
        found.append(PieceGroup(members(rest.split(","), pieces, entries), least, most))
    return found
