"""The rules of comparisons, and the notes on runs and hosts, against recomputations in plain Python."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest
from bench.suites import made_run as run
from bench.suites import scores
from repository import REPOSITORY

from cnfgen_puzzles.bench.analyse.alarms import judged
from cnfgen_puzzles.bench.analyse.diff import diff
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.analyse.rules import Rules, common_notes, run_counts, several_hosts, without_other_limit
from cnfgen_puzzles.bench.analyse.scores import grid, group_scores
from cnfgen_puzzles.bench.analyse.statistics import compare
from cnfgen_puzzles.bench.show.drawing import charts
from cnfgen_puzzles.bench.show.plots import scene
from cnfgen_puzzles.bench.show.tables import compare_tables, score_tables, sentence, size_table
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import sealed_line

SAT, UNSAT, TIMEOUT = "SATISFIABLE", "UNSATISFIABLE", "TIMEOUT"
CUT = {"status": TIMEOUT, "ended": "wall-limit"}
SAME = Rules(hosts="same")


def write(folder, records, plan=None):
    folder.mkdir(exist_ok=True)
    (folder / "runs.jsonl").write_bytes(b"".join(map(sealed_line, records)))
    if plan is not None:
        (folder / "plan.json").write_text(json.dumps({"plan": 1, "suites": {"s": {"file": None, "keys": plan}}}))
    return folder


def mixed(seed, count=40):
    """Runs of three solvers with a liar, cut runs, and three seeds, on two hosts."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        for solver in ("a", "b", "liar"):
            for each in (1, 2, 3):
                status, ended = chance.choice([(SAT, "exit")] * 5 + [(TIMEOUT, "cpu-limit"), (TIMEOUT, "wall-limit")])
                cpu = chance.uniform(0.01, 9.9) if ended != "cpu-limit" else 10.0
                status = "WRONG" if solver == "liar" and number % 10 == 0 and each == 2 else status
                found.append(run(solver, status, cpu, f"i{number}", seed=each, host=chance.choice("xy"), ended=ended, reason=""))
    return found


# -- wrong answers --------------------------------------------------------------------------------------------------------


def plain_points(records, price):
    """Whether each solver does not solve each instance, and its cost: the upper median of its runs, unsolved ones last.

    `price` is the cost of a cut run.
    """
    runs = {}
    for record in records:
        runs.setdefault((record["instance"], record["solver"]), []).append(record)
    points = {}
    for (instance, solver), own in runs.items():
        own.sort(key=lambda r: (r["status"] != SAT, r["cpu"]))
        middle = own[len(own) // 2]
        cut = middle["status"] == TIMEOUT and middle["ended"] == "wall-limit"
        cost = middle["cpu"] if middle["status"] == SAT else price(middle) if cut else 20
        points.setdefault(instance, {})[solver] = (middle["status"] != SAT, cost)
    return points


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("wrong", ["disqualify", "unsolved"])
@pytest.mark.parametrize("cut, price", [("unsolved", lambda r: 20), ("time", lambda r: r["cpu"])])
def test_scores_by_the_rules_are_those_of_a_recomputation(tmp_path, seed, wrong, cut, price):
    write(tmp_path, mixed(seed))
    rules = Rules(wrong_answer=wrong, other_limit=cut)
    [group] = group_scores(read_results([tmp_path], rules=rules).records, ("family",), rules=rules)
    points = plain_points(mixed(seed), price).values()
    fair = ["a", "b", *(["liar"] if wrong == "unsolved" else [])]
    for score in group.scores:
        assert score.par == pytest.approx(fmean(point[score.solver][1] for point in points))
        assert score.solved == sum(not point[score.solver][0] for point in points)
        assert bool(score.disqualified) == (score.solver not in fair) and score.failed == 4 * (score.solver == "liar")
    best = [min(point[solver] for solver in fair) for point in points]
    assert group.best.solved == sum(not unsolved for unsolved, _ in best)
    assert group.best.par == pytest.approx(fmean(cost for _, cost in best))
    unique = {solver: sum([s for s in fair if not point[s][0]] == [solver] for point in points) for solver in fair}
    assert {share.contestant: share.unique for share in group.best.shares} == unique
    assert sum(unique.values())


@pytest.mark.parametrize(
    "bad",
    [
        run("liar", "WRONG", reason="the model falsifies clause 3"),
        run("liar", UNSAT, expected=SAT),
        run("liar", "ERROR", proof={"refused": True, "verified": False, "reason": "lemma 3"}),
    ],
)
def test_a_wrong_answer_can_count_as_unsolved_only(bad):
    """The solver keeps its other results in scores, comparisons, and plots; only the wrong run is not solved."""
    others = [run("liar", SAT, 0.1, f"j{n}") for n in range(9)] + [run("a", SAT, 2.0, f"j{n}") for n in range(9)]
    rules = Rules(wrong_answer="unsolved")
    strict, lenient = judged([bad, *others]), judged([bad, *others], rules=rules)
    assert [(s.solver, s.solved, s.par, bool(s.disqualified)) for s in scores(lenient)] == [
        ("a", 9, 2.0, False), ("liar", 9, pytest.approx((9 * 0.1 + 20) / 10), False)
    ]  # fmt: skip
    assert [(s.solver, s.solved, bool(s.disqualified)) for s in scores(strict)] == [("a", 9, False), ("liar", 9, True)]
    assert [scene(each).solvers for each in (strict, lenient)] == [("a", "liar (disqualified)"), ("a", "liar")]
    [row] = compare_tables(lenient, "solver", "liar", "a", rules=rules)[1].rows
    assert row[-1] == "liar" and compare_tables(strict, "solver", "liar", "a")[1].rows[0][-1] == "neither"


@pytest.mark.parametrize("seed", range(2))
def test_the_recomputation_in_the_documentation_agrees(tmp_path, seed):
    """The program of docs/reference/scores.md on results with seeds and disturbed runs; it finds a changed score."""
    page = (REPOSITORY / "docs" / "reference" / "scores.md").read_text()
    program = page[page.index("```python\n", page.index("## Recomputation")) :].split("```")[1].removeprefix("python\n")
    chance = random.Random(seed)
    records = [
        run(solver, *chance.choice([(SAT, chance.uniform(0.002, 3))] * 4 + [(TIMEOUT, 10.0)]), f"i{number}", encoding, seed=each,
            warnings=["load 9 on 2 cores"] * (chance.random() < 0.3))
        for number in range(8) for encoding in "de" for solver in ("kissat", "cadical", "third")
        for each in range(chance.choice((1, 3, 4)))
    ]  # fmt: skip
    (tmp_path / "results").mkdir()
    write(tmp_path / "results" / "default", records)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for text, expected in ((program, 0), (program.replace("2 * median", "3 * median"), 1)):
        done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, env=environment, check=False, capture_output=True)
        assert (done.returncode, b"AssertionError" in done.stderr) == (expected, bool(expected)), done.stderr.decode()


# -- the limit on the other time ------------------------------------------------------------------------------------------


def test_runs_at_the_limit_on_the_other_time_are_counted_and_can_be_omitted():
    records = [
        run("a", cpu=0.1, **CUT),
        run("b", SAT, 2.0),
        run("a", TIMEOUT, 10, "j", ended="cpu-limit"),
        run("b", SAT, 3.0, "j"),
    ]
    wall = Rules(time="wall")
    told = "1 run ended at the wall limit before the CPU limit, counted as unsolved (a 1)."
    assert told in common_notes(records, Rules(), {}) and told in score_tables(records)[0].note
    assert "1 run ended at the CPU limit before the wall limit, counted as unsolved (a 1)." in common_notes(records, wall, {})
    assert {r["instance"] for r in without_other_limit(records, Rules())} == {"j"}  # for both solvers
    assert {r["instance"] for r in without_other_limit(records, wall)} == {"i"}
    assert not any("ended at" in note for note in common_notes(records[1:2], Rules(), {}))


def test_a_cut_run_that_counts_with_its_time_is_never_better_than_a_solved_one():
    """It is worse than a faster solved run, and of unknown order to a slower one; two cut runs are a tie."""
    outcomes = [(0.5, "cut", 5.0), (2.0, "cut", 1.0), (0.1, "cut", 9.0)]
    records = []
    for number, (own, _, other) in enumerate(outcomes):
        records += [run("a", cpu=own, instance=f"i{number}", **CUT), run("b", SAT, other, f"i{number}")]
        records += [run(solver, cpu=own + (solver == "a"), instance=f"k{number}", **CUT) for solver in "ab"]
    rules = Rules(other_limit="time")
    found = compare(grid(records, rules=rules), "a", "b")
    assert (found.wins, found.losses, found.ties) == (0, 1, 5)  # b is faster on i1; a may need more than 5 s and 9 s
    assert found.par_a == pytest.approx(fmean([0.5, 2.0, 0.1, 1.5, 3.0, 1.1]))
    [group] = group_scores(records, rules=rules)
    assert {share.contestant: share.unique for share in group.best.shares} == {"a": 0, "b": 3}
    assert {share.contestant: share.shapley for share in group.best.shares} == {"a": 0, "b": 1}
    assert "counted as unsolved with their CPU time as cost (a 6, b 3)." in score_tables(records, rules=rules)[0].note


def test_the_command_has_the_rules(invoke, tmp_path):
    records = [run("a", cpu=0.1, **CUT), run("b", SAT, 2.0), run("a", SAT, 1.0, "j"), run("b", SAT, 3.0, "j")]
    write(tmp_path, records)
    for rule, a, b, omitted in (("unsolved", (20 + 1) / 2, 2.5, 0), ("time", (0.1 + 1) / 2, 2.5, 0), ("omit", 1, 3, 2)):
        found = invoke("scores", tmp_path, "--json", "--rule", f"other-limit={rule}").output
        found = json.loads(found[found.index("{") :])
        assert {each["solver"]: each["par"] for each in found["groups"][0]["solvers"]} == {"a": a, "b": b}
        assert (found["other_limit"], found["wrong_answer"], found["hosts"], found["omitted"]) == (
            rule,
            "disqualify",
            "any",
            omitted,
        )
    for words in (["scores", tmp_path], ["plot", tmp_path, "--kind", "box", "-o", tmp_path], ["diff", tmp_path, tmp_path]):
        output = invoke(*words, "--rule", "other-limit=omit", "--rule", "wrong-answer=unsolved").output
        assert "2 runs omitted" in output and "Rules: wrong-answer=unsolved other-limit=omit hosts=any." in output
    invoke("report", tmp_path, "-o", tmp_path / "x.html", "--rule", "other-limit=time")
    assert "Rules: wrong-answer=disqualify other-limit=time hosts=any." in (tmp_path / "x.html").read_text()
    for rule, message in (("limit=omit", "unknown rule 'limit'"), ("hosts", "unknown hosts ''"), ("hosts=x", "known: any, same")):
        done = invoke("scores", tmp_path, "--rule", rule)
        assert done.exit_code == 2 and message in done.output
    done = invoke("scores", tmp_path, "--rule", "other-limit=omit", "--filter", "instance=i")
    assert done.exit_code == 2 and "found no runs that match the filters and rules" in done.output
    with pytest.raises(InputError, match="unknown other-limit 'drop'"):
        Rules(other_limit="drop")


# -- run counts -----------------------------------------------------------------------------------------------------------


def test_every_table_and_caption_has_the_numbers_of_runs():
    records = mixed(5, 6)
    records.remove(next(r for r in records if (r["solver"], r["instance"], r["seed"]) == ("b", "i3", 2)))
    totals = Counter(r["solver"] for r in records)
    [counted, uneven] = run_counts([r | {"machine": {"host": "x"}} for r in records], Rules())
    assert counted == f"Based on 53 runs of 6 formulas (a {totals['a']}, b {totals['b']}, liar {totals['liar']})."
    assert uneven == "Solvers have different numbers of runs on 1 formula: i3 with e (b 2 of 3)."
    assert run_counts([run("a", SAT), run("b", SAT)], Rules()) == ["Based on 2 runs of 1 formula (1 of each solver)."]
    tables = [*score_tables(records), *compare_tables(records, "solver", "a", "b"), size_table(records)]
    notes = [table.note for table in tables if " a" not in table.title] + [plot.caption for plot in charts(records)]
    assert "Based on 35 runs of 6 formulas (a 18, b 17). " in tables[2].note and "i3 with e (b 2 of 3)" in tables[2].note
    assert len(notes) > 6 and all("Based on 53 runs of 6 formulas" in note and "i3 with e (b 2 of 3)" in note for note in notes)
    place = tables[0].headers.index("runs")
    assert {row[place - 1]: row[place] for row in tables[0].rows} == {"a": "18", "b": "17", "liar": "18", "VBS": ""}
    assert tables[2].rows[0][tables[2].headers.index("runs")] == "18 + 17"
    [comparison] = [c for (solver, _), c in diff(records, records[:-1]).comparisons.items() if solver == "liar"]
    assert comparison.runs == (17, 18)


def test_missing_runs_of_the_plan_are_named(invoke, tmp_path):
    records = [run("a", SAT), run("b", SAT)]
    more = json.dumps(["f", "j", "e", None, "b", None, 1])
    write(tmp_path, records, [r["key"] for r in records] + [more])
    assert read_results([tmp_path]).missing == [more]
    done = invoke("scores", tmp_path)
    assert done.exit_code == 0 and f"note: 1 run of the suite missing: {more}" in done.output
    assert json.loads(invoke("scores", tmp_path, "--json").output.partition("\n")[2])["missing"] == [more]
    assert "missing" not in invoke("scores", tmp_path, "--all-runs").output


# -- hosts ----------------------------------------------------------------------------------------------------------------


def test_solvers_on_different_hosts_are_compared_on_the_same_one_only(invoke, tmp_path):
    """Two hosts shared the runs: `a` looks faster than `b`, but only because it ran on the fast host more often."""
    places = {"a": "xxxxy", "b": "yyyxy"}
    seconds = {("a", "x"): 1.0, ("a", "y"): 4.0, ("b", "x"): 0.5, ("b", "y"): 2.0}
    records = [run(s, SAT, seconds[s, host], f"i{n}", host=host) for s in "ab" for n, host in enumerate(places[s])]
    assert several_hosts(records) == []
    _, hosts, warning = run_counts(records, Rules())
    assert hosts == "Hosts: x (a 4, b 1), y (a 1, b 4)." and warning.startswith("On 3 formulas, solvers ran on different hosts")
    assert hosts in score_tables(records)[0].note and "on different hosts" in charts(records, kinds=["box"])[0].caption
    assert compare(grid(records), "a", "b").par_ratio.value == pytest.approx(8.5 / 8)
    own = compare(grid(records, rules=SAME), "a", "b")
    assert (own.points, own.par_ratio.value) == (2, pytest.approx((0.5 + 2) / (1 + 4)))
    assert "on different hosts" not in score_tables(records, rules=SAME)[0].note
    found = {(tuple(s.values), s.solver): s.par for g in group_scores(records, ("host",), rules=SAME) for s in g.scores}
    assert found == {((host,), solver): value for (solver, host), value in seconds.items()}
    [row] = compare_tables(records, "solver", "a", "b", rules=SAME)[0].rows
    assert row[1:3] == ["2", "2 + 2"]
    assert [row[:3] for row in score_tables(records, rules=SAME)[0].rows if row[3] == "a"] == [["f", "e", "x"], ["f", "e", "y"]]
    assert sentence(records, rules=SAME).startswith("f on x: a with e (4 of 4") and "a with e" in sentence(records)
    assert set(scene(records, rules=SAME).solvers) == {"a on x", "a on y", "b on x", "b on y"}
    done = invoke("scores", write(tmp_path, records), "--rule", "hosts=same", "--json")
    groups = json.loads(done.output)["groups"]
    assert [group["group"]["host"] for group in groups] == ["x", "y"]
    assert [{s["solver"]: s["par"] for s in group["solvers"]} for group in groups] == [{"a": 1, "b": 0.5}, {"a": 4, "b": 2}]


def test_diff_can_pair_runs_of_the_same_host():
    old = [run("a", SAT, cpu, f"i{n}", host=h) for n in range(3) for h, cpu in (("x", 1.0), ("y", 5.0))]
    new = [run("a", SAT, cpu, f"i{n}", host=h) for n in range(3) for h, cpu in (("x", 2.0), ("y", 4.9), ("z", 1.0))]
    with pytest.raises(InputError, match="the same runs of several hosts in OLD"):
        diff(old, new)
    found = diff(old, new, rules=SAME)
    [comparison] = found.comparisons.values()
    assert (comparison.instances, comparison.points, comparison.par_ratio.value) == (3, 6, pytest.approx(6 / 6.9))
    assert Counter((p.old.seconds, p.new.seconds, p.kind) for p in found.pairs) == {(1, 2, "slower"): 3, (5, 4.9, "unchanged"): 3}
    assert any("3 results of NEW have no partner" in note for note in found.notes)


def test_runs_of_several_hosts_are_never_one_point():
    records = [run(s, SAT, cpu, i, host=h) for s in "ab" for i in "ij" for h, cpu in (("x", 1.0), ("y", 3.0))]
    assert several_hosts(records) == ["x", "y"]
    assert {performance.seconds for point in grid(records).values() for performance in point.values()} == {1.0, 3.0}
    assert [row[:3] for row in score_tables(records)[0].rows if row[3] != "VBS"] == [
        ["f", "e", host] for host in "xy" for _ in "ab"
    ]  # fmt: skip
    assert sentence(records).startswith("f on x: a with e (2 of 2, PAR-2 1.000 s)")
    ratios, tests = compare_tables(records, "host", "x", "y")
    assert ratios.rows[0][8] == "3.00" and tests.rows[0][1:4] == ["2", "0", "0"]
    assert scene(records).solvers == ("a on x", "b on x", "a on y", "b on y")


def test_runs_that_a_cluster_divides_are_not_of_several_hosts():
    assert several_hosts([run("a", SAT, host="x"), run("b", SAT, host="y")]) == []
    assert several_hosts([run("a", SAT, host="x", seed=1), run("a", SAT, host="y", seed=2)]) == []


def test_the_command_compares_hosts(invoke, tmp_path):
    for host, cpu in (("x", 1.0), ("y", 3.0)):
        (tmp_path / host).mkdir()
        records = [run("a", SAT, cpu, f"i{n}", host=host) for n in range(3)]
        (tmp_path / host / "runs.jsonl").write_bytes(b"".join(map(sealed_line, records)))
    done = invoke("merge", tmp_path / "x", tmp_path / "y", "-o", tmp_path / "both")
    assert done.exit_code == 0 and "several hosts made 3 runs" in done.output
    done = invoke("scores", tmp_path / "both", "--hosts", "x", "y")
    assert "x against y" in done.output and " 3.00 " in done.output
    assert "2 hosts made the same runs (x, y)" in done.output
    done = invoke("diff", tmp_path / "both", tmp_path / "x")
    assert done.exit_code == 2 and "--filter host=NAME" in done.output
    done = invoke("diff", tmp_path / "both", tmp_path / "both", "--filter", "host=y")
    assert done.exit_code == 0
