"""A suite whose runs are divided among shares: complete, without repetition, and continued after kills and time limits."""

import json
import os
import signal
import subprocess
import time
from collections import Counter

import pytest
from bench import suites
from conftest import SCRIPTS, make_script

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.planfile import read_plans
from cnfgen_puzzles.bench.run.shares import divide, share_folder
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError

CHANGING = {"cpu", "wall", "memory", "encode_seconds", "date", "load", "cores", "warnings", "command", "output", "board"}
"""Fields that contain times or places, and the board, which one of the runs of an instance has."""
WAITS = f"""
beside = os.path.dirname(sys.argv[0]) + '/'
open(beside + 'started-' + str(os.getpid()), 'w')
while not os.path.exists(beside + 'go'): time.sleep(0.01)
{suites.HONEST}
"""
"""Solves SAT after the file `go` appears beside it."""
LOOSE = {"CNFGEN_CONFINEMENT": "no"}
"""The environment in which a solver may see and write such files."""


@pytest.fixture
def share(tmp_path, mark, monkeypatch):
    """`share(number)` starts the script for a share of the suite in `tmp_path`."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # its cores have other locks than those of parallel tests
    started = []

    def start(number, **environment):
        environment = mark.environment | {"TMPDIR": str(tmp_path)} | environment
        command = ["sh", str(tmp_path / "out" / "array.sh"), str(number)]
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
        started.append(process)
        return process

    yield start
    for process in started:  # after a failed test
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def finish(process):
    _, stderr = process.communicate(timeout=300)
    return process.returncode, stderr.decode()


def wait_for(condition, patience=60):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def results(tmp_path, number):
    return tmp_path / "out" / "shares" / str(number) / "runs.jsonl"


def started(tmp_path):
    return len(list(tmp_path.glob("started-*")))


# -- the whole ------------------------------------------------------------------------------------------------------------


def test_shares_are_the_whole_and_nothing_is_made_twice(puzzles, tmp_path, share, invoke):
    path = puzzles / "suite.yaml"
    path.write_text(suites.NONOGRAMS)
    whole = run_suite(path, tmp_path / "whole").records
    done = invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 3)
    assert (done.exit_code, f"sbatch {tmp_path}/out/array.sh" in done.output) == (0, True)
    (tmp_path / "out" / "shares" / "mine").mkdir()  # a folder of the user
    for numbers in ((1, 2), (3,)):
        for process in [share(number) for number in numbers]:
            assert finish(process)[0] == 0
    parts = [[json.loads(line)["key"] for line in lines(results(tmp_path, number))] for number in (1, 2, 3)]
    assert sorted(map(len, parts)) == [5, 5, 6]
    checked = json.loads(invoke("check", path, "-o", tmp_path / "out", "--json").output)
    assert Counter(run["state"] for run in checked["runs"]) == {"done": 16}
    assert len(read_results([tmp_path / "out" / "shares"]).records) == 16

    results_of_all = run_suite(path, tmp_path / "out")
    merged = results_of_all.records
    assert results_of_all.made == 0 and sorted((tmp_path / "out" / "shares").iterdir()) == [tmp_path / "out" / "shares" / "mine"]
    assert sorted(key for part in parts for key in part) == sorted(record["key"] for record in suites.records(tmp_path / "out"))

    def lasting(records):
        return {record["key"]: {name: value for name, value in record.items() if name not in CHANGING} for record in records}

    assert lasting(merged) == lasting(whole)
    boards = Counter((record["instance"], record["encoding"]) for record in suites.records(tmp_path / "out") if "board" in record)
    assert len(boards) == 4 and set(boards.values()) == {1}
    assert all((tmp_path / "out" / record["cnf_file"]).is_file() for record in merged)
    done = invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 3)
    assert "16 of 16 runs are in" in done.output


def test_shares_have_equal_sizes_and_few_formulas(tmp_path):
    """Most formulas are in one share, and the shares mix the families."""
    more = [{"cnf": ["*.cnf"]}, {"family": "nonogram", "generate": "blobs", "options": {"size": [5, 6]}, "seeds": "1-10"}]
    suite = read_suite(suites.suite(tmp_path, ["kissat", "minisat", "cadical"], files=20, instances=more))
    for count in (1, 4, 40, 119, 1000):
        written = divide(tmp_path / str(count), suite, suite.tasks, count, jobs=1)
        assert written == min(count, 120) == len(list((tmp_path / str(count) / "shares").iterdir()))
        plans = [read_plans(share_folder(tmp_path / str(count), number + 1))["small"].keys for number in range(written)]
        assert sorted(key for keys in plans for key in keys) == sorted(task.key for task in suite.tasks)
        assert max(map(len, plans)) - min(map(len, plans)) <= 1
        formulas = [{tuple(json.loads(key)[:4]) for key in keys} for keys in plans]
        assert sum(map(len, formulas)) < 40 + written
        if count == 4:
            assert all({family for family, *_ in each} == {"cnf", "nonogram"} for each in formulas)


def test_runs_that_were_made_are_not_divided(tmp_path, share, invoke):
    path = suites.suite(tmp_path, ["kissat"], files=3)
    run_suite(path, tmp_path / "out")
    path = suites.suite(tmp_path, ["kissat", "minisat"], files=4)
    assert "5 shares" in invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 9).output
    assert finish(share(4))[0] == 0
    # the second call collects the first result, and divides the rest
    assert "2 shares" in invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 2).output
    assert (len(suites.records(tmp_path / "out")), results(tmp_path, 4).exists()) == (4, False)
    assert "7 shares" in invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 9, "--rerun", "kissat", "--jobs", 2).output


# -- kills and time limits ------------------------------------------------------------------------------------------------


def test_two_shares_at_once_and_a_kill(tmp_path, share, invoke):
    path = suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", WAITS))], files=6, limits={"cpu": 5, "wall": 120})
    invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 2)
    one, two = share(1, **LOOSE), share(2, **LOOSE)
    wait_for(lambda: started(tmp_path) == 2)
    assert finish(share(2, **LOOSE))[0] == 2  # a second process for the same share
    done = invoke("run", path, "-o", tmp_path / "out")
    assert done.exit_code == 2 and "another process is writing to this file" in done.output
    os.killpg(one.pid, signal.SIGKILL)
    finish(one)
    (tmp_path / "go").touch()
    assert finish(two)[0] == 0
    assert (len(lines(results(tmp_path, 1))), len(lines(results(tmp_path, 2)))) == (0, 3)
    assert finish(share(1, **LOOSE))[0] == 0
    assert finish(share(1, **LOOSE))[0] == 0  # again: nothing is left
    invoke("run", path, "-o", tmp_path / "out")
    assert len({record["key"] for record in suites.records(tmp_path / "out")}) == len(suites.records(tmp_path / "out")) == 6
    assert started(tmp_path) == 7


def test_two_shares_use_different_cores(tmp_path, share, invoke):
    path = suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", WAITS))], files=2, limits={"cpu": 5, "wall": 120})
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 2)
    processes = [share(1, **LOOSE), share(2, **LOOSE)]
    wait_for(lambda: started(tmp_path) == 2)
    third = subprocess.run(
        [SCRIPTS / "bench-cnf", "run", path, "-o", tmp_path / "other", "--strict"],
        env=os.environ | {"TMPDIR": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert third.returncode == 2 and "cores are free of other benchmarks" in third.stderr
    (tmp_path / "go").touch()
    assert [finish(process)[0] for process in processes] == [0, 0]
    cores = [json.loads(line)["cores"] for number in (1, 2) for line in lines(results(tmp_path, number))]
    assert sorted(map(len, cores)) == [1, 1] and cores[0] != cores[1]


def test_a_canceled_task_is_not_queued_again(tmp_path, share, invoke):
    path = suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", WAITS))], files=3, limits={"cpu": 5, "wall": 120})
    invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 1)
    make_script(tmp_path / "bin" / "scontrol", f'echo "$@" >> {tmp_path}/calls')
    process = share(1, **LOOSE, SLURM_JOB_ID="77", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    wait_for(lambda: started(tmp_path) == 1)
    process.terminate()
    assert any(b"a run in progress is finished first" in line for line in process.stderr)
    (tmp_path / "go").touch()
    assert finish(process)[0] == 130
    assert (len(lines(results(tmp_path, 1))), lines(tmp_path / "calls")) == (1, [])


@pytest.mark.parametrize("made", [1, 0])
def test_a_task_at_its_time_limit_is_queued_again_if_it_has_made_a_run(tmp_path, share, invoke, made):
    """Slurm sends SIGUSR1; a program that takes the place of scontrol writes down its arguments."""
    path = suites.suite(tmp_path, [str(suites.solver(tmp_path, "slow", WAITS))], files=3, limits={"cpu": 5, "wall": 120})
    invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 1)
    make_script(tmp_path / "bin" / "scontrol", f'echo "$@" >> {tmp_path}/calls')
    process = share("", **LOOSE, SLURM_ARRAY_TASK_ID="1", SLURM_JOB_ID="77", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    wait_for(lambda: started(tmp_path) == 1)
    process.send_signal(signal.SIGUSR1)  # to the script alone, as `--signal=B:USR1`
    assert any(b"a run in progress is finished first, which takes 120 s at most" in line for line in process.stderr)
    if made:
        (tmp_path / "go").touch()
    else:  # the limit of the job comes before that of the run
        os.killpg(process.pid, signal.SIGTERM)
    assert finish(process)[0] == 130
    assert len(lines(results(tmp_path, 1))) == made
    assert lines(tmp_path / "calls") == ["requeue 77"] * made


# -- the script and mistakes ----------------------------------------------------------------------------------------------


def test_the_script(tmp_path, invoke):
    folder = tmp_path / "it's a folder"
    folder.mkdir()
    path = suites.suite(folder, ["cadical", {"name": "plingeling", "threads": 2}], files=2, proofs=True)
    assert invoke("run", path, "-o", folder / "out", "--slurm-array", 2).exit_code == 0
    script = folder / "out" / "array.sh"
    subprocess.run(["bash", "-n", script], check=True)
    text = script.read_text()
    assert "#SBATCH --array=1-2\n#SBATCH --cpus-per-task=2\n#SBATCH --mem=6144M\n" in text
    # the wall limit of a run and of the check of its proof, each with time for the end, and time for the record
    assert f"#SBATCH --signal=B:USR1@{10 + 160 + 1 + 30}\n#SBATCH --requeue\n" in text
    assert subprocess.run(["sh", script, "1"], capture_output=True, check=False).returncode == 0
    assert len(lines(folder / "out" / "shares" / "1" / "runs.jsonl")) == 2


@pytest.mark.parametrize(
    "words, message",
    [
        (["--share", "3"], "found no share of the suite small"),
        (["--share", "1", "--fresh"], "cannot be combined"),
        (["--share", "1", "--slurm-array", "2"], "cannot be combined"),
        (["--slurm-array", "2", "--scheduler", "tcp://127.0.0.1:1"], "cannot be combined"),
        (["--slurm-array", "0"], "found '0' for this option, expected at least 1"),
    ],
)
def test_mistakes(tmp_path, invoke, words, message):
    path = suites.suite(tmp_path, ["kissat"])
    invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 2)
    done = invoke("run", path, "-o", tmp_path / "out", *words)
    assert done.exit_code == 2 and message in done.output


def test_a_suite_without_a_file_has_no_job_array(tmp_path):
    from dataclasses import replace

    suite = replace(read_suite(suites.suite(tmp_path, ["kissat"])), file=None)
    with pytest.raises(InputError, match="a job array needs the file of the suite"):
        run_suite(suite, tmp_path / "out", shares=2)


def test_fresh_discards_the_results_of_shares(tmp_path, share, invoke):
    path = suites.suite(tmp_path, ["kissat"], files=2)
    invoke("run", path, "-o", tmp_path / "out", "--slurm-array", 2)
    assert finish(share(1))[0] == 0
    assert run_suite(path, tmp_path / "out", fresh=True).made == 2
    assert len(suites.records(tmp_path / "out")) == 2
