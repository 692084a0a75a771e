"""Helps that a person can read: options in groups, then lines that work when they are typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

WIDTH = 100
"""Characters of a line at most; a terminal may be narrower."""


class SectionedCommand(click.Command):
    """`sections` are its parameters by the headings of the help; one without any is left out. `examples` can be typed as they
    stand, in a folder with the files that they name; `closing` is said at the end."""

    def __init__(
        self,
        name: str,
        *,
        sections: Mapping[str, Sequence[click.Parameter]],
        examples: Sequence[str] = (),
        closing: str = "",
        **kwargs: Any,
    ):
        super().__init__(name, params=[each for group in sections.values() for each in group], **kwargs)
        self.context_settings = {"max_content_width": WIDTH, **self.context_settings}
        self.sections, self.examples, self.closing = sections, examples, closing

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed = [each for group in self.sections.values() for each in group]
        others = [each for each in self.get_params(ctx) if each not in listed]
        for heading, group in {**self.sections, "Other": others}.items():
            options = [each for each in group if isinstance(each, click.Option)]
            if records := [record for each in options if (record := each.get_help_record(ctx))]:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, self.examples)
        if self.closing:
            formatter.write_paragraph()
            formatter.write_text(self.closing)


def write_examples(formatter: click.HelpFormatter, examples: Sequence[str]) -> None:
    """Under a heading of their own, each on its line however long that is."""
    if examples:
        with formatter.section("Examples"):
            for line in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
