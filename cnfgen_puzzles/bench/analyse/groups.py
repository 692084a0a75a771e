"""What a run belongs to: its instance, its encoding, and the groups that tables show.

Not here: what is reckoned of groups (`scores.py`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.suggestions import unknown_name

AS_GIVEN = "as given"
"""Stands for the encoding of a CNF file."""

Instance = tuple[str, str, str]
"""Suite, family and name: equal names of two suites may be different puzzles."""
UNSAID = "unknown"
"""The group of instances of which a feature is not known."""


class ManyRuns(Sequence[Record]):
    """Runs that are too many to be gone through one by one (`columns.py`)."""

    @abstractmethod
    def tallied(self, *names: str) -> Iterable[tuple[Record, int]]:
        """The different values of these fields, as records in order of appearance, each with the number of its runs."""

    @abstractmethod
    def grouped(self, by: Sequence[str]) -> dict[tuple[str, ...], Sequence[Record]]:
        """As `grouped`."""

    @abstractmethod
    def alarming(self, others: Iterable[Record]) -> Sequence[Record]:
        """The runs of instances of which several verdicts were given or expected, and of those that the others are of."""

    @abstractmethod
    def refused(self) -> Sequence[Record]:
        """The runs that failed and have a proof."""

    @abstractmethod
    def having(self, name: str, values: Iterable[str]) -> Sequence[Record]:
        """The runs that have one of these texts in a field."""

    @abstractmethod
    def total(self, name: str) -> float:
        """The sum of a field of numbers."""

    @abstractmethod
    def span(self, name: str) -> tuple[str, str]:
        """The least and the greatest text of a field that is not empty; two empty ones if there is none."""


def tallied(records: Iterable[Record], *names: str) -> Iterable[tuple[Record, int]]:
    """Records that stand for all that are equal in these fields, each with how many they are."""
    return records.tallied(*names) if isinstance(records, ManyRuns) else ((record, 1) for record in records)


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
    if isinstance(records, ManyRuns):
        return records.grouped(by)
    records = list(records)
    told = [group_of(name, records) for name in by if name != "version"]
    groups: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        groups.setdefault(tuple(tell(record) for tell in told), []).append(record)
    return {values: groups[values] for values in sorted(groups)}
