"""Journals: appended, locked, sealed, and resumed after a kill at any byte."""

from __future__ import annotations

import json
import os

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import Journal, read_lines

HEAD = {"schema": "test", "problem": "abc"}


def entries(path):
    return [line.entry for line in read_lines(path)]


def test_what_was_appended_is_read_again_and_resumed(tmp_path):
    path = tmp_path / "folder" / "j.jsonl"
    with Journal(path, HEAD) as journal:
        offsets = [journal.append({"cube": number}) for number in range(3)]
        assert journal.entry(offsets[1]) == {"cube": 1}
    with Journal(path, dict(reversed(HEAD.items()))) as journal:
        journal.append({"cube": 3})
        lines = list(journal.lines())
    assert [line.entry["cube"] for line in lines] == [0, 1, 2, 3]
    assert [line.offset for line in lines][:3] == offsets
    assert all(line.sealed for line in lines)


def test_a_kill_at_any_byte_loses_at_most_the_line_in_flight(tmp_path):
    path = tmp_path / "j.jsonl"
    with Journal(path, HEAD) as journal:
        for number in range(2):
            journal.append({"cube": number})
    content = path.read_bytes()
    second = content.index(b'{"cube":1')
    for size in range(second, len(content) + 1):
        path.write_bytes(content[:size])
        with Journal(path, HEAD) as journal:
            journal.append({"cube": "next"})
            found = [line.entry["cube"] for line in journal.lines()]
        assert found == ([0, 1, "next"] if size >= len(content) - 1 else [0, "next"]), size


@pytest.mark.parametrize("change", [lambda text: text.replace('"cube":1', '"cube":7'), lambda text: text.replace("1,", "1, ")])
def test_an_edited_line_has_a_wrong_seal(tmp_path, change):
    path = tmp_path / "j.jsonl"
    with Journal(path) as journal:
        for number in range(3):
            journal.append({"cube": number})
    path.write_text(change(path.read_text()))
    assert [line.sealed for line in read_lines(path)] == [True, False, True]


def test_a_line_of_another_journal_and_a_line_without_a_seal_are_recognized(tmp_path):
    other, path = tmp_path / "other.jsonl", tmp_path / "j.jsonl"
    with Journal(other, HEAD | {"problem": "other"}) as journal:
        journal.append({"cube": 1})
    with Journal(path, HEAD) as journal:
        journal.append({"cube": 0})
    with path.open("a") as stream:
        stream.write(other.read_text().splitlines()[1] + "\n" + json.dumps({"cube": 2}) + "\n")
    with Journal(path, HEAD) as journal:
        assert [line.sealed for line in journal.lines()] == [True, False, None]


def test_a_journal_of_other_work_is_refused(tmp_path):
    path = tmp_path / "j.jsonl"
    Journal(path, HEAD).close()
    with pytest.raises(InputError, match="belongs to other work"):
        Journal(path, HEAD | {"problem": "other"})
    path.write_text(path.read_text().replace("abc", "abd"))
    with pytest.raises(InputError, match="seal"):
        Journal(path, HEAD | {"problem": "abd"})


def test_one_process_at_a_time(tmp_path):
    path = tmp_path / "j.jsonl"
    with Journal(path), pytest.raises(InputError, match="another process"):
        Journal(path)
    Journal(path).close()


def test_files_that_cannot_be_journals(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bad").write_text("{}\nnot json\n{}\n")
    with pytest.raises(InputError, match="not a file"):
        Journal(tmp_path / "pipe")
    with pytest.raises(InputError):
        Journal(tmp_path)
    with pytest.raises(InputError, match="bad:2"):
        entries(tmp_path / "bad")
    with pytest.raises(InputError):
        Journal(tmp_path / "bad" / "j.jsonl")
