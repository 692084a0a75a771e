"""A suite on a Dask scheduler with worker processes: no run is lost or made twice, whichever process is killed."""

import os
import signal
import subprocess
import time
from collections import Counter
from dataclasses import replace

import pytest
from bench import suites
from conftest import SCRIPTS

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.run.job import BenchJob, RunInterrupted
from cnfgen_puzzles.bench.run.remote import run_elsewhere
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import CnfgenError, InputError
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


PUZZLES = (
    "name: small\ninstances: [{family: nonogram, puzzles: ['*.nin'], encodings: [order]}, {cnf: [plain.cnf]}]\n"
    "solvers: [kissat, ./liar]\nlimits: {cpu: 5, memory: 1GiB}\n"
)


@pytest.fixture
def small(puzzles):
    """A suite of four nonograms and a CNF file, with a solver whose models are wrong."""
    (puzzles / "plain.cnf").write_text(suites.SAT)
    (puzzles / "suite.yaml").write_text(PUZZLES)
    suites.solver(puzzles, "liar", "print('s SATISFIABLE\\nv 0'); sys.exit(10)")
    return puzzles / "suite.yaml"


@pytest.mark.release
def test_workers_make_the_formulas_in_the_folder_that_they_see(small, tmp_path, dask, monkeypatch):
    dask.worker("near")
    dask.await_workers(1)
    monkeypatch.setattr("cnfgen_puzzles.bench.run.formulacache.Formulas.get", None)  # this process makes none
    fresh = run_all(small, dask, tmp_path / "out")
    assert len(fresh) == 10 and {record["status"] for record in fresh} <= {"SATISFIABLE", "UNSATISFIABLE", "WRONG"}
    for record in fresh:
        assert (tmp_path / "out" / record["cnf_file"]).exists()
    assert len(list((tmp_path / "out" / "cnf").glob("*.cnf"))) == 4  # the CNF file is used in its place


@pytest.mark.release
def test_puzzles_are_sent_to_workers_that_do_not_see_them(small, tmp_path, dask):
    """The worker sees neither the puzzles nor the results."""
    out = tmp_path / "out"
    whole = {record["key"]: record for record in run_suite(small, tmp_path / "local").records}
    own = tmp_path / "temporary"
    own.mkdir()
    dask.worker("far", "--nthreads", "1", "--preload", str(blindfold(tmp_path)), HIDDEN=str(tmp_path), TMPDIR=str(own))
    dask.await_workers(1)
    fresh = run_all(small, dask, out)
    found = {(record["instance"], record["solver"]): record for record in fresh}
    assert len(fresh) == len(found) == 10
    assert found["one.nin", "kissat"]["status"] == "SATISFIABLE", found["one.nin", "kissat"]["reason"]
    assert found["one.nin", "kissat"]["board"]
    assert found["none.nin", "kissat"]["status"] == "UNSATISFIABLE"
    wrong = found["one.nin", "liar"]
    assert wrong["status"] == "WRONG"
    assert "SATISFIABLE" in (out / wrong["kept"] / "stdout").read_text()
    for record in fresh:
        assert record["worker"] == "far"
        same = ("cnf", "describe", "size", "status", "cnf_file")
        assert [record[name] for name in same] == [whole[record["key"]][name] for name in same]
        assert str(out / record["cnf_file"]) in record["command"]
    assert not (out / "cnf").exists() and list(own.glob("cnfgen-formulas-*/*.cnf"))


def test_a_worker_that_makes_another_formula(small, tmp_path):
    """The first worker had an older file of the puzzle."""
    suite = read_suite(small)
    task = suite.tasks[0]
    puzzle, new = tmp_path / task.instance.name, (tmp_path / "two.nin").read_bytes()
    first = Formulas(tmp_path, tmp_path / "cnf").get(task)
    job = BenchJob(task, suite, replace(first, cnf_file=tmp_path / "elsewhere" / first.cnf_file.name))
    puzzle.write_bytes(new)
    second = Formulas(tmp_path, tmp_path / "cnf").get(task)
    both = (
        rf"makes another formula \({second.identity['sha256'][:12]}\) than the first worker \({first.identity['sha256'][:12]}\)"
    )
    with pytest.raises(CnfgenError, match=both):
        run_elsewhere(job, tmp_path / "cnf", None)


def blindfold(folder):
    """A preload for a worker that hides the folder $HIDDEN from this package."""
    path = folder / "blindfold.py"
    path.write_text(
        "import os\nfrom pathlib import Path\n"
        "from cnfgen_puzzles.bench.run import formulacache as formulas, remote\n"
        "from cnfgen_puzzles.common.errors import InputError\n"
        "def hidden(path):\n"
        "    return str(path).startswith(os.environ['HIDDEN']) and '/cnfgen-formulas-' not in str(path)\n"
        "def open_source(path, real=formulas.open_source):\n"
        "    if hidden(path):\n"
        "        raise InputError('no such file', source=str(path))\n"
        "    return real(path)\n"
        "formulas.open_source = open_source\n"
        "class Blind(type(Path())):\n"
        "    def is_file(self): return not hidden(self) and super().is_file()\n"
        "    def is_dir(self): return not hidden(self) and super().is_dir()\n"
        "def prepare(task, folder, cache, source, real=remote._formula):\n"
        "    return real(task, Blind(folder), Blind(cache), source)\n"
        "remote._formula = prepare\n"
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
