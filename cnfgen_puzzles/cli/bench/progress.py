"""How far a benchmark is: a bar in a terminal, a line now and then in a log; failed runs are told at once."""

from __future__ import annotations

import datetime
import time
from pathlib import Path

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.cli.progress import Progress
from cnfgen_puzzles.solving.run import FAILED

SAY_EVERY = 15.0
"""Seconds between two lines where nobody watches."""


class SuiteProgress(Progress):
    """`total` runs, of which `done` were made before."""

    def __init__(self, total: int, done: int):
        self.total = total
        self.done = self._before = done
        self._failed = 0
        self._started = time.monotonic()
        super().__init__(every=SAY_EVERY, total=total, initial=done, unit="run", dynamic_ncols=True, smoothing=0.1)

    def add(self, record: Record) -> None:
        """One more run is made."""
        self.done += 1
        if record["status"] in FAILED:
            self._failed += 1
            place = " ".join(str(record[name]) for name in ("solver", "instance", "encoding") if record.get(name))
            output = f" (output: {record['kept']})" if record.get("kept") else ""
            self.say(f"{record['status']}: {place}: {record['reason']}{output}")
        state = f"{record['solver']} {Path(record['instance']).name} {record['status'].lower()}"
        self.show(self._line(), done=self.done, note=state)

    def _line(self) -> str:
        spent = time.monotonic() - self._started
        left = spent / (self.done - self._before) * (self.total - self.done)
        failed = f", {self._failed} failed" if self._failed else ""
        return f"{self.done} of {self.total} runs{failed}, {told(spent)} spent, about {told(left)} left"


def told(seconds: float) -> str:
    """Hours, minutes and seconds."""
    return str(datetime.timedelta(seconds=round(seconds)))
