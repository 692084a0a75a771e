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


@pytest.mark.release
@pytest.mark.timeout(5400)
@pytest.mark.parametrize(("events", "seed"), [(8, 1), (150, 2), (150, 3)])
def test_all_events_pass(events, seed):
    done = soak("--events", events, "--seed", seed)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [event["number"] for event in reports] == list(range(events))
    assert sum("right" in event["verdicts"] for event in reports) > events / 3


@pytest.mark.release
@pytest.mark.timeout(600)
def test_a_planted_wrong_answer_is_reported(tmp_path):
    """A solver that finds nothing satisfiable, and that the soak test treats as honest."""
    liar = make_program(tmp_path / "liar", "#!/bin/sh\necho 's UNSATISFIABLE'\nexit 20\n")
    done = soak("--events", 12, "--seed", 3, "--solver", liar)
    assert done.returncode == 1
    assert "says none : there is a solution" in done.stderr
    assert "wrong: 0" not in done.stderr


@pytest.mark.release
def test_an_event_can_be_repeated():
    first, again = (soak("--seed", 1, "--event", 1) for _ in range(2))
    words = [[command["words"][-3:] for command in json.loads(done.stdout)["commands"][:1]] for done in (first, again)]
    assert words[0] == words[1]
