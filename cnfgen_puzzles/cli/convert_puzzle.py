"""convert-puzzle: from one file format of a puzzle to another."""

from __future__ import annotations

from typing import Any

import click

from cnfgen_puzzles.cli.common import run, version_option, write_text
from cnfgen_puzzles.cli.families import FamilyGroup, file_argument, read_named, reading_options
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.ground.sources import Source


def family_command(family: Family) -> click.Command:
    def convert(**values: Any) -> None:
        puzzle = read_named(family, values)
        text = family.write(puzzle, values["to"])
        lost = not_kept(family, puzzle, values["to"], text)
        if lost:
            click.echo(f"note: {values['to']} has no place for: {', '.join(lost)}", err=True)
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


def not_kept(family: Family, puzzle: Puzzle, format: str, text: str) -> list[str]:
    """The facts about the puzzle (its title, ...) that are gone when the file is read again. The puzzle itself never is."""
    if not getattr(family.formats[format], "readable", False):  # a format that is only written
        return []
    before = family.puzzle_to_json(puzzle)
    after = family.puzzle_to_json(family.read(Source("the converted file", text.encode()), format=format))
    return [name for name, fact in before.get("about", {}).items() if after.get("about", {}).get(name) != fact]


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
