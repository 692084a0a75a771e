"""Commands of the form `COMMAND [FAMILY] FILE ...`: one subcommand a family, with the options that family declares.

Which family is meant where none is named: `guessing.py`.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from cnfgen_puzzles.cli.common import chosen, click_option, say
from cnfgen_puzzles.cli.progress import watched
from cnfgen_puzzles.cli.shell.values import FileName, Name
from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import Family, Option, Puzzle
from cnfgen_puzzles.pipeline.instance import Instance, make_instance

Sections = dict[str, list[click.Parameter]]

PUZZLE, RANDOM, ENCODING = "Puzzle", "Random puzzle", "Encoding"
"""Headings of helps; families have some of their own."""


def file_argument(family: Family, several: bool = False) -> click.Argument:
    """The puzzle's file, or `several`; it can be left out where the puzzle may come from options or from a generator."""
    required = family.reads_file and not family.generators
    return click.Argument(["file"], required=required, nargs=-1 if several else 1, type=FileName(lambda: suffixes_of(family)))


def puzzle_sections(family: Family, seed: str = "", *, several: bool = False) -> Sections:
    """What says which puzzle is meant: file (or `several`), reader's options, generators' options; `seed` is said besides of
    --seed."""
    sections: Sections = {PUZZLE: [file_argument(family, several)]}
    for option in family.options:
        sections.setdefault(option.group or PUZZLE, []).append(click_option(option))
    if family.generators:
        sections[RANDOM] = generating_options(family, seed)
    return sections


def generating_options(family: Family, seed: str = "") -> list[click.Parameter]:
    """--generate and --seed, and what its generators take, each told to which it belongs if not to all."""
    taken = {option.name for option in family.options}
    return [
        generate_param(family, family.generators),
        click.Option(
            ["--seed"], type=int, metavar="N", help=f"Seed of --generate, 1 if not given: the same puzzle everywhere.{seed}"
        ),
        *(click_option(option, note) for option, note in takers(family.generators) if option.name not in taken),
    ]


def generate_param(family: Family, generators: Mapping[str, Any]) -> click.Option:
    """--generate, by one of these."""
    return click.Option(
        ["--generate"],
        type=Name(f"generator of {family.name}", summaries(generators)),
        metavar="NAME",
        help=f"Instead of a file: {told(generators)}.",
    )


def encoding_section(family: Family) -> Sections:
    """--encoding and what its encodings take, each told to which it belongs if not to all."""
    choice = click.Option(
        ["--encoding", "-e"],
        type=Name(f"{family.name} encoding", summaries(family.encodings)),
        default=family.default_encoding,
        metavar="NAME",
        help=f"{told(family.encodings)}.  [default: {family.default_encoding}]",
    )
    return {ENCODING: [choice, *(click_option(option, note) for option, note in takers(family.encodings))]}


def summaries(named: Mapping[str, Any]) -> dict[str, str]:
    """Encodings, generators, views by name, in words."""
    return {name: each.summary for name, each in named.items()}


FEW = 4
"""So many names are told with what they are; of more, `gen-cnf --list` tells it."""


def told(named: Mapping[str, Any]) -> str:
    """The names in a help, with their summaries if they are few."""
    if len(named) <= FEW:
        return "; ".join(f"{name}: {summary}" for name, summary in summaries(named).items())
    return f"{', '.join(named)} (`gen-cnf --list` tells more)"


def takers(named: Mapping[str, Any]) -> Iterable[tuple[Option, str]]:
    """The options that some of them take, once each, with the names of those that take it if not all do. Where one is something
    else for some of them, its help says so after what it is for the first."""
    declared = {option.name: option for each in named.values() for option in each.options}
    for name, option in declared.items():
        helps: dict[str, list[str]] = {}
        for each in named.values():
            for other in each.options:
                if other.name == name:
                    helps.setdefault(other.help, []).append(each.name)
        first, *others = helps
        told = "; ".join([first, *(f"{', '.join(helps[help])}: {help}" for help in others)])
        takes = sum(map(len, helps.values()))
        note = "" if takes == len(named) else ", ".join(each for names in helps.values() for each in names)
        yield replace(option, help=told), note


def examples(command: str, family: Family, *rest: str) -> list[str]:
    """Lines that can be typed: the first that the family declares with each of `rest`, then the others as they stand."""
    first, *others = family.examples or [f"puzzle{next(iter(suffixes_of(family)), '')}"]
    return [
        *(f"{command} {family.name} {first} {more}".rstrip() for more in rest),
        *(f"{command} {family.name} {other} {rest[-1]}".rstrip() for other in others),
    ]


def suffixes_of(family: Family) -> Sequence[str]:
    return [suffix for entry in family.formats.values() for suffix in entry.suffixes]


def read_named(family: Family, values: dict[str, Any]) -> Puzzle:
    """The puzzle that the user named."""
    if values.get("generate"):
        return generated(family, values)
    refuse_generating(family, values)
    with warnings_told(), watched(f"reading {values['file'] or f'the {family.name}'}"):
        source = source_named(values["file"]) if values.get("file") else None
        puzzle: Puzzle = family.read(source, **chosen(values, family.options))
    return puzzle


def source_named(file: str) -> Source:
    """What is in the file; where the family was guessed from it, it has been read."""
    context = click.get_current_context(silent=True)
    return (context and context.find_object(Source)) or open_source(file)


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
    with watched(f"making a puzzle by {name}"):
        puzzle: Puzzle = family.generate(name, seed, **chosen(values, options))
    return puzzle


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
