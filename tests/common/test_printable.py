"""Control characters for terminals are escaped, and nothing else is changed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import printable, printable_lines

SURROGATES = st.characters(categories=["Cs"])


@pytest.mark.parametrize(
    "text, shown",
    [
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("4.0\rs SATISFIABLE", r"4.0\rs SATISFIABLE"),
        ("a\nb", r"a\nb"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202eabc", r"\u202eabc"),
        ("x\u2028y", r"x\u2028y"),
        ("caf\udce9", r"caf\xe9"),
        ("\ud800", r"\ud800"),
        ("Käse 家 \U0001f600 \\x1b", "Käse 家 \U0001f600 \\x1b"),
    ],
)
def test_control_characters_are_escaped(text, shown):
    assert printable(text) == shown


@given(st.text(st.characters() | SURROGATES))
def test_what_is_shown_is_one_line_that_any_terminal_takes(text):
    shown = printable(text)
    assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") for character in shown)
    assert len(shown.splitlines()) <= 1
    shown.encode()
    assert printable(shown) == shown
    if text.isprintable():
        assert shown == text


@given(st.text())
def test_line_ends_stay_where_lines_are_wanted(text):
    assert printable_lines(text).count("\n") == text.count("\n")
    assert printable_lines(text).split("\n") == [printable(line) for line in text.split("\n")]
