"""Runs count only if they are checked: real solvers on real formulas, and small programs that fail in every way."""

import gzip

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.formula import Formula, write_dimacs
from cnfgen_puzzles.solving import answers
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver, summary_of
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers
from cnfgen_puzzles.testing import models

SAT = "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
UNSAT = "p cnf 1 2\n1 0\n-1 0\n"
SOLVERS = [name for name, solver in load_solvers().items() if solver.kind == "solver" and solver.build]


@pytest.mark.sample(10)
@pytest.mark.parametrize(
    "body, status, reason",
    [
        ("print('s SATISFIABLE\\nv 1 -2 3 0'); sys.exit(10)", "SATISFIABLE", ""),
        ("print('s SATISFIABLE\\nv 1 3 0'); sys.exit(10)", "SATISFIABLE", ""),  # what is left out is false
        ("print('s UNSATISFIABLE'); sys.exit(20)", "UNSATISFIABLE", ""),
        ("print('s UNKNOWN')", "UNKNOWN", "gave up"),
        ("print('c nothing to say')", "UNKNOWN", "gave up"),
        ("print('s SATISFIABLE\\nv 1 2 3 0'); sys.exit(10)", "WRONG", "falsifies clause 3"),
        ("print('s SATISFIABLE\\nv -1 -2 -3 0'); sys.exit(10)", "WRONG", "falsifies clause 1"),
        ("print('s SATISFIABLE\\nv 0'); sys.exit(10)", "WRONG", "falsifies clause 1"),
        ("print('s SATISFIABLE\\nv 1 -2 3'); sys.exit(10)", "ERROR", "cut short"),
        ("print('s SATISFIABLE\\nv 1 -1 3 0'); sys.exit(10)", "ERROR", "both"),
        ("print('s SATISFIABLE\\nv 1 -2 3 4 0'); sys.exit(10)", "ERROR", "contains variable 4, the formula has 3"),
        ("print('s SATISFIABLE\\nv 1 -2 x 0'); sys.exit(10)", "ERROR", "expected a literal"),
        ("print('s SATISFIABLE'); sys.exit(10)", "ERROR", "but no model"),
        ("print('s SATISFIABLE\\nv 1 -2 3 0')", "ERROR", "answer SATISFIABLE, but exit code 0"),
        ("print('s SATISFIABLE\\nv 1 -2 3 0'); sys.exit(20)", "ERROR", "answer SATISFIABLE, but exit code 20"),
        ("print('s UNSATISFIABLE'); sys.exit(10)", "ERROR", "answer UNSATISFIABLE, but exit code 10"),
        ("sys.exit(10)", "ERROR", "answer missing, but exit code 10"),
        ("sys.exit(20)", "ERROR", "answer missing, but exit code 20"),
        ("print('s UNSATISFIABLE'); sys.exit(20 + 117)", "ERROR", "exit code 137"),
        ("print('out of luck', file=sys.stderr); sys.exit(3)", "ERROR", "exit code 3 (out of luck)"),
        ("print('s UNSATISFIABLE', flush=True); os.kill(os.getpid(), 11)", "ERROR", "ended by signal 11"),
        ("print('s UNSATISFIABLE\\ns SATISFIABLE'); sys.exit(20)", "ERROR", "SATISFIABLE after UNSATISFIABLE"),
        ("sys.stdout.buffer.write(bytes(range(256)) * 99); sys.exit(10)", "ERROR", "answer missing"),
        ("print('s SATISFIABLE\\nv 1 -2 3 0', flush=True); time.sleep(60)", "TIMEOUT", "wall time limit"),
        ("while True: pass", "TIMEOUT", "CPU time limit"),
        ("x = bytearray(400 << 20); time.sleep(60)", "MEMOUT", "memory limit"),
    ],
)
def test_what_a_program_may_say(play, sat, tmp_path, body, status, reason):
    met = {"CPU time limit": {"cpu": 0.4}, "wall time limit": {"wall": 0.8}}.get(reason, {})
    # one low limit at a time: a loaded machine must not turn one end into another
    limits = Limits(**{"cpu": 20, "wall": 60, "memory": 256 << 20} | met)
    run = run_solver(play(body), sat, limits=limits, keep=tmp_path)
    assert (run.status, reason in run.reason) == (status, True), run
    assert (run.model is not None) == (status == "SATISFIABLE")
    assert (run.kept is not None) == (status in ("WRONG", "ERROR"))
    if run.kept:
        assert (run.kept / "stdout").exists()


@pytest.mark.parametrize(
    "body, status, reason",
    [
        ("print('s SATISFIABLE\\nv 1 -2 3 0')", "SATISFIABLE", "exit code 0 with a model"),
        ("print('s SATISFIABLE\\nv 1 -2 3'); sys.exit(10)", "SATISFIABLE", "no 0 at the end of the model"),
        ("print('s SATISFIABLE\\nv 1 -2\\nv 3')", "SATISFIABLE", "exit code 0 with a model, no 0 at the end of the model"),
        ("print('s SATISFIABLE\\nv 1 -2 3 0'); sys.exit(10)", "SATISFIABLE", ""),
        ("print('s SATISFIABLE\\nv 1 2')", "WRONG", "the model falsifies clause 2"),
        ("print('s SATISFIABLE\\nv 1 -2 3 -3')", "ERROR", "the model holds both 3 and -3"),
        ("print('s SATISFIABLE')", "ERROR", "answer SATISFIABLE, but no model"),
        ("print('s SATISFIABLE\\nv 1 -2 3 0'); sys.exit(20)", "ERROR", "answer SATISFIABLE, but exit code 20 (v 1 -2 3 0)"),
        ("print('s UNSATISFIABLE')", "ERROR", "answer UNSATISFIABLE, but exit code 0 (s UNSATISFIABLE)"),
        ("print('v 1 -2 3')", "ERROR", "found a model with the verdict None"),
    ],
)
def test_a_relaxed_solver(play, sat, tmp_path, body, status, reason):
    run = run_solver(play(body, relaxed=True), sat, keep=tmp_path)
    assert (run.status, run.reason) == (status, reason)
    assert (run.model == (1, -2, 3)) == (status == "SATISFIABLE")


@pytest.mark.parametrize(
    "body, status, reason",
    [
        ("open(sys.argv[2], 'w').write('SAT\\n1 -2 3 0\\n'); print('SATISFIABLE'); sys.exit(10)", "SATISFIABLE", ""),
        ("open(sys.argv[2], 'w').write('SAT\\n1 2 3 0\\n'); print('SATISFIABLE'); sys.exit(10)", "WRONG", "clause 3"),
        ("open(sys.argv[2], 'w').write('SAT\\n1 -2'); print('SATISFIABLE'); sys.exit(10)", "ERROR", "cut short"),
        ("print('SATISFIABLE'); sys.exit(10)", "ERROR", "its model file is empty"),
        ("print('UNSATISFIABLE'); sys.exit(20)", "UNSATISFIABLE", ""),
    ],
)
def test_models_in_files(play, sat, tmp_path, body, status, reason):
    fields = {"arguments": ("{options}", "{cnf}", "{model}"), "model_from": "file"}
    run = run_solver(play(body, **fields), sat, keep=tmp_path)
    assert (run.status, reason in run.reason) == (status, True), run


IN_PLACE = {
    "pipe": "os.mkfifo(path)",
    "device": "os.symlink('/dev/zero', path)",
    "secret": f"os.symlink({__file__!r}, path)",
    "hard link": "os.link(sys.argv[1], path)",
    "folder": "os.mkdir(path)",
    "socket": "import socket; socket.socket(socket.AF_UNIX).bind(path)",
    "nothing": "",
}
"""Objects that a program can put in place of its outputs."""


@pytest.mark.parametrize("name", ["stdout", "stderr", "model"])
@pytest.mark.parametrize("kind", IN_PLACE)
def test_outputs_are_read_from_the_files_that_were_opened(play, sat, tmp_path, name, kind):
    """A pipe or a device would be read without end, and a link to a secret file would be copied to the kept outputs."""
    body = f"path = os.path.join(os.path.dirname(sys.argv[2]), {name!r}); os.unlink(path); {IN_PLACE[kind]}\nprint('SATISFIABLE')"
    fields = {"arguments": ("{options}", "{cnf}", "{model}"), "model_from": "file"}
    run = run_solver(play(f"{body}\nsys.exit(10)", **fields), sat, limits=Limits(wall=60), keep=tmp_path)
    assert run.status == "ERROR" and run.model is None
    assert {path.name for path in run.kept.iterdir()} <= {"stdout", "stderr"}
    assert (run.kept / "stdout").read_text() in ("SATISFIABLE\n", "")  # a confined program fails before it says anything
    assert "IN_PLACE" not in (run.kept / "stderr").read_text()


def test_a_model_in_a_replaced_file_is_not_read(play, sat, tmp_path):
    """Programs that write atomically do this. Their files cannot be distinguished from files of other programs."""
    body = "open('new', 'w').write('SAT\\n1 -2 3 0\\n'); os.rename('new', sys.argv[2]); print('SATISFIABLE'); sys.exit(10)"
    fields = {"arguments": ("{options}", "{cnf}", "{model}"), "model_from": "file"}
    body = "os.chdir(os.path.dirname(sys.argv[2]));" + body
    run = run_solver(play(body, **fields), sat, keep=tmp_path)
    assert run.status == "ERROR"


@pytest.mark.parametrize(
    "body, reason",
    [
        ("f = open(sys.argv[2], 'wb')\nwhile True: f.write(bytes(1 << 20))", "model has more than"),
        ("os.truncate(sys.argv[2], 1 << 40); print('SATISFIABLE'); sys.exit(10)", "model has more than"),
        ("while True: os.write(1, bytes(1 << 20))", "stdout has more than"),
        ("while True: os.write(2, bytes(1 << 20))", "stderr has more than"),
        ("f = open(sys.argv[3], 'wb')\nwhile True: f.write(bytes(1 << 20))", "proof has more than"),
    ],
)
def test_endless_output_is_ended(play, sat, tmp_path, body, reason):
    fields = {"arguments": ("{options}", "{cnf}", "{model}", "{proof}"), "model_from": "file", "proof_arguments": ("{proof}",)}
    limits = Limits(wall=60, output=5 << 20, proof=7 << 20)
    run = run_solver(play(body, **fields), sat, limits=limits, keep=tmp_path, proof=tmp_path / "proof")
    assert (run.status, run.measurement.ended) == ("ERROR", "output-limit")
    assert f"more output than the limit: {reason} {(7 if 'proof' in reason else 5) << 20} bytes" == run.reason
    assert all(path.stat().st_size <= 5 << 20 for path in run.kept.iterdir())


def test_what_a_solver_says_is_printable_in_reasons_and_versions(play, sat, tmp_path):
    body = """
if "-v" in sys.argv:
    print("release-1.0 \\x1b]0;gotcha\\x07")
else:
    print("\\x1b[2J\\rs SATISFIABLE", file=sys.stderr)
    sys.exit(3)"""
    run = run_solver(play(body, version_arguments=("-v",)), sat, keep=tmp_path)
    assert run.version == r"release-1.0 \x1b]0;gotcha\x07"
    assert run.reason == r"exit code 3 (\x1b[2J\rs SATISFIABLE)"
    assert all(line.isprintable() for line in summary_of(run))


def test_a_full_disk_is_reported(play, sat, tmp_path, monkeypatch):
    monkeypatch.setattr(answers, "FULL_DISK", 1 << 62)
    assert "is full" in run_solver(play("print('s SATISFIABLE\\nv 1 -2'); sys.exit(10)"), sat, keep=tmp_path).reason
    assert run_solver(play("print('s SATISFIABLE\\nv 1 -2 3 0'); sys.exit(10)"), sat, keep=tmp_path).reason == ""


def test_an_output_that_cannot_be_kept_is_reported(play, sat, tmp_path):
    run = run_solver(play("sys.exit(3)"), sat, keep=tmp_path / "nowhere")
    assert (run.status, run.kept) == ("ERROR", None)
    assert "cannot be kept: No such file or directory" in run.reason


def test_a_program_that_cannot_start(tmp_path, sat):
    program = tmp_path / "fake"
    program.write_bytes(b"\x7fELF rubbish")
    program.chmod(0o755)
    run = run_solver(Solver(name="fake", program="fake", executable=str(program), source="test"), sat, keep=tmp_path)
    assert run.status == "ERROR"
    assert "could not be started" in run.reason


def test_a_solver_that_is_not_installed(sat, monkeypatch):
    monkeypatch.setenv("CNFGEN_SOLVER_KISSAT", "/nowhere/kissat")
    with pytest.raises(InputError, match=r"CNFGEN_SOLVER_KISSAT.*nowhere"):
        run_solver(find_solver("kissat"), sat)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize(
    "text, status",
    [
        (SAT, "SATISFIABLE"),
        (UNSAT, "UNSATISFIABLE"),
        ("p cnf 0 0\n", "SATISFIABLE"),
        ("p cnf 5 0\n", "SATISFIABLE"),
        ("p cnf 0 1\n0\n", "UNSATISFIABLE"),
        ("p cnf 2 2\n1 2 0\n0\n", "UNSATISFIABLE"),
        ("p cnf 3 1\n-2 0\n", "SATISFIABLE"),
        ("p cnf 2 2\n1 -1 0\n2 2 -1 0\n", "SATISFIABLE"),
        ("c a comment\np cnf 2 2\nc another\n1 -2 0\nc another\n2 0\nc the last\n", "SATISFIABLE"),
    ],
)
def test_every_solver_on_edge_cases(name, text, status, tmp_path):
    path = tmp_path / "x.cnf"
    path.write_text(text)
    solver = find_solver(name)
    if not solver.available():
        pytest.skip(f"{name} is not built")
    run = run_solver(solver, path, limits=Limits(wall=20), threads=2 if solver.parallel else None)
    assert (run.status, run.reason) == (status, "")


clauses = st.lists(st.lists(st.sampled_from([s * v for v in range(1, 7) for s in (1, -1)]), min_size=1, max_size=3), max_size=30)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["minisat", "glucose", "kissat", "lingeling", "cadical"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(listed=clauses)
def test_solvers_agree_with_brute_force(name, tmp_path, listed):
    formula = Formula()
    formula.grid("x", 6)
    formula.add_clauses(listed)
    path = tmp_path / "x.cnf"
    with path.open("wb") as stream:
        write_dimacs(formula, stream)
    run = run_solver(find_solver(name), path, cnf=formula)
    assert run.status == ("SATISFIABLE" if next(models(formula), None) is not None else "UNSATISFIABLE")


def test_the_users_file_is_checked_before_any_solver_sees_it(tmp_path, play):
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 1 1\n2 0\n")
    with pytest.raises(InputError, match=r"x\.cnf:2"):
        run_solver(play("open('seen', 'w')"), path)


def test_a_packed_file_is_unpacked_for_the_solver(tmp_path, play):
    path = tmp_path / "x.cnf.gz"
    path.write_bytes(gzip.compress(SAT.encode()))
    body = "assert open(sys.argv[-1]).read(5) == 'p cnf'; print('s UNKNOWN')"
    assert run_solver(play(body), path).status == "UNKNOWN"
