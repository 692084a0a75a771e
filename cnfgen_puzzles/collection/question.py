"""What is asked of every puzzle of a collection, and the answer to one of them; `ask` is what a worker calls."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cnfgen_puzzles.families import Puzzle, find_family
from cnfgen_puzzles.pipeline.countresult import Count
from cnfgen_puzzles.pipeline.entrance import count, solve, unique
from cnfgen_puzzles.pipeline.solve import Outcome
from cnfgen_puzzles.pipeline.unique import NONE, ONE, SEVERAL, UNDECIDED, Uniqueness
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits

SOLVE, UNIQUE, COUNT = "solve", "unique", "count"

SOLVED, COUNTED, FAILED, UNREADABLE = "solved", "counted", "failed", "unreadable"
VERDICTS = {
    SOLVED: "solved",
    COUNTED: "counted",
    ONE: "with one solution",
    SEVERAL: "with several",
    NONE: "without a solution",
    UNDECIDED: "not decided",
    FAILED: "failed",
    UNREADABLE: "that cannot be read",
}
"""What a line of answers can say, and how a summary says it."""

EFFORT = ("solver", "seed", "limits", "engine", "checker", "add", "choice", "search")
"""Settings that decide how an answer is found; the others decide what is asked."""


@dataclass(frozen=True)
class Question:
    """What is asked (`ask`: solve, unique or count) of puzzles of a family: encoding, its options, settings of that call."""

    family: str
    ask: str
    encoding: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def identity(self) -> dict[str, Any]:
        """What an answer answers, as JSON: an answer found with another solver or other limits answers it too."""
        family = find_family(self.family)
        encoding = family.encoding(self.encoding).name
        asked = {name: value for name, value in self.settings.items() if name not in EFFORT and value not in (None, False)}
        told = {"family": self.family, "ask": self.ask, "encoding": encoding, "options": dict(self.options), "settings": asked}
        return {name: value for name, value in told.items() if value != {}}

    def effort(self) -> dict[str, Any]:
        """With what it is to be found, as JSON: who has not decided a puzzle may with more."""
        told = {name: value for name, value in self.settings.items() if name in EFFORT and value is not None}
        if isinstance(limits := told.get("limits"), Limits):
            told["limits"] = {name: value for name, value in asdict(limits).items() if name in ("cpu", "wall", "memory")}
        return told


def ask(question: Question, entry: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The answer for the puzzle in canonical JSON: what a line says of it, and its first sentence.

    `time` has seconds, elapsed and of CPU; the latter of this process, of solvers and of checkers.
    """
    family = find_family(question.family)
    puzzle = family.puzzle_from_json(entry)
    began, worked = time.monotonic(), time.process_time()
    verdict, answer, sentence = _answer(question, puzzle)
    own = time.process_time() - worked
    spent = {"wall": round(time.monotonic() - began, 4), "cpu": round(own + _used(answer), 4)}
    told, _, listed = sentence.partition("\n")
    return {"verdict": verdict, "time": spent, **answer}, told.partition(". ")[0] + "." if listed else told


def _answer(question: Question, puzzle: Puzzle) -> tuple[str, dict[str, Any], str]:
    family, settings = question.family, {**question.settings, "options": question.options}
    if question.ask == COUNT:
        found = count(family, puzzle, question.encoding, **settings, jobs=1)
        return (COUNTED if found.complete else UNDECIDED), _counted(question, puzzle, found), found.sentence()
    if question.ask == UNIQUE:
        told = unique(family, puzzle, question.encoding, **settings, cores=1)
        return _verdict_of(told), told.to_json(), told.sentence()
    board = solve(family, puzzle, question.encoding, **settings, cores=1)
    return _verdict_of(board), board.to_json(), board.sentence()


def _counted(question: Question, puzzle: Puzzle, found: Count) -> dict[str, Any]:
    """A count with its puzzle: as the JSON of single ones, which has none."""
    return {"family": question.family, "puzzle": find_family(question.family).puzzle_to_json(puzzle), **found.to_json()}


def _verdict_of(answer: Outcome | Uniqueness) -> str:
    if answer.failed:
        return FAILED
    if isinstance(answer, Uniqueness):
        return answer.verdict if answer.verdict in VERDICTS else ONE  # one up to symmetry
    return {SATISFIABLE: SOLVED, UNSATISFIABLE: NONE}.get(answer.status, UNDECIDED)


def _used(answer: Mapping[str, Any]) -> float:
    """CPU seconds of the programs that an answer names."""
    runs = [*answer.get("runs", ()), *answer.get("side_by_side", {}).get("others", ())]
    checks = [program for run in runs for program in run.get("proof", {}).get("programs", ())]
    return sum(float(each.get("cpu", 0)) for each in (*runs, *checks)) + float(answer.get("cpu", 0))
