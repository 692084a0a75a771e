"""Nonogram files: a format is a line of `FORMATS`.

Not here: what a puzzle means (`puzzle.py`), how a format is found (`families/fileformats.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cnfgen_puzzles.families.fileformats import Format, FormatTable, facts_of
from cnfgen_puzzles.families.nonogram.formats import non, sized, webpbn
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram


def _facts(puzzle: Nonogram) -> Mapping[str, Any]:
    """A half-filled grid is written as a saved one: what is known is that, and else what the file had."""
    found = facts_of(puzzle)
    saved, known = found.pop("saved"), found.pop("known")
    return found | {"known cells": (known,) if known else saved}


FORMATS: FormatTable[Nonogram] = FormatTable(
    "nonogram",
    "a nonogram",
    (
        Format("nin", "Jakub Wilk's .nin", (".nin",), sized.is_nin, sized.read_nin, lambda p: sized.write(p, "{width} {height}")),
        Format("non", "Steve Simpson's .non", (".non",), non.recognise, non.read, non.write, latin1=True),
        Format("mk", "the Olšáks' .mk", (".mk",), sized.is_mk, sized.read_mk, lambda p: sized.write(p, "{height} {width}", "#")),
        Format(
            "cwd", "QNonograms' .cwd", (".cwd",), sized.is_cwd, sized.read_cwd, lambda p: sized.write(p, "{height}\n{width}", "")
        ),
        Format(
            "webpbn",
            "the XML of webpbn.com",
            (".xml", ".pbn"),
            webpbn.recognise,
            None,
            webpbn.write,
            webpbn.read_set,
            claims=webpbn.claims,
        ),
    ),
    _facts,
)
read_puzzle = FORMATS.read_puzzle
