"""scripts/maze_reductions.py against the published numbers of mazes."""

import pytest


@pytest.fixture(scope="module")
def script(load_script):
    return load_script("maze_reductions")


@pytest.mark.parametrize(
    "words, numbers",
    [
        ("--kind thin --size 3x3", ["138,172", "10,772"]),
        ("--kind blocked --size 4x4", ["3,828", "2,423", "2,083"]),
        pytest.param("--kind blocked --size 4x4 --reduce all", ["3,828", "1,874"], marks=pytest.mark.slow),
        ("--kind thin --size 2x2 --reduce none", ["not done: component"]),
    ],
)
def test_the_published_numbers(script, capsys, words, numbers):
    assert script.main(words.split()) == 0
    printed = capsys.readouterr().out
    assert all(number in printed for number in numbers)


@pytest.mark.parametrize("words", ["--kind thin --size 9x9", "--kind thin --size 3", "--kind thin --size 2x2 --reduce sky"])
def test_mistakes_are_one_line(script, capsys, words):
    assert script.main(words.split()) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
