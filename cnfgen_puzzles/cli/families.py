"""Commands of the form `COMMAND [FAMILY] FILE ...`: one subcommand for each family, with the options that the family declares.

`COMMAND cat.nin` stands for `COMMAND nonogram cat.nin`: `FamilyGroup` detects the family from the file.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from cnfgen_puzzles.cli.common import (
    WIDTH,
    FileName,
    Item,
    Name,
    click_option,
    files,
    param,
    pick_given,
    say,
    version_option,
    write_examples,
)  # fmt: skip
from cnfgen_puzzles.cli.progress import watch
from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import BUILT_IN, Family, Option, Puzzle, family_names, find_family
from cnfgen_puzzles.families.detection import detect_family, endings, family_of_ending, installed_families
from cnfgen_puzzles.formula.cardinality import PYSAT

Sections = dict[str, list[click.Parameter]]

PUZZLE, RANDOM, ENCODING = "Puzzle", "Random puzzle", "Encoding"
"""Headings of helps; families have some of their own."""


def puzzle_sections(family: Family, seed: str = "", *, several: bool = False) -> Sections:
    """What says which puzzle is meant: its file (or `several`), which can be left out where the puzzle may come from options or
    from a generator, the reader's options, and the generators'; `seed` is said besides of --seed."""
    required = family.reads_file and not family.generators
    file = click.Argument(["file"], required=required, nargs=-1 if several else 1, type=FileName(lambda: suffixes_of(family)))
    sections: Sections = {PUZZLE: [file]}
    for option in family.options:
        sections.setdefault(option.group or PUZZLE, []).append(click_option(option))
    if family.generators:
        read = {option.name for option in family.options}
        sections[RANDOM] = [
            generate_param(family, family.generators),
            param("--seed", type=int, help=f"Seed of --generate, 1 if not given: the same puzzle everywhere.{seed}"),
            *(click_option(option, note) for option, note in takers(family.generators) if option.name not in read),
        ]
    return sections


def generate_param(family: Family, generators: Mapping[str, Any]) -> click.Option:
    """--generate, by one of these."""
    summaries, listed = describe_names(generators)
    return param("--generate", type=Name(f"generator of {family.name}", summaries), help=f"Instead of a file: {listed}.")


def encoding_section(family: Family) -> Sections:
    """--encoding and what its encodings take, each told to which it belongs if not to all."""
    summaries, listed = describe_names(family.encodings)
    choice = param(
        "--encoding",
        "-e",
        type=Name(f"{family.name} encoding", summaries, aliases=PYSAT if "sequential" in family.encodings else {}),
        default=family.default_encoding,
        help=f"{listed}.  [default: {family.default_encoding}]",
    )
    return {ENCODING: [choice, *(click_option(option, note) for option, note in takers(family.encodings))]}


FEW = 4
"""So many names are told with what they are; of more, `gen-cnf --list` tells it."""


def describe_names(named: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """Encodings or generators with their summaries, and both in a sentence of a help; of many the names alone."""
    summaries = {name: each.summary for name, each in named.items()}
    if len(named) <= FEW:
        return summaries, "; ".join(f"{name}: {summary}" for name, summary in summaries.items())
    return summaries, f"{', '.join(named)} (`gen-cnf --list` tells more)"


def takers(named: Mapping[str, Any]) -> Iterable[tuple[Option, str]]:
    """The options that some of them take, once each, with the names of those that take it if not all do. Where one is something
    else for some of them, its help says so after what it is for the first."""
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
        yield replace(option, help=help), "" if len(takes) == len(named) else ", ".join(takes)


def examples(command: str, family: Family, *rest: str) -> list[str]:
    """Lines that can be typed: the first that the family declares with each of `rest`, then the others as they stand."""
    first, *others = family.examples or [f"puzzle{next(iter(suffixes_of(family)), '')}"]
    lines = [*(f"{first} {more}" for more in rest), *(f"{other} {rest[-1]}" for other in others)]
    return [f"{command} {family.name} {line}".rstrip() for line in lines]


def suffixes_of(family: Family) -> Sequence[str]:
    return [suffix for entry in family.formats.values() for suffix in entry.suffixes]


# -- the puzzle that is meant ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PuzzleChoice:
    """The puzzle that the user chose: that in a `source`, that of a generator by its seed, or (without both) that of the
    `options`. These are the generator's or the reader's."""

    family: Family
    source: Source | None
    generator: str | None
    seed: int
    options: dict[str, Any]

    def read(self) -> Puzzle:
        """The puzzle; what readers warn of is told in one line each on stderr."""
        if self.generator is not None:
            with watch(f"making a puzzle by {self.generator}"):
                puzzle: Puzzle = self.family.generate(self.generator, self.seed, **self.options)
        else:
            name = self.source.name if self.source else f"the {self.family.name}"
            with report_warnings(), watch(f"reading {name}"):
                puzzle = self.family.read(self.source, **self.options)
        return puzzle


def choose_puzzle(family: Family, values: Mapping[str, Any]) -> PuzzleChoice:
    """The puzzle that the options say; InputError for options that do not go together, and for a file that cannot be read."""
    file, name, seed = values["file"], values.get("generate"), values.get("seed")
    generators = family.generators.values()
    of_generators = pick_given(values, (option for each in generators for option in each.options))
    if name is not None:
        if file:
            raise InputError("found a file beside --generate, expected one of them", source=file)
        options = family.generators[name].options
        known = {option.name for option in options}
        for other in (*pick_given(values, family.options), *of_generators):
            if other not in known:
                raise InputError(f"--{other.replace('_', '-')} is no option of --generate {name}")
        return PuzzleChoice(family, None, name, 1 if seed is None else seed, pick_given(values, options))
    if family.generators:
        read = {option.name for option in family.options}
        for other in [*(name for name in of_generators if name not in read), *(["seed"] if seed is not None else [])]:
            raise InputError(f"found --{other.replace('_', '-')}, which is for --generate")
        if family.reads_file and not file:
            raise InputError("found neither a file nor --generate, expected one of them")
    source = None
    if file:
        with watch(f"reading {file}"):  # where the family was guessed from it, it has been read
            source = click.get_current_context().find_object(Source) or open_source(file)
    return PuzzleChoice(family, source, None, 1, pick_given(values, family.options))


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


def choose_encoding(family: Family, values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that the user gave for the encoding; an option of another encoding is a mistake."""
    encoding = family.encoding(values["encoding"])
    known = {option.name for option in encoding.options}
    given = pick_given(values, (option for each in family.encodings.values() for option in each.options))
    for name in given:
        if name not in known:
            raise InputError(f"--{name.replace('_', '-')} is no option of the encoding {encoding.name}")
    return given


# -- the family of a file ----------------------------------------------------------------------------------------------


class FamilyCommands(click.Group):
    """A group whose subcommands are the puzzle families; `make(family)` gives the subcommand.

    A command that is for some families only says of which it is (`offered`), and what it does with their puzzles (`takes`).
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
        settings = {"max_content_width": WIDTH}
        super().__init__(
            name, help=help, params=params, subcommand_metavar=metavar, no_args_is_help=True, context_settings=settings
        )
        self.make, self.offered, self.takes, self.examples = make, offered, takes, examples
        version_option(self)

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
            raise InputError(f"found the family {name}, expected one whose puzzles {self.takes}: {known}")
        return self.make(family)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Families"):
            formatter.write_dl([(family.name, family.summary) for family in self.families])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, self.examples)


class FamilyGroup(FamilyCommands):
    """A group whose family can be left out.

    A first word that is no family is a file, which tells its family; and so is a family's name with nothing behind it, where
    there is a file of that name.
    """

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
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
            found = parse_words(ctx, [click.Option(["--format"])], args[1:])
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
            raise describe_missing(file)
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
        given = parse_words(ctx, self.make(family).params, rest)
        return bool("--help" in rest or given.get("file") or given.get("generate") or pick_given(given, family.options))

    def _parsed(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """What is given, by the options of all families, for it is not known yet whose they are."""
        params: list[click.Parameter] = []
        taken: set[str] = set()
        for each in (each for family in self.families for each in self.make(family).params):
            names = {*each.opts, *each.secondary_opts}
            if taken.isdisjoint(names):
                params.append(each)
                taken |= names
        return parse_words(ctx, params, args)


def parse_words(ctx: click.Context, params: Sequence[click.Parameter], args: list[str]) -> dict[str, Any]:
    """The words by the parameters that they are given for, unchecked; nothing where they cannot be parsed."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    command = click.Command(ctx.info_name, params=list(params), context_settings=settings)
    parser = command.make_parser(click.Context(command, **settings))  # type: ignore[arg-type]
    try:
        given: dict[str, Any] = parser.parse_args(list(args))[0]
    except click.UsageError:  # the last option has no value yet, or whoever parses it for good says what is wrong
        return parse_words(ctx, params, args[:-1]) if args else {}
    return {name: value for name, value in given.items() if isinstance(value, str | bool | int | list | tuple)}


def describe_missing(word: str) -> InputError:
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
