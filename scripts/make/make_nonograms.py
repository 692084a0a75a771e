#!/usr/bin/env python3
"""Write the nonograms in instances/nonogram, byte for byte the same each time.

    python scripts/make/make_nonograms.py [FOLDER]
    python scripts/make/make_nonograms.py --hard FOLDER

The script writes one file for each puzzle, and README.md with a table. drawings.txt has the hand-drawn pictures. The other
puzzles are computed with integers or basic arithmetic and `random.Random(seed)`, so the result does not depend on the machine.
The numbers of solutions come from truth.yaml.

`--hard` writes other puzzles of growing size, which are hard for solvers (docs/results/hardest.md) and not part of the
repository.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, isqrt
from pathlib import Path

import yaml

from cnfgen_puzzles.families.clued.puzzle import Board, Color
from cnfgen_puzzles.families.nonogram.formats import FORMATS
from cnfgen_puzzles.families.nonogram.generators import STYLES, texture
from cnfgen_puzzles.families.nonogram.generators import dominoes as ndom
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "nonogram"
ABOUT = {"author": "the cnfgen-puzzles project", "copyright": "MIT licence, as the project"}


@dataclass(frozen=True)
class Instance:
    """A file: its origin and the kind of puzzle."""

    file: str
    kind: str
    origin: str
    make: Callable[[], Nonogram]
    title: str = ""


def main(folder: Path = FOLDER) -> None:
    instances = all_instances()
    for instance in instances:
        (folder / instance.file).write_text(text_of(instance), encoding="utf-8", newline="\n")
    truth = yaml.safe_load((FOLDER / "truth.yaml").read_text(encoding="utf-8"))
    (folder / "README.md").write_text(readme(instances, truth), encoding="utf-8", newline="\n")


def text_of(instance: Instance) -> str:
    """The content of the file, in the format of its suffix."""
    made = instance.make()
    about = ABOUT | ({"title": instance.title} if instance.title else {})
    suffix = Path(instance.file).suffix
    name = next(entry.name for entry in FORMATS.values() if suffix in entry.suffixes)
    return FORMATS.write_puzzle(replace(made, about=about), name)


# -- pictures -----------------------------------------------------------------------------------------------------------


def picture(width: int, height: int, filled: Callable[[int, int], object]) -> Board:
    """The board with a filled cell at column x and row y if `filled(x, y)` is true."""
    return tuple(tuple(bool(filled(x, y)) for x in range(width)) for y in range(height))


def drawings() -> dict[str, tuple[str, Board]]:
    """Titles and pictures of drawings.txt, by name."""
    found = {}
    for part in (FOLDER / "drawings.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]:
        heading, *rows = part.splitlines()
        name, title = heading.split(": ", 1)
        assert len({len(row) for row in rows}) == 1 and not set("".join(rows)) - set("#."), name
        found[name] = title, tuple(tuple(cell == "#" for cell in row) for row in rows)
    return found


def colored_drawings() -> dict[str, tuple[str, Nonogram]]:
    """Titles and puzzles of `coloured.txt`, by name."""
    found = {}
    for part in (FOLDER / "coloured.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]:
        heading, told, *rows = part.splitlines()
        name, title = heading.split(": ", 1)
        colors = tuple(Color(name, value, sign) for sign, name, value in (entry.split() for entry in told.split(", ")))
        signs = "".join(color.sign for color in colors)
        found[name] = title, clues_of(tuple(tuple(map(signs.index, row)) for row in rows), colors)
    return found


def spiral(size: int) -> Board:
    """A spiral line from the corner to the center with a gap of one cell (odd sizes)."""
    lengths = [size - 1, *(length for turn in range(size - 1, 1, -2) for length in (turn, turn))][: size - 1]
    x = y = 0
    line = {(0, 0)}
    for turn, length in enumerate(lengths):
        across, down = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn % 4]
        for _ in range(length):
            x, y = x + across, y + down
            line.add((x, y))
    return picture(size, size, lambda x, y: (x, y) in line)


def carpet(size: int) -> Board:
    """Sierpinski's carpet."""

    def filled(x: int, y: int) -> bool:
        while x or y:
            if x % 3 == 1 == y % 3:
                return False
            x, y = x // 3, y // 3
        return True

    return picture(size, size, filled)


def automaton(rule: int, width: int, height: int) -> Board:
    """The first rows of an elementary cellular automaton on a ring of cells, starting with one live cell."""
    row = [int(x == width // 2) for x in range(width)]
    rows = []
    for _ in range(height):
        rows.append(tuple(map(bool, row)))
        row = [rule >> (4 * row[x - 1] + 2 * row[x] + row[(x + 1) % width]) & 1 for x in range(width)]
    return tuple(rows)


def mandelbrot(width: int, height: int, steps: int = 40) -> Board:
    """The Mandelbrot set, with every second band of escape times around it."""

    def filled(x: int, y: int) -> bool:
        across, down = 2.8 * (x + 0.5) / width - 2.1, 2.4 * (y + 0.5) / height - 1.2
        a = b = 0.0
        for step in range(steps):
            a, b = a * a - b * b + across, 2 * a * b + down
            if a * a + b * b > 4:
                return step % 2 == 1
        return True

    return picture(width, height, filled)


def rings(size: int, period: int, filled: int) -> Board:
    """Circles whose squared radii are equal modulo a period, as in a moiré pattern."""
    return picture(size, size, lambda x, y: ((2 * x - size + 1) ** 2 + (2 * y - size + 1) ** 2) // 4 % period < filled)


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def gaussian_primes(size: int) -> Board:
    """The primes among the Gaussian integers around 0."""

    def filled(x: int, y: int) -> bool:
        a, b = abs(x - size // 2), abs(y - size // 2)
        return is_prime(a * a + b * b) if a and b else is_prime(a + b) and (a + b) % 4 == 3

    return picture(size, size, filled)


def noise(seed: int, width: int, height: int, percent: int) -> Board:
    """A random picture with the same probability for every cell."""
    dice = random.Random(seed)
    return picture(width, height, lambda x, y: dice.random() * 100 < percent)


# -- puzzles that are not pictures --------------------------------------------------------------------------------------


def ones(size: int) -> Nonogram:
    """A single 1 in every line: the solutions are the permutations."""
    return Nonogram(((1,),) * size, ((1,),) * size)


def switches(across: int, down: int) -> Board:
    """Tiles of 2x2 cells with a filled diagonal, one cell apart: each one can be flipped independently."""
    return picture(3 * across - 1, 3 * down - 1, lambda x, y: x % 3 == y % 3 != 2)


def shuffled(seed: int, size: int, percent: int) -> Nonogram:
    """The rows of a random picture with its columns permuted: the sums agree, but there is usually no solution."""
    drawn = clues_of(noise(seed, size, size, percent))
    columns = list(drawn.columns)
    random.Random(seed).shuffle(columns)
    return Nonogram(drawn.rows, tuple(columns))


def swapped(seed: int, size: int, percent: int) -> Nonogram:
    """The clues of a random picture with the first two columns exchanged."""
    drawn = clues_of(noise(seed, size, size, percent))
    first, second, *others = drawn.columns
    return Nonogram(drawn.rows, (second, first, *others))


# -- the table ----------------------------------------------------------------------------------------------------------


def all_instances() -> list[Instance]:
    return [*drawn_instances(), *colored_instances(), *pattern_instances(), *random_instances(), *contrary_instances()]


def drawn_instances() -> list[Instance]:
    suffixes = {"letter-a": "non", "umbrella": "non", "key": "mk", "sailboat": "cwd", "anchor": "xml"}
    return [
        Instance(f"{name}.{suffixes.get(name, 'nin')}", "picture", "drawn by hand", lambda b=board: clues_of(b), title)
        for name, (title, board) in drawings().items()
    ]


def colored_instances() -> list[Instance]:
    suffixes = {"tulip": "non", "fish": "xml", "lantern": "g"}
    return [
        Instance(f"{name}.{suffixes[name]}", "picture", f"drawn by hand, {made.inks} colors", lambda m=made: m, title)
        for name, (title, made) in colored_drawings().items()
    ]


def pattern_instances() -> list[Instance]:
    def entry(file: str, origin: str, board: Callable[[], Board], title: str = "") -> Instance:
        return Instance(file, "pattern", origin, lambda: clues_of(board()), title)

    return [
        entry("spiral-25.nin", "one winding line", lambda: spiral(25)),
        entry("visible-30.nin", "points without common divisor", lambda: picture(30, 30, lambda x, y: gcd(x + 1, y + 1) == 1)),
        entry("carpet-81.mk", "Sierpinski's carpet", lambda: carpet(81)),
        entry("pascal-64.nin", "binomial coefficients modulo 2", lambda: picture(64, 64, lambda x, y: x & y == 0)),
        entry("sierpinski-127x64.nin", "cellular automaton, rule 90", lambda: automaton(90, 127, 64)),
        entry("rule30-61x30.nin", "cellular automaton, rule 30", lambda: automaton(30, 61, 30)),
        entry("rule30-81x40.nin", "cellular automaton, rule 30", lambda: automaton(30, 81, 40)),
        entry("rule30-95x47.nin", "cellular automaton, rule 30", lambda: automaton(30, 95, 47)),
        entry("rule110-60.nin", "cellular automaton, rule 110", lambda: automaton(110, 60, 60)),
        entry("mandelbrot-60x50.xml", "Mandelbrot's set", lambda: mandelbrot(60, 50), "Mandelbrot's set"),
        entry("mandelbrot-100x90.nin", "Mandelbrot's set", lambda: mandelbrot(100, 90)),
        entry("rings-50.nin", "circles modulo 25", lambda: rings(50, 25, 9)),
        entry("rings-100.nin", "circles modulo 90", lambda: rings(100, 90, 45)),
        entry("gaussian-primes-61.nin", "Gaussian primes", lambda: gaussian_primes(61)),
        entry("hadamard-32.nin", "a Hadamard matrix", lambda: picture(32, 32, lambda x, y: (x & y).bit_count() % 2)),
        entry("products-32.nin", "parity of the bits of x * y", lambda: picture(32, 32, lambda x, y: (x * y).bit_count() % 2)),
    ]


def random_instances() -> list[Instance]:
    wanted = (
        (0, 10, 50), (1, 20, 55), (40, 25, 50), (31, 30, 55), (2, 50, 65), (2, 100, 70),
        (0, 25, 40), (2, 30, 40), (1, 30, 30), (0, 30, 20), (0, 35, 38),
    )  # fmt: skip
    return [
        Instance(
            f"random-{size}-{percent}.nin",
            "random",
            f"{percent} % filled, seed {seed}",
            lambda seed=seed, size=size, percent=percent: clues_of(noise(seed, size, size, percent)),
        )
        for seed, size, percent in wanted
    ]


def contrary_instances() -> list[Instance]:
    """Puzzles with many solutions or with none, by construction."""
    too_long = Nonogram(((1,),) * 9 + ((4, 6),), ((2,),) * 9 + ((1,),))
    sums = Nonogram(((5,), (1, 1), (5,), (1, 1), (5,)), ((5,), (1, 1, 1), (1, 1, 1), (1, 1, 1), (4,)))
    return [
        Instance("permutations-5.nin", "switching", "a single 1 a line", lambda: ones(5)),
        Instance("permutations-30.nin", "switching", "a single 1 a line", lambda: ones(30)),
        Instance("switches-20.nin", "switching", "49 tiles that turn over", lambda: clues_of(switches(7, 7))),
        Instance("sums-differ-5.nin", "contradiction", "rows fill 19 cells, columns 18", lambda: sums),
        Instance("too-long-10.cwd", "contradiction", "a clue longer than its row", lambda: too_long),
        Instance("swapped-20.nin", "contradiction", "40 % filled, seed 0, two columns exchanged", lambda: swapped(0, 20, 40)),
        *(
            Instance(
                f"shuffled-{size}-{percent}.nin",
                "contradiction",
                f"{percent} % filled, seed {seed}, columns shuffled",
                lambda seed=seed, size=size, percent=percent: shuffled(seed, size, percent),
            )
            for seed, size, percent in ((1, 22, 42), (3, 30, 42), (9, 26, 41), (107, 28, 41))
        ),
    ]


# -- the page -----------------------------------------------------------------------------------------------------------

INTRODUCTION = """\
# Nonograms of the project

`scripts/make/make_nonograms.py` writes these files and this page; do not edit the page. `drawings.txt` has the black-and-white
drawings, `coloured.txt` those in colors. All files have the license of the project, except those in `webpbn/`, which have
their own terms (see its README). `made/` has puzzles that `make-puzzle` made from pictures.

`truth.yaml` has the number of solutions of each puzzle. An independent encoding (one automaton for each line) and a solver
that the project does not use found these numbers: solve, exclude the board, and solve again. For colored puzzles, a search
tries all arrangements of each row that the columns allow; a test repeats it.

| file | size | kind | origin | solutions |
|---|---|---|---|---|
"""


def readme(instances: list[Instance], truth: Mapping[str, Mapping[str, object]]) -> str:
    """The page with the table of all puzzles."""
    lines = []
    for instance in instances:
        made, known = instance.make(), truth[instance.file]
        count = f" ({known['count']})" if known["solutions"] == "several" and "count" in known else ""
        size = f"{made.width} x {made.height}"
        lines.append(f"| {instance.file} | {size} | {instance.kind} | {instance.origin} | {known['solutions']}{count} |\n")
    return INTRODUCTION + "".join(lines)


# -- hard ones ----------------------------------------------------------------------------------------------------------


def write_hard(folder: Path, sizes: Sequence[int] = (50, 75, 100), dominoes: Sequence[int] = (9, 12, 15, 20, 30)) -> None:
    """Write textures of these sizes and n-Dom puzzles of these numbers, with seed 1."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {f"{style}-{size}": texture(1, str(size), style) for style in STYLES for size in sizes}
    made |= {f"ndom-{number}": ndom(1, str(number)) for number in dominoes}
    for name, puzzle in made.items():
        (folder / f"{name}.nin").write_text(FORMATS.write_puzzle(puzzle, "nin"), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--hard"]:
        write_hard(*map(Path, sys.argv[2:]))
    else:
        main(*map(Path, sys.argv[1:]))
