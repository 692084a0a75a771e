"""The limits on the size of inputs, for all readers.

The defaults are far above the size of usual inputs and suit a machine with 24 GB. An environment variable changes them,

    CNFGEN_INPUT_LIMITS=size=4GiB,variables=500000000

as does `set_input_limits` in the library. Each error message names the limit and how to raise it. This module also reads numbers,
because Python's `int` and `float` accept `1_000`, `inf`, `nan`, and digits of all alphabets, and raise ValueError at 4,301
digits.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.numbers import parse_size

VARIABLE = "CNFGEN_INPUT_LIMITS"
SHOWN = 40
"""Maximal number of characters of a text in an error."""

AMOUNT = regex(r"[1-9][0-9]{0,14}")
BYTES = ("size", "puzzle", "line", "comments")
HIGHEST: Mapping[str, int] = {"depth": 200, "digits": 3500, "variables": 2**31 - 2}
"""Upper bounds of limits: from Python's limits for recursion and digits, and from 32-bit literals."""


def _limit(default: int, unit: str) -> int:
    return field(default=default, metadata={"unit": unit})


@dataclass(frozen=True)
class InputLimits:
    """The limits on one input, with their units."""

    size: int = _limit(1 << 30, "bytes after unpacking")
    puzzle: int = _limit(16 << 20, "bytes in a puzzle file")  # a file with 10,000 nonograms of 30x30 has 6 MB
    line: int = _limit(1 << 20, "bytes in a line of a puzzle file")  # readers take up to half a microsecond for each byte
    comments: int = _limit(
        64 << 20, "bytes of comments"
    )  # stored as lines of text, which need up to fifteen times as much memory
    depth: int = _limit(100, "levels of nesting")
    digits: int = _limit(1000, "digits in a number")
    values: int = _limit(20_000_000, "values in a JSON document")  # of 70 bytes
    elements: int = _limit(2_000_000, "elements of an XML document or values of a YAML document")  # of 700 bytes
    variables: int = _limit(100_000_000, "variables in a formula")  # a model of this size takes 4 GB
    literals: int = _limit(1_000_000_000, "literals in a formula, including ends of clauses")  # of 4 bytes
    projection: int = _limit(20_000_000, "variables in a projection set")  # of 40 bytes
    renamed: int = _limit(20_000_000, "variables in a scrambled formula")  # of 150 bytes
    cells: int = _limit(100_000, "cells in a board")
    pieces: int = _limit(100_000, "pieces in a puzzle, including copies")
    parts: int = _limit(10_000, "separate parts of a board")
    runs: int = _limit(1_000_000, "runs in a suite")
    steps: int = _limit(
        20_000_000, "steps to read or encode a puzzle"
    )  # about a microsecond each; cells of placements take 300 bytes each


WORDS: Mapping[str, str] = {each.name: each.metadata["unit"] for each in fields(InputLimits)}
"""The unit of each limit, in words."""


def input_limits() -> InputLimits:
    """The current limits; InputError if the environment variable is invalid."""
    return _limits_of(os.environ.get(VARIABLE, ""))


def set_input_limits(**limits: int) -> None:
    """Set limits for this process and its later child processes: `set_input_limits(size=4 << 30)`."""
    changed = replace(input_limits(), **limits)
    text = ",".join(f"{name}={getattr(changed, name)}" for name in WORDS)
    _limits_of(text)  # raise errors now, not later
    os.environ[VARIABLE] = text


@contextmanager
def other_input_limits(**limits: int) -> Iterator[None]:
    """As `set_input_limits`, for the block."""
    before = os.environ.get(VARIABLE)
    set_input_limits(**limits)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


@lru_cache(maxsize=16)
def _limits_of(text: str) -> InputLimits:
    given: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, amount = (word.strip() for word in part.partition("="))
        if name not in WORDS:
            raise InputError(unknown_name("limit", name[:SHOWN], WORDS), source=VARIABLE)
        if not AMOUNT.fullmatch(amount) and name not in BYTES:
            raise InputError(f"found {shortened(part)}, expected {name}=NUMBER", source=VARIABLE)
        try:
            given[name] = parse_size(amount) if name in BYTES else int(amount)
        except InputError as error:
            raise InputError(f"{error.message}, for {name}", source=VARIABLE) from None
        if given[name] > HIGHEST.get(name, given[name]):
            raise InputError(f"found {part}, expected at most {HIGHEST[name]}", source=VARIABLE)
    return InputLimits(**given)


# -- errors ---------------------------------------------------------------------------------------------------------------


def checked_amount(name: str, amount: int, *, found: str = "", source: str | None = None, line: int | None = None) -> int:
    """`amount`; InputError if it is above the limit of that name, with the limit and how to raise it.

    `found` describes the input instead of the number and its unit: `a grid of 60000 x 60000 cells`.
    """
    if amount > getattr(input_limits(), name):
        raise too_much(name, found or f"{amount} {WORDS[name]}", needed=amount, source=source, line=line)
    return amount


def too_much(name: str, found: str, *, needed: int = 0, source: str | None = None, line: int | None = None) -> InputError:
    """The error for an input above the limit of that name; `needed` is the limit that it needs, if known."""
    most = getattr(input_limits(), name)
    wanted = needed or 4 * most
    highest = HIGHEST.get(name, wanted)
    if most < highest and (not needed or needed <= highest):
        way = f"{VARIABLE}={name}={_amount(name, min(wanted, highest))} raises it"
    else:
        way = f"no limit above {highest} is possible"
    return InputError(f"found {found}; the limit {name!r} is {_amount(name, most)}, {way}", source=source, line=line)


def _amount(name: str, amount: int) -> str:
    """An amount as in the environment variable: sizes in the largest unit that is exact."""
    for power, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if name in BYTES and amount and amount % (1 << power) == 0:
            return f"{amount >> power}{unit}"
    return str(amount)


# -- numbers in texts -----------------------------------------------------------------------------------------------------

WHOLE = regex(r"[-+]?[0-9]+")
DECIMAL = regex(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def whole_number(
    text: str, what: str, *, least: int | None = 0, most: int | None = None, source: str | None = None, line: int | None = None
) -> int:
    """The whole number in `text`, with digits 0 to 9 only and from `least` to `most` (None: no bound).

    `what` names it in the InputError: `the height`. White space around the number is ignored.
    """
    token = text.strip()
    if not WHOLE.fullmatch(token):
        raise InputError(f"found {shortened(text)}, expected a whole number for {what}", source=source, line=line)
    digits = len(token.lstrip("+-0"))
    if most is not None and digits > len(str(abs(most))) and not token.startswith("-"):
        raise InputError(f"found {shortened(text)} for {what}, expected at most {most}", source=source, line=line)
    checked_amount("digits", digits, found=f"a number of {digits} digits for {what}", source=source, line=line)
    value = int(token.lstrip("+-0") or "0") * (-1 if token.startswith("-") else 1)
    if least is not None and value < least:
        raise InputError(f"found {shortened(text)} for {what}, expected at least {least}", source=source, line=line)
    if most is not None and value > most:
        raise InputError(f"found {shortened(text)} for {what}, expected at most {most}", source=source, line=line)
    return value


def finite_number(text: str, what: str, *, source: str | None = None, line: int | None = None) -> float:
    """The number in `text`, in decimal digits with an optional point and exponent; not `inf` or `nan`."""
    token = text.strip()
    if not DECIMAL.fullmatch(token):
        raise InputError(f"found {shortened(text)}, expected a number for {what}", source=source, line=line)
    checked_amount("digits", len(token), found=f"a number of {len(token)} characters for {what}", source=source, line=line)
    if not math.isfinite(value := float(token)):
        raise InputError(f"found {shortened(text)} for {what}, expected a number below 1e308", source=source, line=line)
    return value


def shortened(text: str) -> str:
    """`text` in quotation marks for an error message, shortened if it is long."""
    return repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}... ({len(text)} characters)"
