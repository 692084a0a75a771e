"""The command line of the soak test: events one after another, a line of JSON for each on standard output, a table at the end.

    python scripts/check/soak.py --minutes 60 --seed 1 > soak.jsonl
    python scripts/check/soak.py --seed 1 --event 17          # the same event again: its line has `seed` and `number`
    python scripts/check/soak.py --events 100 --solver ./mine # test another solver

The exit code is 1 if anything is wrong. Seed and number determine everything except the moment at which a fault strikes. Soak
tests with different seeds can run in parallel.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from soak.event import planned, played
from soak.stage import kill
from soak.tally import Tally

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check" / "soak.py"
MOST_SECONDS = 900.0
"""The time limit of an event in seconds; each of its commands has separate limits."""
SHOWN = 600


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="begin no event after so many (default 60, unless --events is given)")
    parser.add_argument("--events", type=int, help="so many events")
    parser.add_argument("--seed", type=int, default=1, help="what tells all events (default 1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first event (default 0)")
    parser.add_argument("--event", type=int, help="only the event of this number, in this process")
    parser.add_argument("--solver", action="append", default=[], metavar="PATH", help="take only this solver for honest")
    parser.add_argument("--folder", type=Path, help="keep the files of the event of --event in this new folder")
    arguments = parser.parse_args(words)
    if arguments.event is not None:
        return one(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    minutes = arguments.minutes or (60 if arguments.events is None else float("inf"))
    last = float("inf") if arguments.events is None else arguments.first + arguments.events
    tally, end = Tally(), time.monotonic() + 60 * minutes
    with contextlib.suppress(KeyboardInterrupt):
        for number in itertools.count(arguments.first):
            if number >= last or time.monotonic() >= end:
                break
            event = in_own_process(number, arguments)
            tally.add(event)
            print(json.dumps(event), flush=True)
            for problem in event["problems"]:
                context = f"{event['seed']}/{number} {event['road']}, {event['fault']} {event['liar']}: {problem['kind']}:"
                print(f"{context} {problem['detail'][-SHOWN:]}", file=sys.stderr, flush=True)
    print(tally.table(), file=sys.stderr)
    return 1 if tally.problems or not tally.events else 0


def one(arguments: argparse.Namespace) -> int:
    """One event in this process."""
    with contextlib.ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cnfgen-soak-"))) / "event"
        event = played(planned(arguments.seed, arguments.event, arguments.solver), folder, arguments.solver)
    print(json.dumps(event), flush=True)
    return 1 if event["problems"] else 0


def in_own_process(number: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """The event's report; a missing report is an error of the soak test. Ctrl-C and the time limit end all of its processes."""
    words = [sys.executable, str(SCRIPT), "--seed", str(arguments.seed), "--event", str(number)]
    words += [word for path in arguments.solver for word in ("--solver", path)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(words, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        try:
            process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            if process.poll() is None:
                end(process)
        out.seek(0)
        err.seek(0)
        with contextlib.suppress(ValueError):
            report: dict[str, Any] = json.load(out)
            return report
        plan = planned(arguments.seed, number, arguments.solver)
        problem = {"kind": "soak", "detail": f"its process ended with {process.returncode}: {err.read()[-2000:]}"}
    return {"seed": plan.seed, "number": number, "road": plan.road, "fault": plan.fault, "liar": plan.liar, "hit": "",
            "commands": [], "verdicts": [], "problems": [problem]}  # fmt: skip


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill an event and all below it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        os.kill(process.pid, signal.SIGSTOP)  # so that it starts no more
        kill([child.pid for child in psutil.Process(process.pid).children(recursive=True)])
    process.kill()
    process.wait()
