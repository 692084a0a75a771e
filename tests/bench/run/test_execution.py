"""A suite is run once and completely, whatever its solvers do and whichever process is killed."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from bench import suites
from bench.suites import run_all
from conftest import SCRIPTS
from installedcheckers import NOTE, OF_DRAT

from cnfgen_puzzles.bench.run.execution import missing_tasks
from cnfgen_puzzles.bench.run.machine import core_locks, cores_for_runs, warnings_before
from cnfgen_puzzles.bench.runs import Store
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.solving.process import Limits


@pytest.fixture
def bench(tmp_path, mark):
    """`bench-cnf run` on the suite in tmp_path, as a separate process."""

    started = []

    def start(*words, **settings):
        words = [str(SCRIPTS / "bench-cnf"), "run", tmp_path / "suite.yaml", "-o", tmp_path / "out", *words]
        env = mark.environment | {"CNFGEN_CONFINEMENT": "no"}  # the solvers here tell of themselves by files
        process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)
        started.append(process)
        return process

    yield start
    for process in started:  # after a failed test
        process.kill()
        process.communicate()


def finish(process):
    stdout, stderr = process.communicate(timeout=1000)
    return process.returncode, stdout.decode(), stderr.decode()


# -- runs and their records -----------------------------------------------------------------------------------------------


def test_every_run_once_and_only_once(puzzles, tmp_path):
    path = puzzles / "suite.yaml"
    path.write_text(suites.NONOGRAMS)
    fresh = run_all(path, tmp_path / "out")
    assert len({record["key"] for record in fresh}) == len(fresh) == 4 * 2 * 2
    expected = {"one": "SATISFIABLE", "two": "SATISFIABLE", "none": "UNSATISFIABLE", "contradiction": "UNSATISFIABLE"}
    assert {(record["instance"].removesuffix(".nin"), record["status"]) for record in fresh} == set(expected.items())
    assert run_all(path, tmp_path / "out") == []
    boards = Counter((record["instance"], record["encoding"]) for record in fresh if record.get("board"))
    assert boards == dict.fromkeys([(f"{name}.nin", encoding) for name in ("one", "two") for encoding in ("order", "direct")], 1)
    [first, *_] = [record for record in fresh if record["solver"] == "kissat" and record["instance"] == "none.nin"]
    assert first["record"] == 2
    assert first["family"] == "nonogram"
    assert first["describe"].startswith("3x3 nonogram")
    assert (tmp_path / "out" / first["cnf_file"]).exists()
    assert first["limits"] == {"cpu": 5, "wall": 20, "memory": 1 << 30}
    assert len(first["cores"]) == 1
    assert "UNSATISFIABLE" in first["output"]
    again = subprocess.run(["sh", "-c", first["command"]], capture_output=True, check=False)
    assert again.returncode == 20  # its command line repeats it by hand
    assert all(record["statistics"].keys() <= {"conflicts", "decisions", "propagations", "restarts"} for record in fresh)
    assert any(record["statistics"] for record in fresh)


def test_solvers_that_misbehave_do_not_stop_the_others(tmp_path, mark):
    bodies = {  # none of them meets the wall time limit, however slow the machine is
        "honest": (suites.HONEST, "SATISFIABLE"),
        "liar": ("print('s UNSATISFIABLE'); sys.exit(20)", "UNSATISFIABLE"),
        "wrong": ("print('s SATISFIABLE\\nv 1 2 3 0'); sys.exit(10)", "WRONG"),
        "crash": ("os.kill(os.getpid(), signal.SIGSEGV)", "ERROR"),
        "burn": ("while True: pass", "TIMEOUT"),
        "flood": ("while True: os.write(2, b'c ' + b'x' * 65000 + b'\\n')", "ERROR"),
        "fork": ("subprocess.Popen(['sleep', '100'], start_new_session=True); " + suites.HONEST, "SATISFIABLE"),
        "hog": ("x = b'x' * (400 << 20); time.sleep(100)", "MEMOUT"),
    }
    solvers = [str(suites.solver(tmp_path, name, body)) for name, (body, _) in bodies.items()]
    path = suites.suite(tmp_path, solvers, limits={"cpu": 1, "wall": 90, "memory": "200MiB"})
    command = [str(SCRIPTS / "bench-cnf"), "run", str(path), "-o", str(tmp_path / "out")]
    subprocess.run(command, env=mark.environment, capture_output=True, timeout=1000, check=False)
    fresh = suites.records(tmp_path / "out")
    assert len(fresh) == len(bodies)
    assert {r["solver"]: r["status"] for r in fresh} == {name: status for name, (_, status) in bodies.items()}
    assert next(r for r in fresh if r["solver"] == "fork")["leftovers"] == 1
    assert all(len(r.get("output", "")) <= 2048 for r in fresh)
    failed = next(r for r in fresh if r["solver"] == "wrong")
    assert (tmp_path / "out" / failed["kept"] / "stdout").read_text().startswith("s SATISFIABLE")


def test_a_solver_that_sleeps_is_ended_by_the_clock(tmp_path):
    sleeper = suites.solver(tmp_path, "sleeper", "time.sleep(100)")
    path = suites.suite(tmp_path, [str(sleeper)], limits={"cpu": 1, "wall": 0.5})
    [record] = run_all(path, tmp_path / "out")
    assert (record["status"], record["reason"]) == ("TIMEOUT", "wall time limit")


def test_a_solver_that_vanishes_and_a_formula_that_cannot_be_made(tmp_path):
    vanishing = suites.solver(tmp_path, "vanishing", "os.unlink(sys.argv[0]); " + suites.HONEST)
    path = suites.suite(tmp_path, [str(vanishing)], files=3, jobs=1)
    (tmp_path / "f001.cnf").write_text("p cnf 1 1\nrubbish 0\n")
    fresh = run_all(path, tmp_path / "out")
    reasons = {r["instance"]: r["status"] + r["reason"] for r in fresh}
    assert reasons["f000.cnf"].startswith("ERROR")  # it is kept from it, or that is found afterwards
    assert "no formula" in reasons["f001.cnf"]
    assert reasons["f002.cnf"].startswith("ERROR")


def test_proofs_are_checked_and_the_liar_has_none(tmp_path):
    path = suites.suite(tmp_path, ["cadical", "minisat"], text=suites.UNSAT, proofs=True)
    told = {record["solver"]: record for record in run_all(path, tmp_path / "out")}
    assert told["cadical"]["verified"]
    assert told["cadical"]["proof"].keys() == {"verified", "refused", "reason", "size", "seconds", "checked_by", "programs"}
    assert told["cadical"]["evidence"] == {"kind": "proof", "by": OF_DRAT, "note": NOTE}
    assert not told["minisat"]["verified"]
    assert "proof" not in told["minisat"]
    assert told["minisat"]["evidence"] == {"kind": "word", "by": "minisat", "note": "minisat writes no proofs"}


def test_parallel_solvers_get_the_cores_that_they_declare(tmp_path):
    """They also come last, although the last formula of the other solvers takes longer to make than theirs, which are ready."""
    if len(usable_cores()) < 2:
        pytest.skip("one core")
    path = suites.suite(tmp_path, [{"name": "plingeling", "threads": 2}, "kissat"], files=3)
    (tmp_path / "f002.cnf").write_text("p cnf 3 30000\n" + "1 2 0\n" * 30_000)
    fresh = run_all(path, tmp_path / "out")
    assert {(r["solver"], len(r["cores"]), r["threads"]) for r in fresh} == {("plingeling", 2, 2), ("kissat", 1, 1)}
    assert [r["solver"] for r in fresh] == ["kissat"] * 3 + ["plingeling"] * 3


# -- what counts as done --------------------------------------------------------------------------------------------------


def test_reruns(tmp_path):
    path = suites.suite(tmp_path, ["kissat", "minisat"])
    suite = read_suite(path)
    [kissat, minisat] = suite.tasks
    limits = {"cpu": 5, "wall": 10, "memory": 1 << 30}

    def record(status):
        return {"status": status, "limits": limits, "wall": 1.0}

    def left(found, rerun=()):
        return kissat in missing_tasks(suite, {} if found is None else {kissat.key: found}, rerun)

    assert left(None)
    assert not left(record("ERROR"))
    assert left(record("ERROR"), ["failed"])
    assert not left(record("TIMEOUT"), ["failed"])
    assert left(record("TIMEOUT"), ["failed", "timeouts"])
    assert left(record("SATISFIABLE"), ["all"])
    assert left(record("SATISFIABLE"), ["kissat"])
    assert not left(record("SATISFIABLE"), ["minisat"])
    assert left({"status": "TIMEOUT", "limits": limits | {"cpu": 2}})
    assert missing_tasks(suite, {kissat.key: record("SATISFIABLE")}) == [minisat]


def test_failed_runs_again_and_the_newest_counts(tmp_path, invoke):
    flaky = suites.solver(tmp_path, "flaky", "sys.exit(1)")
    words = ("run", suites.suite(tmp_path, [str(flaky)], files=2), "-o", tmp_path / "out")
    done = invoke(*words)
    assert (done.exit_code, done.output.count("ERROR: flaky")) == (1, 2), "every run failed"
    suites.solver(tmp_path, "flaky", suites.HONEST)
    assert "2 of 2 runs are in" in invoke(*words).output
    done = invoke(*words, "--rerun", "failed")
    assert (done.exit_code, [r["status"] for r in suites.records(tmp_path / "out")]) == (0, ["ERROR"] * 2 + ["SATISFIABLE"] * 2)
    assert "2/2" in done.output
    done = invoke(*words, "--rerun", "flakey")
    assert done.exit_code == 2 and "expected one of failed, timeouts, all, flaky" in done.output
    assert len(suites.records(tmp_path / "out")) == 4


# -- interrupts and kills ------------------------------------------------------------------------------------------------


def wait_for(condition, what, patience=60):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.02)


WAITS = f"""
beside = os.path.dirname(sys.argv[0]) + '/'
open(beside + 'started-' + str(os.getpid()), 'w')
while not os.path.exists(beside + 'go'): time.sleep(0.01)
{suites.HONEST}
"""
"""Solves SAT after the file `go` appears next to it; runs without confinement."""


def started(folder):
    return len(list(folder.glob("started-*")))


def heard(process, words):
    """The stderr output of the process, up to the line with these words."""
    lines = []
    for line in process.stderr:
        lines.append(line.decode())
        if words in lines[-1]:
            return lines
    raise AssertionError(f"it did not say {words!r} but {lines}")


def test_first_interrupt_waits_for_running_solvers(tmp_path, bench):
    """By SIGTERM; the next test has SIGINT."""
    suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", WAITS))], files=12, limits={"cpu": 5, "wall": 120})
    process = bench(cwd=tmp_path, start_new_session=True)
    wait_for(lambda: started(tmp_path) == 2, "two runs")
    subprocess.run(["kill", "-TERM", "--", f"-{process.pid}"], check=True)  # all of its group, as a terminal does
    heard(process, "2 runs in progress are finished first, which takes 120 s at most")
    (tmp_path / "go").touch()
    code, _, stderr = finish(process)
    assert code == 130
    assert [record["status"] for record in suites.records(tmp_path / "out")] == ["SATISFIABLE"] * 2
    assert "2 of 12 runs are in" in stderr


def test_interrupted_twice_it_stops_now_and_goes_on_later(tmp_path, bench):
    suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", WAITS))], files=4, limits={"cpu": 50, "wall": 1000})
    process = bench(cwd=tmp_path)
    wait_for(lambda: started(tmp_path) == 2, "two runs")
    process.send_signal(signal.SIGINT)
    heard(process, "again to stop at once")
    process.send_signal(signal.SIGINT)
    code, _, stderr = finish(process)  # it does not wait for the runs: nothing lets them end
    assert code == 130
    assert "stopping now" in stderr
    assert suites.records(tmp_path / "out") == []
    (tmp_path / "go").touch()
    assert finish(bench(cwd=tmp_path))[0] == 0
    assert len(suites.records(tmp_path / "out")) == 4


def size(folder):
    results = folder / "runs.jsonl"
    return results.stat().st_size if results.exists() else 0


@pytest.mark.release
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("kills", "files"), [(2, 12), (50, 700)])
def test_killed_at_random_moments(tmp_path, bench, mark, kills, files):
    """kill -9 at random moments, with a restart each time; the finished suite is complete, and each run exists once.

    Every third kill comes at any moment after the start, the others after a new result.
    """
    dice = random.Random(kills)
    honest = suites.solver(tmp_path, "honest", "subprocess.Popen(['sleep', '300']); time.sleep(0.1); " + suites.HONEST)
    path = suites.suite(tmp_path, [str(honest)], files=files)
    killed = 0
    for _ in range(kills):
        process = bench()
        before = size(tmp_path / "out")
        if dice.random() > 1 / 3:
            wait_for(
                lambda process=process, before=before: process.poll() is not None or size(tmp_path / "out") > before, "a run"
            )
            time.sleep(dice.uniform(0, 0.5))
        else:
            time.sleep(dice.uniform(0, 2))
        killed += process.poll() is None
        process.kill()
        process.communicate()
        mark.await_none()  # no worker, no solver, no child of one
    assert finish(bench())[0] == 0
    keys = [record["key"] for record in suites.records(tmp_path / "out")]
    assert len(keys) == len(set(keys)) == files
    assert set(keys) == {task.key for task in read_suite(path).tasks}
    assert killed >= 0.8 * kills or kills == 2


def test_a_worker_that_is_killed_costs_nothing_but_time(tmp_path, mark, bench):
    """The first process that makes a formula is killed while it starts or works."""
    suites.suite(tmp_path, [str(suites.solver(tmp_path, "quick", suites.HONEST))], files=6)
    process = bench(cwd=tmp_path)

    def workers():
        return [found for found, command in mark._living() if "spawn_main" in " ".join(command)]

    wait_for(workers, "a process that makes a formula")
    workers()[0].kill()
    code, _, stderr = finish(process)
    assert code == 0, stderr
    assert Counter(record["status"] for record in suites.records(tmp_path / "out")) == {"SATISFIABLE": 6}


def test_two_benchmarks_on_one_file(tmp_path, invoke):
    path = suites.suite(tmp_path, ["kissat"])
    with Store(tmp_path / "out" / "runs.jsonl"):
        done = invoke("run", path, "-o", tmp_path / "out", "--fresh")
    assert done.exit_code == 2
    assert "another process is writing to this file" in done.output


# -- the machine ----------------------------------------------------------------------------------------------------------


def test_cores(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # separate locks: other tests hold some of the machine's
    monkeypatch.setattr("tempfile.tempdir", None)
    usable = usable_cores()
    cores, warnings = cores_for_runs(len(usable) + 3)
    assert sorted(cores) == usable
    assert "usable cores: only" in warnings[0]
    assert cores_for_runs(1)[1] == []
    with core_locks(len(usable)) as mine:
        assert sorted(mine) == usable
        code = "from cnfgen_puzzles.bench.run.machine import core_locks\nwith core_locks(1) as cores: print(cores)"
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert other.stdout == "None\n"


def test_hyper_threads_come_last(tmp_path, monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.bench.run.machine.CPUS", tmp_path)
    monkeypatch.setattr("cnfgen_puzzles.bench.run.machine.usable_cores", lambda: [0, 1, 2, 3])
    for core, siblings in enumerate(("0,1", "0,1", "2,3", "2,3")):
        folder = tmp_path / f"cpu{core}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(siblings + "\n")
    assert cores_for_runs(2) == ([0, 2], [])
    cores, [warning] = cores_for_runs(3)
    assert cores == [0, 2, 1]
    assert "hyper-threads" in warning


def test_warnings_of_a_machine(monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.bench.run.machine.os.getloadavg", lambda: (9.0, 9.0, 9.0))
    monkeypatch.setattr("cnfgen_puzzles.bench.run.machine.psutil.swap_memory", lambda: type("Swap", (), {"used": 1 << 30})())
    told = " ".join(warnings_before(2, Limits(cpu=1, memory=1 << 50)))
    for word in ("load 9.0", "swap in use (1024 MiB)", "cannot be given to 2 parallel runs"):
        assert word in told


def test_the_command_says_it(tmp_path, invoke):
    liar = suites.solver(tmp_path, "liar", "print('s UNSATISFIABLE'); sys.exit(20)")
    done = invoke("run", suites.suite(tmp_path, ["kissat", str(liar)]), "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert "ALARM: solvers disagree on f000.cnf" in done.output and str(tmp_path / "out" / "runs.jsonl") in done.output
    assert suites.records(tmp_path / "out")[0]["suite"] == "small"
