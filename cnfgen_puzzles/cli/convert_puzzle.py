"""convert-puzzle: from one file format of a puzzle to another, and random puzzles into files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.common import OUTPUT_HELP, FileName, Name, SectionedCommand, param, say, write_text
from cnfgen_puzzles.cli.families import FamilyGroup, choose_puzzle, examples, puzzle_sections, suffixes_of
from cnfgen_puzzles.cli.progress import watch
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family


def family_command(family: Family) -> click.Command:
    def convert(**values: Any) -> None:
        wanted = values["to"] or format_for(family, values["output"])
        puzzle = choose_puzzle(family, values).read()
        with watch(f"writing {wanted}"):
            text = family.write(puzzle, wanted)
            lost = family.formats.lost(puzzle, wanted, text)
        if values.get("number"):
            say(f"note: only puzzle {values['number']} of the file is written", err=True)
        if lost:
            say(f"note: {wanted} has no place for: {', '.join(lost)}", err=True)
        write_text(values["output"], text)

    formats = [
        format_param(family, "The format to write"),
        param("--output", "-o", type=FileName(lambda: suffixes_of(family)), help=OUTPUT_HELP),
    ]
    first, entry = next(iter(family.formats.items()))
    return SectionedCommand(
        family.name,
        callback=convert,
        help=f"Write {family.summary} in another file format.",
        short_help=family.summary,
        sections={**puzzle_sections(family), "Output": formats},
        examples=examples("convert-puzzle", family, f"--to {first}", f"-o new{next(iter(entry.suffixes), '')}"),
    )


def format_param(family: Family, what: str, otherwise: str = "") -> click.Option:
    """--to, one of the formats that can be written; `otherwise`: what more the default depends on."""
    titles = {entry.name: entry.title for entry in family.formats.values() if entry.write is not None}
    help = f"{what}: {', '.join(titles)}; by default as the ending of -o says{otherwise}."
    return param("--to", type=Name(f"{family.name} format", titles), metavar="FORMAT", help=help)


def format_for(family: Family, output: str | None) -> str:
    """The format by the ending of the output; InputError if that tells none."""
    known = ", ".join(f"{suffix} ({entry.name})" for entry in family.formats.values() for suffix in entry.suffixes)
    if output is None or output == "-":
        raise InputError(f"found neither --to nor -o with an ending, expected a format: {', '.join(family.formats)}")
    ending = Path(output).suffix.lower()
    fitting = [entry.name for entry in family.formats.values() if ending in entry.suffixes]
    if not fitting:
        found = f"the ending {ending}" if ending else "no ending"
        raise InputError(f"found {found} and no --to, expected an ending that tells the format: {known}", source=output)
    return fitting[0]


COMMAND = FamilyGroup(
    "convert-puzzle",
    make=family_command,
    help="""Convert a puzzle file to another format, or write a random puzzle.

    The family is guessed from FILE where it is not named, the format from the ending of -o where --to does not name it.""",
    examples=[
        "convert-puzzle cat.nin -o cat.non",
        "convert-puzzle nonogram cat.nin --to webpbn",
        "convert-puzzle nonogram --generate blobs --size 30 --seed 7 -o blobs.nin",
        "convert-puzzle tiling --board 6x10 --pieces pentominoes -o rectangle.xmpuzzle",
    ],
)
