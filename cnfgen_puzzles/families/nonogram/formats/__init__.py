"""Nonogram files: a format is a line of `FORMATS`.

Not here: what a puzzle means (`puzzle.py`), how a format is found (`families/fileformats.py`).
"""

from __future__ import annotations

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.nonogram.formats import non, sized, webpbn
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

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
)
read_puzzle = FORMATS.read_puzzle
