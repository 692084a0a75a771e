"""Published counts of tilings in puzzle files (`Claims`), and measured ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import cnfgen_puzzles as cp
from cnfgen_puzzles.counting.enginenames import AUTO, BY_NUMBER
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.tiling.encodings import variables_of
from cnfgen_puzzles.families.tiling.puzzle import CLAIMS, Tiling
from cnfgen_puzzles.families.tiling.symmetry import SymmetryGroup
from cnfgen_puzzles.pipeline.count import Solution, counting_instance
from cnfgen_puzzles.pipeline.instance import NOTHING, ROTATIONS, SYMMETRY
from cnfgen_puzzles.pipeline.request import CountRequest
from cnfgen_puzzles.solving.process import Limits

RIGHT, WRONG, OPEN = "right", "WRONG", "not decided"
ARGUMENT = "counting cells"
"""Used as the name of an engine: cells or colors show without a search that there is no solution."""


UP_TO_SYMMETRY, UP_TO_ROTATIONS = "up to symmetry", "up to rotations"
"""Solutions count as one if a symmetry of board and pieces, or a rotation among these, maps one to the other."""
SATISFIABLE, UNSATISFIABLE = "satisfiable", "unsatisfiable"


@dataclass(frozen=True)
class Claims:
    """Published results: `solutions` by the `convention`, the number `raw` of all solutions, the verdict, and the source."""

    solutions: int | None = None
    convention: str = UP_TO_SYMMETRY
    raw: int | None = None
    verdict: str | None = None
    source: str | None = None


def claims_of(about: Mapping[str, str]) -> Claims | None:
    """The claims among the entries of `Tiling.about`; None if there are none."""
    values: dict[str, Any] = {each.name: about[CLAIMS + each.name] for each in fields(Claims) if CLAIMS + each.name in about}
    values |= {name: int(values[name]) for name in ("solutions", "raw") if name in values}
    return Claims(**values) if values else None


@dataclass(frozen=True)
class Found:
    """The solutions that were found; all of them if `complete`."""

    solutions: int
    up_to_rotations: int
    raw: int
    complete: bool
    engine: str
    seconds: float


def count_puzzle(
    puzzle: Tiling, claims: Claims, engine: str, jobs: int | None, limit: float | None, state: Path | None = None
) -> Found:
    """All solutions, or one if the claim is only a verdict, within `limit` seconds; `state` resumes a count."""
    tiling = find_family("tiling")
    raw = claims.solutions is None  # symmetric solutions need not be recognized
    if engine in BY_NUMBER or (engine == AUTO and claims.raw is not None and raw and state is None):
        return _by_numbers(puzzle, claims, engine, jobs, limit)
    instance = counting_instance(CountRequest(family=tiling, puzzle=puzzle, engine=engine), NOTHING if raw else SYMMETRY)
    most = 1 if raw and claims.raw is None and claims.verdict == SATISFIABLE else None
    search = cp.solutions(instance, engine=engine, jobs=jobs, limits=Limits(wall=limit), most=most, state=state, raw=raw)
    place = instance.map.blocks["place"]
    orbits = orbits_of_rotations(puzzle, variables_of(puzzle, place)) if _by_rotations(claims) else None
    up_to_rotations = sum(orbits(solution) if orbits else 0 for solution in search)
    count = search.count()
    if not count.complete and not count.raw and tiling.impossible(puzzle):
        return Found(0, 0, 0, True, ARGUMENT, count.seconds)  # an argument replaces a long search
    return Found(count.solutions, up_to_rotations, count.raw, count.complete, count.engine, count.seconds)


def _by_numbers(puzzle: Tiling, claims: Claims, engine: str, jobs: int | None, limit: float | None) -> Found:
    """Counts by model counters, alone or together with an enumeration: numbers without boards."""

    def count(up_to: str) -> cp.Count:
        return cp.count(puzzle, engine=engine, jobs=jobs, limits=Limits(wall=limit), up_to=up_to)

    found = count(NOTHING if claims.solutions is None else SYMMETRY)
    rotations = count(ROTATIONS).solutions if _by_rotations(claims) else 0
    return Found(found.solutions, rotations, found.raw, found.complete, found.engine, found.seconds)


def _by_rotations(claims: Claims) -> bool:
    return claims.solutions is not None and claims.convention == UP_TO_ROTATIONS


def orbits_of_rotations(puzzle: Tiling, variables: dict[int, int]) -> Callable[[Solution], int]:
    """The number of orbits under rotations in the orbit of a solution under all symmetries; they have equal sizes."""
    rotations = SymmetryGroup(puzzle, reflections=False)
    placement = {variable: number for number, variable in variables.items()}

    def orbits(solution: Solution) -> int:
        placements = [placement[variable] for variable in solution.true]
        return solution.orbit // rotations.canonical(placements)[1]

    return orbits


def judge(claims: Claims, found: Found) -> str:
    """True if the result equals the claim, False if it contradicts it; more solutions than claimed are a contradiction in any
    case."""
    number = found.up_to_rotations if _by_rotations(claims) else found.solutions
    counts = [(said, seen) for said, seen in ((claims.raw, found.raw), (claims.solutions, number)) if said is not None]
    if any(seen > said for said, seen in counts) or (claims.verdict == UNSATISFIABLE and found.raw):
        return WRONG
    if claims.verdict == SATISFIABLE and found.raw and not counts:
        return RIGHT
    if not found.complete:
        return OPEN
    fits = all(said == seen for said, seen in counts) and not (claims.verdict == SATISFIABLE and not found.raw)
    return RIGHT if fits else WRONG


# -- words --------------------------------------------------------------------------------------------------------------


def claimed(claims: Claims) -> str:
    return _shown(claims.solutions, claims.convention, claims.raw) or (claims.verdict or "")


def measured(claims: Claims, found: Found) -> str:
    """The result in the words of the claim."""
    if claims.solutions is None and claims.raw is None:
        return SATISFIABLE if found.raw else UNSATISFIABLE if found.complete else ""
    number = found.up_to_rotations if _by_rotations(claims) else found.solutions
    text = _shown(
        number if claims.solutions is not None else None, claims.convention, found.raw if claims.raw is not None else None
    )
    return text if found.complete else f"at least {text}"


def _shown(solutions: int | None, convention: str, raw: int | None) -> str:
    parts = [f"{solutions} {convention}" if solutions is not None else "", f"{raw} in all" if raw is not None else ""]
    return ", ".join(filter(None, parts))
