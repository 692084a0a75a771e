"""What the commands share: how they fail, help in groups, option types that shells complete, limits, and where output goes."""

from __future__ import annotations

import contextlib
import errno
import io
import os
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

EXIT_CODES = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "TIMEOUT": 0, "MEMOUT": 0, "WRONG": 1, "ERROR": 1}
"""By status of a run, as solvers do; 2 is a user's mistake."""

EXIT_HELP = (
    "Exits with 10 (satisfiable), 20 (unsatisfiable), 0 (not decided), "
    "1 (a fault of the solver or ours), 2 (a mistake in the call or the input)."
)

INTERRUPTED = process.INTERRUPTED

COMPLETION_VARIABLE = "_CNFGEN_COMPLETE"
"""Set by a shell that asks for completions (`cli/cnf_completion.py`)."""

if TYPE_CHECKING:
    SizeParam: TypeAlias = click.ParamType[int]
    ValueParam: TypeAlias = click.ParamType[Any]
    TextParam: TypeAlias = click.ParamType[str]
    Item: TypeAlias = CompletionItem[str]
else:  # older versions of click have no parameters here
    SizeParam = ValueParam = TextParam = click.ParamType
    Item = CompletionItem


def run(command: click.Command) -> None:
    """Run a command: failures as one line on stderr with their exit code, a closed pipe and Ctrl-C without noise."""
    process.mend_streams()
    sys.unraisablehook = process.unraisable
    sys.exit(_exit_code(command, command.name or "cnfgen"))


def _exit_code(command: click.Command, name: str) -> int:
    try:
        try:
            process.interruptible(True)
            with guarded_inputs():
                words = replace_samples(sys.argv[1:])
                code = command.main(words, name, COMPLETION_VARIABLE, standalone_mode=False) or 0
            sys.stdout.flush()
            return int(code)
        finally:
            process.interruptible(False)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        told = error.format_message()
        click.echo(printable_lines(shown.getvalue().replace(told, printable(told))), err=True, nl=False)
        return error.exit_code
    except CnfgenError as error:
        _say(name, str(error))
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
    """What the system refuses, with the file if it is known, in words."""
    why = error.strerror or str(error)
    if error.filename is not None and not isinstance(error.filename, int):
        return f"{os.fsdecode(error.filename)}: {why}"
    try:
        os.getcwd()
    except OSError as gone:
        return f"the working folder is not there any more: {gone.strerror}"
    if error.errno == errno.EBADF:
        return f"<stdin>: cannot be read: {why}"
    return why


Declared = TypeVar("Declared", bound=Callable[..., Any] | click.Command)


def version_option(command: Declared) -> Declared:
    """`--version`: an option for each command, because one keeps the name of the first command that it was called for."""
    return click.version_option(__version__, message="%(prog)s %(version)s (cnfgen-puzzles)")(command)


def say(text: str, *, err: bool = False) -> None:
    """Print a line with words of programs, files and users: none of them reaches a terminal raw or begins another line."""
    click.echo(printable(text), err=err)


def table_of(rows: Iterable[Sequence[Any]], headers: Sequence[str], **how: Any) -> str:
    """A table as text, each row in a line."""
    from tabulate import tabulate

    shown = [[printable(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return str(tabulate(shown, headers=headers, **how))


def say_lines(text: str, *, err: bool = False) -> None:
    """The same for a text of several lines; whoever joined them has made each `printable`."""
    click.echo(printable_lines(text), err=err)


# -- help --------------------------------------------------------------------------------------------------------------


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
    """A number of seconds above 0 and below that of a thousand years: not `inf`, which no clock reaches, nor `nan`."""

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


ROOM = 24
"""Characters of the choices of an option that are listed where its value stands."""


class OptionValue(ValueParam):
    """The value of an option that a family declares: checked by its declaration, as in the library."""

    def __init__(self, option: Option):
        self.option = option
        self.name = {int: "n", float: "number"}.get(option.type, "text")

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        return f"[{'|'.join(self.option.choices)}]" if self._short else "NAME" if self.option.choices else None

    @property
    def _short(self) -> bool:
        """Whether the choices have room where the value stands in a help; else they follow the text."""
        return 0 < len("|".join(self.option.choices)) <= ROOM

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
    """An option of a command. What it takes is called as its type says; with a `flag_value` that may be left out."""
    if metavar is None:
        metavar = "N" if type is int or isinstance(type, click.IntRange) else "FILE" if isinstance(type, FileName) else None
    if flag_value is not None:
        return click.Option(names, metavar=metavar, help=help, is_flag=False, flag_value=flag_value)
    default = () if multiple else default
    return click.Option(names, type=type, metavar=metavar, default=default, multiple=multiple, help=help)


def flag(*names: str, help: str) -> click.Option:
    """An option that takes nothing."""
    return click.Option(names, is_flag=True, help=help)


def limit_params() -> list[click.Parameter]:
    """--time, --wall-time and --memory."""
    return [
        param("--time", "cpu", type=SECONDS, help="Limit on the CPU time of all its processes."),
        param("--wall-time", "wall", type=SECONDS, help="Limit on elapsed time."),
        param("--memory", type=Memory(), help="Limit on the memory of all its processes, such as 2GiB."),
    ]


def click_option(option: Option, note: str = "") -> click.Option:
    """An option that a family or an encoding declares, as one of the command line."""
    kind = click.BOOL if option.type is bool else OptionValue(option)
    text = option.help[:1].upper() + option.help[1:]
    text += f": {', '.join(option.choices)}." if len("|".join(option.choices)) > ROOM else "."
    text += f" [{note}]" if note else ""
    names = [name.replace("_", "-") for name in (option.command, option.name) if name]
    flags = [f"--{name}/--no-{name}" if option.type is bool else f"--{name}" for name in names]
    return click.Option([*flags, option.name], type=kind, default=None, help=text)


def pick_given(values: Mapping[str, Any], options: Iterable[Option]) -> dict[str, Any]:
    """The values that the user gave for these options: what was not given keeps its default."""
    return {option.name: values[option.name] for option in options if values.get(option.name) is not None}


FILE, FOLDER = "file", "dir"
"""The types of completions that are paths, as click has them."""
PACKED = (".gz", ".xz")


class Name(TextParam):
    """One of some names, each with what it is (or `""`); `kind` says what is named in the error for any other.

    Where `others` is true a value may also be something else, which whoever uses it judges.
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
    """A file, `-` for a stream. Those with one of the `endings` are completed, or all where there are none of these."""

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
    """The files, packed or not, that begin so and have one of the endings; all where none has; and the folders on the way.

    With `folders` only these.
    """
    above, slash, start = incomplete.rpartition("/")
    wanted = tuple(endings)
    try:
        entries = sorted(os.scandir(os.path.expanduser(above + slash) or "."), key=lambda entry: entry.name)
    except OSError:
        return
    begun = [each for each in entries if each.name.startswith(start) and (start or not each.name.startswith("."))]
    there = [each for each in begun if not each.is_dir()]
    fitting = [each for each in there if _unpacked(each.name).lower().endswith(wanted)] or there
    for each in begun:
        if each.is_dir():
            yield CompletionItem(above + slash + each.name, type=FOLDER)
        elif not folders and each in fitting:
            yield CompletionItem(above + slash + each.name, type=FILE)


def _unpacked(name: str) -> str:
    path = Path(name)
    return path.stem if path.suffix.lower() in PACKED else name


def solver_titles() -> dict[str, str]:
    """The solvers of the table and what they are; without checkers of proofs."""
    from cnfgen_puzzles.solving.table import load_solvers

    return {solver.name: solver.title for solver in load_solvers().values() if solver.kind == "solver"}


def checker_titles() -> dict[str, str]:
    """The checkers of proofs and what they read."""
    from cnfgen_puzzles.evidence.checkers import CHECKERS

    return {checker.name: checker.summary for checker in CHECKERS.values()}


def checker_param() -> click.Option:
    """--checker, for commands that have proofs checked."""
    from cnfgen_puzzles.evidence.checkers import ALIASES

    listed = "; ".join(f"{name}: {summary}" for name, summary in checker_titles().items())
    return click.Option(
        ["--checker"],
        type=Name("checker", checker_titles, aliases=ALIASES),
        metavar="NAME",
        help=f"Which checks the proof, by default the first that is there. {listed}.",
    )


def engine_summaries(*without: str) -> dict[str, str]:
    """The engines that enumerate, then those that give numbers alone; `without` some."""
    from cnfgen_puzzles.counting.enginenames import BOTH, COUNTERS, ENGINES

    counters = {name: f"model counter, {how}" for name, how in COUNTERS.items()}
    every = {**ENGINES, **counters, BOTH: f"{' and '.join(COUNTERS)}, which must agree"}
    return {name: summary for name, summary in every.items() if name not in without}


def engine_help(*without: str) -> str:
    """All of it in a sentence."""
    listed = "; ".join(f"{name}: {summary}" for name, summary in engine_summaries(*without).items())
    return f"How to find or count them, by default the best that is there, for numbers with a model counter beside it. {listed}."


# -- output ------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def output_stream(path: str | None, *, updates: bool = False) -> Iterator[BinaryIO]:
    """A binary stream to write to: a file that appears whole or not at all, or standard output for None and `-`.

    InputError for a file that is an input, unless it is to be updated."""
    if path in (None, "-"):
        with contextlib.suppress(io.UnsupportedOperation):  # a stream of a caller in the same process
            check_output(sys.stdout.fileno())
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(Path(path), updates=updates) as stream:
        yield stream


def check_writable(path: Path) -> None:
    """InputError if another program could not write this file, or if it is an input; what is in it stays."""
    check_output(path)
    there = path.exists()
    try:
        if not special(path):
            path.open("ab").close()
            if not there:
                path.unlink()
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None


def write_text(path: str | None, text: str | bytes) -> None:
    """Write text or bytes to a file or standard output."""
    with output_stream(path) as stream:
        stream.write(text if isinstance(text, bytes) else text.encode(errors="backslashreplace"))
