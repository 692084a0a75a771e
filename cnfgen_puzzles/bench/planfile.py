"""The plan of a result folder, `plan.json`: the keys of the runs of its suites, which decide which records count.

Records of solvers and instances that were removed from a suite stay in the result file; scores, plots, and reports ignore them by
default. Each call of `bench-cnf run` updates the plan.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.bench.record import Record, instance_of, is_claimed
from cnfgen_puzzles.bench.suite.plan import WORDS, Suite
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.readers.strictjson import parse_object
from cnfgen_puzzles.common.showing import numbered
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

PLAN = "plan.json"
FORMAT = 1


@dataclass(frozen=True)
class SuitePlan:
    """The keys of the runs of a suite, and its file, if it was read from one."""

    keys: frozenset[str]
    file: Path | None = None


def read_plans(folder: Path) -> dict[str, SuitePlan]:
    """The plans in a result folder by the names of their suites."""
    path = folder / PLAN
    if not path.is_file():
        return {}
    value = parse_object(open_source(path).data, "a plan", source=str(path))
    try:
        if value["plan"] != FORMAT:
            raise ValueError(f"version {value['plan']}")
        plans = {}
        for name, entry in value["suites"].items():
            keys, file = entry["keys"], entry.get("file") or ""
            if not isinstance(keys, list) or not all(isinstance(text, str) for text in (*keys, file)) or "\0" in file:
                raise ValueError("keys and names are text")
            plans[name] = SuitePlan(frozenset(keys), Path(file) if file else None)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = (
            f"found no plan of version {FORMAT} ({error}), expected a plan of bench-cnf; if you delete this file, all runs count"
        )
        raise InputError(message, source=str(path)) from None
    return plans


def write_plans(folder: Path, plans: Mapping[str, SuitePlan]) -> None:
    """Write the plan file of a folder, or delete it if there are no plans."""
    if not plans:
        (folder / PLAN).unlink(missing_ok=True)
        return
    suites = {name: {"file": str(plan.file) if plan.file else None, "keys": sorted(plan.keys)} for name, plan in plans.items()}
    with atomic_file(folder / PLAN, updates=True) as stream:
        stream.write(json.dumps({"plan": FORMAT, "suites": suites}, indent=0).encode() + b"\n")


def keep_plan(folder: Path, suite: Suite) -> dict[str, SuitePlan]:
    """Write the plan of this suite and keep those of other suites in the folder. Return all of them."""
    mine = SuitePlan(frozenset(task.key for task in suite.tasks), suite.file.absolute() if suite.file else None)
    plans = read_plans(folder)
    if plans.get(suite.name) != mine:
        plans[suite.name] = mine
        write_plans(folder, plans)
    return plans


def witnesses(left_out: Iterable[Record], records: Iterable[Record]) -> list[Record]:
    """The records outside the plans with a checked model that contradicts a record that counts: they raise an alarm, too."""
    denied = {instance_of(record) for record in records if record["status"] == UNSATISFIABLE}
    models = (record for record in left_out if record["status"] == SATISFIABLE and not is_claimed(record))
    return [record for record in models if instance_of(record) in denied]


def left_out_note(left_out: Sequence[Record]) -> list[str]:
    """A note on the records outside the plans, with their number by solver."""
    left = {(record["suite"], *(record[word] for word in WORDS)): record for record in left_out}
    if not left:
        return []
    solvers = Counter(record["solver"] for record in left.values())
    which = ", ".join(f"{solver} {count}" for solver, count in solvers.most_common())
    return [f"{numbered(len(left), 'run')} left out, which the suite does not contain ({which}); --all-runs counts them"]
