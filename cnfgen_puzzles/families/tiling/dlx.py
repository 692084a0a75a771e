"""Exact cover problems as text for the DLX programs of Knuth. Written only, because the text does not determine the puzzle.

    | 2x2
    domino 0,0 0,1 1,0 1,1
    domino 0,0 0,1
    ...

Lines that begin with `|` are comments. The next line has the names of the items, secondary items after a `|` between blanks; each
further line is an option. Items are the pieces by name and the cells by their places (`lattice.py`); names have at most eight
characters, which is the limit of the programs. Every option must have a primary item.

If a piece is used several times and the number does not follow from the cells, its item has bounds, `2:4|L`, and so does a group
of pieces, `9|G1`. Only DLX3 and its successors support bounds.
Source: Knuth, dlx1.w and dlx3.w; The Art of Computer Programming 4B, section 7.2.2.1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.tiling.encodings import cover_of
from cnfgen_puzzles.families.tiling.lattice import place_of, place_text
from cnfgen_puzzles.families.tiling.puzzle import Tiling, open_groups
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.exactcover import ExactCover

MAX_NAME = 8


def recognise(text: str) -> bool:
    """True if the text begins with a comment that this module writes."""
    return text.startswith("| ")


def write(puzzle: Tiling) -> str:
    """The puzzle as an exact cover problem; InputError if it has no option."""
    if not puzzle.placements:
        raise InputError("found no piece that fits on the board, expected at least one")
    place = Formula().keyed("place", (placement.key for placement in puzzle.placements))
    cover = cover_of(puzzle, place)
    options = list(cover.options)
    primary = list(cover.primary)
    names = _names(puzzle, [*primary, *cover.secondary])
    bounded = cover.counted or not all(set(option) & set(primary) for option in options)
    if bounded:
        primary, options = _with_bounds(puzzle, cover, names)
    secondary = [item for item in cover.secondary if item not in {name.split("|")[-1] for name in primary}]
    title = " ".join(puzzle.about.get("title", "").split())
    heads = [f"| {title or 'a tiling puzzle'}", *(["| items with bounds: for DLX3"] if bounded else [])]
    renamed = ExactCover(
        [_rename_item(item, names) for item in primary],
        [names[item] for item in secondary],
        [[names[item] for item in option] for option in options],
        cover.variables,
    )
    return "\n".join([*heads, renamed.to_dlx()])


def lost(puzzle: Tiling) -> list[str]:
    """The data of the puzzle that the text does not contain: changed names, and everything except the title."""
    items = [f"piece:{number}" for number in range(len(puzzle.pieces))]
    names = _names(puzzle, items)
    changed = [item for item, piece in zip(items, puzzle.pieces, strict=True) if names[item] != piece.name]
    title = puzzle.about.get("title", "")
    facts = [key for key in puzzle.about if key != "title" or title != " ".join(title.split()) or not title]
    dropped = {"names of pieces": changed, "colours": puzzle.colours, "labels of cells": puzzle.labels}
    return ["shapes of pieces", *(name for name, there in dropped.items() if there), *facts]


def _names(puzzle: Tiling, items: list[str]) -> dict[str, str]:
    """Readable names of the items: cells by their places, pieces by their names if these are short and different."""
    cells = {item: tuple(map(int, item.split(","))) for item in items if ":" not in item}
    found = {item: place_text(place_of(puzzle.lattice, cell)) for item, cell in cells.items()}
    taken = set(found.values())

    def unused(name: str) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    for number, piece in enumerate(puzzle.pieces):
        readable = re.fullmatch(r"[^\s|:,]{1,8}", piece.name) and piece.name not in taken
        found[f"piece:{number}"] = unused(piece.name if readable else f"P{number + 1}")
    for number in range(len(puzzle.groups)):
        found[f"group:{number}"] = unused(f"G{number + 1}")
    long = next((name for name in found.values() if len(name) > MAX_NAME), None)
    if long is not None:
        raise InputError(
            f"found the item {long!r}, expected names of at most {MAX_NAME} characters: the board is too large for DLX"
        )
    return found


def _with_bounds(puzzle: Tiling, cover: ExactCover, names: dict[str, str]) -> tuple[list[str], list[Sequence[str]]]:
    """The primary items and the options; every piece, and every group with effective bounds, is an item with bounds."""
    cells = [item for item in cover.primary if ":" not in item]
    groups = open_groups(puzzle)
    bounds = []
    for number, piece in enumerate(puzzle.pieces):
        most = len(puzzle.coverable) // piece.size if piece.most is None else min(piece.most, len(puzzle.coverable) // piece.size)
        if piece.least > most:
            raise InputError(f"found piece {piece.name} at least {piece.least} times, but at most {most} fit on the board")
        bounds.append(_bound_item(piece.least, most, f"piece:{number}"))
    for number, group in enumerate(groups):
        room = len(puzzle.coverable) // min(puzzle.pieces[member].size for member in group.pieces)
        most = room if group.most is None else min(group.most, room)
        if group.least > most:
            name = puzzle.group_name(group)
            raise InputError(f"found at least {group.least} of the group {name}, but at most {most} fit on the board")
        bounds.append(_bound_item(group.least, most, f"group:{number}"))
    number_of = {placement.key: placement.piece for placement in puzzle.placements}
    options: list[Sequence[str]] = []
    for placement, option in zip(puzzle.placements, cover.options, strict=True):
        used = number_of[placement.key]
        within = [f"group:{number}" for number, group in enumerate(groups) if used in group.pieces]
        options.append([f"piece:{used}", *within, *(item for item in option if ":" not in item)])
    return [*bounds, *cells], options


def _bound_item(least: int, most: int, item: str) -> str:
    """The item with its bounds; without them if it is covered exactly once."""
    bounds = str(most) if least == most else f"{least}:{most}"
    return item if bounds == "1" else f"{bounds}|{item}"


def _rename_item(item: str, names: dict[str, str]) -> str:
    """The name of the item without bounds."""
    bounds, bar, name = item.rpartition("|")
    return bounds + bar + names[name]
