"""The file formats of a family: detection by suffix and content, reading, and writing. All families use this module.

FORMATS = FormatTable("sudoku", "a sudoku", [Format("line", "81 characters", (".sdk",), read=read_line, write=write_line)])
"""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from cnfgen_puzzles.common.errors import InputError, InputWarning, unknown_name
from cnfgen_puzzles.common.inputlimits import VARIABLE
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.options import Option

P = TypeVar("P")
"""The puzzles of a family."""

TOLD = 20
"""The number of titles that an error lists for a file with several puzzles."""


class Format(NamedTuple, Generic[P]):
    """A file format: how it is recognized, read, and written.

    `recognise(text)` is true for texts that look like this format, which does not guarantee that reading succeeds. Without it,
    the suffix determines the format. `read(text, name)` returns the puzzle; `read_set` has a reader for each puzzle of a file, so
    an error in one does not affect the others. A format without both is only written; a format without `write` is only read.
    `lost(puzzle)` lists what a format that is only written cannot hold. `latin1`: its files may be older than UTF-8. `example` is
    a minimal valid file, which errors show.
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    recognise: Callable[[str], bool] | None = None
    read: Callable[[str, str], P] | None = None
    write: Callable[[P], str] | None = None
    read_set: Callable[[str, str], Sequence[Callable[[], P]]] | None = None
    lost: Callable[[P], Sequence[str]] | None = None
    latin1: bool = False
    example: str = ""

    @property
    def readable(self) -> bool:
        return self.read is not None or self.read_set is not None

    def read_all(self, text: str, name: str) -> Sequence[Callable[[], P]] | None:
        """A reader for each puzzle of the text; None for a format that is only written. A ValueError becomes an InputError."""
        try:
            if self.read_set is not None:
                return self.read_set(text, name)
            if self.read is None:
                return None
            puzzle = self.read(text, name)
            return [lambda: puzzle]
        except ValueError as error:
            raise InputError(str(error), source=name) from None


class FormatTable(dict[str, Format[P]], Generic[P]):
    """Formats by name. `family` is the name of the family, `expected` describes its files (`a nonogram`).

    `facts(puzzle)` are the data of a puzzle that files can hold, by the names that messages use for data that a format cannot
    hold; by default the fields of a dataclass, and the entries of a field named `about`.
    """

    def __init__(
        self,
        family: str,
        expected: str,
        formats: Iterable[Format[P]],
        facts: Callable[[P], Mapping[str, Any]] | None = None,
    ):
        super().__init__((entry.name, entry) for entry in formats)
        self.family, self.expected, self.facts = family, expected, facts or facts_of
        self._parsed: tuple[Source, str | None, Sequence[Callable[[], P]]] | None = None
        self.readable = [entry for entry in self.values() if entry.readable]
        number = Option("number", "the number of the puzzle in a file with several, from 1", type=int, least=1)
        self.options: tuple[Option, ...] = (
            Option(
                "format", "file format; by default detected from content and suffix", choices=tuple(e.name for e in self.readable)
            ),
            *([number] if any(entry.read_set for entry in self.values()) else []),
        )
        """The options of `read_puzzle`: `format`, and `number` if a format can hold several puzzles."""

    def find(self, name: str) -> Format[P]:
        """The format with this name; InputError with the closest names."""
        if name not in self:
            raise InputError(unknown_name(f"{self.family} format", name, self))
        return self[name]

    def read_puzzle(self, source: Source, format: str | None = None, number: int | None = None) -> P:
        """The puzzle in `source`; raises InputError.

        Without a `format`, `pick` finds it; with one, the file must have it. `number`, from 1, selects from a file with several
        puzzles.
        """
        puzzles = self.read_puzzles(source, format)
        if number is None and len(puzzles) != 1:
            titles = [f"{place} {_title_of(read)}" for place, read in enumerate(puzzles[:TOLD], start=1)]
            listed = ", ".join([*titles, *(["..."] if len(puzzles) > TOLD else [])])
            message = f"found {len(puzzles)} puzzles, expected one: choose it with --number ({listed})"
            raise InputError(message, source=source.name)
        chosen = 1 if number is None else number
        if chosen > len(puzzles):
            raise InputError(f"found {len(puzzles)} puzzles, expected at least {chosen}", source=source.name)
        if chosen < 1:
            raise InputError(f"found the number {chosen}, expected one from 1 to {len(puzzles)}", source=source.name)
        try:
            return puzzles[chosen - 1]()
        except (InputError, ValueError) as error:  # of one puzzle among several
            raise self._explained(error, source, self.get(format or "")) from None

    def read_puzzles(self, source: Source, format: str | None = None) -> Sequence[Callable[[], P]]:
        """A reader for each puzzle in `source`. The last result is cached, because thousands of puzzles of one file are read by
        number."""
        if self._parsed is not None and self._parsed[0] is source and self._parsed[1] == format:
            return self._parsed[2]
        source.check_puzzle()
        entry = None if format is None else self.find(format)
        try:
            try:
                text = source.text()
            except InputError as error:
                text = self._read_latin1(source, entry, error)
            entry = entry or self.pick(text, source.suffix)
            puzzles = entry.read_all(text, source.name) if entry else None
        except InputError as error:
            raise self._explained(error, source, entry) from None
        if entry is None:
            raise explain(None, source, f"{self.expected} ({self._titles()})", self.readable)
        if puzzles is None:
            raise InputError(f"found {entry.title}, expected a format that can be read: {self._titles()}", source=source.name)
        self._parsed = (source, format, puzzles)
        return puzzles

    def pick(self, text: str, suffix: str) -> Format[P] | None:
        """The format with the suffix that recognizes the text; else any that does, or the only one; None if there is none."""
        named = [entry for entry in self.values() if suffix in entry.suffixes]
        fitting = (entry for entry in named if entry.recognise is None or entry.recognise(text))
        others = (entry for entry in self.values() if entry.recognise is not None and entry.recognise(text))
        only = self.readable if len(self.readable) == 1 and text.strip() else []  # its error is specific
        return next(chain(fitting, others, named, only), None)

    def write_puzzle(self, puzzle: P, format: str) -> str:
        """The text of the puzzle in a format; InputError if the format cannot represent it. `lost` lists what was omitted."""
        entry = self.find(format)
        if entry.write is None:
            titles = ", ".join(each.title for each in self.values() if each.write is not None)
            raise InputError(f"found {entry.title}, expected a format that can be written: {titles}")
        try:
            return entry.write(puzzle).encode(errors="replace").decode()  # halves of surrogate pairs cannot be encoded
        except ValueError as error:
            raise InputError(f"cannot be written as {entry.title}: {error}") from None

    def lost(self, puzzle: P, format: str, text: str) -> list[str]:
        """The data of the puzzle that a file of that format, with this text, does not hold, by the names of `facts`.

        The puzzle that is read from the text is compared with the original; a format that is only written lists the data itself.
        """
        entry = self.find(format)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # the original has the same warnings, which were shown
            again = entry.read_all(text, f"the {format} file")
            after = self.facts(again[0]()) if again is not None else None
        if after is None:
            return list(entry.lost(puzzle)) if entry.lost else []
        before = self.facts(puzzle)
        return [name for name in {**before, **after} if before.get(name) != after.get(name)]

    def _read_latin1(self, source: Source, entry: Format[P] | None, error: InputError) -> str:
        """The text of a source that is not UTF-8 as Windows-1252, if its format may be older; other formats have this error."""
        text = source._replace(data=source.data.decode("cp1252", "replace").encode()).text()
        entry = entry or self.pick(text, source.suffix)
        if entry is None or not entry.latin1:
            raise error
        message = "this line is not UTF-8: the file is read as Latin-1"
        warnings.warn(InputWarning(message, source=source.name, line=error.line), stacklevel=2)
        return text

    def _explained(self, error: InputError | ValueError, source: Source, entry: Format[P] | None) -> InputError:
        """The explanation of an error in the file, as one of the format `entry` or of the one that `pick` finds."""
        entry = entry or self.pick(source.data.decode("utf-8-sig", "replace"), source.suffix)
        if not isinstance(error, InputError):
            error = InputError(str(error), source=source.name)
        return explain(error, source, self.expected, [entry] if entry else self.readable)

    def _titles(self) -> str:
        return ", ".join(entry.title for entry in self.readable)


# -- files of no known format, and errors -------------------------------------------------------------------------------

MOST_TRIED = 20_000
"""The number of characters that `closest` reads."""

PICTURE = "`make-puzzle nonogram FILE` makes a puzzle of a picture"
FOREIGN = (
    (
        rb"(?s)\x89PNG\r\n|\xff\xd8\xff|GIF8|BM.{4}\0\0\0\0|RIFF.{4}WEBP|\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<svg\b",
        "a picture",
        PICTURE,
    ),
    (rb"(?:c.*\n)*p +cnf +[0-9]|c .*; cnfgen-puzzles", "a CNF", "`run-cnf SOLVER FILE` solves it"),
    (rb"(?:c.*\n)*s +(?:UN)?SATIS", "the answer of a solver", "`decode-cnf FILE` shows the board of an answer"),
    (
        rb"\s*(?:\w+\s*=\s*)?\[\s*[\[0-9]",
        "lists of Python or JSON",
        "write one clue on each line: the rows, a blank line, the columns",
    ),
    (rb"\s*\{\s*\"", "JSON", "the commands write JSON, but read puzzles in their file formats"),
)
"""The start of files that are not puzzles, their kind, and advice."""
CELLS = regex(r"[\s0-9]*?((?:[ \t]?[#.xX_■□█?]){2,}|[01]{4,})[ \t]*")


def foreign_kind(data: bytes) -> tuple[str, str] | None:
    """The kind of a file that is not a puzzle, and advice; None for other files."""
    head = data[:MOST_TRIED]
    for pattern, kind, advice in FOREIGN:
        if re.match(pattern, head):
            return kind, advice
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    if any(re.match(r"[a-z]+:", line) for line in lines):  # YAML with drawings
        return None
    rows = [re.sub(r"\s", "", found[1]) for line in lines if (found := CELLS.fullmatch(line))]
    drawn = len(rows) > 1 and len({*map(len, rows)}) == 1 and set("".join(rows)) - set(".") and 2 * len(rows) >= len(lines)
    return ("the picture of a solution", f"it has cells, not clues; {PICTURE}") if drawn else None


def closest(text: str, source: str, formats: Iterable[Format[Any]]) -> tuple[Format[Any], InputError] | None:
    """The format with an example whose reader gets furthest in the text, and its error; None if there is no such format."""
    found: list[tuple[Format[Any], InputError]] = []
    for entry in formats:
        if entry.example and entry.readable:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", InputWarning)
                    entry.read_all(text[:MOST_TRIED], source)
            except InputError as error:
                found.append((entry, error))
    progress = {entry.name: 0 if "end of the file" in error.message else error.line or 0 for entry, error in found}
    return max(found, key=lambda each: (progress[each[0].name], not each[0].suffixes), default=None)


MOST_LINES = 6
"""The most lines of an example in an error; a longer one is shown as the command that prints it."""


def explain(error: InputError | None, source: Source, expected: str, formats: Sequence[Format[Any]]) -> InputError:
    """The explanation of an error of a reader, or (None) the error for a file of none of the formats.

    It says what a file is that is no puzzle. Otherwise it has a minimal file of the closest format as a note.
    """
    if error is not None and (error.source != source.name or VARIABLE in error.message):
        return error
    kind = foreign_kind(source.data)
    if kind and (error is None or kind[0] != "JSON"):  # which is YAML, too
        return InputError(f"found {kind[0]}, expected {expected}; {kind[1]}", source=source.name, line=1)
    text = source.data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    near = (formats[0], error) if error is not None and len(formats) == 1 else closest(text, source.name, formats)
    if error is None:
        what = "no known file format" if text.strip() else "an empty file"
        message, line = f"found {what}, expected {expected}", 1
        if near and near[1].line and near[1].line > 1 and text.strip():
            message, line = f"found {what}; the closest is {near[0].title}: {near[1].message}", near[1].line
        error = InputError(message, source=source.name, line=line)
    if near and (example := near[0].example.strip("\n")):
        if example.count("\n") >= MOST_LINES:
            import shlex  # seldom needed

            quoted = shlex.quote(f"{example}\n".replace("\\", "\\\\").replace("%", "%%").replace("\n", "\\n"))
            example = f"printf {quoted}"
        error.add_note(f"A minimal file of this format ({near[0].name}: {near[0].title}):\n{example}")
    return error


def facts_of(puzzle: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, and the entries of its `about`."""
    found: dict[str, Any] = {}
    for each in dataclasses.fields(puzzle) if dataclasses.is_dataclass(puzzle) else ():
        value = getattr(puzzle, each.name)
        found |= dict(value) if each.name == "about" and isinstance(value, Mapping) else {each.name: value}
    return found or {"puzzle": puzzle}


def _title_of(read: Callable[[], object]) -> str:
    """The title of one puzzle among several, from its `about`."""
    try:
        about = getattr(read(), "about", {})
    except (InputError, ValueError):
        return "(invalid)"
    title = " ".join(str(about.get("title", "untitled")).split())
    return repr(title if len(title) <= 40 else title[:40] + "...")
