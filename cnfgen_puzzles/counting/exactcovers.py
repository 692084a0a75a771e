"""The engine for exact cover problems: arrays for the compiled search of `coversearch`, which this module loads."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.counting.problem import Cube
from cnfgen_puzzles.formula.exactcover import ExactCover

MODULE = "numba"


class ExactCoverEngine:
    """Finds all solutions of a part of an exact cover problem."""

    def __init__(self, cover: ExactCover):
        self._cover = cover
        self._items = {option: frozenset(items) for option, items in enumerate(cover.options)}
        self._option = {variable: option for option, variable in enumerate(cover.variables)}

    def solutions(self, cube: Cube) -> Iterator[list[int]]:
        reduced = self._reduce(cube)
        if reduced is None:
            return
        chosen, covered, left = reduced
        cover, variables = self._cover, self._cover.variables
        primary = [item for item in cover.primary if item not in covered]
        secondary = [item for item in cover.secondary if item not in covered]
        for found in exact_covers(primary, secondary, [cover.options[option] for option in left]):
            true = {variables[option] for option in (*chosen, *(left[each] for each in found))}
            # the algorithm does not handle bounds that are no items
            counts = ((len(true & among), least, most) for among, least, most in cover.counted)
            if all(least <= count and (most is None or count <= most) for count, least, most in counts):
                yield sorted(true)

    def _reduce(self, cube: Cube) -> tuple[list[int], set[str], list[int]] | None:
        """The options that the cube chooses, the items that they cover, and the remaining options; None for a conflict."""
        true = {literal for literal in cube if literal > 0}
        if not self._option.keys() >= true:  # a variable without an option is false
            return None
        chosen = [self._option[literal] for literal in true]
        dropped = {self._option.get(-literal) for literal in cube if literal < 0}
        covered: set[str] = set()
        for option in chosen:
            if option in dropped or self._items[option] & covered:
                return None
            covered |= self._items[option]
        used = {*chosen, *dropped}
        left = [option for option, items in self._items.items() if option not in used and items.isdisjoint(covered)]
        return chosen, covered, left


def exact_covers(primary: Sequence[str], secondary: Sequence[str], options: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """The sets of options (by number) that cover primary items exactly once and secondary items at most once."""
    needed = set(primary)
    listed = [list(option) for option in options]
    added = {number: f"|{number}" for number, option in enumerate(listed) if needed.isdisjoint(option)}
    for number, item in added.items():  # no item of a problem has a bar in its name
        listed[number].append(item)
    listed += [[item] for item in added.values()]
    items = [*primary, *added.values(), *secondary]
    place = {item: number for number, item in enumerate(items)}
    algorithm = load()
    arrays = new_search([[place[item] for item in option] for option in listed], len(items))
    registers, _, buffer, *_ = arrays
    while registers[0] >= 0:
        used = algorithm.search(len(primary) + len(added), algorithm.NO_PROOF, algorithm.NO_TEXT, *arrays)
        found, end = buffer[:used].tolist(), 0
        while end < len(found):
            begin, end = end + 1, end + 1 + found[end]
            yield [option for option in found[begin:end] if option < len(options)]


def new_search(options: Sequence[Sequence[int]], items: int) -> tuple[Any, ...]:
    """The arrays of a new search for `coversearch.search`; the options are lists of items by number."""
    import numpy

    flat = numpy.array([item for option in options for item in option], numpy.uint32)
    starts = numpy.array([0, *accumulate(map(len, options))], numpy.uint32)
    arrays: tuple[Any, ...] = load().new_search(flat, starts, items)
    return arrays


def load() -> Any:
    """The module `coversearch`, whose import loads numba and, on its first use on a machine, compiles the search."""
    name = f"{__package__}.coversearch"
    if name not in sys.modules:
        with doing("loading the search for exact covers"):
            importlib.import_module(name)
    return sys.modules[name]
