"""All boards of a puzzle, each checked against the rules, and their number up to symmetry and in all.

    solutions = Solutions(request)
    for solution in solutions:           # solution.board; the first of every orbit
        ...
    print(solutions.count().sentence())  # 2339 solutions up to the 4 symmetries of board and pieces; 9356 in all

`counting` finds the solutions, and checks models of SAT engines against the formula. This module decodes each solution and checks
its board. If model counters give the number (alone, or before a parallel enumeration ends), there are no boards to check.
Counters use Burnside's lemma to count up to symmetry (`FixedPoints`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.numbers import digits
from cnfgen_puzzles.counting.enginenames import AUTO, BLOCKING, BY_NUMBER, CLASP, COVER
from cnfgen_puzzles.counting.engines import choose_engine
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.total import CounterQuestion, Total, plan_for
from cnfgen_puzzles.evidence.evidence import Evidence
from cnfgen_puzzles.families import Board, Symmetry
from cnfgen_puzzles.pipeline.answer import Answer, Result, Status
from cnfgen_puzzles.pipeline.instance import NOTHING, SYMMETRY, Instance, check_rules, make_instance, project_model, symmetry_of
from cnfgen_puzzles.pipeline.request import CountRequest

SEARCHING = (BLOCKING, CLASP)
"""Engines that search the formula."""

CERTIFIED = ("solutions", "raw", "convention", "complete", "cubes", "cpu", "evidence")
"""The fields of a count with a certificate in JSON."""
SYMMETRIC_SEPARATE = "symmetric solutions counted separately"

# -- results ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solution:
    """A board with its number (from 1), its true projection variables, and the size of its orbit."""

    number: int
    board: Board
    true: frozenset[int]
    orbit: int

    def __repr__(self) -> str:
        stands_for = f"one of {self.orbit} symmetric ones" if self.orbit != 1 else ""
        return showing.in_brackets("Solution", f"number {self.number}", stands_for)

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_() if isinstance(self.board, Board) else None


@dataclass(frozen=True, repr=False)
class Count(Result):
    """The number of solutions: `solutions` by `convention`, and `raw` with symmetric ones counted separately.

    If the count is not `complete`, `reason` says why, and there may be more. `seconds` is wall time, `cpu` is CPU time of all
    processes. The search has `parts`, of which `parts_done` are finished. If the solutions are `listed`, each was found and
    checked, and `evidence` is that there are no others (for a partial count, that these exist); otherwise, it names the program
    that gave the number. A certificate has one proof for each of the `cubes`, and `cpu` is the time of these proofs.
    """

    solutions: int
    raw: int
    convention: str = ""
    complete: bool = True
    reason: str = ""
    engine: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    parts: int = 0
    parts_done: int = 0
    interrupted: bool = False
    evidence: Evidence | None = None
    listed: bool = True
    cubes: int = 0

    @property
    def status(self) -> Status:
        """SATISFIABLE if there is a solution."""
        return Status.SATISFIABLE if self.solutions else Status.UNSATISFIABLE if self.complete else Status.UNKNOWN

    def _repr_html_(self) -> str:
        rows = [
            (f"solutions {self.convention}".strip(), digits(self.solutions)),
            *([("in all", digits(self.raw))] if self.raw != self.solutions else []),
            ("complete", "yes" if self.complete else f"no: {self.reason}"),
            ("engine", self.engine or "none"),
            ("wall time, CPU time", f"{self.seconds:.2f} s, {self.cpu:.2f} s"),
        ]
        return showing.words(self.sentence()) + showing.table((), rows, words=2)

    def to_json(self) -> dict[str, Any]:
        """The numbers as JSON."""
        entry = asdict(self)
        del entry["interrupted"]  # `reason` says so
        return {name: entry[name] for name in CERTIFIED} if self.cubes else {k: entry[k] for k in entry if k != "cubes"}

    def sentence(self) -> str:
        """The result in a sentence, with the convention and the evidence."""
        grounds = self.evidence.words() if self.evidence else ""
        noun = "solution" if self.solutions == 1 else "solutions"
        number = digits(self.solutions) if self.solutions else "no"
        if self.complete and not self.solutions:
            return f"No solution{grounds}."
        convention = f" {self.convention}" if self.convention.startswith("up to") else ""
        raw = f"; {digits(self.raw)} in all" if convention and self.raw != self.solutions else ""
        if self.convention and not convention:
            raw = f", {self.convention}"
        if self.complete and not self.listed:
            return f"{number} {noun}{convention}{raw}{grounds}."
        if self.complete:
            return f"{number} {noun}{convention}{raw}." + (f" No others{grounds}." if grounds else "")
        done = f", {self.parts_done} of {self.parts} parts done" if self.parts > 1 else ""
        return f"Partial ({self.reason}{done}): at least {digits(self.solutions)} {noun}{convention}{raw}."


# -- formulas for counting ----------------------------------------------------------------------------------------------------


def problem_of(instance: Instance) -> Problem:
    """The instance as a problem of `counting`, without the hints of the family if the formula is scrambled or was changed."""
    if instance.map.renaming is not None or instance.changed:
        return Problem(instance.cnf, instance.projection)
    counting, puzzle, blocks = instance.family.counting, instance.puzzle, instance.map.blocks
    return Problem(
        instance.cnf,
        instance.projection,
        cover=counting.exact_cover(puzzle, blocks),
        antichain=counting.antichain(puzzle, blocks),
        cubes=counting.cubes(puzzle, blocks),
    )


def counting_instance(request: CountRequest, up_to: str = SYMMETRY) -> Instance:
    """The request's puzzle, encoded for its engine with the family's options for counting, overridden by the request's options.

    None of them is used that might leave out solutions if each counts: up to less than all symmetries, and by numbers alone.
    """
    family, engine, solver = request.family, request.engine or AUTO, next(iter(request.solver), None)
    request = replace(request, encoding=request.encoding or family.counting.encodings.get(engine))
    known = {option.name for option in family.encoding(request.encoding).options}
    general = family.counting.options if up_to == SYMMETRY and engine not in BY_NUMBER else {}
    searching = {**general, **family.counting.searching_options}

    def make(suggested: Mapping[str, Any]) -> Instance:
        merged = {name: value for name, value in suggested.items() if name in known} | dict(request.options)
        return make_instance(family, request.puzzle, request.encoding, **merged)

    if searching == general or (solver is None and engine not in SEARCHING):
        instance = make(general)
        if searching == general or engine in BY_NUMBER or choose_engine(engine, problem_of(instance), solver).name == COVER:
            return instance
    return make(searching)


# -- solutions ----------------------------------------------------------------------------------------------------------------


class Solutions:
    """Iterating (once) yields the solutions of a request: the first one of every orbit under `up_to`.

    `limits` apply to the search with all its processes; `most` ends it after this number of solutions. `count()` returns the
    count so far at any time, and `progress` gets it repeatedly. With an `executor`, the search runs elsewhere (see
    `counting.enumeration`).

    If only the number is requested (not `listed`), `engine` can also be a model counter, and `auto` can run one in parallel with
    the search; then iterating does not yield all solutions.
    """

    def __init__(self, request: CountRequest):
        engine, solver = request.engine or AUTO, next(iter(request.solver), None)
        self.up_to = NOTHING if request.instance is not None and request.instance.changed else request.convention
        self.instance = instance = request.instance or counting_instance(request, self.up_to)
        if (left_out := instance.map.up_to) and (self.up_to != SYMMETRY or engine in BY_NUMBER):
            what = f"the engine {engine}" if self.up_to == SYMMETRY else f"counts up to {self.up_to}"
            what = "raw counts" if request.raw else what
            raise InputError(f"found a formula that leaves out solutions ({left_out}), which is not possible with {what}")
        if instance.map.partial:
            found = f"found a formula with only {instance.map.partial}, which can have more models than the puzzle has solutions"
            raise InputError(f"{found}, expected a complete encoding")
        problem = problem_of(instance)
        self._request = request
        self._symmetry = symmetry_of(instance, self.up_to)
        self._fixed: FixedPoints | None = None
        search = request.state is not None or request.executor is not None or request.most is not None or request.jobs == 1
        search = search or (request.instance is not None and bool(instance.map.up_to))
        plan = plan_for(engine, problem, solver, listed=request.listed or (search and engine not in BY_NUMBER))
        if plan.engine is None and self._symmetry is not None and permutations_of(instance, self._symmetry) is None:
            self._symmetry, self.up_to = None, NOTHING  # too many symmetries: the convention states this
        self.total = Total(
            problem,
            plan,
            question=self._question,
            jobs=request.jobs,
            state=None if request.state is None else Path(request.state),
            limits=request.limits,
            on_look=lambda: request.progress(self.count()) if request.progress else None,
            executor=request.executor,
        )
        self._keys: set[Hashable] = set()
        self._solutions = self._raw = 0

    def _question(self) -> CounterQuestion:
        """The question for model counters: a formula that leaves out no solutions."""
        instance, request = self.instance, self._request
        if request.instance is None and request.encoding is None:
            counter = self.total.plan.counters[0].name
            if instance.family.counting.encodings.get(counter, instance.map.encoding) != instance.map.encoding:
                instance = counting_instance(replace(request, engine=counter), NOTHING)
        if instance.map.up_to:
            instance = counting_instance(request, NOTHING)
        if instance.map.up_to:
            raise InputError(
                f"the formula leaves out solutions ({instance.map.up_to}), which is not possible with model counters"
            )
        self._fixed = FixedPoints(instance, symmetry_of(instance, self.up_to))
        return self._fixed.question()

    def __repr__(self) -> str:
        found = self.count()
        puzzle = self.instance.family.describe(self.instance.puzzle)
        return showing.in_brackets(type(self).__name__, puzzle, f"{found.solutions} found so far", found.engine)

    def __iter__(self) -> Iterator[Solution]:
        with contextlib.closing(iter(self.total)) as found:  # type: ignore[type-var]  # closing it ends the workers
            for true in found:
                solution = self._solution(true)
                if solution is not None:
                    yield solution
                if self._solutions == self._request.most:
                    self.total.stop(f"limit of {self._request.most} solutions")
                    return

    def interrupt(self) -> None:
        """Record that Ctrl-C ended the count."""
        self.total.interrupt()

    def _solution(self, true: frozenset[int]) -> Solution | None:
        """The solution with its checked board, which is counted; None if another one of its orbit was found before."""
        orbit = 1
        instance = self.instance
        if instance.map.renaming is not None:
            true = project_model(instance, true)
        if self._symmetry is not None:
            key, orbit = self._symmetry.canonical(true)
            if key in self._keys:
                return None
            self._keys.add(key)
        try:
            board = check_rules(
                instance.family, instance.puzzle, instance.family.decode(instance.puzzle, instance.map.blocks, true)
            )
        except CnfgenError as error:
            if (kept := self.total.enumeration and self.total.enumeration.source) is None:
                raise
            raise InputError(f"found an invalid solution: {error}", source=str(kept)) from None
        self._solutions += 1
        self._raw += orbit
        return Solution(self._solutions, board, true, orbit)

    def count(self) -> Count:
        """The count so far."""
        total, numbers, evidence = self.total, self.total.numbers, self.total.evidence()
        searched = None if numbers else total.enumeration
        convention = (
            self._symmetry.convention if self._symmetry else self.instance.map.up_to or self.instance.family.counting.convention
        )
        return Count(
            solutions=self._fixed.orbits(numbers) if numbers and self._fixed else self._solutions,
            raw=numbers[0] if numbers else self._raw,
            convention=SYMMETRIC_SEPARATE if self.up_to == NOTHING else convention,
            complete=total.complete,
            reason=total.reason,
            engine=total.by,
            seconds=total.seconds,
            cpu=total.cpu,
            parts=searched.parts if searched else 0,
            parts_done=searched.parts_done if searched else 0,
            interrupted=total.interrupted,
            evidence=evidence,
            listed=total.listed,
        )

    def to_json(self, solution: Solution) -> dict[str, Any]:
        """One of the solutions as JSON."""
        board = self.instance.family.board_to_json(self.instance.puzzle, solution.board)
        return {"solution": solution.number, "orbit": solution.orbit, "board": board}

    def measured(self) -> str:
        """The engine, the encoding, and the time, in a line."""
        found = self.count()
        engine = f"{found.engine}, {self.instance.map.encoding}{self.total.used_text()}"
        return f"{engine}: {found.seconds:.2f} s, {found.cpu:.2f} s CPU"


class NoSolutions(Solutions):
    """The solutions of a puzzle that has none by an argument; nothing is searched."""

    def __init__(self, answer: Answer):
        self.answer = answer

    def __repr__(self) -> str:
        return showing.in_brackets(type(self).__name__, self.answer.sentence())

    def __iter__(self) -> Iterator[Solution]:
        return iter(())

    def count(self) -> Count:
        return Count(0, 0, evidence=self.answer.evidence)

    def measured(self) -> str:
        return "no search was needed"


def count(solutions: Solutions) -> Count:
    """Count the solutions. Ctrl-C gives the partial count."""
    try:
        for _ in solutions:
            pass
    except KeyboardInterrupt:
        solutions.interrupt()
    return solutions.count()


# -- counting up to symmetry by model counters, which list no solutions --------------------------------------------------------

Permutation = Mapping[int, int]
"""A symmetry: the image of each projection variable."""

MOST = 1000
"""The most elements of a group that is listed."""


class FixedPoints:
    """The number of orbits by Burnside's lemma: the mean of |Fix(g)|, the solutions that g maps to themselves, over the group.

    Fix(g) is a formula, too: that of the puzzle, and for each projection variable p the condition p = g(p). Conjugate elements
    have equally many fixed solutions, so one of each class is counted: 5 formulas for the 8 symmetries of a square, 10 for the 48
    of a cube. The identity comes first; its number is that of all solutions. Without a symmetry, every solution counts.
    """

    def __init__(self, instance: Instance, symmetry: Symmetry | None):
        self._instance = instance
        self._classes: list[tuple[Permutation, int]] = []
        if symmetry is not None and symmetry.order > 1:
            self._classes = conjugacy_classes(permutations_of(instance, symmetry) or ())
            if not self._classes:
                raise CnfgenError(f"the group of {symmetry.order} symmetries is too large to count solutions up to symmetry")

    def question(self) -> CounterQuestion:
        """The formulas, that of the identity first: around each cycle, each variable implies the next."""
        equal = [[[-variable, image] for variable, image in element.items() if variable != image] for element, _ in self._classes]
        return Problem(self._instance.cnf, self._instance.projection), equal or [[]]

    def orbits(self, numbers: Sequence[int]) -> int:
        """The number of orbits, from the answers; CnfgenError if it is not an integer, which means that an answer is wrong."""
        if not self._classes:
            return numbers[0]
        sizes = [size for _, size in self._classes]
        fixed = sum(size * number for size, number in zip(sizes, numbers, strict=True))
        orbits, left = divmod(fixed, sum(sizes))
        if left:
            sums = f"the solutions that each symmetry keeps add up to {digits(fixed)}, which is not divisible by {sum(sizes)}"
            raise CnfgenError(f"{sums}: a counter or a symmetry is wrong")
        return orbits


def permutations_of(instance: Instance, symmetry: Symmetry) -> Sequence[Permutation] | None:
    """The elements of the group; None if there are too many or the family does not list them. CnfgenError if the list is not a
    group of permutations of the projection set."""
    if symmetry.order > MOST or instance.map.renaming is not None:
        return None
    elements = symmetry.permutations()
    if elements is None:
        return None
    projection = sorted(instance.projection)
    if len(elements) != symmetry.order or any(
        sorted(each) != projection or sorted(each.values()) != projection for each in elements
    ):
        raise CnfgenError(
            f"the {symmetry.order} symmetries are not listed as {symmetry.order} permutations of the projection set"
        )
    return elements


def conjugacy_classes(elements: Sequence[Permutation]) -> list[tuple[Permutation, int]]:
    """One element of each class, with the size of the class; the identity first."""
    variables = list(elements[0]) if elements else []
    left = {tuple(element[variable] for variable in variables): element for element in elements}
    if len(left) != len(elements):
        raise CnfgenError("the family lists a symmetry twice")
    inverses = [{image: variable for variable, image in element.items()} for element in elements]
    classes = []
    while left:
        _, element = left.popitem()
        conjugates = {
            tuple(other[element[back[variable]]] for variable in variables)
            for other, back in zip(elements, inverses, strict=True)
        } - {tuple(element[variable] for variable in variables)}
        if not left.keys() >= conjugates:
            raise CnfgenError("the symmetries of the family are not a group")
        for each in conjugates:
            del left[each]
        classes.append((element, len(conjugates) + 1))
    return sorted(classes, key=lambda each: any(variable != image for variable, image in each[0].items()))
