"""`run_suite` from Python: its result, its messages to callers, and how callers end it."""

import contextlib
import subprocess
import sys

import pytest
from bench import suites

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import InputError


def test_a_suite_by_name_and_as_it_was_read(tmp_path):
    path = suites.suite(tmp_path, ["kissat", "minisat"], files=2)
    told = []
    first = run_suite(str(path), tmp_path / "out", include={"solver": "kis*"}, report=told.append)
    assert [record["solver"] for record in first.records] == ["kissat"] * 2
    assert sorted(record["key"] for record in told) == sorted(record["key"] for record in first.records)
    assert (first.made, first.halted, first.path) == (2, False, tmp_path / "out" / "runs.jsonl")
    second = run_suite(read_suite(path), tmp_path / "out", report=told.append)
    assert (second.made, len(second.records), len(told)) == (2, 4, 4)
    third = run_suite(path, tmp_path / "out", rerun=["minisat"], report=told.append)
    assert (third.made, len(third.records)) == (2, 4)
    assert len(suites.records(tmp_path / "out")) == 6
    fourth = run_suite(path, tmp_path / "out", fresh=True, include={"solver": ["minisat"], "instance": "f000*"})
    assert [(record["solver"], record["instance"]) for record in fourth.records] == [("minisat", "f000.cnf")]
    assert len(suites.records(tmp_path / "out")) == 1


def test_a_solver_that_reads_the_map_gets_it(tmp_path):
    texture = {"family": "nonogram", "generate": "texture", "options": {"size": 12}, "encodings": ["order"]}
    path = suites.suite(tmp_path, ["guided", "kissat"], instances=[texture, {"cnf": ["*.cnf"]}])
    made = run_suite(path, tmp_path / "out").records
    assert {record["status"] for record in made} == {"SATISFIABLE"}
    assert {(record["family"], record["statistics"].get("guesses")) for record in made if record["solver"] == "guided"} == {
        ("nonogram", 1), ("cnf", None),
    }  # fmt: skip
    assert len({record["cnf"]["sha256"] for record in made}) == 2, "of each puzzle one, with the map and without it"


def test_notes_are_reported_and_returned(tmp_path):
    path = suites.suite(tmp_path, ["kissat", "minisat"], limits={"cpu": 5})
    run_suite(path, tmp_path / "out", include={"solver": "kissat"})
    path = suites.suite(
        tmp_path, ["kissat", "minisat"], limits={"cpu": 6, "memory": "900TiB"}, include=[{"seed": "7"}, {"seed": "none"}]
    )
    told = []
    again = run_suite(path, tmp_path / "out", warn=told.append)
    assert any("have other limits" in text for text in told)
    assert any("matches no run" in text for text in told)
    assert any("cannot be given to 2 parallel runs" in text for text in told)
    assert again.notes == told
    assert again.made == 2
    with pytest.raises(InputError, match=r"the machine is disturbed: .*cannot be given"):
        run_suite(path, tmp_path / "strict", strict=True)


def test_mistakes(tmp_path):
    path = suites.suite(tmp_path, ["kissat"])
    for settings, message in (
        ({"include": {"solvr": "kissat"}}, "did you mean solver"),
        ({"include": {"solver": "glucose"}}, "leaves none of the 1 runs"),
        ({"rerun": ["glucose"]}, "expected one of failed, timeouts, all, kissat"),
    ):
        with pytest.raises(InputError, match=message):
            run_suite(path, tmp_path / "out", **settings)
    assert not (tmp_path / "out" / "runs.jsonl").exists()


def test_a_guard_may_halt_it_and_the_same_call_goes_on(tmp_path):
    path = suites.suite(tmp_path, [str(suites.solver(tmp_path, "honest", suites.HONEST))], files=6, jobs=1)

    @contextlib.contextmanager
    def two_runs(execution):
        assert len(execution.tasks) == 6
        execution.report = lambda record: execution.halt() if execution.made == 2 else None
        yield

    first = run_suite(path, tmp_path / "out", guard=two_runs)
    assert (first.halted, first.made, len(first.records)) == (True, 2, 2)
    second = run_suite(path, tmp_path / "out")
    assert (second.halted, second.made, len(second.records)) == (False, 4, 6)


def test_an_exception_ends_the_runs_in_flight(tmp_path, mark, monkeypatch):
    """No process is left, and nothing is recorded."""
    if len(usable_cores()) < 2:
        pytest.skip("one core")
    for name, value in mark.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CNFGEN_CONFINEMENT", "no")  # the solvers here tell each other of themselves by a file
    flag = str(tmp_path / "started")
    body = f"if 'p cnf 4' in open(sys.argv[-1]).read(): open({flag!r}, 'w'); time.sleep(200)\n"
    body += f"while not os.path.exists({flag!r}): time.sleep(0.01)\n{suites.HONEST}"
    path = suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", body))], files=2, limits={"cpu": 50, "wall": 150})
    (tmp_path / "f001.cnf").write_text(suites.SAT.replace("p cnf 3", "p cnf 4"))

    def fail(record):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_suite(path, tmp_path / "out", report=fail)
    assert [record["instance"] for record in suites.records(tmp_path / "out")] == ["f000.cnf"]


# -- the command: what its exit code says ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("solvers", "code"), [(["broken"], 1), (["broken", "kissat"], 0)])
def test_a_suite_in_which_every_run_failed_has_failed(invoke, tmp_path, solvers, code):
    """Some failures are reported, and the other runs are measured all the same."""
    suites.solver(tmp_path, "broken", "if len(sys.argv) > 1: os.abort()\nprint('broken 1.0')")
    names = [str(tmp_path / name) if name == "broken" else name for name in solvers]
    done = invoke("run", suites.suite(tmp_path, names, files=2), "-o", tmp_path / "out")
    assert done.exit_code == code, done.output
    assert "2 runs of broken are ERROR (example: " in done.output
    assert ("nothing was measured" in done.output) == (code == 1)


def test_unwritable_report_is_an_error_before_the_first_run(tmp_path):
    """Without Jinja2: its import finds nothing."""
    script = "import sys; sys.modules['jinja2'] = None; from cnfgen_puzzles.cli.start import bench_cnf; bench_cnf()"
    done = subprocess.run(
        [sys.executable, "-c", script, str(suites.suite(tmp_path, ["kissat"])), "--report"],
        capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "need the package jinja2" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_one_pattern_needs_no_list(tmp_path):
    path = suites.suite(tmp_path, ["kissat"], files=2, instances=[{"cnf": "f*.cnf"}])
    assert [task.instance.name for task in read_suite(path).tasks] == ["f000.cnf", "f001.cnf"]
