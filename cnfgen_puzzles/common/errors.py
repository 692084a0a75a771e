"""The two kinds of failure a user can meet, and how each is told.

`InputError` is a user's mistake: commands print it in one line and exit with 2. `CnfgenError` is ours or a solver's: exit 1.
`InputWarning` is for input that is read, but perhaps not as it was meant: commands print it in one line and go on.
"""

from __future__ import annotations

from cnfgen_puzzles.common.printable import printable


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
