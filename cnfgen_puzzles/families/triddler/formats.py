"""Triddler files: `.g` with `#t`, and the XML of webpbn.com.

docs/how-to/triddler.md describes both with an example. In `.g`, as read by Mirek and Petr Olšák's `grid`, each of six groups of
clues follows a line with a colon, one group per side, from the upper left to the left, the bottom, and the right. Clues of
falling lines are read from the bottom up, all others from their side on; the number of clues is the length of a side. Colors
are declared as for nonograms; `6:` is the color outside the board and is ignored. Source: the remarks in `tkocka.g` and
`vcely.g`, examples of `grid` and of Jan Wolter's pbnsolve. They do not define the order of lines and blocks; with this order,
the two puzzles have one solution each, a cat and bees.

In the XML (https://webpbn.com/pbn_fmt.html, version 0.3) a `<puzzle type="triddler">` has six sets of clues. `topleft` and
`bottomleft` are rows from the top (sides A and B), `top` and `topright` rising lines from left to right (F, E), `bottom` and
`bottomright` falling lines from left to right (C, D). Empty sets can be missing. The image of a goal has its rows between the
slopes of the edges of the puzzle: `/ABCDE\\`, `/FGHIJK/`, `\\LMNOP/`. Saved solutions are ignored. The page does not define the
direction of lines; its example has a solution if rows are read from the left and all other lines from the top, and none if one of
the directions is reversed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.readers.strictxml import Element
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.clues import Lines
from cnfgen_puzzles.families.clued.palette import WHITE, clue_texts, facts_of_clues
from cnfgen_puzzles.families.clued.puzzle import Board, ColoredClue
from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.nonogram import webpbn
from cnfgen_puzzles.families.nonogram.formats import XML, find_declaration, palette_lines, read_groups
from cnfgen_puzzles.families.triddler.puzzle import SIDES, Hexagon, Triddler, clues_of, puzzle_of

# -- .g -----------------------------------------------------------------------------------------------------------------

DECLARED = re.compile("^#t", re.MULTILINE | re.IGNORECASE)
GROUP = re.compile("^:", re.MULTILINE)
OUTSIDE = "6"


def is_g(text: str) -> bool:
    """Whether a line begins with `#t`, and a later line with a colon."""
    declared = DECLARED.search(text)
    return declared is not None and GROUP.search(text, declared.end()) is not None


def read_g(text: str, source: str) -> Triddler:
    """The puzzle; raises InputError."""
    lines = Lines(text, source, "a .g triddler with a line '#t' and six groups of clues")
    if find_declaration(lines, "#t") is None:
        raise lines.error(0, "found no line that begins with #t, expected a triddler")
    expected = "expected one before the clues of each of the six sides"
    indices, palette, background = read_groups(lines, len(SIDES), expected, OUTSIDE)
    groups = []
    for side, group in zip(SIDES, indices, strict=True):
        if len(group) > MOST_SIDE:
            raise lines.error(group.start - 1, f"found {len(group)} clues of side {side}, expected at most {MOST_SIDE}")
        groups.append(lines.clues(group, f"side {side}, line", palette.number))
    return puzzle_of(tuple(map(len, groups)), _in_order(groups), palette.colors(*background))


def _in_order(groups: list[tuple[ColoredClue, ...]]) -> list[list[ColoredClue]]:
    """The clues of six groups as clues of rows, rising lines, and falling lines."""
    a, b, c, d, e, f = groups
    return [[*a, *b], [*reversed((*e, *f))], [(clue[::-1], inks[::-1]) for clue, inks in (*c, *d)]]


def write_g(puzzle: Triddler) -> str:
    """The puzzle without its title and goal."""
    a, _, c, _, e, _ = puzzle.sides
    rows, rising, falling = (list(puzzle.lines(direction)) for direction in range(3))
    falling = [(clue[::-1], inks[::-1]) for clue, inks in falling]
    rising.reverse()
    groups = (rows[:a], rows[a:], falling[:c], falling[c:], rising[:e], rising[e:])
    lines = ["#triddler", *palette_lines(puzzle.colors)]
    for side, group in zip(SIDES, groups, strict=True):
        lines += [f": {side}", *(clue.removeprefix("0") for clue in clue_texts(group, puzzle.colors))]
    return "\n".join([*lines, ": end", ""])


# -- webpbn -------------------------------------------------------------------------------------------------------------

SETS = dict(zip(("topleft", "bottomleft", "bottom", "bottomright", "topright", "top"), SIDES, strict=True))
"""Types of clues, and the sides of their lines."""
SLOPED_ROW = re.compile(r"([/\\])([^/\\]+)([/\\])")


def read_set(text: str, source: str) -> Sequence[Callable[[], Triddler]]:
    """A reader for each puzzle of the set; raises InputError."""
    root, found = webpbn.puzzles_in(text, source)
    return [lambda element=element: _TriddlerReader(element, root).triddler() for element in found]  # type: ignore[misc]


class _TriddlerReader(webpbn.PuzzleReader):
    kind = "triddler"
    clue_sets: Mapping[str, str] = {name: f"side {side}, line" for name, side in SETS.items()}
    fewest = 0

    def triddler(self) -> Triddler:
        clues = self.clues()
        image = next(self.solutions("goal"), None)
        drawn = None if image is None else self.hexagonal(image.only("image"))
        colors = self.palette.colors(self.ground or WHITE.value, self.background)
        if not clues:
            if drawn is None:
                raise self.element.error(f"found a puzzle without clues, expected those of {', '.join(SETS)}")
            return replace(clues_of(*drawn, colors), about=self.about())
        a, b, c, d, e, f = groups = [clues.get(name, ()) for name in SETS]
        lines: list[tuple[ColoredClue, ...]] = [(*a, *b), (*f, *e), (*c, *d)]
        puzzle = replace(puzzle_of(tuple(map(len, groups)), lines, colors), about=self.about())
        if drawn is not None and drawn[0] != puzzle.hexagon:
            found = f"found a goal with the sides {drawn[0].sides}"
            raise self.element.error(f"{found}, expected {puzzle.sides} as the clues say")
        return replace(puzzle, goal=drawn and drawn[1])

    def hexagonal(self, image: Element) -> tuple[Hexagon, Board]:
        text = "".join(image.text.split())
        checked_amount("steps", len(text), found=f"a picture of {len(text)} signs", source=image.source, line=image.line)
        rows = SLOPED_ROW.findall(text)
        hexagon = _hexagon_of([(left == "/", len(cells), right == "\\") for left, cells, right in rows])
        if hexagon is None or len("".join(map("".join, rows))) != len(text):
            raise image.error(
                r"found a picture that is no hexagon, expected rows between the slopes of its edges, such as /..X..\ "
            )
        inks = {}
        for letter in sorted({letter for _, cells, _ in rows for letter in cells}):
            if letter not in self.names:
                raise image.error(f"found {letter!r} in the picture, expected the characters of the puzzle's colors")
            inks[letter] = self.ink(self.names[letter], image)
        return hexagon, tuple(tuple(inks[letter] for letter in cells) for _, cells, _ in rows)


def _hexagon_of(rows: Sequence[tuple[bool, int, bool]]) -> Hexagon | None:
    """The hexagon whose rows begin with a cell that points up or not, have this number of cells, and end with a cell that points
    down or not."""
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


def write_webpbn(puzzle: Triddler) -> str:
    """The puzzle as a set with one puzzle, its properties, and its goal; without DOCTYPE, as for nonograms."""
    a, _, c, _, _, f = puzzle.sides
    lines, colors, signs = webpbn.head_lines(puzzle.palette, puzzle.about, "triddler")
    rows, rising, falling = (list(puzzle.lines(direction)) for direction in range(3))
    groups = (rows[:a], rows[a:], falling[:c], falling[c:], rising[f:], rising[:f])
    for name, group in zip(SETS, groups, strict=True):
        lines += webpbn.clue_lines(name, group, colors)
    if puzzle.goal is not None:
        lines += ['<solution type="goal">', "<image>"]
        for (first, _, last), row in zip(_shape(puzzle.hexagon), puzzle.goal, strict=True):
            lines.append(("/" if first else "\\") + "".join(signs[cell] for cell in row) + ("\\" if last else "/"))
        lines += ["</image>", "</solution>"]
    return "\n".join([*lines, "</puzzle>", "</puzzleset>", ""])


# -- all formats --------------------------------------------------------------------------------------------------------

EXAMPLE_G = "#triddler\n: A\n2\n: B\n0\n: C\n1\n: D\n1\n: E\n0\n: F\n2\n: end\n"
EXAMPLE_XML = """<puzzleset>
<puzzle type="triddler">
<clues type="topleft"><line><count>2</count></line></clues>
<clues type="bottomleft"><line></line></clues>
<clues type="bottom"><line><count>1</count></line></clues>
<clues type="bottomright"><line><count>1</count></line></clues>
<clues type="topright"><line></line></clues>
<clues type="top"><line><count>2</count></line></clues>
</puzzle>
</puzzleset>
"""
FORMATS: FormatTable[Triddler] = FormatTable(
    "triddler",
    "a triddler",
    (
        Format("g", "the Olšáks' .g with #t", (".g",), is_g, read_g, write_g, latin1=True, example=EXAMPLE_G),
        Format("webpbn", *XML, webpbn.of_triddlers, None, write_webpbn, read_set, example=EXAMPLE_XML),
    ),
    facts_of_clues,
)
