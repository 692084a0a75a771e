"""The YAML format of tilings. Errors name the line.

    title: two L trominoes
    size: 2x3
    pieces:
      - piece: L tromino
        count: 2

docs/reference/formats-tiling.md describes the format. A well-formed puzzle without a solution (volumes that do not match, a
piece that fits nowhere) is read; malformed input is an error.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import yaml

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.readers.strictyaml import Either, Required, check_yaml, lines_of
from cnfgen_puzzles.families.lattice import CUBIC, SQUARE, Cell, Lattice, draw, place_of, read_art, to_corner
from cnfgen_puzzles.families.tiling import texts
from cnfgen_puzzles.families.tiling.pieces import (
    Piece,
    PieceGroup,
    PieceSet,
    Shape,
    distinct,
    find_piece,
    find_set,
    known_piece,
    known_sets,
    lift,
    without,
)
from cnfgen_puzzles.families.tiling.puzzle import (
    CONVENTIONS,
    COVERED,
    EMPTY,
    OPTIONAL,
    PREFIX,
    SATISFIABLE,
    UNSATISFIABLE,
    Claims,
    Tiling,
    box,
    claims_of,
)

PIECE = {
    **dict.fromkeys(("set", "piece", "name", "art", "count", "without", "colors", "pinned"), str),
    **dict.fromkeys(("reflect", "rotate", "disconnected"), bool),
}
GROUP = {"pieces": Required(Either(scalar=str, list=[str])), "count": Required(str)}
CLAIMS = {"solutions": int, "convention": CONVENTIONS, "raw": int, "verdict": (SATISFIABLE, UNSATISFIABLE), "source": str}
ABOUT = ("title", "author", "source", "description")
SCHEMA = {
    **dict.fromkeys((*ABOUT, "lattice", "board", "size", "holes", "optional", "empty"), str),
    **dict.fromkeys(("torus", "cylinder", "reflections", "rotations"), bool),
    "legend": {str: str},
    "wrap": {str: int},
    "pieces": Required([PIECE]),
    "groups": [GROUP],
    "labels": Either(scalar=str, mapping={str: str}),
    "claims": CLAIMS,
}

BLOCK = re.compile(r"[|>][-+0-9]*\s*(#.*)?$")


def recognise(text: str) -> bool:
    """True if a line begins with a key of this format."""
    return not text.lstrip().startswith("<") and bool(re.search(rf"^({'|'.join(SCHEMA)})\s*:", text, re.MULTILINE))


def read(text: str, source_name: str) -> Tiling:
    """The puzzle; raises InputError."""
    return TilingDocument(text, source_name).puzzle()


class TilingDocument(texts.Description):
    """A document: its checked value and the lines of its parts. `sets` are the pieces of its entries, `empty` is the board
    without pieces."""

    sets: list[PieceSet | None]
    empty: Tiling

    def __init__(self, text: str, source: str):
        document = check_yaml(text, SCHEMA, source=source)
        super().__init__(document.value, self.find_line)
        self.source, self.lines, self.nodes = source, document.lines, document.nodes
        self.text_lines = lines_of(text)

    def find_line(self, path: tuple[str, ...], row: int | None) -> tuple[str, int]:
        """The file and the line of the value of these keys, or of a row of it."""
        line = self.lines[path]
        if row is not None and isinstance(self.entry(path), str) and BLOCK.search(self.text_lines[line - 1]):
            line += 1 + row
        return self.source, line

    def puzzle(self) -> Tiling:
        """The puzzle of the document."""
        self.check_drawings()
        self.sets = [self.named(number, entry) for number, entry in enumerate(self.value["pieces"])]
        self.find_lattice((found.lattice, found.name) for found in self.sets if found is not None)
        self.empty = self.empty_board()
        pieces, numbers = self.pieces()
        pieces, groups = self.groups(pieces, numbers)
        puzzle = replace(self.empty, pieces=tuple(pieces), groups=tuple(groups), labels=self.labels())
        if "empty" in self.value:
            with self.at("empty"):
                puzzle = texts.with_empty(puzzle, self.value["empty"])
        puzzle = replace(puzzle, about=self.about())
        self.check_pins(puzzle, numbers)
        return puzzle

    def check_drawings(self) -> None:
        """InputError for a drawing whose rows YAML joined because `|` is missing after the key."""
        for path, node in self.nodes.items():
            drawn = path in (("board",), ("labels",)) or path[2:] in (("art",), ("pinned",))
            if drawn and (rows := folded_rows(path[-1], node, self.text_lines)):
                key = path[-1]
                found = f"found {rows} rows after '{key}:', which YAML folds into fewer"
                raise self.error(f"{found}; expected '{key}: |' and the rows below it", *path)

    # -- pieces ---------------------------------------------------------------------------------------------------------

    def pieces(self) -> tuple[list[Piece], list[int]]:
        """The pieces, and for each piece the number of its entry."""
        found: list[Piece] = []
        numbers: list[int] = []
        own_names: set[str] = set()
        known: set[tuple[str, Shape]] = set()
        copies = 0
        for number, entry in enumerate(self.value["pieces"]):
            new = self.entry_pieces(number, entry)
            if "name" in entry:
                if entry["name"] in own_names:
                    raise self.error(f"found the name {entry['name']!r} a second time", "pieces", str(number), "name")
                own_names.add(entry["name"])
            copies += sum(max(piece.least, 1) for piece in new)
            with self.at("pieces", str(number)):
                checked_amount("pieces", copies)
            for piece in new:
                if (piece.name, piece.shape) in known:
                    message = f"found the piece {piece.name} a second time; write it once, with a count"
                    raise self.error(message, "pieces", str(number))
            found += new
            known |= {(piece.name, piece.shape) for piece in new}
            numbers += [number] * len(new)
        return distinct(found), numbers

    def groups(self, pieces: list[Piece], numbers: list[int]) -> tuple[list[Piece], list[PieceGroup]]:
        """The groups, and the pieces; those of a group without a separate count may be left out."""
        entries: dict[str, list[int]] = {}
        for piece, number in enumerate(numbers):
            entry = self.value["pieces"][number]
            name = entry.get("set", "").partition(" without ")[0] or entry.get("piece", "")
            entries.setdefault(name, []).append(piece)
        found = []
        for number, entry in enumerate(self.value.get("groups", ())):
            with self.at("groups", str(number), "count"):
                bounds = texts.count_bounds(entry["count"])
            words = entry["pieces"] if isinstance(entry["pieces"], list) else entry["pieces"].split(",")
            with self.at("groups", str(number), "pieces"):
                found.append(PieceGroup(texts.group_members(words, pieces, entries), *bounds))
        uncounted = {piece for piece, number in enumerate(numbers) if "count" not in self.value["pieces"][number]}
        return texts.with_optional(pieces, found, uncounted), found

    def named(self, number: int, entry: Mapping[str, Any]) -> PieceSet | None:
        """The pieces that `set` or `piece` names."""
        given = [key for key in entry if key in ("set", "piece", "art")]
        if len(given) > 1:
            raise self.error(f"found {given[0]!r} and {given[1]!r}, expected one of them", "pieces", str(number), given[1])
        if not given and not ("pinned" in entry and "name" in entry):
            raise self.error("found none of 'set', 'piece', and 'art', expected one of them", "pieces", str(number))
        if not given or given == ["art"]:
            return None
        with self.at("pieces", str(number), given[0]):
            if given == ["set"]:
                name, behind, left_out = entry["set"].partition(" without ")
                found = find_set(name)
                found = without(found, _words(left_out)) if behind else found
            else:
                found = find_piece(entry["piece"])
        if "set" in entry and "without" in entry:
            with self.at("pieces", str(number), "without"):
                return without(found, _words(entry["without"]))
        return found

    def entry_pieces(self, number: int, entry: Mapping[str, Any]) -> list[Piece]:
        """The pieces of one entry with its settings."""
        path = ("pieces", str(number))
        pins = self.pins(*path, "pinned") if "pinned" in entry else ()
        named = self.sets[number]
        if named is not None:
            pieces = list(lift(named, self.lattice).pieces)
            if "name" in entry and "set" not in entry:
                pieces = [replace(pieces[0], name=entry["name"])]
        else:
            pieces = [self.drawn_piece(entry, path, pins)]
        for key in ("name", "pinned") if "set" in entry else ("without",):
            if key in entry:
                raise self.error(f"found {key!r}, which does not apply to an entry of this kind", *path, key)
        changes: dict[str, Any] = {"pinned": pins}
        if "count" in entry:
            with self.at(*path, "count"):
                changes["least"], changes["most"] = texts.count_bounds(entry["count"])
        changes |= {key: entry[key] for key in ("reflect", "rotate") if key in entry}
        if "colors" in entry:
            changes["colors"] = self.piece_colors(entry["colors"], *path, "colors")
        return [replace(piece, **changes) for piece in pieces]

    def drawn_piece(self, entry: Mapping[str, Any], path: tuple[str, ...], pins: tuple[frozenset[Cell], ...]) -> Piece:
        """The piece of a drawing, or of the place where it is pinned; its default name is its number."""
        name = entry.get("name") or f"piece {int(path[1]) + 1}"
        if "art" in entry:
            signs, size = self.drawing(*path, "art")
            for place, sign in signs.items():
                if sign not in "X#":
                    raise self.error(
                        f"found {sign!r} in the drawing of {name}, expected X, #, or .",
                        *path,
                        "art",
                        row=texts.row_of(place, size),
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
        """The places of a piece, separated by `or`: each drawn as on the board, or a list of cells."""
        found = []
        for text in re.split(r"\bor\b", self.entry(path)):
            with self.at(*path):
                if "," in text:
                    cells = texts.places_cells(self.lattice, text)
                else:
                    signs, _ = read_art(self.lattice, text.strip("\n"))
                    if set(signs.values()) - set("X#"):
                        raise self.error("found an invalid place, expected a drawing with X and . or cells such as 3,4", *path)
                    cells = [self.cell(place, *path) for place in signs]
            if not cells:
                raise self.error("found a place without cells, expected a drawing or cells such as 3,4", *path)
            found.append(frozenset(map(self.empty.canonical, cells)))
        return tuple(dict.fromkeys(found))

    def piece_colors(self, text: str, *path: str) -> frozenset[str]:
        """The colors of an entry, all of which must be on the board."""
        colors = frozenset() if text == "none" else frozenset(text.replace(",", " ").split())
        known = set(self.empty.colors.values())
        if unknown := sorted(colors - known):
            raise self.error(unknown_name("color", unknown[0], known), *path)
        return colors

    def check_pins(self, puzzle: Tiling, numbers: Sequence[int]) -> None:
        """InputError for an invalid pinned place.

        A place must be on the board, in the shape of the piece, and on cells of its colors. Places that must all be used must not
        overlap.
        """
        taken: dict[Cell, str] = {}
        for piece, number in zip(puzzle.pieces, numbers, strict=True):
            path = ("pieces", str(number), "pinned")
            places = {placement.cells for placement in replace(puzzle, pieces=(piece,)).placements} if piece.pinned else set()
            for place in piece.pinned:
                if place not in places:
                    found = f"found {piece.name} on {_places_text(puzzle, place)}"
                    raise self.error(f"{found}, {_reason(puzzle, place, piece)}", *path)
            if piece.pinned and piece.least > len(piece.pinned):
                message = f"found {len(piece.pinned)} places for {piece.name}, expected at least {piece.least}"
                raise self.error(message, *path)
            for place in piece.pinned if piece.least == len(piece.pinned) else ():
                for cell in sorted(place & taken.keys()):
                    both = f"found {piece.name} and {taken[cell]} both on {_places_text(puzzle, [cell])}"
                    raise self.error(f"{both}, expected pieces that do not overlap", *path)
                taken |= dict.fromkeys(place, piece.name)

    def labels(self) -> dict[Cell, str]:
        """The labels of cells: drawn, one word for each place, or by their places."""
        if "labels" not in self.value:
            return {}
        found: dict[Cell, str] = {}
        if isinstance(self.value["labels"], str):
            with self.at("labels"):
                drawn = texts.read_labels(self.empty, self.value["labels"])
            for place, label, row in drawn:
                self.label(found, self.cell(place, "labels"), label, "labels", row=row)
        else:
            for text, label in self.value["labels"].items():
                with self.at("labels", text):
                    cells = texts.places_cells(self.lattice, text)
                for cell in cells:
                    self.label(found, cell, label, "labels", text)
        return found

    def label(self, found: dict[Cell, str], cell: Cell, label: str, *path: str, row: int = 0) -> None:
        """Sets the label of the cell."""
        place, cell = texts.places_text(self.lattice, [cell]), self.empty.canonical(cell)
        if cell not in self.empty.board:
            raise self.error(f"found the label {shortened(label)} on {place}, which is not a cell of the board", *path, row=row)
        if cell in found:
            raise self.error(f"found a second label, {shortened(label)}, on {place}, expected one for each cell", *path, row=row)
        with self.at(*path):
            found[cell] = texts.check_label(label)

    def about(self) -> dict[str, str]:
        """The title and other texts, and the claims about solutions."""
        found = {key: self.value[key] for key in ABOUT if key in self.value}
        claims = Claims(**self.value.get("claims", {}))
        if fault := claims.fault():
            raise self.error(fault, "claims")
        return found | claims.about()


def folded_rows(key: str, node: yaml.Node, lines: Sequence[str]) -> int:
    """The number of lines of a drawing whose rows YAML joined because `|` is missing; otherwise 0.

    `pinned` with places such as `0,0 0,1` can continue over lines.
    """
    if not isinstance(node, yaml.ScalarNode) or node.style == "|":
        return 0
    if key == "pinned" and all("," in text for text in re.split(r"\bor\b", node.value)):
        return 0
    start, end = node.start_mark.line + (node.style == ">"), node.end_mark.line + (node.end_mark.column > 0)
    rows = sum(bool(line.strip()) for line in lines[start:end])
    return rows if rows > sum(bool(line.strip()) for line in node.value.split("\n")) else 0


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _reason(puzzle: Tiling, place: frozenset[Cell], piece: Piece) -> str:
    outside = sorted(place - puzzle.board.keys())
    if outside:
        return f"expected cells of the board: {_places_text(puzzle, outside)} is outside"
    colors = piece.colors
    wrong = [cell for cell in sorted(place) if colors is not None and puzzle.colors.get(cell) not in (None, *colors)]
    if wrong:
        return f"expected cells of its colors: {_places_text(puzzle, wrong)} has another color"
    return "expected its shape in an allowed orientation"


def _places_text(puzzle: Tiling, cells: Iterable[Cell]) -> str:
    return texts.places_text(puzzle.lattice, cells)


# -- writing ------------------------------------------------------------------------------------------------------------


PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 .,'()/+*_-]*[A-Za-z0-9.)'])?")
SIGNS = [sign for sign in string.ascii_lowercase + string.ascii_uppercase + string.digits if sign not in "oX"]


def write(puzzle: Tiling) -> str:
    """The puzzle as a file."""
    puzzle = _move_to_corner(puzzle)
    empty = [cell for cell, kind in puzzle.board.items() if kind == EMPTY]
    puzzle = replace(puzzle, board={**puzzle.board, **dict.fromkeys(empty, COVERED)})
    entry: dict[str, Any] = {key: _text(puzzle.about[key]) for key in ABOUT if key in puzzle.about}
    if puzzle.lattice is not SQUARE:
        entry["lattice"] = puzzle.lattice.name
    entry |= _board(puzzle)
    if any(puzzle.wrap):
        axes = zip(texts.AXES[puzzle.lattice.name], puzzle.wrap, strict=True)
        steps = (f"{axis}: {period // puzzle.lattice.period}" for axis, period in axes if period)
        entry["wrap"] = f"{{{', '.join(steps)}}}"
    if puzzle.reflections == (puzzle.lattice is CUBIC):
        entry["reflections"] = str(puzzle.reflections).lower()
    if not puzzle.rotations:
        entry["rotations"] = "false"
    if puzzle.labels:  # by their places if they are not words
        labels = {f'"{texts.places_text(puzzle.lattice, [cell])}"': _text(puzzle.labels[cell]) for cell in sorted(puzzle.labels)}
        entry["labels"] = texts.labels_drawing(puzzle) or labels
    if empty:
        entry["empty"] = _text(texts.places_text(puzzle.lattice, empty))
    entry["pieces"] = list(_pieces(puzzle))
    if puzzle.groups:
        entry["groups"] = list(_groups(puzzle))
    if (claims := claims_of(puzzle.about)) and (claimed := claims.about()):
        entry["claims"] = {key.removeprefix(PREFIX): _text(value) for key, value in claimed.items()}
    return "\n".join([*_lines(entry), ""])


def _lines(entry: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """A mapping as YAML: drawings as blocks, lists of mappings, and finished YAML values."""
    for key, value in entry.items():
        if isinstance(value, list):
            yield f"{indent}{key}:" + ("" if value else " []")
            for each in value:
                first, *others = _lines(each, indent + "    ")
                yield f"{indent}  - {first.lstrip()}"
                yield from others
        elif isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from _lines(value, indent + "  ")
        elif key in ("board", "labels", "art"):
            yield f"{indent}{key}: |"
            yield from (f"{indent}  {line}" if line else "" for line in value.split("\n"))
        else:
            yield f"{indent}{key}: {value}"


def _move_to_corner(puzzle: Tiling) -> Tiling:
    """The puzzle, moved if some of its cells cannot be drawn."""
    if any(min(place_of(puzzle.lattice, cell)) < 0 for cell in puzzle.cells):
        shift = to_corner(puzzle.lattice, puzzle.cells)

        def move(cell: Cell) -> Cell:
            return tuple(a + b for a, b in zip(cell, shift, strict=True))

        board = {move(cell): kind for cell, kind in puzzle.board.items()}
        colors = {move(cell): color for cell, color in puzzle.colors.items()}
        pieces = tuple(replace(p, pinned=tuple(frozenset(map(move, place)) for place in p.pinned)) for p in puzzle.pieces)
        labels = {move(cell): label for cell, label in puzzle.labels.items()}
        return replace(puzzle, board=board, colors=colors, pieces=pieces, labels=labels)
    return puzzle


def _board(puzzle: Tiling) -> dict[str, Any]:
    """`size`, or `board` with its legend."""
    sides = texts.extents(puzzle.lattice, puzzle.cells)
    if puzzle.lattice in (SQUARE, CUBIC) and not puzzle.colors and puzzle.board == box(*sides):
        return {"size": "x".join(map(str, sides))}
    kinds: dict[tuple[str, str | None], str] = {(COVERED, None): "X", (OPTIONAL, None): "o"}
    colored = sorted({(puzzle.board[cell], color) for cell, color in puzzle.colors.items()})
    if len(colored) > len(SIGNS):
        raise InputError(f"found {len(colored)} kinds of colored cells, expected at most {len(SIGNS)} in a drawing")
    kinds |= dict(zip(colored, SIGNS, strict=False))
    signs = {place_of(puzzle.lattice, cell): kinds[kind, puzzle.colors.get(cell)] for cell, kind in puzzle.board.items()}
    legend = {}
    for kind, color in colored:
        if re.search(r"\s", color) or color in ("", "covered", "optional", "none"):
            raise InputError(f"found the color {color!r}, expected a word other than covered, optional, and none")
        legend[_text(kinds[kind, color])] = _text(color if kind == COVERED else f"{kind} {color}")
    return {"board": draw(puzzle.lattice, signs), **({"legend": legend} if legend else {})}


def _pieces(puzzle: Tiling) -> Iterator[dict[str, str]]:
    """An entry for every set whose pieces are consecutive, and for every other piece."""
    at = 0
    while at < len(puzzle.pieces):
        piece = puzzle.pieces[at]
        known = _set_from(puzzle, at)
        if known is not None:
            entry, base, at = {"set": known.name}, known.pieces[0], at + len(known.pieces)
        else:
            entry, base, at = *_piece_entry(puzzle.lattice, piece), at + 1
        yield entry | _details(puzzle, piece, base)


def _set_from(puzzle: Tiling, at: int) -> PieceSet | None:
    """The set that starts at this piece, if all of its pieces are used alike."""
    first = puzzle.pieces[at]
    if first.pinned:
        return None
    uses = {key: getattr(first, key) for key in ("least", "most", "colors", "reflect", "rotate")}
    for known in known_sets(puzzle.lattice, first.size):
        alike = tuple(replace(piece, **uses) for piece in known.pieces)
        if puzzle.pieces[at : at + len(alike)] == alike and _can_be_said(first, known.pieces[0]):
            return known
    return None


def _can_be_said(piece: Piece, base: Piece) -> bool:
    """True if the settings of an entry can change how the known piece may be turned into how this one may be turned."""
    return all(getattr(piece, key) is not None or getattr(base, key) is None for key in ("reflect", "rotate"))


def _piece_entry(lattice: Lattice, piece: Piece) -> tuple[dict[str, str], Piece]:
    """The entry with the name of a known piece, otherwise with its drawing; and the piece that this entry describes alone."""
    known = known_piece(lattice, piece)
    if known is not None and _can_be_said(piece, known[1]):
        return {"piece": known[0]}, known[1]
    shift = to_corner(lattice, piece.shape)
    places = {place_of(lattice, tuple(a + b for a, b in zip(cell, shift, strict=True))): "X" for cell in piece.shape}
    entry = {"name": _text(piece.name), "art": draw(lattice, places)}
    if not lattice.connected(piece.shape):
        entry["disconnected"] = "true"
    return entry, Piece(piece.name, piece.shape)


def _details(puzzle: Tiling, piece: Piece, base: Piece) -> dict[str, str]:
    """The settings of an entry except for the shape."""
    found: dict[str, str] = {}
    if (piece.least, piece.most) != (1, 1) or puzzle.groups:
        found["count"] = texts.count_text(piece.least, piece.most)
    for key in ("reflect", "rotate"):
        if getattr(piece, key) != getattr(base, key):
            found[key] = str(getattr(piece, key)).lower()
    if piece.colors is not None and puzzle.colors:
        found["colors"] = _text(" ".join(sorted(piece.colors & set(puzzle.colors.values()))) or "none")
    if piece.pinned:
        found["pinned"] = " or ".join(texts.places_text(puzzle.lattice, place) for place in piece.pinned)
    return found


def _groups(puzzle: Tiling) -> Iterator[dict[str, str]]:
    names = [piece.name for piece in distinct(puzzle.pieces)]  # with the names that the reader gives them
    for group in puzzle.groups:
        every = len(group.pieces) == len(names) and texts.ALL not in names
        members = texts.ALL if every else f"[{', '.join(_text(names[number]) for number in group.pieces)}]"
        yield {"pieces": members, "count": texts.count_text(group.least, group.most)}


def _text(value: str) -> str:
    """A text as YAML on one line; unpaired surrogates become question marks."""
    value = value.encode(errors="replace").decode()
    if PLAIN.fullmatch(value) and value.lower() != "null":
        return value
    return yaml.safe_dump(value, default_style='"', allow_unicode=True, width=float("inf")).rstrip("\n")
