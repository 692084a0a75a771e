"""Tiling files: the table of formats, and reading and writing by it.

A format is one module of this folder and one line of `FORMATS`. Not here: what a puzzle means (`puzzle.py`), the options that
describe a puzzle without a file (`options.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cnfgen_puzzles.errors import InputError
from cnfgen_puzzles.families.tiling.formats import burrtools, dlx, yamlfile
from cnfgen_puzzles.families.tiling.puzzle import Tiling
from cnfgen_puzzles.names import unknown_name
from cnfgen_puzzles.sources import Source


@dataclass(frozen=True)
class Format:
    """How one file format is recognised, read and written.

    `recognise` looks at the text alone and is true for at most one format a text; it does not promise that `read` succeeds.
    `read` is None for a format that is only written, `read_set` reads all puzzles where the format can hold several. With
    `keeps_all` a written file reads as the same puzzle.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[str], bool]
    read: Callable[[str, str], Tiling] | None
    write: Callable[[Tiling], str]
    read_set: Callable[[str, str], tuple[Tiling, ...]] | None = None
    keeps_all: bool = False


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format(
            "yaml", "the project's own YAML", (".yaml", ".yml"), yamlfile.recognise, yamlfile.read, yamlfile.write, keeps_all=True
        ),
        Format(
            "burrtools",
            "BurrTools' .xmpuzzle",
            (".xmpuzzle", ".xml"),
            burrtools.recognise,
            burrtools.read,
            burrtools.write,
            read_set=burrtools.read_set,
        ),
        Format("dlx", "Knuth's DLX exact cover (written only)", (".dlx",), dlx.recognise, None, dlx.write),
    )
}


def read_puzzle(source: Source, format: str | None = None, number: int | None = None) -> Tiling:
    """The puzzle in `source`; raises InputError.

    Without a `format` the content decides, and only where the content is like no format the file's ending (so that the error is
    that format's). With a `format` it must be that one. `number`, from 1, chooses from a file of several puzzles.
    """
    text = source.text()
    entry = find_format(format) if format is not None else _format_of(text, source)
    if entry.read is None:
        raise InputError(f"found {entry.title}, expected a format that can be read: {_readable()}", source=source.name)
    if number is None:
        return entry.read(text, source.name)
    puzzles = entry.read_set(text, source.name) if entry.read_set else (entry.read(text, source.name),)
    if not 1 <= number <= len(puzzles):
        raise InputError(f"found {len(puzzles)} puzzles, expected at least {number}", source=source.name)
    return puzzles[number - 1]


def write_puzzle(puzzle: Tiling, format: str) -> str:
    """The text of the puzzle in a format; InputError for a puzzle that the format cannot say."""
    return find_format(format).write(puzzle)


def find_format(name: str) -> Format:
    """The format with this name; raises InputError with the nearest names."""
    if name not in FORMATS:
        raise InputError(unknown_name("tiling format", name, FORMATS))
    return FORMATS[name]


def _format_of(text: str, source: Source) -> Format:
    for entry in FORMATS.values():
        if entry.recognise(text):
            return entry
    for entry in FORMATS.values():
        if source.suffix in entry.suffixes:
            return entry
    if not text.strip():
        raise InputError("found an empty file, expected a tiling puzzle", source=source.name, line=1)
    raise InputError(
        f"found text of no format that is known, expected a tiling puzzle ({_readable()})", source=source.name, line=1
    )


def _readable() -> str:
    return ", ".join(entry.title for entry in FORMATS.values() if entry.read is not None)
