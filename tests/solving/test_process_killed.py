"""If the caller, the launcher, or the supervisor is killed at any moment, no process of a run remains."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psutil
import pytest
from childprocesses import children_with
from solving.conftest import on_linux
from solving.misbehaving import Mark, program

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.solving import process, supervision
from cnfgen_puzzles.solving.process import run_process

RUNNER = Path(__file__).parent / "misbehaving" / "runner.py"
LAUNCHER = "supervision.launcher"  # in the command line of the launcher, and of supervisors, which are forks of it
pytestmark = pytest.mark.usefixtures("mode")

FAMILY = program("family")
FAMILY_SIZE = 4  # processes that sleep


@pytest.fixture
def start_runner(tmp_path, mark):
    """Start runner.py, a caller in a separate process, on a command."""

    def start(*command: str) -> subprocess.Popen:
        return subprocess.Popen([sys.executable, RUNNER, *command], cwd=tmp_path, env=mark.environment)

    return start


def launcher_of(caller: int) -> psutil.Process:
    [launcher] = children_with(LAUNCHER, parent=caller)
    return launcher


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_caller_ended_by_a_signal(start_runner, mark, number):
    runner = start_runner(*FAMILY)
    mark.await_found(FAMILY, FAMILY_SIZE)
    runner.send_signal(number)
    runner.wait()
    mark.await_none()


def test_caller_killed_while_a_forked_child_of_it_lives(start_runner, mark):
    """The child has copies of all open descriptors of its parent, which must not hide the parent's death."""
    runner = start_runner("--fork", *FAMILY)
    mark.await_found(FAMILY, FAMILY_SIZE)
    [child] = [found for found in mark.await_found(list(map(str, runner.args)), 2) if found.pid != runner.pid]
    runner.kill()
    runner.wait()
    mark.await_none(FAMILY)
    assert child.is_running()
    child.kill()


def test_caller_killed_at_random_moments(start_runner, mark, mode):
    """From before its imports until after the end of its run. The portable mode misses an orphan in a separate session."""
    dice = random.Random(20)
    for _ in range(8):
        runner = start_runner("sh", "-c", f"(sleep 60 & {'setsid ' if mode == 'linux' else ''}sleep 60) & sleep 0.1")
        time.sleep(dice.uniform(0.05, 0.5))
        runner.kill()
        runner.wait()
    mark.await_none()


@on_linux
def test_caller_killed_leaves_no_hoppers(start_runner, mark):
    runner = start_runner(*program("hopper", 3))
    mark.await_found(program("hopper", 3))
    time.sleep(0.2)
    runner.kill()
    runner.wait()
    mark.await_none()


class RunInThread:
    """A run of family.py in a thread of this process."""

    def __init__(self, folder: Path, mark: Mark):
        self.end = ""
        self._arguments = {"stdout": folder / "out", "stderr": folder / "err", "env": mark.environment}
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        mark.await_found(FAMILY, FAMILY_SIZE)

    def _run(self) -> None:
        self.end = run_process(FAMILY, **self._arguments).ended

    def join(self) -> str:
        self._thread.join(30)
        assert not self._thread.is_alive()
        return self.end


def test_supervisor_killed(tmp_path, mark):
    run = RunInThread(tmp_path, mark)
    [supervisor] = [each for each in launcher_of(os.getpid()).children() if each.children()]  # others are idle
    supervisor.kill()
    assert run.join() == supervision.SUPERVISOR_LOST
    mark.await_none()
    assert run_process(["true"], stdout=tmp_path / "out", stderr=tmp_path / "err").exit_code == 0


def test_launcher_killed(tmp_path, mark):
    """The run in progress continues with its limits and measurements; the next run starts another launcher."""
    run = RunInThread(tmp_path, mark)
    launcher = launcher_of(os.getpid())
    launcher.kill()
    launcher.wait(10)
    assert run_process(["true"], stdout=tmp_path / "out2", stderr=tmp_path / "err2").exit_code == 0
    assert launcher_of(os.getpid()).pid != launcher.pid
    process.interrupt_runs()
    assert run.join() == supervision.INTERRUPTED
    assert mark.alive() == []


def test_launcher_and_caller_killed(start_runner, mark):
    runner = start_runner(*FAMILY)
    mark.await_found(FAMILY, FAMILY_SIZE)
    launcher_of(runner.pid).kill()
    runner.kill()
    runner.wait()
    mark.await_none()


def test_a_launcher_that_cannot_start_is_an_error_not_a_hang(tmp_path, monkeypatch):
    monkeypatch.setattr(process._Launcher, "START", "raise SystemExit(1)")
    process.close_launcher()
    with pytest.raises(CnfgenError, match="the launcher died 5 times"):
        run_process(["true"], stdout=tmp_path / "out", stderr=tmp_path / "err")


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_a_caller_without_standard_files(tmp_path, closed):
    code = (
        f"import os; [os.close(number) for number in {closed}]; from pathlib import Path; "
        "from cnfgen_puzzles.solving.process import run_process; "
        "end = run_process(['sh', '-c', 'echo x; exit 3'], stdout=Path('out'), stderr=Path('err')); os._exit(end.exit_code)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, timeout=60, check=False).returncode == 3
    assert (tmp_path / "out").read_text() == "x\n"


def one_run(path: Path) -> str:
    return run_process(["true"], stdout=path / f"out{os.getpid()}", stderr=path / f"err{os.getpid()}").ended


def test_forked_workers_have_launchers_of_their_own(tmp_path):
    assert one_run(tmp_path) == supervision.EXIT
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        assert list(pool.map(one_run, [tmp_path] * 8)) == [supervision.EXIT] * 8
    assert one_run(tmp_path) == supervision.EXIT
