"""Complete searches, in threads and with an external executor: parts, divisions, limits, states, failing workers."""

from __future__ import annotations

import contextlib
import json
import math
import sys

import psutil
import pytest
from conftest import make_program
from counting.enumerating import cnf_of, cover_problem, covers, permutations, problems, projected
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.counting import calls
from cnfgen_puzzles.counting import enumeration as search
from cnfgen_puzzles.counting.calls import SearchCall, search_part
from cnfgen_puzzles.counting.engines import BlockingEngine, EngineChoice, choose_engine
from cnfgen_puzzles.counting.enumeration import Enumeration
from cnfgen_puzzles.counting.problem import Parts, Problem
from cnfgen_puzzles.counting.splitting import Divider
from cnfgen_puzzles.formula.exactcover import ExactCover
from cnfgen_puzzles.solving.executors import Processes
from cnfgen_puzzles.solving.process import Limits

BLOCKING, CLASP, COVER = EngineChoice("blocking", "minisat22"), EngineChoice("clasp"), EngineChoice("exact-cover")
REAL = f"exec {sys.executable} -m clingo --mode=clasp"
FOREVER = "exec sleep 300"


@pytest.fixture(params=[None, Processes], ids=["threads", "executor"])
def executor(request):
    """None, or an external executor with processes."""
    with contextlib.nullcontext() if request.param is None else request.param(2) as opened:
        yield opened


@pytest.fixture
def processes():
    with Processes(2) as opened:
        yield opened


@pytest.fixture
def fake_clasp(tmp_path, monkeypatch):
    """`fake_clasp(text)` replaces clasp by a shell script; `$file` is the formula, and its last line runs clasp."""

    def make(text):
        script = f'#!/bin/sh\nfor file; do :; done\n{text}\n{REAL} "$@"\n'
        monkeypatch.setenv("CNFGEN_SOLVER_CLASP", str(make_program(tmp_path / "clasp", script)))

    return make


def rooks(n: int) -> Problem:
    """`permutations(n)` as an exact cover problem."""
    options = [[f"row{r}", f"column{c}"] for r in range(n) for c in range(n)]
    items = [f"{kind}{i}" for kind in ("row", "column") for i in range(n)]
    return cover_problem(ExactCover(items, [], options, range(1, n * n + 1), []))


# -- solutions ------------------------------------------------------------------------------------------------------------


@settings(max_examples=6, deadline=None)
@given(problems(), st.sampled_from([BLOCKING, CLASP]), st.integers(1, 2))
def test_any_formula(problem, engine, jobs):
    enumeration = Enumeration(problem, engine, jobs=jobs)
    found = list(enumeration)
    assert enumeration.complete
    assert len(found) == len(set(found))
    assert set(found) == projected(problem)


@settings(max_examples=2, deadline=None)
@given(covers())
def test_any_exact_cover(cover):
    problem = cover_problem(cover)
    assert set(Enumeration(problem, COVER)) == projected(problem)


@pytest.mark.parametrize("engine", [BLOCKING, CLASP], ids=str)
@pytest.mark.parametrize("n, jobs", [(1, 2), (4, 1), (5, 3)])
def test_permutations(engine, n, jobs):
    enumeration = Enumeration(permutations(n), engine, jobs=jobs)
    assert len(set(enumeration)) == math.factorial(n)
    assert (enumeration.complete, enumeration.reason, enumeration.parts_done) == (True, "", enumeration.parts)
    assert enumeration.cpu > 0


@pytest.mark.parametrize("engine", [BLOCKING, CLASP, pytest.param(COVER, marks=pytest.mark.release)], ids=str)
def test_the_same_solutions_by_an_executor(processes, engine, tmp_path, monkeypatch):
    monkeypatch.setattr(search, "LEAST_JOBS", 2)
    monkeypatch.setattr(search, "PARTS_PER_JOB", 3)
    enumeration = Enumeration(rooks(4), engine, executor=processes, state=tmp_path)
    found = list(enumeration)
    assert len(found) == len(set(found)) == math.factorial(4)
    assert (enumeration.complete, enumeration.reason, enumeration.parts_done) == (True, "", enumeration.parts)
    assert enumeration.parts >= 6
    assert enumeration.cpu > 0
    again = Enumeration(rooks(4), BLOCKING, state=tmp_path)
    assert (set(again), again.cpu) == (set(found), 0)


def test_solutions_come_while_their_part_is_searched(fake_clasp):
    """This clasp finds one solution and then does not terminate."""
    fake_clasp(f"echo 'v 1 -2 -3 4 0'; {FOREVER}")
    problem = Problem(permutations(2).cnf, [1, 2, 3, 4], antichain=True)
    found = iter(Enumeration(problem, CLASP, jobs=1))
    assert next(found) == {1, 4}
    found.close()


# -- dividing -------------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(problems(), st.data())
def test_children_cover_their_part_whatever_the_literals(problem, data):
    parts = Parts()
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
    parts, divider = Parts(), Divider(problem)
    while len(parts) < 30 and (number := next((n for n in parts.numbers() if divider.choices(parts[n])), None)) is not None:
        parts.divide(number, divider.choices(parts[number])[:-1])
    engine = BlockingEngine(problem, "minisat22")
    sizes = [len(list(engine.solutions(parts[number]))) for number in parts.numbers()]
    assert sum(sizes) == 24
    assert max(sizes) <= 6


@pytest.mark.release
def test_a_part_that_takes_too_long_is_divided(processes, fake_clasp, monkeypatch, tmp_path):
    """This clasp terminates on parts, but not on the whole problem."""
    monkeypatch.setattr(search, "LEAST_JOBS", 1)
    monkeypatch.setattr(search, "PARTS_PER_JOB", 1)
    monkeypatch.setattr(search, "SLICE", 3.0)
    problem = permutations(4)
    whole = Problem(problem.cnf, problem.projection, antichain=True)
    fake_clasp(f"grep -q 'p cnf [0-9]* {problem.cnf.num_clauses + 1}$' $file && while :; do :; done")
    enumeration = Enumeration(whole, CLASP, executor=processes, jobs=1, state=tmp_path / "state")
    iterator = iter(enumeration)
    before = {next(iterator)}
    iterator.close()
    lines = list(map(json.loads, (tmp_path / "state/parts.jsonl").read_text().splitlines()))
    assert [line["divided"] for line in lines if "divided" in line] == [0]
    assert 0 not in [line.get("part") for line in lines]
    enumeration = Enumeration(whole, BLOCKING, state=tmp_path / "state")  # it resumes without an executor
    assert before < set(enumeration)
    assert (enumeration.complete, enumeration.parts) == (True, 4)
    assert (tmp_path / "state/parts.jsonl").read_text().count('"part"') == 4


# -- states ---------------------------------------------------------------------------------------------------------------


def test_a_state_is_continued_by_another_engine(tmp_path):
    problem, journal = permutations(5), tmp_path / "state/parts.jsonl"
    iterator = iter(Enumeration(problem, BLOCKING, jobs=1, state=tmp_path / "state"))
    before = {next(iterator) for _ in range(90)}  # of 120 in five parts
    iterator.close()
    kept = journal.read_text()
    enumeration = Enumeration(problem, CLASP, jobs=2, state=tmp_path / "state")
    found = list(enumeration)
    assert 0 < kept.count('"part"') < enumeration.parts
    assert before <= set(found)
    assert len(found) == len(set(found)) == 120
    assert journal.read_text().startswith(kept)
    again = Enumeration(problem, CLASP, state=tmp_path / "state")
    assert set(again) == set(found)
    assert (again.complete, again.cpu) == (True, 0)


def test_states_that_are_refused(tmp_path):
    first = iter(Enumeration(permutations(3), BLOCKING, jobs=1, state=tmp_path))
    next(first)
    with pytest.raises(InputError, match="another process"):
        list(Enumeration(permutations(3), BLOCKING, state=tmp_path))
    first.close()
    for other in (permutations(2), Problem(permutations(3).cnf, [1, 2], antichain=True)):
        with pytest.raises(InputError, match="belongs to other work: found problem"):
            list(Enumeration(other, BLOCKING, state=tmp_path))
    with pytest.raises(InputError, match="cannot be written"):
        list(Enumeration(permutations(2), BLOCKING, state=tmp_path / "parts.jsonl"))
    assert len(set(Enumeration(permutations(3), BLOCKING, jobs=1, state=tmp_path))) == 6


# -- limits and failures --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, message",
    [
        ("kill -9 $PPID", "died repeatedly .signal 9"),
        ("echo 'v 1 2 3 4 0'", "exit code 1.*falsifies a clause"),
        ("echo 's SATISFIABLE'; exit", "clasp printed 0 models"),
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
    [(Limits(wall=0.5), "wall time limit"), (Limits(cpu=0.5), "CPU time limit"), (Limits(memory=4 << 20), "memory limit")],
)
def test_a_limit_makes_it_partial(fake_clasp, limits, reason):
    fake_clasp("while :; do :; done")
    enumeration = Enumeration(permutations(3), CLASP, jobs=2, limits=limits)
    assert list(enumeration) == []
    assert (enumeration.complete, enumeration.reason) == (False, reason)


def test_what_is_found_before_a_limit_counts(executor, fake_clasp):
    fake_clasp("echo 'v 1 -2 -3 4 0'; while :; do :; done")
    enumeration = Enumeration(permutations(2), CLASP, jobs=1, executor=executor, limits=Limits(cpu=1))
    assert list(enumeration) == [{1, 4}]
    assert (enumeration.complete, enumeration.reason) == (False, "CPU time limit")


def test_an_abandoned_iteration_ends_its_workers(fake_clasp, tmp_path):
    fake_clasp(f"echo 'v 1 -2 -3 4 0'; echo $$ > {tmp_path}/pid; {FOREVER}")
    found = iter(Enumeration(Problem(cnf_of(4, [[1]]), [1]), CLASP, jobs=1))
    assert next(found) == {1}
    pid = int((tmp_path / "pid").read_text())
    found.close()
    assert not psutil.pid_exists(pid)


def test_a_worker_that_is_killed_is_replaced(fake_clasp, tmp_path):
    """If a worker process is killed, by any signal, its part is searched again."""
    fake_clasp(f"mkdir {tmp_path}/first 2> /dev/null && kill -9 $PPID && exit")
    enumeration = Enumeration(permutations(4), CLASP, jobs=2)
    assert (len(set(enumeration)), enumeration.complete) == (24, True)


def test_workers_of_another_version_or_without_the_engine(tmp_path, monkeypatch):
    call = SearchCall(tmp_path / "problem", None, BLOCKING, (), Limits(), version="0.0")
    with pytest.raises(InputError, match=r"on a worker, expected 0\.0"):
        search_part(call)
    monkeypatch.setattr(calls, "available", lambda name: False)
    with pytest.raises(InputError, match="blocking is not installed on a worker"):
        search_part(SearchCall(tmp_path / "problem", None, BLOCKING, (), Limits()))


def test_the_engine_that_suits(monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.counting.engines.available", lambda name: False)
    with pytest.raises(InputError, match="pip install"):
        choose_engine("auto", permutations(2))
    with pytest.raises(InputError, match="clasp is not installed"):
        choose_engine("clasp", permutations(2))
