"""Puzzles with one solution from a region: random cuts are changed until no other solution is found.

1. The search looks for other solutions of a cut. Each gives flaws: a flaw is a set of pieces that can also cover their cells
differently.
2. One piece of a flaw is cut again together with one or two neighbors. The new cut is kept if it has at most as many flaws. A cut
that contains the pieces of a known flaw has this flaw, so such cuts are compared without another search.
3. After a number of steps without progress, the search starts again with another cut, of fewer pieces if that is allowed.
4. The pipeline proves that the puzzle has no other solution, up to its symmetries.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.evidence import evidence_json
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.making.hitting import SOLVER, TimeOver
from cnfgen_puzzles.making.made import Made, check_solvers, proves_unique
from cnfgen_puzzles.making.pictures import cells_of, open_picture
from cnfgen_puzzles.pipeline.api import unique
from cnfgen_puzzles.solving.incremental import IncrementalSolver
from cnfgen_puzzles.solving.process import Limits

if TYPE_CHECKING:
    from cnfgen_puzzles.families.tiling.cutting import TilingCutting

SECONDS = 60.0
FLAWS = 6
"""The most flaws of a cut that the search looks for."""
STALE = 12
"""The number of steps without progress before the search starts again with another cut."""
CONFLICTS, AT_ONCE = 10_000, 2_000
"""The most conflicts for a cut, and the number of conflicts between looks at the clock."""

IDLE = 20
"""The most restarts with no new puzzle."""

LoosePieces = frozenset[Any]
"""Places of pieces. Every cut with all of them has another solution."""


class TooHard(Exception):
    """The solver does not decide soon whether the puzzle of a cut has another solution."""


class NothingNew(Exception):
    """No new cuts are found."""


def cut_out(
    family: Family,
    region: Puzzle | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    about: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    solver: str | None = None,
    checker: str | None = None,
    limits: Limits | None = None,
) -> Made:
    """A puzzle whose only solution, up to its symmetries, is a cut of the region, which is the board of a puzzle.

    `options` are those of the `cutting` of the family: the pieces, and the region if `region` is None. The `seed` determines the
    puzzle if the time suffices. `seconds` of CPU time limit the search; `solver`, `checker`, and `limits` are for the proof, as
    in `unique`. InputError for a family without cutting, for invalid options, and if python-sat is not installed.
    """
    if family.cutting is None:
        raise InputError(f"found the family {family.name}, expected a family that supports cutting")
    check_solvers(solver)
    request = family.cutting.request(region, **(options or {}))
    maker = Cutter(family, family.cutting, request, SeededChoice(f"{family.name} cutting", seed), time.process_time() + seconds)
    puzzle, board, answer, why = None, None, None, ""
    with doing("searching for a cut with one solution"):
        try:
            puzzle = family.cutting.puzzle(request, maker.search(), about)
        except TimeOver:
            why = f"none was found within {seconds:g} seconds"
        except NothingNew:
            why = "all cuts that were found have several solutions" if maker.looked else "no cut into these pieces was found"
    looked = f"{maker.looked} cut{'s' * (maker.looked != 1)} examined"
    text = f"No puzzle: {why}; {looked}."
    if puzzle is not None:
        answer = unique(puzzle, certify=True, solver=solver, checker=checker, limits=limits, options=family.counting.options)
        board, text = answer.board, f"{answer.sentence()} {looked[0].upper()}{looked[1:]}."
    entry = {
        "family": family.name,
        "puzzle": None if puzzle is None else family.puzzle_to_json(puzzle),
        "board": None if board is None else family.board_to_json(puzzle, board),
        "unique": proves_unique(answer),
        "up_to": answer.up_to if answer else "",
        "orbit": answer.orbit if answer else None,
        "looked": maker.looked,
        "why": why,
        "evidence": evidence_json(answer.evidence if answer else None),
    }
    return Made(family=family, text=text, entry=entry, puzzle=puzzle, board=board, answer=answer)


def cut_job(family: Family, file: str | None, seed: int, *, picture: Mapping[str, Any], seconds: float, **settings: Any) -> Made:
    """Make a puzzle from the region in a file: a puzzle, or a picture that is read with the options of `cells_of`.

    `settings` are those of `cut_out`. Without a file, its options define the region.
    """
    assert family.cutting is not None
    region = None
    try:
        if file is not None:
            source = open_source(file)
            if any(source.suffix in entry.suffixes for entry in family.formats.values()):
                if picture:
                    name = next(iter(picture)).replace("_", "-")
                    raise InputError(f"--{name} is for pictures, but this is a puzzle", source=source.name)
                region = family.read(source)
            else:
                region = family.cutting.region(cells_of(open_picture(source), **picture).rows)
        return cut_out(family, region, seed=seed, seconds=seconds, limits=Limits(cpu=max(seconds, SECONDS)), **settings)
    except InputError as error:
        raise InputError(error.message, source=error.source or file, line=error.line) from None


class Cutter:
    """The search for a cut of one region."""

    def __init__(self, family: Family, cutting: TilingCutting, request: Any, choice: SeededChoice, deadline: float):
        self.family, self.cutting, self.request, self.choice, self.deadline = family, cutting, request, choice, deadline
        self.looked = 0
        self.met: set[LoosePieces] = set()
        self.several: set[str] = set()  # puzzles, by their JSON

    def search(self) -> frozenset[Any]:
        """A cut whose puzzle has one solution. TimeOver if the time limit is exceeded, NothingNew if no new cuts are found."""
        failed = idle = 0
        while idle < IDLE:
            self.check_time()
            looked = self.looked
            cut = self.cutting.first(self.request, self.choice, failed)
            if cut is not None:
                with contextlib.suppress(TooHard):
                    if found := self.improve(cut):
                        return found
                failed += 1
            idle = 0 if self.looked > looked else idle + 1
        raise NothingNew

    def check_time(self) -> None:
        """TimeOver if the time limit is exceeded."""
        if time.process_time() > self.deadline:
            raise TimeOver

    def improve(self, cut: frozenset[Any]) -> frozenset[Any] | None:
        """The cut after changes that give its puzzle one solution; None without progress; TooHard if the solver does not decide
        soon."""
        cut, flaws = self.flaws(cut, FLAWS)
        stale = 0
        while flaws and stale < STALE:
            self.check_time()
            stale += 1
            new = self.cutting.again(self.request, cut, self.choice.chosen(flaws), self.choice)
            if new is None or sum(flaw <= new for flaw in self.met) > len(flaws):
                continue
            new, others = self.flaws(new, len(flaws) + 1)
            if len(others) < len(flaws):
                stale = 0
            if len(others) <= len(flaws):
                cut, flaws = new, others
        return None if flaws else cut

    def flaws(self, cut: frozenset[Any], most: int) -> tuple[frozenset[Any], list[LoosePieces]]:
        """The cut, or a symmetric one, and its flaws: the pieces that another solution places differently, in connected parts."""
        puzzle = self.cutting.puzzle(self.request, cut)
        name = json.dumps(self.family.puzzle_to_json(puzzle), sort_keys=True)
        if name in self.several:  # by pieces that lie otherwise: all of it is a flaw
            return cut, [cut] * most
        self.looked += 1
        formula = self.family.encode(puzzle, **self.family.counting.options)
        places = self.cutting.places(puzzle, formula.blocks)
        cut = next(image for image in self.cutting.images(self.request, cut) if image <= places.keys())
        found = []
        with IncrementalSolver(SOLVER) as solver:
            solver.add_all(formula.clauses())
            solver.prefer([places[place] for place in cut])
            solver.add([-places[place] for place in cut])
            for other in self.others(solver, places, puzzle, formula):
                for mine, theirs in self.cutting.differences(self.request, cut, other):
                    found.append(mine)
                    solver.add([-places[place] for place in theirs])
                if len(found) >= most:
                    break
        self.met.update(found)
        if found:
            self.several.add(name)
        return cut, found

    def others(
        self, solver: IncrementalSolver, places: Mapping[Any, int], puzzle: Puzzle, formula: Formula
    ) -> Iterator[frozenset[Any]]:
        """Solutions until the clauses of the solver allow no more. TooHard if the solver exceeds its limit."""
        place_of = {variable: place for place, variable in places.items()}
        spent = 0
        while True:
            self.check_time()
            answer = solver.solve(budget=AT_ONCE)
            if answer is False:
                return
            if answer is None:
                spent += AT_ONCE
                if spent >= CONFLICTS:
                    raise TooHard
                continue
            true = [literal for literal in solver.model if literal in place_of]
            if self.family.check(puzzle, self.family.decode(puzzle, formula.blocks, true)):
                raise AssertionError(f"{SOLVER}'s model is no solution")
            yield frozenset(place_of[variable] for variable in true)
