"""Runs whose proofs are refused, missing, or not completely checked."""

from dataclasses import replace

from bench import suites
from bench.suites import run_all, scores

from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.run.job import BenchJob, run_job
from cnfgen_puzzles.bench.suite import plan
from cnfgen_puzzles.bench.suite.reader import read_suite


def test_a_proof_that_is_refused_is_no_answer_and_an_alarm(tmp_path, monkeypatch):
    """Two programs replace cadical: one says unsatisfiable with a wrong proof, the other without a proof."""
    for body in ("len(sys.argv) > 2 and open(sys.argv[-2], 'w').write('1 0\\n0\\n')", "pass"):
        liar = suites.solver(tmp_path, "cadical", f"{body}\nprint('s UNSATISFIABLE'); sys.exit(20)")
        monkeypatch.setenv("CNFGEN_SOLVER_CADICAL", str(liar))
        suites.suite(tmp_path, ["cadical", "kissat"], text="p cnf 2 2\n1 2 0\n-1 2 0\n", proofs=True)
        told = {record["solver"]: record for record in run_all(tmp_path / "suite.yaml", tmp_path / "out", fresh=True)}
        assert (told["cadical"]["status"], told["kissat"]["status"]) == ("ERROR", "SATISFIABLE")
        assert "its proof was refused" in told["cadical"]["reason"]
        assert told["cadical"]["proof"]["refused"] and told["cadical"]["evidence"] is None
        assert (tmp_path / "out" / told["cadical"]["kept"]).is_dir()
        found = read_results([tmp_path / "out"])
        records, [(_, alarm)] = found.records, found.alarms
        assert alarm.startswith("cadical (as given) calls f000.cnf unsatisfiable, but its proof was refused: ")
        assert [(s.solver, s.solved, bool(s.disqualified)) for s in scores(records)] == [
            ("kissat", 1, False),
            ("cadical", 0, True),
        ]


def test_a_check_that_is_not_finished_leaves_a_claim(tmp_path, monkeypatch):
    checker = suites.solver(tmp_path, "drat-trim", "time.sleep(100)")
    monkeypatch.setenv("CNFGEN_SOLVER_DRAT_TRIM", str(checker))
    monkeypatch.setattr("cnfgen_puzzles.evidence.proofs._fault", lambda *_: "")  # it would not get beyond its test
    monkeypatch.setattr(plan, "WALL_MORE", 0.1)
    suite = read_suite(suites.suite(tmp_path, ["cadical"], text=suites.UNSAT, limits={"cpu": 0.02, "wall": 20}))
    [task] = suite.tasks
    prepared = Formulas(tmp_path, tmp_path / "cnf").get(task)
    record = run_job(BenchJob(task, replace(suite, proofs=True), prepared, kept=tmp_path))
    assert record["status"] == "UNSATISFIABLE"
    assert record["evidence"]["kind"] == "word" and "not checked completely" in record["evidence"]["note"]
    [score] = scores([record])
    assert (score.solved, score.claimed) == (1, 1)


def test_the_checker_that_a_suite_names_is_recorded_with_its_programs(tmp_path):
    path = suites.suite(tmp_path, ["cadical"], text=suites.UNSAT, proofs=True, checker="lrat")
    [record] = run_all(path, tmp_path / "out", jobs=1)
    assert record["evidence"] == {"kind": "proof", "by": "lrat-check", "note": "only translated by drat-trim"}
    assert record["proof"]["checked_by"] == "lrat-check"
    assert [each["name"] for each in record["proof"]["programs"]] == ["drat-trim", "lrat-check"]
    assert all(len(each["sha256"]) == 64 and each["version"][0].isdigit() for each in record["proof"]["programs"])
    assert "--lrat" not in record["command"]  # its time is to be compared
