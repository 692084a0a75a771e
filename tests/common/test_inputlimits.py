"""Limits of inputs: errors say how to raise them; numbers in texts are read as they look."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repository import REPOSITORY

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import (
    BYTES,
    HIGHEST,
    VARIABLE,
    WORDS,
    InputLimits,
    checked_amount,
    finite_number,
    input_limits,
    other_input_limits,
    set_input_limits,
    too_much,
    whole_number,
)
from cnfgen_puzzles.common.numbers import parse_size


@pytest.fixture(autouse=True)
def no_limits_given(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")


@pytest.mark.parametrize("name", WORDS)
def test_an_error_says_how_to_raise_the_limit(name, monkeypatch):
    """The advice is correct: with the new limit, the same input is accepted."""
    amount = getattr(InputLimits(), name) + 1
    with pytest.raises(InputError) as caught:
        checked_amount(name, amount, source="x.cnf", line=3)
    assert str(caught.value).startswith("x.cnf:3: found ")
    _, _, told = str(caught.value).partition(f"{VARIABLE}=")
    monkeypatch.setenv(VARIABLE, told.removesuffix(" raises it"))
    assert checked_amount(name, amount) == amount


@pytest.mark.parametrize("name", WORDS)
def test_an_error_of_unknown_size_proposes_a_higher_limit(name, monkeypatch):
    _, _, told = str(too_much(name, "more")).partition(f"{VARIABLE}=")
    monkeypatch.setenv(VARIABLE, told.removesuffix(" raises it"))
    assert getattr(input_limits(), name) > getattr(InputLimits(), name)


@pytest.mark.parametrize("name", HIGHEST)
def test_sizes_above_the_highest_limit_are_refused(name):
    with pytest.raises(InputError, match=f"no limit above {HIGHEST[name]} is possible"):
        checked_amount(name, HIGHEST[name] + 1)


def test_the_environment_sets_limits(monkeypatch):
    monkeypatch.setenv(VARIABLE, " size=4GiB, variables=500000000,")
    assert input_limits() == InputLimits(size=4 << 30, variables=500_000_000)


@pytest.mark.parametrize(
    "text",
    ["sze=4", "size", "size=", "size=-1", "size=1e3", "variables=0", "variables=1_0", "depth=100000", "=" * 10_000],
)
def test_invalid_limits_are_refused(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(InputError) as caught:
        input_limits()
    assert str(caught.value).startswith(f"{VARIABLE}: ")
    assert len(str(caught.value)) < 300


def test_the_library_sets_limits():
    with other_input_limits(depth=3):
        set_input_limits(cells=7)
        assert (input_limits().depth, input_limits().cells) == (3, 7)
    assert input_limits() == InputLimits()
    with pytest.raises(InputError):
        set_input_limits(depth=0)
    assert input_limits() == InputLimits()


def test_the_page_has_all_limits():
    page = (REPOSITORY / "docs/reference/limits.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\w+)(?: \(no more than (\d+)\))? \|", page, re.MULTILINE)
    amounts = {name: parse_size(amount) if name in BYTES else int(amount) for name, amount, _ in rows}
    assert InputLimits(**amounts) == InputLimits()
    assert list(amounts) == list(WORDS)
    assert {name: int(highest) for name, _, highest in rows if highest} == HIGHEST


def test_sizes_are_bytes():
    assert set(BYTES) <= set(WORDS)
    with pytest.raises(InputError):
        parse_size("9" * 5000)


@given(st.integers(-(10**30), 10**30))
def test_whole_numbers_are_read(number):
    assert whole_number(f" {number}", "it", least=None) == number
    assert whole_number(f"{number:+040d}", "it", least=None) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read(number):
    assert finite_number(repr(number), "it") == number


@pytest.mark.parametrize(
    "text", ["", "inf", "nan", "-Infinity", "1_0", "\u0665", "0x10", "1" * 5000, "1e5000", "++1", "1 2", "None", "\0"]
)
def test_text_that_is_not_a_number_is_refused(text):
    for read in (whole_number, finite_number):
        with pytest.raises(InputError) as caught:
            read(text, "the height", source="x", line=2)
        assert str(caught.value).startswith("x:2: found ")
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text, most", [("11", 10), ("1" * 5000, 10), ("-" + "1" * 5000, 10), ("0" * 5000 + "11", 10)])
def test_numbers_out_of_range_are_refused(text, most):
    with pytest.raises(InputError, match="for the height"):
        whole_number(text, "the height", most=most)
