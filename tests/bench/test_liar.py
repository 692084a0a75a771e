"""A lying solver rewrites every file of the benchmark that it finds. Runs of the others stay correct, and results complete."""

import json

import pytest
from bench import suites

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.common.errors import InputError

LIAR = """
def ruin(path, text):
    try:
        with open(path, 'w') as file:
            file.write(text)
    except OSError:
        pass
if len(sys.argv) > 1 and os.path.exists(sys.argv[-1]):
    ruin(sys.argv[-1], 'p cnf 1 2\\n1 0\\n-1 0\\n')
    for folder, _, files in os.walk(ROOT):
        for name in files:
            if name.endswith(ENDINGS):
                ruin(os.path.join(folder, name), 'p cnf 1 2\\n1 0\\n-1 0\\n' if name.endswith('.cnf') else '')
            elif name == 'honest':
                ruin(os.path.join(folder, name), 'ruined')
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("confinement", ["", "no"])
def test_honest_runs_stay_right(tmp_path, monkeypatch, confinement):
    """The liar is the first and the last solver of each formula, so the others see the files that it leaves."""
    monkeypatch.setenv("CNFGEN_CONFINEMENT", confinement)
    if not confinement:
        monkeypatch.delenv("CNFGEN_CONFINEMENT")
    endings = (".cnf", ".json") if confinement else (".cnf", ".json", ".jsonl")  # see the next test
    body = f"ROOT, ENDINGS = {str(tmp_path)!r}, {endings!r}\n{LIAR}\n{suites.HONEST}"
    liars = [str(suites.solver(tmp_path, name, body)) for name in ("liar", "lies")]
    honest = str(suites.solver(tmp_path, "honest", suites.HONEST))
    solvers = [liars[0], "kissat", honest, liars[1]]
    path = suites.suite(tmp_path, solvers, files=2, jobs=1, repetitions=2)
    before = {file: file.read_bytes() for file in (tmp_path / "f000.cnf", tmp_path / "f001.cnf", tmp_path / "honest")}
    done = run_suite(path, tmp_path / "out")
    if not confinement:  # without Landlock damage is found, and not repaired
        assert {file: file.read_bytes() for file in before} == before
    assert (done.made, len(done.records)) == (16, 16)
    assert len(read_results([tmp_path / "out"]).records) == 16
    statuses = {(record["solver"], record["status"]) for record in done.records}
    if confinement:
        assert {status for solver, status in statuses if solver in ("liar", "lies")} == {"ERROR"}
    assert json.loads((tmp_path / "suite.yaml").read_text())["name"] == "small"
    if not confinement:
        assert {status for solver, status in statuses if solver in ("kissat", "honest")} == {"SATISFIABLE"}
        assert run_suite(path, tmp_path / "out").made == 0


def test_a_result_file_that_a_program_emptied_ends_the_benchmark(tmp_path, monkeypatch):
    monkeypatch.setenv("CNFGEN_CONFINEMENT", "no")
    body = f"if len(sys.argv) > 1: open({str(tmp_path / 'out' / 'runs.jsonl')!r}, 'w').close()\n{suites.HONEST}"
    solvers = ["kissat", str(suites.solver(tmp_path, "emptier", body))]
    with pytest.raises(InputError, match="another program changed this file"):
        run_suite(suites.suite(tmp_path, solvers, files=3, jobs=1), tmp_path / "out")
