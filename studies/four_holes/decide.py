"""Decides one hole set, with a certificate for `verify.py`."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.exactcovers import exact_covers
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.tiling.puzzle import Board, Placement, Tiling, make_board
from cnfgen_puzzles.pipeline.instance import make_instance
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from studies.four_holes.classes import CELLS, SIDE, Holes, has_bad_region, in_words, region_sizes

COVERED, REGION, REFUTED = "covered", "region", "refuted"
SOLVER = "cadical"  # for refutations

Certificate = dict[str, Any]
"""`holes`, `verdict`; for COVERED a `board` in 64 letters, for REGION the `sizes` of the parts, for REFUTED solver and proof."""


def decide(holes: Holes) -> Certificate:
    """The certificate that shows whether the pentominoes cover the board without `holes`."""
    if has_bad_region(holes):
        return {"holes": holes, "verdict": REGION, "sizes": region_sizes(holes)}
    letters = cover(holes)
    return {"holes": holes, "verdict": COVERED, "board": letters} if letters else refute(holes, SOLVER)


def decide_all(chunk: list[Holes]) -> list[Certificate]:
    return [decide(holes) for holes in chunk]


@cache
def all_boards() -> Tiling:
    """The puzzle of the whole square with the twelve pentominoes and single cells, which are the holes."""
    puzzle: Tiling = find_family("tiling").read(None, board=f"{SIDE}x{SIDE}", pieces="pentominoes, monomino: any")
    return puzzle


@cache
def shuffled_placements() -> list[tuple[Placement, tuple[str, ...]]]:
    """The placements of the pentominoes and the items that they cover, shuffled so that pieces are mixed."""
    placements = [placement for placement in all_boards().placements if len(placement.cells) == 5]
    random.Random(1).shuffle(placements)
    return [(each, (f"piece {each.piece}", *map(str, sorted(each.cells)))) for each in placements]


def cover(holes: Holes) -> str | None:
    """A board that leaves exactly the holes empty, checked against the rules; None if the search finds none."""
    puzzle, empty = all_boards(), {divmod(hole, SIDE) for hole in holes}
    fitting = [(placement, items) for placement, items in shuffled_placements() if not placement.cells & empty]
    needed = [f"piece {number}" for number in range(12)] + [str(cell) for cell in puzzle.cells if cell not in empty]
    chosen = next(exact_covers(needed, [], [items for _, items in fitting]), None)
    if chosen is None:
        return None
    single = len(puzzle.pieces) - 1
    laid = [(fitting[number][0].piece, fitting[number][0].cells) for number in chosen]
    board = make_board([*laid, *((single, [cell]) for cell in empty)])
    broken = find_family("tiling").check(puzzle, board)
    assert not broken, f"holes {holes}: {broken}"
    return in_letters(puzzle, board)


def in_letters(puzzle: Tiling, board: Board) -> str:
    """The board row by row, a letter for each cell, `.` for a hole."""
    letters = ["."] * CELLS
    for laid in board:
        for row, column in laid.cells if len(laid.cells) == 5 else ():
            letters[SIDE * row + column] = puzzle.pieces[laid.piece].name
    return "".join(letters)


def refute(holes: Holes, solver: str) -> Certificate:
    """UNSAT by a SAT solver with a checked proof; any other result is an error that ends the run."""
    family = find_family("tiling")
    puzzle = family.read(None, board=f"{SIDE}x{SIDE}", pieces="pentominoes", holes=in_words(holes))
    instance = make_instance(family, puzzle)
    outcome = cp.solve(instance, solver=solver, certify=True, checker="drat-trim")
    if outcome.status != UNSATISFIABLE or outcome.proof is None or not outcome.proof.verified:
        raise CnfgenError(f"holes {holes}: {solver} says {outcome.status} {outcome.reason}, proof {outcome.proof}")
    formula = instance.map.formula
    return {"holes": holes, "verdict": REFUTED, "solver": solver, "proof": "checked by drat-trim", "formula": formula}
