"""GBD: hashes equal those of its program (values printed by gbdc 0.4.3), and its queries have facts about instances."""

import json
import lzma

import pytest
from bench.suites import SAT, UNSAT, records

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.suite.reader import read_suite
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

    def write(query):
        (tmp_path / "query.csv").write_text(query.replace("UNSAT", unsat).replace("SAT", SAT_HASH))
        path = tmp_path / "suite.yaml"
        value = {"name": "s", "solvers": ["minisat"], "limits": {"cpu": 5}, "instances": [{"cnf": "sat/"}]}
        path.write_text(json.dumps(value | {"features": "query.csv"}))
        return path

    return write


@pytest.mark.parametrize(
    "query",
    [
        "hash filename family result\nUNSAT named.cnf.xz f unsat\nSAT gone.cnf g [None]\n",
        "hash,family,result\nUNSAT,f,unsat\nSAT,g,\n",
    ],
)
def test_a_query_has_facts_about_files(suite, query):
    found = {task.instance.name.split("-")[-1]: task.instance for task in read_suite(suite(query)).tasks}
    assert (found["named.cnf.xz"].expected, found["sat/plain.cnf"].expected) == ("UNSATISFIABLE", None)
    assert dict(found["sat/plain.cnf"].features)["family"] == "g"
    assert found["named.cnf.xz"].expected_by.endswith("query.csv:2") and not found["sat/other.cnf"].features


def test_a_file_that_is_another_formula_does_not_run(suite, tmp_path):
    run_suite(suite("hash filename\nSAT plain.cnf\nUNSAT other.cnf\n"), tmp_path / "out")
    found = {record["instance"]: record for record in records(tmp_path / "out")}
    assert found["sat/plain.cnf"]["cnf"]["gbd_hash"] == SAT_HASH and found["sat/plain.cnf"]["status"] == "SATISFIABLE"
    assert found["sat/other.cnf"]["status"] == "ERROR"
    assert "found a formula with the GBD hash" in found["sat/other.cnf"]["reason"]
