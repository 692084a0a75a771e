"""The reductions of mazes against the published numbers of mazes."""

import pytest

from studies.mazes.commands import run_study


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "words, numbers",
    [
        ("--kind thin --size 3x3", ["138,172", "10,772"]),
        ("--kind blocked --size 4x4", ["3,828", "2,423", "2,083"]),
        ("--kind blocked --size 4x4 --reduce all", ["3,828", "1,874"]),
        ("--kind thin --size 2x2 --reduce none", ["not done: component"]),
    ],
)
def test_the_published_numbers(capsys, words, numbers):
    assert run_study("maze_reductions", words.split()) == 0
    printed = capsys.readouterr().out
    assert all(number in printed for number in numbers)


@pytest.mark.parametrize("words", ["--kind thin --size 9x9", "--kind thin --size 3y", "--kind thin --size 2x2 --reduce sky"])
def test_mistakes_are_one_line(capsys, words):
    assert run_study("maze_reductions", words.split()) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
