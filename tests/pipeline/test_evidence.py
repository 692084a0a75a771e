"""The evidence of verdicts: proofs by default and within bounds, arguments, named claims; and outcomes that are not answers."""

from __future__ import annotations

import json

import pytest
from conftest import make_program, make_script
from installedcheckers import NOTE, OF_DRAT, OF_HINTS

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.pipeline.solve import FormulaTask, pick_solver
from cnfgen_puzzles.pipeline.solve import solve as solve_instance

DOT = Nonogram(((1,),), ((1,),))
CORNERS = Nonogram(((1, 1), (), (1, 1)), ((1, 1), (1,), (1,)))  # none, though the sums agree
UNEVEN = Nonogram(((1,), (1,)), ((1,), ()))


# -- proofs -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["kissat", "cadical", "glucose", "lingeling"])
def test_a_proof_of_none_and_of_the_only_one_is_checked_by_default(solver):
    none, one = cp.solve(CORNERS, solver=solver), cp.unique(DOT, solver=solver)
    assert none.evidence.kind == one.evidence.kind == "proof"
    checker = OF_HINTS if solver == "cadical" else OF_DRAT
    assert none.sentence() == f"No solution (proof checked by {checker})."
    assert one.sentence() == f"The only solution (proof checked by {checker})."
    entry = json.loads(json.dumps(one.to_json()))
    assert entry["evidence"] == {"kind": "proof", "by": checker, "note": "" if solver == "cadical" else NOTE}
    assert [run["evidence"]["kind"] for run in entry["runs"]] == ["model", "proof"]
    assert entry["runs"][1]["verified"] is True


@pytest.mark.parametrize(
    ("solver", "settings", "words"),
    [
        ("kissat", {"proof": False}, "(claimed by kissat; not independently verified)."),
        ("minisat", {}, "(claimed by minisat; not independently verified: it writes no proofs)."),
    ],
)
def test_a_claim_names_its_solver(solver, settings, words):
    answer = cp.unique(DOT, solver=solver, **settings)
    assert answer.sentence() == f"The only solution {words}"
    assert (answer.verdict, answer.evidence.kind, answer.evidence.by) == ("one", "word", solver)


def test_without_drat_trim_the_built_in_checker_checks(monkeypatch, tmp_path):
    """An override that names no program is a mistake of the user, not a missing checker."""
    monkeypatch.setenv("CNFGEN_SOLVER_KISSAT", str(pick_solver("kissat").locate()))
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = cp.solve(CORNERS, solver=str(make_script(tmp_path / "liar", "echo 's UNSATISFIABLE'; exit 20")))
    assert answer.sentence() == "No solution (claimed by liar; not independently verified: it writes no proofs)."
    for settings in ({}, {"certify": True}, {"checker": "built-in"}):
        answer = cp.solve(CORNERS, solver="kissat", **settings)
        assert answer.sentence() == "No solution (proof checked by the built-in checker)."
    with pytest.raises(cp.InputError, match="drat-trim is not installed"):
        cp.solve(CORNERS, solver="kissat", checker="drat-trim")
    with pytest.raises(cp.InputError, match="did you mean drat-trim"):
        cp.solve(CORNERS, solver="kissat", checker="drattrim")
    late = solve_instance(cp.encode(CORNERS), pick_solver("kissat"), FormulaTask(check_seconds=0.001))
    assert late.evidence.kind == "word"
    assert (
        "the built-in checker was ended by " in late.sentence()
        and "drat-trim, which is faster, is not installed" in late.sentence()
    )
    monkeypatch.setenv("CNFGEN_SOLVER_DRAT_TRIM", "/nowhere/drat-trim")
    with pytest.raises(cp.InputError, match="CNFGEN_SOLVER_DRAT_TRIM"):
        cp.solve(CORNERS, solver="kissat")


def test_a_check_that_takes_too_long_is_reported_or_an_error_if_required(monkeypatch, tmp_path):
    monkeypatch.setenv("CNFGEN_SOLVER_DRAT_TRIM", str(make_script(tmp_path / "sleeper", "sleep 600")))
    monkeypatch.setattr("cnfgen_puzzles.evidence.proofs._fault", lambda *_: "")  # it would not get beyond its test
    instance = cp.encode(CORNERS)
    told = solve_instance(instance, pick_solver("kissat"), FormulaTask(check_seconds=0.2))
    assert (told.status, told.evidence.kind) == ("UNSATISFIABLE", "word")
    assert "its proof was not checked completely: " in told.sentence()
    required = cp.solve(instance, solver="kissat", certify=True, limits=cp.Limits(wall=0.5))
    assert (required.status, required.evidence, required.failed) == ("ERROR", None, True)


@pytest.mark.parametrize("solver", ["kissat", "cadical"])
def test_if_cake_lpr_gives_up_another_checker_decides(solver, monkeypatch, tmp_path):
    """kissat writes DRAT, which drat-trim has checked when it translates; cadical writes LRAT."""
    script = "#!/bin/sh\necho 'CakeML heap space exhausted.' >&2; exit 1\n"
    monkeypatch.setenv("CNFGEN_SOLVER_CAKE_LPR", str(make_program(tmp_path / "small", script)))
    monkeypatch.setattr("cnfgen_puzzles.evidence.proofs._fault", lambda *_: "")  # it would not get beyond its test
    answer = cp.solve(CORNERS, solver=solver)
    by = {"kissat": "drat-trim", "cadical": "lrat-check"}[solver]
    assert answer.sentence() == f"No solution (proof checked by {by})."
    assert "heap space exhausted" in answer.evidence.note
    chosen = cp.solve(CORNERS, solver=solver, checker="verified")
    assert chosen.evidence.kind == "word" and "is not installed" not in chosen.sentence()


FORGERS = {
    "none": "exit 20",
    "empty": ': > "$2"; exit 20',
    "wrong": 'echo "1 2 0" > "$2"; echo 0 >> "$2"; exit 20',
    "speaks for the checker": 'printf "c \\ns VERIFIED\\n0\\n" > "$2"; exit 20',
    "random": 'head -c 5000 /dev/urandom > "$2"; exit 20',
}


@pytest.mark.parametrize("kind", FORGERS)
def test_a_forged_or_missing_proof_is_no_answer(monkeypatch, tmp_path, kind):
    """The formula is satisfiable, so no file is a proof."""
    script = f'#!/bin/sh\nfor last; do :; done\nset -- x "$last"\necho "s UNSATISFIABLE"\n{FORGERS[kind]}\n'
    monkeypatch.setenv("CNFGEN_SOLVER_CADICAL", str(make_program(tmp_path / "forger", script)))
    for answer in (cp.solve(DOT, solver="cadical"), cp.unique(DOT, solver="cadical")):
        assert (answer.status, answer.evidence, answer.boards) == ("ERROR", None, [])
        assert answer.failed
        assert answer.sentence().startswith("Not decided: ")


def test_run_cnf_says_unknown_where_the_proof_is_refused(command, monkeypatch, tmp_path):
    (tmp_path / "x.nin").write_text("1 1\n1\n1\n")
    command("gen-cnf", "nonogram", tmp_path / "x.nin", "-o", tmp_path / "x.cnf")
    monkeypatch.setenv("CNFGEN_SOLVER_CADICAL", str(make_script(tmp_path / "liar", "echo 's UNSATISFIABLE'; exit 20")))
    done = command("run-cnf", "cadical", tmp_path / "x.cnf", "--proof", tmp_path / "p", "--check-proof")
    assert done.returncode == 1
    assert b"\ns UNKNOWN\n" in done.stdout
    assert b"its proof was refused" in done.stderr
    (tmp_path / "answer").write_bytes(done.stdout)
    decoded = command("decode-cnf", "--map", tmp_path / "x.map.json", tmp_path / "answer")
    assert (decoded.returncode, decoded.stdout) == (3, b"not decided: 1x1 nonogram\n")


# -- arguments ----------------------------------------------------------------------------------------------------------------

ARGUED = [
    ("nonogram", UNEVEN, "rows and columns need 2 and 1 black cells"),
    ("nonogram", Nonogram(((3,),), ((1,), (1,))), "row 1: clue 3 needs 3 cells, the row has 2"),
    ("tiling", {"board": "2x2", "pieces": "L tromino"}, "the pieces cover at most 3 cells, but 4 must be covered"),
    ("tiling", {"board": "4x5", "pieces": "tetrominoes"}, "in a chessboard coloring"),
    ("maze", {"kind": "thin", "size": "2x2", "length": 2}, "maze 1 needs at least 3 moves, but the pattern has 2"),
]


@pytest.mark.parametrize(("family", "puzzle", "argument"), ARGUED)
def test_an_argument_decides_without_any_solver(monkeypatch, tmp_path, family, puzzle, argument):
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    puzzle = cp.read(family=family, **puzzle) if isinstance(puzzle, dict) else puzzle
    for certify in (False, True):
        outcome, answer = cp.solve(puzzle, certify=certify), cp.unique(puzzle, certify=certify)
        assert outcome.status == "UNSATISFIABLE"
        assert answer.verdict == "none"
        assert outcome.sentence() == answer.sentence()
        assert outcome.sentence().startswith(f"No solution: {argument}")
        assert answer.to_json()["evidence"]["kind"] == outcome.evidence.kind == "argument"
    count = cp.count(puzzle)
    assert (count.solutions, count.complete, count.evidence.kind) == (0, True, "argument")
    assert list(cp.solutions(puzzle)) == []


def test_wrong_options_are_reported_even_if_an_argument_decides():
    with pytest.raises(cp.InputError, match="did you mean amo"):
        cp.solve(UNEVEN, encoding="direct", options={"am": "product"})
    with pytest.raises(cp.InputError, match="did you mean kissat"):
        cp.solve(UNEVEN, solver="kisat")


# -- the loop ---------------------------------------------------------------------------------------------------------------


def test_the_loop_proves_its_last_formula_by_default():
    puzzle = cp.read(family="maze", kind="blocked", size="3x2", length=4)
    outcome = cp.solve(puzzle)
    assert outcome.evidence.kind == "proof"
    assert f"are enough to show it (proof checked by {OF_HINTS})." in outcome.sentence()
    assert cp.solve(puzzle, proof=False).evidence.to_json() == {"kind": "word", "by": "glucose4", "note": ""}


@pytest.mark.parametrize("text", ["exit 3", "echo 's SATISFIABLE'; echo 'v 1 2 0'; exit 10", "kill -SEGV $$"])
def test_a_solver_that_fails_in_the_loop_is_an_error(command, tmp_path, text):
    rubbish = str(make_script(tmp_path / "rubbish", text))
    outcome = cp.solve(cp.read(family="maze", kind="blocked", size="3x2", length=6), solver=rubbish)
    assert outcome.failed and outcome.evidence is None
    done = command("solve-puzzle", "maze", "--kind=blocked", "--size=3x2", "--length=6", "-s", rubbish)
    assert done.returncode == 1


# -- counts -----------------------------------------------------------------------------------------------------------------


def test_counts_name_the_engine_that_claims_completeness():
    puzzle = cp.read(family="tiling", board="2x3", pieces="3*domino")
    for engine in ("exact-cover", "clasp", "blocking"):
        found = cp.count(puzzle, engine=engine)
        assert (found.evidence.kind, found.evidence.by) == ("word", found.engine)
        assert found.sentence().endswith(f"No others (claimed by {found.engine}; not independently verified).")
        assert found.to_json()["evidence"]["by"] == found.engine
    assert cp.count(puzzle, most=1).evidence.kind == "model"
