"""Nonogram files: a format is one module of this folder and one line of `FORMATS`.

Not here: what a puzzle means (`puzzle.py`), how a format is found (`families/fileformats.py`).
"""

from __future__ import annotations

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.nonogram.formats import cwd, mk, nin, non, webpbn

FORMATS = FormatTable(
    "nonogram",
    "a nonogram",
    (
        Format("nin", "Jakub Wilk's .nin", (".nin",), nin.recognise, nin.read, nin.write),
        Format("non", "Steve Simpson's .non", (".non",), non.recognise, non.read, non.write),
        Format("mk", "the Olšáks' .mk", (".mk",), mk.recognise, mk.read, mk.write),
        Format("cwd", "QNonograms' .cwd", (".cwd",), cwd.recognise, cwd.read, cwd.write),
        Format("webpbn", "the XML of webpbn.com", (".xml", ".pbn"), webpbn.recognise, webpbn.read, webpbn.write, webpbn.read_set),
    ),
)
read_puzzle = FORMATS.read_puzzle
write_puzzle = FORMATS.write_puzzle
