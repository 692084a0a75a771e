"""Every dialect of answers, every kind of invalid answer, and other output of solvers."""

import tracemalloc
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.solving.answers import (
    EDGE,
    EXCERPT,
    PIECE,
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    RunOutputs,
    SolverAnswer,
    answer_lines,
    excerpt,
    output_without_model,
    read_answer,
    statistics_in,
)
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver, load_solvers


def read(text):
    return read_answer(Source("out", text.encode() if isinstance(text, str) else text))


@pytest.mark.parametrize(
    "text, verdict, model",
    [
        ("s SATISFIABLE\nv 1 -2 0\n", SATISFIABLE, (1, -2)),
        ("c hello\ns SATISFIABLE\nv 1\nv -2\nv 0\n", SATISFIABLE, (1, -2)),
        ("v 1 -2 0\nc SolverAnswer: 1\ns SATISFIABLE\n", SATISFIABLE, (1, -2)),  # clasp
        ("c banner\n| Number of variables | 2 |\ns SATISFIABLE\r\nv 1 -2 0\r\n", SATISFIABLE, (1, -2)),
        ("s UNSATISFIABLE\n", UNSATISFIABLE, None),
        ("s UNKNOWN\n", UNKNOWN, None),
        ("s INDETERMINATE\n", UNKNOWN, None),
        ("s SATISFIABLE\nv 0\n", SATISFIABLE, ()),
        ("WARNING: for repeatability, ...\nSATISFIABLE\n", SATISFIABLE, None),  # minisat
        ("UNSATISFIABLE\n", UNSATISFIABLE, None),
        ("INDETERMINATE\n", UNKNOWN, None),
        ("SAT\n1 -2 0\n", SATISFIABLE, (1, -2)),  # minisat's file
        ("UNSAT\n", UNSATISFIABLE, None),
        ("INDET\n", UNKNOWN, None),
        ("", None, None),
        ("rubbish\n\x00\xff\n", None, None),
    ],
)
def test_dialects(text, verdict, model):
    answer = read(text)
    assert (answer.verdict, answer.model) == (verdict, model)


@pytest.mark.parametrize(
    "text, line, message",
    [
        ("s SATISFIABLE\nv 1 -2\n", 2, "cut short"),
        ("s SATISFIABLE\nv 1 -2 0\nv 3 0\n", 3, "found 0 inside"),
        ("s SATISFIABLE\nv 1 x 0\n", 2, "b'x'"),
        ("s SATISFIABLE\nv 1 -1 0\n", 2, "both"),
        ("s UNSATISFIABLE\nv 1 0\n", 2, "model with the verdict UNSATISFIABLE"),
        ("v 1 0\n", 1, "model with the verdict None"),
        ("s SATISFIABLE\ns UNSATISFIABLE\n", 2, "UNSATISFIABLE after SATISFIABLE"),
        ("s MAYBE\n", 1, "the verdict b'MAYBE'"),
        ("SAT\n1 -2\n", 2, "cut short"),
        ("SAT\n1 two 0\n", 2, "b'two'"),
        ("s SATISFIABLE\nv --5 0\n", 2, "b'--5'"),
        ("s SATISFIABLE\nv 5- 0\n", 2, "b'5-'"),
        ("s SATISFIABLE\nv - 0\n", 2, "b'-'"),
        ("s SATISFIABLE\nv -0\n", 2, "b'-0'"),
        ("s SATISFIABLE\nv +5 0\n", 2, r"b'\+5'"),
        ("s SATISFIABLE\nv 5_0 0\n", 2, "b'5_0'"),
        ("s SATISFIABLE\nv 007 0\n", 2, "b'007'"),
        ("s SATISFIABLE\nv \u0663 0\n", 2, "expected a literal"),
        ("s SATISFIABLE\nv 1.0 0\n", 2, "b'1.0'"),
        ("s SATISFIABLE\nv 1e3 0\n", 2, "b'1e3'"),
        ("s SATISFIABLE\nv nan 0\n", 2, "b'nan'"),
        ("s SATISFIABLE\nv 2147483648 0\n", 2, "contains variable 2147483648"),
        ("s SATISFIABLE\nv 1\nv " + "9" * 5000 + " 0\n", 3, "b'9999"),
        ("s SATISFIABLE\nv " + "1" * 200_000, 2, "b'1111"),
        (b"s SATISFIABLE\nv 1 \xff\xfe\x00 0\n", 2, "expected a literal"),
        ("s " + "X" * 500, 1, "the verdict"),
    ],
)
def test_invalid_answers_are_refused(text, line, message):
    with pytest.raises(InputError, match=message) as caught:
        read(text)
    assert (caught.value.source, caught.value.line) == ("out", line)


@given(st.sets(st.integers(1, 10**7), max_size=60), st.randoms(use_true_random=False))
def test_answer_lines_are_read_back(variables, random):
    model = tuple(random.choice((1, -1)) * variable for variable in sorted(variables))
    lines = list(answer_lines(SATISFIABLE, model))
    assert all(len(line) <= 78 for line in lines)
    assert read("\n".join(lines) + "\n") == SolverAnswer(SATISFIABLE, model)


PARTS = [
    b"s ",
    b"v ",
    b"v",
    b"c ",
    b"SATISFIABLE",
    b"UNSATISFIABLE",
    b"SAT",
    b"UNKNOWN",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\t",
    b"\x0b",
]
PARTS += [b"0", b"1", b"-1", b"-2", b"3", b"-", b"--", b"_", b"+", b"9" * 12, b"\xd9\xa3", b"\0", b"\xff", b"e1", b".", b"inf"]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PARTS), max_size=30).map(b"".join), st.sampled_from([None, 0, 3]), st.sampled_from([None, 0, 70]))
def test_what_is_nearly_an_answer_is_one_or_an_error(data, variables, comments):
    try:
        answer = read_answer(Source("out", data), variables=variables, comments=comments)
    except InputError as error:
        assert error.source == "out" and 1 <= error.line <= data.count(b"\n") + 1
        return
    if answer.model is not None:
        assert answer.verdict == SATISFIABLE
        assert 0 not in answer.model and len({abs(literal) for literal in answer.model}) == len(answer.model)
        assert all(f"{literal}".encode() in data for literal in answer.model)
        assert variables is None or all(abs(literal) <= variables for literal in answer.model)
    assert comments is None or sum(len(line.encode()) for line in answer.comments) <= 3 * comments


@pytest.mark.parametrize("separator", [b" ", b"\nv ", b" \t\r\nv "])
def test_a_model_of_many_pieces_is_read_whole(separator):
    literals = [(-1) ** number * number for number in range(1, 40_000)]
    text = b"s SATISFIABLE\nv " + separator.join(b"%d" % literal for literal in literals) + b" 0\n"
    assert len(text) > 3 * PIECE
    assert read(text).model == tuple(literals)
    for place in range(3 * PIECE, 3 * PIECE + 8):  # wherever it is cut short
        with pytest.raises(InputError):
            read(text[:place])


@pytest.mark.sample(2)
@pytest.mark.parametrize("repeated", [b"v 1 -2 3 1 -2\n", b"c " + b"x" * 50 + b"\n", b"\n", b"c\n", b"noise\r\n"])
def test_a_flood_takes_no_more_memory_than_the_formula_has_variables(repeated):
    flood = Source("out", repeated * (1_000_000 // len(repeated)) + b"s SATISFIABLE\nv 0\n")
    tracemalloc.start()
    try:
        answer = read_answer(flood, variables=3, comments=1000)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert answer.verdict == SATISFIABLE


def test_a_variable_above_those_of_the_formula_is_refused():
    assert read_answer(Source("out", b"s SATISFIABLE\nv -3 0\n"), variables=3).model == (-3,)
    with pytest.raises(InputError, match="contains variable 4, the formula has 3"):
        read_answer(Source("out", b"s SATISFIABLE\nv 1 -4 0\n"), variables=3)


# -- the output of a run ------------------------------------------------------------------------------------------------------

COUNTING = [name for name, solver in load_solvers().items() if solver.statistics]


def pigeonholes(pigeons, holes):
    """No solver refutes it without a conflict."""
    sits = [[holes * pigeon + hole + 1 for hole in range(holes)] for pigeon in range(pigeons)]
    clauses = [*sits, *([-a[hole], -b[hole]] for a, b in combinations(sits, 2) for hole in range(holes))]
    return f"p cnf {pigeons * holes} {len(clauses)}\n" + "".join(f"{' '.join(map(str, clause))} 0\n" for clause in clauses)


@pytest.mark.sample(4)
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
        output = output_without_model(file)
    assert output == b"c first 1\nc last 7\nc last 8\n"
    patterns = [("first", r"^c first (\d+)"), ("last", r"^c last (\d+)"), ("none", r"^c none (\d+)")]
    assert statistics_in(output, patterns) == {"first": 1, "last": 8}


def test_a_long_text_keeps_its_ends():
    text = excerpt(b"begin" + b"x" * 10_000 + b"end")
    assert len(text) == EXCERPT
    assert (text[:5], text[-3:]) == ("begin", "end")


@pytest.mark.parametrize(
    "pattern, complaint", [("^c (", "unterminated|missing"), ("^c x", "found 0 groups"), ("(a)(b)", "found 2")]
)
def test_an_invalid_pattern_is_refused(pattern, complaint, tmp_path, monkeypatch):
    path = tmp_path / "solvers.yaml"
    path.write_text(f"solvers:\n  mine:\n    executable: /bin/true\n    call:\n      statistics: {{conflicts: '{pattern}'}}\n")
    monkeypatch.setenv("CNFGEN_SOLVERS_FILE", str(path))
    with pytest.raises(InputError, match=complaint):
        find_solver("mine")


@pytest.mark.parametrize(("size", "left_out"), [(10, 0), (2 * EDGE, 0), (2 * EDGE + 1, 1), (5 * EDGE, 3 * EDGE)])
def test_the_ends_are_kept(tmp_path, size, left_out):
    (tmp_path / "kept").mkdir()
    (tmp_path / "run").mkdir()
    with RunOutputs.create(tmp_path / "run") as outputs:
        outputs.stdout.write(b"a" * (size // 2) + b"b" * (size - size // 2))
        outputs.copy_to(tmp_path / "kept")
    kept = (tmp_path / "kept" / "stdout").read_bytes()
    assert kept.startswith(b"a" * min(size // 2, EDGE)) and kept.endswith(b"b" * min(size // 2, EDGE))
    assert (b"\n[... %d bytes left out ...]\n" % left_out in kept) == bool(left_out)
    assert len(kept) < 2 * EDGE + 100
