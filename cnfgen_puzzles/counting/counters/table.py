"""The model counters: which there are, what each number rests on, and how each is called.

Both return Python integers, made of all digits of a GMP integer: exact whatever their size. What is told to them is `Reduced`:
each variable occurs in a clause, no clause has a literal twice or is always true. Both simplify a formula by the library Arjun
before they count, so a fault of that one could be a fault of both.

Not here: processes and limits (`calls`), the formula's reduction (`reduction`).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.counting import enginenames
from cnfgen_puzzles.counting.counters.reduction import Reduced
from cnfgen_puzzles.counting.enginenames import BOTH

INSTALL = "pip install 'cnfgen-puzzles[counters]'"


@dataclass(frozen=True)
class ModelCounter:
    """A model counter as a package of Python; `caveat` is what its numbers rest on besides its being right."""

    name: str
    summary: str
    package: str
    module: str
    count: Callable[[Reduced], int]
    caveat: str = ""

    def available(self) -> bool:
        """Whether the package is there."""
        return importlib.util.find_spec(self.module) is not None

    def version(self) -> str:
        """That of the package."""
        from importlib.metadata import version  # takes as long to load as a small formula to count

        return version(self.package)


def _ganak(reduced: Reduced) -> int:
    """Without an option for it pyganak always knows parts of a formula again by their hashes."""
    from pyganak import Counter  # type: ignore[import-not-found]  # it tells no types

    counter = Counter()
    counter.new_vars(reduced.variables)
    counter.add_clauses(reduced.clauses)
    counter.set_sampling_set(reduced.projection)
    return int(counter.count())


TRIED = 32
"""Shown variables up to which tididi tries their values instead of taking the formula apart: a hundred times slower at 31."""


def _tididi(reduced: Reduced) -> int:
    """Where few variables are shown, more are: pairs of new ones, of which one must be true, so that each triples the number."""
    import tididi_cnf

    clauses, shown, variables = list(reduced.clauses), list(reduced.projection), reduced.variables
    pairs = 0
    if len(shown) == variables:
        answer = tididi_cnf.count(clauses, num_vars=variables, mode="mc").count
    else:
        while len(shown) <= TRIED:
            pairs += 1
            pair = [variables + 1, variables + 2]
            clauses.append(pair)
            shown += pair
            variables += 2
        answer = tididi_cnf.count(clauses, num_vars=variables, show=shown, mode="pmc").count
    number, left = divmod(answer, 3**pairs) if isinstance(answer, int) else (0, 1)
    if left:
        raise ValueError(f"found {answer!r} as a count, which must be a whole number of {3**pairs}")
    return number


COUNTERS: Mapping[str, ModelCounter] = {
    counter.name: counter
    for counter in (
        ModelCounter(
            "ganak", enginenames.COUNTERS["ganak"], "pyganak", "pyganak", _ganak,
            "probabilistic: parts of the formula are known again by hashes of 64 bits",
        ),
        ModelCounter("tididi", enginenames.COUNTERS["tididi"], "tididi-cnf", "tididi_cnf", _tididi),
    )
}  # fmt: skip


def choose_counters(name: str) -> list[ModelCounter]:
    """The counter of that name, or all for `counters`; InputError if one is not there."""
    if name not in (BOTH, *COUNTERS):
        raise InputError(unknown_name("model counter", name, (BOTH, *COUNTERS)))
    wanted = list(COUNTERS.values()) if name == BOTH else [COUNTERS[name]]
    for counter in wanted:
        if not counter.available():
            raise InputError(f"the model counter {counter.name} is not there; {INSTALL} installs it")
    return wanted


def those_there(names: Sequence[str] = tuple(COUNTERS)) -> list[ModelCounter]:
    """The counters of these that are there, in the order of the table."""
    return [counter for name, counter in COUNTERS.items() if name in names and counter.available()]
