"""Shared by all commands: errors and exit codes, help, option types with shell completion, limits, and output files."""

from __future__ import annotations

import contextlib
import errno
import inspect
import io
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

from cnfgen_puzzles.cli import process
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable, printable_lines, unknown_name
from cnfgen_puzzles.common.files import atomic_file, check_output, guarded_inputs, register_input, special
from cnfgen_puzzles.common.inputlimits import finite_number
from cnfgen_puzzles.common.numbers import parse_size
from cnfgen_puzzles.common.samples import replace_samples
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.families.options import Option

ANSWERED, FAILED, MISTAKE, NOT_ANSWERED = 0, 1, 2, 3
"""Exit codes of the commands that answer a question (docs/reference/commands.md)."""

SOLVER_CODES = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "TIMEOUT": 0, "MEMOUT": 0, "WRONG": FAILED, "ERROR": FAILED}
"""Exit codes of SAT solvers, by the status of a run: those of `run-cnf`, and of other commands with `--exit-code`."""

EXIT_HELP = (
    "Exit codes: 0 answered, whatever the answer is; 3 not answered (a limit was reached, or no solver decided it); "
    "1 wrong answer, solver failure, or internal error; 2 mistake in the call or the input; 130 interrupted."
)
SOLVER_EXIT_HELP = (
    "Exit codes: 10 satisfiable, 20 unsatisfiable, 0 not decided, 1 wrong answer, solver failure, or internal error, "
    "2 mistake in the call or the input."
)


def exit_code_of(status: str, *, as_solvers: bool = False) -> int:
    """The exit code for the status of an answer: 0 if the question was answered, or with `as_solvers` 10 or 20."""
    code = SOLVER_CODES[status]
    return code if as_solvers or code == FAILED else ANSWERED if code else NOT_ANSWERED


INTERRUPTED = process.INTERRUPTED

if TYPE_CHECKING:
    SizeParam: TypeAlias = click.ParamType[int]
    ValueParam: TypeAlias = click.ParamType[Any]
    TextParam: TypeAlias = click.ParamType[str]
    Item: TypeAlias = CompletionItem[str]
else:  # older versions of click have no parameters here
    SizeParam = ValueParam = TextParam = click.ParamType
    Item = CompletionItem


def run(command: click.Command) -> None:
    """Run a command and exit. An error is one line on stderr; a closed pipe and Ctrl-C print no traceback."""
    process.mend_streams()
    sys.unraisablehook = process.unraisable
    sys.exit(_exit_code(command, command.name or "cnfgen"))


def _exit_code(command: click.Command, name: str) -> int:
    try:
        try:
            process.interruptible(True)
            with guarded_inputs():
                words = replace_samples(sys.argv[1:])
                code = command.main(words, name, standalone_mode=False) or 0
            sys.stdout.flush()
            return int(code)
        finally:
            process.interruptible(False)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        message, context = error.format_message(), getattr(error, "ctx", None)
        if not context or message != context.get_help():  # a command without arguments shows its help, which is ours
            shown = io.StringIO(shown.getvalue().replace(message, printable(message)))
        click.echo(printable_lines(shown.getvalue()), err=True, nl=False)
        return error.exit_code
    except CnfgenError as error:
        if f"_{name}_COMPLETE".replace("-", "_").upper() in os.environ:  # a shell asks for completions
            return error.exit_code
        _say(name, str(error))
        for note in getattr(error, "__notes__", ()):
            click.echo(printable_lines(note), err=True)
        return error.exit_code
    except BrokenPipeError:
        process.drop_stdout()
        return 1
    except OSError as error:
        process.drop_stdout()
        _say(name, describe_error(error))
        return InputError.exit_code
    except MemoryError:
        _say(name, "not enough memory for this input")
        return CnfgenError.exit_code
    except (KeyboardInterrupt, click.Abort):
        _say(name, "interrupted")
        return INTERRUPTED


def _say(name: str, text: str) -> None:
    click.echo(f"{name}: {printable(text)}", err=True)


def describe_error(error: OSError) -> str:
    """An error of the operating system as a sentence, with its file if that is known."""
    why = error.strerror or str(error)
    if error.filename is not None and not isinstance(error.filename, int):
        return f"{os.fsdecode(error.filename)}: {why}"
    try:
        os.getcwd()
    except OSError as gone:
        return f"the working folder no longer exists: {gone.strerror}"
    if error.errno == errno.EBADF:
        return f"<stdin>: cannot be read: {why}"
    return why


Declared = TypeVar("Declared", bound=Callable[..., Any] | click.Command)


def version_option(command: Declared) -> Declared:
    """Add `--version`. Each command needs a separate option, since click stores the name of the command in it."""
    return click.version_option(__version__, message="%(prog)s %(version)s (cnfgen-puzzles)")(command)


def say(text: str, *, err: bool = False) -> None:
    """Print one line. Control characters and line ends in it, from files or programs, are escaped."""
    click.echo(printable(text), err=err)


def warn_of_header(wrong: str, name: str) -> None:
    """Warn that a CNF file has a wrong header; nothing for an empty text."""
    if wrong:
        say(f"warning: {name}: {wrong}; the formula is that of the clauses in the file, which may be cut short", err=True)


def relaxed_flag() -> click.Parameter:
    """The option --relaxed."""
    return flag("--relaxed", help="Accept a CNF whose header announces wrong numbers of clauses or variables, with a warning.")


def table_of(rows: Iterable[Sequence[Any]], headers: Sequence[str], **how: Any) -> str:
    """A table as text, with one line for each row."""
    from tabulate import tabulate

    shown = [[printable(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return str(tabulate(shown, headers=headers, **how))


def say_lines(text: str, *, err: bool = False) -> None:
    """Print several lines. The caller has made each of them `printable`."""
    click.echo(printable_lines(text), err=err)


# -- help --------------------------------------------------------------------------------------------------------------


WIDTH = 100
"""The longest line of a help, in characters; a terminal can be narrower."""
HELP_ALL = "cnfgen_puzzles.help_all"
"""The key of `ctx.meta` that says that `--help-all` was given."""


def option_word(name: str) -> str:
    """The option of a parameter as users type it: `--dead-ends` of `dead_ends`."""
    return "--" + name.replace("_", "-")


class PlainOption(click.Option):
    """An option whose help does not show the usual range of numbers."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0], re.sub(r"  \[1<=x<=\d{4,}\]$", "", record[1]))


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
        self.check_hyphens(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            extra = re.fullmatch(r"Got unexpected extra argument \((.*)\)", error.message)
            if extra and "--output" in self.long_options(ctx) and (Path(extra[1]).suffix or "/" in extra[1]):
                raise click.UsageError(f"found a second file, {extra[1]}; to write to it: -o {extra[1]}", ctx) from None
            raise

    def check_hyphens(self, ctx: click.Context, args: Sequence[str]) -> None:
        """UsageError for a long option with one hyphen."""
        for word in args[: args.index("--")] if "--" in args else args:
            name = word.partition("=")[0]
            if re.fullmatch(r"-[a-z][a-z-]{2,}", name) and f"-{name}" in self.long_options(ctx):
                raise click.UsageError(f"found {name}, expected two hyphens: -{name}", ctx)

    def long_options(self, ctx: click.Context) -> set[str]:
        """The options of this command."""
        return {name for each in self.get_params(ctx) for name in each.opts}

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
        write_examples(formatter, self.examples)
        if self.closing and (ctx.meta.get(HELP_ALL) or self.common is None):
            formatter.write_paragraph()
            formatter.write_text(self.closing)


class DocumentedGroup(DocumentedCommand, click.Group):
    """A command with subcommands."""

    command_class = DocumentedCommand


def first_sentence(text: str) -> str:
    """The first sentence of the help of an option, with its default.

    >>> first_sentence("Choose a view. See docs.  [default: text]")
    'Choose a view.  [default: text]'
    """
    return re.sub(r"(?<=\.) (?=\S).*?(?=  \[|$)", "", text, count=1, flags=re.DOTALL)


def write_examples(formatter: click.HelpFormatter, examples: Sequence[str]) -> None:
    """Examples under a heading, each on one line, which is never wrapped."""
    if examples:
        with formatter.section("Examples"):
            for line in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


# -- types of options --------------------------------------------------------------------------------------------------


class Memory(SizeParam):
    """A size such as 512MiB, 2GiB, 1.5G or a number of bytes."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return value if isinstance(value, int) else parse_size(value)
        except InputError as error:
            self.fail(error.message, param, ctx)


class Seconds(ValueParam):
    """A number of seconds, above 0 and below a thousand years; `inf` and `nan` are refused."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            seconds = finite_number(str(value), "a time in seconds")
        except InputError as error:
            self.fail(error.message, param, ctx)
        if not 0 < seconds < MOST_SECONDS:
            self.fail(f"{value} is not in the range 0<x<{MOST_SECONDS}.", param, ctx)
        return seconds


MOST_SECONDS = 30_000_000_000
SECONDS = Seconds()
COUNT = click.IntRange(min=1, max=sys.maxsize)
JOBS = click.IntRange(min=1, max=1024)
OUTPUT_HELP = "Write to this file instead of standard output."


LONGEST_CHOICES = 24
"""The longest list of choices that a help shows in place of the value, in characters."""


class OptionValue(ValueParam):
    """The value of an option that a family declares. The declaration checks it, as in the library."""

    def __init__(self, option: Option):
        self.option = option
        self.name = {int: "n", float: "number"}.get(option.type, "text")

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        return f"[{'|'.join(self.option.choices)}]" if self._short else "NAME" if self.option.choices else None

    @property
    def _short(self) -> bool:
        """Whether a help lists the choices in place of the value; otherwise they follow the text."""
        return 0 < len("|".join(self.option.choices)) <= LONGEST_CHOICES

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        return [CompletionItem(name) for name in self.option.choices if name.startswith(incomplete)]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.option.read(value)
        except InputError as error:
            if error.source is not None:  # a file that was named
                raise
            self.fail(error.message, param, ctx)


def param(
    *names: str,
    help: str,
    type: ValueParam | type | None = None,
    metavar: str | None = None,
    default: Any = None,
    multiple: bool = False,
    flag_value: str | None = None,
) -> click.Option:
    """An option of a command. Its type names its value in the help; with a `flag_value` the value is optional."""
    if metavar is None:
        metavar = "N" if type is int or isinstance(type, click.IntRange) else "FILE" if isinstance(type, FileName) else None
    if flag_value is not None:
        return PlainOption(names, metavar=metavar, help=help, is_flag=False, flag_value=flag_value)
    default = () if multiple else default
    return PlainOption(names, type=type, metavar=metavar, default=default, multiple=multiple, help=help)


def flag(*names: str, help: str) -> click.Option:
    """An option without a value."""
    return PlainOption(names, is_flag=True, help=help)


def limit_params() -> list[click.Parameter]:
    """--time, --wall-time and --memory."""
    return [
        param("--time", "cpu", type=SECONDS, help="Limit the CPU time of all processes of a run."),
        param("--wall-time", "wall", type=SECONDS, help="Limit the elapsed time of a run."),
        param("--memory", type=Memory(), help="Limit the memory of all processes of a run, such as 2GiB."),
    ]


def exit_code_flag() -> click.Option:
    """--exit-code, for commands that exit with 0 for every answer."""
    return flag("--exit-code", help="Exit as SAT solvers do: 10 satisfiable, 20 unsatisfiable, 0 not decided.")


def click_option(option: Option, note: str = "") -> click.Option:
    """The command-line option for an option that a family or an encoding declares."""
    kind = click.BOOL if option.type is bool else OptionValue(option)
    text = option.help[:1].upper() + option.help[1:]
    text += f": {', '.join(option.choices)}." if len("|".join(option.choices)) > LONGEST_CHOICES else "."
    text += f" [{note}]" if note else ""
    names = [name.replace("_", "-") for name in (option.command, option.name) if name]
    flags = [f"--{name}/--no-{name}" if option.type is bool else f"--{name}" for name in names]
    return PlainOption([*flags, option.name], type=kind, default=None, help=text)


def pick_given(values: Mapping[str, Any], options: Iterable[Option]) -> dict[str, Any]:
    """The values that the user gave for these options, by name."""
    return {option.name: values[option.name] for option in options if values.get(option.name) is not None}


FILE, FOLDER = "file", "dir"
"""The types of completions that are paths, in the terms of click."""
PACKED = (".gz", ".xz")


class Name(TextParam):
    """One of several names, each with a description (or `""`). An error calls them `kind`.

    With `others`, the command accepts and checks other values as well.
    """

    name = "name"

    def __init__(
        self,
        kind: str,
        names: Mapping[str, str] | Callable[[], Mapping[str, str]],
        *,
        others: bool = False,
        aliases: Mapping[str, str] = MappingProxyType({}),
    ):
        self.kind, self._names, self._others, self._aliases = kind, names, others, aliases

    @property
    def names(self) -> Mapping[str, str]:
        return self._names() if callable(self._names) else self._names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        value = self._aliases.get(value, value)
        if not self._others and value not in self.names:
            self.fail(unknown_name(self.kind, str(value), self.names), param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        found = [CompletionItem(name, help=told) for name, told in self.names.items() if name.startswith(incomplete)]
        return found or (list(files(incomplete)) if self._others and "/" in incomplete else [])


class FileName(click.Path):
    """A file, or `-` for a standard stream. Shells complete files with one of the `endings`, or all files if none has one."""

    def __init__(self, endings: Callable[[], Collection[str]] = lambda: (), **how: Any):
        super().__init__(**{"allow_dash": True, "readable": False} | how)
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(param, click.Argument):  # before any output is opened
            register_input(value)
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        return list(files(incomplete, self._endings()))


CNF_FILE = FileName(lambda: (".cnf", ".dimacs"))


def files(incomplete: str, endings: Iterable[str] = (), *, folders: bool = False) -> Iterator[Item]:
    """Completions of a path: files with one of the endings, compressed or not, or all files if none has one; and folders.

    With `folders`, only folders.
    """
    above, slash, start = incomplete.rpartition("/")
    wanted = tuple(endings)
    try:
        entries = sorted(os.scandir(os.path.expanduser(above + slash) or "."), key=lambda entry: entry.name)
    except OSError:
        return
    begun = [each for each in entries if each.name.startswith(start) and (start or not each.name.startswith("."))]
    plain = [each for each in begun if not each.is_dir()]
    fitting = [each for each in plain if _unpacked(each.name).lower().endswith(wanted)] or plain
    for each in begun:
        if each.is_dir():
            yield CompletionItem(above + slash + each.name, type=FOLDER)
        elif not folders and each in fitting:
            yield CompletionItem(above + slash + each.name, type=FILE)


def _unpacked(name: str) -> str:
    path = Path(name)
    return path.stem if path.suffix.lower() in PACKED else name


def solver_titles() -> dict[str, str]:
    """The solvers of the table with their titles, without proof checkers."""
    from cnfgen_puzzles.solving.table import load_solvers

    return {solver.name: solver.title for solver in load_solvers().values() if solver.kind == "solver"}


def checker_titles() -> dict[str, str]:
    """The proof checkers with their descriptions."""
    from cnfgen_puzzles.evidence.checkers import CHECKERS

    return {checker.name: checker.summary for checker in CHECKERS.values()}


def checker_param() -> click.Option:
    """--checker, for commands that check proofs."""
    from cnfgen_puzzles.evidence.checkers import ALIASES

    listed = "; ".join(f"{name}: {summary}" for name, summary in checker_titles().items())
    help = f"Check proofs with this checker; by default the first installed one. {listed}."
    return param("--checker", type=Name("checker", checker_titles, aliases=ALIASES), metavar="NAME", help=help)


def engine_summaries(*without: str) -> dict[str, str]:
    """The engines that enumerate, then the model counters, with descriptions; `without` some."""
    from cnfgen_puzzles.counting.enginenames import BOTH, COUNTERS, ENGINES

    counters = {name: f"model counter, {how}" for name, how in COUNTERS.items()}
    every = {**ENGINES, **counters, BOTH: f"{' and '.join(COUNTERS)}, which must agree"}
    return {name: summary for name, summary in every.items() if name not in without}


def engine_help(*without: str) -> str:
    """The help of --engine."""
    listed = "; ".join(f"{name}: {summary}" for name, summary in engine_summaries(*without).items())
    return (
        f"Enumerate or count with this engine; by default the fastest installed one. Counts also race a model counter. {listed}."
    )


# -- output ------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def output_stream(path: str | None, *, updates: bool = False) -> Iterator[BinaryIO]:
    """A binary stream: standard output for None and `-`, else a file that is replaced as a whole when the block ends.

    InputError for a file that the command reads, except with `updates`."""
    if path in (None, "-"):
        with contextlib.suppress(io.UnsupportedOperation):  # a stream of a caller in the same process
            check_output(sys.stdout.fileno())
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(Path(path), updates=updates) as stream:
        yield stream


CONTENTS = {
    **dict.fromkeys((".bmp", ".gif", ".jpeg", ".jpg", ".pdf", ".png", ".svg", ".webp"), "a picture"),
    ".json": "JSON",
    ".jsonl": "JSON lines",
    ".html": "HTML",
    ".parquet": "Parquet",
    ".zip": "an archive",
}
"""Suffixes of files that determine the content."""


def check_suffix(path: str | None, written: str, fix: str) -> None:
    """InputError if the suffix of an output promises other content than what is `written` (a suffix); `fix` is advice."""
    suffix = Path(path).suffix.lower() if path not in (None, "-") else ""
    if suffix in CONTENTS and suffix != written:
        expected = f"a name such as x{written}" if written else "another suffix"
        raise InputError(
            f"found the suffix {suffix} for an output that is not {CONTENTS[suffix]}, expected {expected}; {fix}", source=path
        )


def check_writable(path: Path) -> None:
    """InputError if this file cannot be written or is an input. The file does not change."""
    check_output(path)
    existed = path.exists()
    try:
        if not special(path):
            path.open("ab").close()
            if not existed:
                path.unlink()
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None


def write_text(path: str | None, text: str | bytes) -> None:
    """Write text or bytes to a file or standard output."""
    with output_stream(path) as stream:
        stream.write(text if isinstance(text, bytes) else text.encode(errors="backslashreplace"))
