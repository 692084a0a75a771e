#!/usr/bin/env python3
"""Make the tilings of instances/tiling/made with the functions of `make-puzzle tiling`: regions cut into pieces.

    python scripts/make/make_made_tilings.py [FOLDER]

Each puzzle has exactly one solution up to the symmetries of board and pieces, proved. The script writes one file for each puzzle,
and README.md with a table. Other versions of python-sat can lead to other cuts.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.making.cutting import cut_out

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "tiling" / "made"
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
"""File, title, seed, and options of each puzzle."""

INTRODUCTION = """\
# Tilings cut from regions

`scripts/make/make_made_tilings.py` makes these puzzles with the functions of `make-puzzle tiling`, and writes this page; do not
edit it. The puzzles have the license of the project. Each has exactly one solution up to the symmetries of board and pieces,
proved by a solver; a test counts the solutions with an exact cover program.

| file | puzzle | call | solutions |
|---|---|---|---|"""


def call(seed: int, options: dict[str, Any]) -> str:
    """The options of the command that makes the puzzle."""
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
