"""Commands of the form `COMMAND [FAMILY] FILE ...`: one subcommand for each family, with the options that the family declares.

`COMMAND cat.nin` is short for `COMMAND nonogram cat.nin`: `FamilyGroup` detects the family from the file.
"""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from cnfgen_puzzles.cli.app import say, version_option
from cnfgen_puzzles.cli.help import DocumentedGroup, check_hyphens, option_word
from cnfgen_puzzles.cli.params import FileName, Item, Name, click_option, file_item, param, pick_given
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.addresses import is_address
from cnfgen_puzzles.common.errors import InputError, InputWarning, listed
from cnfgen_puzzles.common.samples import sample_names
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import BUILT_IN, GENRES, Family, Option, Puzzle, family_names, find_family
from cnfgen_puzzles.families.detection import detect_family, installed_families

Sections = dict[str, list[click.Parameter]]

GENERATE_HELP = "Generate a puzzle instead of reading a file."
PUZZLE, RANDOM, ENCODING = "Puzzle", "Random puzzle", "Encoding"
"""Headings of the help. Families declare others."""


def puzzle_sections(family: Family, seed: str = "", *, several: bool = False) -> Sections:
    """The parameters that choose the puzzle: its file (or `several`), the reader's options, and those of the generators.

    The file is optional if options or a generator can define the puzzle. `seed` is added to the help of --seed.
    """
    required = family.reads_file and not family.generators
    file = click.Argument(["file"], required=required, nargs=-1 if several else 1, type=FileName())
    sections: Sections = {PUZZLE: [file]}
    for option in family.options:
        sections.setdefault(option.group or PUZZLE, []).append(click_option(option))
    if family.generators:
        read = {option.name for option in family.options}
        sections[RANDOM] = [
            choice_param(f"generator of {family.name}", family.generators, "--generate", help=GENERATE_HELP),
            param("--seed", type=int, help=f"Set the seed of --generate.{seed}  [default: 1]"),
            *(click_option(option, note) for option, note in takers(family.generators) if option.name not in read),
        ]
    return sections


def choice_param(kind: str, named: Mapping[str, Any], *flags: str, help: str, default: str = "", **how: Any) -> click.Option:
    """An option that chooses one of these encodings or generators; its help describes them, or lists them if they are many."""
    summaries = {name: each.summary for name, each in named.items()}
    few = "; ".join(f"{name}: {summary}" for name, summary in summaries.items())
    listed = few if len(named) <= FEW else f"{', '.join(named)} (`gen-cnf --list` describes them)"
    default = f"  [default: {default}]" if default else ""
    return param(*flags, type=Name(kind, summaries, **how), help=f"{help} {listed}.{default}")


FEW = 4
"""The longest list of names that a help shows with descriptions; `gen-cnf --list` describes longer ones."""


def encoding_section(family: Family) -> Sections:
    """--encoding and the options of the encodings. An option that only some of them take names these."""
    kind, encodings, default = f"{family.name} encoding", family.encodings, next(iter(family.encodings))
    choice = choice_param(kind, encodings, "--encoding", "-e", help="Choose the encoding.", default=default)
    return {ENCODING: [choice, *(click_option(option, note) for option, note in takers(encodings))]}


def takers(named: Mapping[str, Any]) -> Iterable[tuple[Option, str]]:
    """Their options, each once, with the names of the encodings or generators that take it if not all do.

    If the helps of an option differ, its help lists all of them.
    """
    declared: dict[str, Option] = {}
    helps: dict[str, dict[str, list[str]]] = {}
    for each in named.values():
        for option in each.options:
            declared[option.name] = option
            helps.setdefault(option.name, {}).setdefault(option.help, []).append(each.name)
    for name, option in declared.items():
        takes = [each for names in helps[name].values() for each in names]
        first, *others = helps[name]
        help = "; ".join([first, *(f"{', '.join(helps[name][other])}: {other}" for other in others)])
        yield option._replace(help=help), "" if len(takes) == len(named) else ", ".join(takes)


def examples(command: str, family: Family, *rest: str) -> list[str]:
    """Examples: the first one that the family declares with each of `rest`, then the others."""
    first, *others = family.examples or [f"puzzle{next(iter(suffixes_of(family)), '')}"]
    lines = [*(f"{first} {more}" for more in rest), *(f"{other} {rest[-1]}" for other in others)]
    return [f"{command} {family.name} {line}".rstrip() for line in lines]


def suffixes_of(family: Family) -> Sequence[str]:
    return [suffix for entry in family.formats.values() for suffix in entry.suffixes]


# -- the puzzle that is meant ------------------------------------------------------------------------------------------


class PuzzleChoice(NamedTuple):
    """The chosen puzzle: read from `source`, generated from `seed`, or, without both, defined by `options`."""

    family: Family
    source: Source | None
    generator: str | None
    seed: int
    options: dict[str, Any]

    def read(self) -> Puzzle:
        """The puzzle. Warnings of the reader go to stderr, one line each."""
        if self.generator is not None:
            with doing(f"making a puzzle by {self.generator}"):
                puzzle: Puzzle = self.family.generate(self.generator, self.seed, **self.options)
        else:
            name = self.source.name if self.source else f"the {self.family.name}"
            with report_warnings(), doing(f"reading {name}"):
                puzzle = self.family.read(self.source, **self.options)
        return puzzle


def choose_puzzle(family: Family, values: Mapping[str, Any]) -> PuzzleChoice:
    """The puzzle that the options choose; InputError for conflicting options and for a file that cannot be read."""
    file, name, seed = values["file"], values.get("generate"), values.get("seed")
    read = pick_given(values, family.options)
    generating = pick_given(values, (option for each in family.generators.values() for option in each.options))
    if name is not None:
        if file:
            raise InputError("found a file and --generate, expected one of them", source=file)
        return PuzzleChoice(family, None, name, 1 if seed is None else seed, read | generating)
    if family.generators:
        for other in [*(name for name in generating if name not in read), *(["seed"] if seed is not None else [])]:
            raise InputError(f"found {option_word(other)} without --generate")
        if family.reads_file and not file:
            raise InputError("found neither a file nor --generate, expected one of them")
    source = None
    if file:
        with doing(f"reading {file}"):  # read already if the family was detected from it
            source = click.get_current_context().find_object(Source) or open_source(file)
    return PuzzleChoice(family, source, None, 1, read)


@contextlib.contextmanager
def report_warnings() -> Iterator[None]:
    """Print the InputWarnings of the block on stderr, one line each, also if it fails; repeat all other warnings."""
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            yield
    finally:
        for warning in caught:
            if isinstance(warning.message, InputWarning):
                say(f"warning: {warning.message}", err=True)
            else:
                warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def choose_encoding(family: Family, values: Mapping[str, Any]) -> dict[str, Any]:
    """The given options of the encoding; InputError for an option of another encoding."""
    given = pick_given(values, (option for each in family.encodings.values() for option in each.options))
    return family.encoding_options(values["encoding"], given)


# -- the family of a file ----------------------------------------------------------------------------------------------


MOST_GENRES = 24
"""The most genres that a help lists, so that it fits one screen."""


class FamilyCommands(DocumentedGroup):
    """A group whose subcommands are the puzzle families; `make(family)` returns a subcommand.

    `offered` selects the families that the command supports. An error for any other says that its puzzles are not those that
    this command `takes`.
    """

    def __init__(
        self,
        name: str,
        *,
        make: Callable[[Family], click.Command],
        help: str,
        examples: Sequence[str],
        offered: Callable[[Family], bool] = lambda family: True,
        takes: str = "the command takes",
        metavar: str = "[FAMILY] FILE [OPTIONS]",
        params: list[click.Parameter] | None = None,
    ):
        super().__init__(name, help=help, params=params, examples=examples, subcommand_metavar=metavar, no_args_is_help=True)
        self.make, self.offered, self.takes = make, offered, takes
        version_option(self)

    @property
    def families(self) -> list[Family]:
        """The families that the command supports."""
        return [family for family in every_family() if self.offered(family)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [family.name for family in self.families]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in BUILT_IN and name not in family_names():
            if ctx.resilient_parsing:
                return None
            if os.path.exists(name) or Path(name).suffix:
                example = f"{self.name} {next(iter(self.list_commands(ctx)))} {name}"
                raise InputError(f"found a file, expected a family before it, such as `{example}`", source=name)
        family = find_family(name)
        if not self.offered(family):
            known = listed(self.list_commands(ctx))
            raise InputError(f"found the family {name}, expected one whose puzzles {self.takes}: {known}")
        return self.make(family)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        families = self.families
        with formatter.section("Families"):
            formatter.write_dl([(family.name, family.summary) for family in families if family.name not in GENRES])
        offered = {family.name for family in families}
        if genres := [name for name in GENRES if name in offered]:  # well-known ones first
            more = f", and {len(genres) - MOST_GENRES} more (gen-cnf --list)" if len(genres) > MOST_GENRES else ""
            with formatter.section("Families of grid puzzles"):
                formatter.write_text(", ".join(genres[:MOST_GENRES]) + more)


class FamilyGroup(FamilyCommands):
    """A group whose family is optional.

    A first word that is not a family is a file, from which the family is detected. Before the file, there can be options.
    """

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text(f"Options of a family: {self.name} FAMILY --help, or {self.name} FILE --help.")
        formatter.write_text(f"sample:NAME is a file of this package: {', '.join(sample_names())}.")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Item]:
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        families = [CompletionItem(each.name, help=each.summary) for each in self.families if each.name.startswith(incomplete)]
        return [file_item(incomplete), *families]

    # -- the family ---------------------------------------------------------------------------------------------

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {name for option in self.get_params(ctx) for name in option.opts}
        known = args and (args[0] in own or args[0] in BUILT_IN or args[0] in family_names())
        if args and not known and (family := self._detected(ctx, args)):
            args = [family, *args]
        return super().parse_args(ctx, args)

    def _detected(self, ctx: click.Context, args: list[str]) -> str | None:
        """The family of the file among the arguments; None during a completion."""
        if args[0] == "-" or not args[0].startswith("-"):  # the file is the first word: no options of a family are needed
            file: Any = args[0]
            found = parse_words(ctx, [click.Option(["--format"])], args[1:])
        else:
            named: dict[str, click.Parameter] = {}  # `--seed` is that of the solver for families that make nothing
            for each in (each for family in self.families for each in self.make(family).params):
                if named.keys().isdisjoint(each.opts):
                    named |= dict.fromkeys(each.opts, each)
            params = list(dict.fromkeys(named.values()))
            check_hyphens(ctx, params, args)
            found = parse_words(ctx, params, args)
            file = found.get("file")
            file = next(iter(file), None) if isinstance(file, tuple) else file
        if file is None:
            if ctx.resilient_parsing:
                return None
            known = listed([family.name for family in self.families])
            raise click.UsageError(f"found no puzzle, expected a family ({known}) or a file first", ctx)
        if ctx.resilient_parsing and not Path(file).is_file():
            return None
        if file != "-" and not Path(file).exists() and not is_address(file):
            if not Path(file).suffix and "/" not in file:
                find_family(file)  # raises the error for a wrong name of a family
            raise InputError("no such file", source=file)
        if Path(file).is_dir():
            raise InputError("found a folder, expected a family before it", source=file)
        try:
            ctx.obj = open_source(file)
            with report_warnings():
                return detect_family(ctx.obj, found.get("format")).name
        except InputError:
            if ctx.resilient_parsing:
                return None
            raise


def parse_words(ctx: click.Context, params: Sequence[click.Parameter], args: list[str]) -> dict[str, Any]:
    """The unchecked values of the parameters; nothing if the words cannot be parsed."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    command = click.Command(ctx.info_name, params=list(params), context_settings=settings)
    parser = command.make_parser(click.Context(command, **settings))  # type: ignore[arg-type]
    try:
        given: dict[str, Any] = parser.parse_args(list(args))[0]
    except click.UsageError:  # the last option has no value yet, or the final parser reports the mistake
        return parse_words(ctx, params, args[:-1]) if args else {}
    return {name: value for name, value in given.items() if isinstance(value, str | bool | int | list | tuple)}


@cache
def every_family() -> tuple[Family, ...]:
    """All installed families. A warning, printed once, names third-party families that cannot be loaded."""
    with report_warnings():
        return installed_families()
