"""solve-puzzle for collections: many files, folders, files with several puzzles; one question to each, an answer a line."""

from __future__ import annotations

import datetime
import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from cnfgen_puzzles.cli.common import INTERRUPTED, chosen, say
from cnfgen_puzzles.cli.families import report_warnings, suffixes_of
from cnfgen_puzzles.cli.progress import Progress, watched
from cnfgen_puzzles.cli.solve.requests import count_request_named, solve_request_named
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.collection import (
    COUNT,
    FAILED,
    SOLVE,
    UNIQUE,
    UNREADABLE,
    AnsweredItem,
    AnswerFile,
    CollectionQuestion,
    CollectionSummary,
    Item,
    answer_items,
    files_of,
    items_of,
)
from cnfgen_puzzles.pipeline.portfolio import AUTO, pick_portfolio
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL
from cnfgen_puzzles.solving.pool import LocalExecutor

ALONE = (
    "all_boards", "certificate", "generate", "keep_proofs", "output", "pieces_out", "replace_certificate", "scheduler", "state",
    "view",
)  # fmt: skip
"""Options that are for one puzzle."""
NAMES = {"all_boards": "all", "view": "as", "pieces_out": "...-out"}
SAY_EVERY = 15.0
"""Seconds between two lines where nobody watches."""


def solve_collection(family: Family, values: dict[str, Any]) -> int:
    """Ask all puzzles; the exit code."""
    for name in ALONE:
        if values.get(name):
            raise InputError(f"found --{NAMES.get(name, name.replace('_', '-'))}, which is for one puzzle, with several")
    if not values["file"]:
        raise InputError("found --jsonl and no file, expected puzzles")
    question = question_of(family, values)
    began, spent = time.monotonic(), cpu_spent()
    with answers_named(values["jsonl"]) as answers:
        with report_warnings(), watched("reading the puzzles"):
            files = files_of(values["file"], suffixes_of(family))
            items = list(items_of(family, files, chosen(values, family.options)))
        summary = CollectionSummary()
        done = run(items, question, answers, summary, values)
    for line in (*summary.lines(), f"{time.monotonic() - began:.1f} s, {cpu_spent() - spent:.1f} s CPU"):
        say(line, err=values["jsonl"] == "-")
    if done:
        return summary.exit_code
    kept = "; the same command goes on" if answers is not None else ""
    say(f"interrupted after {summary.verdicts.total()} of {len(items)} puzzles{kept}", err=True)
    return INTERRUPTED


def question_of(family: Family, values: dict[str, Any]) -> CollectionQuestion:
    """What the options ask; wrong names are found here, before a thousand puzzles say the same."""
    values["solver"] = None if values["solver"] == AUTO else values["solver"]
    if values["count"]:
        return CollectionQuestion(COUNT, count_request_named(family, values))
    request = solve_request_named(family, values)
    if request.solver and not (family.refinement is not None and set(request.solver) <= set(INCREMENTAL)):
        pick_portfolio(request.solver)
    if request.checker is not None:
        pick_checker(request.checker)
    return CollectionQuestion(UNIQUE if values["unique"] else SOLVE, request)


@contextmanager
def answers_named(path: str | None) -> Iterator[AnswerFile | None]:
    """The file of answers, if there is one."""
    if path in (None, "-"):
        yield None
        return
    with AnswerFile(Path(path)) as answers:
        yield answers


def run(
    items: list[Item],
    question: CollectionQuestion,
    answers: AnswerFile | None,
    summary: CollectionSummary,
    values: dict[str, Any],
) -> bool:
    """Ask the puzzles and show what comes; False if Ctrl-C ended it."""
    progress = CollectionProgress(len(items), quiet=values["quiet"] or values["jsonl"] is None)  # else lines tell how far it is
    try:
        with (
            LocalExecutor(values["jobs"]) as executor,
            progress,
            closing(answer_items(items, question, answers, executor)) as found,
        ):
            for answer in found:
                summary.add(answer)
                show(answer, progress, values["jsonl"])
                progress.add(answer)
    except KeyboardInterrupt:
        return False
    return True


def show(answer: AnsweredItem, progress: Progress, jsonl: str | None) -> None:
    """A line on standard output where no file takes the answers; what went wrong in any case."""
    if answer.verdict in (UNREADABLE, FAILED) and (jsonl is not None or answer.verdict == UNREADABLE):
        told = answer.sentence if answer.verdict == UNREADABLE else f"{answer.item}: {answer.sentence or 'failed before'}"
        progress.say(told)
    if jsonl == "-" and answer.line is not None:
        sys.stdout.buffer.write((json.dumps(answer.line, separators=(",", ":")) + "\n").encode())
        sys.stdout.buffer.flush()
    elif jsonl is None and answer.verdict != UNREADABLE:
        say(f"{answer.item}: {answer.sentence}")


class CollectionProgress(Progress):
    """How many of `total` puzzles are answered, and how long the others will take."""

    def __init__(self, total: int, *, quiet: bool):
        self._total, self._done, self._new = total, 0, 0
        self._started = time.monotonic()
        super().__init__(quiet=quiet, every=SAY_EVERY, total=total, unit="puzzle", dynamic_ncols=True, smoothing=0.1)

    def add(self, answer: AnsweredItem) -> None:
        """One more is answered."""
        self._done += 1
        self._new += answer.new
        if answer.new:
            self.show(self._line(), done=self._done, note=f"{answer.item} {answer.verdict}")

    def _line(self) -> str:
        spent = time.monotonic() - self._started
        left = datetime.timedelta(seconds=round(spent / self._new * (self._total - self._done)))
        return f"{self._done} of {self._total} puzzles, about {left} left"


def cpu_spent() -> float:
    """CPU seconds of this process and of those below it that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
