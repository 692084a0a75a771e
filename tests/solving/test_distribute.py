"""Calls by each executor: units made of results, repeated calls, the end of current calls; and the processes of this machine: a
lost process affects only its call, and none outlives its parent."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from childprocesses import children_with

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.distribute import WorkerLost, distribute
from cnfgen_puzzles.solving.executors import Processes, open_executor
from cnfgen_puzzles.solving.process import run_process


@pytest.fixture(params=["threads", "processes", pytest.param("dask", marks=pytest.mark.release)])
def executor(request):
    """Two workers."""
    if request.param == "threads":
        opened = ThreadPoolExecutor(2)
    elif request.param == "processes":
        opened = Processes(2)
    else:
        pytest.importorskip("distributed")
        dask = request.getfixturevalue("dask")
        for name in ("one", "two"):
            dask.worker(name)
        dask.await_workers(2)
        opened = open_executor(dask.address)
    with opened as executor:
        yield executor


def results(*arguments, **settings):
    with contextlib.closing(distribute(*arguments, **settings)) as found:
        yield from filter(None, found)


def square(number):
    return number * number


def test_each_unit_is_done_once(executor):
    found = results(executor, range(1, 21), lambda number: (square, number), "squares")
    assert {done.unit: done.result() for done in found} == {n: n * n for n in range(1, 21)}


def test_units_may_be_made_of_results(executor):
    """An even number is split into its halves; at the end, the number of odd ones is known."""
    open_units, odd = [12, 7], []

    def units():
        while True:
            yield open_units.pop() if open_units else None

    for done in results(executor, units(), lambda number: (square, number), "squares", at_once=2):
        if done.result() % 2:
            odd.append(done.unit)
        else:
            open_units.extend([done.unit // 2] * 2)
    assert sorted(odd) == [3, 3, 3, 3, 7]


def fail(number):
    if number == 1:
        raise CnfgenError("a disk is full")
    if number == 2:
        raise ZeroDivisionError("by zero")
    return number


def test_an_error_is_the_result_of_its_unit(executor):
    found = results(executor, [1, 2, 3], lambda number: (fail, number), "tests")
    told = {done.unit: str(done.error) for done in found}
    assert told == {1: "a disk is full", 2: "a call of tests failed: ZeroDivisionError: by zero", 3: "None"}


def lost(folder, times):
    """A call whose worker is lost this number of times; it returns the number of calls."""
    calls = len(list(folder.iterdir()))
    (folder / str(calls)).touch()
    if calls < times:
        raise WorkerLost("signal 9")
    return calls


@pytest.mark.parametrize("times", [0, 1])
def test_a_lost_call_is_repeated(executor, tmp_path, times):
    (tmp_path / "calls").mkdir()
    found = results(executor, [1], lambda _: (lost, tmp_path / "calls", times), "tests")
    assert [done.result() for done in found] == [times]


def test_a_call_that_is_lost_twice_is_an_error(executor, tmp_path):
    (tmp_path / "calls").mkdir()
    [done] = results(executor, [1], lambda _: (lost, tmp_path / "calls", 99), "tests")
    with pytest.raises(CnfgenError, match=r"the workers of tests died repeatedly \(signal 9\)"):
        done.result()
    assert len(list((tmp_path / "calls").iterdir())) == 2


def run_sleep(folder, number):
    """A process that would run for long."""
    command = [sys.executable, "-c", f"import os, time; open('{folder}/{number}', 'w').write(str(os.getpid())); time.sleep(300)"]
    measurement = run_process(command, stdout=folder / "out", stderr=folder / "err")
    return measurement.ended


def started(folder, count):
    """The ids of this number of processes, after they have written them."""
    end = time.monotonic() + 120
    while True:
        found = [path.read_text() for path in folder.glob("[0-9]*")]
        if len(found) == count and all(found):
            return [int(text) for text in found]
        assert time.monotonic() < end
        time.sleep(0.02)


def await_gone(pids):
    """A worker of a cluster may end a moment later."""
    end = time.monotonic() + 60
    while any(psutil.pid_exists(pid) for pid in pids):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_an_interrupt_ends_current_calls_and_the_executor_remains_usable(executor, tmp_path):
    with (
        pytest.raises(KeyboardInterrupt),
        contextlib.closing(
            distribute(executor, [1, 2, 3], lambda number: (run_sleep, tmp_path, number), "sleeps", at_once=2)
        ) as found,
    ):
        for done in found:
            assert done is None
            if len(list(tmp_path.glob("[0-9]*"))) == 2:
                pids = started(tmp_path, 2)
                raise KeyboardInterrupt
    await_gone(pids)
    assert not (tmp_path / "3").exists()
    assert [done.result() for done in results(executor, [4], lambda number: (square, number), "squares")] == [16]


def test_ending_a_call_ends_the_calls_within_it(tmp_path):
    def outer():
        with ThreadPoolExecutor(1) as inner:
            return [done.result() for done in results(inner, [1], lambda number: (run_sleep, tmp_path, number), "sleeps")]

    with ThreadPoolExecutor(1) as executor, contextlib.closing(distribute(executor, [1], lambda _: (outer,), "tests")) as found:
        while not list(tmp_path.glob("[0-9]*")):
            assert next(found) is None
        pids = started(tmp_path, 1)
    await_gone(pids)


def test_the_time_is_over(executor, tmp_path):
    with pytest.raises(TimeoutError):
        list(results(executor, [1], lambda n: (run_sleep, tmp_path, n), "sleeps", deadline=time.monotonic() + 0.5))
    with contextlib.suppress(FileNotFoundError, ValueError):
        await_gone([int((tmp_path / "1").read_text())])


def test_each_unit_has_its_executor(tmp_path):
    with ThreadPoolExecutor(1) as threads, Processes(1) as processes:
        found = results(lambda unit: (threads, processes)[unit % 2], range(4), lambda _: (os.getpid,), "tests", at_once=4)
        pids = {done.unit: done.result() for done in found}
    assert pids[0] == pids[2] == os.getpid()
    assert pids[1] == pids[3] != os.getpid()


def test_a_call_that_kills_its_process_is_the_only_error(tmp_path):
    """The pool loses all current calls with each killed process."""
    with Processes(2) as executor:
        calls = {3: (kill_always, tmp_path)}
        found = list(results(executor, range(12), lambda n: calls.get(n, (square, n)), "tests", at_once=4))
    assert sorted(done.unit for done in found) == [*range(12)]
    assert {done.unit: str(done.error) for done in found if done.error} == {
        3: "the workers of tests died repeatedly (a process ended without a result)"
    }
    assert all(done.value == done.unit**2 for done in found if not done.error)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.release
def test_a_call_that_kills_workers_of_a_cluster(dask, tmp_path):
    """Dask itself tries several workers, which counts as attempts."""
    pytest.importorskip("distributed")
    (tmp_path / "calls").mkdir()
    for number in range(4):
        dask.worker(f"w{number}")
    dask.await_workers(4)
    with open_executor(dask.address) as executor:
        [done] = results(executor, [1], lambda _: (kill_always, tmp_path / "calls"), "tests")
    with pytest.raises(CnfgenError, match="the workers of tests died repeatedly"):
        done.result()
    assert len(list((tmp_path / "calls").iterdir())) == 4


@pytest.mark.release
def test_a_worker_of_a_cluster_that_is_killed(dask, tmp_path):
    """It costs one repetition: the other worker makes its call, and each result arrives once."""
    pytest.importorskip("distributed")
    victim, _ = dask.worker("one"), dask.worker("two")
    dask.await_workers(2)
    done = []
    with open_executor(dask.address) as executor:
        for result in results(executor, range(20), lambda number: (record_call, tmp_path, number), "tests", at_once=2):
            done.append(result)
            if len(done) == 6:
                victim.kill()
    assert sorted(result.result() for result in done) == list(range(20))
    assert 20 <= len(list(tmp_path.glob("call-*"))) <= 21


def record_call(folder, number):
    (folder / f"call-{number}-{os.getpid()}").touch()
    time.sleep(0.2)
    return number


def kill_always(folder):
    (folder / str(os.getpid())).touch()
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.release
def test_a_scheduler_that_dies_is_an_error(dask, tmp_path):
    pytest.importorskip("distributed")
    with open_executor(dask.address) as executor, pytest.raises(CnfgenError, match="scheduler was lost"):
        for _ in distribute(executor, [1], lambda number: (square, number), "squares"):  # no workers: the call waits
            dask.kill_scheduler()


# -- worker processes ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def processes():
    with Processes(2) as executor:
        yield executor


def test_errors_keep_their_messages(processes):
    from cnfgen_puzzles.common.sources import open_source

    with pytest.raises(InputError, match="no such file") as caught:
        processes.submit(open_source, "/nowhere/x.cnf").result()
    assert caught.value.source == "/nowhere/x.cnf"


def test_workers_do_not_outlive_a_parent_that_is_killed():
    code = (
        "import os, time\nfrom cnfgen_puzzles.solving.executors import open_executor\n"
        "with open_executor(jobs=2) as executor:\n"
        "    futures = [executor.submit(os.getpid) for _ in range(2)] + [executor.submit(time.sleep, 100) for _ in range(2)]\n"
        "    print(*{future.result() for future in futures[:2]}, flush=True)\n    futures[2].result()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        workers = [psutil.Process(int(word)) for word in parent.stdout.readline().split()]
        parent.kill()
    assert workers
    psutil.wait_procs(workers, timeout=30)
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in workers)


def test_ctrl_c_never_reaches_the_processes():
    """A terminal sends it to all processes of the group, also to one that starts; only the submitting process handles it."""
    seen = set()
    with Processes(2) as executor:
        futures = [executor.submit(time.sleep, 1) for _ in range(2)]
        while not all(future.done() for future in futures):
            for child in children_with("spawn_main"):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
                    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{child.pid}/status").read_text().splitlines())
                    kept_away = int(status["SigBlk"], 16) | int(status["SigIgn"], 16)
                    assert kept_away >> (signal.SIGINT - 1) & 1
                    seen.add(child.pid)
    assert len(seen) == 2
