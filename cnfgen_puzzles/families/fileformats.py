"""The file formats of a family: found by content and by ending, read, written. Shared by all families.

FORMATS = FormatTable("sudoku", "a sudoku", [Format("line", "81 characters", (".sdk",), read=read_line, write=write_line)])
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from cnfgen_puzzles.common.errors import InputError, InputWarning, unknown_name
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.options import Option

P = TypeVar("P")
"""The puzzles of a family."""

TOLD = 20
"""So many titles are told where a file holds several puzzles."""


@dataclass(frozen=True)
class Format(Generic[P]):
    """How one file format is recognized, read and written.

    `recognise(text)` looks at the text alone and is true for at most one format a text; it does not promise that reading
    succeeds. Without it the ending tells the format. `read(text, name)` gives the puzzle, or `read_set` all puzzles of a file
    that can hold several (`OnDemand`, where one may be wrong and others right); a format without both is only written, one
    without `write` only read. `lost(puzzle)` tells what a format that is only written does not hold. `latin1` says that its files
    may be older than UTF-8.
    `claims` is stricter than `recognise` where formats of other families look alike: whether the family may be guessed from it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    recognise: Callable[[str], bool] | None = None
    read: Callable[[str, str], P] | None = None
    write: Callable[[P], str] | None = None
    read_set: Callable[[str, str], Sequence[P]] | None = None
    lost: Callable[[P], Sequence[str]] | None = None
    latin1: bool = False
    claims: Callable[[str], bool] | None = None

    @property
    def readable(self) -> bool:
        return self.read is not None or self.read_set is not None

    def read_all(self, text: str, name: str) -> Sequence[P] | None:
        """All puzzles of the text; None for a format that is only written. A reader's ValueError becomes an InputError."""
        try:
            if self.read_set is not None:
                return self.read_set(text, name)
            return None if self.read is None else (self.read(text, name),)
        except ValueError as error:
            raise InputError(str(error), source=name) from None


class OnDemand(Sequence[P]):
    """The puzzles of a file that holds several, each read when it is asked for: what is wrong in one is nothing to the others."""

    def __init__(self, readers: Sequence[Callable[[], P]]):
        self._readers = readers

    def __len__(self) -> int:
        return len(self._readers)

    @overload
    def __getitem__(self, index: int) -> P: ...

    @overload
    def __getitem__(self, index: slice) -> OnDemand[P]: ...

    def __getitem__(self, index: int | slice) -> P | OnDemand[P]:
        return OnDemand(self._readers[index]) if isinstance(index, slice) else self._readers[index]()


class FormatTable(dict[str, Format[P]], Generic[P]):
    """Formats by name. `family` is the name of the family, `expected` what a file of it holds (`a nonogram`).

    `facts(puzzle)` is all that a file may say of a puzzle, each under the name by which a user is told that a format has no place
    for it; by default the fields of a dataclass, and the entries of one named `about`.
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
        self._parsed: tuple[Source, str | None, Sequence[P]] | None = None
        self.readable = [entry for entry in self.values() if entry.readable]
        number = Option("number", "which puzzle of a file that holds several, from 1", type=int, least=1)
        self.options: tuple[Option, ...] = (
            Option("format", "file format; by default told by content and ending", choices=tuple(e.name for e in self.readable)),
            *([number] if any(entry.read_set for entry in self.values()) else []),
        )
        """What `read_puzzle` takes besides the file: `format`, and `number` where some format can hold several puzzles."""

    def find(self, name: str) -> Format[P]:
        """The format with this name; raises InputError with the nearest names."""
        if name not in self:
            raise InputError(unknown_name(f"{self.family} format", name, self))
        return self[name]

    def read_puzzle(self, source: Source, format: str | None = None, number: int | None = None) -> P:
        """The puzzle in `source`; raises InputError.

        Without a `format` the content decides, and only where the content is like no format the file's ending (so that the
        error is that format's). With a `format` it must be that one. `number`, from 1, chooses from a file of several puzzles.
        """
        puzzles = self.read_puzzles(source, format)
        if number is None and len(puzzles) != 1:
            titles = [f"{place + 1} {_title_in(puzzles, place)}" for place in range(min(len(puzzles), TOLD))]
            listed = ", ".join([*titles, *(["..."] if len(puzzles) > TOLD else [])])
            message = f"found {len(puzzles)} puzzles, expected one: choose it with --number ({listed})"
            raise InputError(message, source=source.name)
        chosen = 1 if number is None else number
        if chosen > len(puzzles):
            raise InputError(f"found {len(puzzles)} puzzles, expected at least {chosen}", source=source.name)
        if chosen < 1:
            raise InputError(f"found the number {chosen}, expected one from 1 to {len(puzzles)}", source=source.name)
        try:
            return puzzles[chosen - 1]
        except ValueError as error:  # as in `Format.read_all`
            raise InputError(str(error), source=source.name) from None

    def read_puzzles(self, source: Source, format: str | None = None) -> Sequence[P]:
        """All puzzles in `source`, as `read_puzzle` reads one. Who asks again for the same source is given the same ones:
        thousands of one file are read by their numbers."""
        if self._parsed is not None and self._parsed[0] is source and self._parsed[1] == format:
            return self._parsed[2]
        try:
            text = source.text()
        except InputError:
            text = self._read_latin1(source, format)
        entry = self.find(format) if format is not None else self._format_of(text, source)
        puzzles = entry.read_all(text, source.name)
        if puzzles is None:
            raise InputError(f"found {entry.title}, expected a format that can be read: {self._titles()}", source=source.name)
        self._parsed = (source, format, puzzles)
        return puzzles

    def write_puzzle(self, puzzle: P, format: str) -> str:
        """The text of the puzzle in a format; InputError if the format cannot say it. `lost` tells what was left out."""
        entry = self.find(format)
        if entry.write is None:
            titles = ", ".join(each.title for each in self.values() if each.write is not None)
            raise InputError(f"found {entry.title}, expected a format that can be written: {titles}")
        return entry.write(puzzle).encode(errors="replace").decode()  # no file holds halves of surrogate pairs

    def lost(self, puzzle: P, format: str, text: str) -> list[str]:
        """What a file of that format, with this text, no longer says of the puzzle, by the names of `facts`.

        What is read from it is compared with the puzzle; for a format that is only written, the format says it.
        """
        entry = self.find(format)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # of what the puzzle has as well, which was told
            again = entry.read_all(text, f"the {format} file")
            after = self.facts(again[0]) if again is not None else None
        if after is None:
            return list(entry.lost(puzzle)) if entry.lost else []
        before = self.facts(puzzle)
        return [name for name in {**before, **after} if before.get(name) != after.get(name)]

    def _read_latin1(self, source: Source, format: str | None) -> str:
        """The text of a source that is no UTF-8, where the format may be older: lines that are not are read as Windows read
        Latin-1, where it can. InputError of the source for others."""
        lines, numbers = source.data.split(b"\n"), []
        for number, line in enumerate(lines):
            try:
                line.decode()
            except UnicodeDecodeError:
                numbers.append(number + 1)
                try:
                    lines[number] = line.decode("cp1252").encode()
                except UnicodeDecodeError:
                    lines[number] = line.decode("latin-1").encode()
        if b"\0" in source.data or not numbers or not any(entry.latin1 for entry in self.values()):
            return source.text()
        text = dataclasses.replace(source, data=b"\n".join(lines)).text()
        if not (self.find(format) if format is not None else self._format_of(text, source)).latin1:
            return source.text()
        more = f", like {len(numbers) - 1} more" if len(numbers) > 1 else ""
        message = f"this line is not UTF-8{more}: read as Latin-1"
        warnings.warn(InputWarning(message, source=source.name, line=numbers[0]), stacklevel=2)
        return text

    def _format_of(self, text: str, source: Source) -> Format[P]:
        for entry in self.values():
            if entry.recognise is not None and entry.recognise(text):
                return entry
        for entry in self.values():
            if source.suffix in entry.suffixes:
                return entry
        if not text.strip():
            raise InputError(f"found an empty file, expected {self.expected}", source=source.name, line=1)
        if len(self.readable) == 1:  # its error says what is wrong
            return self.readable[0]
        message = f"found text of no format that is known, expected {self.expected} ({self._titles()})"
        raise InputError(message, source=source.name, line=1)

    def _titles(self) -> str:
        return ", ".join(entry.title for entry in self.readable)


def facts_of(puzzle: Any) -> dict[str, Any]:
    """The fields of a dataclass by their names, the entries of `about` by theirs."""
    found: dict[str, Any] = {}
    for each in dataclasses.fields(puzzle) if dataclasses.is_dataclass(puzzle) else ():
        value = getattr(puzzle, each.name)
        found |= dict(value) if each.name == "about" and isinstance(value, Mapping) else {each.name: value}
    return found or {"puzzle": puzzle}


def _title_in(puzzles: Sequence[object], place: int) -> str:
    """The title of one puzzle among several, for those that have one in `about`."""
    try:
        about = getattr(puzzles[place], "about", {})
    except (InputError, ValueError):
        return "which cannot be read"
    title = " ".join(str(about.get("title", "untitled")).split())
    return repr(title if len(title) <= 40 else title[:40] + "...")
