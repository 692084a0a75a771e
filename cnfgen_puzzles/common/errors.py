"""Errors that users meet, and text made fit for a terminal.

`InputError` is a user's mistake: commands print it in one line and exit with 2. `CnfgenError` is a failure of a solver or of this
package: exit code 1. `InputWarning` is for input that is read, but perhaps not as it was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# C0 with DEL, C1, line and paragraph separators, marks that turn the direction of writing, halves of surrogate pairs (bytes of a
# file name that are not UTF-8, which no UTF-8 terminal can be given).
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def printable(text: str) -> str:
    r"""The text in one line, with what a terminal would obey written out as in Python; everything else is as it was.

    >>> print(printable("red \x1b[31m\r\nend\t\x9b1A, caf\u00e9, byte \udcff"))
    red \x1b[31m\r\nend\t\x9b1A, café, byte \xff
    """
    return UNPRINTABLE.sub(_written_out, text)


def printable_lines(text: str) -> str:
    r"""The same for a text of several lines, whose line ends stay.

    >>> print(printable_lines("one\rtwo\nthree\x07"))
    one\rtwo
    three\x07
    """
    return "\n".join(map(printable, text.split("\n")))


def _written_out(match: re.Match[str]) -> str:
    character = match[0]
    if "\udc80" <= character <= "\udcff":  # how Python keeps a byte of a file name that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


LONGEST = 60


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """`unknown solver 'kisat'; did you mean kissat? known: ...`"""
    from difflib import get_close_matches  # here, since nearly every module can say such a sentence and few calls do

    names = sorted(known)
    name = name if len(name) <= LONGEST else name[:LONGEST] + "..."  # comparing takes the square of its length
    near = get_close_matches(name, names, n=2, cutoff=0.6)
    guess = f"; did you mean {' or '.join(near)}?" if near else ";"
    return f"unknown {kind} {name!r}{guess} known: {', '.join(names) or 'none'}"


class CnfgenError(Exception):
    """Something went wrong that the user did not cause."""

    exit_code = 1


class InputError(CnfgenError):
    """Input that cannot be used.

    The message says what was found and what was expected; `source` names the file (or `<stdin>`, an option, a suite key) and
    `line` counts from 1. `str()` gives the usual `file:line: message`. Whatever was found, the message is one line that a person
    reads: line ends in it are shown as such, and the middle of a very long one is left out.
    """

    exit_code = 2
    longest = 800
    """Characters of a message."""

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
    """Input that is read, but perhaps not as it was meant: `str()` gives file and line, as that of an InputError."""

    def __init__(self, message: str, *, source: str | None = None, line: int | None = None):
        super().__init__(str(InputError(message, source=source, line=line)))
