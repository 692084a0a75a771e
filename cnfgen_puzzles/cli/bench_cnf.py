"""bench-cnf: compare solvers and encodings. `bench-cnf SUITE` runs a suite; the other subcommands read its results."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

import click

from cnfgen_puzzles.cli.common import Item, files, version_option
from cnfgen_puzzles.common.errors import InputError, unknown_name

SUITES = (".yaml", ".yml")

COMMANDS = {
    "run": "Make the runs of a suite that are missing (also: bench-cnf SUITE).",
    "check": "Say what a suite would run, and for how long at most.",
    "scores": "Tables: solved, PAR-k, virtual best, paired tests.",
    "diff": "What changed between two results, regressions first.",
    "export": "Results as CSV, Parquet, JSON, a spreadsheet, or for GBD.",
    "merge": "One result file from several.",
    "plot": "Cactus, scatter, scaling and other plots.",
    "report": "One HTML file with everything, for any browser.",
}


class Commands(click.Group):
    """Loads a subcommand when it is called; a first word that is none of them is a suite for `run`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        # Plots load altair, that jsonschema, and that builds 38 grammars of addresses (2.5 s) if Jupyter brought their package.
        sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
        command: click.Command = import_module(f"cnfgen_puzzles.cli.bench.{name}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            args = ["run", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """An option in front that is not the group's own (`bench-cnf --fresh SUITE`) belongs to `run`."""
        if args and args[0] not in COMMANDS and args[0] not in ("--help", "-h", "--version"):
            if not ctx.resilient_parsing:
                refuse_mistyped(args[0])
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Item]:
        suites = [] if incomplete.startswith("-") else files(incomplete, SUITES)
        return [*super().shell_complete(ctx, incomplete), *suites]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def refuse_mistyped(word: str) -> None:
    """InputError for what is no file, but nearly a command."""
    if not Path(word).exists() and get_close_matches(word, COMMANDS, cutoff=0.6):
        raise InputError(unknown_name("command or suite", word, COMMANDS))


COMMAND = Commands(
    "bench-cnf",
    help="""Run solvers on a suite of instances, check every answer, and compare.

    \b
    Example:
      bench-cnf sample:bench""",
)
version_option(COMMAND)
