"""solve-puzzle for collections: many files, folders, files with several puzzles; one question to each, an answer a line."""

from __future__ import annotations

import datetime
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from cnfgen_puzzles.cli.common import INTERRUPTED, chosen, limits_named, say
from cnfgen_puzzles.cli.families import encoding_options_named, suffixes_of, warnings_told
from cnfgen_puzzles.cli.progress import Progress, watched
from cnfgen_puzzles.collection.answers import AnswerFile, line_of
from cnfgen_puzzles.collection.listing import Item, files_of, items_of
from cnfgen_puzzles.collection.question import COUNT, FAILED, SOLVE, UNIQUE, UNREADABLE, Question
from cnfgen_puzzles.collection.running import Answered, answered
from cnfgen_puzzles.collection.summary import Summary
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.asking.sides import AUTO, pick_sides
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
        with warnings_told(), watched("reading the puzzles"):
            files = files_of(values["file"], suffixes_of(family))
            items = list(items_of(family, files, chosen(values, family.options)))
        summary = Summary()
        done = run(items, question, answers, summary, values)
    for line in (*summary.lines(), f"{time.monotonic() - began:.1f} s, {cpu_spent() - spent:.1f} s CPU"):
        say(line, err=values["jsonl"] == "-")
    if done:
        return summary.exit_code
    kept = "; the same command goes on" if answers is not None else ""
    say(f"interrupted after {summary.verdicts.total()} of {len(items)} puzzles{kept}", err=True)
    return INTERRUPTED


def question_of(family: Family, values: dict[str, Any]) -> Question:
    """What the options ask; wrong names are found here, before a thousand puzzles say the same."""
    ask = COUNT if values["count"] else UNIQUE if values["unique"] else SOLVE
    solver = None if values["solver"] == AUTO else values["solver"]
    settings: dict[str, Any] = {"solver": solver, "limits": limits_named(values)}
    if ask == COUNT:
        settings |= {"engine": values["engine"], "most": values["limit"], "raw": values["raw"], "up_to": values["up_to"]}
    else:
        if solver and not (family.refinement is not None and solver in INCREMENTAL):
            pick_sides(solver)
        if values["checker"] is not None:
            pick_checker(values["checker"])
        settings |= {name: values[name] for name in ("certify", "checker")} | {"seed": values["solver_seed"]}
        settings |= {"proof": not values["no_proof"]}
        if family.refinement is not None:
            settings |= {"add": values["add"], "choice": values["choose"]}
            settings |= {"search": values["search"]} if ask == SOLVE else {}
    return Question(family.name, ask, values["encoding"], encoding_options_named(family, values), settings)


@contextmanager
def answers_named(path: str | None) -> Iterator[AnswerFile | None]:
    """The file of answers, if there is one."""
    if path in (None, "-"):
        yield None
        return
    with AnswerFile(Path(path)) as answers:
        yield answers


def run(items: list[Item], question: Question, answers: AnswerFile | None, summary: Summary, values: dict[str, Any]) -> bool:
    """Ask the puzzles and show what comes; False if Ctrl-C ended it."""
    progress = CollectionProgress(len(items), quiet=values["quiet"] or values["jsonl"] is None)  # else lines tell how far it is
    try:
        with LocalExecutor(values["jobs"]) as executor, progress, closing(answered(items, question, answers, executor)) as found:
            for answer in found:
                summary.add(answer)
                show(answer, progress, values["jsonl"])
                progress.add(answer)
    except KeyboardInterrupt:
        return False
    return True


def show(answer: Answered, progress: Progress, jsonl: str | None) -> None:
    """A line on standard output where no file takes the answers; what went wrong in any case."""
    if answer.verdict in (UNREADABLE, FAILED) and (jsonl is not None or answer.verdict == UNREADABLE):
        told = answer.sentence if answer.verdict == UNREADABLE else f"{answer.item}: {answer.sentence or 'failed before'}"
        progress.say(told)
    if jsonl == "-" and answer.line is not None:
        sys.stdout.buffer.write(line_of(answer.line))
        sys.stdout.buffer.flush()
    elif jsonl is None and answer.verdict != UNREADABLE:
        say(f"{answer.item}: {answer.sentence}")


class CollectionProgress(Progress):
    """How many of `total` puzzles are answered, and how long the others will take."""

    def __init__(self, total: int, *, quiet: bool):
        self._total, self._done, self._new = total, 0, 0
        self._started = time.monotonic()
        super().__init__(quiet=quiet, every=SAY_EVERY, total=total, unit="puzzle", dynamic_ncols=True, smoothing=0.1)

    def add(self, answer: Answered) -> None:
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
