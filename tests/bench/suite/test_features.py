"""Features from CSV: how rows are matched with instances, which unmatched rows are reported, and where features appear."""

import json

import pytest
from bench.suites import SAT, UNSAT, records

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.tables import read_csv_table
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import read_dimacs


@pytest.fixture
def suite(tmp_path):
    for name, text in (("a/x.cnf", SAT), ("b/x.cnf", UNSAT), ("b/y.cnf", UNSAT)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def write(facts, entry=None, **keys):
        (tmp_path / "facts.csv").write_text(facts)
        value = {"name": "s", "instances": [{"cnf": ["a/", "b/"]} | (entry or {})], "solvers": ["minisat"], "limits": {"cpu": 5}}
        path = tmp_path / "suite.yaml"
        path.write_text(json.dumps(value | {"features": "facts.csv"} | keys))
        return path

    return write


def facts_of(path):
    return {t.instance.name: (t.instance.expected, dict(t.instance.features)) for t in read_suite(path).tasks}


def test_rows_are_joined_by_name_path_file_and_hash(suite, tmp_path):
    path = suite("")
    gbd = read_dimacs(open_source(tmp_path / "a/x.cnf")).cnf.gbd_hash()
    by_name = "instance;expected;author;year\na/x.cnf;SAT;Å;2020\n./b/x.cnf;unsatisfiable;B;\n/elsewhere/y.cnf.xz;?;C;1999\n"
    suite(by_name)
    assert facts_of(path) == {
        "a/x.cnf": ("SATISFIABLE", {"author": "Å", "year": 2020}),
        "b/x.cnf": ("UNSATISFIABLE", {"author": "B"}),
        "b/y.cnf": (None, {"author": "C", "year": 1999}),
    }
    suite(f"hash,result\n{gbd.upper()},sat\n{'0' * 32},sat\n")
    assert facts_of(path)["a/x.cnf"] == ("SATISFIABLE", {"hash": gbd.upper(), "result": "sat"})
    assert any("1 of 2 rows name no instance here (line 3: 0000" in note for note in read_suite(path).notes)


@pytest.mark.parametrize(
    ("facts", "line", "message"),
    [
        ("instance,expected\nx.cnf,sat\n", 2, "which matches 2 instances"),
        (
            "instance,expected\ny.cnf,sat\nb/y.cnf,unsat\n",
            3,
            "found unsat for b/y.cnf, which is satisfiable according to .*facts.csv:2",
        ),
        ("instance,expected\ny.cnf,maybe\n", 2, "expected sat, unsat or unknown"),
        ("instance,expected,result\ny.cnf,sat,unsat\n", 2, "which is satisfiable according to"),
        ("name,author\ny.cnf\n", 2, "found 1 cells, expected 2"),
        ("author,year\nA,2020\n", 1, "found no column for instances"),
        ("name,name\ny.cnf,y.cnf\n", 1, "the column 'name' a second time"),
        ("", 1, "found an empty file"),
    ],
)
def test_mistakes_name_file_and_line(suite, facts, line, message):
    path = suite(facts)
    with pytest.raises(InputError, match=message) as caught:
        read_suite(path)
    assert f"facts.csv:{line}: " in str(caught.value)


def test_a_fact_against_the_suite_is_a_mistake(suite):
    with pytest.raises(InputError, match=r"found sat for b/y.cnf, which is unsatisfiable according to the suite"):
        read_suite(suite("instance,expected\nb/y.cnf,sat\n", {"expected": "unsat"}))


def test_features_are_names_for_the_filters_of_a_suite(suite):
    facts = "instance,author,family\na/x.cnf,Ann,one\nb/x.cnf,Bob,one\nb/y.cnf,Bob,two\n"
    assert set(facts_of(suite(facts, include=[{"author": "B*"}], exclude=[{"family": "two"}]))) == {"b/x.cnf"}
    assert set(facts_of(suite(facts, include=[{"features.author": "Ann"}]))) == {"a/x.cnf"}
    with pytest.raises(InputError, match=r"unknown key of a filter 'autor'; did you mean author\?"):
        read_suite(suite(facts, include=[{"autor": "B*"}]))


def test_in_records_groups_filters_and_alarms(suite, tmp_path, invoke):
    facts = "instance,expected,family,year\na/x.cnf,unsat,one,2020\nb/x.cnf,unsat,two,2021\nb/y.cnf,unsat,two,2021\n"
    run_suite(suite(facts), tmp_path / "out")
    [wrong] = [r for r in records(tmp_path / "out") if r["instance"] == "a/x.cnf"]
    assert (wrong["expected_by"], wrong["features"]) == (f"{tmp_path}/facts.csv:2", {"family": "one", "year": 2020})
    told = invoke("scores", tmp_path / "out", "--by", "family,year")
    assert told.exit_code == 1
    said = f"a/x.cnf is known to be unsatisfiable (by {tmp_path}/facts.csv:2): satisfiable by minisat"
    assert said in told.output
    assert "two       2021    minisat" in told.output
    assert "Only runs with year=2021." in invoke("scores", tmp_path / "out", "--filter", "year=2021").output
    assert invoke("scores", tmp_path / "out", "--filter", "family=cnf").exit_code == 1  # the puzzles' family is cnf all the same
    assert "unknown group 'yaer'; did you mean year?" in invoke("scores", tmp_path / "out", "--by", "yaer").output


def test_facts_joined_when_results_are_read(suite, tmp_path, invoke):
    path = suite("")
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "features"}))
    run_suite(path, tmp_path / "out")
    (tmp_path / "late.csv").write_text("file,author,expected\na/x.cnf,Ann,sat\nb/y.cnf,Bob,unsat\nz.cnf,Zoe,sat\n")
    told = invoke("scores", tmp_path / "out", "--features", tmp_path / "late.csv", "--by", "author")
    assert told.exit_code == 0
    assert [word in told.output for word in ("Ann", "Bob", "unknown", "Zoe")] == [True, True, True, False]
    assert "line 4: z.cnf" in told.output
    (tmp_path / "none.csv").write_text("file,author\nz.cnf,Zoe\n")
    assert "found no row about any" in invoke("scores", tmp_path / "out", "--features", tmp_path / "none.csv").output


def test_amounts(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\tb\tc\td\te\n1\t1\t007\t1e3\t1_0\n-2\t[None]\t1\t0.5\t2\n")
    assert [row.values for row in read_csv_table(path).rows] == [
        {"a": 1, "b": 1, "c": "007", "d": 1000.0, "e": "1_0"}, {"a": -2, "c": "1", "d": 0.5, "e": "2"},
    ]  # fmt: skip
