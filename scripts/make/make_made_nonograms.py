#!/usr/bin/env python3
"""Make the thirty nonograms of instances/nonogram/made with the functions of `make-puzzle`, from drawn and random pictures.

    python scripts/make/make_made_nonograms.py [FOLDER]

Each puzzle has exactly one solution, proved; in some pictures, cells were changed to reach that. The script writes one file for
each puzzle, and README.md with a table. Other versions of python-sat can choose other cells, but not fewer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, hypot, sin
from pathlib import Path

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.clued.puzzle import Board
from cnfgen_puzzles.families.nonogram.generators import DRAWN
from cnfgen_puzzles.making.making import Made, make
from cnfgen_puzzles.making.pictures import otsu

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "nonogram" / "made"
ABOUT = {"author": "the cnfgen-puzzles project", "copyright": "MIT licence, as the project"}
COLORS = ("#ffffff", "#d55e00", "#0072b2", "#009e73")


@dataclass(frozen=True)
class Wanted:
    """A puzzle: its file, its picture, and the source of the picture."""

    file: str
    origin: str
    picture: Board
    values: tuple[str, ...] = ()
    line_solvable: bool = False


def wanted() -> Iterator[Wanted]:
    """All puzzles."""
    for seed, size, density, smooth in (
        (5, 12, 45, 1), (8, 15, 50, 1), (2, 15, 40, 1), (5, 20, 50, 1), (1, 20, 50, 1), (8, 20, 40, 2),
        (12, 20, 50, 1), (3, 25, 45, 1), (4, 25, 35, 1), (6, 30, 45, 1), (7, 30, 35, 2), (9, 40, 50, 2),
    ):  # fmt: skip
        yield random_one("blobs", seed, size=f"{size}", density=density, smooth=smooth)
    for seed, size, density in ((1, 10, 50), (2, 10, 55), (3, 12, 55), (4, 15, 55), (5, 15, 60), (6, 20, 60)):
        yield random_one("random", seed, size=f"{size}", density=density)
    for seed, size, colors in ((1, 10, 2), (2, 15, 3), (3, 20, 3)):
        yield random_one("blobs", seed, size=f"{size}", density=60, colors=colors, smooth=1)
    for seed, size in ((20, 15), (21, 20), (22, 18)):
        yield random_one("blobs", seed, line_solvable=True, size=f"{size}", density=45, smooth=1)
    for name, size, told, height in SHAPES:
        yield Wanted(
            f"{name}-{size}.non", told, threshold([[height(x / size, y / size) for x in range(size)] for y in range(size)])
        )


def random_one(generator: str, seed: int, line_solvable: bool = False, **options: int | str) -> Wanted:
    """A random picture."""
    puzzle = DRAWN[generator].make(seed, **options)
    inks = int(options.get("colors", 1))
    name = f"{generator}-{options['size']}-{seed}" + (f"-{inks}-colors" if inks > 1 else "") + "-lines" * line_solvable
    told = " ".join(f"--{key} {value}" for key, value in options.items()) + " --line-solvable" * line_solvable
    values = COLORS[: inks + 1] if inks > 1 else ()
    return Wanted(
        f"{name}{'.xml' if values else '.non'}",
        f"--generate {generator} --seed {seed} {told}",
        puzzle.goal,
        values,
        line_solvable,
    )


def threshold(heights: list[list[float]]) -> Board:
    """A picture in which the values above Otsu's threshold are filled."""
    level = otsu(heights)
    return tuple(tuple(height > level for height in row) for row in heights)


SHAPES = (
    ("moon", 20, "a crescent", lambda x, y: (hypot(x - 0.5, y - 0.5) < 0.45) - (hypot(x - 0.68, y - 0.42) < 0.36) * 1.0),
    ("ripples", 25, "rings in water, shaded from a side", lambda x, y: sin(26 * hypot(x - 0.45, y - 0.55)) + 1.5 * x),
    ("weave", 25, "two waves that cross", lambda x, y: sin(17 * x + 3 * y) * cos(15 * y - 4 * x)),
    ("hills", 30, "hills under a sun", lambda x, y: (y > 0.6 + 0.18 * sin(9 * x)) + (hypot(x - 0.7, y - 0.22) < 0.15)),
    ("flower", 30, "a flower of five leaves", lambda x, y: petals(x - 0.5, y - 0.5)),
    ("sphere", 40, "a ball in light from above, on a table", lambda x, y: ball(x, y)),
)  # fmt: skip


def petals(x: float, y: float) -> float:
    """A function that is high in five leaves around a hole: the real part of (x + iy)^5 has five periods of the angle."""
    power = complex(x, y) ** 5
    radius = hypot(x, y)
    return float(0.1 < radius < 0.3 + 0.15 * (power.real / max(abs(power), 1e-9)))


def ball(x: float, y: float) -> float:
    """The darkness of a shaded ball, of the table below it, and of some grain."""
    grain = 0.16 * sin(91 * x + 57 * y) * sin(83 * y - 31 * x)
    if hypot(x - 0.48, y - 0.45) < 0.32:
        return 1.6 * hypot(x - 0.38, y - 0.3) + grain
    return (0.75 if y > 0.72 + 0.03 * sin(11 * x) else 0.15 + 0.3 * y) + grain


def readme(made: list[tuple[Wanted, Made]]) -> str:
    """The page with the table of all puzzles."""
    lines = [
        f"| {each.file} | {result.puzzle.width} x {result.puzzle.height} | {each.origin} | {result.changes_text().lower()} |"
        for each, result in made
    ]
    return "\n".join([INTRODUCTION, *lines, ""])


INTRODUCTION = """\
# Nonograms made from pictures

`scripts/make/make_made_nonograms.py` makes these puzzles with the functions of `make-puzzle`, and writes this page; do not edit
it. The puzzles have the license of the project. Each has exactly one solution, proved by a solver and confirmed by an independent
program (`../truth.yaml`). The last column has the number of cells that were changed in the picture to reach that.

| file | size | picture | changed |
|---|---|---|---|"""


def main(folder: Path = FOLDER) -> None:
    family = find_family("nonogram")
    folder.mkdir(exist_ok=True)
    made = []
    for each in wanted():
        title = Path(each.file).stem.replace("-", " ")
        result = make(
            family,
            each.picture,
            values=each.values,
            about=ABOUT | {"title": title},
            line_solvable=each.line_solvable,
            seconds=90,
        )
        assert result.unique, (each.file, result.sentence())
        text = family.write(result.puzzle, "webpbn" if each.values else "non")
        (folder / each.file).write_text(text, encoding="utf-8", newline="\n")
        made.append((each, result))
        print(f"{each.file}: {result.sentence()}", flush=True)
    (folder / "README.md").write_text(readme(made), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
