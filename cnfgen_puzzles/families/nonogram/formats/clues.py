"""What the line-based formats share: numbered lines, numbers and clues, each with an error that names its line.

Not here: what a format's lines mean (one module a format). Everything is checked against limits before it is split or
converted, so a damaged file of any size is refused at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

from cnfgen_puzzles.families.nonogram.puzzle import MAX_SIDE, Clue
from cnfgen_puzzles.ground.errors import InputError

MAX_LINES = 8 * MAX_SIDE
"""More lines than any puzzle within `MAX_SIDE` needs, with room for its properties and blank lines."""

MAX_CLUE_TEXT = 8 * MAX_SIDE
"""More characters than any clue within `MAX_SIDE` needs, with room for columns that are set out with spaces."""


class Lines:
    """The lines of one text with their numbers, and errors that name them.

    The last line end closes the last line and does not begin another; blank lines at the end stay (a format decides).
    """

    def __init__(self, text: str, source: str, expected: str):
        self.source = source
        found = text.count("\n") + 1
        if found > MAX_LINES:
            raise InputError(f"found {found} lines, expected {expected} (at most {MAX_LINES} lines)", source=source)
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
        index = len(self.lines)
        while index and not self.lines[index - 1].strip():
            index -= 1
        return index

    def sides(self, index: int, *names: str) -> list[int]:
        """The positive numbers, one a name, that are all there is on a line."""
        expected = f"expected the {' and the '.join(names)}"
        if index >= len(self.lines):
            raise self.error(len(self.lines) - 1, f"found the end of the file, {expected}")
        line = self.lines[index]
        if len(line) > MAX_CLUE_TEXT:
            raise self.error(index, f"found a line of {len(line)} characters, {expected}")
        tokens = line.split()
        if len(tokens) != len(names):
            raise self.error(index, f"found {shown(line.strip()) if tokens else 'no number'}, {expected}")
        return [self.side(index, token, name) for token, name in zip(tokens, names, strict=True)]

    def side(self, index: int, token: str, name: str) -> int:
        """A width or height: a whole number from 1 to `MAX_SIDE`."""
        value = whole_number(token, f"the {name}", partial(self.error, index))
        if value == 0:
            raise self.error(index, f"found {name} 0, expected a {name} of at least 1")
        return value

    def clue(self, index: int, what: str, separators: str = "spaces") -> Clue:
        """The clue on a line; a blank line or a single `0` is the clue of an empty line."""
        line = self.lines[index]
        if len(line) > MAX_CLUE_TEXT:
            raise self.error(index, f"found a line of {len(line)} characters, expected {what} in {MAX_CLUE_TEXT} at most")
        if separators == "commas":
            line = self._commas_to_spaces(index, line, what)
        error = partial(self.error, index)
        return clue_of([whole_number(token, f"a clue of {what}", error) for token in line.split()], what, error)

    def _commas_to_spaces(self, index: int, line: str, what: str) -> str:
        if "," in line and not all(part.strip() for part in line.split(",")):
            raise self.error(index, f"found {shown(line.strip())}, expected a number on both sides of a comma in {what}")
        return line.replace(",", " ")

    def clues(self, indices: Sequence[int], kind: str, separators: str = "spaces") -> tuple[Clue, ...]:
        """One clue a line, for the lines with these indices; `kind` is `row` or `column`."""
        return tuple(self.clue(index, f"{kind} {number}", separators) for number, index in enumerate(indices, start=1))


def clue_lines(lines: Lines, start: int, end: int, count: int, wanted: str) -> list[int]:
    """The indices of the `count` clue lines between two indices.

    If `count` lines hold something, blank ones are ornament; otherwise a blank line is an empty clue.
    """
    filled = [index for index in range(start, end) if lines[index].strip()]
    if len(filled) == count:
        return filled
    if end - start == count:
        return list(range(start, end))
    blank = end - start - len(filled)
    found = f"found {len(filled)} lines of clues" + (f" and {blank} blank lines" if blank else "")
    expected = f"expected {wanted} (an empty clue is written 0)"
    if len(filled) > count:
        raise lines.error(filled[count], f"{found}, {expected}: this one is too many")
    raise lines.error(max(end - 1, start - 1), f"{found}, {expected}")


def clue_text(clue: Clue, separator: str = " ") -> str:
    """The clue as the line-based formats write it: `2 1`, or `0` for an empty line."""
    return separator.join(map(str, clue)) or "0"


def whole_number(token: str, what: str, error: Callable[[str], InputError]) -> int:
    """A whole number from 0 to `MAX_SIDE`, written with the digits 0 to 9 alone; raises `error` of what is wrong."""
    if not (token.isascii() and token.isdigit()):
        raise error(f"found {shown(token)}{number_trouble(token)}, expected a whole number for {what}")
    digits = token.lstrip("0") or "0"
    if len(digits) > len(str(MAX_SIDE)) or int(digits) > MAX_SIDE:
        raise error(f"found {shown(token)} for {what}, expected at most {MAX_SIDE}")
    return int(digits)


def clue_of(numbers: Sequence[int], what: str, error: Callable[[str], InputError]) -> Clue:
    """The clue with these numbers, where a single 0 stands for an empty line."""
    if 0 in numbers and len(numbers) > 1:
        text = shown(" ".join(map(str, numbers)))
        raise error(f"found a 0 inside the clue {text} of {what}, expected positive numbers or a single 0")
    return tuple(filter(None, numbers))


def shown(text: str, length: int = 24) -> str:
    """`text` quoted for an error message, cut short if it is long."""
    return repr(text) if len(text) <= length else f"{text[:length]!r}... ({len(text)} characters)"


def number_trouble(token: str) -> str:
    """A word on why `token` is not a whole number, where there is more to say than that it is none."""
    if re.fullmatch(r"-[0-9]+", token):
        return " (negative)"
    if re.fullmatch(r"\+[0-9]+", token):
        return " (a plus sign)"
    if re.fullmatch(r"[0-9]*\.[0-9]*", token):
        return " (a decimal fraction)"
    if re.fullmatch(r"[0-9]+[A-Za-z]", token):
        return " (a colour? only black and white puzzles can be read)"
    if not token.isascii() and any(unicodedata.category(letter) in ("Nd", "No", "Nl") for letter in token[:100]):
        return " (digits other than 0 to 9)"
    return ""


def tidy(value: str) -> str:
    """`value` on one line with single spaces, without characters that XML and HTML references cannot carry.

    Titles and names go through this on the way in and on the way out, so they survive a change of format.
    """
    return " ".join("".join(map(_carried, value)).split())


def _carried(letter: str) -> str:
    code = ord(letter)
    noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return " " if noncharacter or unicodedata.category(letter) in ("Cc", "Cs") else letter
