"""Windows of a known maze string: what is asked of each, and the records of what was found.

A `Task` is a window of a string and a way to decide it. Its record is a JSON object, a line of a file; the keys of tasks find
records again, whichever options decided them. Here are also the judge of every string that is found, and what records say
together: which tasks are done, whether the methods agree, and the table.

Not here: the methods (`scripts/maze_windows.py`).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tabulate import tabulate

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.model.puzzle import FREE, Mazes
from cnfgen_puzzles.ground.errors import CnfgenError
from cnfgen_puzzles.ground.jsonlines import read_jsonlines
from cnfgen_puzzles.pipeline.refine import ADDED_AT_ONCE

SHORTER, OTHERS, ONLY, REFUTED, OPEN = "shorter", "other fillings", "only itself", "refuted", "not decided"
LOOP, EXHAUSTIVE, CUBES = "loop", "exhaustive", "cubes"
SHOWN = 5  # fillings of one window in the report
METHODS = (LOOP, EXHAUSTIVE, CUBES)
ENCODING = "states"


@dataclass(frozen=True)
class Task:
    """One window of one string, and how to go about it."""

    string: str
    offset: int
    window: int
    replace: int
    kind: str
    size: str
    folder: Path
    method: str = LOOP
    encoding: str = ENCODING
    lemmas: int = 0
    solver: str | None = None
    add: int = ADDED_AT_ONCE
    choice: str | None = None
    seconds: float | None = None
    most: int | None = None
    certify: bool = False
    near: bool = False
    cubes: int = 1
    jobs: int = 1

    @property
    def pattern(self) -> str:
        """The string with free steps in the window."""
        return self.string[: self.offset] + FREE * self.replace + self.string[self.offset + self.window :]

    @property
    def key(self) -> str:
        """What a record is found by."""
        about = f"{self.kind} {self.size} {self.string} {self.offset} {self.window} {self.replace}"
        about += f" {self.method}" * (self.method != LOOP)
        return hashlib.sha256(about.encode()).hexdigest()[:16]

    @property
    def place(self) -> Path:
        """Where the mazes of this window are."""
        return self.folder / f"{self.offset:03}-{self.window}-{self.replace}-{self.method}-{self.key[:6]}"

    @property
    def wanted(self) -> int | None:
        """How many fillings are looked for; None for all."""
        return self.most if self.replace == self.window else 1

    def neighbours(self) -> list[Task]:
        """The other windows of the string, the nearest first."""
        offsets = [offset for offset in range(len(self.string) - self.window + 1) if offset != self.offset]
        return [
            dataclasses.replace(self, offset=offset) for offset in sorted(offsets, key=lambda offset: abs(offset - self.offset))
        ]


@cache
def mazes_of(kind: str, size: str, reduce: str = "article") -> Mazes:
    return find_family("maze").read(None, kind=kind, size=size, reduce=reduce, length=0).mazes


def verified(task: Task, string: str) -> str:
    """The string, if it fits and solves every maze of the grid with every start; not a reduction, not the encoding is asked."""
    fits = all(wanted in (FREE, letter) for wanted, letter in zip(task.pattern, string, strict=True))
    if not fits or not mazes_of(task.kind, task.size, "none").solves_all(string):
        raise CnfgenError(f"{string} fails: a reduction, the encoding or the search is at fault")
    return string


def verdict(task: Task, found: list[str], complete: bool) -> str:
    """What is true of the window."""
    if task.replace < task.window:
        return SHORTER if found else REFUTED if complete else OPEN
    if any(string != task.string for string in found):
        return OTHERS
    return OPEN if not complete else ONLY if found else REFUTED


def read_records(path: Path) -> dict[str, dict]:
    """The records by key."""
    return {record["key"]: record for record in read_jsonlines(path)}


def is_done(task: Task, records: dict[str, dict]) -> bool:
    """Whether the record says all that is asked for; one that ran out of time does not where more of it is given now."""
    record = records.get(task.key)
    if record is None:
        return False
    if record["limit"] is not None:
        return task.seconds is not None and task.seconds <= record["limit"]
    if task.wanted != 1 and not record["complete"]:  # a limit on time or on their number
        return task.most is not None and len(record["found"]) >= task.most
    return not task.certify or record["verdict"] != REFUTED or "proof" in record


def check_agreement(tasks: list[Task], records: dict[str, dict]) -> None:
    """An error if two methods say different things of one window."""
    for task in tasks:
        decided = [record for record in every_method(task, records) if record["verdict"] != OPEN]
        if len({record["verdict"] for record in decided}) > 1:
            told = ", ".join(f"{record['method']}: {record['verdict']}" for record in decided)
            raise CnfgenError(f"the methods do not agree on the window at {task.offset}: {told}")


def every_method(task: Task, records: dict[str, dict]) -> list[dict]:
    """The records of this window."""
    keys = [dataclasses.replace(task, method=method).key for method in METHODS]
    return [records[key] for key in keys if key in records]


def report(tasks: list[Task], records: dict[str, dict]) -> None:
    """The table, the fillings that were found, and the sums; records of the other method are shown beside."""
    rows, number, others = [], defaultdict(Counter), defaultdict(dict)
    for task in tasks:
        letters = task.string[task.offset : task.offset + task.window]
        for record in every_method(task, records):
            number[record["method"]][record["verdict"]] += 1
            proof = record.get("proof")
            told = "" if proof is None else "checked" if proof["verified"] else "NOT VERIFIED"
            shown = (record[name] for name in ("mazes", "tuples", "states", "rounds", "cubes", "seconds", "cpu"))
            rows.append((task.offset, letters, record["method"], record["verdict"], *shown, told))
            others[task.offset] |= dict.fromkeys(string for string in record["found"] if string != task.string)
    columns = [
        "offset",
        "letters",
        "method",
        "verdict",
        "mazes",
        "tuples",
        "states",
        "rounds",
        "cubes",
        "seconds",
        "cpu",
        "proof",
    ]
    print(tabulate(rows, headers=columns, intfmt=","))
    for offset, strings in others.items():
        for string in list(strings)[:SHOWN]:
            print(f"\noffset {offset}, {len(string)} letters: {string}", end="")
        if len(strings) > SHOWN:
            print(f"\noffset {offset}: {len(strings) - SHOWN} more, see the records", end="")
    print("\n")
    for method, counts in number.items():
        print(f"{method}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
