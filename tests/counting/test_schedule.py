"""Enumerations by an executor of the caller's: the same solutions, parts that are divided, workers that die, limits."""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from concurrent.futures import Future

import psutil
import pytest
from conftest import make_program
from counting.enumerating import cover_problem, permutations, problems, projected
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.counting import calls
from cnfgen_puzzles.counting import enumeration as search
from cnfgen_puzzles.counting.calls import SearchCall, search_parts
from cnfgen_puzzles.counting.engines import BlockingEngine, EngineChoice
from cnfgen_puzzles.counting.enumeration import Enumeration
from cnfgen_puzzles.counting.problem import Parts, Problem
from cnfgen_puzzles.counting.splitting import Divider, split
from cnfgen_puzzles.formula.exactcover import ExactCover
from cnfgen_puzzles.solving.pool import ATTEMPTS, LocalExecutor, WorkerLost
from cnfgen_puzzles.solving.process import Limits

BLOCKING, CLASP, COVER = EngineChoice("blocking", "minisat22"), EngineChoice("clasp"), EngineChoice("exact-cover")
REAL = f"exec {sys.executable} -m clingo --mode=clasp"


@pytest.fixture
def executor():
    with LocalExecutor(2) as executor:
        yield executor


@pytest.fixture
def fake_clasp(tmp_path, monkeypatch):
    """`fake_clasp(text)` lets a shell script stand for clasp; `$file` is the formula, its last line runs clasp."""

    def make(text):
        script = f'#!/bin/sh\nfor file; do :; done\n{text}\n{REAL} "$@"\n'
        monkeypatch.setenv("CNFGEN_SOLVER_CLASP", str(make_program(tmp_path / "clasp", script)))

    return make


@pytest.fixture
def one_part(monkeypatch):
    monkeypatch.setattr(search, "LEAST_PARTS", 1)
    monkeypatch.setattr(search, "PARTS_PER_JOB", 1)


def rooks(n: int) -> Problem:
    """`permutations(n)` as an exact cover problem."""
    options = [[f"row{r}", f"column{c}"] for r in range(n) for c in range(n)]
    items = [f"{kind}{i}" for kind in ("row", "column") for i in range(n)]
    return cover_problem(ExactCover(items, [], options, range(1, n * n + 1), []))


# -- dividing -----------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(problems(), st.data())
def test_children_cover_their_part_whatever_the_literals(problem, data):
    parts = Parts(split(problem, 1))
    n = problem.cnf.num_variables
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.sampled_from(parts.numbers()))
        variables = data.draw(st.lists(st.integers(1, n), min_size=1, max_size=3, unique=True))
        parts.divide(number, [data.draw(st.sampled_from([v, -v])) for v in variables])
    engine = BlockingEngine(problem, "minisat22")
    found = {frozenset(solution) for number in parts.numbers() for solution in engine.solutions(parts[number])}
    assert found == projected(problem)
    assert len(parts) == len(parts.numbers())


def test_children_do_not_overlap_and_are_smaller():
    problem = rooks(4)
    parts = Parts([])
    divider = Divider(problem)
    while len(parts) < 30 and (
        number := next((n for n in parts.numbers() if divider.literals(parts[n])), None)
    ) is not None:  # fmt: skip
        parts.divide(number, divider.literals(parts[number]))
    engine = BlockingEngine(problem, "minisat22")
    sizes = [len(list(engine.solutions(parts[number]))) for number in parts.numbers()]
    assert sum(sizes) == 24
    assert max(sizes) <= 6


def test_nonsense_is_no_division():
    parts = Parts([(1,)])
    parts.divide(0, [2])
    for number, literals in ((0, [3]), (9, [3]), (1, []), (1, [0])):
        with pytest.raises(ValueError, match="cannot be divided"):
            parts.divide(number, literals)


# -- the same solutions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", [BLOCKING, CLASP, COVER], ids=str)
def test_the_same_solutions(executor, engine, tmp_path, monkeypatch):
    monkeypatch.setattr(search, "LEAST_PARTS", 6)
    monkeypatch.setattr(search, "PARTS_PER_JOB", 3)
    enumeration = Enumeration(rooks(4), engine, executor=executor, state=tmp_path)
    found = list(enumeration)
    assert len(found) == len(set(found)) == math.factorial(4)
    assert (enumeration.complete, enumeration.reason, enumeration.parts_done) == (True, "", enumeration.parts)
    assert enumeration.parts >= 6
    assert enumeration.cpu > 0
    again = Enumeration(rooks(4), BLOCKING, state=tmp_path)
    assert (set(again), again.cpu) == (set(found), 0)


@settings(max_examples=3, deadline=None)
@given(problem=problems())
def test_any_formula(problem):
    with LocalExecutor(2) as executor:
        assert set(Enumeration(problem, BLOCKING, executor=executor)) == projected(problem)


@pytest.mark.release
def test_a_part_that_takes_too_long_is_divided(executor, fake_clasp, one_part, tmp_path):
    """This clasp never comes to an end with the whole problem, only with less."""
    problem = permutations(4)
    whole = Problem(problem.cnf, problem.projection, antichain=True, cubes=[])
    fake_clasp(f"grep -q 'p cnf [0-9]* {problem.cnf.num_clauses + 1}$' $file && while :; do :; done")
    enumeration = Enumeration(whole, CLASP, executor=executor, jobs=1, state=tmp_path / "state", slice_seconds=3)
    iterator = iter(enumeration)
    before = {next(iterator)}
    iterator.close()
    lines = list(map(json.loads, (tmp_path / "state/parts.jsonl").read_text().splitlines()))
    assert [line["divided"] for line in lines if "divided" in line] == [0]
    assert 0 not in [line.get("part") for line in lines]
    enumeration = Enumeration(whole, BLOCKING, state=tmp_path / "state")  # and without an executor it goes on
    assert before < set(enumeration)
    assert enumeration.complete
    assert enumeration.parts == 5
    assert (tmp_path / "state/parts.jsonl").read_text().count('"part"') == 5


# -- what goes wrong ------------------------------------------------------------------------------------------------------


def test_a_killed_worker_is_replaced(executor, fake_clasp, tmp_path):
    fake_clasp(f"mkdir {tmp_path}/first 2> /dev/null && {{ touch {tmp_path}/started; exec sleep 60; }}")

    def kill():
        while not (tmp_path / "started").exists():
            time.sleep(0.02)
        for child in psutil.Process().children():
            if "multiprocessing.spawn" in " ".join(child.cmdline()):
                os.kill(child.pid, signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    enumeration = Enumeration(permutations(4), CLASP, executor=executor)
    found = list(enumeration)
    assert (len(found), len(set(found)), enumeration.complete) == (24, 24, True)


class Losing:
    """An executor whose workers all die."""

    jobs = 1

    def __init__(self):
        self.calls = 0

    def submit_call(self, on_message, function, *_):
        self.calls += 1
        future = Future()
        future.set_exception(WorkerLost("signal 9"))
        return future

    def check(self):
        pass

    def end(self, futures):
        pass


def test_workers_that_die_again_and_again(one_part):
    executor = Losing()
    with pytest.raises(CnfgenError, match=r"die again and again \(signal 9\)"):
        list(Enumeration(rooks(2), COVER, executor=executor))
    assert executor.calls == ATTEMPTS


@pytest.mark.parametrize(
    "text, message",
    [("echo 'v 1 2 3 4 0'", "exit code 1.*falsifies a clause"), ("exit 33", "says nothing"), ("kill -9 $PPID", "signal 9")],
)
def test_an_engine_that_fails_is_an_error(executor, fake_clasp, text, message):
    fake_clasp(text)
    enumeration = Enumeration(permutations(2), CLASP, executor=executor)
    with pytest.raises(CnfgenError, match=message):
        list(enumeration)
    assert not enumeration.complete


@pytest.mark.parametrize(
    "limits, reason",
    [
        (Limits(wall=1), "wall time limit"),
        (Limits(cpu=0.05), "CPU time limit"),
        (Limits(memory=4 << 20), "memory limit"),
    ],
)
def test_a_limit_makes_it_partial(executor, fake_clasp, limits, reason):
    fake_clasp("exec sleep 60")
    enumeration = Enumeration(permutations(3), CLASP, executor=executor, limits=limits)
    assert list(enumeration) == []
    assert (enumeration.complete, enumeration.reason) == (False, reason)


def test_an_abandoned_iteration_ends_its_calls(executor, fake_clasp, tmp_path):
    fake_clasp(f"mkdir {tmp_path}/first 2> /dev/null && {{ echo $$ > {tmp_path}/pid; exec sleep 60; }}")
    found = iter(Enumeration(permutations(4), CLASP, executor=executor))
    assert len(next(found)) == 4
    pid = int((tmp_path / "pid").read_text())
    started = time.monotonic()
    found.close()
    assert time.monotonic() - started < 30
    assert not psutil.pid_exists(pid)


def test_workers_of_another_version_or_without_the_engine(tmp_path, monkeypatch):
    problem = tmp_path / "problem"
    with pytest.raises(InputError, match=r"on a worker, expected 0\.0"):
        search_parts(SearchCall(problem, None, BLOCKING, {}, Limits(), version="0.0"))
    monkeypatch.setattr(calls, "available", lambda name: False)
    with pytest.raises(InputError, match="blocking is not there on a worker"):
        search_parts(SearchCall(problem, None, BLOCKING, {}, Limits()))
