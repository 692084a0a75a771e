"""`.g` with `#t`: triddlers as Mirek and Petr Olšák's `grid` reads them, six groups of clues each under a line with a colon.

    A triangle of side 2
    #triddler
    : A             rows at side A, from the top
    1
    3
    : B             rows at side B, from the top: none
    : C             falling lines at side C, from left to right
    1
    3
    : D             falling lines at side D, from the bottom up
    : E             rising lines at side E, from the bottom up
    3
    1
    : F             rising lines at side F, from right to left
    :

So the sides are gone round from the upper left to the left, the bottom and the right. Clues of falling lines are read from the
bottom up, all others from their side on. How long a side is tells the number of its clues: each blank line in a group is an
empty clue, as is a `0`; a line with a colon closes the last group. Colours are declared after `#d` as for nonograms; `6:` is that
of the ground outside, which means nothing here.

Source: the remarks in `tkocka.g` and `vcely.g`, examples that come with `grid` and with Jan Wolter's pbnsolve. In which order
lines and blocks stand is not said there; read in this one the two puzzles have one solution each, a cat and bees.
"""

from __future__ import annotations

import re

from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.nonogram.formats.clues import ClueLines, ColouredClue, lettered
from cnfgen_puzzles.families.nonogram.formats.olsak import palette_lines, read_palette
from cnfgen_puzzles.families.triddler.hexagon import SIDES
from cnfgen_puzzles.families.triddler.puzzle import Triddler

DECLARED = re.compile("^#t", re.MULTILINE | re.IGNORECASE)
GROUP = re.compile("^:", re.MULTILINE)
OUTSIDE = "6"


def recognise(text: str) -> bool:
    """Whether a line begins with `#t`, and one behind it with a colon."""
    declared = DECLARED.search(text)
    return declared is not None and GROUP.search(text, declared.end()) is not None


def read(text: str, source: str) -> Triddler:
    """The puzzle; raises InputError."""
    lines = ClueLines(text, source, "a .g triddler with a line '#t' and six groups of clues")
    heads = [index for index, line in enumerate(lines.lines) if line.startswith((":", "#"))]
    if not any(lines[index][:2].lower() == "#t" for index in heads):
        raise lines.error(0, "found no line that begins with #t, expected a triddler")
    starts = [index for index in heads if lines[index][0] == ":"]
    if len(starts) < len(SIDES):
        found = f"found {len(starts)} lines that begin with a colon"
        raise lines.error(len(lines) - 1, f"{found}, expected one before the clues of each of the six sides")
    colours = next((index for index in heads if lines[index][:2].lower() == "#d"), None)
    palette, background = read_palette(lines, colours, starts[0], OUTSIDE)
    ends = [*starts[1:], lines.end_of_text()][: len(SIDES)]
    groups = []
    for side, start, end in zip(SIDES, starts, ends, strict=False):
        if end - start - 1 > MOST_SIDE:
            raise lines.error(start, f"found {end - start - 1} clues of side {side}, expected at most {MOST_SIDE}")
        groups.append(lines.coloured_clues(range(start + 1, end), f"side {side}, line", palette.number))
    told = _in_order(groups)
    return Triddler(
        tuple(map(len, groups)), tuple(tuple(clue for clue, _ in lines) for lines in told), colours=palette.colours(*background),
        clue_colours=tuple(tuple(inks for _, inks in lines) for lines in told),
    )  # fmt: skip


def _in_order(groups: list[tuple[ColouredClue, ...]]) -> list[list[ColouredClue]]:
    """The clues of six groups as those of rows, rising and falling lines."""
    a, b, c, d, e, f = groups
    return [[*a, *b], [*reversed((*e, *f))], [(clue[::-1], inks[::-1]) for clue, inks in (*c, *d)]]


def write(puzzle: Triddler) -> str:
    """The puzzle without its title and goal."""
    a, _, c, _, e, _ = puzzle.sides
    rows, rising, falling = (list(puzzle.lines(direction)) for direction in range(3))
    falling = [(clue[::-1], inks[::-1]) for clue, inks in falling]
    rising.reverse()
    groups = (rows[:a], rows[a:], falling[:c], falling[c:], rising[:e], rising[e:])
    lines = ["#triddler", *palette_lines(puzzle.colours)]
    for side, group in zip(SIDES, groups, strict=True):
        lines += [f": {side}", *(clue.removeprefix("0") for clue in lettered(group, puzzle.colours, " "))]
    return "\n".join([*lines, ": end", ""])
