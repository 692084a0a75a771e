"""The answer that counts among several, and the reports on the others: every order of rank, and when the race does not wait."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import pytest

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.evidence.evidence import CLAIMED, MODEL, PROOF, Evidence
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.portfolio import first_checked
from cnfgen_puzzles.pipeline.solve import CheckedRun
from cnfgen_puzzles.solving.supervision import INTERRUPTED

LATER = 1e6
"""A delay in seconds: such a call starts if no other call is running, otherwise never."""


def said(name, status, evidence=None, *, ended=None, kept=None):
    """An answer after its check."""
    decided = status in ("SATISFIABLE", "UNSATISFIABLE")
    run = SimpleNamespace(
        status=status, decided=decided, reason="why", kept=kept, solver=SimpleNamespace(name=name),
        measurement=SimpleNamespace(ended=ended, cpu=1.0),
    )  # fmt: skip
    return CheckedRun(run, Cnf(), evidence=evidence and Evidence(evidence))


BOARD, PROVED = said("finds", "SATISFIABLE", MODEL), said("proves", "UNSATISFIABLE", PROOF)
SAYS, SILENT = said("says", "UNSATISFIABLE", CLAIMED), said("silent", "TIMEOUT")
LIAR, ENDED = said("liar", "WRONG"), said("ended", "UNKNOWN", ended=INTERRUPTED)
BY_RANK = [SAYS, SILENT, LIAR, ENDED]
"""The ranks of uncertain answers, best first."""


def asked(answers, *, proves=None, after=(), patience=lambda run: None):
    calls = [lambda answer=answer: answer for answer in answers]
    number, found = first_checked(calls, proves or [True] * len(answers), patience, after=after)
    assert found.run is answers[number].run
    return found


@pytest.mark.parametrize("certain", [BOARD, PROVED, None])
def test_the_best_answer_counts_wherever_it_stands(certain):
    ranked = [certain, *BY_RANK] if certain else BY_RANK
    for better, worse in combinations(ranked, 2):
        for answers in ([better, worse], [worse, better]):
            found = asked(answers)
            assert (found.run, found.others) == (better.run, (worse.run,))
            assert found.cpu == 2.0


def test_of_equals_the_first_that_came_counts():
    other = said("other", "TIMEOUT")
    for after, first in (([0.0, LATER], SILENT), ([LATER, 0.0], other)):
        assert asked([SILENT, other], after=after).run == first.run


@pytest.mark.parametrize(
    ("best", "other", "alarm"),
    [
        (BOARD, SAYS, "says says UNSATISFIABLE, which is wrong: the model of finds was checked"),
        (PROVED, said("dreams", "SATISFIABLE"), "dreams says SATISFIABLE, which is wrong: proves has a proof that was verified"),
        (BOARD, LIAR, "liar: WRONG, why"),
        (SILENT, said("breaks", "ERROR", kept="/tmp/x"), "breaks: ERROR, why; its output is kept in /tmp/x"),
        (PROVED, SAYS, None),
        (BOARD, SILENT, None),
        (BOARD, ENDED, None),
        (SAYS, SILENT, None),
    ],
)
def test_wrong_answers_of_other_solvers_are_reported(best, other, alarm):
    for answers in ([best, other], [other, best]):
        found = asked(answers)
        assert found.run == best.run and found.alarms == ((alarm,) if alarm else ())


def test_two_that_were_checked_cannot_contradict_each_other():
    for answers in ([BOARD, PROVED], [PROVED, BOARD]):
        with pytest.raises(CnfgenError, match="this cannot be"):
            asked(answers)
    assert asked([BOARD, said("too", "SATISFIABLE", MODEL)]).alarms == ()


@pytest.mark.parametrize(
    ("answer", "proves", "waits"),
    [
        (BOARD, [True, True], False),
        (PROVED, [True, True], False),
        (SAYS, [False, True], True),
        (SAYS, [True, False], False),  # its own proof is no other's
        (SAYS, [False, False], False),
        (SILENT, [False, False], True),
        (LIAR, [False, True], True),
        (said("unchecked", "SATISFIABLE"), [False, False], True),
    ],
)
def test_the_race_waits_for_a_proof(answer, proves, waits):
    """The second call starts if the first answer is not enough; then its proof counts."""
    better = said("finds too", "SATISFIABLE", MODEL) if answer.run.status == "SATISFIABLE" else PROVED
    found = asked([answer, better], proves=proves, after=[0.0, LATER])
    assert (found.run, len(found.others)) == ((better.run, 1) if waits else (answer.run, 0))


def test_an_unverified_answer_waits_for_the_given_time():
    """In this test, the time is 0; the function gets the run with the answer."""
    runs = []
    found = asked([SAYS, PROVED], after=[0.0, LATER], patience=lambda run: runs.append(run) or 0.0)
    assert (found.run, found.others, runs) == (SAYS.run, (), [SAYS.run])
