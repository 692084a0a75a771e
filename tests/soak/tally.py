"""The results of all events, by kind of fault, counted as events end, so that hours take no more memory than minutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tabulate import tabulate

VERDICTS = ("right", "told", "wrong")
PROBLEMS: Mapping[str, str] = {
    "wrong": "a false answer, given as the command's own",
    "traceback": "Python's traceback in what a command printed",
    "survivor": "a process that lived on after its command",
    "leftover": "a scratch folder or a partial file after the next run",
    "lost line": "a finished result that is gone, or a run that was never made",
    "exit code": "an exit code that does not fit what was said",
    "silent": "no answer though nothing stood in the way",
    "damage": "a file of the user's that was changed",
    "stuck": "a command that never ended",
    "escape": "a program's control characters, printed raw",
    "soak": "the event itself failed: a fault of the soak",
}


class Tally:
    """The numbers of events, commands, verdicts and problems by kind of fault."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.events = self.problems = 0

    def add(self, event: Mapping[str, Any]) -> None:
        """Count one event."""
        row = self.counts.setdefault(event["fault"], Counter())
        row["events"] += 1
        row["struck"] += bool(event["hit"])
        row["commands"] += len(event["commands"])
        row.update(event["verdicts"])
        row.update({problem["kind"] for problem in event["problems"]})
        self.events += 1
        self.problems += bool(event["problems"])

    def table(self) -> str:
        """Events and verdicts by kind of fault in Markdown; then the problems."""
        total = sum(self.counts.values(), Counter())
        columns = ("events", "struck", "commands", *VERDICTS, *(kind for kind in PROBLEMS if total[kind]))
        rows = [[fault, *(row[name] for name in columns)] for fault, row in [*sorted(self.counts.items()), ("all", total)]]
        lines = [tabulate(rows, headers=["fault", *columns], tablefmt="github"), ""]
        return "\n".join([*lines, *(f"{kind}: {total[kind]}, {meaning}" for kind, meaning in PROBLEMS.items())])
