"""A suite on a Dask scheduler with worker processes: no run is lost or made twice, whichever process is killed."""

import os
import signal
import subprocess
import time
from collections import Counter

import pytest
from bench import suites
from conftest import SCRIPTS

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.run.job import BenchJob, RunInterrupted
from cnfgen_puzzles.bench.run.remote import run_elsewhere
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.process import interrupt_runs, runs_of


def run_all(path, dask, folder, **settings):
    """Run what is missing; returns the new records."""
    fresh = []
    run_suite(path, folder, scheduler=dask.address, report=fresh.append, **settings)
    return fresh


@pytest.mark.release
def test_a_worker_killed_in_the_middle(tmp_path, dask):
    slow = suites.solver(tmp_path, "slow", "subprocess.Popen(['sleep', '300']); time.sleep(0.3); " + suites.HONEST)
    path = suites.suite(tmp_path, [str(slow)], files=14)
    victim, _ = dask.worker("one"), dask.worker("two")
    dask.await_workers(2)
    command = [str(SCRIPTS / "bench-cnf"), "run", str(path), "-o", str(tmp_path / "out"), "--scheduler", dask.address]
    bench = subprocess.Popen(command, env=dask.environment, stderr=subprocess.PIPE)
    end = time.monotonic() + 90
    results = tmp_path / "out" / "runs.jsonl"
    while not results.exists() or b'"worker":"one"' not in results.read_bytes():
        assert time.monotonic() < end
        time.sleep(0.02)
    victim.kill()  # it has made a run, and is about to make another
    _, stderr = bench.communicate(timeout=200)
    assert bench.returncode == 0, stderr.decode()
    done = suites.records(tmp_path / "out")
    assert Counter(record["status"] for record in done) == {"SATISFIABLE": 14}
    assert len({record["key"] for record in done}) == 14
    assert {record["worker"] for record in done} == {"one", "two"}
    assert all(len(record["cores"]) == 1 or "not pinned" in str(record["warnings"]) for record in done)


@pytest.mark.release
def test_formulas_are_sent_to_workers_that_do_not_see_them(puzzles, tmp_path, dask, monkeypatch):
    """The worker gets other names than those of this process, as if it had no access to the folder."""
    path = puzzles / "suite.yaml"
    path.write_text(
        "name: small\ninstances: [{family: nonogram, puzzles: ['*.nin'], encodings: [order]}]\n"
        "solvers: [kissat, ./liar]\nlimits: {cpu: 5, memory: 1GiB}\n"
    )
    suites.solver(puzzles, "liar", "print('s SATISFIABLE\\nv 0'); sys.exit(10)")
    dask.worker("far", "--nthreads", "1", "--preload", str(blindfold(tmp_path)), FORBIDDEN=str(tmp_path / "out"))
    dask.await_workers(1)
    fresh = run_all(path, dask, tmp_path / "out")
    told = {(r["instance"], r["solver"]): r for r in fresh}
    assert len(fresh) == len(told) == 8
    assert told["one.nin", "kissat"]["status"] == "SATISFIABLE", told["one.nin", "kissat"]["reason"]
    assert told["one.nin", "kissat"]["board"]
    assert told["none.nin", "kissat"]["status"] == "UNSATISFIABLE"
    wrong = told["one.nin", "liar"]
    assert wrong["status"] == "WRONG"
    assert "SATISFIABLE" in (tmp_path / "out" / wrong["kept"] / "stdout").read_text()
    for record in fresh:
        assert record["worker"] == "far"
        assert (tmp_path / "out" / record["cnf_file"]).exists()
        assert str(tmp_path / "out" / record["cnf_file"]) in record["command"]


def blindfold(folder):
    """A preload for a worker that hides the folder $FORBIDDEN from this package."""
    path = folder / "blindfold.py"
    path.write_text(
        "import os, cnfgen_puzzles.bench.run.formulacache as formulas\n"
        "from cnfgen_puzzles.common.errors import InputError\n"
        "def open_source(path, real=formulas.open_source):\n"
        "    if str(path).startswith(os.environ['FORBIDDEN']):\n"
        "        raise InputError('no such file', source=str(path))\n"
        "    return real(path)\n"
        "formulas.open_source = open_source\n"
    )
    return path


@pytest.mark.release
def test_workers_that_would_not_measure_the_same_are_refused(tmp_path, dask):
    honest = suites.solver(tmp_path, "honest", suites.HONEST)
    other = suites.solver(tmp_path, "other", "pass # another program\n" + suites.HONEST)
    path = suites.suite(tmp_path, ["minisat"])
    worker = dask.worker("strange", CNFGEN_SOLVER_MINISAT=str(other))
    dask.await_workers(1)
    with pytest.raises(InputError, match=r"another minisat .* on the worker strange"):
        run_all(path, dask, tmp_path / "out")
    path = suites.suite(tmp_path, [{"name": "plingeling", "threads": 2}])
    with pytest.raises(InputError, match="--resources cores=2"):
        run_all(path, dask, tmp_path / "out")
    worker.send_signal(signal.SIGTERM)
    worker.wait()
    dask.worker("threads", "--nthreads", "3")
    dask.await_workers(1)
    path = suites.suite(tmp_path, [str(honest)])
    with pytest.raises(InputError, match="found 3 threads on the worker threads"):
        run_all(path, dask, tmp_path / "out")


@pytest.mark.release
def test_other_binaries_if_they_are_allowed_and_several_cores(tmp_path, dask):
    path = suites.suite(tmp_path, ["minisat", {"name": "plingeling", "threads": 2}])
    other = suites.solver(
        tmp_path, "other", "open(sys.argv[-1], 'w').write('SAT\\n1 -2 3 0\\n'); print('SATISFIABLE'); sys.exit(10)"
    )
    dask.worker("one", "--nthreads", "1", "--resources", "cores=2", CNFGEN_SOLVER_MINISAT=str(other))
    dask.await_workers(1)
    fresh = run_all(path, dask, tmp_path / "out", other_binaries=True)
    assert Counter(r["status"] for r in fresh) == {"SATISFIABLE": 2}
    assert len({r["binary_sha256"] for r in fresh}) == 2
    if len(os.sched_getaffinity(0)) >= 2:
        assert max(len(r["cores"] or [0, 0]) for r in fresh) == 2


@pytest.mark.release
def test_interrupted_twice_the_workers_stop(tmp_path, dask, mark):
    body = "open(os.environ['PWD_OF_TEST'] + '/started-' + str(os.getpid()), 'w'); time.sleep(200)"
    path = suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", body))], files=3, limits={"cpu": 5, "wall": 150})
    dask.worker("one", PWD_OF_TEST=str(tmp_path), CNFGEN_CONFINEMENT="no")
    dask.await_workers(1)
    command = [str(SCRIPTS / "bench-cnf"), "run", str(path), "-o", str(tmp_path / "out"), "--scheduler", dask.address]
    bench = subprocess.Popen(command, env=dask.environment, stderr=subprocess.PIPE)
    end = time.monotonic() + 90
    while not list(tmp_path.glob("started-*")):
        assert time.monotonic() < end
        time.sleep(0.02)
    bench.send_signal(signal.SIGINT)
    assert any(b"again to stop at once" in line for line in bench.stderr)
    bench.send_signal(signal.SIGINT)
    _, stderr = bench.communicate(timeout=100)
    assert bench.returncode == 130, stderr.decode()
    assert suites.records(tmp_path / "out") == []
    end = time.monotonic() + 60
    while any(str(tmp_path / "slow") in command for command in mark.alive() if "bench-cnf" not in command):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_run_that_a_worker_begins_after_the_interrupt(tmp_path):
    """The interrupt can reach a worker before the news that its remaining runs are canceled."""
    honest = suites.solver(tmp_path, "honest", "open(os.path.dirname(sys.argv[0]) + '/started', 'w'); " + suites.HONEST)
    suite = read_suite(suites.suite(tmp_path, [str(honest)], files=1))
    prepared = Formulas(tmp_path, tmp_path / "cnf").get(suite.tasks[0])
    owner = str(tmp_path)
    interrupt_runs(owner)
    with runs_of(owner), pytest.raises(RunInterrupted):
        run_elsewhere(BenchJob(suite.tasks[0], suite, prepared), tmp_path / "cnf", None)
    assert not (tmp_path / "started").exists()
