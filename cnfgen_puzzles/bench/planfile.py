"""The plan of a result folder, `plan.json`: the runs of its suites, which decide which records count.

Records of solvers and instances that were removed from a suite stay in the result file; scores, plots, and reports ignore them by
default. Each run of a suite updates the plan; if the file of the suite has changed since then, the file counts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.bench.record import Record, instance_of, is_claimed
from cnfgen_puzzles.bench.runs import RESULTS
from cnfgen_puzzles.bench.suite.plan import Suite
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.readers.strictjson import parse_object
from cnfgen_puzzles.common.showing import numbered
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

PLAN = "plan.json"
FORMAT = 1
WORDS = ("family", "instance", "encoding", "scramble", "solver", "seed", "repetition")
"""The names of the parts of a key (`Task.key`)."""


@dataclass(frozen=True)
class SuitePlan:
    """The keys of the runs of a suite; `file` is its file, `digest` the checksum of the file when it was read."""

    keys: frozenset[str]
    file: Path | None = None
    digest: str = ""


# -- the file -------------------------------------------------------------------------------------------------------------


def read_plans(folder: Path) -> dict[str, SuitePlan]:
    """The plans in a result folder by the names of their suites."""
    path = folder / PLAN
    if not path.is_file():
        return {}
    value = parse_object(open_source(path).data, "a plan", source=str(path))
    try:
        if value["plan"] != FORMAT:
            raise ValueError(f"version {value['plan']}")
        return {name: _plan(**entry) for name, entry in value["suites"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = (
            f"found no plan of version {FORMAT} ({error}), expected a plan of bench-cnf; if you delete this file, all runs count"
        )
        raise InputError(message, source=str(path)) from None


def _plan(keys: list[str], file: str | None = None, sha256: str = "") -> SuitePlan:
    if (
        not isinstance(keys, list)
        or not all(isinstance(text, str) for text in (*keys, file or "", sha256))
        or "\0" in (file or "")
    ):
        raise ValueError("keys and names are text")
    return SuitePlan(frozenset(keys), Path(file) if file else None, sha256)


def write_plans(folder: Path, plans: Mapping[str, SuitePlan]) -> None:
    """Write the plan file of a folder, or delete it if there are no plans."""
    if not plans:
        (folder / PLAN).unlink(missing_ok=True)
        return
    suites = {
        name: {"file": str(plan.file) if plan.file else None, "sha256": plan.digest, "keys": sorted(plan.keys)}
        for name, plan in plans.items()
    }
    with atomic_file(folder / PLAN, updates=True) as stream:
        stream.write(json.dumps({"plan": FORMAT, "suites": suites}, indent=0).encode() + b"\n")


def keep_plan(folder: Path, suite: Suite) -> dict[str, SuitePlan]:
    """Write the plan of this suite and keep those of other suites in the folder. Return all of them."""
    mine = SuitePlan(frozenset(task.key for task in suite.tasks), suite.file.absolute() if suite.file else None, suite.digest)
    plans = read_plans(folder)
    if plans.get(suite.name) != mine:
        plans[suite.name] = mine
        write_plans(folder, plans)
    return plans


# -- records that count ----------------------------------------------------------------------------------------------------------


class PlanFilter:
    """The records of a result file that count: those with a key in the plan of their suite, and those of suites without a plan.

    `notes` are about the plans.
    """

    def __init__(self, path: Path):
        self.notes: list[str] = []
        self.left_out: list[Record] = []
        """Records that are not in the plan of their suite; the reader of the file adds them."""
        plans = read_plans(path.parent) if path.name == RESULTS else {}
        self.plans = {name: self._current(name, plan) for name, plan in plans.items()}

    def _current(self, name: str, plan: SuitePlan) -> frozenset[str]:
        """The current runs of the suite."""
        try:
            if plan.file is None or digest_of_file(plan.file) == plan.digest:
                return plan.keys
        except OSError:  # moved, or on another machine
            return plan.keys
        from cnfgen_puzzles.bench.suite.reader import read_suite  # rarely needed, and it imports all families

        try:
            suite = read_suite(plan.file)
            if suite.name != name:
                raise InputError(f"found the suite {suite.name!r}, expected {name!r}", source=str(plan.file))
        except InputError as error:
            self.notes.append(f"the suite {name} cannot be read, so its earlier plan counts: {error}")
            return plan.keys
        return frozenset(task.key for task in suite.tasks)

    def counts(self, record: Record, key: str) -> bool:
        """Whether a record counts; otherwise it is kept in `left_out`."""
        if key in self.plans.get(record["suite"], (key,)):
            return True
        self.left_out.append(record)
        return False

    def witnesses(self, records: Iterable[Record]) -> list[Record]:
        """The ignored records with a checked model that contradicts a record that counts: they raise an alarm, too."""
        denied = {instance_of(record) for record in records if record["status"] == UNSATISFIABLE}
        models = (record for record in self.left_out if record["status"] == SATISFIABLE and not is_claimed(record))
        return [record for record in models if instance_of(record) in denied]

    def left_out_note(self) -> list[str]:
        """A note on the ignored records, with their number by solver."""
        left = {(record["suite"], *(record[word] for word in WORDS)): record for record in self.left_out}
        if not left:
            return []
        solvers = Counter(record["solver"] for record in left.values())
        which = ", ".join(f"{solver} {count}" for solver, count in solvers.most_common())
        return [f"{numbered(len(left), 'run')} left out, which the suite does not contain ({which}); --all-runs counts them"]
