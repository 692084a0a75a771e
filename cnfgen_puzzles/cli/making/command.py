"""make-puzzle: a puzzle with exactly one solution, made of a picture (`pictures.py`) or cut out of a region (`regions.py`)."""

from __future__ import annotations

import click

from cnfgen_puzzles.cli.common import WIDTH, run, version_option, write_examples
from cnfgen_puzzles.cli.families import every_family
from cnfgen_puzzles.cli.making.pictures import picture_command
from cnfgen_puzzles.cli.making.regions import region_command
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family, find_family


def offered() -> list[Family]:
    """The families whose puzzles can be made."""
    return [family for family in every_family() if family.making is not None or family.cutting is not None]


class MakingGroup(click.Group):
    """These families. A picture is of none of them, so one is always named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [family.name for family in offered()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        family = find_family(name)
        if family.making is None and family.cutting is None:
            known = ", ".join(self.list_commands(ctx))
            raise InputError(f"found the family {name}, expected one whose puzzles can be made: {known}")
        return region_command(family) if family.making is None else picture_command(family)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Families"):
            formatter.write_dl([(family.name, family.summary) for family in offered()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, EXAMPLES)


EXAMPLES = [
    "make-puzzle nonogram cat.png --size 30x40 -o cat.non",
    "make-puzzle nonogram --generate blobs --size 20 --seed 7",
    "make-puzzle tiling --size 10x6 --seed 7 -o ten-by-six.yaml",
    "make-puzzle tiling heart.svg --size 12 --picture solution.svg -o heart.yaml",
]
COMMAND = MakingGroup(
    "make-puzzle",
    subcommand_metavar="FAMILY FILE... [OPTIONS]",
    no_args_is_help=True,
    context_settings={"max_content_width": WIDTH},
    help="""Make a puzzle with exactly one solution, which is proved: of a picture, by changing as few cells as can be, or of a
    region, by cutting it into pieces.""",
)
version_option(COMMAND)


def main() -> None:
    run(COMMAND)
