"""Progress on stderr: in a terminal, a line with the current activity (`common/activity.py`), which disappears at the end.

`app.run` shows the line during a command. `Progress` counts finished units; without a terminal, it prints
a line every few seconds.
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

from cnfgen_puzzles.common.activity import activity, doing, update_activity
from cnfgen_puzzles.common.errors import printable

PATIENCE = 2.0
"""Seconds before the line appears."""
TICK = 0.2
CLEAR = b"\r\x1b[K"


class ActivityLine:
    """The line with the activity of the thread that made it and the elapsed seconds. Output hides it (`aside`)."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.worker = threading.get_ident()
        self._shown = False
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._tick, daemon=True)

    def _tick(self) -> None:
        wait = PATIENCE
        while not self.over.wait(wait):
            wait = TICK
            with self.lock:  # the activity cannot end before the line is written
                if (now := activity(self.worker)) is not None:
                    self._write(printable(str(now)))
                else:
                    self.clear()

    def _write(self, text: str) -> None:
        try:
            width = (os.get_terminal_size(2).columns or 80) - 1
        except OSError:
            width = 79
        text = text if len(text) <= width else text[: max(width - 3, 0)] + "..."
        with contextlib.suppress(OSError):
            os.write(2, CLEAR + text.encode(sys.stderr.encoding or "utf-8", "replace"))
            self._shown = True

    def clear(self) -> None:
        """Hide the line, until the next tick."""
        with self.lock, contextlib.suppress(OSError):
            if self._shown:
                os.write(2, CLEAR)
            self._shown = False


_lines: list[ActivityLine] = []
"""The line of this process, if it has one."""


@contextlib.contextmanager
def activity_line() -> Iterator[None]:
    """Show the activities of this thread in the block, if standard error is a terminal."""
    if _lines or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    _lines.append(line := ActivityLine())
    try:
        line.thread.start()
        yield
    finally:
        line.over.set()
        line.thread.join()
        line.clear()
        _lines.clear()


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Hide the line within the block, so that other text can be printed."""
    if not _lines:
        yield
        return
    with _lines[0].lock:
        _lines[0].clear()
        yield


SAY_EVERY = 15.0
"""Seconds between two lines without a terminal."""


class Progress:
    """An activity with a number of finished units; nothing is shown with `quiet`.

    The caller sets `done`; `before` units were finished at the beginning.
    """

    def __init__(self, total: int, unit: str, *, before: int = 0, quiet: bool = False):
        self.total, self.done, self.before = total, before, before
        self._quiet = quiet
        self._begun = self._printed = time.monotonic()
        self._doing = doing(f"{total} {unit}s")

    def __enter__(self) -> Self:
        self._doing.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._doing.__exit__(None, None, None)

    @property
    def spent(self) -> datetime.timedelta:
        """The elapsed time in whole seconds."""
        return datetime.timedelta(seconds=round(time.monotonic() - self._begun))

    @property
    def left(self) -> datetime.timedelta:
        """The remaining time, estimated from the elapsed time."""
        each = (time.monotonic() - self._begun) / max(self.done - self.before, 1)
        return datetime.timedelta(seconds=round(each * (self.total - self.done)))

    def show(self, line: str, note: str = "") -> None:
        """Show the state: with a note in a terminal, and as a line every few seconds in a log."""
        if self._quiet:
            return
        update_activity(f"{line}, {note}" if note else line)
        if not _lines and time.monotonic() - self._printed >= SAY_EVERY:
            self._printed = time.monotonic()
            with aside():
                click.echo(printable(line), err=True)
