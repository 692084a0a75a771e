"""What a run belongs to: its instance, its encoding, and the groups that tables show.

Not here: what is reckoned of groups (`scores.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.runs import Runs, tallied
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.suggestions import unknown_name

AS_GIVEN = "as given"
"""Stands for the encoding of a CNF file."""

Instance = tuple[str, str, str]
"""Suite, family and name: equal names of two suites may be different puzzles."""
UNSAID = "unknown"
"""The group of instances of which a feature is not known."""


def instance_of(record: Record) -> Instance:
    return record.get("suite") or "", record["family"], record["instance"]


def encoding_of(record: Record) -> str:
    return record.get("encoding") or AS_GIVEN


def size_class(record: Record) -> str:
    """The decade of an instance's size by the measure that its family puts first: `cells 100-999`."""
    size = record.get("size") or {}
    if record["family"] == CNF or not size:
        size = {"clauses": (record.get("cnf") or {}).get("clauses")}
    name, value = next(iter(size.items()))
    if not isinstance(value, (int, float)) or value < 1:
        return f"{name} unknown" if value is None else f"{name} 0"
    digits = len(str(int(value)))
    return f"{name} {10 ** (digits - 1)}-{10**digits - 1}"


GROUPS: Mapping[str, Callable[[Record], str]] = {
    "family": itemgetter("family"),
    "encoding": encoding_of,
    "size": size_class,
    "suite": lambda record: record.get("suite") or "",
    "instance": itemgetter("instance"),
    "host": lambda record: (record.get("machine") or {}).get("host", "unknown"),
}
DEFAULT_GROUPS = ("family", "encoding")
FEATURES = "features."
"""Before the name of a feature that a group has, too: the puzzle's family and the benchmark's are two things."""


def group_of(name: str, records: Iterable[Record]) -> Callable[[Record], str]:
    """The function that tells a record's group by this name: one of `GROUPS`, or a feature that some record has."""
    if name in GROUPS:
        return GROUPS[name]
    feature = name.removeprefix(FEATURES)
    known = feature_names(records)
    if feature not in known:
        raise InputError(unknown_name("group", name, (*GROUPS, "version", *known)))
    return lambda record: str((record.get("features") or {}).get(feature, UNSAID))


def feature_names(records: Iterable[Record]) -> set[str]:
    return {name for record, _ in tallied(records, "features") for name in record.get("features") or ()}


def named_groups(names: Iterable[str], records: Iterable[Record]) -> list[str]:
    """Groups as a user means them: what is a feature of these instances is meant by its name, whatever else has that name."""
    known = feature_names(records)
    return [f"{FEATURES}{name}" if name in known else name for name in names]


def grouped(records: Iterable[Record], by: Sequence[str]) -> dict[tuple[str, ...], Sequence[Record]]:
    """Records by what `by` names, in the order of these values; `version` splits solvers, not groups."""
    records = kept(records)
    of_group = [group_of(name, records) for name in by if name != "version"]
    groups: dict[tuple[str, ...], list[Any]] = {}
    for record, row in zip(records, records.rows if isinstance(records, Runs) else records, strict=True):
        groups.setdefault(tuple(name(record) for name in of_group), []).append(row)
    return {values: records.of(groups[values]) if isinstance(records, Runs) else groups[values] for values in sorted(groups)}


def kept(records: Iterable[Record]) -> Sequence[Record]:
    """Records that can be gone through several times."""
    return records if isinstance(records, Sequence) else list(records)
