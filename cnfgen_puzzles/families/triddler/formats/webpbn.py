"""The XML of webpbn.com for triddlers: `<puzzle type="triddler">` with six sets of clues, one a side.

`topleft` and `bottomleft` are rows from the top (sides A and B), `top` and `topright` rising lines from left to right (F, E),
`bottom` and `bottomright` falling lines from left to right (C, D). Sets of no lines may be missing. The image of a goal has its
rows between the slopes of the puzzle's edges: `/ABCDE\\`, `/FGHIJK/`, `\\LMNOP/`. All else is as for nonograms; saved
solutions are passed over.

Source: https://webpbn.com/pbn_fmt.html (version 0.3). From which end a line is read is not said there; its example has a solution
if rows are read from the left and all other lines from the top, and none if one of the directions is turned round.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.readers.strictxml import Element, root_name
from cnfgen_puzzles.families.fileformats import OnDemand
from cnfgen_puzzles.families.nonogram.formats import webpbn
from cnfgen_puzzles.families.nonogram.formats.clues import ColouredClue
from cnfgen_puzzles.families.nonogram.palette import WHITE
from cnfgen_puzzles.families.nonogram.puzzle import Board
from cnfgen_puzzles.families.triddler.hexagon import SIDES, Hexagon
from cnfgen_puzzles.families.triddler.puzzle import Triddler, clues_of

SETS = dict(zip(("topleft", "bottomleft", "bottom", "bottomright", "topright", "top"), SIDES, strict=True))
"""Types of clues, and the sides at which they stand."""
ROW = re.compile(r"([/\\])([^/\\]+)([/\\])")


def recognise(text: str) -> bool:
    """Whether the text is a set of puzzles of which the first is a triddler."""
    return root_name(text) == "puzzleset" and webpbn.of_triddlers(text)


def read_set(text: str, source: str) -> Sequence[Triddler]:
    """All puzzles of the set; raises InputError."""
    root, found = webpbn.puzzles_in(text, source)
    return OnDemand([_TriddlerReader(element, root).triddler for element in found])


class _TriddlerReader(webpbn.PuzzleReader):
    kind = "triddler"
    clue_sets: Mapping[str, str] = {name: f"side {side}, line" for name, side in SETS.items()}
    fewest = 0

    def triddler(self) -> Triddler:
        self.begin()
        clues = self.clues()
        drawn = self.picture()
        colours = self.palette.colours(self.ground or WHITE.value, self.background)
        if drawn is not None and not colours:
            drawn = (drawn[0], tuple(tuple(map(bool, row)) for row in drawn[1]))
        if not clues:
            if drawn is None:
                raise self.element.error(f"found a puzzle without clues, expected those of {', '.join(SETS)}")
            return replace(clues_of(*drawn, colours), about=self.about())
        a, b, c, d, e, f = groups = [clues.get(name, ()) for name in SETS]
        told: list[tuple[ColouredClue, ...]] = [(*a, *b), (*f, *e), (*c, *d)]
        puzzle = Triddler(
            tuple(map(len, groups)), tuple(tuple(clue for clue, _ in lines) for lines in told), self.about(), None, colours,
            tuple(tuple(inks for _, inks in lines) for lines in told),
        )  # fmt: skip
        if drawn is None:
            return puzzle
        if drawn[0] != puzzle.hexagon:
            found = f"found a goal with the sides {drawn[0].sides}"
            raise self.element.error(f"{found}, expected {puzzle.sides} as the clues say")
        return replace(puzzle, goal=drawn[1])

    def picture(self) -> tuple[Hexagon, Board] | None:
        """The picture of the first solution of type `goal`, and its hexagon."""
        goals = [one for one in self.element.named("solution") if one.attributes.get("type", "goal") == "goal"]
        return self.hexagonal(goals[0].only("image")) if goals else None

    def hexagonal(self, image: Element) -> tuple[Hexagon, Board]:
        text = "".join(image.text.split())
        checked_amount("steps", len(text), found=f"a picture of {len(text)} signs", source=image.source, line=image.line)
        rows = ROW.findall(text)
        hexagon = _hexagon_of([(left == "/", len(cells), right == "\\") for left, cells, right in rows])
        if hexagon is None or len("".join(map("".join, rows))) != len(text):
            raise image.error(
                r"found a picture that is no hexagon, expected rows between the slopes of its edges, such as /..X..\ "
            )
        inks = {}
        for letter in sorted({letter for _, cells, _ in rows for letter in cells}):
            if letter not in self.names:
                raise image.error(f"found {letter!r} in the picture, expected the characters of the puzzle's colours")
            inks[letter] = self.ink(self.names[letter], image)
        return hexagon, tuple(tuple(inks[letter] for letter in cells) for _, cells, _ in rows)


def _hexagon_of(rows: Sequence[tuple[bool, int, bool]]) -> Hexagon | None:
    """The hexagon of rows that each begin with a cell that points up or not, have so many cells, and end with such a one."""
    if not rows:
        return None
    a, e = sum(first for first, _, _ in rows), sum(last for _, _, last in rows)
    f = (rows[0][1] + 1 - rows[0][0] - rows[0][2]) // 2
    b, d = len(rows) - a, len(rows) - e
    try:
        hexagon = Hexagon((a, b, e + f - b, d, e, f))
    except ValueError:
        return None
    return hexagon if _shape(hexagon) == list(rows) else None


def _shape(hexagon: Hexagon) -> list[tuple[bool, int, bool]]:
    return [
        (hexagon.points_up(r, 0), length, hexagon.points_up(r, length - 1)) for r, length in enumerate(hexagon.row_lengths)
    ]  # fmt: skip


def write(puzzle: Triddler) -> str:
    """The puzzle as a set of one, with what is known about it and its goal; no DOCTYPE, as for nonograms."""
    a, _, c, _, _, f = puzzle.sides
    lines, colours, signs = webpbn.head_lines(puzzle.palette, puzzle.about, "triddler")
    rows, rising, falling = (list(puzzle.lines(direction)) for direction in range(3))
    groups = (rows[:a], rows[a:], falling[:c], falling[c:], rising[f:], rising[:f])
    for name, group in zip(SETS, groups, strict=True):
        lines += webpbn.clue_lines(name, group, colours)
    if puzzle.goal is not None:
        lines += ['<solution type="goal">', "<image>"]
        for (first, _, last), row in zip(_shape(puzzle.hexagon), puzzle.goal, strict=True):
            lines.append(("/" if first else "\\") + "".join(signs[cell] for cell in row) + ("\\" if last else "/"))
        lines += ["</image>", "</solution>"]
    return "\n".join([*lines, "</puzzle>", "</puzzleset>", ""])
