"""`COMMAND cat.nin` instead of `COMMAND nonogram cat.nin`: the group of a command's families, which guesses from the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from cnfgen_puzzles.cli.common import chosen, say
from cnfgen_puzzles.cli.shell.sections import WIDTH, write_examples
from cnfgen_puzzles.cli.shell.values import Item, files
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import BUILT_IN, Family, family_names, find_family
from cnfgen_puzzles.families.detection import detect_family, endings, installed_families


class FamilyGroup(click.Group):
    """A group whose subcommands are the puzzle families; `make(family)` gives the subcommand.

    A first word that is no family is a file, which tells its family; and so is a family's name with nothing behind it, where
    there is a file of that name. A command that is for some families only says of which it is (`offered`).
    """

    def __init__(
        self,
        name: str,
        *,
        make: Callable[[Family], click.Command],
        examples: Sequence[str],
        offered: Callable[[Family], bool] = lambda family: True,
        **kwargs: Any,
    ):
        super().__init__(name, subcommand_metavar="[FAMILY] FILE [OPTIONS]", no_args_is_help=True, **kwargs)
        self.context_settings = {"max_content_width": WIDTH, **self.context_settings}
        self.make = make
        self.offered = offered
        self.examples = examples

    @property
    def families(self) -> list[Family]:
        """Those that the command is for."""
        return [family for family in every_family() if self.offered(family)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [family.name for family in self.families]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if ctx.resilient_parsing and name not in family_names():
            return None
        family = find_family(name)
        if not self.offered(family):
            known = ", ".join(self.list_commands(ctx))
            raise InputError(f"found the family {name}, expected one whose puzzles the command takes: {known}")
        return self.make(family)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Families"):
            formatter.write_dl([(family.name, family.summary) for family in self.families])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, self.examples)
        formatter.write_paragraph()
        formatter.write_text(f"What a family takes: {self.name} FAMILY --help, or {self.name} FILE --help.")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Item]:
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        families = [CompletionItem(each.name, help=each.summary) for each in self.families if each.name.startswith(incomplete)]
        return [*families, *files(incomplete, endings(self.families))]

    # -- which family is meant ---------------------------------------------------------------------------------------------

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {name for option in self.get_params(ctx) for name in option.opts}
        if args and args[0] not in own and (family := self._meant(ctx, args)):
            args = [family, *args]
        return super().parse_args(ctx, args)

    def _meant(self, ctx: click.Context, args: list[str]) -> str | None:
        """The family of the file among the arguments; None where the first of them names one."""
        if args[0] in BUILT_IN or args[0] in family_names():
            sure = ctx.resilient_parsing or not Path(args[0]).is_file()  # a shell asks what may follow: a file
            if sure or self._says_which(ctx, args[0], args[1:]):
                return None
        found = self._parsed(ctx, args)
        file, format = found.get("file"), found.get("format")
        file = next(iter(file), None) if isinstance(file, tuple) else file
        if file is None:
            return self._of_options(ctx, args, found.get("generate"))
        if ctx.resilient_parsing and not Path(file).is_file():
            return None
        if file != "-" and not Path(file).exists():
            raise missing(file)
        if Path(file).is_dir():
            raise InputError("found a folder, expected a family before it", source=file)
        try:
            ctx.obj = open_source(file)
            return detect_family(ctx.obj, format, every_family()).name
        except InputError:
            if ctx.resilient_parsing:
                return None
            raise

    def _of_options(self, ctx: click.Context, args: list[str], generator: str | None) -> str | None:
        """The only family that takes all these options, where there is no file."""
        given = {word.partition("=")[0] for word in args if word.startswith("--")}
        fitting = [
            family.name
            for family in self.families
            if given <= {name for option in self.make(family).params for name in (*option.opts, *option.secondary_opts, "--help")}
            and (generator is None or generator in family.generators)
        ]
        if len(fitting) == 1:
            return fitting[0]
        if ctx.resilient_parsing:
            return None
        known = ", ".join(fitting or family_names())
        raise click.UsageError(f"found neither a family ({known}) nor a file, expected one of them first", ctx)

    def _says_which(self, ctx: click.Context, name: str, rest: list[str]) -> bool:
        """Whether the words after a family's name say which puzzle is meant, or ask for help."""
        family = find_family(name)
        given = parsed(ctx, self.make(family).params, rest)
        return bool("--help" in rest or given.get("file") or given.get("generate") or chosen(given, family.options))

    def _parsed(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """What is given, by the options of all families, for it is not known yet whose they are."""
        params = {param.opts[0]: param for family in self.families for param in self.make(family).params}
        return parsed(ctx, list(params.values()), args)


def parsed(ctx: click.Context, params: Sequence[click.Parameter], args: list[str]) -> dict[str, Any]:
    """The words by the parameters that they are given for, unchecked; nothing where they cannot be parsed."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    command = click.Command(ctx.info_name, params=list(params), context_settings=settings)
    parser = command.make_parser(click.Context(command, **settings))  # type: ignore[arg-type]
    try:
        given: dict[str, Any] = parser.parse_args(list(args))[0]
    except click.UsageError:  # the last option has no value yet, or whoever parses it for good says what is wrong
        return parsed(ctx, params, args[:-1]) if args else {}
    return {name: value for name, value in given.items() if isinstance(value, str | bool | int | list | tuple)}


def missing(word: str) -> InputError:
    """The error for a word that is neither a family nor a file that is there: it was meant as what it looks like."""
    path = Path(word)
    if path.suffix or "/" in word:
        from difflib import get_close_matches

        there = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        near = [str(path.parent / name) for name in get_close_matches(path.name, there, n=2, cutoff=0.6)]
        return InputError("no such file" + (f"; did you mean {' or '.join(near)}?" if near else ""), source=word)
    try:
        find_family(word)
    except InputError as error:
        return error
    return InputError("no such file", source=word)


@cache
def every_family() -> tuple[Family, ...]:
    """All families; a warning says, once, which third-party family cannot be loaded."""
    found, errors = installed_families()
    for error in errors:
        say(f"warning: {error}", err=True)
    return found
