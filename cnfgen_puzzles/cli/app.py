"""Runs a command: its exit code, its output on the terminal and in files."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from cnfgen_puzzles.cli import process
from cnfgen_puzzles.cli.errors import INTERRUPTED, describe_error
from cnfgen_puzzles.cli.progress import activity_line, aside
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable, printable_lines
from cnfgen_puzzles.common.files import atomic_file, check_output, guarded_inputs, special
from cnfgen_puzzles.common.samples import replace_samples
from cnfgen_puzzles.common.version import __version__


def run(command: click.Command) -> None:
    """Run a command and exit. An error is one line on stderr; a closed pipe and Ctrl-C print no traceback."""
    process.mend_streams()
    sys.unraisablehook = process.unraisable
    sys.exit(_exit_code(command, command.name or "cnfgen"))


def _exit_code(command: click.Command, name: str) -> int:
    try:
        try:
            process.interruptible(True)
            with guarded_inputs(), activity_line():
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
        os.write(2, f"{name}: not enough memory for this input\n".encode())  # `printable` needs more memory
        return CnfgenError.exit_code
    except (KeyboardInterrupt, click.Abort):
        _say(name, "interrupted")
        return INTERRUPTED


def _say(name: str, text: str) -> None:
    click.echo(f"{name}: {printable(text)}", err=True)


Declared = TypeVar("Declared", bound=Callable[..., Any] | click.Command)


def version_option(command: Declared) -> Declared:
    """Add `--version`. Each command needs a separate option, since click stores the name of the command in it."""
    return click.version_option(__version__, message="%(prog)s %(version)s (cnfgen-puzzles)")(command)


def say(text: str, *, err: bool = False) -> None:
    """Print one line. Control characters and line ends in it, from files or programs, are escaped."""
    say_lines(printable(text), err=err)


def warn_of_header(wrong: str, name: str) -> None:
    """Warn that a CNF file has a wrong header; nothing for an empty text."""
    if wrong:
        say(f"warning: {name}: {wrong}; the formula is that of the clauses in the file, which may be cut short", err=True)


def table_of(rows: Iterable[Sequence[Any]], headers: Sequence[str], **how: Any) -> str:
    """A table as text, with one line for each row."""
    from tabulate import tabulate

    shown = [[printable(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return str(tabulate(shown, headers=headers, **how))


def say_lines(text: str, *, err: bool = False) -> None:
    """Print several lines. The caller has made each of them `printable`."""
    with aside():
        click.echo(printable_lines(text), err=err)


@contextlib.contextmanager
def output_stream(path: str | None) -> Iterator[BinaryIO]:
    """A binary stream: standard output for None and `-`, else a file that is replaced as a whole when the block ends.

    InputError for a file that the command reads."""
    if path in (None, "-"):
        with aside():
            pass  # the next activity shows the line again
        with contextlib.suppress(io.UnsupportedOperation):  # a stream of a caller in the same process
            check_output(sys.stdout.fileno())
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(Path(path)) as stream:
        yield stream


CONTENTS = (
    ".bmp", ".eps", ".gif", ".html", ".jpeg", ".jpg", ".json", ".jsonl", ".parquet", ".pdf", ".png", ".ps", ".svg", ".svgz",
    ".tif", ".tiff", ".webp", ".zip",
)  # fmt: skip
"""Suffixes of files that determine the content."""


def check_suffix(path: str | None, written: str, fix: str) -> None:
    """InputError if the suffix of an output promises other content than what is `written` (a suffix); `fix` is advice."""
    suffix = Path(path).suffix.lower() if path not in (None, "-") else ""
    if suffix in CONTENTS and suffix != written:
        expected = f"a name such as x{written}" if written else "another suffix"
        raise InputError(
            f"found the suffix {suffix} for an output that is not {suffix[1:].upper()}, expected {expected}; {fix}", source=path
        )


def check_writable(path: Path) -> None:
    """InputError if this file cannot be written or is an input. The file does not change."""
    if not special(path):
        with contextlib.suppress(EOFError), atomic_file(path):
            raise EOFError


def write_text(path: str | None, text: str | bytes | Iterable[str]) -> None:
    """Write text or bytes to a file or standard output; several texts each as soon as it is ready."""
    with output_stream(path) as stream:
        for part in (text,) if isinstance(text, str | bytes) else text:
            stream.write(part if isinstance(part, bytes) else part.encode(errors="backslashreplace"))
            stream.flush()
