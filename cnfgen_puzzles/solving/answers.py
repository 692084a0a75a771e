"""Reads verdict, model, and statistics from the output of solvers, and writes the `s` and `v` lines of competitions.

This module does not check models against a formula; `run` does. An invalid answer (a model that is cut short, a literal that is
not a number, two verdicts) is an InputError with its line.
"""

from __future__ import annotations

import contextlib
import operator
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import Source

SATISFIABLE = "SATISFIABLE"
UNSATISFIABLE = "UNSATISFIABLE"
UNKNOWN = "UNKNOWN"
DECIDED = (SATISFIABLE, UNSATISFIABLE)

RELAXED = "--relaxed of run-cnf accepts a right model"

VERDICTS = {
    b"SATISFIABLE": SATISFIABLE,
    b"UNSATISFIABLE": UNSATISFIABLE,
    b"UNKNOWN": UNKNOWN,
    b"INDETERMINATE": UNKNOWN,
    b"OPTIMUM FOUND": SATISFIABLE,
}
"""The words after `s `, or alone on a line of minisat's output."""

MODEL_FILE_VERDICTS = {b"SAT": SATISFIABLE, b"UNSAT": UNSATISFIABLE, b"INDET": UNKNOWN}
"""The first line of minisat's result file."""

LINE_WIDTH = 78

# The beginnings of lines that can be part of an answer; other lines are ignored.
SPOKEN = regex(
    rb"^(?:v(?=\s|\Z)[^\n]*+(?:\nv(?=\s|\Z)[^\n]*+)*+|c |s |[ \t\r\f\v]*(?:" + rb"|".join(VERDICTS) + rb")[ \t\r\f\v]*$)",
    re.MULTILINE,
)
FIRST_LINE = 200  # bytes that are searched for a verdict
COMMENT_COST = 60  # bytes of memory for a line besides its text

MOST_VARIABLES = 2**31 - 1
LITERALS = regex(rb"(?:\s*+(?:-?[1-9][0-9]{0,9}|0)(?!\S))*+\s*+")  # not 1_0, +1, or non-ASCII digits
LONGEST_LITERAL = len("-2147483647") + 1
WORD, SPACE, AFTER_ZERO = regex(rb"\S+"), regex(rb"\s"), regex(rb"(?<!\S)0\s+\S")
PIECE = 1 << 16  # bytes that are converted to numbers at once


EXCERPT = 2000
"""Maximal number of characters of an excerpt."""
GAP = "\n[...]\n"
LONGEST_LINE = 200
"""Maximal number of characters of a line in a reason."""
LAST_OUTPUT = 2000
"""Bytes at the end of an output that are searched for its last line."""
FULL_DISK = 1 << 16
"""A disk with fewer bytes than this is full."""
EDGE = 1 << 20
"""Bytes at the beginning and at the end of an output that are searched; a model fills the space between them."""
STATISTIC = regex(rb"[0-9]{1,30}")


PB_MODEL = regex(rb"^v(?:[ \t]++-?x[0-9]++)++[ \t\r]*+$", re.MULTILINE)
PB_LITERAL = regex(rb"(?<=[ \t-])x(?=[0-9])")


def in_sat_words(source: Source) -> Source:
    """The output of a pseudo-Boolean solver as that of a SAT solver: `v x1 -x2` becomes `v 1 -2 0`. Other output is unchanged."""
    lines = list(PB_MODEL.finditer(source.data))
    if not lines:
        return source
    end = lines[-1].end()
    data = PB_MODEL.sub(lambda line: PB_LITERAL.sub(b"", line[0]), source.data[:end]).rstrip() + b" 0" + source.data[end:]
    return source._replace(data=data)


class SolverAnswer(NamedTuple):
    """A verdict (None: there is none), the literals of a model if there is one, and comments without their `c `.

    `ended` is False for a model without its 0 at the end.
    """

    verdict: str | None = None
    model: tuple[int, ...] | None = None
    comments: tuple[str, ...] = ()
    ended: bool = True


def read_answer(
    source: Source, *, variables: int | None = None, comments: int | None = None, relaxed: bool = False
) -> SolverAnswer:
    """The answer in a solver's output (`s` and `v` lines, or minisat's words) or in minisat's result file; the content decides.

    Unknown lines are ignored, since solvers print banners. A model must end with 0 (otherwise it may be cut short) unless
    `relaxed`, must not contain a literal and its negation, and needs the verdict SATISFIABLE. With `variables`, a higher variable
    is an error, and the memory for the model is bounded by that number. At most `comments` bytes of comments are kept.
    """
    data, room = source.data, len(source.data) if comments is None else comments
    verdict: str | None = None
    spans: list[tuple[int, int]] = []  # the parts with a model
    kept: list[str] = []
    first, _, _ = data[:FIRST_LINE].partition(b"\n")
    by_file = MODEL_FILE_VERDICTS.get(first.strip())
    if by_file is not None:
        verdict, spans = by_file, [(len(first) + 1, len(data))]
    for match in () if by_file else SPOKEN.finditer(data):
        start = match.end()
        if data.startswith(b"v", match.start()):
            spans.append((match.start() + 1, start))
            continue
        end = data.find(b"\n", start)
        end = end if end >= 0 else len(data)
        if match[0] == b"c ":
            if room > 0:
                comment = data[start : min(end, start + room)]
                kept.append(comment.rstrip(b"\r").decode("utf-8", "replace"))
                room -= len(comment) + COMMENT_COST * (comments is not None)
        else:
            word = data[start : min(end, start + FIRST_LINE)].strip() if match[0] == b"s " else match[0].strip()
            if word not in VERDICTS:
                raise _wrong(f"found the verdict {word[:40]!r}, expected SATISFIABLE, UNSATISFIABLE, or UNKNOWN", source, start)
            if verdict not in (None, VERDICTS[word]):
                raise _wrong(f"found the verdict {VERDICTS[word]} after {verdict}", source, match.start())
            verdict = VERDICTS[word]
    literals, ended = _read_model(source, spans, variables)
    if not ended and not relaxed:
        raise _wrong(f"the model does not end with 0: it is cut short; {RELAXED}", source, spans[-1][1] - 1)
    if literals is not None and verdict != SATISFIABLE:
        raise _wrong(f"found a model with the verdict {verdict}", source, spans[-1][1] - 1)
    return SolverAnswer(verdict, None if literals is None else tuple(literals), tuple(kept), ended)


def _read_model(source: Source, spans: Sequence[tuple[int, int]], variables: int | None) -> tuple[dict[int, None] | None, bool]:
    """The literals in these parts of an output, in their order, without repetitions (None if there are none), and whether 0 ends
    them.

    They are read in pieces: a model may have a gigabyte, on one line or on many.
    """
    most = MOST_VARIABLES if variables is None else variables
    literals: dict[int, None] = {}
    begun = ended = False
    for start, end in spans:
        mark = b"\nv" if source.data.startswith(b"v", start - 1) else b"\n "  # of `v` lines that follow
        while start < end:
            stop = min(start + PIECE, end)
            if stop < end:  # a word longer than LONGEST_LITERAL is invalid, wherever it is cut
                space = SPACE.search(source.data, stop, min(stop + LONGEST_LITERAL, end))
                stop = space.start() if space else stop
            piece = source.data[start:stop].replace(mark, b"\n ")
            if not LITERALS.fullmatch(piece):
                strange = next(word for word in WORD.finditer(piece) if not LITERALS.fullmatch(word[0]))
                message = f"found {strange[0][:40]!r} in the model, expected a literal"
                raise _wrong(message, source, start + strange.start())
            if numbers := list(map(int, piece.split())):
                if ended or 0 in numbers[:-1]:
                    after = next((WORD if ended else AFTER_ZERO).finditer(piece))
                    raise _wrong("found 0 inside the model, expected it at the end only", source, start + after.end() - 1)
                highest = max(max(numbers), -min(numbers))
                if highest > most:
                    expected = f"expected at most {most}" if variables is None else f"the formula has {variables}"
                    raise _wrong(f"the model contains variable {highest}, {expected}", source, start)
                begun, ended = True, numbers[-1] == 0
                literals |= dict.fromkeys(numbers[:-1] if ended else numbers)
            start = stop
    if not literals.keys().isdisjoint(map(operator.neg, literals)):
        torn = next(literal for literal in literals if -literal in literals)
        raise _wrong(f"the model holds both {torn} and {-torn}", source, spans[-1][1] - 1)
    return (literals, ended) if begun else (None, True)


def _wrong(message: str, source: Source, place: int) -> InputError:
    return InputError(message, source=source.name, line=source.data.count(b"\n", 0, place) + 1)


def answer_lines(verdict: str, model: Sequence[int] | None = None) -> Iterator[str]:
    """The answer in the output format of the SAT competition: one `s` line, then `v` lines that end with 0."""
    yield f"s {verdict}"
    if model is None:
        return
    line = "v"
    for literal in (*model, 0):
        word = f" {literal}"
        if len(line) + len(word) > LINE_WIDTH:
            yield line
            line = "v"
        line += word
    yield line


# -- the output of a run ----------------------------------------------------------------------------------------------------


class RunOutputs(NamedTuple):
    """The output files of a run in its folder: `stdout`, `stderr`, and `model`, made before it begins.

    They are read through the descriptors that were opened then, never by name: if a program replaces them (by a pipe, a device,
    or a link to another file), the replacement is neither read nor kept.
    """

    stdout: BinaryIO
    stderr: BinaryIO
    model: BinaryIO

    @classmethod
    @contextlib.contextmanager
    def create(cls, folder: Path) -> Iterator[RunOutputs]:
        """Make the empty files for the block."""
        with contextlib.ExitStack() as opened:
            yield cls(*(opened.enter_context((folder / name).open("xb+")) for name in ("stdout", "stderr", "model")))

    def copy_to(self, folder: Path) -> None:
        """Copy the files to another folder, without an empty model; only both ends of a long file."""
        for name, file in (("stdout", self.stdout), ("stderr", self.stderr), ("model", self.model)):
            head, left_out, tail = _ends(file)
            if head or name != "model":
                gap = b"\n[... %d bytes left out ...]\n" % left_out if left_out else b""
                (folder / name).write_bytes(head + gap + tail)


def _ends(file: BinaryIO) -> tuple[bytes, int, bytes]:
    """The beginning of a long file, the number of bytes left out, and its end; a short file as a whole, 0, and nothing."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size <= 2 * EDGE:
        return file.read(2 * EDGE), 0, b""
    head = file.read(EDGE)
    file.seek(size - EDGE)
    return head, size - 2 * EDGE, file.read(EDGE)


def content_of(file: BinaryIO) -> bytes:
    """The whole content of an open file; the limit on the program's output bounds it."""
    file.seek(0)
    return file.read()


def last_words(*files: BinaryIO) -> str:
    """The last line of the first file that is not empty, printable and in parentheses; empty if all are empty."""
    for file in files:
        for line in last_lines(file, 1):
            return f" ({line})"
    return ""


def last_lines(file: BinaryIO, most: int) -> tuple[str, ...]:
    """The last lines of an output, printable and shortened, without empty ones."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_OUTPUT))
    lines = [line.strip() for line in file.read(LAST_OUTPUT).split(b"\n") if line.strip()]
    return tuple(printable(line.decode("utf-8", "replace"))[:LONGEST_LINE] for line in lines[-most:])


def without_room(*folders: Path) -> str:
    """The end of a reason if the disk of one of the folders is full, else empty.

    A program that cannot write may not report it, and its output is cut short.
    """
    for folder in folders:
        with contextlib.suppress(OSError):
            disk = os.statvfs(folder)
            if disk.f_bavail * disk.f_frsize < FULL_DISK:
                return f"; the disk of {printable(str(folder))} is full"
    return ""


def output_without_model(file: BinaryIO) -> bytes:
    """The lines of an output without its `v` lines; of a very long output, the lines near both ends."""
    head, left_out, tail = _ends(file)
    printed = head[: head.rfind(b"\n") + 1] + tail[tail.find(b"\n") + 1 :] if left_out else head
    return b"".join(line for line in printed.splitlines(keepends=True) if not line.startswith(b"v"))


def excerpt(output: bytes) -> str:
    """The text; of a long one the beginning (one third) and the end, which has the statistics."""
    text = output.decode("utf-8", "replace").replace("\r", "")
    if len(text) <= EXCERPT:
        return text
    room = EXCERPT - len(GAP)
    return text[: room // 3] + GAP + text[-(room - room // 3) :]


def statistics_in(output: bytes, patterns: Iterable[tuple[str, str]]) -> dict[str, int]:
    """For each name, the number in group 1 of the last match of its pattern; names without a match are omitted.

    `^` is the beginning of a line.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        found = {name: re.findall(pattern.encode(), output, re.MULTILINE) for name, pattern in patterns}
    return {name: int(numbers[-1]) for name, numbers in found.items() if numbers and STATISTIC.fullmatch(numbers[-1])}
