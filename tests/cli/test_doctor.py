"""cnf-solvers doctor: working programs pass, wrong and hanging programs fail within seconds, and the last line has advice."""

from __future__ import annotations

import json
import re
import time

import pytest
from click.testing import CliRunner
from conftest import make_script

from cnfgen_puzzles.cli import cnf_solvers, doctor
from cnfgen_puzzles.solving.table import find_solver


def examine(*arguments):
    """Exit code and output of a call."""
    done = CliRunner().invoke(cnf_solvers.doctor, arguments, standalone_mode=False)
    assert done.exception is None, done.exception
    return done.return_value, done.output


@pytest.fixture
def only(monkeypatch):
    """`only(names)` leaves these solvers."""

    def leave(*names):
        monkeypatch.setattr(doctor, "load_solvers", lambda: {name: find_solver(name) for name in names})

    return leave


def findings(*arguments):
    code, output = examine("--json", *arguments)
    told = json.loads(output)
    assert (code == 0) == told["usable"] == (told["help"] == "")
    return {(each["group"], each["name"]): each for each in told["findings"]}


@pytest.mark.long
def test_installed_programs_work(only):
    only("kissat", "minisat")
    if not find_solver("kissat").available():
        pytest.skip("kissat is not built")
    code, output = examine()
    assert code == 0 and output.endswith("\nPuzzles can be solved and checked.\n")
    rows = [line for line in output.splitlines() if line.startswith("  ")]
    assert {("ok", "kissat"), ("ok", "minisat"), ("ok", "built-in")} <= {tuple(row.split()[:2]) for row in rows}
    assert len({re.match(r"  \w+ +", row).end() for row in rows}) == 1  # aligned


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exec sleep 600", "says TIMEOUT"),
        ("echo 's SATISFIABLE'; echo 'v 1 -2 0'; exit 10", "says WRONG"),
        ("kill -SEGV $$", "says ERROR"),
        ('exec "$REAL" --unsat-is-unknown-option "$@"', "says ERROR"),
        ('for last; do :; done; test -s "$last" || exec "$REAL" "$@"; exec "$REAL" "$@" > /dev/null', "says"),
    ],
)
def test_a_broken_solver_costs_seconds_and_is_said_to_be(only, monkeypatch, tmp_path, script, reason):
    only("kissat")
    if not find_solver("kissat").available():
        pytest.skip("kissat is not built")
    fake = make_script(tmp_path / "fake", f"REAL={find_solver('kissat').locate()}\n{script}")
    monkeypatch.setenv("CNFGEN_SOLVER_KISSAT", str(fake))
    begun = time.monotonic()
    broken = [finding for finding in doctor.solvers(tmp_path) if finding.state == "broken"]
    assert time.monotonic() - begun < 15  # its limit is 4
    assert [finding.name for finding in broken] == ["kissat"]
    assert reason in broken[0].found
    assert broken[0].help == "cnf-solvers install kissat"


def test_where_nothing_is_the_last_line_helps(only, monkeypatch, tmp_path):
    only("kissat", "minisat", "clasp")
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CNFGEN_SOLVER_MINISAT", "/nowhere/minisat")
    code, output = examine()
    assert code == 1
    assert output.splitlines()[-1] == "cnf-solvers install kissat"
    states = {words[1]: words[0] for line in output.splitlines() if len(words := line.split()) > 1}
    assert (states["kissat"], states["minisat"]) == ("missing", "broken")


def test_disabled_features_and_unusable_folders(only, monkeypatch, tmp_path):
    only("minisat")
    monkeypatch.setenv("CNFGEN_CONFINEMENT", "no")
    monkeypatch.setenv("CNFGEN_CONTROL_GROUPS", "no")
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    monkeypatch.setattr(doctor, "is_installed", lambda name: name != "pillow")
    found = findings()
    assert {group for group, _ in found} == {"solvers", "proof checkers", "counting", "extras", "machine", "folders", "python"}
    assert found["machine", "Landlock"]["state"] == "missing"
    assert found["machine", "Landlock"]["help"] in ("unset CNFGEN_CONFINEMENT",)
    assert found["machine", "control groups"]["help"] == "unset CNFGEN_CONTROL_GROUPS"
    assert found["folders", "cache"]["state"] == "broken"
    assert found["extras", "pictures"]["help"] == "pip install 'cnfgen-puzzles[pictures]'"
    assert found["extras", "cluster"]["state"] == "ok"


def test_a_checker_that_accepts_anything_is_broken(only, monkeypatch, tmp_path):
    only("minisat")
    fake = make_script(tmp_path / "yes", "echo 's VERIFIED'")
    for variable, name in (("CNFGEN_SOLVER_DRAT_TRIM", "drat-trim"), ("CNFGEN_SOLVER_BUILT_IN", "built-in")):
        monkeypatch.setenv(variable, str(fake))
        found = {finding.name: finding for finding in doctor.checkers(tmp_path)}
        assert found[name].state == "broken"
        assert "which is no proof" in found[name].found
