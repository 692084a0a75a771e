"""solve-puzzle for collections: files, folders, and files with several puzzles; one line for each answer."""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from cnfgen_puzzles.cli.app import say, write_text
from cnfgen_puzzles.cli.errors import INTERRUPTED
from cnfgen_puzzles.cli.families import report_warnings, suffixes_of
from cnfgen_puzzles.cli.progress import Progress
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.pipeline.collection import (
    FAILED,
    UNREADABLE,
    AnsweredItem,
    AnswerFile,
    CollectionSummary,
    answer_items,
    files_of,
    items_of,
)
from cnfgen_puzzles.pipeline.portfolio import pick_portfolio
from cnfgen_puzzles.pipeline.request import CountRequest, SolveRequest
from cnfgen_puzzles.solving.executors import Processes
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL


def solve_collection(
    question: SolveRequest | CountRequest,
    paths: Sequence[str],
    options: Mapping[str, Any],
    *,
    jsonl: str | None,
    jobs: int | None,
    quiet: bool,
    opened: Mapping[str, Source],
) -> int:
    """Answer the question for all puzzles in the files, read with these `options`, and return the exit code."""
    if not paths:
        raise InputError("found --jsonl without a file, expected files or folders with puzzles")
    if isinstance(question, SolveRequest):  # report wrong names once, not for each puzzle
        if question.solver and not (question.family.refinement is not None and set(question.solver) <= set(INCREMENTAL)):
            pick_portfolio(question.solver)
        if question.checker is not None:
            pick_checker(question.checker)
    began, spent = time.monotonic(), cpu_spent()
    files = files_of(paths, suffixes_of(question.family))
    for file in files:
        register_input(file)
    with nullcontext() if jsonl in (None, "-") else AnswerFile(Path(jsonl)) as answers:
        with report_warnings(), doing("reading the puzzles"):
            items = list(items_of(question.family, files, options, opened))
        summary = CollectionSummary()
        progress = Progress(len(items), "puzzle", quiet=quiet or jsonl is None)  # otherwise the answers show the progress
        try:
            with (
                ThreadPoolExecutor(1) if jobs == 1 else Processes(jobs) as executor,
                progress,
                closing(answer_items(items, question, answers, executor)) as found,
            ):
                for answer in found:
                    summary.add(answer)
                    show(answer, jsonl)
                    progress.done += 1
                    progress.before += not answer.new
                    if answer.new:
                        line = f"{progress.done} of {len(items)} puzzles, about {progress.left} left"
                        progress.show(line, f"{answer.item} {answer.verdict}")
            done = True
        except KeyboardInterrupt:
            done = False
    for line in (*summary.lines(), f"{time.monotonic() - began:.1f} s, {cpu_spent() - spent:.1f} s CPU"):
        say(line, err=jsonl == "-")
    if done:
        return summary.exit_code
    kept = "; the same command resumes" if answers is not None else ""
    say(f"interrupted after {summary.verdicts.total()} of {len(items)} puzzles{kept}", err=True)
    return INTERRUPTED


def show(answer: AnsweredItem, jsonl: str | None) -> None:
    """Print the answer unless a file takes it; print errors in any case."""
    if answer.verdict in (UNREADABLE, FAILED) and (jsonl is not None or answer.verdict == UNREADABLE):
        message = answer.sentence if answer.verdict == UNREADABLE else f"{answer.item}: {answer.sentence or 'failed before'}"
        say(message, err=True)
    if jsonl == "-" and answer.line is not None:
        write_text(None, json.dumps(answer.line, separators=(",", ":")) + "\n")
    elif jsonl is None and answer.verdict != UNREADABLE:
        say(f"{answer.item}: {answer.sentence}")


def cpu_spent() -> float:
    """CPU seconds of this process and of its ended descendants."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
