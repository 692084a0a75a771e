"""Calls a command in this process, with separate standard streams: a new process takes half a second to load modules, and starts
another launcher for solvers.

Not suitable for tests of signals, limits, the environment, closed streams, or the start itself.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

from warmstart import NAMES

PLAIN = re.compile(rf"({'|'.join(NAMES)})( [^|&;<>$`*?~(){{}}\[\]!#\\\n]*)?")
"""A shell line that is one call of a command of this package and needs no shell."""
FOLDER = Path(sys.executable).parent


def call(
    name: str, words: list[str], text: bytes = b"", cwd: Any = None, env: Mapping[str, str] | None = None, merged: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """The result that `subprocess.run` gives for the installed command; `merged`: stderr is redirected to stdout."""
    with contextlib.ExitStack() as stack:
        given, out, err = (stack.enter_context(tempfile.TemporaryFile("w+b", 0)) for _ in range(3))
        given.write(text)
        given.seek(0)
        streams = {0: given, 1: out, 2: out if merged else err}
        with descriptors(streams), as_at_the_start([str(FOLDER / name), *words], cwd, env):
            code = exit_code(name.replace("-", "_"))
        said = []
        for file in (out, err):
            file.seek(0)
            said.append(file.read())
    return subprocess.CompletedProcess([name, *words], code, *said)


def call_text(words: list[Any], text: str | None = None, **how: Any) -> subprocess.CompletedProcess[str]:
    """The same result with texts instead of bytes."""
    name, *words = map(str, words)
    done = call(name, words, (text or "").encode(), **how)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def call_line(line: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """The same result for a PLAIN line."""
    return call_text(shlex.split(line), **how)


def exit_code(function: str) -> int:
    """The exit code of the command; its streams are flushed, as Python does at exit."""
    from cnfgen_puzzles.cli import process, start

    code: Any = 0
    with mock.patch.object(process, "interruptible", lambda wanted: None):  # the timer is that of pytest-timeout
        try:
            getattr(start, function)()
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            traceback.print_exc()
            code = 1
    if not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    sys.stderr.flush()
    return code


@contextlib.contextmanager
def descriptors(files: Mapping[int, Any]) -> Iterator[None]:
    """Replace the standard streams by these files, also for programs that are started."""
    before = {number: os.dup(number) for number in files}
    streams = sys.stdin, sys.stdout, sys.stderr
    for stream in streams[1:]:
        stream.flush()
    try:
        for number, file in files.items():
            os.dup2(file.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, "rww"[number], encoding="utf-8", closefd=False) for number in range(3)
        )
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        for number, copy in before.items():
            os.dup2(copy, number)
            os.close(copy)


@contextlib.contextmanager
def as_at_the_start(words: list[str], cwd: Any, env: Mapping[str, str] | None) -> Iterator[None]:
    """Restore arguments, working folder, environment, warnings and hooks at the end of the block."""
    here, hook = os.getcwd(), sys.unraisablehook
    with (
        mock.patch.object(sys, "argv", words),
        mock.patch.dict(os.environ, env or {}, clear=env is not None),
        warnings.catch_warnings(),
    ):
        warnings.resetwarnings()
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.showwarning = warnings._showwarning_orig  # type: ignore[attr-defined]  # not pytest's, which keeps them
        if cwd is not None:
            os.chdir(cwd)
        try:
            yield
        finally:
            os.chdir(here)
            sys.unraisablehook = hook
