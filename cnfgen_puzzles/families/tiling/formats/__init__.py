"""Tiling files: a format is one module of this folder and one line of `FORMATS`.

Not here: what a puzzle means (`model/puzzle.py`), the options that describe a puzzle without a file (`options.py`), how a format
is found (`families/fileformats.py`).
"""

from __future__ import annotations

from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.tiling.formats import burrtools, dlx, yamlfile, yamlwriter
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling

FORMATS: FormatTable[Tiling] = FormatTable(
    "tiling",
    "a tiling puzzle",
    (
        Format("yaml", "the project's own YAML", (".yaml", ".yml"), yamlfile.recognise, yamlfile.read, yamlwriter.write),
        Format(
            "burrtools",
            "BurrTools' .xmpuzzle",
            (".xmpuzzle", ".xml"),
            burrtools.recognise,
            None,
            burrtools.write,
            burrtools.read_set,
        ),
        Format("dlx", "Knuth's DLX exact cover (written only)", (".dlx",), dlx.recognise, write=dlx.write),
    ),
)
read_puzzle = FORMATS.read_puzzle
write_puzzle = FORMATS.write_puzzle
