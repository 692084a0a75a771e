"""Reasons of steps in a line, parsed from English and compared with all arrangements of the line.

Shares no code with `families/nonogram/lines.py`: places of blocks are found by another method, one cell after another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

MORE = re.compile(r"; and so (\d+) more")
CELLS = r"cells? ([\d, -]+)"


class Placements:
    """The possible starts of the blocks of a line (lengths and colors) in cells with these colors, with their numbers."""

    def __init__(self, cells: Sequence[set[int]], blocks: Sequence[tuple[int, int]]):
        self.cells, self.blocks = cells, blocks
        self.starts: list[set[int]] = [set() for _ in blocks]

        @cache
        def ways(cell: int, block: int, before: int) -> int:
            if cell == len(cells):
                return int(block == len(blocks))
            found = ways(cell + 1, block, 0) if 0 in cells[cell] else 0
            if self.fits(cell, block, before):
                found += ways(cell + blocks[block][0], block + 1, blocks[block][1])
            return found

        self.count = ways(0, 0, 0)
        reached = [{(0, 0)}, *(set() for _ in cells)]  # by cell: blocks placed, and the color before
        for cell in range(len(cells)):
            for block, before in reached[cell]:
                if 0 in cells[cell]:
                    reached[cell + 1].add((block, 0))
                if self.fits(cell, block, before):
                    end, color = cell + blocks[block][0], blocks[block][1]
                    reached[end].add((block + 1, color))
                    if ways(end, block + 1, color):
                        self.starts[block].add(cell)

    def fits(self, cell: int, block: int, before: int) -> bool:
        """Whether the block fits from this cell on, after a cell of that color."""
        if block == len(self.blocks) or self.blocks[block][1] == before:
            return False
        length, color = self.blocks[block]
        there = self.cells[cell : cell + length]
        return len(there) == length and all(color in may for may in there)

    def covering(self, color: int, run: set[int]) -> list[range]:
        """The places of blocks of the color that cover the whole run, each in some arrangement."""
        places = (
            range(start, start + length)
            for (length, ink), starts in zip(self.blocks, self.starts, strict=True)
            for start in starts
            if ink == color
        )
        return [place for place in places if run <= set(place)]

    def sure(self, color: int) -> set[int]:
        return {place for place, may in enumerate(self.cells) if may == {color}}

    def possible(self, color: int) -> set[int]:
        return {place for place, may in enumerate(self.cells) if color in may}

    def total(self, color: int) -> int:
        return sum(length for length, ink in self.blocks if ink == color)


def places(told: str) -> set[int]:
    """`1-3, 7` as places from 0."""
    ends = [part.partition("-") for part in told.split(", ")]
    return {place for low, _, high in ends for place in range(int(low) - 1, int(high or low))}


class Reasons:
    """Checks of the reasons for one puzzle, with the names of its colors."""

    def __init__(self, names: Sequence[str]):
        self.colored = len(names) > 2
        self.colors = {name: color for color, name in enumerate(names)} if self.colored else {"filled": 1}
        self.colors["empty"] = 0
        self.names = {color: name for name, color in self.colors.items()}

    def check(self, technique: str, reason: str, line: Placements, news: dict[int, set[int]]) -> None:
        """Check the reason of a step; `news` are the colors that it excludes at places of the line."""
        said: Callable[..., None] = getattr(self, technique.replace(" ", "_"))
        if technique in ("count", "only way", "overlap", "arrangements"):
            said(reason, line, news)
            return
        parts = MORE.sub("", reason).split("; ")
        told: set[int] = set()
        for part in parts:
            told |= said(part, line, news)
        assert MORE.search(reason) or told == set(news), (reason, told, news)

    def color(self, word: str) -> int:
        """The color of `red `, or of an empty text in a puzzle in black and white."""
        return self.colors[word.strip()] if self.colored else 1

    def clue(self, line: Placements) -> str:
        told = (f"{length} {self.names[ink]}" if self.colored else str(length) for length, ink in line.blocks)
        return (", " if self.colored else " ").join(told) or "0"

    def count(self, reason: str, line: Placements, news: dict[int, set[int]]) -> None:
        if reason == "the clue is empty":
            assert not line.blocks
        elif match := re.fullmatch("the clue has no (.+) cells", reason):
            color = self.colors[match[1]]
            assert not line.total(color) and all(gone == {color} for gone in news.values())
        elif match := re.fullmatch("(?:all ([0-9]+)|the only) (.+?) cells? of the clue (?:are|is) known", reason):
            color = self.colors[match[2]]
            assert line.total(color) == int(match[1] or 1) == len(line.sure(color))
            assert all(gone == {color} for gone in news.values())
        else:
            match = re.fullmatch("the clue needs (?:([0-9]+)|a) (.+?) cells?, and no (?:more|other) can be (.+)", reason)
            assert match and match[2] == match[3], reason
            color = self.colors[match[2]]
            assert line.total(color) == int(match[1] or 1) == len(line.possible(color))
            assert set(news) <= line.possible(color) and all(color not in gone for gone in news.values())

    def complete(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"{CELLS} (?:is|are) as long as any block that can lie there", reason)
        assert match, reason
        run = places(match[1])
        (color,) = set.union(*(line.cells[place] for place in run))
        assert {len(place) for place in line.covering(color, run)} == {len(run)}
        return {place for place in (min(run) - 1, max(run) + 1) if color in news.get(place, ())}

    def only_way(self, reason: str, line: Placements, news: dict[int, set[int]]) -> None:
        assert line.count == 1
        if reason != f"only one way is left to place {self.clue(line)}":
            assert reason == f"{self.clue(line)} takes all {len(line.cells)} cells"
            tight = sum(length for length, _ in line.blocks)
            tight += sum(a == b for (_, a), (_, b) in zip(line.blocks, line.blocks[1:], strict=False))
            assert tight == len(line.cells)

    def overlap(self, reason: str, line: Placements, news: dict[int, set[int]]) -> None:
        match = re.fullmatch(f"(.+), which covers {CELLS} in any case", reason)
        assert match, reason
        for part in MORE.sub("", match[1]).split("; "):
            begins = re.fullmatch("(.+) begins at cell ([0-9]+)(?: at the earliest and ([0-9]+) at the latest)?", part)
            assert begins, part
            number = self.block(begins[1], line)
            first, last = int(begins[2]) - 1, int(begins[3] or begins[2]) - 1
            assert (min(line.starts[number]), max(line.starts[number])) == (first, last), part
            length, color = line.blocks[number]
            core = set(range(last, first + length)) - line.sure(color)
            assert core and all(color not in news[place] for place in core), part
        every = [
            set(range(max(starts), min(starts) + length)) - line.sure(ink)
            for (length, ink), starts in zip(line.blocks, line.starts, strict=True)
        ]
        told = match[1].count(" begins at ") + int(more[1] if (more := MORE.search(reason)) else 0)
        assert set(news) == places(match[2]) == set.union(*every) and told == sum(map(bool, every)), reason

    def block(self, told: str, line: Placements) -> int:
        """The number of `the red 5`, or of `the 5 that is block 2`."""
        name = "(.+? )" if self.colored else "()"
        match = re.fullmatch(f"the {name}([0-9]+)(?: that is block ([0-9]+))?", told)
        assert match, told
        alike = [number for number, block in enumerate(line.blocks) if block == (int(match[2]), self.color(match[1]))]
        if match[3]:
            assert len(alike) > 1 and int(match[3]) - 1 in alike, told
            return int(match[3]) - 1
        assert len(alike) == 1, told
        return alike[0]

    def out_of_reach(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"no (.+ )?block can be pushed to {CELLS}", reason)
        assert match, reason
        color, far = self.color(match[1] or ""), places(match[2])
        for number, (length, ink) in enumerate(line.blocks):
            reach = range(min(line.starts[number]), max(line.starts[number]) + length)
            assert ink != color or far.isdisjoint(reach), reason
        assert {place for place, gone in news.items() if color in gone} == far, reason
        return far

    def gap_too_small(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"the gap at {CELLS} (?:is shorter than ([0-9]+), which|has no room for any) (.+)", reason)
        assert match, reason
        gap, words = places(match[1]), match[3]
        kind = re.fullmatch("the (.+ )?blocks that reach it need" if match[2] else "(.+ )?block", words)
        assert kind, reason
        color = self.color(kind[1] or "")
        beside = {min(gap) - 1, max(gap) + 1}
        assert gap <= line.possible(color) and beside.isdisjoint(line.possible(color)), reason
        assert not any(line.covering(color, {place}) for place in gap), reason
        if match[2]:
            assert len(gap) < int(match[2])
            for (length, ink), starts in zip(line.blocks, line.starts, strict=True):
                assert ink != color or length >= int(match[2]) or gap.isdisjoint(range(min(starts), max(starts) + length)), reason
        assert all(news[place] >= {color} for place in gap)
        return gap

    def too_long(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"cell ([0-9]+) would make {CELLS} one block, and none that can lie there is so long", reason)
        assert match, reason
        cell, joined = int(match[1]) - 1, places(match[2])
        (color,) = set.union(*(line.cells[place] for place in joined - {cell}))
        assert {min(joined) - 1, max(joined) + 1}.isdisjoint(line.sure(color)), "the step names only a part of the run"
        assert not line.covering(color, joined) and color in news[cell], reason
        return {cell}

    def grow(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"{CELLS} belongs? to a block of at least ([0-9]+), which lies within {CELLS}", reason)
        assert match, reason
        run, least, within = places(match[1]), int(match[2]), places(match[3])
        (color,) = set.union(*(line.cells[place] for place in run))
        there = line.covering(color, run)
        assert there and all(len(place) >= least and set(place) <= within for place in there), reason
        return set.intersection(*(set(place) for place in there)) & set(news)

    def arrangements(self, reason: str, line: Placements, news: dict[int, set[int]]) -> None:
        counted = f"{line.count} " if line.count < 1_000_000 else ""
        assert reason == f"all {counted}ways that are left to place {self.clue(line)} agree here"
