r"""What programs and files say, made fit for a terminal: nothing in it moves the cursor, rings, or begins a line of its own.

For texts of others on their way to a person: versions, reasons, titles, file names. Not for JSON, which escapes by itself, nor
for pictures, whose escapes are ours.
"""

from __future__ import annotations

import re

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
