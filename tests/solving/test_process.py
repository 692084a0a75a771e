"""run_process on programs that behave well and on others: how they end, and what they use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from solving.conftest import on_linux
from solving.misbehaving import Mark, program

from cnfgen_puzzles.solving import process, supervision
from cnfgen_puzzles.solving.process import Limits, run_process

MIB = 1 << 20

pytestmark = pytest.mark.usefixtures("mode")


@pytest.fixture
def mark():
    """A mark, and a check that no process with it remains after the test."""
    mark = Mark()
    yield mark
    assert mark.alive() == []


@pytest.fixture
def run(tmp_path, mark):
    """run_process with files and a mark; keyword arguments are limits or arguments of run_process."""

    def run(command, **options):
        others = {name: options.pop(name) for name in ("stdin", "cwd", "cores", "env") if name in options}
        others.setdefault("env", mark.environment)
        return run_process(command, stdout=tmp_path / "out", stderr=tmp_path / "err", limits=Limits(**options), **others)

    return run


# How a run ends


def test_exit_code_output_and_errors_are_kept(run, tmp_path):
    (tmp_path / "out").write_text("left from an earlier and longer run")
    end = run(["sh", "-c", "echo s SATISFIABLE; echo oops >&2; exit 10"])
    assert (end.ended, end.exit_code, end.signal, end.leftovers, end.detail) == (supervision.EXIT, 10, None, 0, "")
    assert (tmp_path / "out").read_text() == "s SATISFIABLE\n"
    assert (tmp_path / "err").read_text() == "oops\n"


def test_a_signal_is_reported(run):
    end = run(["sh", "-c", "kill -SEGV $$"])
    assert (end.ended, end.exit_code, end.signal) == (supervision.SIGNAL, None, signal.SIGSEGV)


def test_output_streams_may_share_a_file(tmp_path):
    both = tmp_path / "both"
    run_process(["sh", "-c", "echo one; echo two >&2; echo three"], stdout=both, stderr=both)
    assert both.read_text() == "one\ntwo\nthree\n"


def test_stdin_is_a_file_or_empty(run, tmp_path):
    (tmp_path / "in").write_text("p cnf 0 0\n")
    assert run(["cat"], stdin=tmp_path / "in").exit_code == 0
    assert (tmp_path / "out").read_text() == "p cnf 0 0\n"
    assert run(["cat"]).exit_code == 0
    assert (tmp_path / "out").read_text() == ""


def test_directory_environment_and_odd_bytes_arrive(run, tmp_path):
    odd = os.fsdecode(b"\xff \xc3\xa9\n'")
    end = run(["sh", "-c", 'pwd; printf "%s|%s" "$ODD" "$1"', "sh", odd], cwd=tmp_path, env={"ODD": odd})
    assert end.exit_code == 0
    assert (tmp_path / "out").read_bytes() == os.fsencode(f"{tmp_path}\n{odd}|{odd}")


def test_the_program_inherits_nothing_but_its_three_files(run, tmp_path):
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        run([sys.executable, "-c", "import os; print(sorted(int(n) for n in os.listdir('/dev/fd')))"])
    listed = eval((tmp_path / "out").read_text())
    assert listed[:3] == [0, 1, 2] and len(listed) <= 4  # and the listing itself


@on_linux
def test_the_program_has_default_signals(run, tmp_path):
    run(["grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"])
    masks = [int(line.split()[1], 16) for line in (tmp_path / "out").read_text().splitlines()]
    ours = sum(1 << (number - 1) for number in signal.valid_signals())  # without the C library's own two
    assert [mask & ours for mask in masks] == [0, 0]


@pytest.mark.parametrize("name", ["nowhere", "./nowhere", "data", "text"])
def test_a_program_that_cannot_be_executed_has_a_reason(run, tmp_path, name):
    (tmp_path / "data").write_bytes(b"\0\1\2")
    (tmp_path / "text").write_text("echo no shebang\n")
    (tmp_path / "text").chmod(0o755)
    command = name if "nowhere" in name else str(tmp_path / name)
    reason = {"data": "Permission denied", "text": "Exec format error"}.get(name, "No such file or directory")
    end = run([command, "x.cnf"], cwd=tmp_path)
    assert (end.ended, end.exit_code, end.detail) == (supervision.LAUNCH_FAILED, None, f"cannot execute {command}: {reason}")


def test_other_failures_of_the_start_have_a_reason(run, tmp_path):
    end = run(["true"], cwd=tmp_path / "nowhere")
    assert (end.ended, end.detail) == (supervision.LAUNCH_FAILED, f"cannot enter {tmp_path}/nowhere: No such file or directory")
    end = run(["true"], cores=[100_000])
    assert (end.ended, end.detail) == (supervision.LAUNCH_FAILED, "cannot pin to cores [100000]: Invalid argument")


def test_an_output_that_cannot_be_opened_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        run_process(["true"], stdout=tmp_path / "nowhere" / "out", stderr=tmp_path / "err")


@on_linux
def test_a_run_is_pinned(run, tmp_path):
    core = max(os.sched_getaffinity(0))
    run([sys.executable, "-c", "import os; print(os.sched_getaffinity(0))"], cores={core})
    assert (tmp_path / "out").read_text() == f"{{{core}}}\n"


# Limits


def test_cpu_limit_holds_for_the_tree(run):
    end = run(["sh", "-c", "yes >/dev/null & yes >/dev/null & wait"], cpu=0.5)
    assert end.ended == supervision.CPU_LIMIT
    assert 0.5 < end.cpu < 3


def test_the_kernel_limit_is_far_above_the_cpu_limit(run, tmp_path):
    """RLIMIT_CPU counts ticks, which can exceed the reported CPU time by 10%: it must not kill a run early."""
    run(["sh", "-c", "ulimit -t"], cpu=60)
    assert int((tmp_path / "out").read_text()) >= 90


@on_linux
def test_cpu_limit_counts_children_that_have_ended(run):
    end = run(program("children", 100, 0.03, "orphaned"), cpu=0.5)
    assert end.ended == supervision.CPU_LIMIT
    assert 0.5 < end.cpu < 2.5  # of 3


@pytest.mark.parametrize("command", [program("deaf"), program("forker", 60), ["sleep", "60"]])
def test_wall_limit_ends_the_tree_in_time(run, command):
    start = time.monotonic()
    end = run(command, wall=0.5)
    assert end.ended == supervision.WALL_LIMIT
    assert end.wall > 0.5 and time.monotonic() - start < 40  # of 60; how promptly is for scripts/measure/measure_runner.py


@on_linux
def test_wall_limit_ends_processes_that_leave_their_session(run):
    assert run(program("hopper", 3), wall=0.5).ended == supervision.WALL_LIMIT


def test_wall_limit_ends_a_stopped_program(run):
    end = run(["sh", "-c", "kill -STOP $$; echo never"], wall=0.3)
    assert end.ended == supervision.WALL_LIMIT


def test_a_time_limit_leaves_a_moment_for_last_words(run, tmp_path):
    end = run(["sh", "-c", "trap 'echo c statistics; exit 3' TERM; while :; do sleep 0.01; done"], wall=0.3)
    assert (end.ended, end.exit_code) == (supervision.WALL_LIMIT, 3)
    assert (tmp_path / "out").read_text() == "c statistics\n"


def test_memory_limit_holds_for_the_tree(run):
    end = run(program("crowd", 4, 40 * MIB, 60), memory=100 * MIB)
    assert end.ended == supervision.MEMORY_LIMIT
    assert 100 * MIB < end.memory < 200 * MIB


def test_a_short_spike_above_the_memory_limit_is_detected(run):
    end = run(program("spike", 64 * MIB, 0, 0), memory=32 * MIB)
    assert end.ended == supervision.MEMORY_LIMIT
    assert end.memory > 32 * MIB


@pytest.mark.parametrize(("number", "name"), [(1, "out"), (2, "err")])
def test_output_limit_ends_a_flood_and_cuts_the_file(run, tmp_path, number, name):
    end = run(program("flood", number), output=5 * MIB + 7)
    assert end.ended == supervision.OUTPUT_LIMIT
    assert (tmp_path / name).stat().st_size == 5 * MIB + 7


def test_output_up_to_its_limit_is_fine(run, tmp_path):
    assert run(["printf", "12345"], output=5).ended == supervision.EXIT
    assert run(["printf", "123456"], output=5).ended == supervision.OUTPUT_LIMIT
    assert (tmp_path / "out").read_text() == "12345"


@pytest.mark.parametrize("where", ["file", "folder/below/file"])
def test_other_outputs_have_limits(tmp_path, mark, where):
    (tmp_path / "folder" / "below").mkdir(parents=True)
    script = f"while :; do head -c 1000000 /dev/zero >> {where}; done"
    files = {"stdout": tmp_path / "out", "stderr": tmp_path / "err", "cwd": tmp_path, "env": mark.environment}
    written = {tmp_path / "file": 3 * MIB, tmp_path / "folder": 4 * MIB, tmp_path / "absent": 1}
    end = run_process(["sh", "-c", script], **files, limits=Limits(wall=60), written=written)
    told = f"file has more than {3 * MIB} bytes" if where == "file" else f"folder has more than {4 * MIB} bytes"
    assert (end.ended, end.detail) == (supervision.OUTPUT_LIMIT, told)


def test_what_else_is_written_is_seen_after_the_end_and_links_are_not_followed(tmp_path):
    files = {"stdout": tmp_path / "out", "stderr": tmp_path / "err", "cwd": tmp_path}
    (tmp_path / "big").write_bytes(bytes(MIB))
    (tmp_path / "link").symlink_to("big")
    written = {tmp_path / name: 5 for name in ("link", "file")}
    assert run_process(["sh", "-c", "printf 12345 > file"], **files, written=written).ended == supervision.EXIT
    assert run_process(["sh", "-c", "printf 123456 > file"], **files, written=written).ended == supervision.OUTPUT_LIMIT


def test_a_program_that_closes_its_output_is_still_waited_for(run):
    end = run(program("closer", 0.3))
    assert (end.ended, end.exit_code) == (supervision.EXIT, 10)
    assert end.cpu == pytest.approx(0.3, rel=0.1)


# Measurement


def test_peak_of_a_short_spike(run):
    end = run(program("spike", 256 * MIB, 0.02, 0.1))
    assert end.memory == pytest.approx(256 * MIB + own_size(run), rel=0.02)


def test_peak_of_a_tree_is_the_sum(run, monkeypatch):
    monkeypatch.setenv(process.CONTROL_GROUPS, "no")
    end = run(program("crowd", 4, 50 * MIB, 0.6))
    assert 200 * MIB < end.memory < 200 * MIB + 5 * 20 * MIB
    assert end.memory_method == "sum of RSS"


def test_a_small_program_is_not_charged_with_our_size(run):
    ballast = b"x" * (100 * MIB)
    end = run(["sleep", "0.5"])
    assert 0 < end.memory < (16 if end.memory_method.endswith("upper bound") else 8) * MIB
    assert run(["true"]).memory < 16 * MIB  # it ended before a sample; this is the size of its supervisor, and says so
    del ballast


@pytest.mark.parametrize(("mode", "how"), [("linux", "waited"), ("linux", "orphaned"), ("portable", "waited")], indirect=["mode"])
def test_cpu_of_many_short_children(run, how):
    """A child that is missed or counted twice is 30 ms of 600; scripts/measure/measure_runner.py measures the accuracy."""
    own = run(program("children", 20, 0, how)).cpu
    assert run(program("children", 20, 0.03, how)).cpu == pytest.approx(20 * 0.03 + own, rel=0.25)


def test_cpu_of_children_that_the_kernel_forgets(run):
    """They are found by sampling only, so their usage after the last sample is lost."""
    assert run(program("children", 3, 0.3, "ignored")).cpu == pytest.approx(3 * 0.3, rel=0.3)


def test_wall_time_is_the_programs(run):
    start = time.monotonic()
    wall = run(["sleep", "0.3"]).wall
    assert 0.3 <= wall <= time.monotonic() - start


@on_linux
def test_leftovers_are_counted_and_killed(run, tmp_path, mark):
    end = run(program("daemon"))
    assert (end.ended, end.exit_code, end.leftovers) == (supervision.EXIT, 0, 1)
    assert mark.alive() == []
    assert (tmp_path / "out").read_text() == "done\n"


def own_size(run) -> int:
    """The memory of the spike program without its spike."""
    return run(program("spike", 4096, 0.05, 0.05)).memory


# Threads


def test_runs_in_several_threads(tmp_path):
    def one(number: int) -> tuple[int | None, str]:
        out = tmp_path / f"out{number}"
        end = run_process(["sh", "-c", f"echo {number}; exit {number}"], stdout=out, stderr=tmp_path / f"err{number}")
        return end.exit_code, out.read_text()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(50))) == [(number, f"{number}\n") for number in range(50)]


def test_interrupt_runs_ends_those_of_all_threads(tmp_path, mark):
    def one(number: int) -> str:
        files = {"stdout": tmp_path / f"out{number}", "stderr": tmp_path / f"err{number}"}
        return run_process(["sleep", "60"], **files, env=mark.environment).ended

    with ThreadPoolExecutor(3) as pool:
        runs = [pool.submit(one, number) for number in range(3)]
        mark.await_found(["sleep", "60"], 3)
        process.interrupt_runs()
        assert [run.result(timeout=30) for run in runs] == [supervision.INTERRUPTED] * 3


def test_interrupt_runs_of_one_owner_also_of_those_to_come(tmp_path, mark, mode):
    until = ["sh", "-c", f"until test -e '{tmp_path}/go'; do sleep 0.02; done"]

    def one(owner: str, command: list[str]) -> str:
        with process.runs_of(owner):
            return run_process(command, stdout=tmp_path / owner, stderr=tmp_path / f"{owner}-err", env=mark.environment).ended

    with ThreadPoolExecutor(2) as pool:
        ended, other = pool.submit(one, f"ended-{mode}", ["sleep", "60"]), pool.submit(one, "other", until)
        mark.await_found(["sleep", "60"])
        mark.await_found(until)
        process.interrupt_runs(f"ended-{mode}")
        assert ended.result(timeout=30) == supervision.INTERRUPTED
        (tmp_path / "go").touch()
        assert other.result(timeout=30) == supervision.EXIT
    assert (one(f"ended-{mode}", ["sleep", "60"]), one("other", ["true"])) == (supervision.INTERRUPTED, supervision.EXIT)
    assert run_process(["true"], stdout=tmp_path / "out", stderr=tmp_path / "err").ended == supervision.EXIT


def test_keyboard_interrupt_leaves_nothing(run, mark):
    def interrupt() -> None:
        mark.await_found(program("family"), 4)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        run(program("family"))
    assert mark.alive() == []


def test_runs_in_turn_share_a_supervisor(run):
    """Nothing of a run counts in the next one: neither time, nor memory, nor processes."""
    busy = run(program("children", 20, 0.03, "orphaned"))
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    large = run(program("spike", 64 * MIB, 0.1, 0))
    stopped = run(program("family"), wall=0.3)
    after = run(["true"])
    assert {each.pid for each in psutil.Process().children(recursive=True)} <= before
    assert stopped.ended == supervision.WALL_LIMIT
    assert (after.ended, after.leftovers, after.exit_code) == (supervision.EXIT, 0, 0)
    assert after.cpu < busy.cpu / 4 and after.memory < large.memory / 4


def test_open_files_and_processes_do_not_grow(run):
    run(["true"])
    this = psutil.Process()
    before = this.num_fds(), len(this.children(recursive=True))
    for _ in range(20):
        run(["true"])
    assert this.num_fds() <= before[0]
    assert len(this.children(recursive=True)) <= before[1] + 1  # the last supervisor may not have gone quite


def test_the_launcher_stays_small():
    """It may import only the standard library and no other module of this package, or its size counts for programs."""
    code = "import sys; sys.path.append(sys.argv[1]); import supervision.launcher; print(*sys.modules)"
    listed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(Path(process.__file__).parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    packages = {name.partition(".")[0] for name in listed.stdout.split()}
    assert packages <= {*sys.stdlib_module_names, "__main__", "supervision"}
