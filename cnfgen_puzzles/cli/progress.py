"""Progress on stderr: in a terminal, a changing line (`Ticker`) or a bar (`Progress`), which disappears at the end.

Without a terminal, `Progress` prints a line every few seconds, and `Ticker` prints nothing.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import sys
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import click

from cnfgen_puzzles.common.activity import activity, doing
from cnfgen_puzzles.common.errors import printable

PATIENCE = 2.0
"""Seconds before a ticker appears."""
TICK = 0.2
CLEAR = b"\r\x1b[K"


class Ticker:
    """A line with the activity of the thread that made it (`common/activity.py`), or the last `show`, and the elapsed seconds.

    It appears in a terminal after `PATIENCE` seconds, until the block ends. In a pipe, or with `quiet`, it prints nothing. Other
    output belongs in a block of `aside`, so that lines do not mix.
    """

    def __init__(self, *, quiet: bool = False):
        self._quiet = quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
        self._worker = threading.get_ident()
        self._line = ""
        self._shown = False
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._started = time.monotonic()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        if not self._quiet:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._quiet:
            self._over.set()
            self._thread.join()
            self._clear()

    def show(self, line: str) -> None:
        """Show this line, with the elapsed seconds, instead of the activity."""
        self._line = line

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Hide the line within the block, so that other text can be printed."""
        with self._lock:
            self._clear()
            yield

    def say(self, text: str) -> None:
        """Print a line on stderr now."""
        with self.aside():
            click.echo(printable(text), err=True)

    def _tick(self) -> None:
        while not self._over.wait(TICK if time.monotonic() - self._started >= PATIENCE else PATIENCE):
            now = activity(self._worker)
            line = f"{self._line}, {time.monotonic() - self._started:.0f} s" if self._line else str(now or "")
            if line:
                self._write(line)

    def _write(self, line: str) -> None:
        try:
            width = (os.get_terminal_size(2).columns or 80) - 1
        except OSError:
            width = 79
        text = printable(line)
        text = text if len(text) <= width else text[: max(width - 3, 0)] + "..."
        with self._lock, contextlib.suppress(OSError):
            os.write(2, CLEAR + text.encode(sys.stderr.encoding or "utf-8", "replace"))
            self._shown = True

    def _clear(self) -> None:
        with self._lock, contextlib.suppress(OSError):
            if self._shown:
                os.write(2, CLEAR)
            self._shown = False


@contextlib.contextmanager
def watch(what: str) -> Iterator[None]:
    """Show a ticker during the activity `what`."""
    with Ticker(), doing(what):
        yield


SAY_EVERY = 15.0
"""Seconds between two lines without a terminal."""


class Progress:
    """The number of finished units: a bar in a terminal, a line every few seconds in a log, nothing with `quiet`.

    The caller sets `done`; `before` units were finished at the beginning.
    """

    def __init__(self, total: int, unit: str, *, before: int = 0, quiet: bool = False):
        self.total, self.done, self.before = total, before, before
        self._quiet = quiet
        self._begun = self._told = time.monotonic()
        self._bar = None
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm  # takes 50 ms, which a pipe does not need

            self._bar = tqdm(total=total, initial=before, unit=unit, dynamic_ncols=True, smoothing=0.1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

    @property
    def spent(self) -> datetime.timedelta:
        """The elapsed time in whole seconds."""
        return datetime.timedelta(seconds=round(time.monotonic() - self._begun))

    @property
    def left(self) -> datetime.timedelta:
        """The remaining time, estimated from the elapsed time."""
        each = (time.monotonic() - self._begun) / max(self.done - self.before, 1)
        return datetime.timedelta(seconds=round(each * (self.total - self.done)))

    def say(self, text: str) -> None:
        """Print a line now."""
        if self._bar is not None:
            self._bar.write(printable(text), file=sys.stderr)
        else:
            click.echo(printable(text), err=True)

    def show(self, line: str, note: str = "") -> None:
        """Show the state: `line` in a log, the bar with a note in a terminal."""
        if self._bar is not None:
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(self.done - self._bar.n)
        elif not self._quiet and time.monotonic() - self._told >= SAY_EVERY:
            self._told = time.monotonic()
            self.say(line)
