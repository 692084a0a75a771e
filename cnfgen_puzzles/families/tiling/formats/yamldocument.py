"""A tiling file in YAML as a checked document: its keys, its drawings, and errors that name the line.

Not here: the board (`yamlfile.py`), the pieces (`yamlpieces.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.strictyaml import Either, Required, check_yaml, lines_of
from cnfgen_puzzles.families.tiling.formats.foldedrows import folded_rows
from cnfgen_puzzles.families.tiling.model.celldrawing import ArtError, Place, cell_at, read_art
from cnfgen_puzzles.families.tiling.model.claimedcounts import CONVENTIONS, SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.families.tiling.model.lattice import Cell, Lattice

PIECE = {
    "set": str,
    "piece": str,
    "name": str,
    "art": str,
    "count": str,
    "without": str,
    "reflect": bool,
    "rotate": bool,
    "colours": str,
    "pinned": str,
    "disconnected": bool,
}
GROUP = {"pieces": Required(Either(scalar=str, list=[str])), "count": Required(str)}
CLAIMS = {"solutions": int, "convention": CONVENTIONS, "raw": int, "verdict": (SATISFIABLE, UNSATISFIABLE), "source": str}
ABOUT = ("title", "author", "source", "description")
SCHEMA = {
    **dict.fromkeys(ABOUT, str),
    "lattice": str,
    "board": str,
    "legend": {str: str},
    "size": str,
    "holes": str,
    "optional": str,
    "empty": str,
    "torus": bool,
    "cylinder": bool,
    "wrap": {str: int},
    "reflections": bool,
    "rotations": bool,
    "pieces": Required([PIECE]),
    "groups": [GROUP],
    "labels": Either(scalar=str, mapping={str: str}),
    "claims": CLAIMS,
}

BLOCK = re.compile(r"[|>][-+0-9]*\s*(#.*)?$")


class TilingDocument:
    """One document: its checked value and the lines on which things stand. `lattice` is known once the pieces are named."""

    lattice: Lattice

    def __init__(self, text: str, source: str):
        document = check_yaml(text, SCHEMA, source=source)
        self.value, self.lines, self.nodes = document.value, document.lines, document.nodes
        self.source = source
        self.text_lines = lines_of(text)

    # -- errors ---------------------------------------------------------------------------------------------------------

    def error(self, message: str, *path: str, row: int = 0) -> InputError:
        """An error at the value of these keys; `row` counts the lines of a drawing."""
        line = self.lines[path]
        if isinstance(self.entry(path), str) and BLOCK.search(self.text_lines[line - 1]):
            line += 1 + row
        return InputError(message, source=self.source, line=line)

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """Errors inside, which know no line, are errors at the value of these keys."""
        try:
            yield
        except ArtError as error:
            raise self.error(error.message, *path, row=error.row) from None
        except InputError as error:
            raise error if error.line else InputError(error.message, source=self.source, line=self.lines[path]) from None

    def check_drawings(self) -> None:
        """InputError for a drawing whose rows YAML joined to one, as it does where the key has no `|` behind it."""
        for path, node in self.nodes.items():
            drawn = path in (("board",), ("labels",)) or path[2:] in (("art",), ("pinned",))
            if drawn and (rows := folded_rows(path[-1], node, self.text_lines)):
                key = path[-1]
                found = f"found {rows} rows after '{key}:', which YAML folds into fewer"
                raise self.error(f"{found}; expected '{key}: |' and the rows below it", *path)

    # -- drawings ------------------------------------------------------------------------------------------------------

    def drawing(self, *path: str) -> tuple[dict[Place, str], Place]:
        with self.at(*path):
            found = read_art(self.lattice, self.entry(path))
        if not found[0]:
            raise self.error("found a drawing without cells, expected at least one", *path)
        return found

    def entry(self, path: tuple[str, ...]) -> Any:
        value = self.value
        for key in path:
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    def cell(self, place: Place, *path: str) -> Cell:
        try:
            return cell_at(self.lattice, place)
        except ValueError as error:
            raise self.error(str(error), *path, row=place[0]) from None


def row_of(place: Place, size: Place) -> int:
    """The line of a drawing on which a place lies."""
    return place[0] if len(place) == 2 else place[0] * (size[1] + 1) + place[1]
