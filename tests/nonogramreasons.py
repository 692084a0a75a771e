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
                    end, colour = cell + blocks[block][0], blocks[block][1]
                    reached[end].add((block + 1, colour))
                    if ways(end, block + 1, colour):
                        self.starts[block].add(cell)

    def fits(self, cell: int, block: int, before: int) -> bool:
        """Whether the block fits from this cell on, after a cell of that color."""
        if block == len(self.blocks) or self.blocks[block][1] == before:
            return False
        length, colour = self.blocks[block]
        there = self.cells[cell : cell + length]
        return len(there) == length and all(colour in may for may in there)

    def covering(self, colour: int, run: set[int]) -> list[range]:
        """The places of blocks of the color that cover the whole run, each in some arrangement."""
        places = (
            range(start, start + length)
            for (length, ink), starts in zip(self.blocks, self.starts, strict=True)
            for start in starts
            if ink == colour
        )
        return [place for place in places if run <= set(place)]

    def sure(self, colour: int) -> set[int]:
        return {place for place, may in enumerate(self.cells) if may == {colour}}

    def possible(self, colour: int) -> set[int]:
        return {place for place, may in enumerate(self.cells) if colour in may}

    def total(self, colour: int) -> int:
        return sum(length for length, ink in self.blocks if ink == colour)


def places(told: str) -> set[int]:
    """`1-3, 7` as places from 0."""
    ends = [part.partition("-") for part in told.split(", ")]
    return {place for low, _, high in ends for place in range(int(low) - 1, int(high or low))}


class Reasons:
    """Checks of the reasons for one puzzle, with the names of its colors."""

    def __init__(self, names: Sequence[str]):
        self.coloured = len(names) > 2
        self.colours = {name: colour for colour, name in enumerate(names)} if self.coloured else {"filled": 1}
        self.colours["empty"] = 0
        self.names = {colour: name for name, colour in self.colours.items()}

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

    def colour(self, word: str) -> int:
        """The color of `red `, or of an empty text in a puzzle in black and white."""
        return self.colours[word.strip()] if self.coloured else 1

    def clue(self, line: Placements) -> str:
        told = (f"{length} {self.names[ink]}" if self.coloured else str(length) for length, ink in line.blocks)
        return (", " if self.coloured else " ").join(told) or "0"

    def count(self, reason: str, line: Placements, news: dict[int, set[int]]) -> None:
        if reason == "the clue is empty":
            assert not line.blocks
        elif match := re.fullmatch("the clue has no (.+) cells", reason):
            colour = self.colours[match[1]]
            assert not line.total(colour) and all(gone == {colour} for gone in news.values())
        elif match := re.fullmatch("(?:all ([0-9]+)|the only) (.+?) cells? of the clue (?:are|is) known", reason):
            colour = self.colours[match[2]]
            assert line.total(colour) == int(match[1] or 1) == len(line.sure(colour))
            assert all(gone == {colour} for gone in news.values())
        else:
            match = re.fullmatch("the clue needs (?:([0-9]+)|a) (.+?) cells?, and no (?:more|other) can be (.+)", reason)
            assert match and match[2] == match[3], reason
            colour = self.colours[match[2]]
            assert line.total(colour) == int(match[1] or 1) == len(line.possible(colour))
            assert set(news) <= line.possible(colour) and all(colour not in gone for gone in news.values())

    def complete(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"{CELLS} (?:is|are) as long as any block that can lie there", reason)
        assert match, reason
        run = places(match[1])
        (colour,) = set.union(*(line.cells[place] for place in run))
        assert {len(place) for place in line.covering(colour, run)} == {len(run)}
        return {place for place in (min(run) - 1, max(run) + 1) if colour in news.get(place, ())}

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
            length, colour = line.blocks[number]
            core = set(range(last, first + length)) - line.sure(colour)
            assert core and all(colour not in news[place] for place in core), part
        every = [
            set(range(max(starts), min(starts) + length)) - line.sure(ink)
            for (length, ink), starts in zip(line.blocks, line.starts, strict=True)
        ]
        told = match[1].count(" begins at ") + int(more[1] if (more := MORE.search(reason)) else 0)
        assert set(news) == places(match[2]) == set.union(*every) and told == sum(map(bool, every)), reason

    def block(self, told: str, line: Placements) -> int:
        """The number of `the red 5`, or of `the 5 that is block 2`."""
        name = "(.+? )" if self.coloured else "()"
        match = re.fullmatch(f"the {name}([0-9]+)(?: that is block ([0-9]+))?", told)
        assert match, told
        alike = [number for number, block in enumerate(line.blocks) if block == (int(match[2]), self.colour(match[1]))]
        if match[3]:
            assert len(alike) > 1 and int(match[3]) - 1 in alike, told
            return int(match[3]) - 1
        assert len(alike) == 1, told
        return alike[0]

    def out_of_reach(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"no (.+ )?block can be pushed to {CELLS}", reason)
        assert match, reason
        colour, far = self.colour(match[1] or ""), places(match[2])
        for number, (length, ink) in enumerate(line.blocks):
            reach = range(min(line.starts[number]), max(line.starts[number]) + length)
            assert ink != colour or far.isdisjoint(reach), reason
        assert {place for place, gone in news.items() if colour in gone} == far, reason
        return far

    def gap_too_small(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"the gap at {CELLS} (?:is shorter than ([0-9]+), which|has no room for any) (.+)", reason)
        assert match, reason
        gap, words = places(match[1]), match[3]
        kind = re.fullmatch("the (.+ )?blocks that reach it need" if match[2] else "(.+ )?block", words)
        assert kind, reason
        colour = self.colour(kind[1] or "")
        beside = {min(gap) - 1, max(gap) + 1}
        assert gap <= line.possible(colour) and beside.isdisjoint(line.possible(colour)), reason
        assert not any(line.covering(colour, {place}) for place in gap), reason
        if match[2]:
            assert len(gap) < int(match[2])
            for (length, ink), starts in zip(line.blocks, line.starts, strict=True):
                assert ink != colour or length >= int(match[2]) or gap.isdisjoint(range(min(starts), max(starts) + length)), (
                    reason
                )
        assert all(news[place] >= {colour} for place in gap)
        return gap

    def too_long(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"cell ([0-9]+) would make {CELLS} one block, and none that can lie there is so long", reason)
        assert match, reason
        cell, joined = int(match[1]) - 1, places(match[2])
        (colour,) = set.union(*(line.cells[place] for place in joined - {cell}))
        assert {min(joined) - 1, max(joined) + 1}.isdisjoint(line.sure(colour)), "the whole run is told"
        assert not line.covering(colour, joined) and colour in news[cell], reason
        return {cell}

    def grow(self, reason: str, line: Placements, news: dict[int, set[int]]) -> set[int]:
        match = re.fullmatch(f"{CELLS} belongs? to a block of at least ([0-9]+), which lies within {CELLS}", reason)
        assert match, reason
        run, least, within = places(match[1]), int(match[2]), places(match[3])
        (colour,) = set.union(*(line.cells[place] for place in run))
        there = line.covering(colour, run)
        assert there and all(len(place) >= least and set(place) <= within for place in there), reason
        return set.intersection(*(set(place) for place in there)) & set(news)

    def arrangements(self, reason: str, line: Placements, news: dict[int, set[int]]) -> None:
        counted = f"{line.count} " if line.count < 1_000_000 else ""
        assert reason == f"all {counted}ways that are left to place {self.clue(line)} agree here"
