"""What of a collection is still to be done, and the doing: puzzles that are answered already are not asked again.

A decided answer is for ever. What was not decided is asked again with another solver or other limits, what failed always.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.collection.answers import AnswerFile, KnownAnswer
from cnfgen_puzzles.collection.listing import Item, sha256_of
from cnfgen_puzzles.collection.question import FAILED, UNREADABLE, Question, ask
from cnfgen_puzzles.pipeline.unique import UNDECIDED
from cnfgen_puzzles.solving.pool import Distributor, WorkExecutor


@dataclass(frozen=True)
class Answered:
    """An item and what its line says; `new` if it was asked just now, `sentence` as a person is told it then."""

    item: Item
    verdict: str
    seconds: float
    sentence: str = ""
    new: bool = False
    line: dict[str, Any] | None = None


def answered(
    items: Sequence[Item], question: Question, answers: AnswerFile | None, executor: WorkExecutor
) -> Generator[Answered]:
    """Each item as it is answered: first what cannot be read and what is known, then the others as workers bring them.

    Its line is in `answers` when an item is given. A puzzle that stands in several places is asked once and has a line for each.
    """
    head = {"question": question.identity(), "effort": question.effort()}
    asked, effort = sha256_of(head["question"]), sha256_of(head["effort"])
    again: dict[str, list[Item]] = defaultdict(list)
    to_do: dict[str, Item] = {}
    for item in items:
        if item.error:
            yield _unreadable(item, head, answers)
        elif (known := answers and answers.known.get((item.sha256, asked))) and _stands(known, effort):
            yield _known(item, known, answers)
        elif item.sha256 in to_do:
            again[item.sha256].append(item)
        else:
            to_do[item.sha256] = item
    waiting = iter(to_do.values())
    work = Distributor[Item](
        executor, lambda item: (ask, question, item.puzzle), "a collection", at_once=lambda: 2 * executor.jobs
    )  # two a worker: none waits until its answer has been written
    with closing(work.results(lambda: next(waiting, None))) as results:
        for done in results:
            if done.error is None:
                entry, sentence = done.result()
            else:
                entry, sentence = {"verdict": FAILED, "time": {}, "error": str(done.error)}, str(done.error)
            first = done.unit
            for item in (first, *again[first.sha256]):
                line = {"file": item.file, "number": item.number, "sha256": item.sha256, **head, **entry}
                line |= {} if item is first else {"same_as": first.file}
                if answers is not None:
                    answers.add(line)
                seconds = entry["time"].get("wall", 0.0) if item is first else 0.0
                yield Answered(item, entry["verdict"], seconds, sentence, item is first, line)


def _stands(known: KnownAnswer, effort: str) -> bool:
    """Whether an answer needs no other."""
    return known.verdict != FAILED and (known.verdict != UNDECIDED or known.effort == effort)


def _unreadable(item: Item, head: dict[str, Any], answers: AnswerFile | None) -> Answered:
    line = {
        "file": item.file,
        "number": item.number,
        "sha256": "",
        **head,
        "verdict": UNREADABLE,
        "time": {},
        "error": item.error,
    }
    if answers is not None and (*item.place, item.error) not in answers.errors:
        answers.add(line)
    return Answered(item, UNREADABLE, 0.0, item.error, line=line)


def _known(item: Item, known: KnownAnswer, answers: AnswerFile | None) -> Answered:
    """A puzzle that is answered; if in another place, this one gets a line as well."""
    line = None
    if answers is not None and item.place not in known.places:
        line = answers.entry(known)
        line |= {"file": item.file, "number": item.number, "same_as": line["file"]}
        answers.add(line)
    return Answered(item, known.verdict, known.seconds, line=line)
