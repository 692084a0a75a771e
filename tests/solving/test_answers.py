"""Every dialect of answers, and every way in which an answer can be no answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.sources import Source
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE, Answer, answer_lines, read_answer


def read(text):
    return read_answer(Source("out", text.encode() if isinstance(text, str) else text))


@pytest.mark.parametrize(
    "text, verdict, model",
    [
        ("s SATISFIABLE\nv 1 -2 0\n", SATISFIABLE, (1, -2)),
        ("c hello\ns SATISFIABLE\nv 1\nv -2\nv 0\n", SATISFIABLE, (1, -2)),
        ("v 1 -2 0\nc Answer: 1\ns SATISFIABLE\n", SATISFIABLE, (1, -2)),  # clasp
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
    ],
)
def test_what_is_no_answer(text, line, message):
    with pytest.raises(InputError, match=message) as caught:
        read(text)
    assert (caught.value.source, caught.value.line) == ("out", line)


@given(st.sets(st.integers(1, 10**7), max_size=60), st.randoms(use_true_random=False))
def test_answer_lines_are_read_back(variables, random):
    model = tuple(random.choice((1, -1)) * variable for variable in sorted(variables))
    lines = list(answer_lines(SATISFIABLE, model))
    assert all(len(line) <= 78 for line in lines)
    assert read("\n".join(lines) + "\n") == Answer(SATISFIABLE, model)


@given(st.binary(max_size=200))
def test_arbitrary_output_is_an_answer_or_an_error(data):
    try:
        answer = read(data)
    except InputError:
        return
    assert answer.verdict in (None, SATISFIABLE, UNSATISFIABLE, UNKNOWN)
