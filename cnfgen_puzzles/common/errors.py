"""Errors for users, and escaped text for terminals.

`InputError` is an error in the call or its input: commands print it in one line and exit with 2. `CnfgenError` is a failure of a
solver or of this package: exit code 1. `InputWarning` is for input that is accepted, but may not be what the user intended.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cnfgen_puzzles.common.lazy import regex

# C0 with DEL, C1, line and paragraph separators, marks that change the writing direction, halves of surrogate pairs (bytes of a
# file name that are not UTF-8, which a UTF-8 terminal cannot print).
UNPRINTABLE = regex("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


WORD = regex(r"[\w#'+-]{1,40}")
"""A name that needs no quotes in a sentence."""


def printable(text: str) -> str:
    r"""The text in one line, with control characters escaped as in Python.

    >>> print(printable("red \x1b[31m\r\nend\t\x9b1A, caf\u00e9, byte \udcff"))
    red \x1b[31m\r\nend\t\x9b1A, café, byte \xff
    """
    return UNPRINTABLE.sub(_written_out, text)


def printable_lines(text: str) -> str:
    r"""The same for a text of several lines, with its line ends.

    >>> print(printable_lines("one\rtwo\nthree\x07"))
    one\rtwo
    three\x07
    """
    return "\n".join(map(printable, text.split("\n")))


def quoted(text: str) -> str:
    r"""A text from a file in one line and in quotes, so that it cannot pass for a part of the sentence around it.

    >>> print(quoted('x" is the only one.\nSee "y'))
    "x\" is the only one.\nSee \"y"
    """
    return f'"{printable(text.replace(chr(92), chr(92) * 2).replace(chr(34), chr(92) + chr(34)))}"'


def named(name: str) -> str:
    """A name from a file in a sentence: quoted, unless it is one short word."""
    return name if WORD.fullmatch(name) else quoted(name)


def _written_out(match: re.Match[str]) -> str:
    character = match[0]
    if "\udc80" <= character <= "\udcff":  # how Python keeps a byte of a file name that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


LONGEST = 60
MOST_LISTED = 15
"""The longest list of names in an error; a longer one would hide the suggestion."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """`unknown solver 'kisat'; did you mean kissat? known: ...`"""
    from difflib import get_close_matches  # here, because few calls need it

    names = list(dict.fromkeys(known))
    names = sorted(names) if len(names) <= MOST_LISTED else names
    name = name if len(name) <= LONGEST else name[:LONGEST] + "..."  # the time of the comparison is quadratic
    near = get_close_matches(name, names, n=2, cutoff=0.6)
    guess = f"; did you mean {' or '.join(near)}?" if near else ";"
    if not names:
        return f"unknown {kind} {name!r}; expected none"
    known_names = "" if near and len(names) > MOST_LISTED else f" known: {listed(names)}"
    return f"unknown {kind} {name!r}{guess}{known_names}"


def listed(names: Sequence[str]) -> str:
    """The names, or the first of many and their number."""
    more = len(names) - MOST_LISTED
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:MOST_LISTED])}, and {more} more"


class CnfgenError(Exception):
    """A failure that the user did not cause; the exit code is 1."""

    exit_code = 1


class InputError(CnfgenError):
    """Invalid input.

    The message says what was found and what was expected; `source` names the file (or `<stdin>`, an option, a suite key) and
    `line` counts from 1. `str()` gives `file:line: message`. The message is one line: line ends in it are escaped, and the middle
    of a very long message is omitted.
    """

    exit_code = 2
    longest = 800
    """Maximal number of characters of a message."""

    def __init__(self, message: str, *, source: str | None = None, line: int | None = None):
        message = message.replace("\r", "\\r").replace("\n", "\\n")
        if len(message) > self.longest:
            message = f"{message[: self.longest * 3 // 4]} ... {message[-self.longest // 5 :]}"
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line

    def __str__(self) -> str:
        source = None if self.source is None else printable(self.source)  # a file may have any name
        place = ":".join(str(part) for part in (source, self.line) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class InputWarning(UserWarning):
    """Input that is accepted, but may not be what the user intended; `str()` gives file and line, as for an InputError."""

    def __init__(self, message: str, *, source: str | None = None, line: int | None = None):
        super().__init__(str(InputError(message, source=source, line=line)))
