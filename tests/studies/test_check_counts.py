"""The command that checks claims: its output and exit code for right, wrong and missing claims."""

from __future__ import annotations

import pytest

from studies.pentominoes.cellbycell import number_of_tilings
from studies.pentominoes.claims import read_puzzle
from studies.pentominoes.command import main
from studies.pentominoes.counts import Claims, Found, claims_of, judge

DOMINOES = "size: 2x4\npieces: [{piece: domino, count: any}]\n"


@pytest.mark.parametrize(
    ("claims", "code", "said"),
    [
        ("claims: {raw: 5}", 0, "5 in all 5 in all right"),
        ("claims: {solutions: 4, raw: 5}", 0, "4 up to symmetry, 5 in all right"),
        ("claims: {solutions: 4, convention: up to rotations}", 0, "4 up to rotations right"),
        ("claims: {verdict: satisfiable}", 0, "satisfiable satisfiable right"),
        ("claims: {raw: 6}", 1, "6 in all 5 in all WRONG"),
        ("claims: {raw: 4}", 1, "4 in all 5 in all WRONG"),
        ("claims: {solutions: 3}", 1, "WRONG"),
        ("claims: {verdict: unsatisfiable}", 1, "unsatisfiable satisfiable WRONG"),
        ("", 0, "no claim"),
    ],
)
def test_claims(tmp_path, capsys, claims, code, said):
    pytest.importorskip("pysat")
    path = tmp_path / "dominoes.yaml"
    path.write_text(DOMINOES + claims)
    assert main([str(path), "--engine", "blocking", "--jobs", "1"]) == code
    assert said in " ".join(capsys.readouterr().out.split())


def test_folders_and_mistakes(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert "no .yaml file" in capsys.readouterr().err
    (tmp_path / "a.yaml").write_text("size: 2\n")
    assert main([str(tmp_path)]) == 2
    assert "a.yaml:1: the key 'pieces' is missing" in capsys.readouterr().err
    assert main([str(tmp_path / "none.yaml")]) == 2
    assert "no such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("claims", "numbers", "verdict"),
    [
        ({"raw": 8}, (2, 8, True), "right"),
        ({"raw": 8}, (2, 8, False), "not decided"),
        ({"raw": 8}, (3, 9, False), "WRONG"),
        ({"verdict": "unsatisfiable"}, (0, 0, True), "right"),
        ({"verdict": "unsatisfiable"}, (0, 0, False), "not decided"),
        ({"verdict": "satisfiable"}, (0, 0, True), "WRONG"),
        ({"verdict": "satisfiable"}, (1, 4, False), "right"),
        ({"verdict": "satisfiable", "raw": 8}, (1, 4, False), "not decided"),
        ({"verdict": "satisfiable", "raw": 8}, (2, 8, True), "right"),
        ({"verdict": "satisfiable", "raw": 8}, (1, 4, True), "WRONG"),
    ],
)
def test_verdicts_on_claims(claims, numbers, verdict):
    solutions, raw, complete = numbers
    found = Found(solutions, 0, raw, complete, "", 0.0)
    assert judge(Claims(**claims), found) == verdict


@pytest.mark.parametrize(
    "name", ["dominoes-2x10", "dominoes-2x2x6", "dominoes-torus-4x4", "l-trominoes-5x9", "t-tetrominoes-8x8"]
)
def test_cell_by_cell(name):
    puzzle = read_puzzle(name)
    assert number_of_tilings(puzzle) == claims_of(puzzle.about).raw
