"""Model counters in parallel with an enumeration: their start, and the result. No test depends on which is first."""

from __future__ import annotations

from array import array

import pytest

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.counting.counters import choose_counters
from cnfgen_puzzles.counting.engines import EngineChoice
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.total import CountPlan, Total, check_found, plan_for
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.process import Limits

AT_ONCE, NEVER = 0, 10**9
BLOCKING = EngineChoice("blocking", "cadical195")
GANAK = tuple(choose_counters("ganak"))


def pairs(number):
    """3^number solutions."""
    literals = array("i", [literal for v in range(1, 2 * number, 2) for literal in (v, v + 1, 0)])
    return Problem(Cnf(2 * number, number, literals), range(1, 2 * number + 1))


def test_the_choice_of_engines_and_counters():
    problem = pairs(3)
    assert plan_for("auto", problem).counters == GANAK
    assert plan_for("auto", problem, listed=True).counters == ()
    assert plan_for("clasp", problem).counters == ()
    assert plan_for("counters", problem).engine is None
    with pytest.raises(InputError, match="without listing them"):
        plan_for("ganak", problem, listed=True)
    with pytest.raises(InputError, match="none of python-sat's"):
        plan_for("tididi", problem, "glucose4")


def test_the_counters_are_first():
    """The enumeration would take years."""
    total = Total(pairs(60), CountPlan(BLOCKING, GANAK, AT_ONCE), jobs=1)
    listed = sum(1 for _ in total)
    assert total.verdict is not None
    assert (total.number, total.complete, total.listed, total.by) == (3**60, True, False, "ganak")
    assert total.found == listed < 3**60
    assert total.evidence().words().startswith(" (claimed by ganak; not independently verified: ")


def test_the_enumeration_is_first():
    total = Total(pairs(3), CountPlan(BLOCKING, GANAK, NEVER), jobs=1)
    assert len(set(total)) == 27
    assert (total.number, total.complete, total.listed, total.by) == (27, True, True, "blocking (cadical195)")


def test_after_its_share_of_a_limit_the_enumeration_leaves_the_rest_to_the_counters():
    total = Total(pairs(60), CountPlan(BLOCKING, GANAK, NEVER), jobs=1, limits=Limits(cpu=4))
    for _ in total:
        pass
    assert (total.number, total.complete) == (3**60, True)
    assert total.cpu < 5


def broken_question():
    raise CnfgenError("no such formula")


def test_counters_that_fail_do_not_end_an_enumeration():
    total = Total(pairs(3), CountPlan(BLOCKING, GANAK, AT_ONCE), jobs=1, question=broken_question)
    assert len(set(total)) == 27
    assert total.complete
    limited = Total(pairs(60), CountPlan(BLOCKING, GANAK, NEVER), jobs=1, question=broken_question, limits=Limits(cpu=2))
    assert sum(1 for _ in limited) == limited.number > 0
    assert (limited.complete, limited.reason, limited.used_text()) == (False, "CPU time limit", " (no such formula)")


def test_more_found_than_counted_is_an_alarm():
    check_found(27, 27, "ganak")
    with pytest.raises(CnfgenError, match="ganak counts 26 solutions, but 27 were found"):
        check_found(27, 26, "ganak")
