"""Other families and commands that have an option: the hint for an option that the called command does not have."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import click

from cnfgen_puzzles.cli.cnf_completion import COMMANDS
from cnfgen_puzzles.cli.families import FamilyCommands
from cnfgen_puzzles.common.errors import CnfgenError

MOST = 3
"""The longest list in a hint."""


def families_with(option: str, context: click.Context | None) -> list[str]:
    """The other families for which the called command has this option."""
    parent = context.parent if context else None
    if parent is None or not isinstance(group := parent.command, FamilyCommands):
        return []
    commands = ((name, group.get_command(parent, name)) for name in group.list_commands(parent))
    return [name for name, command in commands if command and any(option in each.opts for each in command.params)]


def commands_with(option: str, family: str) -> list[str]:
    """The commands that have this option, for this family if it supports families: `explain-puzzle`, `cnf-solvers list`."""
    found = []
    for name in COMMANDS:
        command = import_module(f"cnfgen_puzzles.cli.{name.replace('-', '_')}").COMMAND
        context = click.Context(command, info_name=name)
        try:
            found += [
                words for words, each in _parts(command, name, context, family) if any(option in p.opts for p in each.params)
            ]
        except (CnfgenError, ImportError):  # a third-party family or an extra that cannot be loaded
            continue
    return found


def _parts(command: click.Command, name: str, context: click.Context, family: str) -> Iterator[tuple[str, click.Command]]:
    """A command and its subcommands; of families only this one, or the first one if it is unknown."""
    yield name, command
    if isinstance(command, click.Group):
        names = command.list_commands(context)
        families = isinstance(command, FamilyCommands)
        for inner in [family if family in names else names[0]] if families else names:
            if (part := command.get_command(context, inner)) is not None:
                yield name if families else f"{name} {inner}", part


def describe_unknown_option(error: click.NoSuchOption) -> click.UsageError:
    """The error with the families, or else the commands, that have the option; without any, the error as it is."""
    called = error.ctx.command_path if error.ctx else ""
    command, _, family = called.rpartition(" ")
    families = families_with(error.option_name, error.ctx)
    found = families or commands_with(error.option_name, family)
    if not found:
        return error
    listed = ", ".join(found[:MOST]) + (", and others" if len(found) > MOST else "")
    where = f"{command} has it for {listed}" if families else f"it is an option of {listed}"
    return click.UsageError(f"{called} has no option {error.option_name}; {where}.", error.ctx)
