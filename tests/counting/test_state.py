"""States of a count: the journal contains what was kept, or there is an error; nothing else changes a number."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from counting.enumerating import permutations
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.digests import digest, digest_of_json
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.counting import enumeration as search
from cnfgen_puzzles.counting.engines import EngineChoice
from cnfgen_puzzles.counting.enumeration import Enumeration
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.state import NAME, EnumerationState

BLOCKING = EngineChoice("blocking", "minisat22")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The state of `permutations(4)` in four parts that have six solutions each, and the rest; one part is divided."""
    folder = tmp_path_factory.mktemp("whole")
    state = EnumerationState(folder, permutations(4))
    state.parts.divide(0, [1, 2, 3, 4])
    state.parts.divide(3, [5, 6])
    state.close()
    assert len(counted(folder)) == 24
    return folder


@pytest.fixture
def kept(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "state"))


def counted(folder: Path) -> list[frozenset[int]]:
    """The solutions of `permutations(4)` from the state in a folder; InputError if the state is refused."""
    enumeration = Enumeration(permutations(4), BLOCKING, jobs=1, state=folder)
    found = list(enumeration)
    assert enumeration.complete
    assert len(found) == len(set(found)) == 24
    return found


def entries(folder: Path) -> list[dict]:
    return list(map(json.loads, (folder / NAME).read_text().splitlines()))


def write(folder: Path, entries) -> None:
    """A journal with correct seals."""
    head = {key: value for key, value in entries[0].items() if key != "seal"}
    lines = []
    for number, entry in enumerate(entries):
        text = json.dumps({key: value for key, value in entry.items() if key != "seal"}, separators=(",", ":"))[:-1]
        lines.append(f'{text},"seal":"{digest((digest_of_json(head) if number else "") + text)}"}}\n')
    (folder / NAME).write_text("".join(lines))


def refused(folder: Path, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        counted(folder)
    assert caught.value.source == str(folder / NAME)


def test_finished_parts_are_not_searched_again(kept):
    before = (kept / NAME).read_bytes()
    enumeration = Enumeration(permutations(4), BLOCKING, jobs=1, state=kept)
    assert len(set(enumeration)) == 24
    assert (enumeration.cpu, enumeration.parts) == (0, 7)
    assert (kept / NAME).read_bytes() == before
    write(kept, entries(kept))
    assert (kept / NAME).read_bytes() == before


def test_a_lost_part_is_searched_again(kept):
    lines = (kept / NAME).read_text().splitlines(keepends=True)
    assert '"part":1' in lines[3]
    (kept / NAME).write_text("".join([*lines[:3], *lines[4:-1], lines[-1][:30]]))  # and a kill while the last one was written
    counted(kept)
    assert sorted((kept / NAME).read_text().splitlines(keepends=True)) == sorted(lines)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [*lines, lines[3]], "found part 1 twice"),
        (lambda lines: [*lines[:3], lines[3] | {"part": 2}, *lines[5:]], "part 2 of another split"),
        (lambda lines: [*lines[:3], lines[3] | {"part": 3}, *lines[4:]], "part 3 of another split"),
        (lambda lines: [*lines, lines[3] | {"part": 99}], "damaged state"),
        (lambda lines: [*lines, lines[3] | {"part": -1}], "damaged state"),
        (lambda lines: [*lines, {"divided": 1, "by": [7]}], "found part 1, which is divided"),
        (lambda lines: [*lines[:2], *lines[3:]], "damaged state"),
        (lambda lines: [lines[0], *lines[2:]], "damaged state"),
        (lambda lines: [*lines[:3], lines[3] | {"solutions": 2 * lines[3]["solutions"]}, *lines[4:]], "occurs twice"),
        (lambda lines: [*lines[:3], lines[3] | {"solutions": lines[4]["solutions"]}, *lines[4:]], "none of part 1"),
        (lambda lines: [*lines[:3], lines[3] | {"solutions": "1 2 99\n"}, *lines[4:]], "none of the projection variables"),
        (lambda lines: [lines[0] | {"problem": "0" * 64}, *lines[1:]], "belongs to other work"),
        (lambda lines: [lines[0] | {"version": 3}, *lines[1:]], "belongs to other work"),
        *[
            (lambda lines, by=by: [*lines[:2], {"divided": 1, "by": by}], "damaged state")
            for by in ([], "ab", 3, [17], [0], ["1"], [1.0], [True], [10**30], {"1": 2}, None)
        ],
    ],
)
def test_a_damaged_journal_is_refused(kept, change, words):
    """With correct seals, so that only the content is wrong."""
    write(kept, change(entries(kept)))
    refused(kept, words)


def test_a_part_of_another_problem_or_split(kept, tmp_path, monkeypatch):
    monkeypatch.setattr(search, "PARTS_PER_JOB", 1)  # nothing is divided
    other = permutations(4)
    other.cnf.add_clauses([[1, 2, 3, 4, 5]])
    state = EnumerationState(tmp_path / "split", permutations(4))
    state.parts.divide(0, [6, 1, 2, 3])
    state.close()
    state = EnumerationState(tmp_path / "other", other)
    state.parts.divide(0, [1, 2, 3, 4])
    state.close()
    for folder, problem, words in (
        (tmp_path / "split", permutations(4), "another split"),
        (tmp_path / "other", other, "checksum"),
    ):
        list(Enumeration(Problem(problem.cnf, problem.projection, antichain=True), BLOCKING, jobs=1, state=folder))
        line = next(line for line in (folder / NAME).read_text().splitlines(keepends=True) if '"part":1' in line)
        lines = (kept / NAME).read_text().splitlines(keepends=True)
        (kept / NAME).write_text("".join([*lines[:3], line, *lines[4:]]))
        refused(kept, words)


@pytest.mark.parametrize("what", ["folder", "pipe", "device"])
def test_what_is_no_file(kept, what):
    path = kept / NAME
    path.unlink()
    {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "device": lambda: path.symlink_to("/dev/zero")}[what]()
    refused(kept, "cannot be written" if what == "folder" else "found something that is not a file")


@settings(max_examples=40)
@given(data=st.data())
def test_no_flipped_cut_or_added_bytes_change_a_number(data, whole, tmp_path_factory):
    """For every change of the file: an error names it, or the number is the same."""
    folder = Path(shutil.copytree(whole, tmp_path_factory.mktemp("mutated") / "state"))
    path = folder / NAME
    content = path.read_bytes()
    at, length = data.draw(st.integers(0, len(content))), data.draw(st.integers(0, 20))
    added = data.draw(
        st.binary(max_size=8) | st.sampled_from([b"1", b"-1", b"[" * 100_000, b"9" * 5000, b"1e999", b"NaN", b"{}"])
    )
    path.write_bytes(content[:at] + added + content[at + length :])
    try:
        counted(folder)
    except InputError as error:
        assert error.source == str(path)
    shutil.rmtree(folder.parent)
