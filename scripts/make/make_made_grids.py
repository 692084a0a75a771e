#!/usr/bin/env python3
"""Make the grid puzzles of instances/grid with the functions of `make-puzzle`: twelve genres, four sizes each.

    python scripts/make/make_made_grids.py [FOLDER]

Each puzzle has exactly one solution, proved. The script writes one address for each puzzle, and README.md with a table. Only the
existence of models decides which puzzle a seed makes, so the bytes are the same with every version of every solver.
"""

from __future__ import annotations

import sys
from pathlib import Path

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.making.clues import clue_count, minimal_puzzle
from cnfgen_puzzles.pipeline.answer import BoardCount
from cnfgen_puzzles.pipeline.api import unique

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "grid"
SEED = 1
SIDES = {
    "slither": (10, 15, 20, 30),
    "mashu": (10, 15, 20, 25),
    "heyawake": (8, 10, 12, 15),
    "kurodoko": (8, 12, 15, 20),
    "creek": (10, 15, 20, 25),
    "tapa": (10, 15, 20, 25),
    "gokigen": (10, 15, 20, 30),
    "kurotto": (6, 8, 10, 12),
    "lightup": (8, 10, 12, 14),
    "suguru": (6, 8, 10, 12),
    "ripple": (8, 10, 12, 14),
    "sudoku": (6, 9, 12, 16),
}
"""The sides of the squares of each genre, up to sizes that take seconds to make."""

INTRODUCTION = """\
# Made grid puzzles

`scripts/make/make_made_grids.py` makes these puzzles with the functions of `make-puzzle`, and writes this page; do not edit it.
The call for one of them is `make-puzzle GENRE --size SIDE --seed 1`, for example `make-puzzle slither --size 10 --seed 1`. The
puzzles have the license of the project.

Each puzzle is satisfiable, and its solution is the only one: a solver refuted the formula without that solution, and a checker
checked the proof. No clue can be left out. A test makes the smallest puzzle of each genre again and compares the bytes. The suite
`../suites/grid.yaml` runs solvers on all of them.

| file | size | clues |
|---|---|---|"""


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    rows = []
    for genre, sides in SIDES.items():
        family = find_family(genre)
        for side in sides:
            puzzle = minimal_puzzle(family, side, side, SEED)
            answer = unique(puzzle)
            assert answer.verdict == BoardCount.ONE and answer.evidence and answer.evidence.certain, answer.sentence()
            name = f"{genre}-{side}x{side}.url"
            (folder / name).write_text(family.write(puzzle, "url"), encoding="utf-8", newline="\n")
            rows.append(f"| {name} | {family.describe(puzzle)} | {clue_count(puzzle)} |")
            print(f"{name}: {answer.sentence()}", flush=True)
    (folder / "README.md").write_text("\n".join([INTRODUCTION, *rows, ""]), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
