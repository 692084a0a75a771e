"""The result file: only complete lines, the newest record of a key, one writer at a time."""

import json

import pytest

from cnfgen_puzzles.bench.runs import Store


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


def test_fresh_forgets(path):
    with Store(path) as store:
        store.add(record("a"))
    with Store(path, fresh=True) as store:
        assert not store.latest
        assert not path.read_bytes()
