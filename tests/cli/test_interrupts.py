"""Ctrl-C at any moment: one line, exit code 130, no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import tomllib

import pytest
from repository import REPOSITORY

BEGIN = "import sys; from cnfgen_puzzles.cli.start import {0}; print('begun', file=sys.stderr, flush=True); {0}()"
"""The console script of a command. Python itself starts before its first line; interrupts in that time are not handled."""

LINES = {
    "gen_cnf": ["tiling", "--board", "6x10", "--pieces", "pentominoes", "-o", "x.cnf"],
    "solve_puzzle": ["tiling", "--board", "6x10", "--pieces", "pentominoes", "--count", "--engine", "clasp", "-q"],
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", LINES)
def test_no_traceback_whatever_the_moment(name, tmp_path):
    for number in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", BEGIN.format(name), *LINES[name]],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True,
        )  # fmt: skip
        assert process.stderr.readline() == "begun\n"
        time.sleep(0.6 * number / 8)
        process.send_signal(signal.SIGINT)
        printed, told = process.communicate(timeout=60)
        ended = (130, 0) if name == "gen_cnf" else (130,)  # 0: it was done
        assert process.returncode in (*ended, -signal.SIGINT), told  # by the signal: Python itself was at its end
        assert "Traceback" not in told and "Exception ignored" not in told
        if process.returncode == 130:
            assert "interrupted" in told + printed
        assert not list(tmp_path.glob(".*"))


SWALLOWING = """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
    [None for _ in range(1000)]
except BaseException:
    pass
"""

WAITING = """
from cnfgen_puzzles.cli.process import interruptible
interruptible(True)
try:
    import swallowing, time
    print("loaded", flush=True)
    time.sleep(100)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_while_a_module_loads(tmp_path):
    (tmp_path / "swallowing.py").write_text(SWALLOWING)
    run = subprocess.run([sys.executable, "-c", WAITING], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[-1].endswith("interrupted")


DESTROYING = """
import os, signal, sys, time
from cnfgen_puzzles.cli import process
sys.unraisablehook = process.unraisable
process.interruptible(True)
class Dying:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        [None for _ in range(1000)]
try:
    Dying()
    time.sleep(100)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_destructor_from_which_no_exception_leaves(tmp_path):
    run = subprocess.run([sys.executable, "-c", DESTROYING], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (run.returncode, run.stderr, run.stdout) == (0, "", "interrupted\n")


def test_every_console_script_has_the_same_start():
    scripts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["scripts"]
    assert len(scripts) > 10
    for name, entry in scripts.items():
        assert entry == f"cnfgen_puzzles.cli.start:{name.replace('-', '_')}"
