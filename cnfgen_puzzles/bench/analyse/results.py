"""Reading and merging of result files (`runs.jsonl`): the newest record of each run, with filters.

Missing fields of older versions get the defaults of the table of fields (`bench/record.py`). `bench/runs.py` reads lines,
`run/store.py` writes them, `scores.py` computes scores.
"""

from __future__ import annotations

import json
import os
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

from cnfgen_puzzles.bench.analyse.alarms import alarms, judged
from cnfgen_puzzles.bench.analyse.scores import feature_names
from cnfgen_puzzles.bench.planfile import PlanFilter, SuitePlan, read_plans, same_file, write_plans
from cnfgen_puzzles.bench.record import FIELDS, Instance, Record, host_of
from cnfgen_puzzles.bench.run.store import RESULTS, sealed_record
from cnfgen_puzzles.bench.runs import (
    SLIM,
    Row,
    Runs,
    Whole,
    digest,
    key_on,
    line_of,
    plain_key,
    read_blocks,
    slim_record,
)
from cnfgen_puzzles.bench.suite.features import with_features
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.showing import numbered
from cnfgen_puzzles.solving.answers import DECIDED

NONE = "none"
"""The word in a filter for a run without encoding, scrambling, or seed."""


Kept = TypeVar("Kept", bound=Sequence[Record])


@dataclass
class Results(Generic[Kept]):
    """The newest record of each run, and notes about the files.

    `revoked` has earlier records of repeated runs with the opposite verdict: scores ignore them, alarms do not. `alarms` are of
    all runs, whatever the filters select.
    """

    records: Kept
    notes: list[str] = field(default_factory=list)
    revoked: list[Record] = field(default_factory=list)
    alarms: list[tuple[Instance, str]] = field(default_factory=list)

    def __repr__(self) -> str:
        solvers = sorted({str(record["solver"]) for record in self.records})
        return showing.in_brackets(type(self).__name__, showing.numbered(len(self.records), "run"), ", ".join(solvers))


def result_files(paths: Iterable[Path]) -> list[Path]:
    """The result files in these paths: files, result folders, and folders of result folders."""
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
        if os.path.lexists(path) and not os.path.isfile(path):  # reading from a pipe or a device might never end
            raise InputError("is not a regular file, expected a result file or folder", source=str(path))
    return list({os.path.realpath(path): path for path in files}.values())


def read_results(paths: Iterable[Path], filters: Iterable[str] = (), *, all_runs: bool = False) -> Results[list[Record]]:
    """The newest whole record of each run in these files and folders; with `all_runs`, also of runs that the suite no longer has.

    Records with equal keys and suite names are of one run. Within a file, the last one counts; among files, the newest of each
    host.
    """
    found = read_runs(paths, filters, all_runs=all_runs)
    return Results(list(whole_records(found.records)), found.notes, found.revoked, found.alarms)


def read_runs(
    paths: Iterable[Path], filters: Iterable[str] = (), features: Collection[str] = (), *, all_runs: bool = False
) -> Results[Runs]:
    """Like `read_results`, with slim records (`bench.runs.Runs`) for scores, tables, and plots of any number of runs.

    `features` are CSV files with facts about instances, which filters can name.
    """
    wanted, files = Filters(filters), result_files(paths)
    counting = [] if all_runs else [PlanFilter(path) for path in files]
    asked = [{suite: {digest(key) for key in keys} for suite, keys in counts.plans.items()} for counts in counting]
    newest: dict[tuple[str, bytes, str], Row] = {}
    found = Results(Runs([], files, places := array("q")))
    known: tuple[dict[bytes, Record], dict[bytes, Record]] = {}, {}
    seals = [Counter[str]() for _ in files]
    own: dict[tuple[str, bytes, str], Row] = {}

    def keep(kept: dict[tuple[str, bytes, str], Row], run: tuple[str, bytes, str], row: Row, other_file: bool) -> None:
        old = kept.setdefault(run, row)
        newer = old is row or replaces(slim_record(row), slim_record(old), other_file)
        if contradict(old[1], row[1]):
            found.revoked.append(slim_record(old if newer else row))
        kept[run] = row if newer else old

    for number, blocks in groupby(read_blocks(files), key=itemgetter(0)):
        own.clear()
        for _, block in blocks:
            for index, ((of_task, of_outcome, *values), run) in enumerate(zip(block.rows, block.digests, strict=True)):
                task = known[0].setdefault(of_task, block.tasks[of_task])
                outcome = known[1].setdefault(of_outcome, block.outcomes[of_outcome])
                row = (task, outcome, *values, len(places) // 3)
                places.extend((number, *block.places[index]))
                if counting and run not in asked[number].get(task["suite"], (run,)):
                    counting[number].left_out.append(slim_record(row))
                else:
                    keep(own, (task["suite"], run, block.hosts[index]), row, False)
            if block.cut is not None:
                found.notes.append(cut_off(files[number], block.cut))
            seals[number].update(unsealed=block.unsealed, changed=block.changed)
        for (suite, run, host), row in own.items() if len(files) > 1 else ():
            keep(newest, (suite, run, host or host_of(row[1])), row, True)
    found.records = Runs(list((newest or own).values()), files, places)
    found.notes += seal_notes(files, seals)
    for counts in counting:
        found.notes += [*counts.notes, *counts.left_out_note()]
        found.revoked += counts.witnesses(found.records)
    if features:
        with_features(found.records.tasks(), features, found.notes)
        with_features(found.revoked, features, [], needed=False)
    found.alarms = alarms(found.records, found.revoked)
    marked = judged(found.records, found.revoked)
    assert isinstance(marked, Runs)
    found.records = wanted.select(marked)
    return found


def whole_records(records: Sequence[Record]) -> Sequence[Record]:
    """The records with all fields: slim ones are read again from their lines."""
    return Whole(records) if isinstance(records, Runs) else records


def cut_off(path: Path, start: int) -> str:
    return f"{path}:{line_of(path, start)}: the last line is incomplete and left out (a run was in progress)"


def seal_notes(files: Sequence[Path], seals: Sequence[Mapping[str, int]]) -> Iterator[str]:
    """Notes on lines with a wrong seal or without one, by file."""
    told = {
        "changed": "left out because of wrong seals (changed after the run)",
        "unsealed": "without seals (of an earlier version, or edited)",
    }
    for path, counts in zip(files, seals, strict=True):
        yield from (f"{path}: {numbered(counts[what], 'record')} {words}" for what, words in told.items() if counts[what])


def contradict(one: Record, other: Record) -> bool:
    """Whether two runs have opposite verdicts."""
    return {one["status"], other["status"]} == set(DECIDED)


def replaces(record: Record, old: Record, other_file: bool) -> bool:
    """Whether a later record replaces an earlier one; within a file always, because a clock can be set back."""
    return record["date"] >= old["date"] if other_file else True


# -- filters --------------------------------------------------------------------------------------------------------------

SHORT = {"host": "machine.host", "cpu_model": "machine.cpu"}
OF_INSTANCES = ("family", "size")
"""Fields that a feature of the same name precedes; for other fields, the feature is `features.NAME`."""


class Filters:
    """Filters of the user: `family=nonogram`, `solver=kissat,glucose*`, `status!=TIMEOUT`.

    One of the patterns must match; filters with the same name form one list of patterns, filters with different names must all
    match. `cnf.variables` is a nested field, `none` matches null.
    """

    def __init__(self, texts: Iterable[str] = ()):
        self._wanted: dict[tuple[str, bool], list[str]] = {}
        for text in texts:
            name, equals, values = text.partition("=")
            if not equals or not name.strip("!"):
                raise InputError(f"found the filter {text!r}, expected NAME=VALUE, such as family=nonogram or solver!=minisat*")
            patterns = [value.strip() for value in values.split(",")]
            self._wanted.setdefault((name.rstrip("!").strip(), name.endswith("!")), []).extend(patterns)

    def select(self, records: Runs) -> Runs:
        """The runs that pass. InputError for a name that is neither a field nor a feature."""
        if not self._wanted:
            return records
        features = feature_names(records)
        of_slim = all(_path(name)[0] in SLIM or name in features for name, _ in self._wanted)
        looked: Sequence[Record] = records if of_slim else Whole(records)
        for name, _ in self._wanted:
            if records and name not in FIELDS and not any(_has(record, name) for record in looked):
                raise InputError(unknown_name("field of a filter", name, _names(looked)))
        return records.of([row for row, record in zip(records.rows, looked, strict=True) if self.passes(record)])

    def passes(self, record: Record) -> bool:
        """Whether a record passes all filters."""
        return all(
            any(fnmatchcase(text, pattern) for text in _texts(record, name) for pattern in patterns) != negated
            for (name, negated), patterns in self._wanted.items()
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
    """The values of a name: the field, and the feature with the same name."""
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
    """All names for filters of these records."""
    names = {*SHORT, *(name for name, field in FIELDS.items() if field.kind is not dict)}
    for record in records:
        names.update(record.get("features") or ())
        for name, value in record.items():
            names.update(f"{name}.{inner}" for inner in value) if isinstance(value, dict) else names.add(name)
    return names


# -- merging --------------------------------------------------------------------------------------------------------------


@dataclass
class Merged:
    """The result of a merge. `conflicts` has a sentence for each run with different outcomes in two files of one host.

    `on_several` counts the runs that several hosts made, each of which keeps its record.
    """

    runs: int = 0
    repeated: int = 0
    on_several: int = 0
    conflicts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def merge(paths: Sequence[Path], target: Path) -> Merged:
    """Write one result file with the newest record of each run and host of several files.

    If several hosts made a run, each keeps its record, with the host in the key. Opposite verdicts of a run are both kept, the
    newest last, so that readers raise an alarm. Names of CNF files are rewritten relative to the new folder.
    """
    files = result_files(paths)
    if any(same_file(target, path) for path in files):
        raise InputError("is one of the files to merge; choose another output", source=str(target))
    done = Merged()
    plans = [read_plans(path.parent) if path.name == RESULTS else {} for path in files]
    asked: dict[str, set[str]] = {name: set() for each in plans for name in each}
    for each in plans:
        for name, plan in each.items():
            asked[name] |= plan.keys
    kept, revoked = _keepers(files, plans, asked, done)
    with atomic_file(target, parents=True) as stream, ExitStack() as opened:
        sources = [opened.enter_context(path.open("rb")) for path in files]
        for (number, start, length), host in (*sorted(revoked), *sorted(kept)):
            sources[number].seek(start)
            stream.write(_moved(sources[number].read(length), files[number].parent, target.parent, host))
    if target.name == RESULTS:
        write_plans(target.parent, {name: SuitePlan(frozenset(keys)) for name, keys in asked.items()})
    return done


Line = tuple[int, int, int]
"""The number of a file, start and length of the line of a record."""
RunOn = tuple[str, str, str]
"""Suite, key, and host of a run."""
Place = tuple[Line, str]
"""The line of a record, and the host for its key, if others made the same run."""


def _keepers(
    files: Sequence[Path], plans: Sequence[Mapping[str, SuitePlan]], asked: Mapping[str, set[str]], done: Merged
) -> tuple[list[Place], list[Place]]:
    """The newest record of each run and host, and the earlier records with opposite verdicts.

    `done` gets notes and conflicts. `asked` gets the runs of files without a plan for a suite that has a plan in another file.
    """
    newest: dict[RunOn, tuple[Line, Record]] = {}
    own: dict[RunOn, tuple[Line, Record]] = {}
    revoked: list[tuple[Line, RunOn]] = []
    seals = [Counter[str]() for _ in files]

    def keep(kept: dict[RunOn, tuple[Line, Record]], run: RunOn, new: tuple[Line, Record], other_file: bool) -> None:
        old = kept.setdefault(run, new)
        if old is new:
            return
        older, newer = (old, new) if replaces(new[1], old[1], other_file) else (new, old)
        if contradict(older[1], newer[1]):
            revoked.append((older[0], (*run[:2], run[2] or host_of(older[1]))))
        if other_file:
            done.repeated += 1
            if older[1]["status"] != newer[1]["status"]:
                told = [f"{record['status']} in {files[at[0]]} ({host_of(record)})" for at, record in (newer, older)]
                done.conflicts.append(f"{run[1]}: kept {told[0]}, not {told[1]}")
        kept[run] = newer

    for number, blocks in groupby(read_blocks(files, keys=True), key=itemgetter(0)):
        own.clear()
        for _, block in blocks:
            if block.cut is not None:
                done.notes.append(cut_off(files[number], block.cut))
            seals[number].update(unsealed=block.unsealed, changed=block.changed)
            for row, bounds, (named, *_) in zip(block.rows, block.places, block.keys, strict=True):
                record = slim_record((block.tasks[row[0]], block.outcomes[row[1]], *row[2:], 0))
                suite, (key, host) = record["suite"], plain_key(named)
                if suite in asked and suite not in plans[number]:
                    asked[suite].add(key)
                keep(own, (suite, key, host), ((number, *bounds), record), False)
        for (suite, key, host), (at, record) in own.items():
            keep(newest, (suite, key, host or host_of(record)), (at, record), True)
    done.notes += seal_notes(files, seals)
    done.runs = len(newest)
    made = Counter((suite, key) for suite, key, _ in newest)
    done.on_several = sum(number > 1 for number in made.values())

    def place(at: Line, run: RunOn) -> Place:
        return at, run[2] if made[run[:2]] > 1 else ""

    return [place(at, run) for run, (at, _) in newest.items()], [place(*each) for each in revoked]


def _moved(line: bytes, old: Path, new: Path, host: str) -> bytes:
    """The sealed line for another folder, with the name of its CNF file relative to that folder, and with `host` in the key."""
    record = json.loads(line)
    sealed = record.pop("seal", None)
    if host:
        record["key"] = key_on(plain_key(record["key"])[0], host)
    name = record.get("cnf_file")
    if name and not os.path.isabs(name) and (old / name).exists() and old.resolve() != new.resolve():
        record["cnf_file"] = os.path.relpath((old / name).resolve(), new.resolve())
    elif sealed and not host:
        return line.rstrip(b"\n") + b"\n"
    return sealed_record(record)
