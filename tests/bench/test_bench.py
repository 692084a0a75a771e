"""A suite is checked before it runs, runs once, survives being cut, and tells when answers cannot be trusted."""

import json
import sys

import pytest

from cnfgen_puzzles.bench.execute import Cores, execute
from cnfgen_puzzles.bench.scores import disagreements
from cnfgen_puzzles.bench.store import Store
from cnfgen_puzzles.bench.suite import read_suite
from cnfgen_puzzles.errors import InputError

SUITE = """
name: small
instances:
  - family: nonogram
    puzzles: ["*.nin"]
    encodings: [order, direct]
solvers: [kissat, minisat]
limits: {cpu: 5, wall: 10, memory: 1GiB}
jobs: 2
"""


@pytest.fixture
def suite_file(puzzles):
    path = puzzles / "suite.yaml"
    path.write_text(SUITE)
    return path


def run_all(suite_file, folder):
    store = Store(folder / "runs.jsonl")
    fresh = []
    execute(read_suite(suite_file), store, folder, fresh.append)
    return store, fresh


def test_every_run_once_and_only_once(suite_file, tmp_path):
    store, fresh = run_all(suite_file, tmp_path / "out")
    assert len(fresh) == len(store.entries) == 4 * 2 * 2
    assert len({entry["key"] for entry in store.entries}) == 16
    expected = {
        "one.nin": "SATISFIABLE",
        "two.nin": "SATISFIABLE",
        "none.nin": "UNSATISFIABLE",
        "contradiction.nin": "UNSATISFIABLE",
    }
    assert {(entry["instance"], entry["status"]) for entry in store.entries} == set(expected.items())
    again, fresh = run_all(suite_file, tmp_path / "out")
    assert (len(again.entries), fresh) == (16, [])


def test_a_file_cut_in_the_middle_of_a_line_goes_on(suite_file, tmp_path):
    store, _ = run_all(suite_file, tmp_path / "out")
    data = store.path.read_bytes()
    store.path.write_bytes(data[: len(data) * 2 // 3])
    again, fresh = run_all(suite_file, tmp_path / "out")
    assert 0 < len(fresh) < 16
    assert sorted(entry["key"] for entry in again.entries) == sorted(entry["key"] for entry in store.entries)
    assert [json.loads(line) for line in again.path.read_text().splitlines()] == again.entries


def test_a_damaged_line_in_the_middle_is_told(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text('{"key": 1}\n{"key": \n{"key": 3}\n')
    with pytest.raises(InputError, match=r"runs\.jsonl:2: found a damaged result"):
        Store(path)


def test_a_liar_and_a_vanished_solver_do_not_stop_the_others(suite_file, puzzles, tmp_path, monkeypatch):
    liar = puzzles / "liar"
    liar.write_text(f"#!{sys.executable}\nprint('s UNSATISFIABLE'); raise SystemExit(20)\n")
    liar.chmod(0o755)
    suite_file.write_text(SUITE.replace("[kissat, minisat]", f"[kissat, minisat, {liar}]"))
    suite = read_suite(suite_file)
    monkeypatch.setenv("CNFGEN_SOLVER_MINISAT", str(tmp_path / "gone"))
    store = Store(tmp_path / "out" / "runs.jsonl")
    execute(suite, store, tmp_path / "out", lambda _: None)
    by_solver = {
        name: {e["status"] for e in store.entries if e["key"].split("|")[3] == name} for name in ("kissat", "minisat", str(liar))
    }
    assert by_solver["minisat"] == {"ERROR"}
    assert by_solver["kissat"] == {"SATISFIABLE", "UNSATISFIABLE"}
    alarms = disagreements(store.entries)
    assert {alarm.split(":")[0] for alarm in alarms} == {"one.nin", "two.nin"}


def test_commands_say_it(command, suite_file, puzzles, tmp_path):
    done = command("bench-cnf", suite_file, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().count("4/4") == 4
    again = command("bench-cnf", suite_file, "-o", tmp_path / "out")
    assert b"16 of 16 runs are in" in again.stderr
    liar = puzzles / "liar"
    liar.write_text(f"#!{sys.executable}\nprint('s UNSATISFIABLE'); raise SystemExit(20)\n")
    liar.chmod(0o755)
    suite_file.write_text(SUITE.replace("[kissat, minisat]", f"[kissat, {liar}]"))
    lied = command("bench-cnf", suite_file, "-o", tmp_path / "out2")
    assert lied.returncode == 1
    assert b"ALARM: solvers disagree on one.nin" in lied.stderr


@pytest.mark.parametrize(
    "change, line, message",
    [
        (("solvers:", "solver:"), 7, "unknown key 'solver'"),
        (("[kissat,", "[kisat,"), 7, "kissat"),
        (("family: nonogram", "family: nonogramm"), 4, "did you mean nonogram"),
        (("[order, direct]", "[order, dirct]"), 6, "did you mean direct"),
        (('"*.nin"', '"*.nothing"'), 5, "no file that matches"),
        (("1GiB", "1 horse"), 8, "1 horse"),
        (("cpu: 5", "cpu: five"), 8, "number"),
        (("name: small", "nam: small"), 2, "name"),
    ],
)
def test_mistakes_in_a_suite_name_the_line(suite_file, change, line, message):
    suite_file.write_text(SUITE.replace(*change))
    with pytest.raises(InputError, match=message) as caught:
        read_suite(suite_file)
    assert caught.value.line == line


def test_cores_are_never_shared():
    import os
    import threading

    available = len(os.sched_getaffinity(0))
    cores = Cores(available)
    in_use, clashes = set(), []

    def work(wanted):
        for _ in range(50):
            with cores.take(wanted) as mine:
                if in_use & set(mine):
                    clashes.append(mine)
                in_use.update(mine)
                in_use.difference_update(mine)

    threads = [threading.Thread(target=work, args=(wanted,)) for wanted in (1, 1, available, available + 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not clashes
    assert len(cores._free) == available
