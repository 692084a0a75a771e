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
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.evidence.evidence import evidence_json
from cnfgen_puzzles.families import Family, find_family
from cnfgen_puzzles.families.capabilities import DEPTH, Rows
from cnfgen_puzzles.making.hitting import FEWEST, FOUND, MINIMAL, NOTHING, UNREACHED, Maker, change_cells, differences, places_of
from cnfgen_puzzles.making.made import Made, check_solvers, proves_unique
from cnfgen_puzzles.making.pictures import making_of, picture_of
from cnfgen_puzzles.pipeline.api import unique
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits

HOW: Mapping[str, str] = {
    FEWEST: "no fewer suffice",
    MINIMAL: "no subset of these suffices",
    FOUND: "not checked whether fewer suffice",
    NOTHING: "none was found within the time limit",
    UNREACHED: "none with this difficulty was found",
}
"""The state of knowledge about the changes as text."""
NO_PUZZLE = (NOTHING, UNREACHED)

SECONDS = 60.0


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
    family = find_family(family) if isinstance(family, str) else family
    making = making_of(family)  # before a file is read
    cells = picture_of(family, picture, values, size=size, colors=colors, threshold=threshold, invert=invert)
    wanted = None if difficulty is None else parse_difficulty(difficulty)
    if wanted is not None and line_solvable and wanted.depth != 0:
        raise InputError(f"found both the difficulty {wanted.text} and line_solvable, expected one of them")
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
        raise InputError(f"found seconds={seconds!r:.40}, expected a number above 0")
    check_solvers(solver)
    lines = line_solvable or (wanted is not None and wanted.depth == 0)
    maker = Maker(family, making, cells.rows, cells.values, lines, time.process_time() + seconds)
    with doing("searching for the fewest changes"), maker.least:
        board, how = maker.search(seconds)
        if wanted is not None and wanted.depth != 0 and how != NOTHING:
            board, how = DifficultyWalk(maker, wanted).walk(board, how)
    puzzle = making.puzzle(board, cells.values, {**cells.about, **(about or {})})
    answer = None
    if how not in NO_PUZZLE:
        answer = unique(puzzle, certify=True, solver=solver, checker=checker, limits=limits)
        several = answer.second is not None and answer.second.status == SATISFIABLE
        if several or answer.status == UNSATISFIABLE or answer.board not in (None, board):
            raise CnfgenError("the picture is not the only solution of its puzzle, which the search did not find")
    solved, changes = not making.open_cells(puzzle), differences(cells.rows, board)
    entry = {
        "family": family.name,
        "puzzle": family.puzzle_to_json(puzzle),
        "board": family.board_to_json(puzzle, board),
        "picture": family.board_to_json(puzzle, cells.rows),
        "changes": [[row + 1, column + 1] for row, column in changes],
        "how": how,
        "at_least": maker.bound,
        "unique": proves_unique(answer),
        "line_solvable": solved,
        "evidence": evidence_json(answer.evidence if answer else None),
    }
    at_least = f"; at least {maker.bound} must change" if maker.bound else ""
    if answer is None:
        text = f"No puzzle{f' of difficulty {difficulty}' if difficulty else ''}: {HOW[how]}{at_least}."
    else:
        known = HOW[how] + ("" if how == FEWEST else at_least)
        text = f"{len(changes)} cell{'s' * (len(changes) > 1)} changed ({known})" if changes else "Nothing changed"
        last = answer.second or answer
        proved = proves_unique(answer)
        text += f". One solution{last.grounds}" if proved else f". Not proved that it has one solution: {last.reason}"
        text += f"; line logic alone {'solves it' if solved else 'does not solve it'}"
        text += f"; the difficulty is {difficulty}, as requested." if difficulty else "."
    return Made(
        family=family, text=text, entry=entry, puzzle=puzzle, board=board, answer=answer, picture=cells.rows, how=how,
        remark=f", {cells.how}" if cells.how else "",
    )  # fmt: skip


def make_job(
    family: Family,
    file: str | None,
    seed: int,
    *,
    generator: str = "",
    options: Mapping[str, Any],
    explained: bool,
    **settings: Any,
) -> Made:
    """Make a puzzle from the picture in a file, read with these `options`, or from that of a generator with these `options`.

    `settings` are those of `make`. If `explained`, the result states the difficulty.
    """
    if explained and family.explaining is None:
        raise InputError(f"found the family {family.name}, expected one with explanations")
    if file is not None:
        made = make(family, Path(file), **options, **settings)
    else:
        made = make(family, making_of(family).generators[generator].make(seed, **options), **settings)
    if explained and family.explaining is not None:
        made = replace(made, difficulty=family.explaining(made.puzzle).difficulty)
    return made


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
        wanted = self.wanted
        if found is None or (found["score"] >= wanted.low if wanted.depth is None else found["depth"] >= wanted.depth):
            # an easier puzzle can become harder
            easy = Maker(maker.family, maker.making, maker.picture, maker.values, True, maker.deadline)
            with easy.least:
                easier, known = easy.search(maker.deadline - time.process_time())
            board = board if known == NOTHING else easier
        distance = self.distance(board)
        while distance != REACHED and (step := self.nearer(board, distance)):
            board, distance = step
        if distance != REACHED:
            return board, UNREACHED
        board = self.leaner(board)
        return board, FEWEST if len(differences(maker.picture, board)) == maker.bound else FOUND

    def difficulty(self, board: Rows) -> Mapping[str, Any] | None:
        """The difficulty of the puzzle; None if techniques do not solve it."""
        puzzle = self.maker.making.puzzle(board, self.maker.values)
        found = self.explaining(puzzle, depth=max(DEPTH, self.wanted.depth or 0), looks=LOOKS)
        return found.difficulty if found.status == SATISFIABLE else None

    def distance(self, board: Rows) -> tuple[float, int]:
        """The distance of the puzzle of a picture from the requested difficulty."""
        return self.wanted.distance(self.difficulty(board))

    def nearer(self, board: Rows, limit: tuple[float, int]) -> tuple[Rows, tuple[float, int]] | None:
        """A picture with one more changed cell and a distance below `limit`; None if none is found or the time limit is
        exceeded."""
        maker, best, compared = self.maker, None, 0
        choices = [choice for place in places_of(board) for choice in maker.others(board, place)]
        for choice in SeededChoice("difficulty", len(differences(maker.picture, board))).shuffled(choices):
            if time.process_time() > maker.deadline or (best is not None and (compared == COMPARED or limit == REACHED)):
                break
            candidate = change_cells(board, dict([choice]))
            if maker.is_right(candidate):
                compared += 1
                if (distance := self.distance(candidate)) < limit:
                    best, limit = (candidate, distance), distance
        return best

    def leaner(self, board: Rows) -> Rows:
        """The picture without unnecessary changes of the original."""
        picture = self.maker.picture
        for row, column in differences(picture, board):
            if time.process_time() > self.maker.deadline:
                break
            candidate = change_cells(board, {(row, column): int(picture[row][column])})
            if self.maker.is_right(candidate) and self.distance(candidate) == REACHED:
                board = candidate
        return board
