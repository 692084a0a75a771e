"""Problems in files: the same problem comes back, also from a machine of the other byte order; what is no problem is told."""

from __future__ import annotations

import json
import sys
from array import array

import pytest
from counting.enumerating import cnf_of, cover_problem, covers, problems
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.problemfile import read_problem, write_problem

PROBLEM = Problem(cnf_of(3, [[1, -2], [3]]), [1, 2])


@given(problem=problems() | covers().map(cover_problem), other_order=st.booleans())
def test_there_and_back(problem, other_order, tmp_path_factory):
    path = tmp_path_factory.mktemp("problem") / "problem"
    write_problem(problem, path)
    if other_order:
        path.write_bytes(swapped(path.read_bytes()))
    again = read_problem(path)
    assert (again.identity(), again.antichain) == (problem.identity(), problem.antichain)
    assert (again.cover is None) == (problem.cover is None)
    if again.cover:
        assert again.cover.to_dlx() == problem.cover.to_dlx()
        assert list(again.cover.variables) == list(problem.cover.variables)
        assert list(again.cover.counted) == list(problem.cover.counted)


def swapped(content):
    """The file as a machine of the other byte order writes it."""
    line, _, data = content.partition(b"\n")
    numbers = array("i", data)
    numbers.byteswap()
    header = json.loads(line) | {"byteorder": "big" if sys.byteorder == "little" else "little"}
    return json.dumps(header).encode() + b"\n" + numbers.tobytes()


def test_a_small_one(tmp_path):
    """The form as it is documented."""
    write_problem(PROBLEM, tmp_path / "problem")
    line, _, data = (tmp_path / "problem").read_bytes().partition(b"\n")
    assert json.loads(line) == {
        "schema": "cnfgen-puzzles/problem",
        "version": 1,
        "byteorder": sys.byteorder,
        "arrays": [["literals", 5], ["projection", 2]],
        "variables": 3,
        "antichain": False,
        "items": None,
        "counted": [],
    }
    assert array("i", data).tolist() == [1, -2, 0, 3, 0, 1, 2]


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda content: b"p cnf 1 1\n1 0\n", "not the header of a problem"),
        (lambda content: content.replace(b'"version": 1', b'"version": 9'), "expected cnfgen-puzzles/problem version 1"),
        (lambda content: content[:-1], "damaged problem"),
        (lambda content: content + b"1234", "4 bytes after"),
        (lambda content: content.replace(b'"variables": 3', b'"variables": 2'), "beyond the 2 variables"),
        (lambda content: content.replace(b'"literals", 5', b'"literals", 1000000000000'), "damaged problem: ValueError"),
        (lambda content: b"[" * 50_000, "depth"),
        (lambda content: content.replace(b'"projection"', b'"other"'), "damaged problem: KeyError"),
    ],
)
def test_what_is_no_problem(tmp_path, change, message):
    path = tmp_path / "problem"
    write_problem(PROBLEM, path)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=message):
        read_problem(path)


@given(data=st.data())
def test_any_change_is_a_problem_or_told(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "changed"
    write_problem(data.draw(problems() | covers().map(cover_problem)), path)
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 8)))
    path.write_bytes(content[:start] + data.draw(st.binary(max_size=6)) + content[end:])
    try:
        read = read_problem(path)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        read.identity()
