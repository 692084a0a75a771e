"""From a picture to a puzzle with one solution: first the fewest changes, then any that suffice, at last the proof.

1. The fewest changes that no flaw forbids are made, flaws of the new picture are looked for, and so on until there is none left
   (`changes.py`: then no fewer suffice). Of equally many, those are taken that leave the picture as it looks.
2. Where that takes too long: from the last picture on, one change after the other that leaves line logic the fewest open cells,
   until no flaw is left; of all changes then the smallest subset that suffices.
3. Where a difficulty is asked for that this has not, on from there to one that has (`wanted.py`).
4. The pipeline's proof that the puzzle has no other solution than its picture.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families import Family, Puzzle, find_family
from cnfgen_puzzles.families.capabilities import Place, Rows
from cnfgen_puzzles.making.changes import differences
from cnfgen_puzzles.making.made import FEWEST, FOUND, NO_PUZZLE, NOTHING, UNREACHED, Made
from cnfgen_puzzles.making.maker import Maker
from cnfgen_puzzles.making.neighbours import places_of
from cnfgen_puzzles.making.pictures import making_of, picture_of
from cnfgen_puzzles.making.wanted import REACHED, Walk, Wanted, wanted_of
from cnfgen_puzzles.pipeline.answer import FormulaOutcome
from cnfgen_puzzles.pipeline.instance import make_instance, with_blocked
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import FormulaTask, pick_solver, solve
from cnfgen_puzzles.solving.answers import SATISFIABLE
from cnfgen_puzzles.solving.incremental import is_installed
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import Solver

SECONDS = 60.0


def make(
    family: str | Family,
    picture: Any,
    *,
    values: Sequence[str] = (),
    about: Mapping[str, str] | None = None,
    size: str | int | tuple[int, int] | None = None,
    colours: int | None = None,
    threshold: float | None = None,
    invert: bool | None = None,
    line_solvable: bool = False,
    difficulty: str | None = None,
    seconds: float = SECONDS,
    solver: str | None = None,
    checker: str | None = None,
    limits: Limits | None = None,
) -> Made:
    """The puzzle of the picture, or of one that differs from it in as few cells as can be, as its only solution, proved.

    `picture`: the path of a file; a drawing of `#` and `.`, as one string with line ends or as rows; a puzzle that says its
    solution; or rows of numbers of colours, 0 the background, whose `values` are `#rrggbb`, the background's first (empty: black
    on white). For pictures of pixels: `size` in cells (`"30x40"`, a pair, or the longer side), `colours` besides paper,
    `threshold` in percent, `invert`. `about` is what the puzzle's file says of it, as its title.
    `line_solvable`: line logic solves it, without looking ahead. `difficulty`: how hard it is to be: `line-logic`, `ahead-1`, or
    a score as `100-300` (docs/making.md). `seconds` are for the search; `solver`, `checker` and `limits` for the proof, as in
    `solve`. InputError for what cannot be, for a family that makes none, and where python-sat is missing.
    """
    chosen = find_family(family) if isinstance(family, str) else family
    making = making_of(chosen)
    wanted = None if difficulty is None else wanted_of(difficulty)
    if wanted is not None and line_solvable and wanted.depth != 0:
        raise InputError(f"found the difficulty {wanted.text} beside line_solvable, expected one of them")
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
        raise InputError(f"found seconds={seconds!r:.40}, expected a number above 0")
    drawn = picture_of(chosen, picture, values, size=size, colours=colours, threshold=threshold, invert=invert)
    if not is_installed():
        raise InputError("making puzzles needs python-sat: pip install 'cnfgen-puzzles[counting]'")
    proving = pick_solver(solver, proof=True)
    lines = line_solvable or (wanted is not None and wanted.depth == 0)
    maker = Maker(chosen, making, drawn.rows, drawn.values, lines, time.monotonic() + seconds)
    with doing("looking for the fewest changes"), maker.least:
        board, how = maker.made(seconds)
        if wanted is not None and wanted.depth != 0 and how != NOTHING:
            board, how = as_hard(maker, board, how, wanted)
    puzzle = making.puzzle(board, drawn.values, {**drawn.about, **(about or {})})
    outcome = None if how in NO_PUZZLE else no_other(chosen, puzzle, board, proving, FormulaTask(limits=limits, checker=checker))
    solved = not making.open_cells(puzzle)
    return Made(chosen, puzzle, drawn.rows, board, how, maker.bound, solved, outcome, difficulty or "")


def as_hard(maker: Maker, board: Rows, how: str, wanted: Wanted) -> tuple[Rows, str]:
    """A picture whose puzzle is as hard as is wanted, from that with the fewest changes on; the nearest, and UNREACHED, where
    none is found."""
    if maker.family.explaining is None:
        raise InputError(f"found the family {maker.family.name}, expected one whose puzzles can be solved by thought")

    def choices(board: Rows) -> Iterator[tuple[Place, int]]:
        every = [choice for place in places_of(board) for choice in maker.others(board, place)]
        return iter(SeededChoice("difficulty", len(differences(maker.picture, board))).shuffled(every))

    def puzzle(board: Rows) -> Any:
        return maker.making.puzzle(board, maker.values)

    walk = Walk(wanted, maker.family.explaining, puzzle, maker.single, choices, maker.deadline)
    found = walk.measured(board)
    if wanted.distance(found) == REACHED:
        return board, how
    if found is None or not wanted.too_easy(found):  # from below, there is a way
        left = maker.deadline - time.monotonic()
        easy = Maker(maker.family, maker.making, maker.picture, maker.values, True, maker.deadline)
        with easy.least:
            easier, known = easy.made(left)
        board = board if known == NOTHING else easier
    board = walk.reached(board)
    if walk.distance(board) != REACHED:
        return board, UNREACHED
    board = walk.leaner(board, maker.picture)
    return board, FEWEST if len(differences(maker.picture, board)) == maker.bound else FOUND


def no_other(family: Family, puzzle: Puzzle, board: Rows, solver: Solver, task: FormulaTask) -> FormulaOutcome:
    """The proof that the puzzle, which the board solves, has no other solution."""
    assert family.making is not None
    if faults := family.check(puzzle, board):
        raise CnfgenError(f"the picture does not solve its own puzzle: {faults[0]}")
    instance = make_instance(family, puzzle)
    model = [
        literal
        for row, column in places_of(board)
        for literal in family.making.literals(puzzle, instance.map.blocks, (row, column), int(board[row][column]))
    ]
    blocked = with_blocked(instance.cnf, instance.projection, model)
    outcome = solve(instance, solver, replace(task, proof=ProofPolicy.REQUIRED, cnf=blocked))
    if outcome.status == SATISFIABLE:
        raise CnfgenError("the puzzle that was made has another solution, which the search did not find")
    return outcome
