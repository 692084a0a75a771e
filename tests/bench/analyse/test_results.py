"""Result files in practice: truncated, damaged, old, from several machines, and with repeated runs."""

import json

import pytest

from cnfgen_puzzles.bench.analyse.alarms import disagreements
from cnfgen_puzzles.bench.analyse.results import merge, read_results, result_files
from cnfgen_puzzles.bench.runs import latest_records
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import sealed_line

SAT, UNSAT = "SATISFIABLE", "UNSATISFIABLE"


def record(key="k", status=SAT, date="2026-01-01T00:00:00+00:00", host="x", **more):
    return {"record": 2, "key": key, "suite": "s", "family": "f", "instance": "i", "solver": "a", "status": status, "cpu": 1,
            "wall": 2, "limits": {"cpu": 10}, "machine": {"host": host}, "date": date} | more  # fmt: skip


def write(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(sealed_line, records)))
    return path


def test_the_newest_record_of_a_run_counts(tmp_path):
    path = write(tmp_path / "runs.jsonl", [record(status="ERROR"), record("other"), record(date="2025-01-01T00:00:00+00:00")])
    found = read_results([path])
    assert [(r["key"], r["status"]) for r in found.records] == [("k", SAT), ("other", SAT)]  # last in a file, whatever the clock
    late = write(tmp_path / "late.jsonl", [record(status="TIMEOUT", date="2026-02-01T00:00:00+00:00")])
    for files in ([path, late], [late, path]):
        assert {r["key"]: r["status"] for r in read_results(files).records} == {"k": "TIMEOUT", "other": SAT}
    other_suite = write(tmp_path / "suite.jsonl", [record(suite="t")])
    assert len(read_results([path, other_suite]).records) == 3


@pytest.mark.parametrize(
    "line, message",
    [
        ('{"key": ', "damaged line"),
        ("[" * 100_000, "levels deep"),
        ("\xff", "damaged line"),
        ("[1]", "found an array, expected a JSON object"),
        ('{"record": 3}', "record version 3, expected 2"),
        (json.dumps(record(status="SAT")), "the status 'SAT', expected one of"),
        (json.dumps(record(cpu="1")), "found '1' as 'cpu' of a run"),
        (json.dumps(record(wall=float("nan"))), "found NaN, expected a number"),
        (json.dumps(record(key=None)), "found None as 'key'"),
        (json.dumps(record(limits=[1])), "as 'limits' of a run, expected an object"),
        (json.dumps(record(limits={"cpu": "1"})), "as 'cpu' of the limits"),
    ],
)
def test_damaged_line_is_reported_with_its_number(tmp_path, line, message):
    path = tmp_path / "runs.jsonl"
    good = json.dumps(record())
    path.write_text(f"{good}\n\n{line}\n{good}\n", encoding="latin-1")
    with pytest.raises(InputError, match=message) as caught:
        read_results([path])
    assert (caught.value.source, caught.value.line) == (str(path), 3)


def test_old_records_get_defaults(tmp_path):
    old = {name: value for name, value in record().items() if name not in ("machine", "suite")}
    [found] = read_results([write(tmp_path / "runs.jsonl", [old | {"cnf": None}])]).records
    assert (found["suite"], found["machine"], found["repetition"], found["cnf"], found["encoding"]) == ("", {}, 1, {}, None)


def test_files_folders_and_folders_of_folders(tmp_path):
    one, two = write(tmp_path / "one" / "runs.jsonl", [record()]), write(tmp_path / "two" / "runs.jsonl", [record()])
    assert result_files([tmp_path]) == [one, two]
    assert result_files([tmp_path / "one", one]) == [tmp_path / "one" / "runs.jsonl"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no runs\.jsonl in this folder"):
        result_files([tmp_path / "empty"])
    with pytest.raises(InputError, match="cannot be read"):
        read_results([tmp_path / "missing.jsonl"])


def test_filters(tmp_path):
    found = [record("1", encoding="order"), record("2", solver="kissat", encoding=None, cnf={"variables": 7})]
    path = write(tmp_path / "runs.jsonl", found)

    def keys(*filters):
        return [r["key"] for r in read_results([path], filters).records]

    assert keys() == ["1", "2"]
    assert keys("solver=kis*") == ["2"] and keys("solver!=kissat") == ["1"]
    assert keys("solver=kissat,a") == keys("solver=kissat", "solver=a") == ["1", "2"]
    assert keys("encoding=none") == keys("cnf.variables=7") == ["2"] and keys("host=x", "encoding=order") == ["1"]
    assert keys("leftovers=none", "describe!=x") == ["1", "2"]  # fields that no record has
    with pytest.raises(InputError, match="did you mean solver"):
        keys("solvr=a")
    with pytest.raises(InputError, match="expected NAME=VALUE"):
        keys("kissat")


# -- merging --------------------------------------------------------------------------------------------------------------


def test_merging_keeps_each_run_once_and_tells_conflicts(tmp_path):
    one = write(tmp_path / "one" / "runs.jsonl", [record("1"), record("2", status="TIMEOUT")])
    late = "2026-03-01T00:00:00+00:00"
    two = write(tmp_path / "two" / "runs.jsonl", [record("2", date=late), record("1"), record("3")])
    done = merge([one, two], tmp_path / "both" / "runs.jsonl")
    assert (len(done.found), done.repeated) == (3, 2)
    [conflict] = done.conflicts
    assert conflict == f"2: kept SATISFIABLE in {two} (x), not TIMEOUT in {one} (x)"
    found = read_results([tmp_path / "both"])
    assert {r["key"]: (r["status"], r["machine"]["host"]) for r in found.records} == {
        "1": (SAT, "x"), "2": (SAT, "x"), "3": (SAT, "x")
    }  # fmt: skip
    assert found.revoked == []


def test_runs_of_two_hosts_are_both_kept_and_told_apart(tmp_path):
    key, other = '["f", "i", null, null, "a", null, 1]', '["f", "j", null, null, "a", null, 1]'
    one = write(tmp_path / "one" / "runs.jsonl", [record(key, host="x", cpu=1), record(other, host="x")])
    two = write(tmp_path / "two" / "runs.jsonl", [record(key, host="y", cpu=3)])
    done = merge([one, two], tmp_path / "both" / "runs.jsonl")
    assert (len(done.found), done.repeated, done.of_several_hosts, done.conflicts) == (3, 0, {("s", key)}, [])
    keys = {f"{key}@x": "x", f"{key}@y": "y", other: "x"}
    for paths in ([tmp_path / "both"], [tmp_path / "both", one, two], [one, two]):
        found = read_results(paths)
        assert sorted((r["cpu"], r["machine"]["host"]) for r in found.records) == [(1, "x"), (1, "x"), (3, "y")]
        if one not in paths:
            assert {r["key"]: r["machine"]["host"] for r in found.records} == keys
    # a second merge of the same runs adds nothing, and a repeated run replaces that of its host only
    late = write(tmp_path / "late" / "runs.jsonl", [record(key, host="y", cpu=4, date="2027-01-01T00:00:00+00:00")])
    again = merge([tmp_path / "both", late], tmp_path / "again" / "runs.jsonl")
    assert again.found.keys() == {("s", key, "x"), ("s", key, "y"), ("s", other, "x")}
    found = read_results([tmp_path / "again"])
    assert {r["key"]: r["cpu"] for r in found.records} == {f"{key}@x": 1, f"{key}@y": 4, other: 1}
    # a benchmark that resumes in the merged folder has these runs already
    assert set(latest_records(tmp_path / "again" / "runs.jsonl")) == {key, other}


def test_a_run_that_moved_to_another_host_is_the_same_run(tmp_path):
    """Within one result file, the last record of a run counts: workers of a cluster have several hosts."""
    [found] = read_results([write(tmp_path / "runs.jsonl", [record(host="x", status="ERROR"), record(host="y")])]).records
    assert (found["status"], found["machine"]["host"]) == (SAT, "y")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_opposite_verdicts_survive_a_merge(tmp_path, order):
    files = [
        write(tmp_path / "0.jsonl", [record(status=SAT)]),
        write(tmp_path / "1.jsonl", [record(status=UNSAT, date="2026-03-01T00:00:00+00:00")]),
    ]
    merge([files[number] for number in order], tmp_path / "both.jsonl")
    merge([tmp_path / "both.jsonl"], tmp_path / "again.jsonl")
    found = read_results([tmp_path / "again.jsonl"])
    assert [r["status"] for r in found.records] == [UNSAT] and [r["status"] for r in found.revoked] == [SAT]
    assert len(disagreements([*found.records, *found.revoked])) == 1


def test_a_run_that_contradicts_itself_is_an_alarm(tmp_path):
    found = read_results([write(tmp_path / "runs.jsonl", [record(status=SAT), record(status=UNSAT)])])
    assert disagreements(found.records) == []
    assert [said for _, said in disagreements([*found.records, *found.revoked])] == [
        "solvers disagree on i: satisfiable by a (as given, checked model); unsatisfiable by a (as given, claimed)"
    ]


def test_names_of_formulas_hold_after_a_merge(tmp_path):
    folder = tmp_path / "one"
    files = write(folder / "runs.jsonl", [record("1", cnf_file="cnf/x.cnf"), record("2", cnf_file="cnf/gone.cnf")])
    (folder / "cnf").mkdir()
    (folder / "cnf" / "x.cnf").write_text("p cnf 0 0\n")
    merge([files], tmp_path / "deep" / "er" / "runs.jsonl")
    names = [r["cnf_file"] for r in read_results([tmp_path / "deep" / "er"]).records]
    assert names == ["../../one/cnf/x.cnf", "cnf/gone.cnf"]
    assert (tmp_path / "deep" / "er" / names[0]).resolve() == (folder / "cnf" / "x.cnf").resolve()


def test_the_command_merges(command, tmp_path):
    one = write(tmp_path / "one" / "runs.jsonl", [record("1")])
    two = write(tmp_path / "two.jsonl", [record("1", status=UNSAT, date="2027")])
    two.write_bytes(two.read_bytes() + b'{"record": 2, "ke')
    done = command("bench-cnf", "merge", one.parent, two, "-o", tmp_path / "both")
    assert done.returncode == 1
    assert done.stderr.startswith(b"ALARM: solvers disagree on i")
    assert b"two.jsonl:2: the last line is incomplete" in done.stderr and b"conflict: 1: kept UNSATISFIABLE" in done.stderr
    assert b"runs.jsonl: 1 runs; 1 repeated, 1 of them with different outcomes" in done.stdout
    for words, message in (((), b"--force overwrites it"), (("--force",), b"as an output, expected another file")):
        again = command("bench-cnf", "merge", tmp_path / "both", "-o", tmp_path / "both", *words)
        assert again.returncode == 2 and message in again.stderr
