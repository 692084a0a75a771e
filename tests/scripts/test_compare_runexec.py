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


def test_output_of_runexec_is_parsed(script, tmp_path):
    program = fake(tmp_path, "import sys; print('cputime=2.5s\\nmemory=1048576B\\nwalltime=3s'); assert sys.argv[-1] == 'x.cnf'")
    assert script.runexec(program, tmp_path, 0)(["solver", "x.cnf"]) == script.Usage(2.5, 1 << 20)


def test_a_failing_runexec_is_reported(script, tmp_path, capsys):
    program = fake(tmp_path, "import sys; sys.exit('Required cgroups are not available')")
    assert script.main(["--runexec", program]) == 2
    told = capsys.readouterr().err
    assert "runexec cannot measure here:\nRequired cgroups are not available" in told and "--against rusage" in told


@pytest.mark.skipif(shutil.which("time") is None, reason="GNU time is not installed")
def test_measurements_agree_with_the_kernel(script, tmp_path, monkeypatch):
    monkeypatch.setenv(CONTROL_GROUPS, "no")
    command = [sys.executable, "-c", "x = bytearray(80 << 20)\nfor i in range(5_000_000): pass"]
    core = min(os.sched_getaffinity(0))
    ours, theirs = script.our_runner(tmp_path, core)(command), script.gnu_time(tmp_path, core)(command)
    assert abs(script.difference((ours.memory, theirs.memory))) < 5
    assert ours.cpu > 0 and theirs.cpu > 0
