"""Incremental sessions against brute force, and with a limited or killed worker."""

import os
import signal

import psutil
import pytest
from childprocesses import children_with
from counting.enumerating import cnf_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving import session as sessions
from cnfgen_puzzles.solving.incremental import SOLVERS
from cnfgen_puzzles.solving.process import Limits, cpu_of_runs
from cnfgen_puzzles.solving.session import open_session, session_solvers
from cnfgen_puzzles.testing import models

LITERALS = st.integers(1, 5).flatmap(lambda v: st.sampled_from([v, -v]))
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=3), max_size=6)
ROUNDS = st.lists(st.tuples(CLAUSES, st.lists(LITERALS, max_size=2)), min_size=1, max_size=4)


def satisfiable(clauses, assumptions):
    return next(models(cnf_of(5, [*clauses, *([literal] for literal in assumptions)])), None) is not None


@pytest.mark.sample(2)
@pytest.mark.parametrize("solver", ["cadical195", "glucose4", "lingeling", "bin:minisat", "kissat"])
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rounds=ROUNDS)
def test_every_round_is_as_by_brute_force(solver, rounds):
    so_far = []
    with open_session(solver) as session:
        for clauses, assumptions in rounds:
            so_far += clauses
            session.add(clauses)
            step = session.solve(assumptions)
            assert step.status == ("SATISFIABLE" if satisfiable(so_far, assumptions) else "UNSATISFIABLE")
            if step.status == "SATISFIABLE":
                assert set(assumptions) <= set(step.model) and step.core == ()
            else:
                assert set(step.core) <= set(assumptions) and not satisfiable(so_far, step.core)


@pytest.mark.sample(6)
@pytest.mark.parametrize("solver", SOLVERS)
def test_all_of_them_grow_and_take_unknown_variables_and_the_empty_clause(solver):
    with open_session(solver) as session:
        session.add([[1]])
        for literal in (2, 1, 2, -3):  # on variables that no clause has
            assert literal in session.solve([literal]).model
        session.add([[-2, 3]])
        assert session.solve([2, -3]).status == "UNSATISFIABLE"
        assert session.solve([-3]).status == "SATISFIABLE"
        session.add([[4, 5], [-4, 6]])
        assert session.solve([-5]).status == "SATISFIABLE"
        session.add([[-6]])
        assert set(session.solve().model) >= {-4, 5, -6}
        assert session.solve([-6, -5]).core == (-5,)
        session.add([[]])
        assert session.solve().status == "UNSATISFIABLE"


def test_ctrl_c_ends_a_search_at_once(monkeypatch):
    """The session does not wait for a worker that searches for hours."""

    dump = sessions.pickle.dump

    def interrupted(request, stream):
        dump(request, stream)
        stream.flush()  # now the worker searches
        raise KeyboardInterrupt

    monkeypatch.setattr(sessions.pickle, "dump", interrupted)
    with pytest.raises(KeyboardInterrupt), open_session("cadical195") as session:
        session.add(pigeons(14))
        session.solve()
    assert not workers()


def workers():
    """The worker processes of this process."""
    return {process.pid for process in children_with("solving.workerprocess", recursive=True)}


def pigeons(holes):
    """holes + 1 pigeons in `holes` holes: hard for each of these solvers."""
    hole = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    yield from ([hole[p, h] for h in range(holes)] for p in range(holes + 1))
    yield from ([-hole[p, h], -hole[q, h]] for h in range(holes) for q in range(holes + 1) for p in range(q))


@pytest.mark.sample(2)
@pytest.mark.parametrize("solver", ["glucose4", "cadical195"])
@pytest.mark.parametrize(("limits", "ended"), [(Limits(cpu=0.5), "cpu-limit"), (Limits(wall=1.5), "wall-limit")])
def test_a_limit_is_no_verdict(solver, limits, ended):
    for _ in range(2):  # each session has the limits for itself
        with open_session(solver, limits) as session:
            session.add([[1000]])
            assert session.solve().status == "SATISFIABLE"
            session.add(pigeons(11))
            step = session.solve()
            assert (step.status, step.reason) == ("UNKNOWN", f"{solver}: {ended}")
        assert limits.cpu is None or 0.5 <= session.cpu < 0.7  # it is sampled


def test_a_limit_in_this_process(monkeypatch):
    monkeypatch.setattr(sessions, "LOCAL_CONFLICTS", 10_000)
    with open_session("glucose4", Limits(cpu=0.001)) as session:
        session.add(pigeons(8))
        assert session.solve().reason == "glucose4: cpu-limit" and not workers()


def test_a_limit_of_memory_ends_the_worker():
    with open_session("cadical195", Limits(memory=100 << 20)) as session:
        session.add(pigeons(120))
        assert session.solve(budget=None).reason == "cadical195: memory-limit"


def test_a_killed_worker_is_a_fault_and_leaves_nothing():
    with open_session("maplesat") as session:
        session.add([[1]])
        assert session.solve().status == "SATISFIABLE"
        (worker,) = workers()
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(CnfgenError, match="worker of maplesat failed with signal 9"):
            session.solve()
    assert not psutil.pid_exists(worker)
    with open_session("maplesat") as session:
        session.add([[1]])
        assert session.solve().status == "SATISFIABLE"


def test_a_session_moves_to_a_worker_with_all_clauses_and_phases(monkeypatch):
    monkeypatch.setattr(sessions, "LOCAL_CONFLICTS", 20)
    with open_session("glucose4") as session:
        session.add([[100, 101], [100, -101]])
        session.prefer([-102, 103])
        assert {100, -102, 103} <= set(session.solve([104]).model) | {-102, 103}
        assert not workers()
        session.add(pigeons(6))
        assert session.solve([-101, 102]).status == "UNSATISFIABLE"
        assert len(workers()) == 1
        session.add([[105]])
        assert session.solve().status == "UNSATISFIABLE"


def test_large_formulas_begin_in_a_worker(monkeypatch):
    monkeypatch.setattr(sessions, "LOCAL_LITERALS", 4)
    with open_session("glucose4") as session:
        session.add([[1, 2], [-1]])
        assert 2 in session.solve().model and workers()


def test_two_sessions_have_two_workers_until_they_are_closed():
    spent = cpu_of_runs()
    with open_session("cadical195") as one, open_session("maplesat") as other:
        one.add([[1]])
        other.add([[-1]])
        assert (one.solve().model, other.solve().model) == ((1,), (-1,))
        assert other.solve([1]).core == (1,)
        assert len(workers()) == 2
    assert not workers()
    assert cpu_of_runs() - spent > one.cpu + other.cpu > 0.06  # the start of two processes


def test_unknown_names():
    with pytest.raises(InputError, match="cadical195"):
        open_session("cadical196")
    assert {"cadical195", "kissat", "clasp"} <= set(session_solvers())
