"""How far the work is, on stderr: a bar or a line that changes in a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

import click

from cnfgen_puzzles.ground.printable import printable, printable_lines

SAY_EVERY = 10.0
"""Seconds between two lines where nobody watches."""


class Progress:
    """`bar` is what tqdm takes; a `quiet` one shows nothing."""

    def __init__(self, *, quiet: bool = False, every: float = SAY_EVERY, **bar: Any):
        self._quiet = quiet
        self._every = every
        self._told = time.monotonic()
        self._bar = None
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm  # 50 ms that a pipe need not wait

            self._bar = tqdm(**bar)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

    def say(self, text: str) -> None:
        """A line of its own, now."""
        if self._bar is not None:
            self._bar.write(printable_lines(text), file=sys.stderr)
        else:
            click.echo(printable_lines(text), err=True)

    def show(self, line: str, *, done: int | None = None, note: str = "") -> None:
        """The state: `line` in a log; in a terminal a bar at `done` with a note, or without `done` the line itself."""
        if self._bar is not None:
            if done is None:
                self._bar.set_description_str(printable(line))
            else:
                self._bar.set_postfix_str(note, refresh=False)
                self._bar.update(done - self._bar.n)
        elif not self._quiet and time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            self.say(line)
