#!/usr/bin/env python3
"""Makes the tilings of instances/tiling/made as `make-puzzle tiling` does: regions that are cut into pieces.

    python scripts/make_made_tilings.py [FOLDER]

Each has one solution up to the symmetries of board and pieces, which is proved. Writes a file a puzzle and README.md with the
table of them. Other versions of python-sat may lead to other cuts.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.making.cutting import cut_out

FOLDER = Path(__file__).resolve().parent.parent / "instances" / "tiling" / "made"
HEART = "/".join([".##.##.", "#######", "#######", ".#####.", "..###..", "...#..."])
SOURCE = "this project, with a proof; `make-puzzle` made it"

WANTED: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("cut-5x6-pentominoes", "six of the pentominoes in a 5 x 6 rectangle", 1, {"board": "5x6", "pieces": "pentominoes"}),
    ("cut-6x10", "pieces of five to ten cells in a 6 x 10 rectangle", 1, {"board": "6x10"}),
    ("cut-heart", "a heart", 1, {"board": HEART, "piece_size": "3-6"}),
    ("cut-one-sided-5x6", "pieces that may not be turned over", 1, {"board": "5x6", "piece_size": "4-6", "reflections": False}),
    ("cut-3x3x3", "a cube", 1, {"board": "3x3x3", "piece_size": "4-6"}),
    ("cut-hexagon-3", "a hexagon of hexagons", 1, {"board": "hexagon 3", "lattice": "hexagonal", "piece_size": "3-5"}),
)
"""File, title, seed and what is wished of each."""

INTRODUCTION = """\
# Tilings that were cut out of regions

Made by `scripts/make_made_tilings.py` as `make-puzzle tiling` makes them, which also writes this page: do not edit it. The
project's own work, under its licence. Each has one solution up to the symmetries of board and pieces, proved; the tests
count them again by an exact cover program.

| file | puzzle | call | solutions |
|---|---|---|---|"""


def call(seed: int, options: dict[str, Any]) -> str:
    """What makes it on the command line."""
    words = [f"--{name.replace('_', '-')} {value!r}" for name, value in options.items() if value is not False]
    return " ".join([*words, *(f"--no-{name}" for name, value in options.items() if value is False), f"--seed {seed}"])


def main(folder: Path = FOLDER) -> None:
    family = find_family("tiling")
    folder.mkdir(exist_ok=True)
    rows = []
    for name, title, seed, options in WANTED:
        made = cut_out(family, options=options, seed=seed, seconds=300)
        assert made.unique and made.answer is not None, (name, made.sentence())
        claims = {"claims.solutions": "1", "claims.raw": str(made.answer.orbit), "claims.source": SOURCE}
        puzzle = replace(made.puzzle, about={"title": title, "author": "the cnfgen-puzzles project", **claims})
        (folder / f"{name}.yaml").write_text(family.write(puzzle, "yaml"), encoding="utf-8", newline="\n")
        rows.append(f"| {name}.yaml | {title} | `{call(seed, options)}` | 1 up to symmetry, {made.answer.orbit} in all |")
        print(f"{name}: {made.sentence()}", flush=True)
    (folder / "README.md").write_text("\n".join([INTRODUCTION, *rows, ""]), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
