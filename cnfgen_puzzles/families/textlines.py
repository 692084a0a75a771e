"""Formats made of lines: numbered lines, whole numbers and one-line texts, each with an error that names its line.

Shared by all families, so nothing here knows a puzzle. A damaged file of any size is to be refused at once: what is read here is
measured before it is split or converted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial

from cnfgen_puzzles.common.errors import InputError

NONCHARACTERS = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
NOT_CARRIED = re.compile(f"[\0-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{NONCHARACTERS}]")
"""Control characters, halves of surrogate pairs and noncharacters."""


class Lines:
    """The lines of one text with their numbers, and errors that name them.

    `expected` says what the text should be, `most` how many lines that has at most. The last line end closes the last line and
    does not begin another; blank lines at the end stay (a format decides).
    """

    def __init__(self, text: str, source: str, expected: str, most: int):
        self.source = source
        found = text.count("\n") + 1
        if found > most:
            raise InputError(f"found {found} lines, expected {expected} (at most {most} lines)", source=source)
        if not text.strip():
            raise InputError(f"found an empty file, expected {expected}", source=source, line=1)
        self.lines = text.removesuffix("\n").split("\n")

    def __getitem__(self, index: int) -> str:
        return self.lines[index]

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, index: int, message: str) -> InputError:
        """An error at the line with this index (which counts from 0; the error counts from 1)."""
        return InputError(message, source=self.source, line=index + 1)

    def skip_blank(self, index: int = 0) -> int:
        """The index of the first line at or after `index` that is not blank (the number of lines if there is none)."""
        while index < len(self.lines) and not self.lines[index].strip():
            index += 1
        return index

    def end_of_text(self) -> int:
        """The index after the last line that is not blank."""
        return max((index + 1 for index, line in enumerate(self.lines) if line.strip()), default=0)

    def filled(self, start: int, end: int) -> list[int]:
        """The indices from `start` to before `end` of the lines that are not blank."""
        return [index for index in range(start, end) if self.lines[index].strip()]

    def shown(self, index: int) -> str:
        """The line quoted for an error message."""
        return shown(self.lines[index].strip())

    def sides(self, index: int, *names: str, most: int) -> list[int]:
        """The sides of a board, one a name, that are all there is on a line: whole numbers from 1 to `most`."""
        expected = f"expected the {' and the '.join(names)}"
        if index >= len(self):
            raise self.error(len(self) - 1, f"found the end of the file, {expected}")
        tokens = self[index].split(maxsplit=len(names))
        if len(tokens) != len(names):
            raise self.error(index, f"found {self.shown(index) if tokens else 'no number'}, {expected}")
        return [self.side(index, token, name, most) for token, name in zip(tokens, names, strict=True)]

    def side(self, index: int, token: str, name: str, most: int) -> int:
        """A side of a board, as `sides`."""
        value = whole_number(token, f"the {name}", most, partial(self.error, index))
        if value == 0:
            raise self.error(index, f"found {name} 0, expected a {name} of at least 1")
        return value


def shown(text: str, length: int = 24) -> str:
    """`text` quoted for an error message, cut short if it is long."""
    return repr(text) if len(text) <= length else f"{text[:length]!r}... ({len(text)} characters)"


def whole_number(token: str, what: str, most: int, error: Callable[[str], InputError]) -> int:
    """A whole number from 0 to `most`, written with the digits 0 to 9 alone; raises `error` of what is wrong."""
    if not (token.isascii() and token.isdigit()):
        raise error(f"found {shown(token)}{number_trouble(token)}, expected a whole number for {what}")
    digits = token.lstrip("0") or "0"
    if len(digits) > len(str(most)) or int(digits) > most:
        raise error(f"found {shown(token)} for {what}, expected at most {most}")
    return int(digits)


def number_trouble(token: str) -> str:
    """A word on why `token` is not a whole number, where there is more to say than that it is none."""
    for pattern, trouble in ((r"-[0-9]+", "negative"), (r"\+[0-9]+", "a plus sign"), (r"[0-9]*\.[0-9]*", "a decimal fraction")):
        if re.fullmatch(pattern, token):
            return f" ({trouble})"
    if not token.isascii() and any(unicodedata.category(letter) in ("Nd", "No", "Nl") for letter in token[:100]):
        return " (digits other than 0 to 9)"
    return ""


def tidy(value: str) -> str:
    """`value` on one line with single spaces, without characters that XML and HTML references cannot carry.

    Titles and names go through this on the way in and on the way out, so they survive a change of format.
    """
    return " ".join(NOT_CARRIED.sub(" ", value).split())
