"""Wrong answers disqualify their solver in the whole suite, in every output, whatever filters select."""

import csv
import io
import json

import pytest
from bench import suites
from bench.suites import made_run as run

from cnfgen_puzzles.bench.analyse.alarms import judged
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.analyse.scores import disqualified, group_scores
from cnfgen_puzzles.bench.show.plots import scene
from cnfgen_puzzles.bench.show.tables import compare_tables, score_tables, sentence, size_table
from cnfgen_puzzles.common.journal import sealed_line

SAT, UNSAT, TIMEOUT = "SATISFIABLE", "UNSATISFIABLE", "TIMEOUT"
PROVED = {"evidence": {"kind": "proof", "by": "cake_lpr", "note": ""}}
REFUSED = {"proof": {"refused": True, "verified": False, "reason": "lemma 3 does not follow"}}
BOARD = "the board of this model breaks the rules of the puzzle: row 1"


FAULTS = {
    "a model that falsifies a clause": [run("liar", "WRONG", reason="the model falsifies clause 3")],
    "a refused proof": [run("liar", "ERROR", **REFUSED)],
    "unsatisfiable against a checked model": [run("liar", UNSAT), run("kissat", SAT)],
    "unsatisfiable against a model of another encoding": [run("liar", UNSAT), run("kissat", SAT, encoding="other")],
    "unsatisfiable against the known status": [run("liar", UNSAT, expected=SAT)],
    "an unchecked model against a proof": [
        run("liar", SAT, evidence={"kind": "word", "by": "liar", "note": ""}), run("kissat", UNSAT, **PROVED)
    ],
}  # fmt: skip


@pytest.mark.parametrize("records", FAULTS.values(), ids=FAULTS)
def test_a_wrong_answer_disqualifies_the_solver_in_its_suite(records):
    """The liar is the fastest on ten other instances, of another family, and stays out of all of them; another suite does not
    matter."""
    fast = [run("liar", SAT, 0.1, f"j{n}", family="g") for n in range(10)]
    slow = [run("kissat", SAT, 2.0, f"j{n}", family="g") for n in range(9)] + [run("kissat", TIMEOUT, 10, "j9", family="g")]
    elsewhere = [record | {"suite": "t"} for record in fast]
    both, records = judged([*records, *fast, *slow, *elsewhere]), judged([*records, *fast, *slow])
    assert list(disqualified(records)) == ["liar"]
    [group] = [each for each in group_scores(records) if each.values == ("g", "e")]
    assert [(s.solver, s.solved, s.unique, bool(s.disqualified)) for s in group.scores] == [
        ("kissat", 9, 9, False), ("liar", 10, 0, True)
    ]  # fmt: skip
    assert (group.best.solved, [share.contestant for share in group.best.shares]) == (9, ["kissat"])
    assert not any(score.disqualified for each in group_scores(elsewhere) for score in each.scores)
    assert disqualified(both) == disqualified(records)
    told = sentence(records)
    assert "g: kissat with e (9 of 10" in told and "liar (" not in told and told.endswith("disqualified: liar.")
    for table in [*score_tables(records), size_table(records)]:
        names = [cell for row in (table.headers, *table.rows) for cell in row if cell.startswith("liar")]
        assert names and set(names) == {"liar (disqualified)"}
    _, tests = compare_tables(records, "solver", "liar", "kissat")
    assert [row[-1] for row in tests.rows] == ["neither"] and "liar (disqualified)" in tests.title
    drawn = scene(records)
    assert drawn.solvers == ("kissat", "liar (disqualified)") and "liar is disqualified" not in drawn.solvers


def test_verdicts_that_are_no_fault_of_the_solver():
    """Claims that contradict each other, a wrong expectation, and a limit: nothing is refuted."""
    claimed = {"evidence": {"kind": "word", "by": "a", "note": ""}}
    assert disqualified(judged([run("a", SAT, **claimed), run("b", UNSAT)])) == {}
    assert disqualified(judged([run("a", SAT, expected=UNSAT), run("b", TIMEOUT, expected=UNSAT)])) == {}
    assert disqualified(judged([run("a", UNSAT, encoding=None, family="cnf", expected=SAT, **PROVED)])) == {}


@pytest.mark.parametrize("bad", [run("a", "WRONG", reason=BOARD), run("a", UNSAT, **PROVED)], ids=["board", "proof"])
def test_a_wrong_formula_disqualifies_its_encoding(bad):
    """The model satisfies the formula, or the proof is right: the encoding is at fault, and not the solver."""
    records = judged([bad, run("a", SAT, encoding="good"), *(run("a", SAT, 0.1, "j", e) for e in ("e", "good"))])
    assert disqualified(records) == {}
    assert list(disqualified(records, ("encoding",))) == ["e"]
    assert list(disqualified(records, ("encoding", "solver"))) == ["a with e"]
    assert "f: a with good (2 of 2" in sentence(records)
    other = run("a", SAT, 0.1, "j", "e", family="g")
    assert "g: a with e (1 of 1" in sentence([*records, other])


def test_each_version_answers_for_itself():
    old, new = {"version": "1", "binary_sha256": "x"}, {"version": "2", "binary_sha256": "y"}
    records = judged([run("a", UNSAT, expected=SAT, **old), run("a", SAT, instance="j", **new)])
    assert list(disqualified(records)) == ["a"]
    assert list(disqualified(records, ("solver", "version"))) == ["a 1"]


def test_options_make_another_solver():
    records = judged([run("a", SAT), run("a --fast", UNSAT, binary_sha256="a")])
    assert list(disqualified(records)) == ["a --fast"]


# -- commands -------------------------------------------------------------------------------------------------------------

LIAR = "print('s UNSATISFIABLE'); sys.exit(20)"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs of kissat and of a program that always answers unsatisfiable, on two formulas with a model and one without."""
    folder = tmp_path_factory.mktemp("liar")
    path = suites.suite(folder, ["kissat", str(suites.solver(folder, "liar", LIAR))], files=2)
    (folder / "u.cnf").write_text(suites.UNSAT)
    suites.run_all(path, folder / "out")
    return folder / "out"


FILTERS = ["solver=liar", "solver=kissat", "solver!=liar", "status!=UNSATISFIABLE", "instance=u.cnf", "disqualified=none"]


@pytest.mark.parametrize("given", FILTERS)
def test_no_filter_hides_an_alarm(results, invoke, tmp_path, given):
    for words in (
        ["scores", results], ["scores", results, "--json"], ["export", results, "--csv", tmp_path / "x.csv"],
        ["report", results, "-o", tmp_path / "x.html"], ["plot", results, "--kind", "box", "-o", tmp_path],
    ):  # fmt: skip
        done = invoke(*words, "--filter", given)
        assert done.exit_code == 1 and "solvers disagree on f000.cnf" in done.output, words
    assert "solvers disagree on f000.cnf" in (tmp_path / "x.html").read_text()


def test_the_liar_is_marked_in_every_output(results, invoke, tmp_path):
    done = invoke("scores", results, "--filter", "instance=u.cnf")  # where its answer is right
    rows = [line.split() for line in done.output.splitlines() if line.startswith("cnf ")]
    assert [row[3] for row in rows if len(row) > 5][:2] == ["kissat", "liar"] and "liar (disqualified)" in done.output
    assert "cnf: kissat" in done.output and "VBS" not in done.output.partition("\n\n")[0]
    read = read_results([results], ["instance=u.cnf"]).records
    assert {r["solver"]: bool(r.get("disqualified")) for r in read} == {"kissat": False, "liar": True}
    invoke("export", results, "--csv", tmp_path / "x.csv", "--json", tmp_path / "x.json")
    table = list(csv.DictReader(io.StringIO((tmp_path / "x.csv").read_text())))
    assert {row["solver"]: bool(row["disqualified"]) for row in table} == {"kissat": False, "liar": True}
    assert {row["instance"] for row in table if row["refuted"]} == {"f000.cnf", "f001.cnf"}
    assert {row["solver"] for row in json.loads((tmp_path / "x.json").read_text()) if row.get("disqualified")} == {"liar"}
    invoke("report", results, "-o", tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text()
    assert page.count("liar (disqualified)") > 5
    done = invoke("plot", results, "--kind", "scatter", "--compare", "kissat", "liar", "--data", "-o", tmp_path)
    assert done.exit_code == 1 and "liar is disqualified: unsatisfiable on f00" in done.output
    done = invoke("diff", results, results)
    assert done.exit_code == 0 and "liar (disqualified)" in done.output


def test_a_new_alarm_is_a_regression_whatever_the_filter(results, invoke, tmp_path):
    honest = [r for r in suites.records(results) if r["solver"] == "kissat"]
    tmp_path.joinpath("runs.jsonl").write_bytes(
        b"".join(sealed_line({k: v for k, v in r.items() if k != "seal"}) for r in honest)
    )
    for words in ([], ["--filter", "solver=kissat"]):
        done = invoke("diff", tmp_path, results, *words)
        assert done.exit_code == 1 and "alarms on 2 instances, on which OLD has none" in done.output
        assert invoke("diff", results, tmp_path, *words).exit_code == 0


def test_marks_in_a_result_file_do_not_count(tmp_path):
    record = run("a", SAT, disqualified="because I say so", refuted="so I say", reason="")
    (tmp_path / "runs.jsonl").write_bytes(sealed_line(record))
    [found] = read_results([tmp_path]).records
    assert not found.get("disqualified") and not found.get("refuted")
    assert judged([run("a", SAT)]) == [run("a", SAT)]
