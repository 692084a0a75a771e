"""Nonogram files: the table of formats, and reading and writing by it.

A format is one module of this folder and one line of `FORMATS`. Not here: what a puzzle means (`puzzle.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cnfgen_puzzles.errors import InputError
from cnfgen_puzzles.families.nonogram.formats import cwd, mk, nin, non, webpbn
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.names import unknown_name
from cnfgen_puzzles.sources import Source


@dataclass(frozen=True)
class Format:
    """How one file format is recognised, read and written.

    `recognise` looks at the text alone and is true for at most one format a text; it does not promise that `read`
    succeeds. `read_set` reads all puzzles where the format can hold several. With `keeps_about` a written file holds
    what is known about the puzzle and its goal.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[str], bool]
    read: Callable[[str, str], Nonogram]
    write: Callable[[Nonogram], str]
    read_set: Callable[[str, str], tuple[Nonogram, ...]] | None = None
    keeps_about: bool = False


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format("nin", "Jakub Wilk's .nin", (".nin",), nin.recognise, nin.read, nin.write),
        Format("non", "Steve Simpson's .non", (".non",), non.recognise, non.read, non.write, keeps_about=True),
        Format("mk", "the Olšáks' .mk", (".mk",), mk.recognise, mk.read, mk.write),
        Format("cwd", "QNonograms' .cwd", (".cwd",), cwd.recognise, cwd.read, cwd.write),
        Format(
            "webpbn",
            "the XML of webpbn.com",
            (".xml", ".pbn"),
            webpbn.recognise,
            webpbn.read,
            webpbn.write,
            read_set=webpbn.read_set,
            keeps_about=True,
        ),
    )
}


def read_puzzle(source: Source, format: str | None = None, number: int | None = None) -> Nonogram:
    """The puzzle in `source`; raises InputError.

    Without a `format` the content decides, and only where the content is like no format the file's ending (so that the
    error is that format's). With a `format` it must be that one. `number`, from 1, chooses from a file of several
    puzzles.
    """
    text = source.text()
    entry = find_format(format) if format is not None else _format_of(text, source)
    if number is None:
        return entry.read(text, source.name)
    puzzles = entry.read_set(text, source.name) if entry.read_set else (entry.read(text, source.name),)
    if not 1 <= number <= len(puzzles):
        raise InputError(f"found {len(puzzles)} puzzles, expected at least {number}", source=source.name)
    return puzzles[number - 1]


def write_puzzle(puzzle: Nonogram, format: str) -> str:
    """The text of the puzzle in a format; what the format has no place for is left out (see `Format.keeps_about`)."""
    return find_format(format).write(puzzle)


def find_format(name: str) -> Format:
    """The format with this name; raises InputError with the nearest names."""
    if name not in FORMATS:
        raise InputError(unknown_name("nonogram format", name, FORMATS))
    return FORMATS[name]


def _format_of(text: str, source: Source) -> Format:
    for entry in FORMATS.values():
        if entry.recognise(text):
            return entry
    for entry in FORMATS.values():
        if source.suffix in entry.suffixes:
            return entry
    if not text.strip():
        raise InputError("found an empty file, expected a nonogram", source=source.name, line=1)
    titles = ", ".join(entry.title for entry in FORMATS.values())
    raise InputError(
        f"found text of no format that is known, expected a nonogram ({titles})", source=source.name, line=1
    )
