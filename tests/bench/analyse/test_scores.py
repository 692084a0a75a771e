"""Scores by hand and by their definitions: PAR, unique solves, the virtual best solver, contributions, alarms, tables."""

import itertools
import json
import math
import random

import pytest
from bench.suites import scores
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.bench.analyse.alarms import alarms, disagreements, judged
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.analyse.scores import (
    Performance,
    fastest_of,
    grid,
    marginals,
    median,
    shapley_values,
    size_class,
    virtual_best,
)
from cnfgen_puzzles.bench.show import tables
from cnfgen_puzzles.bench.show.tables import size_table
from cnfgen_puzzles.cli.bench.scores import command as scores_command
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import sealed_line

SAT, UNSAT, TIMEOUT = "SATISFIABLE", "UNSATISFIABLE", "TIMEOUT"
LIMIT = 10


def run(status, cpu, solver="a", instance="i", **more):
    limits = {"cpu": LIMIT, "wall": 2 * LIMIT}
    return {"record": 2, "suite": "s", "family": "f", "encoding": "e", "instance": instance, "solver": solver, "status": status,
            "cpu": cpu, "wall": cpu, "memory": 1, "limits": limits} | more  # fmt: skip


def outcome(cost, solved=True, worst=2 * LIMIT):
    return Performance(SAT if solved else TIMEOUT, cost if solved else LIMIT, cost if solved else worst, worst)


@st.composite
def runs(draw, solvers="abc", instances="uvwxyz"):
    """A full cross product of solvers and instances, each with or without a verdict."""
    status = st.sampled_from([TIMEOUT, "MEMOUT", "UNKNOWN", "ERROR", UNSAT])
    return [
        run(draw(status), draw(st.floats(0, LIMIT)), solver, instance)
        for instance in instances[: draw(st.integers(1, len(instances)))]
        for solver in solvers
    ]


# -- PAR ------------------------------------------------------------------------------------------------------------------


def test_par_counts_unsolved_runs_k_times():
    found = [run(SAT, 1), run(UNSAT, 2, instance="j"), run(TIMEOUT, 10, instance="k"), run("ERROR", 0, instance="l")]
    for k, time, expected in ((2, "cpu", 1 + 2 + 20 + 20), (10, "cpu", 1 + 2 + 100 + 100), (2, "wall", 1 + 2 + 40 + 40)):
        assert scores(found, par=k, time=time)[0].par == expected / 4


@given(runs(), st.floats(1, 10))
def test_par_lies_between_the_mean_time_and_the_penalty(found, k):
    scored = scores(found, par=k)
    assert bool(scored) == bool(found)
    for score in scored:
        own = [r for r in found if r["solver"] == score.solver]
        solved = sum(r["cpu"] for r in own if r["status"] == UNSAT)
        assert score.par * len(own) == pytest.approx(solved + k * LIMIT * (len(own) - score.solved))
        assert 0 <= score.par <= k * LIMIT * (1 + 1e-9)


@given(runs(), st.randoms())
def test_the_order_of_records_does_not_matter(found, randomness):
    shuffled = randomness.sample(found, len(found))
    key = lambda score: (score.values, score.solver)  # noqa: E731
    for one, other in zip(sorted(scores(found), key=key), sorted(scores(shuffled), key=key), strict=True):
        assert (one.solver, one.solved, one.unique, one.failed) == (other.solver, other.solved, other.unique, other.failed)
        assert one.par == pytest.approx(other.par)


def test_a_time_without_a_limit_has_no_par():
    with pytest.raises(InputError, match="no wall limit for a on i"):
        scores([run(TIMEOUT, 10, limits={"cpu": 10, "wall": None})], time="wall")
    assert scores([run(SAT, 3, limits={"cpu": 10, "wall": None})], time="wall")[0].par == 3


# -- the median of several runs -------------------------------------------------------------------------------------------


def test_of_several_runs_the_median_counts():
    found = [run(SAT, cpu, seed=number) for number, cpu in enumerate([1, 9, 2])]
    assert [(s.instances, s.runs, s.par) for s in scores(found)] == [(1, 3, 2)]
    found[2] = run(TIMEOUT, 10, scramble=5)
    assert scores(found)[0].par == 9


def test_half_of_the_runs_solve_nothing():
    assert not median([outcome(1), outcome(0, solved=False)]).solved
    assert median([outcome(1), outcome(2), outcome(0, solved=False)]).cost == 2


def test_failed_runs_are_counted_whatever_the_median_says():
    found = [run(SAT, 1), run(SAT, 2, repetition=2), run("WRONG", 1, repetition=3)]
    assert [(s.solved, s.failed) for s in scores(found)] == [(1, 1)]


# -- groups ---------------------------------------------------------------------------------------------------------------


def test_scores_put_the_best_first():
    found = [run(TIMEOUT, 10), run(SAT, 9, "b"), run(SAT, 1, "c"), run("WRONG", 1, "d")]
    assert [(s.solver, s.solved, s.failed) for s in scores(found)] == [("c", 1, 0), ("b", 1, 0), ("a", 0, 0), ("d", 0, 1)]


def test_groups_by_size_and_version():
    found = [run(SAT, 1, size={"cells": cells}, instance=str(cells), version=v) for cells, v in ((5, 1), (99, 1), (100, 2))]
    assert [(" ".join(s.values), s.instances) for s in scores(found, ("size",))] == [
        ("cells 1-9", 1),
        ("cells 10-99", 1),
        ("cells 100-999", 1),
    ]
    assert [(s.solver, s.instances) for s in scores(found, ("family", "version"))] == [("a 1", 2), ("a 2", 1)]
    with pytest.raises(InputError, match="did you mean encoding"):
        scores(found, ("encodin",))


def test_sizes_of_a_cnf_file_and_of_old_records():
    assert (
        size_class({"family": "cnf", "size": {"variables": 3, "clauses": 1000}, "cnf": {"clauses": 1000}}) == "clauses 1000-9999"
    )
    assert size_class({"family": "f", "cnf": {"clauses": 99}}) == "clauses 10-99"
    assert size_class({"family": "f"}) == "clauses unknown"


def test_unique_solves():
    found = [run(UNSAT, 1, "a", "i"), run(TIMEOUT, 10, "b", "i"), run(SAT, 1, "a", "j"), run(SAT, 1, "b", "j")]
    assert {s.solver: s.unique for s in scores(found)} == {"a": 1, "b": 0}


# -- the virtual best -----------------------------------------------------------------------------------------------------


def test_the_virtual_best_by_hand():
    found = [
        run(SAT, 1, "a", "i"), run(SAT, 3, "b", "i"),
        run(SAT, 8, "a", "j"), run(SAT, 2, "b", "j"),
        run(SAT, 4, "a", "k"), run(TIMEOUT, 10, "b", "k"),
        run(TIMEOUT, 10, "a", "l"), run(TIMEOUT, 10, "b", "l"),
    ]  # fmt: skip
    best = virtual_best(grid(found))
    assert (best.solved, best.instances, best.par) == (3, 4, (1 + 2 + 4 + 20) / 4)
    shares = {share.contestant: share for share in best.shares}
    assert shares["a"].fastest == pytest.approx(2 / 3)
    assert (shares["a"].unique, shares["b"].unique) == (1, 0)
    assert (shares["a"].marginal, shares["b"].marginal) == ((2 + 16) / 4, 6 / 4)


@given(runs())
def test_the_virtual_best_is_never_beaten_and_its_shares_add_up(found):
    best = virtual_best(grid(found))
    table = scores(found)
    assert best.par <= min(score.par for score in table) + 1e-9
    assert best.solved >= max(score.solved for score in table)
    assert sum(share.fastest for share in best.shares) == pytest.approx(1 if best.solved else 0)
    assert sum(share.shapley for share in best.shares) == pytest.approx(1 if best.par < 2 * LIMIT else 0)
    assert sum(share.unique for share in best.shares) == sum(score.unique for score in table)


@given(runs())
def test_marginal_is_the_increase_of_par_without_a_contestant(found):
    best = virtual_best(grid(found))
    assert bool(best.shares) == bool(found)
    for share in best.shares:
        without = virtual_best(grid([r for r in found if r["solver"] != share.contestant]))
        assert share.marginal == pytest.approx(without.par - best.par)


@given(st.dictionaries(st.sampled_from("abcde"), st.one_of(st.none(), st.floats(0, LIMIT)), min_size=1))
def test_shapley_values_are_the_mean_over_all_orders(costs):
    point = {name: outcome(cost or 0, solved=cost is not None) for name, cost in costs.items()}
    mean = dict.fromkeys(point, 0.0)
    orders = list(itertools.permutations(point))
    for order in orders:
        saved = 0.0
        for name in order:
            more = max(saved, point[name].worst - point[name].cost)
            mean[name] += (more - saved) / len(orders)
            saved = more
    assert shapley_values(point) == pytest.approx(mean)


def test_times_below_the_clock_are_first_together():
    assert fastest_of({"a": outcome(0.0001), "b": outcome(0.0009), "c": outcome(1)}) == {"a": 0.5, "b": 0.5}
    assert fastest_of({"a": outcome(0, solved=False)}) == {}
    assert marginals({"a": outcome(3)}) == {"a": 2 * LIMIT - 3}


# -- alarms ---------------------------------------------------------------------------------------------------------------


def test_disagreements():
    agree = [run(SAT, 1), run(SAT, 1, "b"), run(TIMEOUT, 1, "c"), run(UNSAT, 1, "b", "j")]
    assert disagreements(agree) == []
    [(_, alarm)] = disagreements([*agree, run(UNSAT, 1, "c", encoding="other", scramble=3)])
    assert alarm == (
        "solvers disagree on i: satisfiable by a (e, checked model), b (e, checked model); unsatisfiable by c (other, claimed)"
    )
    assert disagreements([*agree, run(UNSAT, 1, "c", suite="another")]) == []


def test_verdict_that_contradicts_the_expected_one():
    assert disagreements([run(UNSAT, 1, expected=UNSAT)]) == []
    [(_, alarm)] = disagreements([run(UNSAT, 1, expected=SAT, evidence={"kind": "proof"})])
    assert alarm == "i is known to be satisfiable (by the suite): unsatisfiable by a (e, checked proof)"
    [(_, alarm)] = disagreements([run(UNSAT, 1, expected=SAT, expected_by="facts.csv:7")])
    assert alarm == "i is known to be satisfiable (by facts.csv:7): unsatisfiable by a (e, claimed)"
    assert len(disagreements([run(SAT, 1, expected=UNSAT), run(TIMEOUT, 1, "b", expected=UNSAT)])) == 1


def test_a_claimed_model_does_not_contradict():
    claimed = {"evidence": {"kind": "word", "by": "a", "note": ""}}
    found = judged([run(SAT, 1, **claimed), run(UNSAT, 1, "b"), run(SAT, 1, "c", "j", expected=UNSAT, **claimed)])
    assert {s.solver: (s.solved, s.claimed, s.failed) for s in scores(found)} == {"a": (1, 1, 0), "b": (1, 1, 0), "c": (0, 0, 1)}
    assert [told for _, told in disagreements(found)] == [
        "solvers disagree on i: satisfiable by a (e, claimed); unsatisfiable by b (e, claimed)",
        "j is known to be unsatisfiable (by the suite): satisfiable by c (e, claimed)",
    ]
    proved = run(UNSAT, 1, "b", evidence={"kind": "proof", "by": "drat-trim", "note": ""})
    assert {s.solver: s.failed for s in scores(judged([found[0], proved]))} == {"a": 1, "b": 0}


def test_very_many_alarms_are_cut_short():
    found = [run(status, 1, solver, str(i)) for i in range(30) for status, solver in ((SAT, "a"), (UNSAT, "b"))]
    lines = tables.alarm_lines(alarms(found))
    assert (len(lines), lines[-1]) == (21, "ALARM: and 10 more of these")


# -- tables and words -----------------------------------------------------------------------------------------------------


def several(instances=12, seconds=(("fast", 0.1), ("slow", 1.0))):
    randomness = random.Random(1)
    return [
        run(SAT, mean * math.exp(randomness.gauss(0, 0.1)), solver, str(number))
        for number in range(instances)
        for solver, mean in seconds
    ]


def test_tables_in_three_formats():
    table = tables.score_table([run(SAT, 1, "a_b"), run(TIMEOUT, 10, "c")], title="T")
    assert [row[2:9] for row in table.rows] == [
        ["a_b", "1", "1/1", "1", "0", "", "1"],
        ["c", "1", "0/1", "0", "0", "", ""],
        ["VBS", "", "1/1", "1", "0", "", ""],
    ]
    assert "a_b" in tables.render(table) and "PAR-2" in tables.render(table)
    assert r"a\_b" in tables.render(table, "markdown") and "### T" in tables.render(table, "markdown")
    latex = tables.render(table, "latex")
    assert r"a\_b" in latex and r"\toprule" in latex


def test_threads_are_scored_by_both_times():
    table = tables.score_table([run(SAT, 4, "many", threads=4, wall=1), run(SAT, 2, "one")])
    assert table.headers[9:11] == ["PAR-2", "PAR-2 wall"]
    assert [row[9:11] for row in table.rows[:2]] == [["2.000", "2.000"], ["4.000", "1.000"]]


def test_sentence_names_only_significant_winners():
    assert tables.sentence([]) == "No runs."
    said = tables.sentence(several())
    assert said.startswith("f: fast with e (12 of 12, PAR-2 0.") and said.endswith("clearly ahead of slow with e.")
    said = tables.sentence(several(seconds=(("one", 1.0), ("other", 1.0))))
    assert "not statistically better" in said
    assert "not statistically better" in tables.sentence(several(instances=4))  # four tell nothing
    assert tables.sentence([run(TIMEOUT, 10)]) == "f: no instance was solved (1 instances)."


def test_notes_on_scores_that_are_hard_to_compare():
    found = [run(SAT, 1, machine={"host": "x"}), run(SAT, 1, instance="j", machine={"host": "y"}), run(SAT, 1, "b")]
    told = "\n".join(tables.notes([*found, run("WRONG", 1, "b", seed=1, limits={"cpu": 5})]))
    assert "different CPU limits" in told and "by their median" in told
    assert tables.notes([run(SAT, 1), run(SAT, 1, "b")]) == []


@pytest.fixture
def result_file(tmp_path):
    path = tmp_path / "runs.jsonl"
    found = several() + [run(SAT, 2 + n / 10, "fast", str(n), encoding="old") for n in range(12)]
    path.write_bytes(b"".join(sealed_line(r | {"key": str(number)}) for number, r in enumerate(found)))
    return path


def test_the_command_scores(command, result_file):
    done = command("bench-cnf", "scores", result_file.parent)
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "12/12" in text and "VBS" in text and "clearly ahead of all 2 others" in text
    with result_file.open("a") as file:
        file.write(json.dumps(run(UNSAT, 1, "slow", "3", key="new")) + "\n")
    lied = command("bench-cnf", "scores", result_file)
    assert lied.returncode == 1
    assert lied.stderr.startswith(b"ALARM: solvers disagree on 3")
    assert len(read_results([result_file]).records) == 37


def test_the_command_compares(result_file):
    def invoke(*words):
        return CliRunner().invoke(scores_command, [str(result_file), *words])

    compared = invoke("--compare", "fast", "slow", "--filter", "encoding=e").output
    assert "speedup" in compared and "Wilcoxon p" in compared
    encodings = invoke("--encodings", "e", "old", "--format", "markdown").output
    assert "### e against old" in encodings and "Wilcoxon p |" in encodings
    assert "did you mean slow" in str(invoke("--compare", "fast", "slo").exception)
    assert "match the filters" in str(invoke("--filter", "solver=nobody").exception)


# -- sizes beside PAR -----------------------------------------------------------------------------------------------------


def test_sizes_are_those_of_each_formula_once_and_the_best_encoding_is_pointed_out():
    def formula(name, variables, clauses):
        return {"cnf": {"variables": variables, "clauses": clauses, "sha256": name}, "encode_seconds": 0.5}

    found = [
        run(SAT, cpu, solver, instance, encoding=encoding, **formula(encoding + instance, *size))
        for encoding, sizes, cpu in (("e", [(10, 100), (1000, 100)], 1), ("f", [(5, 50), (5, 50)], 2))
        for instance, size in zip("ij", sizes, strict=True)
        for solver in "ab"
    ]
    found[-1] |= {"status": TIMEOUT, "cpu": LIMIT}
    table = size_table(found)
    assert [list(row) for row in table.rows] == [
        ["f", "e", "2", "4", "100", "100", "0.50", "4/4", "1.00", "1.00", "1.00"],
        ["f", "f", "2", "4", "5", "50", "0.50", "3/4", "2.00", f"{(2 + 2 * LIMIT) / 2:.2f}", f"{(2 + 11) / 2:.2f}"],
    ]
    assert table.best == {0}
    assert list(table.headers)[-3:] == ["a", "b", "mean"]
