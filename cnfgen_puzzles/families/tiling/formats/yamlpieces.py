"""The pieces of a tiling file in YAML: sets, single pieces, drawings, pinned places, and bounds on groups of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.families.tiling.formats import piecegroups, shorttexts
from cnfgen_puzzles.families.tiling.formats.yamldocument import TilingDocument, row_of
from cnfgen_puzzles.families.tiling.model import piecesets
from cnfgen_puzzles.families.tiling.model.celldrawing import read_art
from cnfgen_puzzles.families.tiling.model.lattice import CUBIC, Cell
from cnfgen_puzzles.families.tiling.model.pieces import Piece, PieceGroup, Shape
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling


class PieceEntries(TilingDocument):
    """Reads `pieces` and `groups`; `empty` is the board without pieces, `known_colours` are those of its cells."""

    empty: Tiling
    known_colours: set[str]

    def pieces(self) -> tuple[list[Piece], list[int]]:
        """The pieces, and for each the number of its entry."""
        found: list[Piece] = []
        numbers: list[int] = []
        own_names: dict[str, int] = {}
        known: set[tuple[str, Shape]] = set()
        copies = 0
        for number, entry in enumerate(self.value["pieces"]):
            new = self.entry_pieces(number, entry)
            if "name" in entry:
                if entry["name"] in own_names:
                    raise self.error(f"found the name {entry['name']!r} a second time", "pieces", str(number), "name")
                own_names[entry["name"]] = number
            copies += sum(max(piece.least, 1) for piece in new)
            with self.at("pieces", str(number)):
                checked_amount("pieces", copies)
            for piece in new:
                if (piece.name, piece.shape) in known:
                    message = f"found the piece {piece.name} a second time, expected it once, with a count"
                    raise self.error(message, "pieces", str(number))
            found += new
            known |= {(piece.name, piece.shape) for piece in new}
            numbers += [number] * len(new)
        return piecesets.distinct(found), numbers

    def groups(self, pieces: list[Piece], numbers: list[int]) -> tuple[list[Piece], list[PieceGroup]]:
        """The groups; and the pieces, of which those that are in a group and have no count of their own may be left out."""
        entries: dict[str, list[int]] = {}
        for piece, number in enumerate(numbers):
            entry = self.value["pieces"][number]
            name = entry.get("set", "").partition(" without ")[0] or entry.get("piece", "")
            entries.setdefault(name, []).append(piece)
        found = []
        for number, entry in enumerate(self.value.get("groups", ())):
            with self.at("groups", str(number), "count"):
                least, most = shorttexts.count_bounds(entry["count"])
            words = entry["pieces"] if isinstance(entry["pieces"], list) else entry["pieces"].split(",")
            with self.at("groups", str(number), "pieces"):
                found.append(PieceGroup(piecegroups.members(words, pieces, entries), least, most))
        uncounted = {piece for piece, number in enumerate(numbers) if "count" not in self.value["pieces"][number]}
        return piecegroups.with_optional(pieces, found, uncounted), found

    def named(self, number: int, entry: Mapping[str, Any]) -> piecesets.PieceSet | None:
        """What `set` or `piece` names."""
        given = [key for key in entry if key in ("set", "piece", "art")]
        if len(given) > 1:
            raise self.error(f"found {given[0]!r} and {given[1]!r}, expected one of them", "pieces", str(number), given[1])
        if not given and not ("pinned" in entry and "name" in entry):
            raise self.error("found none of 'set', 'piece' and 'art', expected one of them", "pieces", str(number))
        if not given or given == ["art"]:
            return None
        with self.at("pieces", str(number), given[0]):
            if given == ["set"]:
                name, behind, left_out = entry["set"].partition(" without ")
                found = piecesets.find_set(name)
                found = piecesets.without(found, _words(left_out)) if behind else found
            else:
                lattice, piece = piecesets.find_piece(entry["piece"])
                found = piecesets.PieceSet(entry["piece"], lattice, (piece,))
        if "set" in entry and "without" in entry:
            with self.at("pieces", str(number), "without"):
                return piecesets.without(found, _words(entry["without"]))
        return found

    def entry_pieces(self, number: int, entry: Mapping[str, Any]) -> list[Piece]:
        """The pieces of one entry with what it says of them."""
        path = ("pieces", str(number))
        pins = self.pins(*path, "pinned") if "pinned" in entry else ()
        named = self.named(number, entry)
        if named is not None:
            pieces = list((piecesets.lifted(named) if self.lattice is CUBIC else named).pieces)
            if "name" in entry and "set" not in entry:
                pieces = [replace(pieces[0], name=entry["name"])]
        else:
            pieces = [self.drawn_piece(entry, path, pins)]
        for key in ("name", "pinned") if "set" in entry else ("without",):
            if key in entry:
                raise self.error(f"found {key!r} in an entry of this kind, expected none", *path, key)
        changes: dict[str, Any] = {"pinned": pins}
        if "count" in entry:
            with self.at(*path, "count"):
                changes["least"], changes["most"] = shorttexts.count_bounds(entry["count"])
        changes |= {key: entry[key] for key in ("reflect", "rotate") if key in entry}
        if "colours" in entry:
            changes["colours"] = self.piece_colours(entry["colours"], *path, "colours")
        return [replace(piece, **changes) for piece in pieces]

    def drawn_piece(self, entry: Mapping[str, Any], path: tuple[str, ...], pins: tuple[frozenset[Cell], ...]) -> Piece:
        """The piece of a drawing, or of the place where it is pinned; named by its number if it has no name."""
        name = entry.get("name") or f"piece {int(path[1]) + 1}"
        if "art" in entry:
            signs, size = self.drawing(*path, "art")
            for place, sign in signs.items():
                if sign not in "X#":
                    raise self.error(
                        f"found {sign!r} in the drawing of {name}, expected X, # or .", *path, "art", row=row_of(place, size)
                    )
            cells = [self.cell(place, *path, "art") for place in signs]
        else:
            cells = list(pins[0])
        if not self.lattice.connected(cells) and not entry.get("disconnected"):
            parts = len(list(self.lattice.parts(cells)))
            message = f"found {name} in {parts} parts, expected a connected piece (or `disconnected: true`)"
            raise self.error(message, *path, "art" if "art" in entry else "pinned")
        return Piece(name, self.lattice.normal(cells))

    def pins(self, *path: str) -> tuple[frozenset[Cell], ...]:
        """The places of a piece, apart by `or`: each drawn as on the board, or its cells."""
        found = []
        for text in re.split(r"\bor\b", self.entry(path)):
            if "," in text:
                with self.at(*path):
                    cells = shorttexts.places_cells(self.lattice, text)
            else:
                with self.at(*path):
                    signs, _ = read_art(self.lattice, text.strip("\n"))
                if set(signs.values()) - set("X#"):
                    raise self.error("found a place that is neither drawn with X and . nor cells such as 3,4", *path)
                cells = [self.cell(place, *path) for place in signs]
            if not cells:
                raise self.error("found a place without cells, expected a drawing or cells such as 3,4", *path)
            found.append(frozenset(map(self.empty.canonical, cells)))
        return tuple(dict.fromkeys(found))

    def piece_colours(self, text: str, *path: str) -> frozenset[str]:
        colours = frozenset() if text == "none" else frozenset(text.replace(",", " ").split())
        for colour in sorted(colours - self.known_colours):
            raise self.error(unknown_name("colour", colour, self.known_colours), *path)
        return colours


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()
