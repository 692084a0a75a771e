"""Mistakes in a suite are told with their line (runs: test_execute.py, scores: test_scores.py)."""

import pytest

from cnfgen_puzzles.bench.suite import read_suite
from cnfgen_puzzles.errors import InputError

SUITE = """
name: small
instances:
  - family: nonogram
    puzzles: ["*.nin"]
    encodings: [order, direct]
solvers: [kissat, minisat]
limits: {cpu: 5, wall: 10, memory: 1GiB}
jobs: 2
"""


@pytest.fixture
def suite_file(puzzles):
    path = puzzles / "suite.yaml"
    path.write_text(SUITE)
    return path


@pytest.mark.parametrize(
    "change, line, message",
    [
        (("solvers:", "solver:"), 7, "unknown key 'solver'"),
        (("[kissat,", "[kisat,"), 7, "kissat"),
        (("family: nonogram", "family: nonogramm"), 4, "did you mean nonogram"),
        (("[order, direct]", "[order, dirct]"), 6, "did you mean direct"),
        (('"*.nin"', '"*.nothing"'), 5, "no file that matches"),
        (("1GiB", "1 horse"), 8, "1 horse"),
        (("cpu: 5", "cpu: five"), 8, "number"),
        (("name: small", "nam: small"), 2, "name"),
    ],
)
def test_mistakes_in_a_suite_name_the_line(suite_file, change, line, message):
    suite_file.write_text(SUITE.replace(*change))
    with pytest.raises(InputError, match=message) as caught:
        read_suite(suite_file)
    assert caught.value.line == line
