"""The worker pool: results and errors are returned, a lost worker affects only its call, none outlives its parent; and the
distributor with each executor: units made of results, repeated calls, the end of calls in flight."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import wait
from pathlib import Path

import psutil
import pytest

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.cluster import open_executor
from cnfgen_puzzles.solving.pool import (
    ATTEMPTS,
    CallMessage,
    CallResult,
    Distributor,
    LocalExecutor,
    ThreadExecutor,
    WorkerLost,
    message_callback,
)
from cnfgen_puzzles.solving.process import run_process


@pytest.fixture(params=["threads", "processes", pytest.param("dask", marks=pytest.mark.release)])
def executor(request):
    """Two workers; on Dask, they can import this file, too."""
    if request.param == "threads":
        opened = ThreadExecutor(2)
    elif request.param == "processes":
        opened = LocalExecutor(2)
    else:
        pytest.importorskip("distributed")
        dask = request.getfixturevalue("dask")
        path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        for name in ("one", "two"):
            dask.worker(name, PYTHONPATH=path)
        dask.await_workers(2)
        opened = open_executor(dask.address)
    with opened as executor:
        yield executor


def each(units):
    """A function that returns one unit after another."""
    left = iter(units)
    return lambda: next(left, None)


def square(number):
    return number * number


def test_each_unit_is_done_once(executor):
    work = Distributor[int](executor, lambda number: (square, number), "squares")
    assert {done.unit: done.result() for done in work.results(each(range(1, 21)))} == {n: n * n for n in range(1, 21)}


def test_units_may_be_made_of_results(executor):
    """An even number is split into its halves; at the end, the number of odd ones is known."""
    open_units, odd = [12, 7], []

    def next_unit():
        return open_units.pop() if open_units else None

    work = Distributor[int](executor, lambda number: (square, number), "squares", at_once=2)
    for done in work.results(next_unit):
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
    work = Distributor[int](executor, lambda number: (fail, number), "tests")
    told = {done.unit: str(done.error) for done in work.results(each([1, 2, 3]))}
    assert told == {1: "a disk is full", 2: "a call of tests failed: ZeroDivisionError: by zero", 3: "None"}


def lost(folder, times):
    """A call whose worker is lost this number of times; it returns the number of calls."""
    calls = len(list(folder.iterdir()))
    (folder / str(calls)).touch()
    if calls < times:
        raise WorkerLost("signal 9")
    return calls


@pytest.mark.parametrize("times", [0, 1, ATTEMPTS - 1])
def test_a_lost_call_is_repeated(executor, tmp_path, times):
    (tmp_path / "calls").mkdir()
    work = Distributor[int](executor, lambda _: (lost, tmp_path / "calls", times), "tests")
    assert [done.result() for done in work.results(each([1]))] == [times]


def test_a_call_that_is_lost_repeatedly_is_an_error(executor, tmp_path):
    (tmp_path / "calls").mkdir()
    work = Distributor[int](executor, lambda _: (lost, tmp_path / "calls", 99), "tests")
    [done] = work.results(each([1]))
    with pytest.raises(CnfgenError, match=r"the workers of tests died repeatedly \(signal 9\)"):
        done.result()
    assert len(list((tmp_path / "calls").iterdir())) == ATTEMPTS


def talk(words):
    send = message_callback()
    for word in words:
        send(word)
        time.sleep(0.01)
    return len(words)


def test_messages_of_calls(executor):
    """On a cluster, it can be late, so the test looks for it among the events of several calls."""
    work = Distributor[int](executor, lambda number: (talk, [f"{number}"] * 20), "tests")
    events = list(work.events(each([1, 2, 3])))
    assert [event.result() for event in events if isinstance(event, CallResult)] == [20, 20, 20]
    told = [event for event in events if isinstance(event, CallMessage)]
    assert told and all(event.text == str(event.unit) for event in told)


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
    def interrupt():
        if len(list(tmp_path.glob("[0-9]*"))) == 2:
            pids.extend(started(tmp_path, 2))
            raise KeyboardInterrupt

    pids = []
    work = Distributor[int](executor, lambda number: (run_sleep, tmp_path, number), "sleeps", at_once=2, on_look=interrupt)
    with pytest.raises(KeyboardInterrupt):
        list(work.results(each([1, 2, 3])))
    await_gone(pids)
    assert not (tmp_path / "3").exists()
    again = Distributor[int](executor, lambda number: (square, number), "squares")
    assert [done.result() for done in again.results(each([4]))] == [16]


def test_ending_a_call_ends_the_calls_within_it(tmp_path):
    def outer():
        with ThreadExecutor(1) as inner:
            return inner.submit(run_sleep, tmp_path, 1).result()

    with ThreadExecutor(1) as executor:
        future = executor.submit(outer)
        started(tmp_path, 1)
        executor.end([future])
        assert future.result() == "interrupted"


def test_the_time_is_over(executor, tmp_path):
    work = Distributor[int](executor, lambda number: (run_sleep, tmp_path, number), "sleeps", deadline=time.monotonic() + 0.5)
    assert list(work.results(each([1]))) == []
    assert work.timed_out
    with contextlib.suppress(FileNotFoundError, ValueError):
        await_gone([int((tmp_path / "1").read_text())])


def test_a_worker_process_that_is_killed(tmp_path):
    (tmp_path / "calls").mkdir()
    with LocalExecutor(1) as executor:
        work = Distributor[int](executor, lambda _: (kill_first, tmp_path / "calls"), "tests")
        assert [done.result() for done in work.results(each([1]))] == [1]


def kill_first(folder):
    calls = len(list(folder.iterdir()))
    (folder / str(calls)).touch()
    if not calls:
        os.kill(os.getpid(), signal.SIGKILL)
    return calls


@pytest.mark.release
def test_a_call_that_kills_workers_of_a_cluster(dask, tmp_path):
    """Dask itself tries several workers, which counts as attempts."""
    pytest.importorskip("distributed")
    (tmp_path / "calls").mkdir()
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    for number in range(ATTEMPTS):
        dask.worker(f"w{number}", PYTHONPATH=path)
    dask.await_workers(ATTEMPTS)
    with open_executor(dask.address) as executor:
        work = Distributor[int](executor, lambda _: (kill_always, tmp_path / "calls"), "tests")
        [done] = work.results(each([1]))
    with pytest.raises(CnfgenError, match="the workers of tests died repeatedly"):
        done.result()
    assert len(list((tmp_path / "calls").iterdir())) == ATTEMPTS


def kill_always(folder):
    (folder / str(os.getpid())).touch()
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.release
def test_a_scheduler_that_dies_is_an_error(dask, tmp_path):
    pytest.importorskip("distributed")
    with open_executor(dask.address) as executor:  # no workers: the call waits
        work = Distributor[int](executor, lambda number: (square, number), "squares", on_look=dask.kill_scheduler)
        with pytest.raises(CnfgenError, match=r"scheduler .* was lost"):
            list(work.results(each([1])))


# -- worker processes ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def processes():
    with LocalExecutor(2) as executor:
        yield executor


def test_results_errors_and_what_cannot_be_sent(processes):
    assert processes.submit(pow, 2, 10).result() == 1024
    assert list(processes.map(abs, range(-20, 20))) == [abs(number) for number in range(-20, 20)]
    assert processes.submit(int, "10", base=3).result() == 3
    with pytest.raises(ValueError, match="invalid literal"):
        processes.submit(int, "x").result()
    with pytest.raises((AttributeError, TypeError), match=r"pickle|local"):
        processes.submit(lambda: 1).result()
    with pytest.raises(Exception, match="cannot be sent"):
        processes.submit(open, os.devnull).result()
    assert processes.submit(pow, 3, 3).result() == 27


def test_errors_keep_their_messages(processes):
    from cnfgen_puzzles.common.sources import open_source

    with pytest.raises(InputError, match="no such file") as caught:
        processes.submit(open_source, "/nowhere/x.cnf").result()
    assert caught.value.source == "/nowhere/x.cnf"


def test_a_lost_worker_loses_its_own_call_only(processes):
    sleeper = processes.submit(time.sleep, 0.4)
    with pytest.raises(WorkerLost, match="signal 9"):
        processes.submit(signal.raise_signal, signal.SIGKILL).result()
    assert processes.submit(pow, 2, 2).result() == 4
    assert sleeper.result() is None


def test_stop_ends_calls_in_flight():
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), LocalExecutor(2) as executor:
        futures = [executor.submit(time.sleep, 100) for _ in range(5)]
        wait(futures, timeout=0.3)
        raise KeyboardInterrupt
    assert time.monotonic() - started < 60
    assert all(future.done() for future in futures)


def test_workers_do_not_outlive_a_parent_that_is_killed():
    code = (
        "import os, time\nfrom cnfgen_puzzles.solving.cluster import open_executor\n"
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


@pytest.mark.release
def test_no_scheduler_answers(monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.solving.cluster.CONNECT_TIMEOUT", 0.5)
    with pytest.raises(InputError, match="no Dask scheduler answers"), open_executor("tcp://127.0.0.1:1"):
        pass
