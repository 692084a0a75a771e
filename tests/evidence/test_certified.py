"""The possible results of a run after the check of its proof: every status with every outcome of a check."""

import pytest

from cnfgen_puzzles.evidence.proofs import ProofCheck, certified
from cnfgen_puzzles.solving.process import Measurement
from cnfgen_puzzles.solving.run import Limits, run_solver
from cnfgen_puzzles.solving.supervision import INTERRUPTED
from cnfgen_puzzles.solving.table import find_solver

VERIFIED, REFUSED = ProofCheck(True, ""), ProofCheck(False, "a wrong step")
UNFINISHED = ProofCheck(False, "the check was ended by wall", unfinished=True)
OUTRUN = UNFINISHED._replace(measurement=Measurement(INTERRUPTED, None, None, 0.0, 0.0, 0, "", 0, ""))
FORMULAS = {"SATISFIABLE": "p cnf 1 1\n1 0\n", "UNSATISFIABLE": "p cnf 1 2\n1 0\n-1 0\n"}


@pytest.fixture
def run(tmp_path):
    def of(status):
        (tmp_path / "x.cnf").write_text(FORMULAS.get(status, FORMULAS["SATISFIABLE"]))
        limits = Limits() if status in FORMULAS else Limits(cpu=0)
        found = run_solver(find_solver("minisat"), tmp_path / "x.cnf", limits=limits)
        assert found.status == status
        return found

    return of


@pytest.mark.parametrize("check", [None, VERIFIED, REFUSED, UNFINISHED])
@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("status", ["SATISFIABLE", "TIMEOUT"])
def test_a_check_matters_only_where_there_is_no_model(run, status, check, required):
    before = run(status)
    after, evidence = certified(before, check, required=required)
    assert after is before
    assert (evidence.kind if evidence else None) == ("model" if status == "SATISFIABLE" else None)


@pytest.mark.parametrize(
    ("check", "required", "status", "kind"),
    [
        (VERIFIED, False, "UNSATISFIABLE", "proof"),
        (VERIFIED, True, "UNSATISFIABLE", "proof"),
        (REFUSED, False, "ERROR", None),
        (REFUSED, True, "ERROR", None),
        (UNFINISHED, False, "UNSATISFIABLE", "word"),
        (UNFINISHED, True, "ERROR", None),
        (OUTRUN, False, "UNSATISFIABLE", "word"),
        (OUTRUN, True, "UNKNOWN", None),
        (None, False, "UNSATISFIABLE", "word"),
        (None, True, "ERROR", None),
    ],
)
def test_no_solution_is_stated_with_its_evidence(run, check, required, status, kind):
    after, evidence = certified(run("UNSATISFIABLE"), check, required=required)
    assert (after.status, evidence.kind if evidence else None) == (status, kind)
