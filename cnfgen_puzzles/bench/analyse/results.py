"""Reading results: one or several `runs.jsonl`, of any version, the newest record of each run, filtered; and merging such files.

What older versions did not write is filled in, as the table of fields says (`bench/record.py`), so that readers may rely on it.
Not here: writing while a benchmark runs (`run/store.py`), reckoning with the records (`scores.py`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from sys import intern
from typing import Any

from cnfgen_puzzles.bench.planfile import Counted, Plan, read_plans, same_file, write_plans
from cnfgen_puzzles.bench.record import FIELDS, Record, damage, defaults, evidence_of, needed_fields
from cnfgen_puzzles.bench.run.store import RESULTS
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.atomicfiles import atomic_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.jsonlines import is_cut_off, iterate_jsonlines
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.evidence.basis import evidence_json
from cnfgen_puzzles.solving.answers import DECIDED

NONE = "none"
"""How a filter spells a run without encoding, scrambling or seed."""


@dataclass
class Results:
    """What was read: the newest record of each run, and what the user should know about the files.

    `revoked` has the records of runs that were made again with the opposite verdict: they count in no score, and a
    disagreement of a solver with itself is one nevertheless.
    """

    records: Sequence[Record]
    notes: list[str] = field(default_factory=list)
    revoked: list[Record] = field(default_factory=list)

    def __repr__(self) -> str:
        solvers = sorted({str(record["solver"]) for record in self.records})
        return showing.in_brackets(type(self).__name__, showing.numbered(len(self.records), "run"), ", ".join(solvers))


def result_files(paths: Iterable[Path]) -> list[Path]:
    """The result files of files, of result folders, and of folders of those."""
    files: list[Path] = []
    for path in paths:
        if os.path.isdir(path):
            found = [path / RESULTS] if os.path.lexists(path / RESULTS) else sorted(path.glob(f"*/{RESULTS}"))
            if not found:
                raise InputError(f"found no {RESULTS} in this folder, expected the output of bench-cnf", source=str(path))
            files += found
        else:
            files.append(path)
    for path in files:
        if os.path.lexists(path) and not os.path.isfile(path):  # reading a pipe or a device might never end
            raise InputError("found something that is no file, expected a result file or folder", source=str(path))
    return list({os.path.realpath(path): path for path in files}.values())


def read_results(
    paths: Iterable[Path],
    fields: Collection[str] | None = None,
    filters: Iterable[str] | Filters = (),
    *,
    all_runs: bool = False,
) -> Results:
    """The newest record of each run in these files and folders; with `all_runs` also of those that no suite asks for any more.

    `fields` limits what is kept of each record beside what tells runs apart: `scored_fields()` for scores, None for all.
    Runs of equal key are one run if their suites have one name. Within a file the last record counts, among files the newest.
    """
    wanted = filters if isinstance(filters, Filters) else Filters(filters)
    fields = None if fields is None else {*fields, *(outer for _, outer in wanted.fields())}
    places: dict[tuple[str, str], int] = {}
    records: list[Record] = []
    found, shared = Results(records), _Shared()
    for number, path in enumerate(result_files(paths)):
        earlier = len(records) if number else 0
        counts = Counted(path) if not all_runs else None
        for _, record in read_file(path, found.notes, fields, shared):
            if counts is not None and not counts(record):
                continue
            run = (record["suite"], record["key"])
            place = places.setdefault(run, len(records))
            if place == len(records):
                records.append(record)
                continue
            old = records[place]
            if contradict(old, record):
                found.revoked.append(old if replaces(record, old, place < earlier) else record)
            if replaces(record, old, place < earlier):
                records[place] = record
        if counts is not None:
            found.notes += [*counts.notes, *counts.left_out()]
            found.revoked += counts.witnesses(records)
    found.records = wanted.select(records)
    found.revoked = wanted.select(found.revoked)
    return found


def read_file(
    path: Path, notes: list[str], fields: Collection[str] | None = None, shared: _Shared | None = None
) -> Iterator[tuple[bytes, Record]]:
    """Each line of a result file and its record; half a line at the end, left by a kill, is noted and left out."""
    shared = shared or _Shared()
    keep = None if fields is None else needed_fields() | set(fields)
    last, ended = 0, True
    for last, line, value in iterate_jsonlines(path):
        if problem := damage(value):
            raise InputError(problem, source=str(path), line=last)
        yield line, shared.lean(value, keep)
        ended = line.endswith(b"\n")
    if ended and is_cut_off(path):
        notes.append(cut_off(path, last + 1))


def cut_off(path: Path, line: int) -> str:
    return f"{path}:{line}: the last line is cut off and left out (a run was in flight)"


class _Shared:
    """Makes records small: absent fields filled in, equal texts and equal nested values stored once for all records."""

    def __init__(self) -> None:
        self._seen: dict[Any, Any] = {}
        self._defaults = defaults()

    def lean(self, value: Record, keep: Collection[str] | None) -> Record:
        record = dict(self._defaults)
        if keep is None or "evidence" in keep:
            record["evidence"] = self._once(evidence_json(evidence_of(value)))
        for name, part in value.items():
            if (keep is None or name in keep) and not (part is None and (name in self._defaults or name == "evidence")):
                record[intern(name)] = self._once(part)
        return record

    def _once(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._seen.setdefault(value, value) if len(value) < 200 else value
        if isinstance(value, dict):
            try:
                return self._seen.setdefault((dict, *value.items()), value)
            except TypeError:  # it holds lists or dictionaries
                return value
        return value


def lean_record(value: Record, missing: Record | None = None) -> Record:
    """A whole record with what it lacks filled in; `missing` is `defaults()`, for who makes many."""
    record = defaults() if missing is None else dict(missing)
    record["evidence"] = evidence_json(evidence_of(value))
    for name, part in value.items():
        if part is not None or name not in record:
            record[name] = part
    return record


def contradict(one: Record, other: Record) -> bool:
    """Whether one run says satisfiable and the other unsatisfiable."""
    return {one["status"], other["status"]} == set(DECIDED)


def replaces(record: Record, old: Record, other_file: bool) -> bool:
    """Whether a record that comes later counts instead; dates of one file may jump when a clock is set."""
    return record["date"] >= old["date"] if other_file else True


# -- filters --------------------------------------------------------------------------------------------------------------

SHORT = {"host": "machine.host", "cpu_model": "machine.cpu"}
OF_INSTANCES = ("family", "size")
"""Fields of which a feature of the same name says more; of all other fields it is named `features.NAME`."""


class Filters:
    """Filters as users write them: `family=nonogram`, `solver=kissat,glucose*`, `status!=TIMEOUT`.

    Values are patterns of which one must match; filters of one name add up to a longer list of values, filters of different
    names must all hold. `cnf.variables` names a nested field, `none` stands for what is null.
    """

    def __init__(self, texts: Iterable[str] = ()):
        self._wanted: dict[tuple[str, bool], list[str]] = {}
        for text in texts:
            name, equals, values = text.partition("=")
            if not equals or not name.strip("!"):
                raise InputError(f"found the filter {text!r}, expected NAME=VALUE, such as family=nonogram or solver!=minisat*")
            patterns = [value.strip() for value in values.split(",")]
            self._wanted.setdefault((name.rstrip("!").strip(), name.endswith("!")), []).extend(patterns)

    def select(self, records: Sequence[Record]) -> list[Record]:
        """The records that pass. InputError for a name that is no field and that no record has."""
        for name, _ in self._wanted:
            self.check(name, records)
        return [record for record in records if self.passes(record)]

    def fields(self) -> list[tuple[str, str]]:
        """The names that are filtered by, each with the field that it is of: `cnf.variables` of `cnf`."""
        return [(name, _path(name)[0]) for name in dict.fromkeys(name for name, _ in self._wanted)]

    def check(self, name: str, records: Sequence[Record]) -> None:
        """InputError for a name that is no field and that none of the records has."""
        if records and name not in FIELDS and not any(_has(record, name) for record in records):
            raise InputError(unknown_name("field of a filter", name, _names(records)))

    def passes(self, record: Record, only: str | None = None) -> bool:
        """Whether a record passes all filters, or those of one name."""
        return all(
            any(fnmatchcase(text, pattern) for text in _texts(record, name) for pattern in patterns) != negated
            for (name, negated), patterns in self._wanted.items()
            if only in (None, name)
        )


def _path(name: str) -> list[str]:
    return SHORT.get(name, name).split(".")


def _has(record: Record, name: str) -> bool:
    if name in (record.get("features") or ()):
        return True
    value: Any = record
    for part in _path(name):
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return True


def _texts(record: Record, name: str) -> list[str]:
    """What a name stands for: the family is the puzzle's, and what a feature says it is."""
    features = record.get("features") or {}
    if name not in features or (name in FIELDS and name not in OF_INSTANCES):
        return [_text(record, name)]
    return [str(features[name]), *([_text(record, name)] if name in FIELDS else [])]


def _text(record: Record, name: str) -> str:
    value: Any = record
    for part in _path(name):
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(value, bool):
        return str(value).lower()
    return NONE if value is None else str(value)


def _names(records: Iterable[Record]) -> set[str]:
    """All names that a filter of these records may have."""
    names = {*SHORT, *(name for name, field in FIELDS.items() if field.kind is not dict)}
    for record in records:
        names.update(record.get("features") or ())
        for name, value in record.items():
            names.update(f"{name}.{inner}" for inner in value) if isinstance(value, dict) else names.add(name)
    return names


# -- merging --------------------------------------------------------------------------------------------------------------


@dataclass
class Merged:
    """What came of a merge. `conflicts` are runs whose outcomes differ between files, one sentence each."""

    runs: int = 0
    repeated: int = 0
    conflicts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def merge(paths: Sequence[Path], target: Path) -> Merged:
    """Write one result file with each run of several: once where outcomes agree, and the newest of those that differ.

    A run with opposite verdicts stays with both, the newest last, so that whoever reads the file learns of it. Lines are read
    one at a time. Names of CNF files are rewritten so that they hold from the new folder.
    """
    files = result_files(paths)
    if any(same_file(target, path) for path in files):
        raise InputError("found the output among the files to merge, expected another file", source=str(target))
    done = Merged()
    plans = [read_plans(path.parent) if path.name == RESULTS else {} for path in files]
    asked: dict[str, set[str]] = {name: set() for each in plans for name in each}
    for each in plans:
        for name, plan in each.items():
            asked[name] |= plan.keys
    kept, revoked = _keepers(files, plans, asked, done)
    with atomic_file(target, parents=True) as stream:
        for wanted in (revoked, kept) if revoked else (kept,):
            for number, path in enumerate(files):
                for place, (line, record) in enumerate(read_file(path, [], {"cnf_file"})):
                    if (number, place) in wanted:
                        stream.write(_moved(line, record, path.parent, target.parent))
    if target.name == RESULTS:
        write_plans(target.parent, {name: Plan(frozenset(keys)) for name, keys in asked.items()})
    return done


Places = set[tuple[int, int]]
"""Records as numbers of file and record."""


def _keepers(
    files: Sequence[Path], plans: Sequence[Mapping[str, Plan]], asked: Mapping[str, set[str]], done: Merged
) -> tuple[Places, Places]:
    """The newest record of each run, and those that they revoke.

    `done` learns what is told to the user, and `asked` the runs of files that have no plan of a suite of which others have one.
    """
    newest: dict[tuple[str, str], tuple[int, int, Record]] = {}
    revoked: Places = set()
    for number, path in enumerate(files):
        for place, (_, record) in enumerate(read_file(path, done.notes, {"machine"})):
            run = (record["suite"], record["key"])
            if run[0] in asked and run[0] not in plans[number]:
                asked[run[0]].add(run[1])
            old = newest.get(run)
            if old is None:
                newest[run] = (number, place, record)
                continue
            older, newer = old, (number, place, record)
            if not replaces(record, old[2], old[0] != number):
                older, newer = newer, old
            if contradict(older[2], newer[2]):
                revoked.add(older[:2])
            if older[0] != newer[0]:
                done.repeated += 1
                if older[2]["status"] != newer[2]["status"]:
                    told = [
                        f"{r['status']} in {files[n]} ({r['machine'].get('host', 'unknown machine')})"
                        for n, _, r in (newer, older)
                    ]
                    done.conflicts.append(f"{record['key']}: kept {told[0]}, not {told[1]}")
            newest[run] = newer
    done.runs = len(newest)
    return {(number, place) for number, place, _ in newest.values()}, revoked


def _moved(line: bytes, record: Record, old: Path, new: Path) -> bytes:
    """The line for another folder: a CNF file that lies beside the old one is named as seen from there."""
    name = record.get("cnf_file")
    if name and not os.path.isabs(name) and (old / name).exists() and old.resolve() != new.resolve():
        value = json.loads(line)
        value["cnf_file"] = os.path.relpath((old / name).resolve(), new.resolve())
        line = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "backslashreplace")
    return line.rstrip(b"\n") + b"\n"
