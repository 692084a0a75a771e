"""Puzzles with one solution from a picture: first with the fewest changes, then with any sufficient changes, then the proof.

1. The fewest changes that no known flaw forbids are made, and the search looks for flaws of the new picture, until none is left
(`hitting.py`; then no fewer changes suffice). Among equally many changes, the least visible are preferred.
2. If this takes too long, single changes that leave the fewest open cells for line logic are added until no flaw is left; then
unnecessary changes are removed.
3. If the puzzle does not have a requested difficulty, the search continues from there (`DifficultyWalk`).
4. The pipeline proves that the puzzle has no other solution than its picture.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.evidence.evidence import Evidence, evidence_json
from cnfgen_puzzles.families import Family, Puzzle, find_family
from cnfgen_puzzles.families.capabilities import DEPTH, Rows
from cnfgen_puzzles.families.family import html_of_board
from cnfgen_puzzles.making.hitting import FEWEST, FOUND, MINIMAL, NOTHING, UNREACHED, Maker, change_cells, differences, places_of
from cnfgen_puzzles.making.pictures import PictureCells, making_of, picture_of
from cnfgen_puzzles.pipeline.answer import Answer, FormulaOutcome
from cnfgen_puzzles.pipeline.instance import make_instance, with_blocked
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import FormulaTask, pick_solver, solve
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import is_installed
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import Solver

HOW: Mapping[str, str] = {
    FEWEST: "no fewer suffice",
    MINIMAL: "no subset of these suffices",
    FOUND: "not checked whether fewer suffice",
    NOTHING: "none was found within the time limit",
    UNREACHED: "none with this difficulty was found",
}
"""The state of knowledge about the changes as text."""
NO_PUZZLE = (NOTHING, UNREACHED)

SHOWN = 40
"""The most changed cells that are listed."""


@dataclass(frozen=True, repr=False)
class Made(Answer):
    """A puzzle whose only solution is `board`; `how` (one of `HOW`) states how close it is to `picture`.

    `bound`: no suitable picture has fewer changed cells. `outcome` is the search for a second solution, with the proof that none
    exists; it is None if `how` is one of NO_PUZZLE, and `board` is then the last picture of the search. `line_solvable` is true
    if line logic solves the puzzle without assumptions. `wanted` is the requested difficulty.
    """

    family: Family
    puzzle: Puzzle
    picture: Rows
    board: Rows
    how: str
    bound: int
    line_solvable: bool
    outcome: FormulaOutcome | None = None
    wanted: str = ""

    @property
    def evidence(self) -> Evidence | None:  # type: ignore[override]
        return self.outcome.evidence if self.outcome else None

    def facts(self) -> Sequence[str]:
        return [self.family.describe(self.puzzle), self.sentence()]

    def _repr_html_(self) -> str:
        words = "\n".join([f"{self.family.describe(self.puzzle)}: {self.sentence()}", *self.places()])
        return showing.words(words) + html_of_board(self.family, self.puzzle, self.board, self.picture if self.changes else None)

    @property
    def changes(self) -> dict[tuple[int, int], int]:
        """The new values of the changed cells, by row and column from 0."""
        return differences(self.picture, self.board)

    @property
    def unique(self) -> bool:
        """True if it is proved that the puzzle has one solution."""
        return self.outcome is not None and self.outcome.status == UNSATISFIABLE

    def sentence(self) -> str:
        """The changes and the result as a sentence."""
        if self.outcome is None:
            return f"No puzzle{f' of difficulty {self.wanted}' if self.wanted else ''}: {HOW[self.how]}{self._at_least()}."
        open_words = f"Not proved that it has one solution: {self.outcome.reason}"
        solutions = f"One solution{self.outcome.grounds}" if self.unique else open_words
        lines = "line logic alone solves it" if self.line_solvable else "line logic alone does not solve it"
        difficulty = f"; the difficulty is {self.wanted}, as requested" if self.wanted else ""
        return f"{self.changes_text()}. {solutions}; {lines}{difficulty}."

    def changes_text(self) -> str:
        """The number of changed cells, and the state of knowledge about it."""
        count = len(self.changes)
        known = f"{HOW[self.how]}{'' if self.how == FEWEST else self._at_least()}"
        return f"{count} cell{'s' * (count > 1)} changed ({known})" if count else "Nothing changed"

    def _at_least(self) -> str:
        """The lower bound on the number of changes as text; empty if it is 0."""
        return f"; at least {self.bound} must change" if self.bound else ""

    def places(self) -> list[str]:
        """The changed cells, one line for each row; rows and columns count from 1."""
        rows: dict[int, list[str]] = {}
        for number, (row, column) in enumerate(self.changes):
            if number < SHOWN:
                rows.setdefault(row, []).append(str(column + 1))
        listed = [f"row {row + 1}, column{'s' * (len(found) > 1)} {', '.join(found)}" for row, found in rows.items()]
        return [*listed, *([f"and {len(self.changes) - SHOWN} more"] if len(self.changes) > SHOWN else [])]

    def to_json(self) -> dict[str, Any]:
        """The puzzle, both pictures, the changes (rows and columns from 1), and the evidence as JSON."""
        return {
            "family": self.family.name,
            "puzzle": self.family.puzzle_to_json(self.puzzle),
            "board": self.family.board_to_json(self.puzzle, self.board),
            "picture": self.family.board_to_json(self.puzzle, self.picture),
            "changes": [[row + 1, column + 1] for row, column in self.changes],
            "how": self.how,
            "at_least": self.bound,
            "unique": self.unique,
            "line_solvable": self.line_solvable,
            "evidence": evidence_json(self.evidence),
        }


SECONDS = 60.0


@dataclass(frozen=True)
class MakeRequest:
    """The arguments of `make`: a picture in cells, the family, and the wishes for the puzzle."""

    family: Family
    cells: PictureCells
    line_solvable: bool = False
    difficulty: str | None = None
    seconds: float = SECONDS
    solver: str | None = None
    checker: str | None = None
    limits: Limits | None = None


def make(
    family: str | Family,
    picture: Any,
    *,
    values: Sequence[str] = (),
    about: Mapping[str, str] | None = None,
    size: str | int | tuple[int, int] | None = None,
    colors: int | None = None,
    threshold: float | None = None,
    invert: bool | None = None,
    line_solvable: bool = False,
    difficulty: str | None = None,
    seconds: float = SECONDS,
    solver: str | None = None,
    checker: str | None = None,
    limits: Limits | None = None,
) -> Made:
    """The puzzle whose only solution, with proof, is the picture or a picture with as few changed cells as possible.

    `picture`: the path of a file; a drawing of `#` and `.`, as a string with line ends or as rows; a puzzle with its solution; or
    rows of numbers of colors, where 0 is the background and `values` are the colors as `#rrggbb`, the background first (empty:
    black on white). For pictures of pixels: `size` in cells (`"30x40"`, a pair, or the longer side), the number of `colors`
    without the background, `threshold` in percent, `invert`. `about` has entries for the puzzle file, such as its
    title. `line_solvable`: require that line logic solves the puzzle without assumptions. `difficulty`: `line-logic`, `ahead-1`,
    or a score such as `100-300` (docs/how-to/making.md). `seconds` of CPU time limit the search; `solver`, `checker`, and
    `limits` are for the proof, as in `solve`. InputError for invalid input, for a family that does not support it, and without
    python-sat.
    """
    chosen = find_family(family) if isinstance(family, str) else family
    making_of(chosen)  # before a file is read
    cells = picture_of(chosen, picture, values, size=size, colors=colors, threshold=threshold, invert=invert)
    cells = replace(cells, about={**cells.about, **(about or {})})
    return make_puzzle(MakeRequest(chosen, cells, line_solvable, difficulty, seconds, solver, checker, limits))


def make_puzzle(request: MakeRequest) -> Made:
    """The puzzle of the request, as `make` returns it."""
    family, cells, seconds = request.family, request.cells, request.seconds
    making = making_of(family)
    wanted = None if request.difficulty is None else parse_difficulty(request.difficulty)
    if wanted is not None and request.line_solvable and wanted.depth != 0:
        raise InputError(f"found both the difficulty {wanted.text} and line_solvable, expected one of them")
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
        raise InputError(f"found seconds={seconds!r:.40}, expected a number above 0")
    if not is_installed():
        raise InputError(f"making puzzles needs python-sat, which is not installed: {install_extra('counting')}")
    proving = pick_solver(request.solver, proof=True)
    lines = request.line_solvable or (wanted is not None and wanted.depth == 0)
    maker = Maker(family, making, cells.rows, cells.values, lines, time.process_time() + seconds)
    with doing("searching for the fewest changes"), maker.least:
        board, how = maker.search(seconds)
        if wanted is not None and wanted.depth != 0 and how != NOTHING:
            board, how = DifficultyWalk(maker, wanted).walk(board, how)
    puzzle = making.puzzle(board, cells.values, cells.about)
    outcome = None if how in NO_PUZZLE else prove_unique(request, proving, puzzle, board)
    solved = not making.open_cells(puzzle)
    return Made(family, puzzle, cells.rows, board, how, maker.bound, solved, outcome, request.difficulty or "")


def prove_unique(request: MakeRequest, solver: Solver, puzzle: Puzzle, board: Rows) -> FormulaOutcome:
    """The search for a second solution of the puzzle, with the proof that none exists."""
    family, making = request.family, making_of(request.family)
    if faults := family.check(puzzle, board):
        raise CnfgenError(f"the picture does not solve its own puzzle: {faults[0]}")
    instance = make_instance(family, puzzle)
    model = [
        literal
        for row, column in places_of(board)
        for literal in making.literals(puzzle, instance.map.blocks, (row, column), int(board[row][column]))
    ]
    blocked = with_blocked(instance.cnf, instance.projection, model)
    task = FormulaTask(cnf=blocked, limits=request.limits, proof=ProofPolicy.REQUIRED, checker=request.checker)
    outcome = solve(instance, solver, task)
    if outcome.status == SATISFIABLE:
        raise CnfgenError("the puzzle has another solution, which the search did not find")
    return outcome


# -- difficulty --------------------------------------------------------------------------------------------------------


LINES = "line-logic"
EXPECTED = "line-logic, ahead-1 (or 2, ...: the depth of nested assumptions), or a score such as 100-300"
LOOKS = 50_000
"""The most lines examined for each puzzle of the search, about two seconds; a puzzle that is not solved by then counts as too
hard."""
COMPARED = 12
"""The number of puzzles that are measured at each step."""
REACHED = (0, 0)


@dataclass(frozen=True)
class TargetDifficulty:
    """A difficulty: a depth of nested assumptions, or a score from `low` to `high`."""

    text: str
    depth: int | None = None
    low: int = 0
    high: int = 0

    def distance(self, found: Mapping[str, Any] | None) -> tuple[float, int]:
        """The distance of a difficulty from this one; REACHED if it fits. None is a difficulty of a puzzle that techniques do not
        solve, which is the largest.

        Equal differences of depth are compared by their scores.
        """
        if found is None:
            return math.inf, 0
        if self.depth is None:
            return max(self.low - found["score"], found["score"] - self.high, 0), 0
        missing = self.depth - found["depth"]
        return (abs(missing), found["score"] * (-1 if missing > 0 else 1)) if missing else REACHED

    def too_easy(self, found: Mapping[str, Any]) -> bool:
        """True if a harder puzzle is needed."""
        return bool(found["score"] < self.low if self.depth is None else found["depth"] < self.depth)


def parse_difficulty(text: str) -> TargetDifficulty:
    """The difficulty that this text describes; InputError for other texts.

    >>> parse_difficulty("ahead-2").depth, parse_difficulty("100-300").high
    (2, 300)
    """
    if text == LINES:
        return TargetDifficulty(text, 0)
    if match := re.fullmatch(r"ahead-([1-9])", text):
        return TargetDifficulty(text, int(match[1]))
    if (match := re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)) and int(match[1]) <= int(match[2]):
        return TargetDifficulty(text, None, int(match[1]), int(match[2]))
    raise InputError(f"found the difficulty {text!r:.40}, expected {EXPECTED}")


class DifficultyWalk:
    """The search from the picture with the fewest changes to one whose puzzle has the requested difficulty."""

    def __init__(self, maker: Maker, wanted: TargetDifficulty):
        if maker.family.explaining is None:
            raise InputError(f"found the family {maker.family.name}, expected a family with solving techniques")
        self.maker, self.wanted, self.explaining = maker, wanted, maker.family.explaining

    def walk(self, board: Rows, how: str) -> tuple[Rows, str]:
        """The picture with the requested difficulty; or the nearest one, and UNREACHED."""
        maker, found = self.maker, self.difficulty(board)
        if self.wanted.distance(found) == REACHED:
            return board, how
        if found is None or not self.wanted.too_easy(found):  # an easier puzzle can become harder
            easy = Maker(maker.family, maker.making, maker.picture, maker.values, True, maker.deadline)
            with easy.least:
                easier, known = easy.search(maker.deadline - time.process_time())
            board = board if known == NOTHING else easier
        here = self.distance(board)
        while here != REACHED and (step := self.nearer(board, here)):
            board, here = step
        if here != REACHED:
            return board, UNREACHED
        board = self.leaner(board)
        return board, FEWEST if len(differences(maker.picture, board)) == maker.bound else FOUND

    def difficulty(self, board: Rows) -> Mapping[str, Any] | None:
        """The difficulty of the puzzle; None if techniques do not solve it."""
        puzzle = self.maker.making.puzzle(board, self.maker.values)
        found = self.explaining.explain(puzzle, depth=max(DEPTH, self.wanted.depth or 0), looks=LOOKS)
        return found.difficulty if found.status == SATISFIABLE else None

    def distance(self, board: Rows) -> tuple[float, int]:
        """The distance of the puzzle of a picture from the requested difficulty."""
        return self.wanted.distance(self.difficulty(board))

    def nearer(self, board: Rows, here: tuple[float, int]) -> tuple[Rows, tuple[float, int]] | None:
        """A picture with one more changed cell and a distance below `here`; None if none is found or the time limit is
        exceeded."""
        maker, best, compared = self.maker, None, 0
        choices = [choice for place in places_of(board) for choice in maker.others(board, place)]
        for choice in SeededChoice("difficulty", len(differences(maker.picture, board))).shuffled(choices):
            if time.process_time() > maker.deadline or (best is not None and (compared == COMPARED or here == REACHED)):
                break
            candidate = change_cells(board, dict([choice]))
            if maker.single(candidate):
                compared += 1
                if (there := self.distance(candidate)) < here:
                    best, here = (candidate, there), there
        return best

    def leaner(self, board: Rows) -> Rows:
        """The picture without unnecessary changes of the original."""
        picture = self.maker.picture
        for row, column in differences(picture, board):
            if time.process_time() > self.maker.deadline:
                break
            candidate = change_cells(board, {(row, column): int(picture[row][column])})
            if self.maker.single(candidate) and self.distance(candidate) == REACHED:
                board = candidate
        return board
