"""The command line of the soak test: events in parallel, a line of JSON for each, a table at the end.

    python scripts/check/soak.py --minutes 60 --seed 1 --log soak.jsonl
    python scripts/check/soak.py --seed 1 --event 17          # the same event again: its line has `seed` and `number`
    python scripts/check/soak.py --events 100 --solver ./mine # test another solver

The exit code is 1 if anything is wrong. Seed and number determine everything except the moment at which a fault strikes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

import psutil

from soak.event import planned, played
from soak.stage import kill
from soak.tally import Tally

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check" / "soak.py"
MOST_SECONDS = 900.0
"""The time limit of an event in seconds; each of its commands has separate limits."""
PROGRESS = 30.0
"""Seconds between lines of progress."""
SHOWN = 600


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="begin no event after so many (default 60, unless --events is given)")
    parser.add_argument("--events", type=int, help="so many events")
    parser.add_argument("--seed", type=int, default=1, help="what tells all events (default 1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first event (default 0)")
    parser.add_argument("--event", type=int, help="only the event of this number, its line of JSON on standard output")
    parser.add_argument("--jobs", type=int, default=1, help="events side by side (default 1)")
    parser.add_argument("--log", type=Path, help="append a line of JSON for each event to this file")
    parser.add_argument("--solver", action="append", default=[], metavar="PATH", help="take only this solver for honest")
    parser.add_argument("--keep", action="store_true", help="keep the folders of events in which something was wrong")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.event is not None:
        return one(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    soak = Soak(arguments)
    with contextlib.suppress(KeyboardInterrupt):
        soak.run()
    print(soak.tally.table())
    return 1 if soak.tally.problems or not soak.tally.events else 0


def one(arguments: argparse.Namespace) -> int:
    """One event in this process."""
    with contextlib.ExitStack() as stack:
        base = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cnfgen-soak-")))
        plan = planned(arguments.seed, arguments.event, arguments.solver)
        event = played(plan, base / str(arguments.event), arguments.solver)
    print(json.dumps(event), flush=True)
    return 1 if event["problems"] else 0


class Soak:
    """Events in separate processes, several in parallel; removes their remaining processes and files."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments, self.tally = arguments, Tally()
        self.began = self.told = time.monotonic()
        minutes = arguments.minutes if arguments.minutes is not None else 60 if arguments.events is None else float("inf")
        self.end = self.began + 60 * minutes
        self.next = arguments.first
        self.last = float("inf") if arguments.events is None else arguments.first + arguments.events
        self.running: dict[int, tuple[subprocess.Popen[str], float]] = {}

    def run(self) -> None:
        """All events; Ctrl-C ends those in flight."""
        with tempfile.TemporaryDirectory(prefix="cnfgen-soak-", ignore_cleanup_errors=True) as name, self.log() as log:
            self.folder = Path(name)
            try:
                while self.more() or self.running:
                    while self.more() and len(self.running) < self.arguments.jobs:
                        self.start()
                    self.collect(log)
                    time.sleep(0.02)
            finally:
                for process, _ in self.running.values():
                    end(process)

    def more(self) -> bool:
        return self.next < self.last and time.monotonic() < self.end

    def log(self) -> contextlib.AbstractContextManager[TextIO | None]:
        path = self.arguments.log
        return contextlib.nullcontext() if path is None else path.open("a", encoding="utf-8")

    def start(self) -> None:
        words = [sys.executable, str(SCRIPT), "--seed", str(self.arguments.seed), "--event", str(self.next)]
        words += ["--folder", str(self.folder), *(word for path in self.arguments.solver for word in ("--solver", path))]
        with (self.folder / f"{self.next}.json").open("w") as out, (self.folder / f"{self.next}.err").open("w") as err:
            process = subprocess.Popen(words, stdout=out, stderr=err, stdin=subprocess.DEVNULL, text=True)
        self.running[self.next] = process, time.monotonic()
        self.next += 1

    def collect(self, log: TextIO | None) -> None:
        """Count events that have ended, and end those that will not."""
        for number, (process, began) in list(self.running.items()):
            if process.poll() is None:
                if time.monotonic() - began > MOST_SECONDS:
                    end(process)
                continue
            del self.running[number]
            event = self.event_of(number, process.returncode)
            self.tally.add(event)
            if log is not None:
                log.write(json.dumps(event) + "\n")
                log.flush()
            for problem in event["problems"]:
                said = f"{event['seed']}/{number} {event['road']}, {event['fault']} {event['liar']}: {problem['kind']}:"
                print(f"{said} {problem['detail'][-SHOWN:]}", file=sys.stderr, flush=True)
            if not (self.arguments.keep and event["problems"]):
                shutil.rmtree(self.folder / str(number), ignore_errors=True)
            else:
                shutil.move(self.folder / str(number), tempfile.mkdtemp(prefix=f"cnfgen-soaked-{number}-"))
        if time.monotonic() - self.told > PROGRESS:
            self.told = time.monotonic()
            print(self.tally.line(self.told - self.began), file=sys.stderr, flush=True)

    def event_of(self, number: int, code: int) -> dict[str, Any]:
        """The report of the event's process; a missing report is an error of the soak test."""
        out, err = (self.folder / f"{number}{ending}" for ending in (".json", ".err"))
        try:
            event: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        except ValueError:
            plan = planned(self.arguments.seed, number, self.arguments.solver)
            detail = f"its process ended with {code}: {err.read_text(encoding='utf-8', errors='replace')[-2000:]}"
            event = {"seed": plan.seed, "number": number, "road": plan.road, "fault": plan.fault, "liar": plan.liar, "hit": "",
                     "commands": [], "verdicts": [], "problems": [{"kind": "soak", "detail": detail}]}  # fmt: skip
        finally:
            out.unlink()
            err.unlink()
        return event


def end(process: subprocess.Popen[str]) -> None:
    """Kill an event and all below it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        os.kill(process.pid, signal.SIGSTOP)  # so that it starts no more
        kill([child.pid for child in psutil.Process(process.pid).children(recursive=True)])
    process.kill()
    process.wait()
