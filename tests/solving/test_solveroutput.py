"""What solvers print besides answers: numbers and an excerpt, from outputs of any size."""

from itertools import combinations

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.answers import EXCERPT, excerpt, said_besides_the_model, statistics_in
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver, load_solvers

COUNTING = [name for name, solver in load_solvers().items() if solver.statistics]


def pigeonholes(pigeons, holes):
    """No solver refutes it without a conflict."""
    sits = [[holes * pigeon + hole + 1 for hole in range(holes)] for pigeon in range(pigeons)]
    clauses = [*sits, *([-a[hole], -b[hole]] for a, b in combinations(sits, 2) for hole in range(holes))]
    return f"p cnf {pigeons * holes} {len(clauses)}\n" + "".join(f"{' '.join(map(str, clause))} 0\n" for clause in clauses)


@pytest.mark.parametrize("name", COUNTING)
def test_solvers_print_what_they_count_only_when_asked(name, tmp_path):
    if not find_solver(name).available():
        pytest.skip("not there")
    path = tmp_path / "x.cnf"
    path.write_text(pigeonholes(7, 6))
    loud, quiet = run_solver(find_solver(name), path, statistics=True), run_solver(find_solver(name), path)
    assert loud.status == quiet.status == "UNSATISFIABLE"
    assert set(loud.statistics) <= {"conflicts", "decisions", "propagations", "restarts"}
    assert loud.statistics
    assert len(quiet.excerpt) <= len(loud.excerpt) <= EXCERPT


def test_the_model_is_left_out_and_both_ends_are_seen(tmp_path):
    path = tmp_path / "stdout"
    path.write_bytes(b"c first 1\n" + b"v 1 2 3\n" * 500_000 + b"c last 7\nc last 8\n")
    with path.open("rb") as file:
        said = said_besides_the_model(file)
    assert said == b"c first 1\nc last 7\nc last 8\n"
    patterns = [("first", r"^c first (\d+)"), ("last", r"^c last (\d+)"), ("none", r"^c none (\d+)")]
    assert statistics_in(said, patterns) == {"first": 1, "last": 8}


def test_a_long_text_keeps_its_ends():
    text = excerpt(b"begin" + b"x" * 10_000 + b"end")
    assert len(text) == EXCERPT
    assert (text[:5], text[-3:]) == ("begin", "end")


@pytest.mark.parametrize(
    "pattern, complaint", [("^c (", "unterminated|missing"), ("^c x", "found 0 groups"), ("(a)(b)", "found 2")]
)
def test_a_pattern_that_is_none_is_refused(pattern, complaint, tmp_path, monkeypatch):
    path = tmp_path / "solvers.yaml"
    path.write_text(f"solvers:\n  mine:\n    executable: /bin/true\n    call:\n      statistics: {{conflicts: '{pattern}'}}\n")
    monkeypatch.setenv("CNFGEN_SOLVERS_FILE", str(path))
    with pytest.raises(InputError, match=complaint):
        find_solver("mine")
