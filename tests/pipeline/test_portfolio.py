"""Several solvers in a race: the answer that counts, the reports on the others, and that no process remains."""

import os
import signal
import stat
import sys
import threading
import time

import psutil
import pytest
from installedcheckers import OF_DRAT

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.pipeline import portfolio
from cnfgen_puzzles.pipeline.portfolio import Entrant, pick_portfolio, solve_by
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import FormulaTask
from cnfgen_puzzles.pipeline.unique import decide_unique
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.race import race
from cnfgen_puzzles.solving.supervision import INTERRUPTED
from cnfgen_puzzles.solving.table import Solver, find_solver, split_names

LIES = "print('s UNSATISFIABLE', flush=True)\nsys.exit(20)"
WRONG_MODEL = "print('s SATISFIABLE\\nv', *range(1, 51), 0, flush=True)\nsys.exit(10)"
HANGS = "while True: time.sleep(1)"
BREEDS = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        while True: time.sleep(1)
while True: time.sleep(1)
"""


@pytest.fixture
def fake(tmp_path):
    """A solver that runs this Python text and is identified by its path in a list of processes."""

    def make(name, body, **fields):
        program = tmp_path / name
        program.write_text(f"#!{sys.executable} -S\nimport os, sys, time\n{body}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return Solver(name=name, program=str(program), executable=str(program), source="test", reads=(tmp_path,), **fields)

    yield make
    assert not [each for each in psutil.process_iter(["cmdline"]) if any(str(tmp_path) in w for w in each.info["cmdline"] or ())]


@pytest.fixture
def cat(puzzles):
    return cp.encode(cp.read(puzzles / "one.nin", family="nonogram"))


@pytest.fixture
def none(puzzles):
    return cp.encode(cp.read(puzzles / "none.nin", family="nonogram"), "direct")


def by(*solvers):
    return [Entrant(find_solver(each) if isinstance(each, str) else each) for each in solvers]


def test_the_first_checked_answer_counts_and_the_others_end(cat, fake):
    outcome = solve_by(cat, by(fake("hangs", HANGS), fake("breeds", BREEDS), "kissat"))
    assert (outcome.status, outcome.run.solver.name) == ("SATISFIABLE", "kissat")
    assert {run.measurement.ended for run in outcome.others} == {INTERRUPTED}
    assert outcome.alarms == ()
    assert not any(run.kept for run in outcome.others)
    told = outcome.to_json()["side_by_side"]
    assert {other["solver"] for other in told["others"]} == {"hangs", "breeds"}
    assert told["cpu"] == pytest.approx(sum(run.measurement.cpu for run in (outcome.run, *outcome.others)), abs=0.001)
    assert outcome.measured()[-1] == f"all solvers together: cpu {outcome.cpu:.3f} s"


def test_a_model_after_an_unverified_unsat_is_an_alarm(cat, fake):
    outcome = solve_by(cat, [Entrant(fake("liar", LIES)), Entrant(find_solver("cadical"), 0.2)])
    assert (outcome.status, outcome.run.solver.name) == ("SATISFIABLE", "cadical")
    assert outcome.alarms == ("liar says UNSATISFIABLE, which is wrong: the model of cadical was checked",)


def test_an_unverified_answer_counts_if_no_proof_is_possible(none, fake):
    outcome = solve_by(none, by("minisat-core", fake("hangs", HANGS)))
    assert (outcome.status, outcome.evidence.kind) == ("UNSATISFIABLE", "word")
    hanging = fake(
        "proves", HANGS, arguments=("{options}", "{cnf}", "{proof}"), proof_arguments=("{proof}",), proof_format="text"
    )
    outcome = solve_by(none, by("minisat-core", hanging), FormulaTask(check_seconds=0.3))
    assert (outcome.status, outcome.evidence.kind) == ("UNSATISFIABLE", "word")
    outcome = solve_by(none, by("minisat-core", hanging), FormulaTask(proof=ProofPolicy.REQUIRED, limits=Limits(wall=1)))
    assert outcome.failed
    assert "not certified" in outcome.reason
    outcome = solve_by(none, by("minisat-core", "cadical"), FormulaTask(proof=ProofPolicy.REQUIRED))
    assert (outcome.evidence.kind, outcome.evidence.by) == ("proof", OF_DRAT)


@pytest.mark.parametrize("solver", ["cadical", ["cadical", "cadical --sat"]])
def test_a_certificate_has_a_proof_in_drat_whatever_the_checker_reads(cat, tmp_path, solver):
    answer = cp.unique(cat, solver=solver, checker="lrat", certificate=tmp_path / "paper")
    assert (answer.verdict, answer.evidence.by) == ("one", "lrat-check")
    assert cp.verify_certificate(tmp_path / "paper").sentence.startswith("Verified")


def test_ctrl_c_ends_all(cat, fake):
    breeds, hangs = fake("breeds", BREEDS), fake("hangs", HANGS)

    def interrupt():
        while not any(each.info["name"] == "breeds" for each in psutil.process_iter(["name"])):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        solve_by(cat, by(breeds, hangs))
    thread.join()


def test_a_call_that_raises_ends_the_race(fake, cat):
    def fails():
        raise CnfgenError("no")

    hangs = fake("hangs", HANGS)
    with pytest.raises(CnfgenError, match="no"):
        race([lambda: solve_by(cat, by(hangs)), fails], lambda _: None)


def test_names():
    assert split_names("kissat --sat, minisat-core") == ["kissat --sat", "minisat-core"]
    named = pick_portfolio(["kissat --sat --seed=3", "cadical,kissat"])
    assert [side.solver.name for side in named] == ["kissat --sat --seed=3", "cadical", "kissat"]
    assert named[0].solver.options == ("--sat", "--seed=3")
    for wrong, told in (
        ("", "expected solvers"),
        ("kissat 'x", "No closing quotation"),
    ):
        with pytest.raises(InputError, match=told):
            pick_portfolio(wrong)


def told(picked):
    return [(side.solver.name, side.after, side.seconds) for side in picked]


def test_auto_is_one_solver_on_one_core_and_joined_by_another_on_two(monkeypatch):
    monkeypatch.setattr(portfolio, "usable_cores", lambda: [0])
    assert [side.solver.name for side in pick_portfolio("auto")] == ["kissat"]
    monkeypatch.setattr(portfolio, "usable_cores", lambda: [0, 1])
    joined = [("kissat", 0, None), (portfolio.HELPER, portfolio.JOINS_AFTER, None)]
    assert told(pick_portfolio()) == joined
    guessed = pick_portfolio(guessed=True)
    helper = (portfolio.HELPER, portfolio.JOINS_AFTER, portfolio.HELPER_SECONDS)
    assert told(guessed) == [joined[0], helper, (portfolio.GUIDED, portfolio.GUIDED_AFTER, None)]
    assert told(portfolio.without_guesses(guessed)) == joined
    assert told(portfolio.without_guesses(pick_portfolio("guided"))) == [("guided", 0, None)]


def test_who_joins_for_a_while_ends_before_the_others(cat, fake):
    turns = "while True: pass"
    outcome = solve_by(
        cat, [Entrant(fake("stays", turns)), Entrant(fake("joins", turns), 0.0, 0.2)], FormulaTask(limits=Limits(cpu=0.6))
    )
    ended = {run.solver.name: (run.measurement.ended, run.limits.cpu) for run in (outcome.run, *outcome.others)}
    assert ended == {"stays": ("cpu-limit", 0.6), "joins": ("cpu-limit", 0.2)}


def test_the_best_solver_does_not_join_itself(monkeypatch):
    """With only HELPER installed; a solver that is not installed does not join."""
    monkeypatch.setattr(portfolio, "pick_solver", lambda **how: find_solver(portfolio.HELPER))
    assert told(pick_portfolio(cores=2)) == [(portfolio.HELPER, 0, None)]
    monkeypatch.undo()
    monkeypatch.setattr(Solver, "available", lambda self: False)
    monkeypatch.setattr(portfolio, "pick_solver", lambda **how: find_solver("kissat"))
    assert told(pick_portfolio(cores=2, guessed=True)) == [("kissat", 0, None)]


def test_certified_waits_for_a_proof_however_long(none, monkeypatch):
    monkeypatch.setattr(portfolio, "limits_of_check", lambda run, seconds: Limits(wall=0.0))
    later = [Entrant(find_solver("minisat-core")), Entrant(find_solver("cadical"), 60.0)]
    outcome = solve_by(none, later, FormulaTask(proof=ProofPolicy.REQUIRED))
    assert (outcome.status, outcome.run.solver.name, outcome.evidence.kind) == ("UNSATISFIABLE", "cadical", "proof")
    assert solve_by(none, later).evidence.kind == "word"


def test_certified_by_none_that_writes_proofs_is_refused(none):
    plain = [find_solver("minisat-core"), find_solver("minisat-core").alike("too")]
    with pytest.raises(InputError, match="none of the solvers writes proofs: minisat-core and too"):
        solve_by(none, by(*plain), FormulaTask(proof=ProofPolicy.REQUIRED))


def test_who_joins_with_guesses_is_not_asked_for_another_board(cat, fake):
    guessing = Entrant(fake(portfolio.GUIDED, HANGS), 0.001)
    found = decide_unique(cat, [Entrant(find_solver("kissat")), guessing], FormulaTask())
    assert found.verdict == "one"
    assert [[run.solver.name for run in outcome.others] for outcome in found.searches] == [[portfolio.GUIDED], []]


def test_a_seed_goes_to_those_that_take_one(cat):
    outcome = solve_by(cat, by("kissat", find_solver("minisat-core").alike("plain", seed_arguments=())), FormulaTask(seed=3))
    assert outcome.status == "SATISFIABLE"
    with pytest.raises(InputError, match="none of the solvers takes one"):
        solve_by(cat, by(*(find_solver("kissat").alike(name, seed_arguments=()) for name in "ab")), FormulaTask(seed=3))


def test_puzzles_that_the_cegar_loop_solves():
    maze = cp.read(None, family="maze", kind="blocked", size="3x2", length=5)
    outcome = cp.solve(maze, solver="kissat --sat,minisat-core")
    assert (outcome.status, outcome.loop.solver) == ("SATISFIABLE", "kissat --sat,minisat-core")
    assert cp.solve(maze, solver="auto").status == "SATISFIABLE"
    shorter = cp.read(None, family="maze", kind="blocked", size="3x2", length=4)
    outcome = cp.solve(shorter, solver=["minisat-core", "cadical"])
    assert (outcome.status, outcome.certificate.run.solver.name) == ("UNSATISFIABLE", "cadical")
    with pytest.raises(InputError, match="a solver of python-sat, in a portfolio"):
        cp.solve(maze, solver="glucose4,kissat")
    with pytest.raises(InputError, match="expected one"):
        cp.count(maze, solver=["glucose4", "cadical195"])
