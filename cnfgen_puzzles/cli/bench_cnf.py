"""bench-cnf: compare solvers and encodings. `bench-cnf SUITE` runs a suite; other subcommands read the results."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

import click

from cnfgen_puzzles.cli.app import version_option
from cnfgen_puzzles.cli.help import DocumentedGroup
from cnfgen_puzzles.cli.params import Item, file_item
from cnfgen_puzzles.common.errors import InputError, unknown_name

COMMANDS = {
    "run": "Run the missing runs of a suite (also: bench-cnf SUITE).",
    "check": "Show the runs of a suite, and the longest time that they take.",
    "scores": "Print tables: solved, PAR-k, virtual best, paired tests.",
    "diff": "Compare two results, regressions first.",
    "export": "Write results as CSV, Parquet, or JSON.",
    "merge": "Merge result files.",
    "plot": "Draw cactus, scatter, scaling, and other plots.",
    "report": "Write an HTML report.",
    "export-benchexec": "Export a suite for BenchExec.",
    "import-benchexec": "Import results of BenchExec and runexec.",
}

EXCHANGE = ("export", "merge", "export-benchexec", "import-benchexec")
"""The commands in `cli/bench/exchange.py`; each other command has a module."""


class Commands(DocumentedGroup):
    """Subcommands, loaded when they are called. Any other first word is a suite for `run`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        # Plots load altair and jsonschema, which compiles 38 grammars (2.5 s) if this package of Jupyter is installed.
        sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
        module, attribute = ("exchange", name.replace("-", "_")) if name in EXCHANGE else (name, "command")
        command: click.Command = getattr(import_module(f"cnfgen_puzzles.cli.bench.{module}"), attribute)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Pass a suite, and leading options that are not those of the group (`bench-cnf --fresh SUITE`), to `run`.

        InputError for a word that is similar to a command.
        """
        if args and args[0] not in COMMANDS and args[0] not in ("--help", "-h", "--help-all", "--version"):
            if not ctx.resilient_parsing and not Path(args[0]).exists() and get_close_matches(args[0], COMMANDS, cutoff=0.6):
                raise InputError(unknown_name("command or suite", args[0], COMMANDS))
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Item]:
        suites = [] if incomplete.startswith("-") else [file_item(incomplete)]
        return [*suites, *super().shell_complete(ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


COMMAND = Commands(
    "bench-cnf",
    help="Run solvers on a suite of instances, check every answer, and compare the results.",
    examples=["bench-cnf sample:bench"],
)
version_option(COMMAND)
