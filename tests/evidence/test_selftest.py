"""The self-test: working programs pass, and every kind of failure is reported."""

import sys

import pytest
from click.testing import CliRunner
from conftest import make_program

from cnfgen_puzzles.cli.cnf_solvers import COMMAND
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.evidence.selftest import BAD, NONE, OK, TESTS, check_solver, pigeons
from cnfgen_puzzles.solving.table import Solver, load_solvers

BUILT = [name for name, solver in load_solvers().items() if solver.build]

# A solver in a few lines: it tries every assignment, and knows the pigeons. {twist} is where it goes wrong.
HONEST = """
import itertools, sys
words = [word for line in open(sys.argv[1]) if line[0] not in "cp" for word in line.split()]
clauses = [set(map(int, text.split())) for text in " ".join(words).split(" 0")[:-1]]
n = int(open(sys.argv[1]).readline().split()[2])
answer = None
if n == 36:  # six birds and six holes
    answer = [v + 1 if v // 6 == v % 6 else -v - 1 for v in range(36)]
elif n < 20:
    for signs in itertools.product((-1, 1), repeat=n):
        literals = {sign * variable for sign, variable in zip(signs, range(1, n + 1))}
        if all(clause & literals for clause in clauses):
            answer = sorted(literals, key=abs)
            break
{twist}
if answer is None:
    print("s UNSATISFIABLE")
    sys.exit(20)
print("s SATISFIABLE")
print("v", *answer, 0)
sys.exit(10)
"""


@pytest.fixture
def solver(tmp_path):
    def make(twist="", **fields):
        fake = make_program(tmp_path / "fake", f"#!{sys.executable} -S\n" + HONEST.replace("{twist}", twist))
        return Solver("fake", executable=str(fake), program="fake", source="test", **fields)

    return make


@pytest.mark.parametrize("name", BUILT)
def test_built_solvers_pass(name, tmp_path):
    solver = load_solvers()[name]
    if not solver.available():
        pytest.skip(f"{name} is not built")
    report = check_solver(solver, tmp_path)
    assert report.failures == ()
    assert report.works and OK in report.marks


def test_an_honest_program_passes(solver, tmp_path):
    report = check_solver(solver(), tmp_path)
    assert report.failures == ()
    assert report.marks == (OK, OK, OK, OK, NONE)


@pytest.mark.parametrize(
    "twist, failing",
    [
        ("answer = None", {"SAT", "empty", "one clause"}),  # says UNSAT to everything
        ("answer = answer or [1]", {"UNSAT", "empty"}),  # never says UNSAT, and names a variable that the formula has not
        ("answer = answer and [-literal for literal in answer]", {"SAT", "one clause"}),  # a lying model
        ("if n == 0: sys.exit(3)", {"empty"}),
        ("sys.exit(0)", set(TESTS) - {"proof"}),  # knows nothing
        ("print('s MAYBE')", set(TESTS) - {"proof"}),
    ],
)
def test_every_way_to_fail_is_named(solver, tmp_path, twist, failing):
    report = check_solver(solver(twist), tmp_path)
    assert {test for test, mark in zip(TESTS, report.marks, strict=True) if mark == BAD} == failing
    assert {failure.partition(":")[0] for failure in report.failures} == failing
    assert not report.works


def test_a_solver_that_needs_a_clause_is_given_one(solver, tmp_path):
    assert check_solver(solver("if n == 0: sys.exit(3)", needs_clause=True), tmp_path).failures == ()


def test_a_wrong_proof_is_refused(solver, tmp_path):
    options = {"arguments": ("{cnf}", "{options}", "{proof}"), "proof_arguments": ("{proof}",), "proof_format": "text"}
    report = check_solver(solver("if len(sys.argv) > 2: open(sys.argv[2], 'w').write('0\\n')", **options), tmp_path)
    assert [failure.partition(":")[0] for failure in report.failures] == ["proof"]
    report = check_solver(solver(**options), tmp_path)
    assert report.failures == ("proof: no proof was written",)


def test_pigeons_are_counted_right():
    assert (pigeons(6, 5).num_variables, pigeons(6, 5).num_clauses) == (30, 6 + 5 * 15)


@pytest.fixture
def nothing_there(monkeypatch, tmp_path):
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))


def check(*arguments):
    """The exit code of `cnf-solvers check`, its output, and its error output."""
    done = CliRunner().invoke(COMMAND, ["check", *arguments], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value, done.stdout, done.stderr


def test_the_command_says_what_is_missing(nothing_there):
    code, output, _ = check("kissat")
    assert code == 1 and "not installed" in output and "kissat is not installed" in output


def test_the_command_continues_with_the_others(solver):
    liar = solver("answer = None").executable
    code, output, _ = check(liar)
    assert code == 1 and f"{BAD} fake: SAT: says UNSATISFIABLE, expected SATISFIABLE" in output
    code, output, _ = check(liar, "pysat")
    assert code == 1 and next(line for line in output.splitlines() if line.startswith("pysat")).count(OK) == 4


def test_an_override_of_a_missing_program_fails(monkeypatch):
    monkeypatch.setenv("CNFGEN_SOLVER_KISSAT", "/nowhere/kissat")
    code, output, _ = check("kissat")
    assert code == 1 and "$CNFGEN_SOLVER_KISSAT: found '/nowhere/kissat'" in output


def test_an_unknown_name_is_a_users_mistake():
    with pytest.raises(InputError, match="did you mean kissat"):
        check("kisat")
