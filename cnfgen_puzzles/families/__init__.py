"""The puzzle families: one folder per family, found in a table or by the entry point `cnfgen_puzzles.families`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from operator import attrgetter

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.families.capabilities import Counting, EqualCounting, Refinement, Symmetry
from cnfgen_puzzles.families.family import Board, Encoding, Family, Generator, Puzzle, View, by_name
from cnfgen_puzzles.families.options import Option

GENRES = (
    "slither", "nurikabe", "heyawake", "hitori", "kurodoko", "mashu", "simpleloop", "country", "yajilin", "castle", "numlin",
    "hashikake", "norinori", "lits", "nurimisaki", "aqre", "tapa", "creek", "kurotto", "yinyang", "mines", "juosan", "suguru",
    "ripple", "skyscrapers", "kropki", "lightup", "starbattle", "tents", "battleship", "statuepark", "nanro", "kakuro",
    "shikaku", "tatamibari", "fillomino", "shakashaka", "tentaisho", "gokigen", "sudoku",
    "aquarium", "araf", "balance", "binairo", "canal", "cave", "chocona", "cocktail", "cojun", "compass", "curving", "detour",
    "doppelblock", "dotchi", "doubleback", "easyasabc", "factors", "firefly", "fivecells", "fourcells", "geradeweg", "hakoiri",
    "hanare", "kakurasu", "kakuru", "koburin", "kurarin", "kurochute", "magnets", "makaro", "moonsun", "mosaic", "nawabari",
    "nondango", "norinuri", "nothree", "nurimaze", "paintarea", "putteria", "renban", "roma", "sashigane", "shimaguni",
    "shingoki", "shugaku", "snake", "squarejam", "stostone", "sukoro", "tasquare", "tilepaint", "usoone", "wblink", "yajikabe",
    "yajikazu", "yajilin-regions",
)  # fmt: skip
"""The families that are genres of grid puzzles; each is a module of `grid/genres`."""

BUILT_IN = {name: f"cnfgen_puzzles.families.{name}" for name in ("nonogram", "tiling", "maze", "triddler")}
BUILT_IN |= {name: f"cnfgen_puzzles.families.grid.genres.{name.replace('-', '_')}" for name in GENRES}
"""The families of this package. A family is imported when a command needs it."""

ENDINGS: Mapping[str, tuple[str, ...]] = {
    ".nin": ("nonogram",),
    ".non": ("nonogram",),
    ".mk": ("nonogram",),
    ".cwd": ("nonogram",),
    ".xml": ("nonogram", "tiling", "triddler"),
    ".pbn": ("nonogram", "triddler"),
    ".g": ("nonogram", "triddler"),
    ".url": ("nonogram",),
    ".yaml": ("tiling",),
    ".yml": ("tiling",),
    ".xmpuzzle": ("tiling",),
    ".mazes": ("maze",),
    ".txt": ("maze",),
}
"""The families of this package by the suffixes of their files, so that detection imports no other family. Genres of grid puzzles
are left out: the content names them."""

ENTRY_POINTS = "cnfgen_puzzles.families"

REGISTERED: dict[str, Family] = {}
"""Families of this process without an entry point; `testing.check_family` adds the family that it tests."""


def family_names() -> list[str]:
    """The names of all families, those of this package first."""
    return [*BUILT_IN, *(name for name in {**_third_party(), **REGISTERED} if name not in BUILT_IN)]


def find_family(name: str) -> Family:
    """The family of that name; InputError with the closest known names."""
    if name in BUILT_IN:
        found: Family = import_module(BUILT_IN[name]).FAMILY
        return found
    if name in REGISTERED:
        return REGISTERED[name]
    third_party = _third_party()
    if name not in third_party:
        raise InputError(unknown_name("puzzle family", name, family_names()))
    try:
        module, _, attribute = third_party[name].partition(":")
        loaded = attrgetter(attribute)(import_module(module))
    except Exception as error:  # any error of a third-party package is reported on one line
        message = f"the family {name} cannot be loaded: {type(error).__name__}: {error}"
        raise InputError(message, source=third_party[name]) from error
    if not isinstance(loaded, Family):
        raise InputError(f"found {loaded!r:.80}, expected an object of class Family", source=third_party[name])
    return loaded


@cache
def _third_party() -> dict[str, str]:
    """The entry points of installed packages: `module:object` by name.

    They are read directly because importing `importlib.metadata` takes 20 ms, a tenth of a call.
    """
    found: dict[str, str] = {}
    for place in sys.path:
        with contextlib.suppress(OSError):
            for folder in os.listdir(place or "."):
                if folder.lower().endswith((".dist-info", "egg-info")):
                    for name, value in _entry_points_in(os.path.join(place, folder, "entry_points.txt")):
                        found.setdefault(name, value)
    return found


def _entry_points_in(path: str) -> Iterator[tuple[str, str]]:
    """The names and values of the section `ENTRY_POINTS` of a file; none if the file does not exist."""
    section = ""
    with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as stream:
        for line in map(str.strip, stream):
            if line.startswith("["):
                section = line[1:-1].strip()
            elif section == ENTRY_POINTS and "=" in line and not line.startswith("#"):
                name, _, value = line.partition("=")
                yield name.strip(), value.partition("[")[0].strip()


__all__ = [
    "Board",
    "Counting",
    "Encoding",
    "EqualCounting",
    "Family",
    "Generator",
    "Option",
    "Puzzle",
    "Refinement",
    "Symmetry",
    "View",
    "by_name",
    "family_names",
    "find_family",
]
