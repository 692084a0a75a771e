"""Worker processes: results and errors come back, a lost worker loses its own call only, none outlives its parent."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import wait

import psutil
import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.cluster import open_executor
from cnfgen_puzzles.solving.pool import LocalExecutor, WorkerLost


@pytest.fixture
def executor():
    with LocalExecutor(2) as executor:
        yield executor


def test_results_errors_and_what_cannot_be_sent(executor):
    assert executor.submit(pow, 2, 10).result() == 1024
    assert list(executor.map(abs, range(-20, 20))) == [abs(number) for number in range(-20, 20)]
    assert executor.submit(int, "10", base=3).result() == 3
    with pytest.raises(ValueError, match="invalid literal"):
        executor.submit(int, "x").result()
    with pytest.raises((AttributeError, TypeError), match=r"pickle|local"):
        executor.submit(lambda: 1).result()
    with pytest.raises(Exception, match="cannot be sent"):
        executor.submit(open, os.devnull).result()
    assert executor.submit(pow, 3, 3).result() == 27


def test_errors_keep_what_they_say(executor):
    from cnfgen_puzzles.common.sources import open_source

    with pytest.raises(InputError, match="no such file") as caught:
        executor.submit(open_source, "/nowhere/x.cnf").result()
    assert caught.value.source == "/nowhere/x.cnf"


def test_a_lost_worker_loses_its_own_call_only(executor):
    sleeper = executor.submit(time.sleep, 1)
    with pytest.raises(WorkerLost, match="signal 9"):
        executor.submit(signal.raise_signal, signal.SIGKILL).result()
    assert executor.submit(pow, 2, 2).result() == 4
    assert sleeper.result() is None


def test_stop_ends_calls_in_flight():
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), LocalExecutor(2) as executor:
        futures = [executor.submit(time.sleep, 100) for _ in range(5)]
        wait(futures, timeout=1)
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


def test_no_scheduler_there(monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.solving.cluster.CONNECT_TIMEOUT", 0.5)
    with pytest.raises(InputError, match="found no Dask scheduler"), open_executor("tcp://127.0.0.1:1"):
        pass
