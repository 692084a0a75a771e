"""A strict JSON reader: one value with limited depth and size; each fault is an InputError.

Python's reader also accepts `NaN` and `Infinity`, turns 1e999 into infinity, keeps the last of two equal keys, raises
RecursionError at a thousand brackets, and accepts half of a surrogate pair, which cannot be printed.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, input_limits, shortened, too_much
from cnfgen_puzzles.common.lazy import regex

LONG_NUMBER = regex(r"[0-9]{100}")
TENTHS = regex(r"[0-9]{9}")
"""Every tenth character of a long number."""
SURROGATE = regex(r"\\u[dD][89a-fA-F]")
SEPARATORS = ",:[{"
"""The number of values and keys of a document is at most one more than the number of these characters."""

TYPES: Mapping[type, str] = {
    dict: "an object", list: "an array", str: "a text", bool: "true or false", type(None): "null", int: "a whole number",
}  # fmt: skip
Kind = TypeVar("Kind")


class NotJson(InputError):
    """A text that is not JSON; it may be cut short."""


def parse_json(text: str | bytes, what: str, *, source: str, line: int | None = None) -> Any:
    """The value of a JSON text (bytes are UTF-8); `what` describes the expected value in errors: `a variable map`.

    NotJson (an InputError) for text that is not JSON; InputError for JSON that is refused. `line` is the number of the first line
    if the text is a part of a file.
    """

    def refuse(message: str) -> NoReturn:
        raise InputError(f"not {what}: {message}", source=source, line=line)

    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotJson(f"not {what}: found byte 0x{text[error.start]:02x}, expected UTF-8", source=source, line=line) from None
    limits = input_limits()
    if len(text) >= limits.values:  # a shorter text has fewer values
        most = 1 + sum(map(text.count, SEPARATORS))
        checked_amount("values", most, found=f"a document of {most} values", source=source, line=line)
    decode = DECODER.decode
    if _may_have_long_number(text) and LONG_NUMBER.search(text):
        decode = _decoder(_bounded_int(source, line)).decode
    try:
        value = decode(text)
    except _Refused as error:
        refuse(str(error))
    except json.JSONDecodeError as error:
        place = error.lineno + (line or 1) - 1
        raise NotJson(f"not {what}: {error.msg} in column {error.colno}", source=source, line=place) from None
    except RecursionError:
        raise too_much("depth", "brackets nested hundreds of levels deep", source=source, line=line) from None
    if text.count("[") + text.count("{") > limits.depth and _deeper(value, limits.depth):
        raise too_much("depth", f"brackets nested more than {limits.depth} levels deep", source=source, line=line)
    if "\\u" in text and SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode(errors="surrogateescape")  # bytes of a file name that are not UTF-8
        except UnicodeEncodeError:
            refuse("found half of a surrogate pair in a text, expected whole characters")
    return value


def parse_object(text: str | bytes, what: str, *, source: str, line: int | None = None) -> dict[str, Any]:
    """As `parse_json`; InputError unless the value is an object."""
    value = parse_json(text, what, source=source, line=line)
    if not isinstance(value, dict):
        raise InputError(f"not {what}: found {type_told(value)}, expected a JSON object", source=source, line=line)
    return value


def member(entry: Mapping[str, Any], key: str, kind: type[Kind]) -> Kind:
    """The value of a key of an object; KeyError if it is missing, TypeError for another type (`true` is not a number)."""
    value = entry[key]
    if type(value) is not kind:
        raise TypeError(f"found {type_told(value)} as {key!r}, expected {TYPES[kind]}")
    return value


def whole(value: Any, least: int, most: int) -> int:
    """A whole number from `least` to `most`; TypeError or ValueError for anything else."""
    if type(value) is not int:
        raise TypeError(f"found {type_told(value)}, expected a whole number")
    if not least <= value <= most:
        raise ValueError(f"found {shortened(str(value))}, expected {least} to {most}")
    return value


def type_told(value: Any) -> str:
    """The JSON type of a value, for errors."""
    return TYPES.get(type(value), "a number")


class _Refused(Exception):
    """Valid JSON that is refused; the message has the reason."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise _Refused(f"found the key {shortened(name)} twice in an object")
    return value


def _finite(text: str) -> float:
    if (number := float(text)) in INFINITE:
        raise _Refused(f"found the number {shortened(text)}, expected one below 1e308")
    return number


def _constant(word: str) -> NoReturn:
    raise _Refused(f"found {word}, expected a number")


def _decoder(whole: Callable[[str], int] = int) -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite, parse_int=whole)


INFINITE = (math.inf, -math.inf)
DECODER = _decoder()


def _may_have_long_number(text: str) -> bool:
    """Whether every tenth character may be part of one number: a quick test before the slow one."""
    return TENTHS.search(text[::10]) is not None


def _bounded_int(source: str, line: int | None) -> Callable[[str], int]:
    """A reader of whole numbers for texts in which a number may be too long."""

    def whole(text: str) -> int:
        digits = len(text.removeprefix("-"))
        checked_amount("digits", digits, found=f"a number of {digits} digits", source=source, line=line)
        return int(text)

    return whole


def _deeper(value: Any, most: int) -> bool:
    """Whether arrays and objects are nested more than `most` levels deep."""
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(most):
        if not level:
            return False
        inside = [part.values() if isinstance(part, dict) else part for part in level]
        level = [part for parts in inside for part in parts if isinstance(part, list | dict)]
    return bool(level)
