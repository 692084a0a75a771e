"""The help of the commands: `--help` fits one screen, `--help-all` shows all options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

WIDTH = 100
"""The longest line of a help, in characters; a terminal can be narrower."""
HELP_ALL = "cnfgen_puzzles.help_all"
"""The key of `ctx.meta` that says that `--help-all` was given."""


def option_word(name: str) -> str:
    """The option of a parameter as users type it: `--dead-ends` of `dead_ends`."""
    return "--" + name.replace("_", "-")


def _show_all(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.meta[HELP_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


class DocumentedCommand(click.Command):
    """A command with `--help` (or `-h`), which fits one screen, and `--help-all`.

    `--help` shows the first paragraph of the help, the first sentence of each option that `common` names or an example uses, and
    the `examples`. `--help-all` shows all options under the headings of `sections`, and the `closing`. Without `common` and
    `sections` both show all options.
    """

    def __init__(
        self,
        name: str,
        *,
        sections: Mapping[str, Sequence[click.Parameter]] = MappingProxyType({}),
        params: list[click.Parameter] | None = None,
        common: Collection[str] | None = None,
        examples: Sequence[str] = (),
        closing: str = "",
        **kwargs: Any,
    ):
        super().__init__(name, params=[*(each for group in sections.values() for each in group), *(params or [])], **kwargs)
        self.context_settings = {
            "max_content_width": WIDTH,
            "help_option_names": ["--help", "-h"],
            **self.context_settings,
        }
        self.sections, self.examples, self.closing = sections, examples, closing
        used = re.findall(r"(?<!\S)--?[a-z][\w-]*", " ".join(examples))
        self.common = None if common is None and not sections else {*(common or ()), *used}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. UsageError for a long option with one hyphen, and for an output file without -o."""
        params = self.get_params(ctx)
        check_hyphens(ctx, params, args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            extra = re.fullmatch(r"Got unexpected extra argument \((.*)\)", error.message)
            if extra and any("--output" in each.opts for each in params) and (Path(extra[1]).suffix or "/" in extra[1]):
                raise click.UsageError(f"found a second file, {extra[1]}; to write to it: -o {extra[1]}", ctx) from None
            raise

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, `--help` and `--help-all`."""
        show = click.Option(
            ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all, hidden=self.common is None,
            help="Show all options.",
        )  # fmt: skip
        return [*super().get_params(ctx), show]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        text = inspect.cleandoc(self.help or "")
        if self.common is not None and not ctx.meta.get(HELP_ALL):
            text = text.partition("\n\n")[0]
        if text:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(text)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)
        listed = [each for group in self.sections.values() for each in group]
        others = [each for each in self.get_params(ctx) if each not in listed]
        groups: Mapping[str, Sequence[click.Parameter]] = {**self.sections, "Other" if self.sections else "Options": others}
        if not ctx.meta.get(HELP_ALL) and self.common is not None:
            every = [each for group in groups.values() for each in group]
            groups = {"Options": [each for each in every if not self.common.isdisjoint(each.opts) or each.name == "help_all"]}
        for heading, group in groups.items():
            options = [each for each in group if isinstance(each, click.Option)]
            records = [record for each in options if (record := each.get_help_record(ctx))]
            if self.common is not None and not ctx.meta.get(HELP_ALL):
                records = [(name, first_sentence(text)) for name, text in records]
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:  # each on one line, which is never wrapped
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
        if self.closing and (ctx.meta.get(HELP_ALL) or self.common is None):
            formatter.write_paragraph()
            formatter.write_text(self.closing)


class DocumentedGroup(DocumentedCommand, click.Group):
    """A command with subcommands."""

    command_class = DocumentedCommand


def check_hyphens(ctx: click.Context, params: Sequence[click.Parameter], args: Sequence[str]) -> None:
    """UsageError for a long option with one hyphen, which click would read as several short ones."""
    long_options = {name for each in params for name in each.opts}
    for word in args[: args.index("--")] if "--" in args else args:
        name = word.partition("=")[0]
        if re.fullmatch(r"-[a-z][a-z-]{2,}", name) and f"-{name}" in long_options:
            raise click.UsageError(f"found {name}, expected two hyphens: -{name}", ctx)


def first_sentence(text: str) -> str:
    """The first sentence of the help of an option, with its default.

    >>> first_sentence("Choose a view. See docs.  [default: text]")
    'Choose a view.  [default: text]'
    """
    return re.sub(r"(?<=\.) (?=\S).*?(?=  \[|$)", "", text, count=1, flags=re.DOTALL)
