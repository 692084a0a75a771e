"""bench-cnf diff on constructed results with known differences."""

import json

import pytest

from cnfgen_puzzles.bench.analyse.diff import diff
from cnfgen_puzzles.common.errors import InputError

SAT, UNSAT, TIMEOUT, WRONG, ERROR = "SATISFIABLE", "UNSATISFIABLE", "TIMEOUT", "WRONG", "ERROR"
LIMIT = 100


def run(instance, status, cpu=1.0, solver="s", sha=None, family="cnf", limit=LIMIT, **more):
    cnf = {"sha256": sha or f"sha of {instance}", "gbd_hash": None, "variables": 1, "clauses": 1}
    parts = [family, instance, None, None, solver, more.get("seed"), 1]
    return {
        "record": 2, "key": json.dumps(parts), "suite": "x", "family": family, "instance": instance, "solver": solver,
        "encoding": None, "status": status, "cpu": cpu, "wall": cpu, "memory": 1, "cnf": cnf, "limits": {"cpu": limit},
        "date": "2026-01-01", "machine": {"host": "h"}, "warnings": [],
    } | more  # fmt: skip


OLD = [
    run("wrong", SAT), run("crash", TIMEOUT, LIMIT), run("lost", SAT, 5), run("near", SAT, 99), run("slower", SAT, 1),
    run("gained", TIMEOUT, LIMIT), run("faster", UNSAT, 9), run("mended", ERROR), run("same", SAT, 1), run("noise", SAT, 0.01),
    run("conflict", SAT), run("neither", TIMEOUT, LIMIT), run("gone", SAT),
]  # fmt: skip
NEW = [
    run("wrong", WRONG), run("crash", ERROR), run("lost", TIMEOUT, LIMIT), run("near", TIMEOUT, LIMIT), run("slower", SAT, 2),
    run("gained", SAT, 3), run("faster", UNSAT, 3), run("mended", SAT), run("same", SAT, 1.4), run("noise", SAT, 0.09),
    run("conflict", UNSAT), run("neither", TIMEOUT, LIMIT), run("fresh", SAT),
]  # fmt: skip


def kinds(found):
    return {pair.instance: pair.kind for pair in found.pairs}


def write(path, records):
    path.mkdir()
    (path / "runs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_kind_of_change_of_each_instance():
    found = diff(OLD, NEW)
    assert kinds(found) == {
        "wrong": "wrong", "crash": "wrong", "lost": "lost", "near": "lost", "slower": "slower", "gained": "gained",
        "faster": "faster", "mended": "mended", "same": "unchanged", "noise": "unchanged", "conflict": "conflict",
        "neither": "unchanged",
    }  # fmt: skip
    assert [pair.instance for pair in found.pairs if pair.near_limit] == ["near"]
    assert sum("have no partner" in note for note in found.notes) == 2
    [total] = found.comparisons.values()
    assert (total.points, total.both, total.only_a, total.only_b) == (12, 5, 2, 3)
    assert kinds(diff(OLD, NEW, ratio=1.2, seconds=0.01))["same"] == "slower"


def test_the_other_way_round_losses_are_gains():
    there, back = kinds(diff(OLD, NEW)), kinds(diff(NEW, OLD))
    opposite = {"lost": "gained", "gained": "lost", "slower": "faster", "faster": "slower", "wrong": "mended", "mended": "wrong"}
    # an error that hides a solve is a lost one
    assert {name: opposite.get(kind, kind) for name, kind in there.items()} | {"mended": "lost"} == back


def test_instances_are_found_by_their_hash_and_others_of_the_same_name_are_not():
    old = [run("a/x.cnf", SAT, 1, sha="1"), run("y.cnf", SAT, 1, sha="2"), run("p", SAT, sha="3", family="nonogram")]
    new = [run("b/x.cnf", SAT, 9, sha="1"), run("y.cnf", SAT, 9, sha="other"), run("p", SAT, 9, sha="4", family="nonogram")]
    found = diff(old, new)
    assert kinds(found) == {"a/x.cnf": "slower", "p": "slower"}
    assert any("y.cnf is another formula in NEW" in note for note in found.notes)
    assert any("1 puzzles have other formulas in NEW" in note for note in found.notes)


def test_solvers_by_name_by_map_and_alone():
    assert {pair.solver for pair in diff([run("i", SAT, solver="a")], [run("i", SAT, solver="b")]).pairs} == {"a -> b"}
    both = [run("i", SAT, 1, solver="a"), run("i", SAT, 8, solver="b")]
    [pair] = diff(both, both, {"a": "b"}).pairs
    assert (pair.solver, pair.kind) == ("a -> b", "slower")
    assert {pair.kind for pair in diff(both, both).pairs} == {"unchanged"}
    with pytest.raises(InputError, match="did you mean a"):
        diff(both, both, {"aa": "b"})
    with pytest.raises(InputError, match="--map OLD=NEW pairs different names"):
        diff(both, [run("i", SAT, solver="c")])


def test_seeds_are_one_instance_and_one_wrong_answer_counts():
    old = [run("i", SAT, 1, seed=seed) for seed in (1, 2, 3)]
    assert kinds(diff(old, [run("i", SAT, cpu, seed=seed) for seed, cpu in ((1, 1), (2, 1.2), (3, 50))])) == {"i": "unchanged"}
    wrong = [run("i", SAT, 1, seed=1), run("i", SAT, 1, seed=2), run("i", WRONG, 1, seed=3)]
    assert kinds(diff(old, wrong)) == {"i": "wrong"}


def test_other_limits_are_made_equal():
    found = diff([run("i", SAT, 80), run("j", SAT, 1)], [run("i", TIMEOUT, 50, limit=50), run("j", SAT, 1, limit=50)])
    assert kinds(found) == {"i": "unchanged", "j": "unchanged"}
    assert any("a run of more than 50 s counts as unsolved" in note for note in found.notes)


def test_clearly_worse_by_group():
    old = [run(f"{group}{n}", SAT, 1 + n / 10, features={"kind": group}) for group in "ab" for n in range(20)]
    new = [r | {"cpu": r["cpu"] * (3 if r["instance"][0] == "b" else 1.01)} for r in old]
    found = diff(old, new, by="kind")
    assert {group: found.verdict(solver, group) for solver, group in found.comparisons} == {
        "": "clearly worse", "a": "", "b": "clearly worse",
    }  # fmt: skip


# -- the command ----------------------------------------------------------------------------------------------------------


def test_the_command(tmp_path, invoke):
    old, new = write(tmp_path / "old", OLD), write(tmp_path / "new", NEW)
    told = invoke("diff", old, new)
    assert told.exit_code == 1
    assert "REGRESSION: 2 wrong answers or errors; 1 opposite verdicts; 2 lost solves (0 allowed)" in told.output
    lines = told.output.splitlines()
    assert lines.index("Regressions: 6") < lines.index("Gains: 3")
    assert next(line for line in lines[lines.index("Regressions: 6") + 3 :]).startswith("wrong")
    assert invoke("diff", old, old).exit_code == 0
    fine = [r for r in NEW if r["instance"] in ("lost", "same", "gained", "slower")]
    lost = write(tmp_path / "lost", fine)
    assert invoke("diff", old, lost).exit_code == 1
    assert invoke("diff", old, lost, "--allow-lost", 1).exit_code == 0
    assert invoke("diff", old, lost, "--allow-lost", 1, "--allow-slower", 0).exit_code == 1
    assert invoke("diff", old, lost, "--map", "s").exit_code == 2


def test_markdown_and_json(tmp_path, invoke):
    old, new = write(tmp_path / "old", OLD), write(tmp_path / "new", NEW)
    assert invoke("diff", old, new, "--markdown", tmp_path / "d.md", "--json", tmp_path / "d.json").exit_code == 1
    page = (tmp_path / "d.md").read_text()
    assert page.startswith("<!-- bench-cnf diff -->\n\n## Regressions found")
    assert page.index("Regressions: 6") < page.index("Gains: 3")
    assert "| wrong" in page
    value = json.loads((tmp_path / "d.json").read_text())
    assert value["regression"] is True
    assert [pair["kind"] for pair in value["pairs"][:3]] == ["wrong", "wrong", "conflict"]
    assert value["totals"][0]["lost"] == 2
    assert invoke("diff", old, new, "--json", old / "runs.jsonl").exit_code == 2


def test_a_lost_encoding_is_no_changed_encoding():
    """OLD has two encodings, NEW one of them: only a formula of the remaining encoding that differs has changed."""
    order = [run(name, SAT, family="f", encoding="order", sha=f"order {name}") for name in "ij"]
    direct = [run(name, SAT, family="f", encoding="direct", sha=f"direct {name}") for name in "ij"]
    for old, new in ((order + direct, order), (order, order + direct)):
        found = diff(old, new)
        assert len(found.pairs) == 2 and not any("the encoding has changed" in note for note in found.notes)
        where = "OLD" if len(old) > len(new) else "NEW"
        assert f"not compared, because only {where} has the encoding: direct" in found.notes
    other = [record | {"cnf": record["cnf"] | {"sha256": "another"}} for record in order]
    assert "2 puzzles have other formulas in NEW: the encoding has changed" in diff(order + direct, other).notes
    renamed = [record | {"encoding": "sequence"} for record in order]
    assert not any("has changed" in note for note in diff(order + direct, renamed, {"order": "sequence"}).notes)
