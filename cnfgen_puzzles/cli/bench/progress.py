"""How far a benchmark is: a bar in a terminal, a line now and then in a log; failed runs are told at once."""

from __future__ import annotations

import datetime
import sys
import time
from pathlib import Path

import click
from tqdm import tqdm

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.solving.run import FAILED

SAY_EVERY = 15.0
"""Seconds between two lines where nobody watches."""


class Progress:
    """`total` runs, of which `done` were made before."""

    def __init__(self, total: int, done: int):
        self.total = total
        self.done = self._before = done
        self._failed = 0
        self._started = self._told = time.monotonic()
        live = sys.stderr.isatty()
        self._bar = tqdm(total=total, initial=done, unit="run", dynamic_ncols=True, smoothing=0.1) if live else None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def say(self, text: str) -> None:
        """A line of its own."""
        if self._bar is not None:
            self._bar.write(text, file=sys.stderr)
        else:
            click.echo(text, err=True)

    def add(self, record: Record) -> None:
        """One more run is made."""
        self.done += 1
        if record["status"] in FAILED:
            self._failed += 1
            place = " ".join(str(record[name]) for name in ("solver", "instance", "encoding") if record.get(name))
            output = f" (output: {record['kept']})" if record.get("kept") else ""
            self.say(f"{record['status']}: {place}: {record['reason']}{output}")
        if self._bar is not None:
            state = f"{record['solver']} {Path(record['instance']).name} {record['status'].lower()}"
            self._bar.set_postfix_str(state, refresh=False)
            self._bar.update()
        elif time.monotonic() - self._told >= SAY_EVERY:
            self._told = time.monotonic()
            self.say(self._line())

    def _line(self) -> str:
        spent = time.monotonic() - self._started
        left = spent / (self.done - self._before) * (self.total - self.done)
        failed = f", {self._failed} failed" if self._failed else ""
        return f"{self.done} of {self.total} runs{failed}, {told(spent)} spent, about {told(left)} left"


def told(seconds: float) -> str:
    """Hours, minutes and seconds."""
    return str(datetime.timedelta(seconds=round(seconds)))
