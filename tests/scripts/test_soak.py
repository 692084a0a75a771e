"""The soak test from the command line: some events, a repeated event, and a wrong answer that it reports."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from conftest import make_program
from repository import REPOSITORY


def soak(*words):
    script = REPOSITORY / "scripts" / "check" / "soak.py"
    return subprocess.run([sys.executable, script, *map(str, words)], capture_output=True, text=True, check=False)


def held(events, seed, tmp_path):
    """All events; they are in the log and can be read."""
    log = tmp_path / "soak.jsonl"
    done = soak("--events", events, "--seed", seed, "--jobs", 2, "--log", log)
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(event["number"] for event in told) == list(range(events))
    assert sum("right" in event["verdicts"] for event in told) > events / 3


@pytest.mark.release
@pytest.mark.timeout(900)
def test_a_few_events_pass(tmp_path):
    held(8, 1, tmp_path)


@pytest.mark.release
@pytest.mark.timeout(5400)
def test_many_events_pass(tmp_path):
    held(300, 2, tmp_path)


@pytest.mark.release
@pytest.mark.timeout(600)
def test_a_planted_wrong_answer_is_reported(tmp_path):
    """A solver that finds nothing satisfiable, and that the soak test treats as honest."""
    liar = make_program(tmp_path / "liar", "#!/bin/sh\necho 's UNSATISFIABLE'\nexit 20\n")
    done = soak("--events", 12, "--seed", 3, "--solver", liar)
    assert done.returncode == 1
    assert "says none : there is a solution" in done.stderr
    assert "wrong: 0" not in done.stdout


@pytest.mark.release
def test_an_event_can_be_repeated():
    first, again = (soak("--seed", 1, "--event", 1) for _ in range(2))
    words = [[command["words"][-3:] for command in json.loads(done.stdout)["commands"][:1]] for done in (first, again)]
    assert words[0] == words[1]
