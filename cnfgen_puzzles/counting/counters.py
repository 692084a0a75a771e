"""The model counters: their calls, their restrictions, and the work of a worker process.

All counters return Python integers with all digits. A counter gets a simplified formula (`reduce_formula`): each variable occurs
in a clause, and no clause is a tautology or has a literal twice. Both counters use the library Arjun to simplify a formula, so an
error of Arjun could affect both.

`modelcounts` runs them under limits and compares their numbers. Counters write no proofs: a number is not independently verified.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.counting import enginenames
from cnfgen_puzzles.counting.enginenames import BOTH
from cnfgen_puzzles.counting.problem import read_problem

EXTRA = "counters"
Clauses = Sequence[Sequence[int]]

# -- simplified formulas ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReducedFormula:
    """Clauses over variables 1 .. `variables`, each of which occurs; `factor` is the contribution of the free variables.

    `known` is the number of models of these clauses if no counter is needed.
    """

    clauses: list[list[int]]
    variables: int
    projection: list[int]
    factor: int
    known: int | None = None

    def count(self, counter: ModelCounter) -> int:
        """The number of projected models of the whole formula, computed by this counter in this process."""
        return self.factor * (counter.count(self) if self.known is None else self.known)


def reduce_formula(clauses: Iterable[Sequence[int]], projection: Iterable[int]) -> ReducedFormula:
    """Simplify the formula for a counter, and renumber its variables in ascending order.

    A variable of the projection set that occurs in no clause doubles the number; another such variable does not change it. With
    an empty clause the number is 0, and without any clause it is a power of two.
    >>> reduced = reduce_formula([[5, 7], [7, -7], [5, 5, -2]], projection=[2, 5, 9])
    >>> reduced.clauses, reduced.variables, reduced.projection, reduced.factor
    ([[2, 3], [2, -1]], 3, [1, 2], 2)
    """
    kept = []
    for clause in clauses:
        literals = list(dict.fromkeys(clause))
        if not literals:
            return ReducedFormula([], 0, [], 1, known=0)
        if not any(-literal in set(literals) for literal in literals):  # skip tautologies
            kept.append(literals)
    used = sorted({abs(literal) for clause in kept for literal in clause})
    number = {variable: place for place, variable in enumerate(used, start=1)}
    number |= {-variable: -place for variable, place in number.items()}
    wanted = sorted(set(projection))
    inside = [number[variable] for variable in wanted if variable in number]
    renamed = [[number[literal] for literal in clause] for clause in kept]
    return ReducedFormula(renamed, len(used), inside, 1 << (len(wanted) - len(inside)), known=None if kept else 1)


# -- the table ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ModelCounter:
    """A model counter in a Python package; `caveat` restricts its numbers even if it has no errors."""

    name: str
    summary: str
    package: str
    module: str
    count: Callable[[ReducedFormula], int]
    caveat: str = ""

    def available(self) -> bool:
        """True if the package is installed."""
        return importlib.util.find_spec(self.module) is not None

    def version(self) -> str:
        """The version of the package."""
        from importlib.metadata import version  # this import takes as long as counting a small formula

        return version(self.package)


def _ganak(reduced: ReducedFormula) -> int:
    """Run ganak. pyganak identifies components by 64-bit hashes and has no option for longer ones."""
    from pyganak import Counter  # type: ignore[import-not-found]  # it has no types

    counter = Counter()
    counter.new_vars(reduced.variables)
    counter.add_clauses(reduced.clauses)
    counter.set_sampling_set(reduced.projection)
    return int(counter.count())


TRIED = 32
"""With at most this many projection variables, tididi tries their values; at 31, this is a hundred times slower."""


def _tididi(reduced: ReducedFormula) -> int:
    """Run tididi. Few projection variables are extended by pairs with a clause `a or b`, each of which triples the number."""
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
            "a probabilistic counter, exact with probability at least 1 - delta",
        ),
        ModelCounter("tididi", enginenames.COUNTERS["tididi"], "tididi-cnf", "tididi_cnf", _tididi),
    )
}  # fmt: skip


def choose_counters(name: str) -> list[ModelCounter]:
    """The counter with that name, or all for `counters`; InputError if one is not installed."""
    if name not in (BOTH, *COUNTERS):
        raise InputError(unknown_name("model counter", name, (BOTH, *COUNTERS)))
    wanted = list(COUNTERS.values()) if name == BOTH else [COUNTERS[name]]
    for counter in wanted:
        if not counter.available():
            raise InputError(f"the model counter {counter.name} is not installed: {install_extra(EXTRA)}")
    return wanted


def available_counters() -> list[ModelCounter]:
    """The installed counters, in the order of the table."""
    return [counter for counter in COUNTERS.values() if counter.available()]


# -- the worker process -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CounterWork:
    """Counts a problem's formula once with each of the restrictions (further clauses), and prints a line `count 0x1f` for each.

    Hexadecimal numbers are exact, and Python parses them in linear time.
    """

    problem: Path
    counter: str
    restrictions: Sequence[Clauses]

    def run(self, folder: Path, answers: TextIO) -> None:
        """Run in a worker process (`worker`)."""
        sys.set_int_max_str_digits(0)  # pyganak converts its numbers from decimal digits
        problem = read_problem(self.problem)
        clauses = list(problem.cnf.clauses())
        for restriction in self.restrictions:
            reduced = reduce_formula([*clauses, *restriction], problem.projection)
            print("count", hex(reduced.count(COUNTERS[self.counter])), file=answers, flush=True)
