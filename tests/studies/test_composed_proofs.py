"""A proof for a formula of mazes, composed of proofs of cubes, which lrat-check verifies."""

from __future__ import annotations

import re

import pytest

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import write_dimacs
from cnfgen_puzzles.solving.table import find_solver

PROGRAMS = ("glucose", "drat-trim", "lrat-check")


@pytest.fixture(scope="module")
def composing(load_script):
    if not all(find_solver(name).available() for name in PROGRAMS[:2]):
        pytest.skip("glucose or drat-trim is not there")
    return load_script("compose_cube_proofs")


def formula_file(tmp_path, kind, size, length):
    family = find_family("maze")
    formula = family.encode(family.read(None, kind=kind, size=size, length=length))
    with (tmp_path / "formula.cnf").open("wb") as stream:
        write_dimacs(formula, stream)
    return tmp_path / "formula.cnf"


@pytest.mark.parametrize(
    ("kind", "size", "length", "depth"), [("thin", "2x2", 6, 1), ("blocked", "3x3", 8, 1), ("blocked", "3x2", 4, 2)]
)
def test_a_composed_proof_is_verified(composing, tmp_path, capsys, kind, size, length, depth):
    formula, proof = formula_file(tmp_path, kind, size, length), tmp_path / "proof.lrat"
    assert composing.main([str(formula), str(proof), "--depth", str(depth)]) == 0
    assert "lrat-check: verified" in capsys.readouterr().out
    lines = proof.read_text().splitlines()
    assert lines[-1].split()[1] == "0" or lines[-2].split()[1] == "0", "the empty clause is at the end"


def test_a_formula_with_a_model_has_no_proof(composing, tmp_path):
    formula = formula_file(tmp_path, "blocked", "3x2", 5)
    with pytest.raises(ValueError, match="exit code"):
        composing.main([str(formula), str(tmp_path / "proof.lrat"), "--depth", "1"])


@pytest.mark.release
def test_hard_cubes_are_split(composing, tmp_path, capsys, monkeypatch):
    """As if every cube of one letter exceeded its time limit."""
    by_solver = composing.Composition.by_solver
    monkeypatch.setattr(composing.Composition, "by_solver", lambda self, cube: by_solver(self, cube) if len(cube) > 1 else None)
    formula = formula_file(tmp_path, "thin", "2x2", 6)
    assert composing.main([str(formula), str(tmp_path / "proof.lrat"), "--depth", "1"]) == 0
    told = re.search(r"cubes: (\d+) by glucose .*, (\d+) at once", capsys.readouterr().out)
    assert int(told[1]) > 0 and int(told[1]) + int(told[2]) == 16
