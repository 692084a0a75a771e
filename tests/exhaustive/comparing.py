"""Whether the models of a formula are exactly the solutions of its puzzle, for every encoding and option in a family's table.

A `Range` has puzzles with all their solutions, found without the rules of the package (`nonogramranges.py` and so on). `compare`
encodes one puzzle, lists all models with an incremental solver of python-sat, decodes them with the family, and compares the
boards with the solutions. The result depends only on the solver's claim that there is no other model.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice, product
from random import Random
from typing import Any

from pysat.solvers import Minisat22

from cnfgen_puzzles.families import Encoding, Family, Option
from cnfgen_puzzles.families.capabilities import Refinement
from cnfgen_puzzles.formula import Formula

Key = Hashable
DRAWN_FROM = 20_000
"""Random puzzles of a range are some of its first ones."""


@dataclass(frozen=True)
class Case:
    """A puzzle and a way to find its solutions. `images(key)` is the orbit of a solution, for encodings that keep one of it."""

    puzzle: Any
    find: Callable[[], frozenset[Key]]
    images: Callable[[Key], Iterable[Key]]

    @cached_property
    def solutions(self) -> frozenset[Key]:
        return self.find()


@dataclass(frozen=True)
class Range:
    """Puzzles of a family, which `name` describes. `key` converts a decoded board to the form of the solutions.

    With `everything`, each encoding is compared with all its options, otherwise with the defaults. `make test-release` takes
    every `step`-th puzzle, `make test` fewer. `single(encoding, options)` is True if the family promises
    one model for each solution.
    """

    name: str
    cases: Callable[[], Iterator[Case]]
    key: Callable[[Any], Key]
    everything: bool = True
    step: int = 1
    single: Callable[[str, Mapping[str, Any]], bool] = lambda encoding, options: True

    def some(self, step: int) -> Iterator[Case]:
        """Every `step`-th puzzle; the offset of a sample is fixed."""
        return islice(self.cases(), self.step // 2 if step > 1 else 0, None, step)

    def random(self, chance: Random) -> Case:
        """A random puzzle, for the soak test."""
        (case,) = deque(islice(self.cases(), chance.randrange(DRAWN_FROM) + 1), maxlen=1)
        return case


@dataclass
class Tally:
    """The comparisons: puzzles, their solutions, whether a solution had two models, and whether symmetric ones were omitted."""

    puzzles: int = 0
    solutions: int = 0
    one_model_each: bool = True
    left_out: bool = False

    def __add__(self, other: Tally) -> Tally:
        single, left_out = self.one_model_each and other.one_model_each, self.left_out or other.left_out
        return Tally(self.puzzles + other.puzzles, self.solutions + other.solutions, single, left_out)


# -- encodings under all their options ----------------------------------------------------------------------------------


def variants(encoding: Encoding) -> list[dict[str, Any]]:
    """Every choice of its options, the defaults first; a number is unchanged, or two more, unless `most` forbids that."""
    values = [_values(option) for option in encoding.options]
    return [dict(zip((option.name for option in encoding.options), chosen, strict=True)) for chosen in product(*values)]


def _values(option: Option) -> list[Any]:
    if option.choices:
        return [option.default, *(choice for choice in option.choices if choice != option.default)]
    if option.type is bool:
        return [option.default, not option.default]
    if option.type in (int, float):
        start = option.least or 0 if option.default is None else option.default
        return [start, start + 2] if option.most is None or start + 2 <= option.most else [start]
    return [option.default]


# -- one puzzle ---------------------------------------------------------------------------------------------------------


@dataclass
class Comparison:
    """A case with the data that its variants share: equal formulas are solved once, and equal boards are checked once."""

    family: Family
    range: Range
    case: Case
    _models: dict[tuple[int, bytes, tuple[int, ...]], tuple[list[frozenset[int]], bool]] = field(default_factory=dict)
    _judged: dict[Key, list[str]] = field(default_factory=dict)

    def compare(self, encoding: Encoding, options: Mapping[str, Any]) -> Tally:
        """AssertionError if models and solutions differ."""
        puzzle, solutions = self.case.puzzle, self.case.solutions
        name = f"{self.range.name}: {encoding.name} {dict(options)} of {puzzle!r} {self.family.puzzle_to_json(puzzle)}"
        cutting = cutter(self.family, puzzle, encoding, options)
        formula = cutting.formula if cutting else encoding.build(puzzle, **options)
        projected, single = projected_models(formula, cutting) if cutting else self._projected(formula)
        found = [self._key(formula, true, name) for true in projected]
        boards = frozenset(found)
        assert len(boards) == len(found), f"{name}: two projected models are one board"
        assert boards <= solutions, f"{name}: a board that is no solution: {min(map(repr, boards - solutions))}"
        assert single or not self.range.single(encoding.name, options), f"{name}: two models are one board"
        if formula.up_to:
            lost = [each for each in solutions - boards if boards.isdisjoint(self.case.images(each))]
            assert not lost, f"{name}: no model is symmetric to {lost[0]!r}"
        else:
            assert boards == solutions, f"{name}: lost {min(map(repr, solutions - boards))}"
        return Tally(1, len(boards), single, bool(formula.up_to))

    def _key(self, formula: Formula, true: frozenset[int], name: str) -> Key:
        board = self.family.decode(self.case.puzzle, formula.blocks, true)
        key = self.range.key(board)
        if key not in self._judged:
            self._judged[key] = self.family.check(self.case.puzzle, board)
        assert not self._judged[key], f"{name}: {board!r} breaks the rules: {self._judged[key]}"
        return key

    def _projected(self, formula: Formula) -> tuple[list[frozenset[int]], bool]:
        seen = (formula.num_variables, formula.literals.tobytes(), tuple(formula.projection))
        if seen not in self._models:
            self._models[seen] = projected_models(formula)
        return self._models[seen]


def cutter(family: Family, puzzle: Any, encoding: Encoding, options: Mapping[str, Any]) -> Refinement | None:
    """What adds the constraints that models violate, for an encoding that has no others."""
    lazy = family.refinement is not None and encoding.name in family.refinement.encodings
    return family.refinement(puzzle, encoding, **options) if family.refinement and lazy else None


def projected_models(formula: Formula, cutting: Refinement | None = None) -> tuple[list[frozenset[int]], bool]:
    """The true projection variables of all models, each set once; and whether each belongs to one model only.

    Whole models are excluded, so that a second model of one board shows; from then on projected ones are. With `cutting`, a model
    that violates constraints adds those to the formula instead.
    """
    projection, everything = list(formula.projection), range(1, formula.num_variables + 1)
    found: dict[frozenset[int], None] = {}
    single = True
    clauses = list(formula.clauses())
    if [] in clauses:
        return [], True
    with Minisat22(bootstrap_with=clauses) as solver:
        if everything:
            solver.add_clause([everything[-1], -everything[-1]])  # variables that no clause has are variables, too
        while solver.solve():
            model = solver.get_model() or []
            assert len(model) == len(everything)
            if cutting and (violated := cutting.inspect(frozenset(v for v in model if v > 0))[1]):
                known = formula.num_clauses
                cutting.add(violated)
                solver.append_formula(list(islice(formula.clauses(), known, None)))
                continue
            true = frozenset(v for v in projection if model[v - 1] > 0)
            single = single and true not in found
            found[true] = None
            told = everything if single else projection
            if not told:
                break
            solver.add_clause([-model[v - 1] for v in told])
    return list(found), single


# -- ranges -------------------------------------------------------------------------------------------------------------


def tallies(family: Family, range: Range, step: int) -> dict[tuple[str, tuple[tuple[str, Any], ...]], Tally]:
    """The tally of every encoding and its options over every `step`-th puzzle; AssertionError at the first difference."""
    chosen = [(encoding, options) for encoding in family.encodings.values() for options in _chosen(encoding, range.everything)]
    found = {(encoding.name, tuple(options.items())): Tally() for encoding, options in chosen}
    for case in range.some(step):
        one = Comparison(family, range, case)
        assert not case.solutions or family.impossible(case.puzzle) is None, f"{range.name}: an argument against a solution"
        for encoding, options in chosen:
            found[encoding.name, tuple(options.items())] += one.compare(encoding, options)
    return found


def _chosen(encoding: Encoding, everything: bool) -> list[dict[str, Any]]:
    return variants(encoding) if everything else variants(encoding)[:1]


@cache
def alone(key: Key) -> tuple[Key]:
    """The only image of a solution if nothing is symmetric."""
    return (key,)
