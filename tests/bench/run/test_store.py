"""The result file: only complete lines, the newest record of a key, one writer at a time."""

import json
import subprocess
import sys

import pytest

from cnfgen_puzzles.bench.runs import Store
from cnfgen_puzzles.common.errors import InputError


def record(key, **more):
    place = {"record": 2, "family": "f", "instance": "i", "solver": "s", "cpu": 1, "wall": 1}
    return {"key": key, "status": "SATISFIABLE", **place, **more}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.jsonl"


def test_the_newest_record_of_a_key_counts_and_the_older_stays_in_the_file(path):
    with Store(path) as store:
        for number in range(3):
            store.add(record("a", limits={"cpu": number}))
        store.add(record("b"))
    with Store(path) as store:
        assert [(key, entry["limits"]) for key, entry in store.latest.items()] == [("a", {"cpu": 2}), ("b", {})]
    assert len(path.read_text().splitlines()) == 4


def test_cut_anywhere_the_whole_records_remain(path):
    with Store(path) as store:
        for key in "abcde":
            store.add(record(key, reason='line\nend "quoted" é'))
    data = path.read_bytes()
    ends = [number for number, byte in enumerate(data) if byte == ord("\n")]
    assert len(ends) == 5
    for length in sorted({*range(0, len(data) + 1, 17), *ends, *(end + 1 for end in ends), *(end - 1 for end in ends)}):
        path.write_bytes(data[:length])
        whole = sum(end <= length for end in ends)  # includes a record that lacks only its line end
        with Store(path) as store:
            assert len(store.latest) == whole
            store.add(record("new"))
        keys = [json.loads(line)["key"] for line in path.read_bytes().splitlines()]
        assert keys == [*"abcde"[:whole], "new"]


@pytest.mark.parametrize("line", ['{"key": ', "[]", "{}", "3"])
def test_damaged_line_in_the_middle_is_reported(path, line):
    good = json.dumps(record("a"))
    path.write_text(f"{good}\n{line}\n{good}\n")
    with pytest.raises(InputError, match=r"runs\.jsonl:2: .*found .*expected"):
        Store(path)
    path.write_text(good + "\n")
    Store(path).close()  # the lock was let go of


def test_two_benchmarks_on_one_file(path):
    with Store(path), pytest.raises(InputError, match="another process is writing to this file"):
        Store(path)
    Store(path).close()


def test_the_lock_goes_with_its_holder(path):
    code = (
        "import pathlib, sys; from cnfgen_puzzles.bench.runs import Store\n"
        "store = Store(pathlib.Path(sys.argv[1])); print('locked', flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(InputError, match="another process is writing"):
            Store(path)
        holder.kill()
        holder.wait()
        Store(path, durable=True).close()


def test_fresh_forgets(path):
    with Store(path) as store:
        store.add(record("a"))
    with Store(path, fresh=True) as store:
        assert not store.latest
        assert not path.read_bytes()
