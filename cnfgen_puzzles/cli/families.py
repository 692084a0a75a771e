"""Commands of the form `COMMAND FAMILY FILE ...`: one subcommand a family, with the options that family declares."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import click

from cnfgen_puzzles.cli.common import chosen, click_option, say
from cnfgen_puzzles.families import Family, Puzzle, family_names, find_family
from cnfgen_puzzles.ground.errors import InputError, InputWarning
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.pipeline.instance import Instance, make_instance


class FamilyGroup(click.Group):
    """A group whose subcommands are the puzzle families; `make(family)` gives the subcommand."""

    def __init__(self, name: str, *, make: Callable[[Family], click.Command], **kwargs: Any):
        super().__init__(name, subcommand_metavar="FAMILY FILE [OPTIONS]", **kwargs)
        self.make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        return family_names()

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        return self.make(find_family(name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(family.name, family.summary) for family in every_family()])


def every_family() -> Iterator[Family]:
    """All families; one of another package that cannot be loaded is told and left out."""
    for name in family_names():
        try:
            yield find_family(name)
        except InputError as error:
            say(f"warning: {error}", err=True)


def file_argument(family: Family, *, generates: bool = False) -> click.Argument:
    """The puzzle's file; it can be left out where the puzzle may come from options or, with `generates`, from a generator."""
    required = family.reads_file and not (generates and family.generators)
    return click.Argument(["file"], required=required, type=click.Path(allow_dash=True, readable=False))


def reading_options(family: Family) -> list[click.Option]:
    """What the family's reader takes."""
    return [click_option(option) for option in family.options]


def generating_options(family: Family) -> list[click.Option]:
    """--generate and --seed, and what its generators take, each told to which it belongs."""
    if not family.generators:
        return []
    takers: dict[str, list[str]] = {}
    declared = {}
    taken = {option.name for option in family.options}
    for generator in family.generators.values():
        for option in generator.options:
            declared[option.name] = option
            takers.setdefault(option.name, []).append(f"--generate {generator.name}")
    listed = "; ".join(f"{each.name}: {each.summary}" for each in family.generators.values())
    return [
        click.Option(["--generate"], type=click.Choice(list(family.generators)), help=f"Instead of a file: {listed}"),
        click.Option(["--seed"], type=int, help="Seed of --generate, 1 if not given; the same puzzle on every machine."),
        *(click_option(option, ", ".join(takers[name])) for name, option in declared.items() if name not in taken),
    ]


def encoding_options(family: Family) -> list[click.Option]:
    """--encoding and what its encodings take, each told to which it belongs."""
    listed = "; ".join(f"{each.name}: {each.summary}" for each in family.encodings.values())
    choice = click.Option(
        ["--encoding", "-e"],
        type=click.Choice(list(family.encodings)),
        default=family.default_encoding,
        show_default=True,
        help=listed,
    )
    takers: dict[str, list[str]] = {}
    declared = {}
    for encoding in family.encodings.values():
        for option in encoding.options:
            declared[option.name] = option
            takers.setdefault(option.name, []).append(encoding.name)
    return [choice, *(click_option(option, ", ".join(takers[name])) for name, option in declared.items())]


def read_named(family: Family, values: dict[str, Any]) -> Puzzle:
    """The puzzle that the user named."""
    if values.get("generate"):
        return generated(family, values)
    refuse_generating(family, values)
    source = open_source(values["file"]) if values.get("file") else None
    with warnings_told():
        return family.read(source, **chosen(values, family.options))


@contextlib.contextmanager
def warnings_told() -> Iterator[None]:
    """What readers warn of, in one line each on stderr."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        yield
    for warning in caught:
        if isinstance(warning.message, InputWarning):
            say(f"warning: {warning.message}", err=True)
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def generated(family: Family, values: dict[str, Any]) -> Puzzle:
    """The puzzle of --generate; a file or an option that the generator does not take is a mistake."""
    name = values["generate"]
    if values.get("file"):
        raise InputError("found a file beside --generate, expected one of them", source=values["file"])
    options = family.generators[name].options
    known = {option.name for option in options}
    every = [*family.options, *(option for each in family.generators.values() for option in each.options)]
    for other in chosen(values, every):
        if other not in known:
            raise InputError(f"--{other.replace('_', '-')} is no option of --generate {name}")
    seed = values["seed"] if values.get("seed") is not None else 1
    return family.generate(name, seed, **chosen(values, options))


def refuse_generating(family: Family, values: dict[str, Any]) -> None:
    """Options of generators without --generate are a mistake; so is nothing to read."""
    if "generate" not in values:
        return
    read = {option.name for option in family.options}
    given = chosen(values, (option for each in family.generators.values() for option in each.options if option.name not in read))
    for name in [*given, *(["seed"] if values.get("seed") is not None else [])]:
        raise InputError(f"found --{name.replace('_', '-')}, which is for --generate")
    if family.reads_file and not values.get("file"):
        raise InputError("found neither a file nor --generate, expected one of them")


def encode_named(family: Family, puzzle: Puzzle, values: dict[str, Any]) -> Instance:
    """The instance by the encoding and the options that the user named."""
    return make_instance(family, puzzle, values["encoding"], **encoding_options_named(family, values))


def encoding_options_named(family: Family, values: dict[str, Any]) -> dict[str, Any]:
    """The options that the user gave for the encoding; an option of another encoding is a mistake."""
    encoding = family.encoding(values["encoding"])
    every = {option.name: option for each in family.encodings.values() for option in each.options}
    given = chosen(values, every.values())
    for name in given:
        if name not in {option.name for option in encoding.options}:
            raise InputError(f"--{name.replace('_', '-')} is no option of the encoding {encoding.name}")
    return given
