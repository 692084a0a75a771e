"""The script that breaks code on purpose: its targets exist, and it separates detected mutants from survivors."""

import subprocess

import pytest
from repository import REPOSITORY

CODE = "def small(number):\n    return number < 3\n\n\ndef large(number):\n    return number > 3\n"
TEST = "from code_in_question import large, small\n\n\ndef test_it():\n    assert small(2) and large is not None\n"


@pytest.fixture
def script(load_script):
    return load_script("mutate")


def test_every_target_exists(script):
    for target in script.TARGETS:
        assert list(script.mutants_of(target)), target
        missing = [name for name in target.tests if not (REPOSITORY / name.partition("::")[0]).exists()]
        assert not missing, target
    assert len({target.name for target in script.TARGETS}) == len(script.TARGETS)


def test_listed_equivalent_mutants_still_exist(script):
    assert script.UNCHANGED
    for file, was in script.UNCHANGED:
        assert was in " ".join((REPOSITORY / file).read_text(encoding="utf-8").split()).replace("( ", "(").replace(" )", ")"), was


@pytest.mark.release
def test_mutants_are_detected_or_survive(script, tmp_path, monkeypatch, capsys):
    (tmp_path / "code_in_question.py").write_text(CODE)
    (tmp_path / "test_it.py").write_text(TEST)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setattr(script, "REPOSITORY", tmp_path)
    monkeypatch.setattr(script, "TARGETS", (script.Target("it", script.CHECKS, "code_in_question.py", ("test_it.py",)),))
    monkeypatch.setattr("sys.argv", ["mutate", "--jobs", "1"])
    assert script.main() == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == [
        "noticed   code_in_question.py:2: number < 3 -> (number >= 3)",
        "SURVIVED  code_in_question.py:6: number > 3 -> (number <= 3)",
    ]
    assert printed[-1].split() == ["all", "2", "1", "0", "1"]
