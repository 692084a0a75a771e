"""Control groups of version 2: their counters, their limits, their removal, and the places where they can be made."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from solving.misbehaving import program

from cnfgen_puzzles.solving import process, supervision
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import usage
from cnfgen_puzzles.solving.supervision.controlgroup import ControlGroup, find_home, group_of

MIB = 1 << 20
HOME = None if supervision.is_portable() else find_home()


def made_here() -> set[str]:
    """The numbers of a new group here; empty if none can be made."""
    group = group_of(HOME, os.getpid())
    if group is None or not group.make():
        return set()
    found = {path.name for path in Path(HOME, f"cnfgen-run-{os.getpid()}").iterdir()}
    group.remove()
    return found


MADE = made_here()
allowed = pytest.mark.skipif("cpu.stat" not in MADE, reason="this user may make no control groups of version 2 here")
counts_memory = pytest.mark.skipif("memory.peak" not in MADE, reason="control groups do not count memory here")


@pytest.fixture
def run(tmp_path, mark):
    def run(command, **limits):
        files = {"stdout": tmp_path / "out", "stderr": tmp_path / "err"}
        return run_process(command, **files, limits=Limits(**limits), env=mark.environment)

    return run


@pytest.fixture
def python(tmp_path):
    """The command that runs a text of Python, isolated as the programs of `misbehaving` are."""

    def command(text):
        path = tmp_path / "program.py"
        path.write_text(text)
        return [sys.executable, "-I", "-S", str(path)]

    return command


def groups() -> list[str]:
    """The existing groups, without those of other programs that run solvers at the same time."""
    ours = {process.pid for process in psutil.Process().children(recursive=True)}
    names = [path.name for path in Path(HOME).glob("cnfgen-run-*")]
    return [name for name in names if (pid := int(name.rpartition("-")[2])) in ours or not psutil.pid_exists(pid)]


def pids_of(names: list[str]) -> set[int]:
    """The supervisors in the names of groups."""
    return {int(name.rpartition("-")[2]) for name in names}


def await_no_groups() -> None:
    """The group of a killed supervisor may be about to be removed, and other programs have groups."""
    end = time.monotonic() + 30
    while groups():
        assert time.monotonic() < end, groups()
        time.sleep(0.02)


@counts_memory
def test_the_peak_of_a_tree_is_exact(run):
    """Four processes in parallel, for less time than the interval between two samples."""
    end = run(program("crowd", 4, 50 * MIB, 0))
    assert end.memory_method == "control group"
    assert 200 * MIB < end.memory < 200 * MIB + 5 * 20 * MIB
    assert end.ended == supervision.EXIT
    await_no_groups()


@allowed
def test_files_do_not_count(run, python, tmp_path):
    """Files such as a proof are in the kernel's memory, but are not needed there."""
    end = run(python(f"open({str(tmp_path / 'proof')!r}, 'wb').write(bytes(40 << 20))"))
    assert end.memory_method != "control group"
    assert end.memory < 20 * MIB  # zeros that were never written to take no memory


EVADER = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children, and the kernel discards their numbers
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        while time.process_time() < 0.006:
            pass
        os._exit(0)
    time.sleep(0.007)
"""


@allowed
def test_children_that_nobody_waits_for_count(run, python):
    """They end between two samples; the group has the CPU time of all of them."""
    assert run([*python(EVADER), "100"]).cpu > 0.6
    assert run([*python(EVADER), "100000"], cpu=1).ended == supervision.CPU_LIMIT


@pytest.mark.parametrize("files", [0, 40 << 20])
def test_deleted_files_do_not_count(run, python, tmp_path, monkeypatch, files):
    """A group of a system that counts memory, with the numbers of a run that wrote and deleted a file: its peak has the file."""
    (tmp_path / "memory.peak").write_text(f"{(5 << 20) + files}\n")
    (tmp_path / "memory.stat").write_text("anon 5242880\nfile 0\n")
    name = str(tmp_path / "deleted")
    text = f"import os; open({name!r}, 'wb').write(b'x' * {files}); os.remove({name!r})" if files else "pass"
    child = os.posix_spawn(sys.executable, python(text), os.environ)
    measured = usage.Usage(usage.ExecStart(0.0, 0.0, 0, in_group=True, confined=False), ControlGroup(str(tmp_path)))
    measured.add_ended(os.wait4(child, 0)[2])
    measured.end()
    assert (measured.memory()[1] == "control group") == (not files)


def test_written_and_deleted_files_are_no_memory(run, python, tmp_path):
    name = str(tmp_path / "deleted")
    end = run(
        python(
            f"import os\nwith open({name!r}, 'wb') as f:\n [f.write(bytes(1 << 20)) for _ in range(200)]\nos.remove({name!r})"
        ),
        memory=100 * MIB,
    )
    assert end.ended == supervision.EXIT and end.memory < 20 * MIB


@allowed
def test_no_groups_if_they_are_not_wanted(run, monkeypatch):
    monkeypatch.setenv(process.CONTROL_GROUPS, "no")
    end = run(program("spike", 32 * MIB, 0.2, 0))
    assert end.memory_method in ("ru_maxrss", "VmHWM") and end.memory > 32 * MIB


@counts_memory
def test_the_kernel_stops_what_looks_would_see_too_late(run, python):
    """A child allocates memory at full speed, and its parent then ends normally."""
    text = "import os\nif os.fork() == 0:\n    [bytearray(b'x') * (8 << 20) for _ in range(500)]\n    os._exit(0)\nos.wait()\n"
    end = run(python(text), memory=64 * MIB)
    assert end.ended == supervision.MEMORY_LIMIT
    assert end.memory <= 64 * MIB * 17 / 16 + 16 * MIB + MIB
    await_no_groups()


@counts_memory
def test_an_exceeded_limit_is_reported_after_the_end_of_the_run(run):
    end = run(program("crowd", 4, 50 * MIB, 0), memory=190 * MIB)
    assert end.ended == supervision.MEMORY_LIMIT and end.memory > 190 * MIB


@allowed
def test_no_group_is_left_by_a_supervisor_that_is_killed(run, mark):
    ended = []
    thread = threading.Thread(target=lambda: ended.append(run(program("family")).ended))
    thread.start()
    mark.await_found(program("family"), 4)
    [supervisor] = {parent.pid for found in mark.find(program("family")) for parent in found.parents()} & pids_of(groups())
    os.kill(supervisor, signal.SIGKILL)
    thread.join(30)
    assert ended == [supervision.SUPERVISOR_LOST]
    mark.await_none()
    await_no_groups()


# Systems where groups can be made. These tests imitate only the layout of the system's files.


@pytest.fixture
def system(tmp_path):
    """`system(own, files)` creates the files and finds the home."""

    def make(own: str, files: dict[str, str]):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        (tmp_path / "cgroup").write_text(own)
        return find_home(str(tmp_path / "cgroup"), [str(tmp_path / "fs"), str(tmp_path / "fs" / "unified")])

    return make


def test_beside_our_own_where_that_part_is_ours(system, tmp_path):
    files = {
        "fs/user/job/cgroup.procs": "",
        "fs/user/job/cgroup.subtree_control": "",
        "fs/user/cgroup.procs": "",
        "fs/user/cgroup.subtree_control": "cpu memory pids\n",
    }
    assert system("0::/user/job\n", files) == str(tmp_path / "fs/user")


@pytest.mark.parametrize("enabled", ["cpu pids\n", ""])
def test_below_our_own_without_memory(system, tmp_path, enabled):
    files = {"fs/user/job/cgroup.procs": "", "fs/user/cgroup.procs": "", "fs/user/cgroup.subtree_control": enabled}
    assert system("0::/user/job\n", files) == str(tmp_path / "fs/user/job")


def test_beside_version_1(system, tmp_path):
    files = {"fs/unified/cgroup.procs": "", "fs/memory/job/cgroup.procs": ""}
    assert system("4:memory:/job\n0::/\n", files) == str(tmp_path / "fs/unified")


def test_no_control_groups_of_version_2(system, tmp_path):
    assert system("4:memory:/job\n", {"fs/memory/job/cgroup.procs": ""}) is None
    assert system("0::/job\n", {}) is None
    assert find_home(str(tmp_path / "none")) is None
