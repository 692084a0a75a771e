"""The command that checks claims: what it says of right, wrong and missing ones, and with what it exits."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOMINOES = "size: 2x4\npieces: [{piece: domino, count: any}]\n"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("check_counts", ROOT / "scripts" / "check_counts.py")
    module = sys.modules["check_counts"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
def test_claims(script, tmp_path, capsys, claims, code, said):
    pytest.importorskip("pysat")
    path = tmp_path / "dominoes.yaml"
    path.write_text(DOMINOES + claims)
    assert script.main([str(path), "--engine", "blocking", "--jobs", "1"]) == code
    assert said in " ".join(capsys.readouterr().out.split())


def test_folders_and_mistakes(script, tmp_path, capsys):
    assert script.main([str(tmp_path)]) == 2
    assert "no .yaml file" in capsys.readouterr().err
    (tmp_path / "a.yaml").write_text("size: 2\n")
    assert script.main([str(tmp_path)]) == 2
    assert "a.yaml:1: the key 'pieces' is missing" in capsys.readouterr().err
    assert script.main([str(tmp_path / "none.yaml")]) == 2
    assert "no such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("claims", "found", "verdict"),
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
def test_judge(script, claims, found, verdict):
    solutions, raw, complete = found
    measured = script.Measured(solutions, 0, raw, complete, "", 0.0)
    assert script.judge(script.Claims(**claims), measured) == verdict
