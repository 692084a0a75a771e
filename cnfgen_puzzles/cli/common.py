"""What the commands share: the way they fail, the options that occur twice, and where their output goes."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, TypeVar

import click

from cnfgen_puzzles.cli import interrupts, standard
from cnfgen_puzzles.common.atomicfiles import atomic_file, special
from cnfgen_puzzles.common.bytesizes import parse_size
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.inputlimits import finite_number
from cnfgen_puzzles.common.printable import printable_lines
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.families.options import Option

EXIT_CODES = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "TIMEOUT": 0, "MEMOUT": 0, "WRONG": 1, "ERROR": 1}
"""By status of a run, as solvers do; 2 is a user's mistake."""

EXIT_HELP = (
    "Exits with 10 (satisfiable), 20 (unsatisfiable), 0 (not decided), "
    "1 (a fault of the solver or ours), 2 (a mistake in the call or the input)."
)

INTERRUPTED = interrupts.INTERRUPTED

COMPLETION_VARIABLE = "_CNFGEN_COMPLETE"
"""Set by a shell that asks for completions (`cli/shell/completion.py`)."""

if TYPE_CHECKING:
    from cnfgen_puzzles.solving.process import Limits

    SizeParam: TypeAlias = click.ParamType[int]
    ValueParam: TypeAlias = click.ParamType[Any]
else:  # older versions of click have no parameters here
    SizeParam = ValueParam = click.ParamType


def run(command: click.Command) -> None:
    """Run a command: failures as one line on stderr with their exit code, a closed pipe and Ctrl-C without noise."""
    standard.mend_streams()
    sys.unraisablehook = interrupts.unraisable
    sys.exit(_exit_code(command, command.name or "cnfgen"))


def _exit_code(command: click.Command, name: str) -> int:
    try:
        try:
            interrupts.interruptible(True)
            if COMPLETION_VARIABLE in os.environ:  # a shell asks what may follow
                import_module("cnfgen_puzzles.cli.shell.completion").register()
            code = command.main(prog_name=name, standalone_mode=False, complete_var=COMPLETION_VARIABLE) or 0
            sys.stdout.flush()
            return int(code)
        finally:
            interrupts.interruptible(False)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        click.echo(printable_lines(shown.getvalue()), err=True, nl=False)
        return error.exit_code
    except CnfgenError as error:
        _say(name, str(error))
        return error.exit_code
    except BrokenPipeError:
        standard.drop_stdout()
        return 1
    except OSError as error:
        standard.drop_stdout()
        _say(name, told(error))
        return InputError.exit_code
    except MemoryError:
        _say(name, "not enough memory for this input")
        return CnfgenError.exit_code
    except (KeyboardInterrupt, click.Abort):
        _say(name, "interrupted")
        return INTERRUPTED


def _say(name: str, text: str) -> None:
    click.echo(f"{name}: {printable_lines(text)}", err=True)


def told(error: OSError) -> str:
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


Command = TypeVar("Command", bound=Callable[..., Any] | click.Command)


def version_option(function: Command) -> Command:
    """--version."""
    return click.version_option(__version__, message="%(prog)s %(version)s (cnfgen-puzzles)")(function)


def say(text: str, *, err: bool = False) -> None:
    """Print lines in which there are words of programs, files and users; nothing in them reaches a terminal raw."""
    click.echo(printable_lines(text), err=err)


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


def limit_params() -> list[click.Parameter]:
    """--time, --wall-time and --memory."""
    return [
        click.Option(["--time", "cpu"], type=SECONDS, metavar="SECONDS", help="Limit on the CPU time of all its processes."),
        click.Option(["--wall-time", "wall"], type=SECONDS, metavar="SECONDS", help="Limit on elapsed time."),
        click.Option(["--memory"], type=Memory(), metavar="SIZE", help="Limit on the memory of all its processes, such as 2GiB."),
    ]


def limits_named(values: dict[str, Any]) -> Limits:
    """The limits that the user gave."""
    from cnfgen_puzzles.solving.process import Limits  # for commands that run something

    return Limits(cpu=values["cpu"], wall=values["wall"], memory=values["memory"])


ROOM = 24
"""Characters of the choices of an option that are listed where its value stands."""


class Declared(ValueParam):
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
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.option.choices if name.startswith(incomplete)]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.option.read(value)
        except InputError as error:
            if error.source is not None:  # a file that was named
                raise
            self.fail(error.message, param, ctx)


def click_option(option: Option, note: str = "") -> click.Option:
    """An option that a family or an encoding declares, as one of the command line."""
    kind = click.BOOL if option.type is bool else Declared(option)
    text = option.help[:1].upper() + option.help[1:]
    text += f": {', '.join(option.choices)}." if len("|".join(option.choices)) > ROOM else "."
    text += f" [{note}]" if note else ""
    names = [name.replace("_", "-") for name in (option.command, option.name) if name]
    flags = [f"--{name}/--no-{name}" if option.type is bool else f"--{name}" for name in names]
    return click.Option([*flags, option.name], type=kind, default=None, help=text)


def chosen(values: dict[str, Any], options: Iterable[Option]) -> dict[str, Any]:
    """The values that the user gave for these options: what was not given keeps its default."""
    return {option.name: values[option.name] for option in options if values.get(option.name) is not None}


@contextlib.contextmanager
def output_stream(path: str | None) -> Iterator[BinaryIO]:
    """A binary stream to write to: a file that appears whole or not at all, or standard output for None and `-`."""
    if path in (None, "-"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(Path(path)) as stream:
        yield stream


def check_writable(path: Path) -> None:
    """InputError if another program could not write this file; what is in it stays."""
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
