"""Questions about patterns of a known maze string, and their stored answers.

A `Question` is a pattern, with free letters in one or more windows of a string, and a method. Its answer is a JSON line of a
file, found by the key of the question, independent of the options. This module also determines which questions are decided and
whether the methods agree.

See also `methods.py` and `report.py`.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.families.maze.puzzle import FREE
from cnfgen_puzzles.pipeline.request import ADDED_AT_ONCE
from studies.mazes import cases
from studies.mazes.cubes import Entry

SHORTER, OTHERS, ONLY, REFUTED, OPEN = "shorter", "other fillings", "only itself", "refuted", "not decided"
LOOP, EXHAUSTIVE, CUBES = "loop", "exhaustive", "cubes"
METHODS = (LOOP, EXHAUSTIVE, CUBES)
ENCODING = "states"


@dataclass(frozen=True)
class Question:
    """A string, a pattern of it, and the method and settings to decide it. `offset` is the place of the first window."""

    string: str
    offset: int
    pattern: str
    kind: str
    size: str
    folder: Path
    method: str = LOOP
    encoding: str = ENCODING
    lemmas: int = 0
    solver: str | None = None
    add: int = ADDED_AT_ONCE
    seconds: float | None = None
    most: int | None = None
    certify: bool = False
    near: bool = False
    cubes: int = 1
    jobs: int = 1

    @property
    def free(self) -> int:
        """The number of free letters."""
        return self.pattern.count(FREE)

    @property
    def removed(self) -> int:
        """The number of letters of the string that the free letters replace."""
        return len(self.string) - len(self.pattern) + self.free

    @property
    def runs(self) -> str:
        """The numbers of fixed and free letters, for example `30 15* 34`."""
        runs = (("".join(run), free) for free, run in groupby(self.pattern, FREE.__eq__))
        return " ".join(f"{len(run)}{FREE * free}" for run, free in runs)

    @property
    def key(self) -> str:
        """The key of the answer."""
        about = f"{self.kind} {self.size} {self.string} {self.pattern}"
        about += f" {self.method}" * (self.method != LOOP)
        return hashlib.sha256(about.encode()).hexdigest()[:16]

    @property
    def place(self) -> Path:
        """The folder of the mazes of this pattern."""
        return self.folder / f"{self.offset:03}-{self.removed}-{self.free}-{self.method}-{self.key[:6]}"

    @property
    def wanted(self) -> int | None:
        """The number of wanted fillings; None for all."""
        return self.most if self.free == self.removed else 1

    def by(self, method: str) -> Question:
        """The same pattern with another method."""
        return dataclasses.replace(self, method=method)

    def neighbours(self) -> list[Question]:
        """The other windows of the string, the nearest first; none for a pattern with several windows."""
        if self.pattern != opened(self.string, self.offset, self.removed, self.free):
            return []
        offsets = [offset for offset in range(len(self.string) - self.removed + 1) if offset != self.offset]
        offsets.sort(key=lambda offset: abs(offset - self.offset))
        return [self.at(offset, self.removed, self.free) for offset in offsets]

    def at(self, offset: int, window: int, replace: int) -> Question:
        """The same question about another window."""
        return dataclasses.replace(self, offset=offset, pattern=opened(self.string, offset, window, replace))

    def verified(self, string: str) -> str:
        """The string, if it fits the pattern and solves every maze of the grid with every start."""
        if not all(wanted in (FREE, letter) for wanted, letter in zip(self.pattern, string, strict=True)):
            raise CnfgenError(f"{string} does not fit {self.pattern}: internal error in the encoding or the search")
        return cases.verified(self.kind, self.size, string)


def opened(string: str, offset: int, window: int, replace: int) -> str:
    """The string with free letters in place of a window."""
    return string[:offset] + FREE * replace + string[offset + window :]


def verdict(question: Question, found: Sequence[str], complete: bool) -> str:
    """The result for the pattern as text."""
    if question.free < question.removed:
        return SHORTER if found else REFUTED if complete else OPEN
    if any(string != question.string for string in found):
        return OTHERS
    return OPEN if not complete else ONLY if found else REFUTED


def is_done(question: Question, answers: dict[str, Entry]) -> bool:
    """True if the answer is complete; an answer without a decision in time is not, if the limit is larger now."""
    answer = answers.get(question.key)
    if answer is None:
        return False
    if answer["limit"] is not None:
        return question.seconds is not None and question.seconds <= answer["limit"]
    if question.wanted != 1 and not answer["complete"]:  # a limit on time or on the number of fillings
        return question.most is not None and len(answer["found"]) >= question.most
    return not question.certify or answer["verdict"] != REFUTED or "proof" in answer


def every_method(question: Question, answers: dict[str, Entry]) -> list[Entry]:
    """The answers of all methods to this pattern."""
    keys = [question.by(method).key for method in METHODS]
    return [answers[key] for key in keys if key in answers]


def check_agreement(questions: Sequence[Question], answers: dict[str, Entry]) -> None:
    """CnfgenError if two methods disagree on a pattern."""
    for question in questions:
        decided = [answer for answer in every_method(question, answers) if answer["verdict"] != OPEN]
        if len({answer["verdict"] for answer in decided}) > 1:
            told = ", ".join(f"{answer['method']}: {answer['verdict']}" for answer in decided)
            raise CnfgenError(f"the methods do not agree on {question.pattern}: {told}")
