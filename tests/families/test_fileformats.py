"""The table of formats of a test family: detection, reading, writing, and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.fileformats import Format, FormatTable


@dataclass(frozen=True)
class Word:
    letters: str
    about: dict[str, str] = field(default_factory=dict)


def read(text: str, name: str) -> Word:
    if not text.strip().isalpha():
        raise InputError(f"found {text.strip()!r}, expected letters", source=name, line=1)
    return Word(text.strip())


def read_list(text: str, name: str) -> list[Callable[[], Word]]:
    return [partial(Word, line, {"title": line.upper()}) for line in text.splitlines()]


PLAIN = Format("plain", "letters", (".word",), read=read, write=lambda word: word.letters)
LIST = Format("list", "a word a line", (".list",), recognise=lambda text: "\n" in text, read_set=read_list)
SHOUTED = Format("shouted", "capitals (written only)", (".loud",), write=lambda word: word.letters.upper())

ONE = FormatTable("word", "a word", [PLAIN])
ALL = FormatTable("word", "a word", [PLAIN, LIST, SHOUTED])


def source(text: str, suffix: str = "") -> Source:
    return Source("p", text.encode(), suffix)


def test_a_single_format_is_always_selected():
    assert ONE.read_puzzle(source("abc")) == Word("abc")
    with pytest.raises(InputError, match="p:1: found '1', expected letters"):
        ONE.read_puzzle(source("1"))
    with pytest.raises(InputError, match="p:1: found an empty file, expected a word"):
        ONE.read_puzzle(source(" "))
    assert ONE.write_puzzle(Word("abc"), "plain") == "abc"


def test_the_suffix_decides_unless_its_format_does_not_recognise_the_text():
    assert ALL.read_puzzle(source("abc", ".word")) == Word("abc")
    assert ALL.read_puzzle(source("abc\n", ".word")).about == {}
    assert ALL.read_puzzle(source("abc\n", ".loose")).about == {"title": "ABC"}
    both = FormatTable("word", "a word", [PLAIN, LIST, LIST._replace(name="shout", suffixes=(".s",), recognise=str.isupper)])
    assert both.pick("ABC\n", ".s").name == "shout" and both.pick("abc\n", ".s").name == "list"
    with pytest.raises(InputError, match=r"p:1: found no known file format, expected a word \(letters, a word"):
        ALL.read_puzzle(source("abc"))
    assert ALL.read_puzzle(source("abc"), format="plain") == Word("abc")
    with pytest.raises(InputError, match="unknown word format 'plane'; did you mean plain"):
        ALL.read_puzzle(source("abc"), format="plane")


def test_several_puzzles():
    many = "".join(f"{chr(97 + n)}\n" for n in range(21))
    text = many[:12]
    assert ALL.read_puzzle(source(text), number=6).letters == "f"
    with pytest.raises(
        InputError, match=r"found 21 puzzles, expected one: choose it with --number \(1 'A', 2 'B', .*20 'T', ...\)"
    ):
        ALL.read_puzzle(source(many))
    with pytest.raises(InputError, match="found 6 puzzles, expected at least 7"):
        ALL.read_puzzle(source(text), number=7)
    for number in (0, -1):
        with pytest.raises(InputError, match=f"found the number {number}, expected one from 1 to 6"):
            ALL.read_puzzle(source(text), number=number)
    assert ALL.read_puzzle(source("abc", ".word"), number=1) == Word("abc")


def test_formats_that_are_only_read_or_only_written():
    assert [entry.readable for entry in ALL.values()] == [True, True, False]
    assert ALL.write_puzzle(Word("abc"), "shouted") == "ABC"
    with pytest.raises(InputError, match=r"found capitals .*, expected a format that can be read: letters, a word a line"):
        ALL.read_puzzle(source("ABC", ".loud"))
    with pytest.raises(InputError, match=r"found a word a line, expected a format that can be written: letters, capitals"):
        ALL.write_puzzle(Word("abc"), "list")
