"""Nonogram files: a format is a line of `FORMATS`.

Not here: what a puzzle means (`puzzle.py`), how a format is found (`families/fileformats.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.nonogram.formats import non, olsak, sized, webpbn
from cnfgen_puzzles.families.nonogram.palette import colour_facts
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram


def facts(puzzle: Nonogram) -> Mapping[str, Any]:
    """What files may say of a puzzle, each under the name by which a user is told that a format has no place for it.

    A half-filled grid is written as a saved one: what is known is that, and else what the file had.
    """
    lines = {"rows": list(puzzle.lines("row")), "columns": list(puzzle.lines("column"))}
    known = (puzzle.known,) if puzzle.known else puzzle.saved
    return {**puzzle.about, **lines, "goal": puzzle.goal, "known cells": known, **colour_facts(puzzle.palette)}


FORMATS: FormatTable[Nonogram] = FormatTable(
    "nonogram",
    "a nonogram",
    (
        Format(
            "nin",
            "Jakub Wilk's .nin",
            (".nin",),
            sized.is_nin,
            sized.read_nin,
            lambda p: sized.write(p, ".nin", "{width} {height}"),
        ),
        Format("non", "Steve Simpson's .non", (".non",), non.recognise, non.read, non.write, latin1=True),
        Format(
            "mk",
            "the Olšáks' .mk",
            (".mk",),
            sized.is_mk,
            sized.read_mk,
            lambda p: sized.write(p, ".mk", "{height} {width}", "#"),
        ),
        Format(
            "cwd",
            "QNonograms' .cwd",
            (".cwd",),
            sized.is_cwd,
            sized.read_cwd,
            lambda p: sized.write(p, ".cwd", "{height}\n{width}", ""),
        ),
        Format(
            "webpbn",
            "the XML of webpbn.com",
            (".xml", ".pbn"),
            webpbn.recognise,
            None,
            webpbn.write,
            webpbn.read_set,
            latin1=True,
            claims=webpbn.claims,
        ),
        Format("g", "the Olšáks' .g", (".g",), olsak.recognise, olsak.read, olsak.write, latin1=True, claims=olsak.claims),
    ),
    facts,
)
read_puzzle = FORMATS.read_puzzle
