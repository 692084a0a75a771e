"""The comparison with BenchExec: parsing of runexec's output, the arithmetic, and a real run against the kernel."""

import os
import shutil
import sys

import pytest
from conftest import make_program

from cnfgen_puzzles.solving.process import CONTROL_GROUPS


@pytest.fixture
def script(load_script):
    return load_script("compare_runexec")


def fake(tmp_path, text):
    return str(make_program(tmp_path / "runexec", f"#!{sys.executable}\n{text}\n"))


def test_differences_and_noise_are_computed(script):
    row = script.Row("x", [script.Usage(1.03, 103), script.Usage(1.2, 103)], [script.Usage(1.0, 100), script.Usage(1.05, 100)])
    assert script.difference(row.cpu) == pytest.approx(3)
    assert script.difference(row.memory) == pytest.approx(3)
    assert row.spread == pytest.approx(100 * (1.2 / 1.03 - 1))


def test_exit_code_and_verdict(script, capsys):
    good = script.Row("good", [script.Usage(1.02, 101)], [script.Usage(1.0, 100)])
    bad = script.Row("bad", [script.Usage(1.0, 110)], [script.Usage(1.0, 100)])
    assert script.report([good], "runexec")
    assert not script.report([good, bad], "runexec")
    assert "memory: 1 of 2 within 3 %" in capsys.readouterr().out


def test_output_of_runexec_is_parsed(script, tmp_path):
    program = fake(tmp_path, "import sys; print('cputime=2.5s\\nmemory=1048576B\\nwalltime=3s'); assert sys.argv[-1] == 'x.cnf'")
    assert script.runexec(program, tmp_path, 0)(["solver", "x.cnf"]) == script.Usage(2.5, 1 << 20)


def test_a_failing_runexec_is_reported(script, tmp_path, capsys):
    program = fake(tmp_path, "import sys; sys.exit('Required cgroups are not available')")
    assert script.main(["--runexec", program]) == 2
    told = capsys.readouterr().err
    assert "runexec cannot measure here:\nRequired cgroups are not available" in told and "--against rusage" in told


def test_only_runs_of_a_suitable_length_are_compared(script):
    def both(command):
        usage = script.Usage(float(command[0]), 1)
        return usage, usage

    runs = iter([("short", ["0.1"]), ("right", ["1"]), ("endless", ["15"]), ("second", ["2"]), ("third", ["3"])])
    assert [row.name for row in script.compare(runs, both, 2, 3)] == ["right", "second"]


@pytest.mark.skipif(shutil.which("time") is None, reason="GNU time is not installed")
def test_measurements_agree_with_the_kernel(script, tmp_path, monkeypatch):
    monkeypatch.setenv(CONTROL_GROUPS, "no")
    command = [sys.executable, "-c", "x = bytearray(80 << 20)\nfor i in range(5_000_000): pass"]
    core = min(os.sched_getaffinity(0))
    ours, theirs = script.our_runner(tmp_path, core)(command), script.gnu_time(tmp_path, core)(command)
    assert abs(script.difference((ours.memory, theirs.memory))) < 5
    assert ours.cpu > 0 and theirs.cpu > 0
