"""The engine for exact cover problems: Knuth's dancing cells (algorithm C) as PyPI's xcover has it, compiled by numba.

The algorithm picks options only to cover a primary item. An option without one may be chosen all the same in a formula, so it
gets a primary item of its own, which a second option covers alone: chosen or not.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import compiling, doing
from cnfgen_puzzles.counting.problem import SearchPart, satisfies
from cnfgen_puzzles.formula.exactcover import ExactCover

MODULE = "xcover"


class ExactCoverEngine:
    """Finds all solutions of a part of an exact cover problem."""

    def __init__(self, cover: ExactCover):
        self._cover = cover
        self._items = {option: frozenset(items) for option, items in enumerate(cover.options)}
        self._option = {variable: option for option, variable in enumerate(cover.variables)}

    def solutions(self, part: SearchPart) -> Iterator[list[int]]:
        reduced = self._reduce(part)
        if reduced is None:
            return
        chosen, covered, left = reduced
        cover, variables = self._cover, self._cover.variables
        primary = [item for item in cover.primary if item not in covered]
        secondary = [item for item in cover.secondary if item not in covered]
        for found in exact_covers(primary, secondary, [cover.options[option] for option in left]):
            true = {variables[option] for option in (*chosen, *(left[each] for each in found))}
            # bounds that are no items: the algorithm does not know them
            counts = ((len(true & among), least, most) for among, least, most in cover.counted)
            hold = all(least <= count and (most is None or count <= most) for count, least, most in counts)
            if hold and not any(satisfies(true, cube) for cube in part.without):
                yield sorted(true)

    def _reduce(self, part: SearchPart) -> tuple[list[int], set[str], list[int]] | None:
        """The options that the cube chooses, the items that they cover, and the options that are left; None if they clash."""
        true = {literal for literal in part.cube if literal > 0}
        if not self._option.keys() >= true:  # no option: never true
            return None
        chosen = [self._option[literal] for literal in true]
        dropped = {self._option.get(-literal) for literal in part.cube if literal < 0}
        # of the rest, what a cube of one literal forbids is dropped; longer cubes are looked at when a solution is there
        dropped |= {self._option.get(cube[0]) for cube in part.without if len(cube) == 1 and cube[0] > 0}
        covered: set[str] = set()
        for option in chosen:
            if option in dropped or self._items[option] & covered:
                return None
            covered |= self._items[option]
        used = {*chosen, *dropped}
        left = [option for option, items in self._items.items() if option not in used and items.isdisjoint(covered)]
        return chosen, covered, left


def exact_covers(primary: Sequence[str], secondary: Sequence[str], options: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """The sets of options (by number) that cover primary items exactly once and secondary ones at most once."""
    needed = set(primary)
    listed = [list(option) for option in options]
    own = {number: f"|{number}" for number, option in enumerate(listed) if needed.isdisjoint(option)}
    for number, item in own.items():
        listed[number].append(item)
    # xcover 0.2.6 overlooks an item if the options have no other: so there are always two that mean nothing
    added = [*own.values(), "|", "||"]  # no name of a problem's items holds a bar
    listed += [[item] for item in added]
    items = [*primary, *added, *secondary]
    if not needed <= {item for option in listed for item in option}:  # an item is out of reach
        return
    import numpy

    place = {item: number for number, item in enumerate(items)}
    flat = numpy.array([place[item] for option in listed for item in option], dtype=numpy.uint32)
    starts = numpy.array([0, *accumulate(map(len, listed))], dtype=numpy.uint32)
    colours = numpy.zeros(len(flat), dtype=numpy.uint32)
    for found in load()(flat, starts, colours, numpy.uint32(len(items)), numpy.uint32(len(secondary))):
        yield [int(option) for option in found if option < len(options)]


def load() -> Callable[..., Iterable[Any]]:
    """xcover's algorithm_c. Its module is loaded by itself: the package would also compile an algorithm that we do not use,
    which takes most of the time of the very first call (later ones find both in numba's cache)."""
    name = f"{MODULE}.dancing_cells"
    if name not in sys.modules:
        package = importlib.util.find_spec(MODULE)
        folders = package.submodule_search_locations if package else None
        spec = importlib.util.spec_from_file_location(name, Path((folders or [""])[0]) / "dancing_cells.py")
        if spec is None or spec.loader is None:
            raise ImportError(f"no module {name}")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        subject = "the search for exact covers"
        with warnings.catch_warnings(), _without_scipy(), doing(f"loading {subject}"), compiling(subject):
            warnings.simplefilter("ignore")
            with one_after_another(spec.origin):
                spec.loader.exec_module(module)
    function: Callable[..., Iterable[Any]] = sys.modules[name].algorithm_c
    return function


@contextlib.contextmanager
def one_after_another(file: str | None) -> Iterator[None]:
    """In the block no other process of this machine is in it for the same file: workers that begin together would all compile for
    ten seconds. Who comes second finds numba's cache. Where files have no locks all of them go on, as they did before."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stream = stack.enter_context(open(file or "", "rb"))
            fcntl.flock(stream, fcntl.LOCK_EX)
            stack.callback(fcntl.flock, stream, fcntl.LOCK_UN)  # by itself: a process that was forked has the file open, too
        yield


@contextlib.contextmanager
def _without_scipy() -> Iterator[None]:
    """numba loads scipy's linear algebra where it is installed: a third of the start, for nothing that is used here."""
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]  # as the import system has it: this name cannot be imported
    try:
        yield
    finally:
        del sys.modules["scipy"]
