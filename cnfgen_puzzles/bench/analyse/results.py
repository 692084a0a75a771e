"""Reading results: one or several `runs.jsonl`, the newest record of each run, filtered; and merging such files.

What older versions did not write is filled in, as the table of fields says (`bench/record.py`), so that readers may rely on it.
Not here: lines and what is kept of them (`bench/runs.py`), writing while a benchmark runs (`run/store.py`), scores (`scores.py`).
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
from pathlib import Path
from typing import Any, Generic, TypeVar

from cnfgen_puzzles.bench.analyse.scores import feature_names
from cnfgen_puzzles.bench.planfile import PlanFilter, SuitePlan, read_plans, same_file, write_plans
from cnfgen_puzzles.bench.record import FIELDS, Record
from cnfgen_puzzles.bench.run.store import RESULTS, sealed_record
from cnfgen_puzzles.bench.runs import SLIM, Row, Runs, Whole, digest, line_of, read_blocks, slim_record
from cnfgen_puzzles.bench.suite.features import with_features
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.showing import numbered
from cnfgen_puzzles.solving.answers import DECIDED

NONE = "none"
"""How a filter spells a run without encoding, scrambling or seed."""


Kept = TypeVar("Kept", bound=Sequence[Record])


@dataclass
class Results(Generic[Kept]):
    """What was read: the newest record of each run, and what the user should know about the files.

    `revoked` has the records of runs that were made again with the opposite verdict: they count in no score, and a
    disagreement of a solver with itself is one nevertheless.
    """

    records: Kept
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


def read_results(paths: Iterable[Path], filters: Iterable[str] = (), *, all_runs: bool = False) -> Results[list[Record]]:
    """The newest record of each run in these files and folders, whole; with `all_runs` also of those no longer asked for.

    Runs of equal key are one run if their suites have one name. Within a file the last record counts, among files the newest.
    """
    found = read_runs(paths, filters, all_runs=all_runs)
    return Results(list(whole_records(found.records)), found.notes, found.revoked)


def read_runs(
    paths: Iterable[Path], filters: Iterable[str] = (), features: Collection[str] = (), *, all_runs: bool = False
) -> Results[Runs]:
    """As `read_results`, with slim records (`bench.runs.Runs`): what scores, tables and plots look at, of any number of runs.

    `features` are CSV files with facts about instances; filters come after these, so that they may name them.
    """
    wanted, files = Filters(filters), result_files(paths)
    counting = [] if all_runs else [PlanFilter(path) for path in files]
    asked = [{suite: {digest(key) for key in keys} for suite, keys in counts.plans.items()} for counts in counting]
    rows: list[Row] = []
    found = Results(Runs(rows, files, places := array("q")))
    positions: dict[str, dict[bytes, int]] = {}
    known: tuple[dict[bytes, Record], dict[bytes, Record]] = {}, {}
    earlier, last = 0, 0
    seals = [Counter[str]() for _ in files]
    for file, block in read_blocks(files):
        earlier, last = (len(rows), file) if file != last else (earlier, last)
        for number, ((of_task, of_outcome, *own), run) in enumerate(zip(block.rows, block.digests, strict=True)):
            task = known[0].setdefault(of_task, block.tasks[of_task])
            outcome = known[1].setdefault(of_outcome, block.outcomes[of_outcome])
            row = (task, outcome, *own, len(places) // 3)
            places.extend((file, *block.places[number]))
            if counting and run not in asked[file].get(task["suite"], (run,)):
                counting[file].left_out.append(slim_record(row))
                continue
            position = positions.setdefault(task["suite"], {}).setdefault(run, len(rows))
            if position == len(rows):
                rows.append(row)
                continue
            old = rows[position]
            newer = replaces(slim_record(row), slim_record(old), position < earlier)
            if contradict(old[1], outcome):
                found.revoked.append(slim_record(old if newer else row))
            if newer:
                rows[position] = row
        if block.cut is not None:
            found.notes.append(cut_off(files[file], block.cut))
        seals[file].update(unsealed=block.unsealed, changed=block.changed)
    found.notes += seal_notes(files, seals)
    for counts in counting:
        found.notes += [*counts.notes, *counts.left_out_note()]
        found.revoked += counts.witnesses(found.records)
    if features:
        with_features(found.records.tasks(), features, found.notes)
        with_features(found.revoked, features, [], needed=False)
    found.records = wanted.select(found.records)
    found.revoked = [record for record in found.revoked if wanted.passes(record)]
    return found


def whole_records(records: Sequence[Record]) -> Sequence[Record]:
    """The records with all of their fields: slim ones are read again from their lines, one after another."""
    return Whole(records) if isinstance(records, Runs) else records


def cut_off(path: Path, start: int) -> str:
    return f"{path}:{line_of(path, start)}: the last line is cut off and left out (a run was in flight)"


def seal_notes(files: Sequence[Path], seals: Sequence[Mapping[str, int]]) -> Iterator[str]:
    """What is to be known of lines with a wrong seal, or without one, file by file."""
    told = {
        "changed": "left out, since changed after the run (wrong seals)",
        "unsealed": "without seals: of an earlier version, or edited",
    }
    for path, counts in zip(files, seals, strict=True):
        yield from (f"{path}: {numbered(counts[what], 'record')} {words}" for what, words in told.items() if counts[what])


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

    def select(self, records: Runs) -> Runs:
        """The runs that pass. InputError for a name that is no field and that no record has."""
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
    with atomic_file(target, parents=True) as stream, ExitStack() as opened:
        sources = [opened.enter_context(path.open("rb")) for path in files]
        for number, start, length in (*sorted(revoked), *sorted(kept)):
            sources[number].seek(start)
            stream.write(_moved(sources[number].read(length), files[number].parent, target.parent))
    if target.name == RESULTS:
        write_plans(target.parent, {name: SuitePlan(frozenset(keys)) for name, keys in asked.items()})
    return done


Place = tuple[int, int, int]
"""The number of a file, and start and length of a record's line in it."""


def _keepers(
    files: Sequence[Path], plans: Sequence[Mapping[str, SuitePlan]], asked: Mapping[str, set[str]], done: Merged
) -> tuple[list[Place], list[Place]]:
    """The newest record of each run, and those that they revoke.

    `done` learns what is told to the user, and `asked` the runs of files that have no plan of a suite of which others have one.
    """
    newest: dict[tuple[str, str], tuple[Place, Record]] = {}
    revoked: list[Place] = []
    seals = [Counter[str]() for _ in files]
    for number, block in read_blocks(files, keys=True):
        if block.cut is not None:
            done.notes.append(cut_off(files[number], block.cut))
        seals[number].update(unsealed=block.unsealed, changed=block.changed)
        for row, place, (key, *_) in zip(block.rows, block.places, block.keys, strict=True):
            new = (number, *place), slim_record((block.tasks[row[0]], block.outcomes[row[1]], *row[2:], 0))
            run = (new[1]["suite"], key)
            if run[0] in asked and run[0] not in plans[number]:
                asked[run[0]].add(key)
            old = newest.setdefault(run, new)
            if old is new:
                continue
            other_file = old[0][0] != number
            older, newer = (old, new) if replaces(new[1], old[1], other_file) else (new, old)
            if contradict(older[1], newer[1]):
                revoked.append(older[0])
            if other_file:
                done.repeated += 1
                if older[1]["status"] != newer[1]["status"]:
                    told = [
                        f"{record['status']} in {files[at[0]]} ({record['machine'].get('host', 'unknown machine')})"
                        for at, record in (newer, older)
                    ]
                    done.conflicts.append(f"{key}: kept {told[0]}, not {told[1]}")
            newest[run] = newer
    done.notes += seal_notes(files, seals)
    done.runs = len(newest)
    return [place for place, _ in newest.values()], revoked


def _moved(line: bytes, old: Path, new: Path) -> bytes:
    """The line for another folder, sealed: a CNF file that lies beside the old one is named as seen from there."""
    record = json.loads(line)
    sealed = record.pop("seal", None)
    name = record.get("cnf_file")
    if name and not os.path.isabs(name) and (old / name).exists() and old.resolve() != new.resolve():
        record["cnf_file"] = os.path.relpath((old / name).resolve(), new.resolve())
    elif sealed:
        return line.rstrip(b"\n") + b"\n"
    return sealed_record(record)
