"""The file formats of a family: found by content and by ending, read, written. Shared by the families that have several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.sources import Source
from cnfgen_puzzles.ground.suggestions import unknown_name


@dataclass(frozen=True)
class Format:
    """How one file format is recognised, read and written.

    `recognise` looks at the text alone and is true for at most one format a text; it does not promise that `read` succeeds.
    `read(text, name)` is None for a format that is only written; `read_set` reads all puzzles where a file can hold several.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[str], bool] | None = None
    read: Callable[[str, str], Any] | None = None
    write: Callable[[Any], str] | None = None
    read_set: Callable[[str, str], tuple[Any, ...]] | None = None


class FormatTable(dict[str, Format]):
    """Formats by name. `family` is the name of the family, `expected` what a file of it holds (`a nonogram`)."""

    def __init__(self, family: str, expected: str, formats: Iterable[Format]):
        super().__init__((entry.name, entry) for entry in formats)
        self.family, self.expected = family, expected

    @property
    def options(self) -> tuple[Option, ...]:
        """What a reader of these formats takes besides the file."""
        readable = tuple(name for name, entry in self.items() if entry.read)
        return (
            Option("format", "file format; by default told by content and ending", choices=readable),
            Option("number", "which puzzle of a file that holds several, from 1", type=int, least=1),
        )

    def find(self, name: str) -> Format:
        """The format with this name; raises InputError with the nearest names."""
        if name not in self:
            raise InputError(unknown_name(f"{self.family} format", name, self))
        return self[name]

    def read_puzzle(self, source: Source, format: str | None = None, number: int | None = None) -> Any:
        """The puzzle in `source`; raises InputError.

        Without a `format` the content decides, and only where the content is like no format the file's ending (so that the
        error is that format's). With a `format` it must be that one. `number`, from 1, chooses from a file of several puzzles.
        """
        text = source.text()
        entry = self.find(format) if format is not None else self._format_of(text, source)
        if entry.read is None:
            raise InputError(f"found {entry.title}, expected a format that can be read: {self._readable()}", source=source.name)
        if number is None:
            try:
                return entry.read(text, source.name)
            except ValueError as error:
                raise InputError(str(error), source=source.name) from None
        puzzles = entry.read_set(text, source.name) if entry.read_set else (entry.read(text, source.name),)
        if not 1 <= number <= len(puzzles):
            raise InputError(f"found {len(puzzles)} puzzles, expected at least {number}", source=source.name)
        return puzzles[number - 1]

    def write_puzzle(self, puzzle: Any, format: str) -> str:
        """The text of the puzzle in a format; InputError for a puzzle that the format cannot say, but a title may be lost."""
        return self.find(format).write(puzzle)

    def _format_of(self, text: str, source: Source) -> Format:
        for entry in self.values():
            if entry.recognise and entry.recognise(text):
                return entry
        for entry in self.values():
            if source.suffix in entry.suffixes:
                return entry
        if not text.strip():
            raise InputError(f"found an empty file, expected {self.expected}", source=source.name, line=1)
        message = f"found text of no format that is known, expected {self.expected} ({self._readable()})"
        raise InputError(message, source=source.name, line=1)

    def _readable(self) -> str:
        return ", ".join(entry.title for entry in self.values() if entry.read is not None)
