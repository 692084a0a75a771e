"""How far the work is, on stderr: a line that changes in a terminal and is gone at the end (`Ticker`, and a bar for what is
counted, `Progress`). Off a terminal only `Progress` says something: a line now and then, for a log."""

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
"""Seconds before a ticker says something."""
TICK = 0.2
CLEAR = b"\r\x1b[K"


class Ticker:
    """What the thread that made it is doing (`common/activity.py`), or the line it was told last, and for how many seconds:
    below the cursor of a terminal from `PATIENCE` seconds on, until the block ends. In a pipe, or `quiet`, nothing.

    Whoever prints meanwhile does so in `aside`, so that no line is mixed with another.
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
        """What is told from now on, with the seconds since the beginning, instead of the activity."""
        self._line = line

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """In the block the line is gone, and something else may be printed."""
        with self._lock:
            self._clear()
            yield

    def say(self, text: str) -> None:
        """A line of its own, now, wherever stderr goes."""
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
    """A ticker while `what` is done."""
    with Ticker(), doing(what):
        yield


SAY_EVERY = 15.0
"""Seconds between two lines where nobody watches."""


class Progress:
    """How many of `total` units are done: a bar in a terminal, a line now and then in a log; a `quiet` one shows nothing.

    `done` is set by whoever counts, to more than it was at the beginning; `before` were done then.
    """

    def __init__(self, total: int, unit: str, *, before: int = 0, quiet: bool = False):
        self.total, self.done, self.before = total, before, before
        self._quiet = quiet
        self._begun = self._told = time.monotonic()
        self._bar = None
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm  # 50 ms that a pipe need not wait

            self._bar = tqdm(total=total, initial=before, unit=unit, dynamic_ncols=True, smoothing=0.1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

    @property
    def spent(self) -> datetime.timedelta:
        """The time since the beginning, in whole seconds."""
        return datetime.timedelta(seconds=round(time.monotonic() - self._begun))

    @property
    def left(self) -> datetime.timedelta:
        """The time that the rest will take if it goes on as it did."""
        each = (time.monotonic() - self._begun) / max(self.done - self.before, 1)
        return datetime.timedelta(seconds=round(each * (self.total - self.done)))

    def say(self, text: str) -> None:
        """A line of its own, now."""
        if self._bar is not None:
            self._bar.write(printable(text), file=sys.stderr)
        else:
            click.echo(printable(text), err=True)

    def show(self, line: str, note: str = "") -> None:
        """The state: `line` in a log; in a terminal the bar with a note."""
        if self._bar is not None:
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(self.done - self._bar.n)
        elif not self._quiet and time.monotonic() - self._told >= SAY_EVERY:
            self._told = time.monotonic()
            self.say(line)
