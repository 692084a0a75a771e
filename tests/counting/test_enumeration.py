"""The search as a whole: parts, workers, limits, states that are continued, and workers that fail."""

from __future__ import annotations

import contextlib
import math
import sys
import time

import psutil
import pytest
from conftest import make_program
from counting.enumerating import cnf_of, cover_problem, covers, permutations, problems, projected
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.counting.engines import EngineChoice, choose_engine
from cnfgen_puzzles.counting.enumeration import Enumeration
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.solving.pool import LocalExecutor
from cnfgen_puzzles.solving.process import Limits

BLOCKING = EngineChoice("blocking", "minisat22")
CLASP = EngineChoice("clasp")


@settings(max_examples=6, deadline=None)
@given(problems(), st.sampled_from([BLOCKING, CLASP]), st.integers(1, 2))
def test_any_formula(problem, engine, jobs):
    enumeration = Enumeration(problem, engine, jobs=jobs)
    found = list(enumeration)
    assert enumeration.complete
    assert len(found) == len(set(found))
    assert set(found) == projected(problem)


@settings(max_examples=4, deadline=None)
@given(covers())
def test_any_exact_cover(cover):
    problem = cover_problem(cover)
    assert set(Enumeration(problem, EngineChoice("exact-cover"))) == projected(problem)


@pytest.mark.parametrize("engine", [BLOCKING, CLASP])
@pytest.mark.parametrize("n, jobs", [(1, 2), (4, 1), (5, 3)])
def test_permutations(engine, n, jobs):
    enumeration = Enumeration(permutations(n), engine, jobs=jobs)
    assert len(set(enumeration)) == math.factorial(n)
    assert (enumeration.complete, enumeration.reason, enumeration.parts_done) == (True, "", enumeration.parts)
    assert enumeration.cpu > 0


def test_cubes_that_overlap_and_leave_something_out():
    """A wrong claim about cubes costs time, not solutions."""
    problem = permutations(4)
    claimed = Problem(problem.cnf, problem.projection, antichain=True, cubes=[(1,), (6,), (1, 6)])
    enumeration = Enumeration(claimed, BLOCKING, jobs=2)
    found = list(enumeration)
    assert (len(found), len(set(found)), enumeration.complete) == (24, 24, True)


# -- states -------------------------------------------------------------------------------------------------------------


def test_a_state_is_continued_by_another_engine(tmp_path):
    problem, state = permutations(5), tmp_path / "state"
    iterator = iter(Enumeration(problem, BLOCKING, jobs=1, state=state))
    before = {next(iterator) for _ in range(100)}
    iterator.close()
    kept = (state / "parts.jsonl").read_text()
    enumeration = Enumeration(problem, CLASP, jobs=2, state=state)
    found = list(enumeration)
    assert 0 < kept.count('"part"') < enumeration.parts
    assert before <= set(found)
    assert len(found) == len(set(found)) == 120
    assert (state / "parts.jsonl").read_text().startswith(kept)
    again = Enumeration(problem, CLASP, state=state)
    assert set(again) == set(found)
    assert (again.complete, again.cpu) == (True, 0)


def test_a_state_of_another_problem_is_refused(tmp_path):
    list(Enumeration(permutations(2), BLOCKING, state=tmp_path))
    with pytest.raises(InputError, match="belongs to something else: found problem"):
        list(Enumeration(permutations(3), BLOCKING, state=tmp_path))
    other = Problem(permutations(2).cnf, [1, 2], antichain=True)
    with pytest.raises(InputError, match="belongs to something else: found problem"):
        list(Enumeration(other, BLOCKING, state=tmp_path))


def test_a_state_in_use_is_refused(tmp_path):
    first = iter(Enumeration(permutations(4), BLOCKING, state=tmp_path))
    next(first)
    with pytest.raises(InputError, match="another process"):
        list(Enumeration(permutations(4), BLOCKING, state=tmp_path))
    first.close()
    assert len(set(Enumeration(permutations(4), BLOCKING, state=tmp_path))) == 24


def test_a_state_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        list(Enumeration(permutations(2), BLOCKING, state=tmp_path / "file"))


# -- limits and failures --------------------------------------------------------------------------------------------------


@pytest.fixture
def fake_clasp(tmp_path, monkeypatch):
    """`fake_clasp(text)` lets a shell script stand for clasp."""

    def make(text):
        monkeypatch.setenv("CNFGEN_SOLVER_CLASP", str(make_program(tmp_path / "clasp", f"#!/bin/sh\n{text}\n")))

    return make


@pytest.mark.parametrize(
    "text, message",
    [
        ("kill -9 $PPID", "die again and again .signal 9"),
        ("echo 'v 1 2 3 4 0'", "exit code 1.*falsifies a clause"),
        ("echo 's SATISFIABLE'", "clasp printed 0 models"),
        ("exit 33", "says nothing"),
    ],
)
def test_a_worker_that_fails_is_an_error(fake_clasp, text, message):
    fake_clasp(text)
    enumeration = Enumeration(permutations(2), CLASP, jobs=2)
    with pytest.raises(CnfgenError, match=message):
        list(enumeration)
    assert not enumeration.complete


@pytest.mark.parametrize(
    "limits, reason",
    [
        (Limits(wall=0.5), "wall time limit"),
        (Limits(cpu=0.05), "CPU time limit"),
        (Limits(memory=4 << 20), "memory limit"),
    ],
)
def test_a_limit_makes_it_partial(fake_clasp, limits, reason):
    fake_clasp("exec sleep 60")
    enumeration = Enumeration(permutations(3), CLASP, jobs=2, limits=limits)
    assert list(enumeration) == []
    assert (enumeration.complete, enumeration.reason) == (False, reason)


def test_an_abandoned_iteration_ends_its_workers(fake_clasp, tmp_path):
    fake_clasp(f"echo 'v 1 -2 -3 4 0'; echo $$ > {tmp_path}/pid; exec sleep 60")
    found = iter(Enumeration(Problem(cnf_of(4, [[1]]), [1]), CLASP, jobs=1))
    assert next(found) == {1}
    pid = int((tmp_path / "pid").read_text())
    started = time.monotonic()
    found.close()
    assert time.monotonic() - started < 10
    assert not psutil.pid_exists(pid)


@pytest.mark.parametrize("opened", [None, LocalExecutor])
def test_solutions_come_while_their_part_is_searched(fake_clasp, opened):
    """This clasp finds one solution and never comes to an end."""
    fake_clasp("echo 'v 1 -2 -3 4 0'; exec sleep 300")
    problem = Problem(permutations(2).cnf, [1, 2, 3, 4], antichain=True, cubes=[])
    with contextlib.nullcontext() if opened is None else opened(1) as executor:
        found = iter(Enumeration(problem, CLASP, jobs=1, executor=executor))
        assert next(found) == {1, 4}
        found.close()


def test_a_worker_that_is_killed_is_replaced(fake_clasp, tmp_path):
    """Whoever kills a worker process of ours, its part is searched again."""
    real = f"exec {sys.executable} -m clingo --mode=clasp"
    fake_clasp(f'mkdir {tmp_path}/first 2> /dev/null && kill -9 $PPID && exit\n{real} "$@"')
    enumeration = Enumeration(permutations(4), CLASP, jobs=2)
    assert (len(set(enumeration)), enumeration.complete) == (24, True)


def test_what_is_found_before_a_limit_counts(fake_clasp):
    fake_clasp("echo 'v 1 -2 -3 4 0'; exec sleep 60")
    enumeration = Enumeration(permutations(2), CLASP, jobs=1, limits=Limits(wall=2))
    assert list(enumeration) == [{1, 4}]
    assert not enumeration.complete


def test_the_engine_that_suits(monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.counting.engines.available", lambda name: False)
    with pytest.raises(InputError, match="pip install"):
        choose_engine("auto", permutations(2))
    with pytest.raises(InputError, match="clasp is not there"):
        choose_engine("clasp", permutations(2))
