"""Reads DRAT and LRAT proofs, as text and binary. Truncated proofs and proofs with additional text are refused.

A text is compared with the grammar as a whole before any step is used. Literals and clause numbers are integers of at most
`MOST_LITERAL` and `MOST_NUMBER`. The checkers verify that clauses exist and follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_LITERAL = 2**31 - 1
MOST_NUMBER = 2**62

NUMBER = rb"[1-9][0-9]{0,18}+(?=\s)"
LITERALS = rb"(?:-?" + NUMBER + rb"\s++)*+0(?=\s|\Z)"
COMMENT = rb"^c[^\n]*+(?:\n|\Z)"
DRAT = re.compile(rb"(?:\s++|" + COMMENT + rb"|(?:d\s++)?+" + LITERALS + rb")*+", re.MULTILINE)
LRAT = re.compile(
    rb"(?:\s++|" + COMMENT + rb"|" + NUMBER + rb"\s++(?:d\s++(?:" + NUMBER + rb"\s++)*+0(?=\s|\Z)|"
    + LITERALS + rb"\s++" + LITERALS + rb"))*+", re.MULTILINE,
)  # fmt: skip
COMMENTS = re.compile(COMMENT, re.MULTILINE)
"""The patterns are possessive, so matching takes linear time even for invalid files."""

ADD, DELETE = ord("a"), ord("d")
MOST_BYTES = 10
"""The longest number of a binary proof, in bytes: 70 bits."""


class NoProof(Exception):
    """The reason why a file is not a valid proof."""


class ProofStep(NamedTuple):
    """A step of DRAT: the addition or deletion of a clause."""

    deletes: bool
    clause: list[int]


class HintedStep(NamedTuple):
    """A step of LRAT: the addition of clause `number` with its `hints`, or (number 0) the deletion of the clauses in `hints`."""

    number: int
    clause: list[int]
    hints: list[int]


def drat_steps(data: bytes, *, binary: bool = False) -> Iterator[ProofStep]:
    """The steps of a DRAT proof. NoProof if it is invalid; for text, before the first step."""
    return _binary_drat(data) if binary else _text_drat(_checked(data, DRAT))


def lrat_steps(data: bytes, *, binary: bool = False) -> Iterator[HintedStep]:
    """The steps of an LRAT proof. NoProof if it is invalid; for text, before the first step."""
    return _binary_lrat(data) if binary else _text_lrat(_checked(data, LRAT))


# -- text -----------------------------------------------------------------------------------------------------------------


def _checked(data: bytes, grammar: re.Pattern[bytes]) -> bytes:
    """The proof without its comments; NoProof unless all of it matches the grammar."""
    found = grammar.match(data)
    end = found.end() if found else 0
    if end < len(data):
        line = data.count(b"\n", 0, end) + 1
        shown = repr(data[end : end + 40].split(b"\n")[0])[2:-1]
        raise NoProof(f"line {line}: found `{shown}`, expected a step that ends with 0")
    return COMMENTS.sub(b"", data)


class _Literals(dict[bytes, int]):
    """The literals by their text, each one parsed once."""

    def __missing__(self, word: bytes) -> int:
        literal = int(word)
        if abs(literal) > MOST_LITERAL:
            raise NoProof(f"found literal {literal}, expected one of at most {MOST_LITERAL}")
        self[word] = literal
        return literal


def _text_drat(data: bytes) -> Iterator[ProofStep]:
    literals = _Literals()
    clause: list[int] = []
    deletes = False
    for word in data.split():
        if word == b"0":
            yield ProofStep(deletes, clause)
            clause, deletes = [], False
        elif word == b"d":
            deletes = True
        else:
            clause.append(literals[word])


def _text_lrat(data: bytes) -> Iterator[HintedStep]:
    words = iter(data.split())
    literals = _Literals()
    for word in words:
        number, clause = int(word), []
        for word in words:
            if word in (b"0", b"d"):
                break
            clause.append(literals[word])
        hints = list(map(int, iter(words.__next__, b"0")))
        yield HintedStep(0, [], hints) if word == b"d" else HintedStep(number, clause, hints)


# -- bytes ----------------------------------------------------------------------------------------------------------------


class _Bytes:
    """The numbers of a binary proof: twice the number, plus 1 if it is negative, in bytes of seven bits, lowest first."""

    def __init__(self, data: bytes):
        self.data = data
        self.position = 0

    def kinds(self) -> Iterator[int]:
        """The kind of each step, until the end of the data."""
        while self.position < len(self.data):
            self.position += 1
            kind = self.data[self.position - 1]
            if kind not in (ADD, DELETE):
                raise NoProof(f"byte {self.position}: found {kind:#04x}, expected a step: `a` or `d`")
            yield kind

    def numbers(self, most: int) -> list[int]:
        """The numbers up to the terminating 0."""
        numbers = []
        while number := self.number(most):
            numbers.append(number)
        return numbers

    def number(self, most: int) -> int:
        value = shift = 0
        data, position = self.data, self.position
        for byte in data[position : position + MOST_BYTES]:
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        else:
            raise NoProof(f"byte {position}: the proof ends within a step, or a number in it has no end")
        self.position = position
        if value == 1 or value >> 1 > most:
            raise NoProof(f"byte {position}: found {value}, expected the code of a number of at most {most}")
        return -(value >> 1) if value & 1 else value >> 1


def _binary_drat(data: bytes) -> Iterator[ProofStep]:
    source = _Bytes(data)
    for kind in source.kinds():
        yield ProofStep(kind == DELETE, source.numbers(MOST_LITERAL))


def _binary_lrat(data: bytes) -> Iterator[HintedStep]:
    source = _Bytes(data)
    for kind in source.kinds():
        if kind == DELETE:
            yield HintedStep(0, [], source.numbers(MOST_NUMBER))
        else:
            yield HintedStep(source.number(MOST_NUMBER), source.numbers(MOST_LITERAL), source.numbers(MOST_NUMBER))
