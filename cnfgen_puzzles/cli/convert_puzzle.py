"""convert-puzzle: from one file format of a puzzle to another."""

from __future__ import annotations

from typing import Any

import click

from cnfgen_puzzles.cli.common import run, say, version_option, write_text
from cnfgen_puzzles.cli.families import FamilyGroup, file_argument, read_named, reading_options
from cnfgen_puzzles.families import Family


def family_command(family: Family) -> click.Command:
    def convert(**values: Any) -> None:
        puzzle = read_named(family, values)
        text = family.write(puzzle, values["to"])
        if values.get("number"):
            say(f"note: only puzzle {values['number']} of the file is written", err=True)
        if lost := family.formats.lost(puzzle, values["to"], text):
            say(f"note: {values['to']} has no place for: {', '.join(lost)}", err=True)
        write_text(values["output"], text)

    return click.Command(
        family.name,
        callback=convert,
        help=f"Write {family.summary} in another file format.",
        short_help=family.summary,
        params=[
            file_argument(family),
            *reading_options(family),
            click.Option(["--to"], required=True, type=click.Choice(list(family.formats)), help="The format to write."),
            click.Option(["--output", "-o"], metavar="FILE", help="Write to this file instead of standard output."),
        ],
    )


COMMAND = FamilyGroup(
    "convert-puzzle",
    make=family_command,
    help="""Convert a puzzle file to another format.

    \b
    Example:
      convert-puzzle nonogram cat.nin --to non -o cat.non""",
)
version_option(COMMAND)


def main() -> None:
    run(COMMAND)
