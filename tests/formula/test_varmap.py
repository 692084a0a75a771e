"""The variable map: JSON and comments preserve it, and it is refused for other formulas."""

import json

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.formula import Cnf, Formula, VariableMap
from cnfgen_puzzles.formula.varmap import COMMENT_WIDTH, runs_of


def make_map(columns=3, title="x"):
    formula = Formula()
    cell = formula.grid("cell", 2, columns)
    formula.at_most_one(list(cell.variables), "ladder")
    formula.projection = cell.variables
    vmap = VariableMap.of(formula, family="demo", encoding="e", options={"amo": "ladder"}, puzzle={"title": title})
    return formula, vmap


def test_json_round_trip():
    formula, vmap = make_map()
    back = VariableMap.from_json(vmap.to_json(), "x.map.json")
    assert back.blocks == formula.blocks
    assert list(back.projection) == list(formula.projection)
    assert (back.family, back.encoding, back.options, back.puzzle) == ("demo", "e", {"amo": "ladder"}, {"title": "x"})
    back.check_belongs(formula, map_name="m", cnf_name="c")


@pytest.mark.parametrize("title", ["x", "ü\n\u2028 -- %", "y" * 3 * COMMENT_WIDTH])
def test_comments_carry_the_map(title):
    _, vmap = make_map(title=title)
    comments = ["before", *vmap.to_comments(), "after"]
    assert all("\n" not in comment and len(comment) <= COMMENT_WIDTH + 20 and comment.isascii() for comment in comments)
    back = VariableMap.from_comments(comments, "x.cnf")
    assert back.to_json() == vmap.to_json()
    assert VariableMap.from_comments(["before", "map of nothing"], "x.cnf") is None


def test_projection_comments_name_every_projected_variable():
    _, vmap = make_map(columns=400)
    shown = [comment.split() for comment in vmap.projection_comments()]
    assert all(words[:2] == ["p", "show"] and words[-1] == "0" for words in shown)
    assert [int(word) for words in shown for word in words[2:-1]] == list(range(1, 801))


@pytest.mark.parametrize("changed", ["a clause", "a literal", "a variable"])
def test_a_map_of_another_formula_is_refused(changed):
    formula, vmap = make_map()
    other = Cnf(formula.num_variables, formula.num_clauses, formula.literals[:])
    if changed == "a clause":
        other.literals.extend((1, 0))
        other.num_clauses += 1
    elif changed == "a literal":
        other.literals[0] = -other.literals[0]
    else:
        other.num_variables += 1
    with pytest.raises(InputError, match="belongs to another formula"):
        vmap.check_belongs(other, map_name="m", cnf_name="c")


@pytest.mark.parametrize(
    "damage, message",
    [
        (lambda entry: entry.pop("schema"), "not a variable map"),
        (lambda entry: entry.update(version=99), "version 99"),
        (lambda entry: entry.pop("blocks"), "damaged variable map: KeyError"),
        (lambda entry: entry.update(projection=[[1]]), "damaged variable map"),
        (lambda entry: entry["blocks"][0].update(count=5), "damaged variable map"),
        (lambda entry: entry.update(blocks=7), "damaged variable map"),
        (lambda entry: entry.update(version=True), "version True"),
        (lambda entry: entry.update(version=1.0), "version 1.0"),
        (lambda entry: entry.update(version=2), "KeyError: 'renaming'"),
        (lambda entry: entry.update(renaming={"seed": 1, "variables": True, "signs": True}), "renaming in a map of version 1"),
        (lambda entry: entry.update(version=2, renaming={"seed": "1", "variables": True, "signs": True}), "'seed'"),
        (lambda entry: entry.update(version=2, renaming={"seed": 1, "variables": 1, "signs": True}), "true or false"),
        (lambda entry: entry.update(projection=[[1, 2_000_000_000]]), "expected 1 to "),
        (lambda entry: entry.update(projection=[[1, 3], [3, 1]]), "variable 3 in two runs"),
        (lambda entry: entry.update(projection=[[0, 1]]), "found '0'"),
        (lambda entry: entry.update(projection=[[1, 0]]), "found '0'"),
        (lambda entry: entry["formula"].update(variables=2_000_000_000), "CNFGEN_INPUT_LIMITS=variables=2000000000"),
        (lambda entry: entry["formula"].update(variables=1), "beyond the 1 variables"),
        (lambda entry: entry["formula"].update(variables="9"), "found a text"),
        (lambda entry: entry["formula"].update(clauses=-1), "found '-1'"),
        (lambda entry: entry["formula"].update(sha256="x" * 64), "checksum"),
        (lambda entry: entry["blocks"].append(entry["blocks"][0]), "two blocks with the same name"),
        (lambda entry: entry["blocks"].append(entry["blocks"][0] | {"name": "other"}), "variable 1 in two blocks"),
        (lambda entry: entry["blocks"][0].update(first=0), "found '0'"),
        (lambda entry: entry["blocks"][0].update(name=3), "'name'"),
        (lambda entry: entry["blocks"][0].update(auxiliary=1), "'auxiliary'"),
        (lambda entry: entry["blocks"][0].update(grid=[2, True]), "true or false"),
        (lambda entry: entry["blocks"][0].update(grid=[1] * 40), "40 dimensions"),
        (lambda entry: entry["blocks"].append({"name": "r", "first": 8, "count": 0, "ragged": [[1, 0], [1, 0]]}), "twice"),
        (lambda entry: entry["blocks"].append({"name": "k", "first": 8, "count": 0, "keys": [3]}), "array of whole numbers"),
        (lambda entry: entry.update(puzzle=[]), "'puzzle'"),
        (lambda entry: entry.update(options=None), "'options'"),
        (lambda entry: entry.update(family=3), "'family'"),
        (lambda entry: entry.update(up_to=1), "'up_to'"),
    ],
)
def test_damaged_maps_are_refused(damage, message):
    entry = json.loads(make_map()[1].to_json())
    damage(entry)
    with pytest.raises(InputError, match=message) as caught:
        VariableMap.from_json(json.dumps(entry), "x.map.json")
    assert str(caught.value).startswith("x.map.json")


@pytest.mark.parametrize("text", ["", "{", "[1]", "12", '"x"', "null"])
def test_other_json_is_refused_as_a_map(text):
    with pytest.raises(InputError, match="not a variable map"):
        VariableMap.from_json(text, "x.map.json")


def test_runs():
    assert runs_of([1, 2, 3, 7, 9, 10]) == [[1, 3], [7, 1], [9, 2]]
    assert runs_of([]) == []


def test_a_small_map_cannot_claim_huge_sizes(monkeypatch):
    """A renaming, and a projection of many runs, take memory for each variable; both have limits with messages."""
    entry = json.loads(make_map()[1].to_json())
    entry["formula"]["variables"] = 90_000_000
    assert VariableMap.from_json(json.dumps(entry | {"projection": [[1, 10_000_000]]}), "m").projection == range(1, 10_000_001)
    renamed = entry | {"version": 2, "renaming": {"seed": 1, "variables": True, "signs": True}}
    for mutant, name in ((renamed, "renamed"), (entry | {"projection": [[1, 20_000_000], [30_000_000, 9]]}, "projection")):
        with pytest.raises(InputError, match=f"CNFGEN_INPUT_LIMITS={name}=") as caught:
            VariableMap.from_json(json.dumps(mutant), "x.map.json")
        assert str(caught.value).startswith("x.map.json: ")


def test_empty_blocks_may_lie_anywhere():
    formula = Formula()
    formula.grid("none", 0, 30)
    formula.ragged("rows", {(0,): 0, (1,): 2})
    formula.keyed("no keys", [])
    vmap = VariableMap.of(formula, family="demo", encoding="e", options={}, puzzle={})
    assert VariableMap.from_json(vmap.to_json(), "m").blocks == formula.blocks
