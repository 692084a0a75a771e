"""The model counters, and the numbers that they give: each in a confined worker process under limits; several must agree.

    verdict = count_all(choose_counters("ganak"), Problem(cnf, projection), limits=Limits(cpu=60))
    if verdict.numbers:                # otherwise, see verdict.reason
        ...

All counters return Python integers with all digits. A counter gets a simplified formula (`reduce_formula`): each variable occurs
in a clause, and no clause is a tautology or has a literal twice. If a counter fails, its result has the reason instead of raising
an exception. If the numbers of two counters differ, that is an alarm and there is no answer (`CounterVerdict.numbers`). Counters
write no proofs: a number is not independently verified. Both use the library Arjun, so an error of Arjun could affect both.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable, unknown_name
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.common.numbers import digits
from cnfgen_puzzles.counting.enginenames import BOTH
from cnfgen_puzzles.counting.problem import Problem, read_problem
from cnfgen_puzzles.evidence.evidence import AGREEMENT, CLAIMED, Evidence
from cnfgen_puzzles.solving.supervision import INTERRUPTED as ENDED
from cnfgen_puzzles.solving.workerprocess import failure_of, run_worker

if TYPE_CHECKING:
    from cnfgen_puzzles.solving.process import Limits

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
        ModelCounter("ganak", "pyganak", "pyganak", _ganak, "a probabilistic counter, exact with probability at least 1 - delta"),
        ModelCounter("tididi", "tididi-cnf", "tididi_cnf", _tididi),
    )
}


def choose_counters(name: str) -> list[ModelCounter]:
    """The counter with that name, or all for `counters`; InputError if one is not installed."""
    if name not in (BOTH, *COUNTERS):
        raise InputError(unknown_name("model counter", name, (BOTH, *COUNTERS)))
    wanted = list(COUNTERS.values()) if name == BOTH else [COUNTERS[name]]
    for counter in wanted:
        if not counter.available():
            raise InputError(f"the model counter {counter.name} is not installed: {install_extra(EXTRA)}")
    return wanted


# -- the worker process -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CounterWork:
    """Counts a problem's formula once with each of the restrictions (further clauses), and prints the numbers.

    Hexadecimal numbers are exact, and Python parses them in linear time.
    """

    problem: Path
    counter: str
    restrictions: Sequence[Clauses]

    def run(self, folder: Path, answers: TextIO) -> None:
        """Run in a worker process (`workerprocess`)."""
        sys.set_int_max_str_digits(0)  # pyganak converts its numbers from decimal digits
        problem = read_problem(self.problem)
        clauses = list(problem.cnf.clauses())
        for restriction in self.restrictions:
            reduced = reduce_formula([*clauses, *restriction], problem.projection)
            print(hex(reduced.count(COUNTERS[self.counter])), file=answers)


# -- calls ---------------------------------------------------------------------------------------------------------------------

INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class ModelCount:
    """The result of a counter. `numbers` are exact, one for each formula; empty without a result, and then `reason` is a limit,
    INTERRUPTED, or (`failed`) an error."""

    counter: ModelCounter
    version: str
    numbers: tuple[int, ...] = ()
    reason: str = ""
    failed: bool = False
    cpu: float = 0.0


def count_by(
    counter: ModelCounter, problem: Problem, restrictions: Sequence[Clauses] = ((),), limits: Limits | None = None
) -> ModelCount:
    """The numbers of projected models of a formula with each of the restrictions (further clauses), by one process.

    Variables of the projection set that occur in no clause count; an empty set gives 1 or 0. `limits` apply to all formulas
    together.
    """
    from cnfgen_puzzles.solving.process import LIMITS, Limits  # a lazy import: workers do not need it

    with scratch_folder("counter") as folder, doing(f"{counter.name} is counting"):
        problem.write(folder / "problem")
        work = CounterWork(folder / "problem", counter.name, [list(map(list, each)) for each in restrictions])
        measurement = run_worker(folder, work, limits or Limits(), scratch=folder / "scratch")
        numbers, reason = list[int](), LIMITS.get(measurement.ended, INTERRUPTED if measurement.ended == ENDED else "")
        failure = "" if reason else failure_of(measurement, (folder / "stderr").read_bytes())
        if not reason and not failure:
            numbers = [int(word, 16) for word in (folder / "stdout").read_text().split()]
    reason = printable(reason or failure)
    return ModelCount(counter, counter.version(), tuple(numbers), reason, bool(failure), measurement.cpu)


def count_all(
    counters: Sequence[ModelCounter], problem: Problem, restrictions: Sequence[Clauses] = ((),), limits: Limits | None = None
) -> CounterVerdict:
    """The answers of these counters, in parallel if there are enough cores; `limits` are divided evenly among them."""
    from cnfgen_puzzles.solving.distribute import distribute  # a lazy import: workers do not need it

    if len(counters) == 1:
        return CounterVerdict((count_by(counters[0], problem, restrictions, limits),))
    share = limits and divide_limits(limits, len(counters))
    with (
        ThreadPoolExecutor(min(len(counters), len(usable_cores()))) as executor,
        closing(
            distribute(executor, counters, lambda counter: (count_by, counter, problem, restrictions, share), "model counters")
        ) as results,
    ):
        found = {done.unit.name: done.result() for done in filter(None, results)}
    return CounterVerdict(tuple(found[counter.name] for counter in counters))


def divide_limits(limits: Limits, among: int) -> Limits:
    """The limits of each of `among` calls: CPU time and memory are divided evenly."""
    cpu = None if limits.cpu is None else limits.cpu / among
    memory = None if limits.memory is None else max(1, limits.memory // among)
    return replace(limits, cpu=cpu, memory=memory)


@dataclass(frozen=True)
class CounterVerdict:
    """The results of several counters for the same question."""

    calls: tuple[ModelCount, ...]

    @property
    def counted(self) -> list[ModelCount]:
        """The calls that returned all numbers."""
        return [call for call in self.calls if not call.reason]

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The numbers of the calls that counted; None if none did. CnfgenError if they differ, or a counter failed."""
        for call in self.calls:
            if call.failed:
                raise CnfgenError(f"the model counter {call.counter.name} {call.version}: {call.reason}")
        for each in zip(*(call.numbers for call in self.counted), strict=True):
            if len(set(each)) > 1:
                claims = zip(self.counted, each, strict=True)
                numbers = ", ".join(f"{call.counter.name} {call.version} counts {digits(number)}" for call, number in claims)
                raise CnfgenError(f"the model counters disagree, so at least one of them is wrong: {numbers}")
        return self.counted[0].numbers if self.counted else None

    @property
    def reason(self) -> str:
        """The reason why there is no number: the end of the first call that did not count."""
        return next((call.reason for call in self.calls if call.reason), "")

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended a call."""
        return any(call.reason == INTERRUPTED for call in self.calls)

    @property
    def by(self) -> str:
        """The counters that gave the number."""
        return " and ".join(call.counter.name for call in self.counted or self.calls)

    @property
    def cpu(self) -> float:
        """The CPU time of all counters together, in seconds."""
        return sum(call.cpu for call in self.calls)

    @property
    def caveats(self) -> list[str]:
        """A sentence if the only counter that gave a number is probabilistic."""
        alone = self.counted[0].counter if len(self.counted) == 1 else None
        return [f"{alone.name} is {alone.caveat}"] if alone and alone.caveat else []

    def evidence(self) -> Evidence:
        """The evidence of the numbers."""
        if len(self.counted) > 1:
            return Evidence(AGREEMENT, self.by)
        notes = [call.counter.caveat for call in self.counted if call.counter.caveat]
        notes += [f"{call.counter.name} gave no number: {call.reason}" for call in self.calls if call.reason]
        return Evidence(CLAIMED, self.by, "; ".join(notes))
