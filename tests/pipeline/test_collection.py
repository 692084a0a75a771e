"""Collections: every puzzle is answered once and correctly, after any earlier calls and any interruption."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from random import Random
from unittest.mock import Mock

import pytest
from conftest import make_script
from installedcheckers import OF_DRAT, OF_HINTS
from nonogramnaive import clue_of_line

from cnfgen_puzzles.common.digests import digest_of_json
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.journal import Journal
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline import collection
from cnfgen_puzzles.pipeline.api import unique
from cnfgen_puzzles.pipeline.collection import (
    COUNT,
    SOLVE,
    UNIQUE,
    AnswerFile,
    CollectionSummary,
    answer_items,
    answer_puzzle,
    effort_of,
    files_of,
    identity_of,
    items_of,
)
from cnfgen_puzzles.pipeline.request import CountRequest, SolveRequest
from cnfgen_puzzles.solving import session
from cnfgen_puzzles.solving.process import Limits

NONOGRAM = find_family("nonogram")
ENDINGS = (".nin", ".non", ".xml")
WORD = {"proof": False, "solver": ("minisat-core",)}
"""Proofs are disabled, because these tests are about which puzzles are solved."""
SET = """<puzzleset>
<puzzle><clues type="rows"><line><count>1</count></line></clues>
<clues type="columns"><line><count>1</count></line></clues></puzzle>
<puzzle><clues type="rows"><line><count>x</count></line></clues><clues type="columns"><line/></clues></puzzle>
<puzzle><clues type="rows"><line/></clues><clues type="columns"><line/></clues></puzzle>
</puzzleset>"""


def clues(board):
    return tuple(map(clue_of_line, board)), tuple(map(clue_of_line, zip(*board, strict=True)))


BOARDS = Counter(clues(board) for board in product(product((0, 1), repeat=3), repeat=3))
"""The number of 3x3 boards for each pair of clues, by drawing all boards."""


def nin(rows, columns) -> str:
    lines = [" ".join(map(str, clue or (0,))) for clue in (*rows, *columns)]
    return "\n".join([f"{len(rows)} {len(columns)}", *lines, ""])


def some_clues(number: int, seed: int = 5):
    """Clues with one board, with several, and (rows of one board, columns of another) usually with none."""
    choice = Random(seed)
    once, often = ([pair for pair, count in BOARDS.items() if (count > 1) == several] for several in (False, True))
    both = choice.sample(sorted(once), number) + choice.sample(sorted(often), number)
    return list(dict.fromkeys([*both, *((a[0], b[1]) for a, b in zip(both, both[::-1], strict=True))]))


@pytest.fixture
def folder(tmp_path):
    """Files of small puzzles, and the truth about each by its file."""
    place = tmp_path / "puzzles"
    place.mkdir()
    truth = {}
    for number, (rows, columns) in enumerate(some_clues(3)):
        path = place / f"{number:02}.nin"
        path.write_text(nin(rows, columns))
        truth[str(path)] = BOARDS[rows, columns]
    return place, truth


def items_in(*names):
    return list(items_of(NONOGRAM, files_of([str(name) for name in names], ENDINGS), {}))


class Counted(ThreadPoolExecutor):
    """Counts the calls."""

    def __init__(self, jobs: int = 2):
        super().__init__(jobs)
        self.calls: list[str] = []

    def submit(self, function, /, owner, answer_puzzle, question, entry):
        self.calls.append(digest_of_json(entry))
        return super().submit(function, owner, answer_puzzle, question, entry)


def question_of(ask, family="nonogram", **settings):
    if ask == COUNT:
        return CountRequest(family=find_family(family), **settings)
    return SolveRequest(family=find_family(family), unique=ask == UNIQUE, **settings)


def ask(items, question, path):
    """The answers, and the number of puzzles that were solved."""
    with AnswerFile(path) as answers, Counted() as executor:
        return list(answer_items(items, question, answers, executor)), executor.calls


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


VERDICT = {0: "none", 1: "one"}


@pytest.mark.parametrize("how", [{}, WORD])
def test_unique(folder, tmp_path, how):
    place, truth = folder
    found, _ = ask(items_in(place), question_of(UNIQUE, **how), tmp_path / "out.jsonl")
    assert {str(each.item): each.verdict for each in found} == {file: VERDICT.get(n, "several") for file, n in truth.items()}
    lines = {line["file"]: line for line in lines_of(tmp_path / "out.jsonl")}
    assert lines.keys() == truth.keys()
    for file, line in lines.items():
        assert len(line["boards"]) == min(truth[file], 2)
        assert line["sha256"] == digest_of_json(line["puzzle"])
        if not how and truth[file] == 1:
            assert line["evidence"]["kind"] == "proof" and line["runs"][-1]["proof"]["checked_by"] == OF_HINTS


@pytest.mark.parametrize("certify", [False, True])
def test_what_is_not_quick_goes_the_way_of_single_calls(folder, tmp_path, monkeypatch, certify):
    _, truth = folder
    monkeypatch.setattr("cnfgen_puzzles.pipeline.unique.QUICK_SECONDS", 1e-6)  # as if each were hard
    alone = next(file for file, count in truth.items() if count == 1)
    ask(
        items_in(alone),
        question_of(UNIQUE, certify=certify),
        tmp_path / "out.jsonl",
    )
    (line,) = lines_of(tmp_path / "out.jsonl")
    assert (line["verdict"], line["effort"]) == ("one", {})
    single = unique(NONOGRAM.read(open_source(alone)), certify=certify, cores=1).to_json()
    assert [run["solver"] for run in line["runs"]] == [run["solver"] for run in single["runs"]]
    assert not any(run["solver"].startswith("cadical") for run in line["runs"])
    assert line["runs"][-1]["proof"]["checked_by"] == OF_DRAT
    assert any(run["solver"].startswith("cadical") for run in line["side_by_side"]["others"])
    assert line["time"]["cpu"] >= line["side_by_side"]["cpu"]


def test_the_time_of_an_incremental_solver_counts(monkeypatch):
    """Also of a worker process, to which a call with more than 0 conflicts goes."""
    opened = []
    monkeypatch.setattr(session, "LOCAL_CONFLICTS", 0)
    made = session.IncrementalSession
    monkeypatch.setattr(session, "IncrementalSession", lambda *given: opened.append(made(*given)) or opened[-1])
    genre = find_family("slither")
    puzzle = genre.read(Source("x", b"slither/5/5/cbcbcddad", ".url"))
    question = SolveRequest(family=genre, unique=True, proof=False)
    for number in (1, 2):
        line, _ = answer_puzzle(question, genre.puzzle_to_json(puzzle))
        assert len(opened) == number and line["time"]["cpu"] >= opened[-1].cpu > 0


@pytest.mark.parametrize("mus", [True, False])
def test_contradictory_clues_are_searched_on_request(mus):
    genre = find_family("slither")
    puzzle = genre.read(Source("x", b"slither/2/2/3333", ".url"))
    question = question_of(SOLVE, "slither", mus=mus, proof=False)
    line, _ = answer_puzzle(question, genre.puzzle_to_json(puzzle))
    assert line["verdict"] == "none"
    assert ("contradiction" in line) == mus == ("mus" in identity_of(question).get("settings", {}))


def test_count_and_solve(folder, tmp_path):
    place, truth = folder
    found, _ = ask(items_in(place), question_of(COUNT), tmp_path / "out.jsonl")
    assert {each.verdict for each in found} == {"counted"}
    assert {line["file"]: line["solutions"] for line in lines_of(tmp_path / "out.jsonl")} == truth
    found, calls = ask(items_in(place), question_of(SOLVE, **WORD), tmp_path / "out.jsonl")
    assert {str(each.item): each.verdict for each in found} == {file: "solved" if n else "none" for file, n in truth.items()}
    assert len(calls) == len(truth)  # what was counted says nothing to another question


def test_another_family(tmp_path, instances):
    tiling = find_family("tiling")
    files = [str(instances / "tiling" / f"dominoes-{name}.yaml") for name in ("2x10", "3x8")]
    ask(list(items_of(tiling, files, {})), question_of(COUNT, "tiling", raw=True), tmp_path / "out.jsonl")
    assert [line["raw"] for line in sorted(lines_of(tmp_path / "out.jsonl"), key=lambda line: line["file"])] == [89, 153]


def test_what_can_be_listed(tmp_path):
    below = tmp_path / "more" / "deep"
    below.mkdir(parents=True)
    (below / "a.nin.gz").write_bytes(gzip.compress(b"1 1\n1\n1\n"))
    (tmp_path / "set.xml").write_text(SET)
    (tmp_path / "README.md").write_text("no puzzle")
    (tmp_path / ".hidden.nin").write_text("1 1\n1\n1\n")
    (tmp_path / "bad.nin").write_text("2 2\n1\n")
    found = items_in(tmp_path, tmp_path / "nosuch.nin", tmp_path / "bad.nin")
    assert [(item.file.removeprefix(f"{tmp_path}/"), item.number, bool(item.error)) for item in found] == [
        ("bad.nin", 0, True), ("more/deep/a.nin.gz", 1, False), ("set.xml", 1, False), ("set.xml", 2, True),
        ("set.xml", 3, False), ("nosuch.nin", 0, True),
    ]  # fmt: skip
    assert found[1].sha256 == found[2].sha256 != found[4].sha256  # by what they say, not by how
    assert "set.xml:4: " in found[3].error and found[3].error.count("set.xml") == 1
    with pytest.raises(InputError, match="folder without puzzles"):
        files_of([str(tmp_path)], (".cwd",))


def test_one_bad_file_stops_no_other(tmp_path):
    (tmp_path / "bad.nin").write_text("2 2\n1\n")
    (tmp_path / "good.nin").write_text("1 1\n1\n1\n")
    out, question = tmp_path / "out.jsonl", question_of(UNIQUE, **WORD)
    summary = CollectionSummary()
    for answer in ask(items_in(tmp_path), question, out)[0]:
        summary.add(answer)
    assert summary.exit_code == 2
    assert next(summary.lines()) == "1 puzzle in 2 files: 1 with one solution, 1 that cannot be read"
    before = out.read_text()
    assert [line["verdict"] for line in lines_of(out)] == ["unreadable", "one"] and "bad.nin" in lines_of(out)[0]["error"]
    assert ask(items_in(tmp_path), question, out)[1] == [] and out.read_text() == before  # no line is written twice


def test_an_error_says_of_which_file_it_is(tmp_path):
    """The error about a set of mazes without a length is not about one of its lines."""
    (tmp_path / "x.mazes").write_text("..\n..\n")
    (item,) = items_of(find_family("maze"), [str(tmp_path / "x.mazes")], {})
    assert item.error == f"{tmp_path / 'x.mazes'}: found neither --pattern and --length, expected one of them"


def test_one_thread_answers_in_order(folder, tmp_path, monkeypatch):
    place, truth = folder
    items = items_in(place)
    expected = {file: VERDICT.get(count, "several") for file, count in truth.items()}
    with AnswerFile(tmp_path / "out.jsonl") as answers, ThreadPoolExecutor(1) as thread:
        found = []
        for each in answer_items(items, question_of(UNIQUE), answers, thread):
            found.append((str(each.item), each.verdict, len(lines_of(answers.path))))
    assert found == [(file, verdict, number) for number, (file, verdict) in enumerate(expected.items(), 1)]
    for error in (CnfgenError("no room"), RuntimeError("no room")):
        monkeypatch.setattr(collection, "answer_puzzle", Mock(side_effect=error))
        with ThreadPoolExecutor(1) as thread:
            failed = list(answer_items(items, question_of(UNIQUE), None, thread))
        assert {(each.verdict, "no room" in each.sentence) for each in failed} == {("failed", True)} and len(failed) == len(truth)
    monkeypatch.setattr(collection, "answer_puzzle", Mock(side_effect=KeyboardInterrupt))
    with ThreadPoolExecutor(1) as thread, pytest.raises(KeyboardInterrupt):
        list(answer_items(items, question_of(UNIQUE), None, thread))


def test_a_failure_of_one_puzzle_is_reported_and_retried(tmp_path, folder):
    """In this test, the named program is not a solver."""
    place, truth = folder
    make_script(tmp_path / "liar", "echo s SATISFIABLE\nexit 10")
    wrong = question_of(UNIQUE, solver=(str(tmp_path / "liar"),), proof=False)
    found, _ = ask(items_in(place), wrong, tmp_path / "out.jsonl")
    asked = {str(each.item) for each in found if each.verdict == "failed"}
    assert asked == {str(each.item) for each in found if each.line["runs"]}  # the others have an argument
    right = question_of(UNIQUE, **WORD)
    found, calls = ask(items_in(place), right, tmp_path / "out.jsonl")
    assert len(calls) == len(asked)
    assert {str(each.item): each.verdict for each in found} == {file: VERDICT.get(n, "several") for file, n in truth.items()}


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_a_proof_killed_at_any_byte_resumes(folder, tmp_path, seed):
    place, truth = folder
    out, question = tmp_path / "out.jsonl", question_of(UNIQUE, **WORD)
    ask(items_in(place), question, out)
    whole = out.read_bytes()
    cut = Random(seed).randrange(len(whole)) if seed else len(whole) - 1  # the last line is whole, but for its end
    out.write_bytes(whole[:cut])
    kept = whole[: cut + 1].count(b"\n")  # also a line that lacks only its end
    found, calls = ask(items_in(place), question, out)
    assert len(calls) == len(truth) - kept
    assert {str(each.item): each.verdict for each in found} == {file: VERDICT.get(n, "several") for file, n in truth.items()}
    assert sorted(line["file"] for line in lines_of(out)) == sorted(truth)
    assert out.read_bytes().startswith(whole[: whole.rfind(b"\n", 0, cut) + 1])


def test_copies_and_moved_files_are_not_asked_again(folder, tmp_path):
    place, truth = folder
    out, question = tmp_path / "out.jsonl", question_of(UNIQUE, **WORD)
    first = sorted(truth)[0]
    (place / "copy.non").write_text(NONOGRAM.write(NONOGRAM.puzzle_from_json(items_in(first)[0].puzzle), "non"))
    found, calls = ask(items_in(place), question, out)
    assert len(calls) == len(set(calls)) == len(truth) == len(found) - 1
    copy = next(line for line in lines_of(out) if line["file"].endswith("copy.non"))
    assert copy["same_as"] == first
    place.rename(tmp_path / "moved")
    found, calls = ask(items_in(tmp_path / "moved"), question, out)
    assert not calls and len(found) == len(truth) + 1
    lines = lines_of(out)
    assert len(lines) == 2 * len(found) and sum("same_as" in line for line in lines) == len(found) + 1
    size = out.stat().st_size
    ask(items_in(tmp_path / "moved"), question, out)
    assert out.stat().st_size == size


def test_an_undecided_puzzle_is_asked_again_with_larger_limits(folder, tmp_path):
    place, truth = folder
    out = tmp_path / "out.jsonl"
    little, more = (question_of(UNIQUE, **WORD | {"limits": Limits(cpu=cpu)}) for cpu in (1.0, 60.0))
    ask(items_in(place), little, out)
    lines = lines_of(out)
    lines[0] |= {"verdict": "undecided", "solutions": "undecided"}  # as one that met its limit would say
    out.unlink()
    with Journal(out) as journal:
        for line in lines:
            journal.append({name: value for name, value in line.items() if name != "seal"})
    assert not ask(items_in(place), little, out)[1]
    found, calls = ask(items_in(place), more, out)
    assert calls == [lines[0]["sha256"]]
    assert {each.verdict for each in found} == {VERDICT.get(n, "several") for n in truth.values()}


@pytest.mark.parametrize("sealed", [True, False])
def test_a_line_that_was_edited_is_asked_again(folder, tmp_path, sealed):
    """With the old seal, and without any."""
    place, _ = folder
    out, question = tmp_path / "out.jsonl", question_of(UNIQUE, **WORD)
    before, _ = ask(items_in(place), question, out)
    lines = lines_of(out)
    edited = list({line["verdict"]: line for line in lines}.values())
    for line in edited:
        line["verdict"] = "one" if line["verdict"] != "one" else "none"
        if not sealed:
            del line["seal"]
    out.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    found, calls = ask(items_in(place), question, out)
    assert sorted(calls) == sorted(line["sha256"] for line in edited)
    assert {str(each.item): each.verdict for each in found} == {str(each.item): each.verdict for each in before}


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda line: line[:40] + b"\n", "damaged line"),
        (lambda line: b"[1, 2]\n", "damaged line|JSON object"),
        (lambda line: line.replace(b'"sha256"', b'"sha"'), "not an answer: 'sha256'"),
        (lambda line: line.replace(b'"number":1', b'"number":"1"'), "found a text as 'number', expected"),
        (lambda line: line.replace(b'"number":1', b'"number":true'), "found true or false as 'number'"),
        (lambda line: line.replace(b'"time":{', b'"time":1,"x":{'), "found a whole number as 'time', expected"),
    ],
)
def test_a_damaged_line_is_refused_with_its_number(tmp_path, damage, told):
    (tmp_path / "a.nin").write_text("1 1\n1\n1\n")
    (tmp_path / "b.nin").write_text("1 2\n1\n1\n0\n")
    out = tmp_path / "out.jsonl"
    ask(items_in(tmp_path), question_of(SOLVE, **WORD), out)
    first, second = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(first + damage(second) + first)
    with pytest.raises(InputError, match=told) as error, AnswerFile(out):
        pass
    assert (error.value.source, error.value.line) == (str(out), 2)


def test_of_a_full_disk_no_half_line_stays(tmp_path, monkeypatch):
    (tmp_path / "a.nin").write_text("1 1\n1\n1\n")
    out, question = tmp_path / "out.jsonl", question_of(SOLVE, **WORD)
    ask(items_in(tmp_path), question, out)
    whole, (line,) = out.read_bytes(), lines_of(out)
    del line["seal"]
    write = os.write
    with AnswerFile(out) as answers:
        monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:20]))
        with pytest.raises(InputError, match=r"only 20 of .* bytes could be written; is the disk full"):
            answers.add(line)
        monkeypatch.undo()
        assert out.read_bytes() == whole
        answers.add(line)
    assert out.read_bytes() == 2 * whole


def test_one_puzzle_of_a_file_of_several(tmp_path):
    (tmp_path / "set.xml").write_text(SET)
    (item,) = items_of(NONOGRAM, [str(tmp_path / "set.xml")], {"number": 3})
    every = items_in(tmp_path)
    assert (item.place, item.sha256) == (every[2].place, every[2].sha256) and not item.error
    assert [str(each).removeprefix(str(tmp_path)) for each in every] == [
        "/set.xml, puzzle 1", "/set.xml, puzzle 2", "/set.xml, puzzle 3",
    ]  # fmt: skip


def test_what_is_asked_and_what_it_is_found_with():
    """An encoding by its name, chosen or default; settings without effect are omitted; limits by their amounts."""
    plain = identity_of(question_of(UNIQUE, mus=False))
    assert plain == {"family": "nonogram", "ask": "unique", "encoding": "order", "settings": {"proof": True}}
    settings = {"certify": True, "solver": ("kissat",), "limits": Limits(cpu=1.0), "mus": False}
    asked = question_of(UNIQUE, encoding="direct", options={"amo": "product"}, **settings)
    assert identity_of(asked) == plain | {
        "encoding": "direct",
        "options": {"amo": "product"},
        "settings": {"proof": True, "certify": True},
    }
    assert effort_of(asked) == {"solver": "kissat", "limits": {"cpu": 1.0, "wall": None, "memory": None}}


def test_what_is_said_of_one_puzzle():
    """An incomplete count is undecided; the sentence omits lists."""
    swap = {"rows": [[1], [1]], "columns": [[1], [1]]}
    answer, _ = answer_puzzle(question_of(COUNT, most=1), swap)
    assert (answer["verdict"], answer["puzzle"]) == ("undecided", swap)
    answer, sentence = answer_puzzle(question_of(UNIQUE), swap)
    assert (answer["verdict"], sentence) == ("several", "Several solutions.")
