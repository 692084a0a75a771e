"""Export of a suite for BenchExec, and import of its results.

`tiny.results.xml` is a result file that BenchExec 3.35 wrote for the export of the suite below, with MiniSat, without container
mode. The host name, the environment variables, and some columns were removed from it. BenchExec is not needed for these tests.
"""

from __future__ import annotations

import bz2
import importlib.util
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from cnfgen_puzzles.bench import read_results, score_table
from cnfgen_puzzles.bench.analyse.alarms import disagreements
from cnfgen_puzzles.bench.benchexec.results import import_results
from cnfgen_puzzles.bench.benchexec.tasks import export_suite
from cnfgen_puzzles.bench.record import evidence_of, facts
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError

RESULT = Path(__file__).with_name("tiny.results.xml")
SUITE = """\
name: tiny
instances:
  - {cnf: sat.cnf, expected: sat}
  - {cnf: unsat.cnf, expected: unsat}
  - {cnf: wrong.cnf, expected: unsat}
  - {cnf: hard.cnf}
solvers: [minisat, {name: kissat, options: [--sat]}, {name: plingeling, threads: 2}]
limits: {cpu: 1.5, memory: 500MiB}
seeds: 7
jobs: 2
"""


def holes(n: int = 11) -> str:
    """n + 1 pigeons in n holes."""
    clauses = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
    clauses += [[-p * n - h - 1, -q * n - h - 1] for h in range(n) for p in range(n + 1) for q in range(p)]
    return f"p cnf {n * (n + 1)} {len(clauses)}\n" + "".join(f"{' '.join(map(str, clause))} 0\n" for clause in clauses)


@pytest.fixture
def exported(tmp_path):
    texts = {"sat": "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n", "unsat": "p cnf 1 2\n1 0\n-1 0\n", "wrong": "p cnf 2 1\n1 2 0\n"}
    for name, text in (texts | {"hard": holes()}).items():
        (tmp_path / f"{name}.cnf").write_text(text)
    (tmp_path / "suite.yaml").write_text(SUITE)
    return export_suite(read_suite(tmp_path / "suite.yaml"), tmp_path / "out")


def test_files_of_an_export(exported):
    folder = exported.folder
    definition = ElementTree.parse(folder / "tiny.minisat.xml").getroot()
    assert definition.attrib == {
        "tool": "cnfgen_tools.minisat", "timelimit": "2 s", "walltimelimit": "15 s", "memlimit": "524288000 B", "cpuCores": "1",
    }  # fmt: skip
    assert "the limit of 1.5 s is 2 s" in " ".join(exported.notes)
    kissat = ElementTree.parse(folder / "tiny.kissat.xml").getroot()
    assert kissat.attrib["tool"] == "cnfgen_tools.kissat"
    assert [option.attrib["name"] for option in kissat.iter("option")] == ["--seed=7", "--sat"]
    assert [each.attrib["name"] for each in kissat.iter("rundefinition")] == ["kissat_--sat.seed7"]
    assert ElementTree.parse(folder / "tiny.plingeling.xml").getroot().attrib["cpuCores"] == "2"
    listed = {(folder / name).read_text() for each in kissat.iter("includesfile") if (name := each.text)}
    assert [line.split(".")[0] for line in listed.pop().splitlines()] == [f"tasks/{n}" for n in ("sat", "unsat", "wrong", "hard")]
    verdicts = {path.name.split(".")[0]: path.read_text().splitlines()[5:] for path in (folder / "tasks").iterdir()}
    assert verdicts["sat"] == ["    expected_verdict: true"] and verdicts["unsat"] == ["    expected_verdict: false"]
    assert verdicts["hard"] == [], "an unknown verdict stays unknown"


def test_folder_of_an_export_can_be_written_again(exported, tmp_path, invoke):
    with pytest.raises(InputError, match="expected a new folder"):
        export_suite(read_suite(tmp_path / "suite.yaml"), tmp_path)
    done = invoke("export-benchexec", tmp_path / "suite.yaml", "-o", exported.folder)
    assert done.exit_code == 0 and "benchexec tiny.minisat.xml" in done.output


@pytest.mark.parametrize(
    ("lines", "code", "verdict"),
    [
        (["c x\n", "s SATISFIABLE\n", "v 1 0\n"], 10, "true"),
        (["UNSATISFIABLE\n"], 20, "false"),
        (["s SATISFIABLE\n"], 20, "ERROR (the exit code contradicts the verdict)"),
        (["s SATISFIABLE\n", "s UNSATISFIABLE\n"], 10, "ERROR (two verdicts)"),
        (["c s SATISFIABLE\n"], 0, "unknown"),
        ([], None, "ERROR"),
    ],
)
def test_tool_info(exported, monkeypatch, lines, code, verdict):
    names = {"RESULT_TRUE_PROP": "true", "RESULT_FALSE_PROP": "false", "RESULT_UNKNOWN": "unknown", "RESULT_ERROR": "ERROR"}
    modules = {
        name: ModuleType(name) for name in ("benchexec", "benchexec.result", "benchexec.tools", "benchexec.tools.template")
    }
    vars(modules["benchexec.result"]).update(names)
    modules["benchexec.tools.template"].BaseTool2 = object
    modules["benchexec"].result, modules["benchexec"].tools = modules["benchexec.result"], modules["benchexec.tools"]
    modules["benchexec.tools"].template = modules["benchexec.tools.template"]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    specification = importlib.util.spec_from_file_location("tool", exported.folder / "cnfgen_tools" / "minisat.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    tool, task = module.Tool(), SimpleNamespace(single_input_file="x.cnf")
    assert tool.cmdline("minisat", ["-a"], task, None) == ["minisat", "-verb=0", "-a", "x.cnf", "/dev/null"]
    assert tool.determine_result(SimpleNamespace(output=lines, exit_code=SimpleNamespace(value=code))) == verdict


def test_import_of_a_result_file(exported, tmp_path):
    (exported.folder / "results").mkdir()
    path = exported.folder / "results" / "tiny.xml.bz2"
    path.write_bytes(bz2.compress(RESULT.read_bytes()))
    for _ in range(2):  # the second time replaces the runs
        import_results([path], tmp_path / "imported")
    results = read_results([tmp_path / "imported"])
    found = {record["instance"]: record for record in results.records}
    assert {name: (r["status"], r["exit_code"], r["signal"], r["ended"]) for name, r in found.items()} == {
        "sat.cnf": ("SATISFIABLE", 10, None, "exit"),
        "unsat.cnf": ("UNSATISFIABLE", 20, None, "exit"),
        "wrong.cnf": ("SATISFIABLE", 10, None, "exit"),
        "hard.cnf": ("TIMEOUT", None, 9, "cpu-limit"),
    }
    hard = found["hard.cnf"]
    assert (hard["cpu"], hard["memory"], hard["limits"]) == (1.524694003, 2027520, {"cpu": 1, "wall": None, "memory": 524288000})
    assert (hard["suite"], hard["solver"], hard["seed"], hard["expected"]) == ("tiny (BenchExec)", "minisat", 7, None)
    assert dict(facts(hard))["Imported from"] == "BenchExec 3.35, TIMEOUT, error, cputime"
    assert {name: e.kind for name, r in found.items() if (e := evidence_of(r))} == dict.fromkeys(
        ["sat.cnf", "unsat.cnf", "wrong.cnf"], "word"
    )
    assert not any(record["verified"] for record in found.values())
    assert [told for _, told in disagreements(results.records)] == [
        "wrong.cnf is known to be unsatisfiable (by the suite): satisfiable by minisat (as given, claimed)"
    ]
    table = score_table(results.records)
    [scores] = [dict(zip(table.headers, row, strict=True)) for row in table.rows]
    assert (scores["solved"], scores["claimed"], scores["failed"]) == ("2/4", "2", "1")
    assert "claimed: their models were not checked" in table.note


def test_import_without_the_task_definitions(tmp_path):
    shutil.copy(RESULT, tmp_path / "r.xml")
    import_results([tmp_path / "r.xml"], tmp_path / "imported")
    record = next(r for r in read_results([tmp_path / "imported"]).records if "wrong" in r["instance"])
    assert (record["instance"], record["solver"]) == ("cnf/wrong.89a3c16c7cbe85a9.cnf", "minisat minisat.seed7")
    assert (record["expected"], record["expected_by"]) == ("UNSATISFIABLE", "the task definition")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('properties="satisfiable"', 'properties="unreach-call"', "r.xml:18: found results for the property 'unreach-call'"),
        ("<result ", "<table ", "not well-formed"),
        ('cputime" value="0.003193223s"', 'cputime" value="1e300s"', "expected a number"),
        ('returnvalue" value="10"', 'returnvalue" value="1e30"', "expected a whole number"),
    ],
)
def test_refused_result_files(tmp_path, old, new, message):
    (tmp_path / "r.xml").write_text(RESULT.read_text().replace(old, new))
    with pytest.raises(InputError) as refused:
        import_results([tmp_path / "r.xml"], tmp_path / "imported")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "status", "reason"),
    [
        ("returnvalue=10", "SATISFIABLE", ""),
        ("returnvalue=0", "UNKNOWN", ""),
        ("returnvalue=3", "ERROR", "runexec: exit code 3"),
        ("exitsignal=11", "ERROR", "runexec: signal 11"),
        ("terminationreason=walltime\nexitsignal=9", "TIMEOUT", "runexec: walltime"),
        ("terminationreason=memory\nexitsignal=9", "MEMOUT", "runexec: memory"),
        ("terminationreason=files-count\nexitsignal=9", "ERROR", "runexec: files-count"),
    ],
)
def test_logs_of_runexec(tmp_path, invoke, lines, status, reason):
    (tmp_path / "kissat").mkdir()
    log = tmp_path / "kissat" / "x.cnf.log"
    log.write_text(
        f"starttime=2026-11-23T11:43:15.7+00:00\n{lines}\nwalltime=1.5s\ncputime=1.25s\nmemory=262144B\nblkio-read=0B\n"
    )
    done = invoke("import-benchexec", log, "-o", tmp_path / "imported", "--cpu-limit", "60")
    assert (done.exit_code, f"1 runs (1 {status})" in done.output) == (0, True), done.output
    [record] = read_results([tmp_path / "imported"]).records
    assert (record["solver"], record["instance"], record["status"], record["reason"]) == ("kissat", "x.cnf", status, reason)
    assert (record["cpu"], record["wall"], record["memory"], record["verified"]) == (1.25, 1.5, 262144, False)
    assert invoke("scores", tmp_path / "imported").exit_code == 0


def test_file_without_measurements_is_refused(tmp_path, invoke):
    (tmp_path / "x.log").write_text("hello\n")
    done = invoke("import-benchexec", tmp_path / "x.log", "-o", tmp_path / "imported")
    assert done.exit_code == 2 and "found no line `cputime=...`" in done.output
