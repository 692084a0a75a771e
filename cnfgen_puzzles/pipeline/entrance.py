"""The one entrance: what the library offers and what the commands call, so that both take the same road.

Each of solve, unique, count and enumerate takes either an `Instance`, and works on that formula; or a family (by its name) and a
puzzle, and then encodes it as suits the question. Puzzles of a family with a `refinement` are solved by the
counterexample-guided loop then, and counted by the whole formula.

A call that cannot be is an InputError. Decisions about the road are made here, what is done on it in the other files; those that
only some calls need (counting, certificates, the loop) are loaded by these.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.counting.enginenames import AUTO
from cnfgen_puzzles.families import Board, Family, Puzzle, find_family
from cnfgen_puzzles.pipeline import unique as uniqueness
from cnfgen_puzzles.pipeline.asking.sides import AUTO as SIDES
from cnfgen_puzzles.pipeline.asking.sides import pick_sides, solve_by, toward_false
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.settings import (
    BY_PIECES,
    ContradictionSettings,
    CountSettings,
    FormulaSettings,
    PuzzleCountSettings,
    PuzzleSettings,
    SolveSettings,
    checked,
)
from cnfgen_puzzles.pipeline.solve import ArgumentOutcome, FormulaOutcome, Outcome, argued
from cnfgen_puzzles.pipeline.symmetries import NOTHING, one_convention
from cnfgen_puzzles.pipeline.unique import Uniqueness
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL

if TYPE_CHECKING:
    from cnfgen_puzzles.pipeline.contradiction.result import Contradiction
    from cnfgen_puzzles.pipeline.count import Solutions
    from cnfgen_puzzles.pipeline.countresult import Count
    from cnfgen_puzzles.pipeline.refine import LoopOutcome

# -- puzzles, formulas, pictures ------------------------------------------------------------------------------------------


def read(family: str | Family, path: str | Path | None = None, **options: Any) -> Puzzle:
    """The puzzle in a file (`-`: standard input), or given by the options alone, of the class that the family calls `puzzle`.

    `options` are those of the family's reader, such as `format`; what is wrong is an InputError that names file and line, or the
    option.
    """
    chosen = family_of(family)
    if path is None and chosen.reads_file:
        raise InputError(f"found no file, expected the path of a {chosen.name} puzzle")
    files = {option.name: option for option in chosen.options if option.file is not None}
    options |= {name: files[name].read(value) for name, value in options.items() if name in files and value is not None}
    return chosen.read(None if path is None else open_source(path), **options)


def encode(family: str | Family, puzzle: Puzzle, encoding: str | None = None, **options: Any) -> Instance:
    """The puzzle as a formula with its variable map; `instance.write(stream)` gives the DIMACS file (bytes).

    `encoding`: one of the family's `encodings`, None for its default; `options`: that encoding's. InputError for wrong ones,
    and for a formula beyond the limits on inputs.
    """
    return make_instance(family_of(family), puzzle, encoding, **options)


def draw(family: str | Family, puzzle: Puzzle, board: Board, view: str = "text", **options: Any) -> str | bytes:
    """The board as text, ANSI colours or SVG (str), or as PNG (bytes): `view` is one of the family's `views`.

    `options` are those of the view, such as `letters=True`. InputError for a view that the family does not have, or where a
    package that it needs is missing. In a notebook boards draw themselves.
    """
    return family_of(family).view(view, **options).draw(puzzle, board, None)


# -- one board, and whether it is the only one -------------------------------------------------------------------------------


@overload
def solve(instance: Instance, solver: str | None = None, /, **settings: Unpack[FormulaSettings]) -> FormulaOutcome: ...
@overload
def solve(family: str | Family, puzzle: Puzzle, encoding: str | None = None, /, **settings: Unpack[SolveSettings]) -> Outcome: ...
def solve(what: Instance | str | Family, second: Any = None, encoding: str | None = None, /, **settings: Any) -> Outcome:
    """One checked board, or that there is none: `solve(instance, "kissat")` or `solve(family, puzzle, encoding)`.

    `solver`: its name or path, with options as in `"kissat --sat"`; several (`["kissat", "minisat-core"]`) work side by side, and
    the first checked answer counts (docs/sides.md); by default, and as `"auto"`, the best that are there. `limits`: a `Limits`
    for each call of one. `seed`: for random choices. `proof` (True unless said otherwise): 'there is none' is proved, and the
    proof checked, where that takes ten seconds or five times the solving at most. `certify`: an answer without a checked proof is
    an ERROR, however long the check takes.
    `checker`: which checks it, `drat-trim`, `lrat`, `own` or `verified` (docs/proofs.md); by default drat-trim, else `own`.
    `cores`: how many the default may use, by default those of this process: on one core it is one solver.
    `certificate`: a new folder for a certificate of the answer that anybody can check (docs/certificates.md); it asks for
    `certify` as well.
    With a family and a puzzle also `options`: the encoding's; and an argument of the family that there is none is the answer.

    Puzzles that are solved piece by piece take python-sat's solvers besides the binaries, and `add`: how many pieces a round;
    `choice`: which of those that a board breaks; `state`: a folder by which the next call goes on; `progress`: a function that
    is told every `Round`; `search`: seconds of the family's own search for a board beforehand.
    """
    if isinstance(what, Instance):
        given = checked("solve", FormulaSettings, with_second("solve", "solver", second, encoding, settings))
        return certified(given, lambda given: (solve_by(what, **with_sides(given, what.family, what.puzzle)), what))
    family = posed("solve", what, second)

    def solved(given: dict[str, Any]) -> tuple[Outcome, Instance | None]:
        if outcome := refuted(family, second, encoding, given):
            return outcome, None
        if family.refinement is not None:
            return by_pieces(family, second, encoding, given, 1)[0], None
        instance = make_instance(family, second, encoding, **given.pop("options", {}))
        return solve_by(instance, **with_sides(without_pieces(family, given), family, second)), instance

    given = checked("solve", SolveSettings, settings)
    begun = time.monotonic()
    found = certified(dict(given), solved)
    return with_contradiction(found, given, time.monotonic() - begun)


@overload
def unique(instance: Instance, solver: str | None = None, /, **settings: Unpack[FormulaSettings]) -> Uniqueness: ...
@overload
def unique(
    family: str | Family, puzzle: Puzzle, encoding: str | None = None, /, **settings: Unpack[PuzzleSettings]
) -> Uniqueness: ...
def unique(what: Instance | str | Family, second: Any = None, encoding: str | None = None, /, **settings: Any) -> Uniqueness:
    """Whether there is one board, several or none; the settings are those of `solve`, but for `search`.

    Small and plain puzzles go to cadical and lrat-check by default, if these are there.
    """
    if isinstance(what, Instance):
        given = checked("unique", FormulaSettings, with_second("unique", "solver", second, encoding, settings))
        return certified(given, lambda given: (uniqueness.unique(what, **with_both(given, what.family, what.puzzle)), what))
    family = posed("unique", what, second)

    def decided(given: dict[str, Any]) -> tuple[Uniqueness, Instance | None]:
        if outcome := refuted(family, second, encoding, given):
            return Uniqueness(outcome), None
        if family.refinement is not None:
            first, *rest = by_pieces(family, second, encoding, given, 2)
            return Uniqueness(first, rest[0] if rest else None), None
        instance = make_instance(family, second, encoding, **given.pop("options", {}))
        return uniqueness.unique(instance, **with_both(without_pieces(family, given), family, second)), instance

    given = checked("unique", PuzzleSettings, settings)
    begun = time.monotonic()
    found = certified(dict(given), decided)
    return replace(found, first=with_contradiction(found.first, given, time.monotonic() - begun))


def contradiction(
    family: str | Family, puzzle: Puzzle, encoding: str | None = None, /, **settings: Unpack[ContradictionSettings]
) -> Contradiction | None:
    """Which of the things that a puzzle gives, such as cells known beforehand, contradict the rest of it, as minimal sets.

    None where it gives nothing. `solve` and `unique` find this by themselves where there is no board, in ten seconds at most or
    five times the solving; here the `limits` are those that are given. `solver`, `proof` and `checker` are for the proof that
    the sets contradict, as in `solve`.
    """
    from cnfgen_puzzles.pipeline.contradiction.finding import contradiction as find_contradiction

    chosen = posed("contradiction", family, puzzle)
    return find_contradiction(chosen, puzzle, encoding, **checked("contradiction", ContradictionSettings, dict(settings)))


# -- all boards --------------------------------------------------------------------------------------------------------------


@overload
def enumerate(instance: Instance, engine: str | None = None, /, **settings: Unpack[CountSettings]) -> Solutions: ...
@overload
def enumerate(
    family: str | Family, puzzle: Puzzle, encoding: str | None = None, /, **settings: Unpack[PuzzleCountSettings]
) -> Solutions: ...
def enumerate(what: Instance | str | Family, second: Any = None, encoding: str | None = None, /, **settings: Any) -> Solutions:
    """All boards, to iterate over as they are found; its `count()` tells afterwards whether they were all.

    `enumerate(instance, "clasp")` or `enumerate(family, puzzle, engine="clasp")`; the latter encodes the puzzle as is best for
    it, under the `options` that are given. `engine`: by default the first that can. `solver`: of python-sat, for the
    engine blocking. `up_to`: what makes two boards one: `symmetry` (the default), `rotations` or `nothing`; `raw` is the last of
    these. `most`: end after so many. `limits`: for all processes together, of which there are `jobs`. `state`: a folder by which
    the next call goes on. `progress`: a function that is told the `Count` so far. `executor`: where to search instead
    (docs/counting.md).
    """
    return solutions_of("enumerate", what, second, encoding, settings)


@overload
def count(instance: Instance, engine: str | None = None, /, **settings: Unpack[CountSettings]) -> Count: ...
@overload
def count(
    family: str | Family, puzzle: Puzzle, encoding: str | None = None, /, **settings: Unpack[PuzzleCountSettings]
) -> Count: ...
def count(what: Any, second: Any = None, encoding: str | None = None, /, **settings: Any) -> Count:
    """How many boards there are; the settings are those of `enumerate`. Ctrl-C gives the partial count that there is.

    `engine` may also be a model counter, `ganak` or `tididi`, or `counters`, both of which must agree; without one such a counter
    runs beside the enumeration where that grows large.
    """
    from cnfgen_puzzles.pipeline.count import count as count_all

    return count_all(solutions_of("count", what, second, encoding, settings))


def solutions_of(call: str, what: Any, second: Any, encoding: str | None, settings: dict[str, Any]) -> Solutions:
    """What both work on; `call` is enumerate or count, and only of the latter numbers alone are enough."""
    from cnfgen_puzzles.pipeline.count import Refuted, Solutions, counting_instance

    listed = call != "count"
    if isinstance(what, Instance):
        given = one_solver(call, checked(call, CountSettings, with_second(call, "engine", second, encoding, settings)))
        return Solutions(what, given.pop("engine", AUTO), listed=listed, **given)
    family = posed(call, what, second)
    given = one_solver(call, checked(call, PuzzleCountSettings, settings))
    up_to = one_convention(given.get("raw", False), given.get("up_to"))
    if outcome := refuted(family, second, encoding, given):
        return Refuted(outcome)
    engine = given.pop("engine", AUTO)
    how = {"engine": engine, "solver": given.get("solver")}
    make = partial(counting_instance, family, second, encoding, given.pop("options", None), **how)
    instance = make(up_to=up_to)
    whole = partial(make, up_to=NOTHING) if instance.map.up_to else None
    return Solutions(instance, engine, listed=listed, whole=whole, **given)


ROAD = ("search", "proof", "certify", "checker", "proof_to")
"""Settings that are not the loop's, but of what comes before and after it."""


def by_pieces(family: Family, puzzle: Puzzle, encoding: str | None, given: dict[str, Any], boards: int) -> list[LoopOutcome]:
    """What the loop finds, looking for so many boards."""
    from cnfgen_puzzles.pipeline.refine import Loop, outcomes

    road = {name: given.pop(name) for name in ROAD if name in given}
    given.pop("cores", None)
    loop = Loop(family, puzzle, encoding, **given, every=boards > 1)
    if boards > 1 and not loop.refinement.keeps_all:
        raise InputError("uniqueness needs all solutions; the encoding, with these options, leaves out symmetric ones")
    return outcomes(loop, boards, **road)


Kind = TypeVar("Kind", bound=Outcome | Uniqueness)


def certified(settings: dict[str, Any], answer: Callable[[dict[str, Any]], tuple[Kind, Instance | None]]) -> Kind:
    """What `answer` gives for the settings, with the certificate where they ask for one."""
    if "certificate" not in settings:
        return answer(settings)[0]
    from cnfgen_puzzles.pipeline.certificates import certify

    return certify.certified(settings, answer)


# -- calls -------------------------------------------------------------------------------------------------------------------


def family_of(named: str | Family) -> Family:
    """The family of that name, or that one."""
    return find_family(named) if isinstance(named, str) else named


def posed(call: str, what: Any, puzzle: Puzzle) -> Family:
    """The family of a puzzle that is to be solved; InputError if these are plainly no family and no puzzle."""
    if not isinstance(what, str | Family):
        wanted = f"an instance of cnfgen_puzzles.encode, or a family's name and a puzzle: {call}(name, puzzle)"
        raise InputError(f"found a value of type {type(what).__name__}, expected {wanted}")
    family = family_of(what)
    if puzzle is None or isinstance(puzzle, str | os.PathLike):
        found = "no puzzle" if puzzle is None else repr(os.fspath(puzzle))
        raise InputError(f"found {found}, expected a puzzle of cnfgen_puzzles.read: {call}({family.name!r}, puzzle)")
    return family


def with_contradiction(outcome: Outcome, given: dict[str, Any], seconds: float) -> Outcome:
    """The outcome; that there is no board with what of the puzzle contradicts the rest, where the family can tell."""
    if outcome.status != UNSATISFIABLE or outcome.family.givens is None:
        return outcome
    from cnfgen_puzzles.pipeline.contradiction.finding import told_of

    return told_of(outcome, given, seconds)


def refuted(family: Family, puzzle: Puzzle, encoding: str | None, settings: Mapping[str, Any]) -> ArgumentOutcome | None:
    """That there is no board, where an argument of the family says so; wrong names are found first."""
    if family.refinement is None and "engine" not in settings and settings.get("solver") not in (None, SIDES, *INCREMENTAL):
        pick_sides(settings["solver"])
    family.encoding_options(encoding, settings.get("options", {}))
    return argued(family, puzzle, encoding)


def with_second(call: str, name: str, value: Any, third: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with the one that may stand second, after an instance."""
    if third is not None:
        raise InputError(f"found the encoding {third!r} beside an instance, which is encoded already")
    if value is None:
        return settings
    if name in settings:
        raise InputError(f"found {name} twice in a call of {call}: {value!r} and {settings[name]!r}")
    return settings | {name: value}


def one_solver(call: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a call in which solvers do not stand side by side."""
    if not isinstance(settings.get("solver", ""), str):
        raise InputError(f"found several solvers for {call}, expected one: its parts run side by side already")
    return settings


def with_sides(settings: dict[str, Any], family: Family, puzzle: Puzzle) -> dict[str, Any]:
    """The settings with the solvers instead of their names, for that puzzle."""
    named, cores = settings.pop("solver", None), settings.pop("cores", None)
    guessed = family.guesses(puzzle) is not None
    return settings | {"sides": pick_sides(named, proof=settings.get("certify", False), cores=cores, guessed=guessed)}


def with_both(settings: dict[str, Any], family: Family, puzzle: Puzzle) -> dict[str, Any]:
    """The same for two questions about one formula: where nobody has named a solver or a seed, the quickest go first."""
    free = settings.get("solver") in (None, SIDES) and "seed" not in settings
    given = with_sides(settings, family, puzzle)
    if not free:
        return given
    return given | {"sides": toward_false(given["sides"]), "free": True}


def without_pieces(family: Family, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings, none of which may be for puzzles that are solved piece by piece."""
    for name in BY_PIECES:
        if name in settings:
            raise InputError(f"found {name}={settings[name]!r}, which is for puzzles solved piece by piece; {family.name} is not")
    return settings
