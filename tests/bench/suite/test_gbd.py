"""GBD: hashes equal those of its program (values printed by gbdc 0.4.3), and its queries and tracks become instances."""

import json
import lzma

import pytest
from bench.suites import SAT, UNSAT, records

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.formula import cnf as cnf_module
from cnfgen_puzzles.formula import read_dimacs

GBDC = {
    SAT: "e6668f25b186f966f17ac87f7758ae9e",
    "c hi\np  cnf  3   3 \n1   2 0\n-1\t3 0 -2 -3 0\n\n": "e6668f25b186f966f17ac87f7758ae9e",
    "p cnf 3 3\r\n1 2 0\r\n-1 3 0\r\n-2 -3 0\r\n": "e6668f25b186f966f17ac87f7758ae9e",
    "p cnf 3 3\n1\n2\n0\n-1 3 0\n-2 -3 0\nc end": "e6668f25b186f966f17ac87f7758ae9e",
    "p cnf 0 0\n": "d41d8cd98f00b204e9800998ecf8427e",
    "p cnf 0 1\n0\n": "cfcd208495d565ef66e7dff9f98764da",
}
SAT_HASH = GBDC[SAT]


@pytest.mark.parametrize("text", GBDC)
@pytest.mark.parametrize("piece", [1, 2, 1 << 18])
def test_the_hash_is_the_one_of_gbdc(text, piece, monkeypatch):
    monkeypatch.setattr(cnf_module, "GBD_PIECE", piece)
    assert read_dimacs(Source("x.cnf", text.encode())).cnf.gbd_hash() == GBDC[text]


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "sat").mkdir()
    (tmp_path / "sat" / "plain.cnf").write_text(SAT)
    unsat = read_dimacs(Source("x", UNSAT.encode())).cnf.gbd_hash()
    (tmp_path / "sat" / f"{unsat}-named.cnf.xz").write_bytes(lzma.compress(UNSAT.encode()))
    (tmp_path / "sat" / "other.cnf").write_text("p cnf 2 1\n1 2 0\n")

    def write(query, **entry):
        (tmp_path / "q").write_text(query.replace("UNSAT", unsat).replace("SAT", SAT_HASH))
        path = tmp_path / "suite.yaml"
        value = {"name": "s", "solvers": ["minisat"], "limits": {"cpu": 5}}
        path.write_text(json.dumps(value | {"instances": [{"gbd": "q", "folder": "sat"} | entry]}))
        return path

    return write


def instances(path):
    return {t.instance.name.split("-")[-1]: t.instance for t in read_suite(path).tasks}


@pytest.mark.parametrize(
    ("query", "entry"),
    [
        ("hash filename family result\nUNSAT named.cnf.xz f unsat\nSAT gone.cnf g [None]\n", {}),
        ("hash,family,result\nUNSAT,f,unsat\nSAT,g,\n", {}),
        ("UNSAT f unsat\nSAT g unknown\n", {"columns": ["hash", "family", "result"]}),
    ],
)
def test_a_query_becomes_instances(suite, query, entry):
    found = instances(suite(query, **entry))
    assert list(found) == ["named.cnf.xz", "sat/plain.cnf"]
    assert (found["named.cnf.xz"].expected, found["sat/plain.cnf"].expected) == ("UNSATISFIABLE", None)
    assert dict(found["sat/plain.cnf"].features)["family"] == "g"
    assert found["named.cnf.xz"].expected_by.endswith(("q:2", "q:1"))


@pytest.mark.parametrize(
    "line", ["https://benchmark-database.de/file/SAT?context=cnf", "SAT", "/mnt/x/plain.cnf", "plain.cnf.xz"]
)
def test_a_track_is_a_list_of_urls_hashes_or_paths(suite, line):
    assert list(instances(suite(f"{line}\nUNSAT\n"))) == ["sat/plain.cnf", "named.cnf.xz"]


def test_missing_files_and_packages_are_reported(suite):
    path = suite("SAT\n" + "0" * 32 + "\n")
    assert [note for note in read_suite(path).notes if "1 of 2 rows name no file below sat (line 2: 0000" in note]
    with pytest.raises(InputError, match="found no file below sat"):
        read_suite(suite("0" * 32 + "\n"))
    with pytest.raises(InputError, match=r"gbd get \.\.\. -H"):
        read_suite(suite("SAT f\n"))


def test_names_by_hash_and_a_file_that_is_another_formula(suite, tmp_path):
    path = suite("hash filename\nSAT plain.cnf\nUNSAT other.cnf\n", names="hash")
    assert {task.instance.name for task in read_suite(path).tasks} >= {SAT_HASH}
    run_suite(path, tmp_path / "out")
    wrong, right = sorted(records(tmp_path / "out"), key=lambda record: record["status"])
    assert (right["instance"], right["cnf"]["gbd_hash"], right["status"]) == (SAT_HASH, SAT_HASH, "SATISFIABLE")
    assert wrong["status"] == "ERROR"
    assert "found a formula with the GBD hash" in wrong["reason"]
