"""Commands of the form `COMMAND [FAMILY] FILE ...`: one subcommand for each family, with the options that the family declares.

`COMMAND cat.nin` stands for `COMMAND nonogram cat.nin`: `FamilyGroup` detects the family from the file.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from cnfgen_puzzles.cli.common import WIDTH, FileName, Item, Name, chosen, click_option, files, say, write_examples
from cnfgen_puzzles.cli.progress import watched
from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import BUILT_IN, Family, Option, Puzzle, family_names, find_family
from cnfgen_puzzles.families.detection import detect_family, endings, family_of_ending, installed_families
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
        help=f"Instead of a file: {describe_names(generators)}.",
    )


def encoding_section(family: Family) -> Sections:
    """--encoding and what its encodings take, each told to which it belongs if not to all."""
    choice = click.Option(
        ["--encoding", "-e"],
        type=Name(f"{family.name} encoding", summaries(family.encodings)),
        default=family.default_encoding,
        metavar="NAME",
        help=f"{describe_names(family.encodings)}.  [default: {family.default_encoding}]",
    )
    return {ENCODING: [choice, *(click_option(option, note) for option, note in takers(family.encodings))]}


def summaries(named: Mapping[str, Any]) -> dict[str, str]:
    """Encodings, generators, views by name, in words."""
    return {name: each.summary for name, each in named.items()}


FEW = 4
"""So many names are told with what they are; of more, `gen-cnf --list` tells it."""


def describe_names(named: Mapping[str, Any]) -> str:
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
    with report_warnings(), watched(f"reading {values['file'] or f'the {family.name}'}"):
        source = source_named(values["file"]) if values.get("file") else None
        puzzle: Puzzle = family.read(source, **chosen(values, family.options))
    return puzzle


def source_named(file: str) -> Source:
    """What is in the file; where the family was guessed from it, it has been read."""
    context = click.get_current_context(silent=True)
    return (context and context.find_object(Source)) or open_source(file)


@contextlib.contextmanager
def report_warnings() -> Iterator[None]:
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


# -- the family of a file ----------------------------------------------------------------------------------------------


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
        if args[0] == "-" or not args[0].startswith("-"):  # the file stands first, so that no family's options are needed
            file: Any = args[0]
            found = parsed(ctx, [click.Option(["--format"])], args[1:])
        else:
            found = self._parsed(ctx, args)
            file = found.get("file")
            file = next(iter(file), None) if isinstance(file, tuple) else file
        format = found.get("format")
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
            family = family_of_ending(ctx.obj, format) or detect_family(ctx.obj, format, every_family())
            return family.name
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
        params: list[click.Parameter] = []
        taken: set[str] = set()
        for param in (param for family in self.families for param in self.make(family).params):
            names = {*param.opts, *param.secondary_opts}
            if taken.isdisjoint(names):
                params.append(param)
                taken |= names
        return parsed(ctx, params, args)


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
