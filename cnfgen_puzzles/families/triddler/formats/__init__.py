"""Triddler files: a format is a line of `FORMATS`.

Not here: what a puzzle means (`puzzle.py`), how a format is found (`families/fileformats.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.nonogram.palette import colour_facts
from cnfgen_puzzles.families.triddler.formats import olsak, webpbn
from cnfgen_puzzles.families.triddler.hexagon import DIRECTIONS
from cnfgen_puzzles.families.triddler.puzzle import Triddler


def facts(puzzle: Triddler) -> Mapping[str, Any]:
    """What files may say of a puzzle, each under the name by which a user is told that a format has no place for it."""
    clues = {f"{name}s": list(puzzle.lines(direction)) for direction, name in enumerate(DIRECTIONS)}
    return {**puzzle.about, "sides": puzzle.sides, **clues, "goal": puzzle.goal, **colour_facts(puzzle.palette)}


FORMATS: FormatTable[Triddler] = FormatTable(
    "triddler",
    "a triddler",
    (
        Format("g", "the Olšáks' .g with #t", (".g",), olsak.recognise, olsak.read, olsak.write, latin1=True),
        Format("webpbn", "the XML of webpbn.com", (".xml", ".pbn"), webpbn.recognise, None, webpbn.write, webpbn.read_set),
    ),
    facts,
)
