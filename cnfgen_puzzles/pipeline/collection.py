"""Collections: one question about many puzzles, solved by an executor, and a file of answers from which to resume.

    items = list(items_of(family, files_of(names, suffixes), {}))    # every puzzle of every file
    with AnswerFile(Path("out.jsonl")) as answers:
        for item in answer_items(items, question, answers, executor):
            ...                                                       # the answer is already in the file

A decided answer is final. A puzzle that was not decided is solved again if the solver or the limits change. A puzzle that failed
is always solved again. A file or a puzzle that cannot be read is an item with its error.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common.digests import digest_of_json
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.journal import Journal
from cnfgen_puzzles.common.readers.strictjson import member
from cnfgen_puzzles.common.sources import PACKED_SUFFIXES, Source, open_source
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.detection import addresses_of, find_genre
from cnfgen_puzzles.pipeline.answer import UNIQUE, Answer, BoardCount
from cnfgen_puzzles.pipeline.api import solutions_of, solve_request
from cnfgen_puzzles.pipeline.request import CountRequest, SolveRequest
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.distribute import Work, distribute
from cnfgen_puzzles.solving.executors import jobs_of
from cnfgen_puzzles.solving.process import cpu_of_runs

if TYPE_CHECKING:
    from cnfgen_puzzles.pipeline.count import Count

SOLVE, COUNT = "solve", "count"

SOLVED, COUNTED, FAILED, UNREADABLE = "solved", "counted", "failed", "unreadable"
VERDICTS = {
    SOLVED: "solved",
    COUNTED: "counted",
    BoardCount.ONE: "with one solution",
    BoardCount.SEVERAL: "with several",
    BoardCount.NONE: "without a solution",
    BoardCount.UNDECIDED: "not decided",
    FAILED: "failed",
    UNREADABLE: "that cannot be read",
}
"""The verdicts of lines, with the words of a summary."""
STATUSES: Mapping[str, str] = {SATISFIABLE: SOLVED, UNSATISFIABLE: BoardCount.NONE}
"""The verdicts of the request for one board, by status."""

SLOWEST, WORTH_TELLING = 5, 1.0
"""The number of slowest puzzles that a summary names, and the least time in seconds of such a puzzle."""


# -- the puzzles ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Item:
    """Puzzle `number` (from 1) of a file in canonical JSON, with its SHA-256; or the `error` if it cannot be read.

    If the file as a whole cannot be read, the number is 0.
    """

    file: str
    number: int
    family: Family
    puzzle: Mapping[str, Any] | None = None
    sha256: str = ""
    error: str = ""
    several: bool = False
    """Whether the file has other puzzles, too."""

    @property
    def place(self) -> tuple[str, int]:
        """The identity of the item in its collection."""
        return self.file, self.number

    def __str__(self) -> str:
        return f"{self.file}, puzzle {self.number}" if self.several else self.file


def files_of(names: Iterable[str], endings: Sequence[str]) -> list[str]:
    """The named files and, for each named folder, the files below it with one of the endings, compressed or not; sorted, once
    each.

    InputError for a folder without such a file.
    """
    found: dict[str, None] = {}
    for name in names:
        if not os.path.isdir(name):
            found[name] = None
            continue
        below = []
        for path in Path(name).rglob("*"):
            unpacked = path.with_suffix("").name if path.suffix.lower() in PACKED_SUFFIXES else path.name
            if unpacked.lower().endswith(tuple(endings)) and not path.name.startswith(".") and path.is_file():
                below.append(str(path))
        if not below:
            listed = ", ".join(dict.fromkeys(endings)) or "that its formats have"
            raise InputError(f"found a folder without puzzles, expected files with the endings {listed}", source=name)
        found |= dict.fromkeys(sorted(below))
    return list(found)


def items_of(
    family: Family, files: Iterable[str], options: Mapping[str, Any], opened: Mapping[str, Source] = MappingProxyType({})
) -> Iterator[Item]:
    """Every puzzle of the files; `options` are those of the family's reader, `opened` files that were read already.

    A list of addresses can have puzzles of several genres.
    """
    has_numbers = "number" not in options and "number" in {option.name for option in family.options}
    for file in files:
        many = 1
        try:
            source = opened.get(file) or open_source(file)
            addresses = addresses_of(source) if has_numbers else ()
            if has_numbers:
                many = len(addresses or family.formats.read_puzzles(source, options.get("format")))
        except InputError as error:
            yield Item(file, 0, family, error=_locate(error, file))
            continue
        for number in range(1, many + 1) if has_numbers else [options.get("number", 1)]:
            genre = family
            try:
                genre = find_genre(addresses[number - 1], source.name) if addresses else family
                entry = genre.puzzle_to_json(genre.read(source, **options, **({"number": number} if has_numbers else {})))
                yield Item(file, number, genre, entry, digest_of_json(entry), several=many > 1)
            except CnfgenError as error:
                yield Item(file, number, genre, error=_locate(error, file), several=many > 1)


def _locate(error: CnfgenError, file: str) -> str:
    """The error; it names the file even if it did not before."""
    return str(error) if isinstance(error, InputError) and error.source else f"{file}: {error}"


# -- the question -----------------------------------------------------------------------------------------------------------


Question = SolveRequest | CountRequest
"""A question about every puzzle, as a request without a puzzle."""


def identity_of(question: Question) -> dict[str, Any]:
    """The question as JSON, without solver and limits: a decided answer is valid for any of them."""
    names = ("proof", "certify", "mus") if isinstance(question, SolveRequest) else ("most", "raw", "up_to")
    settings = {name: getattr(question, name) for name in names}
    entry = {
        "family": question.family.name,
        "ask": COUNT if isinstance(question, CountRequest) else UNIQUE if question.unique else SOLVE,
        "encoding": question.family.encoding(question.encoding).name,
        "options": dict(question.options),
        "settings": {name: value for name, value in settings.items() if value not in (None, False)},
    }
    return {name: value for name, value in entry.items() if value != {}}


def effort_of(question: Question) -> dict[str, Any]:
    """The settings of the search as JSON; an undecided puzzle is solved again if they change."""
    solvers, limits = question.solver, question.limits
    entry = {name: getattr(question, name, None) for name in ("seed", "engine", "checker", "add")}
    entry["solver"] = list(solvers) if len(solvers) > 1 else next(iter(solvers), None)
    entry["limits"] = None if limits is None else {"cpu": limits.cpu, "wall": limits.wall, "memory": limits.memory}
    return {name: value for name, value in entry.items() if value is not None}


def answer_puzzle(question: Question, entry: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Answer the puzzle in canonical JSON, in a worker. The result is the rest of its line, and the first sentence of the answer.

    `time` has the elapsed seconds, and the CPU seconds of this process and of all programs that it ran.
    """
    family = question.family
    puzzle = family.puzzle_from_json(entry)
    began, worked = time.monotonic(), time.process_time() + cpu_of_runs()
    found: Count | Answer
    if isinstance(question, CountRequest):
        from cnfgen_puzzles.pipeline.count import count  # loads all engines

        found = count(solutions_of(replace(question, puzzle=puzzle, jobs=1)))
        verdict = COUNTED if found.complete else BoardCount.UNDECIDED
        # the JSON of a count does not name the puzzle
        answer = {"family": family.name, "puzzle": family.puzzle_to_json(puzzle), **found.to_json()}
    else:
        found = solve_request(replace(question, puzzle=puzzle, cores=1))
        answer = found.to_json()
        if found.failed:
            verdict = FAILED
        elif found.kind == UNIQUE:
            verdict = found.verdict if found.verdict in VERDICTS else BoardCount.ONE  # one up to symmetry
        else:
            verdict = STATUSES.get(found.status, BoardCount.UNDECIDED)
    cpu = time.process_time() + cpu_of_runs() - worked
    spent = {"wall": round(time.monotonic() - began, 4), "cpu": round(cpu, 4)}
    first, _, more = found.sentence().partition("\n")
    return {"verdict": verdict, "time": spent, **answer}, first.partition(". ")[0] + "." if more else first


# -- the file of answers ----------------------------------------------------------------------------------------------------

FIELDS = {"file": str, "number": int, "sha256": str, "question": dict, "effort": dict, "verdict": str, "time": dict}
"""The fields of every line, with their types."""

Key = tuple[str, str]
"""The SHA-256 of a puzzle, and the digest of a question."""


@dataclass
class KnownAnswer:
    """The newest answer for a key: the position of its line, its verdict, and the files and numbers that have such a line."""

    offset: int
    verdict: str
    effort: str
    seconds: float
    places: set[tuple[str, int]] = field(default_factory=set)

    def stands(self, effort: str) -> bool:
        """Whether the answer is final for this effort."""
        return self.verdict != FAILED and (self.verdict != BoardCount.UNDECIDED or self.effort == effort)


class AnswerFile(Journal):
    """The file at `path`: a journal with a line for each answer.

    `known` has the newest answer of each key, and `errors` has the unreadable items. An answer with a missing or wrong seal is
    ignored, so its puzzle is solved again. InputError, with file and line, for a line that is not an answer.
    """

    def __init__(self, path: Path):
        super().__init__(path)
        self.known: dict[Key, KnownAnswer] = {}
        self.errors: set[tuple[str, int, str]] = set()
        try:
            for line in self.lines():
                try:
                    for name, kind in FIELDS.items():
                        member(line.entry, name, kind)
                    if line.sealed:
                        self._note(line.entry, line.offset)
                except (KeyError, TypeError, ValueError) as error:
                    message = f"found a line that is not an answer: {error}"
                    raise InputError(message, source=str(path), line=line.number) from None
        except BaseException:
            self.close()
            raise

    def _note(self, entry: Mapping[str, Any], offset: int) -> None:
        place = entry["file"], entry["number"]
        if entry["verdict"] not in VERDICTS:
            raise ValueError(f"found the verdict {entry['verdict']!r:.40}")
        if entry["verdict"] == UNREADABLE:
            self.errors.add((*place, member(entry, "error", str)))
            return
        key = entry["sha256"], digest_of_json(entry["question"])
        before = self.known.get(key)
        places = before.places if before and "same_as" in entry else set()
        self.known[key] = KnownAnswer(
            offset, entry["verdict"], digest_of_json(entry["effort"]), float(entry["time"].get("wall", 0.0)), places | {place}
        )

    def add(self, entry: Mapping[str, Any]) -> None:
        """Append an answer atomically. It is in the file when this method returns."""
        self._note(entry, self.append(entry))


# -- answering ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AnsweredItem:
    """An item and the content of its line; `new` if it was solved by this call, and then `sentence` is its answer in words."""

    item: Item
    verdict: str
    seconds: float
    sentence: str = ""
    new: bool = False
    line: dict[str, Any] | None = None


def answer_items(
    items: Sequence[Item], question: Question, answers: AnswerFile | None, executor: Executor
) -> Generator[AnsweredItem]:
    """Yield each item with its answer: first the unreadable and known ones, then the others as workers finish them.

    The line of an item is in `answers` when it is yielded. A puzzle that occurs in several places is solved once and has a line
    for each place.
    """
    to_do: dict[Key, list[Item]] = defaultdict(list)  # by the puzzle, which may stand in several places
    families = {item.family.name: replace(question, family=item.family) for item in items}
    heads = {name: {"question": identity_of(each), "effort": effort_of(each)} for name, each in families.items()}
    for item in items:
        line: dict[str, Any] | None = None
        head = heads[item.family.name]
        asked, effort = digest_of_json(head["question"]), digest_of_json(head["effort"])
        place = {"file": item.file, "number": item.number}
        if item.error:
            line = {**place, "sha256": "", **head, "verdict": UNREADABLE, "time": {}, "error": item.error}
            if answers is not None and (*item.place, item.error) not in answers.errors:
                answers.add(line)
            yield AnsweredItem(item, UNREADABLE, 0.0, item.error, line=line)
        elif answers and (known := answers.known.get((item.sha256, asked))) and known.stands(effort):
            if item.place not in known.places:  # each place gets a line
                before = answers.entry(known.offset)
                line = {**before, **place, "same_as": before["file"]}
                answers.add(line)
            yield AnsweredItem(item, known.verdict, known.seconds, line=line)
        else:
            to_do[item.sha256, asked].append(item)

    def call(same: list[Item]) -> Work:
        return answer_puzzle, replace(question, family=same[0].family), same[0].puzzle

    # two for each worker: no worker waits until an answer is written
    work = distribute(executor, to_do.values(), call, "a collection", at_once=2 * jobs_of(executor))
    with closing(work) as results:
        for done in filter(None, results):
            if done.error is None:
                entry, sentence = done.result()
            else:
                entry, sentence = {"verdict": FAILED, "time": {}, "error": str(done.error)}, str(done.error)
            first = done.unit[0]
            head = heads[first.family.name]
            for item in done.unit:
                line = {"file": item.file, "number": item.number, "sha256": item.sha256, **head, **entry}
                line |= {} if item is first else {"same_as": first.file}
                if answers is not None:
                    answers.add(line)
                seconds = entry["time"].get("wall", 0.0) if item is first else 0.0
                yield AnsweredItem(item, entry["verdict"], seconds, sentence, item is first, line)


class CollectionSummary:
    """The number of puzzles with each verdict, and the slowest puzzles."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.files: set[str] = set()
        self.known = 0
        self._slow: list[tuple[float, str]] = []

    def add(self, answer: AnsweredItem) -> None:
        """Count an answer."""
        self.verdicts[answer.verdict] += 1
        self.files.add(answer.item.file)
        self.known += not answer.new and answer.verdict != UNREADABLE
        if answer.seconds >= WORTH_TELLING:
            self._slow.append((answer.seconds, str(answer.item)))

    @property
    def exit_code(self) -> int:
        """1 after a failure on a puzzle, else 2 for unreadable input, else 3 if a puzzle was not decided, else 0."""
        codes = {FAILED: 1, UNREADABLE: 2, BoardCount.UNDECIDED: 3}
        return next((code for verdict, code in codes.items() if self.verdicts[verdict]), 0)

    def lines(self) -> Iterator[str]:
        """The summary in words."""
        total = self.verdicts.total() - self.verdicts[UNREADABLE]
        listed = [f"{self.verdicts[verdict]} {words}" for verdict, words in VERDICTS.items() if self.verdicts[verdict]]
        files = f"{len(self.files)} file{'s' * (len(self.files) != 1)}"
        known = f" ({self.known} answered before, or the same as another)" if self.known else ""
        yield f"{total} puzzle{'s' * (total != 1)} in {files}{known}: {', '.join(listed) or 'none'}"
        if slow := [f"{seconds:.1f} s {name}" for seconds, name in sorted(self._slow, reverse=True)[:SLOWEST]]:
            yield f"slowest: {'; '.join(slow)}"
