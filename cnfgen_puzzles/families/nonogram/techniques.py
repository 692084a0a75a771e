"""Techniques that people use in a line, from the simplest on, each with its reason in words.

All techniques but the last consider single blocks: the leftmost and rightmost position of each (`first` and `last`), and the
blocks that can lie at a run of cells of their color, or in a gap. The last one compares all remaining arrangements, so it finds
every consequence of the line. A technique makes claims: the colors that cells may have, and the reasons.

In a black and white puzzle, 'not filled' means 'empty'; with several colors, a technique may only exclude some colors of a cell.

A step is a consequence of one line, or follows because its opposite leads to a contradiction. Other programs can replay it from
its JSON, in which rows and columns count from 1 (docs/how-to/hints.md). Reasons also count cells from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from cnfgen_puzzles.common.errors import named
from cnfgen_puzzles.families.nonogram.ahead import Refutation, assume
from cnfgen_puzzles.families.nonogram.lines import Arranged, Can, ClueBlock, ColorGrid, arrange, narrow_line, ways
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.formula.dead_ends import bits

# -- words --------------------------------------------------------------------------------------------------------------

FEW = 3
"""The number of blocks that a reason describes; it counts the others."""


Step = dict[str, Any]
"""A step as JSON."""


def line_name(line: Mapping[str, Any]) -> str:
    """`row 3`, `column 1`."""
    return f"{line['kind']} {line['number']}"


class Words:
    """The words for one puzzle: the names of colors, if it has several, or their signs if they have no names."""

    def __init__(self, puzzle: Nonogram):
        self.names = [color.sign if color.name.startswith("#") else named(color.name) for color in puzzle.palette]
        self.colored = puzzle.inks > 1

    def value(self, color: int) -> str:
        """The word for a cell of this color."""
        if not color:
            return "empty"
        return self.names[color] if self.colored else "filled"

    def kind(self, color: int) -> str:
        """The name of a block of this color: `block`, or `red block`."""
        return f"{self.names[color]} block" if self.colored else "block"

    def block(self, number: int, blocks: Sequence[ClueBlock]) -> str:
        """`the 5`, with its number if other blocks of the line are equal."""
        length, color = blocks[number].length, blocks[number].color
        name = f"the {self.value(color)} {length}" if self.colored else f"the {length}"
        alike = [other for other, block in enumerate(blocks) if (block.length, block.color) == (length, color)]
        return name if len(alike) == 1 else f"{name} that is block {number + 1}"

    def clue(self, blocks: Sequence[ClueBlock]) -> str:
        """The clue as in the margin."""
        texts = (f"{block.length} {self.value(block.color)}" if self.colored else str(block.length) for block in blocks)
        return (", " if self.colored else " ").join(texts) or "0"

    def text(self, step: Step) -> str:
        """The step in one paragraph: `row 3: cells 4-6 filled (overlap: ...)`."""
        if step["kind"] == "line":
            return f"{line_name(step['line'])}: {self._cells(step)} ({step['technique']}: {step['reason']})"
        return f"{self._outcome(step)} ({step['reason']})"

    def _outcome(self, step: Step, be: str = ":") -> str:
        """The cell of a lookahead and what follows: `row 3, column 1: empty`."""
        (cell,), assumed = step["cells"], step["assumption"]["value"]
        value = self.value(cell["value"]) if "value" in cell else f"not {self.value(assumed)}"
        return f"row {cell['row']}, column {cell['column']}{be} {value}"

    def why(self, color: int, chain: Sequence[Step], contradicted: Mapping[str, Any]) -> str:
        """The reason of a lookahead, with its chain."""
        thoughts = [f"if it were {self.value(color)}"]
        for link in chain:
            if link["kind"] == "line":
                thoughts.append(f"{line_name(link['line'])} would have {self._cells(link)}")
            else:
                thoughts.append(f"{self._outcome(link, ' would be')} ({link['reason']})")
        return f"{', '.join(thoughts)}, and no arrangement of {line_name(contradicted)} would be left"

    def _cells(self, step: Step) -> str:
        """`cells 4-6 filled, 7 empty`."""
        place = "column" if step["line"]["kind"] == "row" else "row"
        places: dict[str, list[int]] = {}
        for cell in step["cells"]:
            words = self.value(cell["value"]) if "value" in cell else f"not {' or '.join(map(self.value, cell['not']))}"
            places.setdefault(words, []).append(cell[place] - 1)
        listed = ", ".join(f"{ranges(where)} {words}" for words, where in places.items())
        return f"cell{'s' * (len(step['cells']) > 1)} {listed}"


def cells(mask: int) -> str:
    """`cell 4`, `cells 1-3, 7`: places in the line."""
    places = list(bits(mask))
    return f"cell{'s' * (len(places) > 1)} {ranges(places)}"


def ranges(places: Iterable[int]) -> str:
    """Indices from 0, in ascending order, as ranges that count from 1.

    >>> ranges([0, 1, 2, 6])
    '1-3, 7'
    """
    runs = [[place for _, place in run] for _, run in groupby(enumerate(places), lambda pair: pair[1] - pair[0])]
    return ", ".join(f"{run[0] + 1}-{run[-1] + 1}" if len(run) > 1 else str(run[0] + 1) for run in runs)


def span(first: int, end: int) -> str:
    """The cells from `first` to before `end`, with indices from 0, as numbers from 1."""
    return cells((1 << end) - (1 << first))


# -- cells as bits --------------------------------------------------------------------------------------------------------


class Stretch(NamedTuple):
    """Neighboring cells from `first` to before `end`."""

    first: int
    end: int


def runs(mask: int) -> list[Stretch]:
    """The runs of neighboring bits.

    >>> runs(0b1011)
    [Stretch(first=0, end=2), Stretch(first=3, end=4)]
    """
    found = []
    while mask:
        low = mask & -mask
        beyond = mask + low & ~mask
        found.append(Stretch(low.bit_length() - 1, (beyond & -beyond).bit_length() - 1))
        mask &= mask + low
    return found


def common(can: Can, other: Can) -> Can:
    """The colors that both allow for each cell."""
    return tuple(a & b for a, b in zip(can, other, strict=True))


def changed(before: Can, after: Can) -> int:
    """The cells whose colors differ."""
    mask = 0
    for old, new in zip(before, after, strict=True):
        mask |= old ^ new
    return mask


def _between(first: int, end: int) -> int:
    return (1 << end) - (1 << first) if first < end else 0


# -- techniques ---------------------------------------------------------------------------------------------------------

Claim = tuple[Can, str]
"""The colors that cells may have at most, and the reason."""


class LineView:
    """A line with a clue, known cells, and at least one arrangement, with the data that techniques use."""

    def __init__(self, size: int, blocks: Sequence[ClueBlock], can: Can, words: Words):
        self.size, self.blocks, self.can, self.words = size, blocks, can, words

    @cached_property
    def arranged(self) -> Arranged:
        found = arrange(self.size, self.blocks, self.can)
        assert found is not None, "techniques are for lines that have an arrangement"
        return found

    @cached_property
    def narrowed(self) -> Can:
        """All consequences of the line."""
        after = narrow_line(self.size, self.blocks, self.can)
        assert after is not None
        return after

    @cached_property
    def first(self) -> list[int]:
        """The start of each block when all are pushed to the left."""
        return [(begins & -begins).bit_length() - 1 for begins in self.arranged.begins]

    @cached_property
    def last(self) -> list[int]:
        """The start of each block when all are pushed to the right."""
        return [begins.bit_length() - 1 for begins in self.arranged.begins]

    def reach(self, number: int) -> Stretch:
        """The cells that the block can reach."""
        return Stretch(self.first[number], self.last[number] + self.blocks[number].length)

    def sure(self, color: int) -> int:
        """The cells that have this color."""
        mask = self.can[color]
        for other, others in enumerate(self.can):
            if other != color:
                mask &= ~others
        return mask

    def of(self, color: int) -> list[int]:
        """The numbers of the blocks of this color."""
        return [number for number, block in enumerate(self.blocks) if block.color == color]

    @property
    def inks(self) -> range:
        return range(1, len(self.can))

    def over(self, color: int, run: Stretch) -> list[int]:
        """The blocks of this color that can cover the whole run."""
        found = []
        for number in self.of(color):
            reach = self.reach(number)
            if self.blocks[number].length >= run.end - run.first and reach.first <= run.first and run.end <= reach.end:
                found.append(number)
        return found


def must(view: LineView, color: int, mask: int) -> Can:
    """The remaining colors if these cells have this color."""
    return tuple(may if other == color else may & ~mask for other, may in enumerate(view.can))


def cannot(view: LineView, color: int, mask: int) -> Can:
    """The remaining colors if these cells have another color."""
    return tuple(may & ~mask if other == color else may for other, may in enumerate(view.can))


def _bits_in(view: LineView, *places: int) -> int:
    """The indices that are in the line."""
    return sum(1 << place for place in places if 0 <= place < view.size)


def _room(view: LineView, number: int, gap: Stretch) -> bool:
    """Whether the block can lie in the gap."""
    length, reach = view.blocks[number].length, view.reach(number)
    return max(gap.first, reach.first) + length <= min(gap.end, reach.end)


def _listed(reasons: list[str]) -> str:
    more = len(reasons) - FEW
    return "; ".join(reasons[:FEW]) + (f"; and so {more} more" if more > 0 else "")


def count_cells(view: LineView) -> Iterator[Claim]:
    """All cells of a color in the clue are known, or all that can have it are needed."""
    every = (1 << view.size) - 1
    if not view.blocks:
        yield must(view, 0, every), "the clue is empty"
    for color in view.inks:
        total = sum(view.blocks[number].length for number in view.of(color))
        known, possible, name = view.sure(color), view.can[color], view.words.value(color)
        if not total:
            claim = cannot(view, color, every), f"the clue has no {name} cells"
        elif known.bit_count() == total:
            why = f"all {total} {name} cells of the clue are known" if total > 1 else f"the only {name} cell of the clue is known"
            claim = cannot(view, color, every & ~known), why
        elif possible.bit_count() == total:
            needed = f"{total} {name} cells, and no more" if total > 1 else f"a {name} cell, and no other"
            claim = must(view, color, possible), f"the clue needs {needed} can be {name}"
        else:
            continue
        if common(view.can, claim[0]) != view.can:
            yield claim
            return


def complete(view: LineView) -> Iterator[Claim]:
    """A run that is as long as every block that can lie there: the cells beside it have another color."""
    for color in view.inks:
        for run in runs(view.sure(color)):
            if max(view.blocks[number].length for number in view.over(color, run)) == run.end - run.first:
                be = "is" if run.end == run.first + 1 else "are"
                ends = _bits_in(view, run.first - 1, run.end)
                yield cannot(view, color, ends), f"{span(*run)} {be} as long as any block that can lie there"


def only_way(view: LineView) -> Iterator[Claim]:
    """Every block has only one position."""
    if view.first == view.last:
        clue, tight = view.words.clue(view.blocks), sum(block.length + block.gap for block in view.blocks) == view.size
        yield view.narrowed, f"{clue} takes all {view.size} cells" if tight else f"only one way is left to place {clue}"


def overlap(view: LineView) -> Iterator[Claim]:
    """The cells that a block covers at its leftmost and its rightmost position."""
    reasons, can = [], view.can
    for number, block in enumerate(view.blocks):
        covered = _between(view.last[number], view.first[number] + block.length)
        if covered & ~view.sure(block.color):
            can = common(can, must(view, block.color, covered))
            name, first, last = view.words.block(number, view.blocks), view.first[number] + 1, view.last[number] + 1
            where = f"at cell {first}" if first == last else f"at cell {first} at the earliest and {last} at the latest"
            reasons.append(f"{name} begins {where}")
    yield can, f"{_listed(reasons)}, which covers {cells(changed(view.can, can))} in any case"


def out_of_reach(view: LineView) -> Iterator[Claim]:
    """The cells that no block can reach."""
    for color in view.inks:
        reached = 0
        for number in view.of(color):
            reached |= _between(*view.reach(number))
        far = view.can[color] & ~reached
        yield cannot(view, color, far), f"no {view.words.kind(color)} can be pushed to {cells(far)}"


def gap_too_small(view: LineView) -> Iterator[Claim]:
    """A gap without space for any block that reaches it."""
    for color in view.inks:
        for gap in runs(view.can[color]):
            near = [n for n in view.of(color) if view.reach(n).first < gap.end and gap.first < view.reach(n).end]
            if not any(_room(view, number, gap) for number in near):
                least = min((view.blocks[number].length for number in near), default=0)
                why = f"has no room for any {view.words.kind(color)}"
                if least > gap.end - gap.first:
                    why = f"is shorter than {least}, which the {view.words.kind(color)}s that reach it need"
                yield cannot(view, color, _between(*gap)), f"the gap at {span(*gap)} {why}"


def too_long(view: LineView) -> Iterator[Claim]:
    """A cell that would form a run for which no block is long enough, or that no block can cover."""
    for color in view.inks:
        known = view.sure(color)
        for run in runs(known):
            for cell in bits(_bits_in(view, run.first - 1, run.end) & view.can[color]):
                joined = next(each for each in runs(known | 1 << cell) if each.first <= cell < each.end)
                if not view.over(color, joined):
                    why = f"would make {span(*joined)} one block, and none that can lie there is so long"
                    yield cannot(view, color, 1 << cell), f"cell {cell + 1} {why}"


def grow(view: LineView) -> Iterator[Claim]:
    """A run that belongs to a longer block without enough space on one side."""
    for color in view.inks:
        room = runs(view.can[color])
        for run in runs(view.sure(color)):
            numbers = view.over(color, run)
            length = min(view.blocks[number].length for number in numbers)
            gap = next(each for each in room if each.first <= run.first < each.end)
            low = max(gap.first, min(view.reach(number).first for number in numbers))
            high = min(gap.end, max(view.reach(number).end for number in numbers))
            where = f"{span(*run)} belong{'s' * (run.end == run.first + 1)} to a block of at least {length}"
            covered = _between(min(run.first, high - length), max(run.end, low + length))
            yield must(view, color, covered), f"{where}, which lies within {span(low, high)}"


def every_arrangement(view: LineView) -> Iterator[Claim]:
    """The common part of all remaining arrangements: every consequence of the line."""
    count = ways(view.size, view.blocks, view.can)
    which = f"{count} ways that are" if count < 1_000_000 else "ways that are"
    yield view.narrowed, f"all {which} left to place {view.words.clue(view.blocks)} agree here"


@dataclass(frozen=True)
class Technique:
    """A technique: its name in steps, its weight in the difficulty of a puzzle, and its claims."""

    name: str
    weight: int
    claims: Callable[[LineView], Iterable[Claim]]

    def find(self, view: LineView) -> Finding | None:
        """The remaining colors after all claims with new information."""
        can, reasons = view.can, []
        for claim, reason in self.claims(view):
            if (after := common(can, claim)) != can:
                can = after
                reasons.append(reason)
        return Finding(self, can, _listed(reasons)) if reasons else None


class Finding(NamedTuple):
    """A technique that finds something in a line, the remaining colors, and the reasons."""

    technique: Technique
    can: Can
    reason: str


TECHNIQUES = (
    Technique("count", 1, count_cells),
    Technique("complete", 1, complete),
    Technique("only way", 2, only_way),
    Technique("overlap", 2, overlap),
    Technique("out of reach", 2, out_of_reach),
    Technique("gap too small", 2, gap_too_small),
    Technique("too long", 3, too_long),
    Technique("grow", 3, grow),
    Technique("arrangements", 4, every_arrangement),
)
"""From the simplest on; `weight` is used for the difficulty (docs/how-to/hints.md)."""


def simplest(view: LineView) -> Finding | None:
    """The finding of the first technique that finds something in the line; None if there is none."""
    return next(filter(None, (technique.find(view) for technique in TECHNIQUES)), None)


# -- steps --------------------------------------------------------------------------------------------------------------

AHEAD = "look ahead"
WEIGHT_AHEAD = 10
"""The weight of a lookahead besides its steps; docs/how-to/hints.md defines the score."""
WEIGHTS = {technique.name: technique.weight for technique in TECHNIQUES}


def weight_of(step: Step) -> int:
    """The weight of a step in the difficulty."""
    if step["kind"] == "line":
        return WEIGHTS[step["technique"]]
    return WEIGHT_AHEAD + WEIGHTS["arrangements"] + sum(map(weight_of, step["steps"]))


def lines_in(step: Step) -> int:
    """The lines of a chain, including the contradicted one."""
    return 1 + sum(map(lines_in, step.get("steps", ())))


def line_step(grid: ColorGrid, line: int, before: Can, technique: str, reason: str) -> Step:
    """The consequences of one line by a technique; `before` are the colors before it."""
    entry = grid.lines.entry(line)
    return {"kind": "line", "line": entry, "technique": technique, "reason": reason, "cells": news(grid, line, before)}


def ahead_step(grid: ColorGrid, refutation: Refutation, words: Words) -> Step:
    """A color that a cell cannot have: assuming it leads through the steps of its links to a line without an arrangement."""
    row, column, color = refutation.assumption
    assumed, after, chain = assume(grid, refutation.assumption), grid.copy(), list[Step]()
    for link in refutation.links:
        if isinstance(link, int):
            before = assumed.can[link]
            assumed.narrow(link)
            chain.append(line_step(assumed, link, before, "arrangements", ""))
        else:
            chain.append(ahead_step(assumed, link, words))
            assumed.fix(*link.assumption, allowed=False)
    after.fix(row, column, color, allowed=False)
    contradicted = grid.lines.entry(refutation.contradicted)
    return {
        "kind": "ahead",
        "assumption": {"row": row + 1, "column": column + 1, "value": color},
        "depth": 1 + max((step.get("depth", 0) for step in chain), default=0),
        "steps": chain,
        "contradicted": contradicted,
        "reason": words.why(color, chain, contradicted),
        "cells": news(after, row, grid.can[row]),
    }


def news(grid: ColorGrid, line: int, before: Can) -> list[dict[str, Any]]:
    """The new facts on the cells of a line, compared with `before`: the color of each cell, or the excluded colors if several
    remain."""
    found = []
    for place in bits(changed(before, grid.can[line])):
        row, column = grid.lines.cell(line, place)
        left = grid.colors(row, column)
        gone = [color for color, mask in enumerate(before) if mask >> place & 1 and color not in left]
        fact = {"value": left[0]} if len(left) == 1 else {"not": gone}
        found.append({"row": row + 1, "column": column + 1, **fact})
    return found
