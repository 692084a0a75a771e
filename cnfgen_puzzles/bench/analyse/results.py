"""Reading and merging of result files (`runs.jsonl`): the newest record of each run, with filters.

Missing fields of older versions get the defaults of the table of fields (`bench/record.py`). `bench/runs.py` reads lines,
the same module writes them, `scores.py` computes scores.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from cnfgen_puzzles.bench.analyse.alarms import alarms, judged
from cnfgen_puzzles.bench.analyse.rules import DEFAULT, Rules, without_other_limit
from cnfgen_puzzles.bench.planfile import SuitePlan, left_out_note, read_plans, witnesses, write_plans
from cnfgen_puzzles.bench.record import FIELDS, SCORED, Instance, Record, flat, instance_of
from cnfgen_puzzles.bench.runs import RESULTS, NewestRuns, newest_runs, record_shaper
from cnfgen_puzzles.bench.suite.features import Index, Subject
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.journal import sealed_line
from cnfgen_puzzles.common.showing import numbered

NONE = "none"
"""The word in a filter for a run without encoding, scrambling, or seed."""


@dataclass
class Results:
    """The newest record of each run, and notes about the files.

    `revoked` has earlier records of repeated runs with the opposite verdict: scores ignore them, alarms do not. `alarms` are of
    all runs, whatever the filters select.
    """

    records: list[Record]
    notes: list[str] = field(default_factory=list)
    revoked: list[Record] = field(default_factory=list)
    alarms: list[tuple[Instance, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """The keys of the runs that the suites contain, but that have no record."""
    rules: Rules = DEFAULT
    omitted: int = 0
    """The number of runs that the rule on the other limit omits."""

    def __repr__(self) -> str:
        solvers = sorted({str(record["solver"]) for record in self.records})
        return showing.in_brackets(type(self).__name__, numbered(len(self.records), "run"), ", ".join(solvers))


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
    return list({os.path.realpath(path): path for path in files}.values())


def read_results(
    paths: Iterable[Path],
    filters: Iterable[str] = (),
    features: Collection[str] = (),
    *,
    rules: Rules = DEFAULT,
    all_runs: bool = False,
    whole: bool = True,
) -> Results:
    """The newest record of each run in these files and folders; with `all_runs`, also of runs that the suite no longer has.

    Records with equal keys and suite names are of one run. Within a file, the last one counts; among files, the newest of each
    host. `features` are CSV files with facts about instances, which filters can name. `rules` decide whether a wrong answer
    disqualifies its solver, and which formulas are omitted. Unless `whole`, the records have the fields that scores, tables, and
    plots need, and those of the filters.
    """
    wanted, files = patterns_of(filters), result_files(paths)
    fields = {SHORT.get(name, name).partition(".")[0] for name, _ in wanted}
    plans = [{} if all_runs else plans_of(path) for path in files]
    left_out: list[Record] = []

    def counts(number: int, record: Record, key: str) -> bool:
        plan = plans[number].get(record["suite"])
        if plan is None or key in plan.keys:
            return True
        left_out.append(record)
        return False

    newest = newest_runs(files, record_shaper(None if whole else SCORED | fields), counts)
    records = [record for record, _ in newest.found.values()]
    found = Results(records, newest.notes + left_out_note(left_out), [record for _, (record, _) in newest.revoked], rules=rules)
    found.revoked += witnesses(left_out, records)
    made = {run[:2] for run in newest.found}
    planned = {(suite, key) for each in plans for suite, plan in each.items() for key in plan.keys}
    found.missing = [key for _, key in sorted(planned - made)]
    if features:
        add_features([*records, *found.revoked], features, found.notes)
    found.alarms = alarms([*records, *found.revoked])
    found.records = matching(judged(records, found.revoked, rules), wanted)
    if rules.other_limit == "omit":
        found.records, every = without_other_limit(found.records, rules), len(found.records)
        found.omitted = every - len(found.records)
        message = f"{numbered(found.omitted, 'run')} omitted: the limit on the other time ended a run on their formulas"
        found.notes += [message] if found.omitted else []
    return found


def plans_of(path: Path) -> dict[str, SuitePlan]:
    """The plans beside a result file; none for a file with another name."""
    return read_plans(path.parent) if path.name == RESULTS else {}


def add_features(records: Sequence[Record], paths: Collection[str], notes: list[str]) -> None:
    """Add the facts of CSV files to records; InputError if they have none."""
    subjects: dict[Instance, Subject] = {}
    for record in records:
        if (key := instance_of(record)) not in subjects:
            cnf, features = record.get("cnf") or {}, record.get("features") or {}
            hashes = [str(text) for text in (cnf.get("gbd_hash"), features.get("hash"), cnf.get("sha256")) if text]
            subjects[key] = Subject(record["instance"], [record["instance"]], record.get("expected"), hashes.copy)
    index, named = Index(subjects), set[Instance]()
    for path in paths:
        named.update(index.add(path, notes))
    if not named:
        raise InputError("found no row about any of these instances", source=next(iter(paths)))
    for record in records:
        facts = subjects[instance_of(record)]
        if instance_of(record) in named:
            record["features"] = {**(record.get("features") or {}), **facts.features}
        if facts.expected and not record.get("expected"):
            record |= {"expected": facts.expected, "expected_by": facts.expected_by}


# -- filters --------------------------------------------------------------------------------------------------------------

SHORT = {"host": "machine.host", "cpu_model": "machine.cpu"}
OF_INSTANCES = ("family", "size")
"""Fields that a feature of the same name precedes; for other fields, the feature is `features.NAME`."""


def patterns_of(filters: Iterable[str]) -> dict[tuple[str, bool], list[str]]:
    """The patterns of filters such as `family=nonogram`, `solver=kissat,glucose*`, `status!=TIMEOUT`, by name and negation.

    Filters with the same name form one list of patterns, one of which must match; filters with different names must all match.
    `cnf.variables` is a nested field, `none` matches null.
    """
    wanted: dict[tuple[str, bool], list[str]] = {}
    for text in filters:
        name, equals, values = text.partition("=")
        if not equals or not name.strip("!"):
            raise InputError(f"found the filter {text!r}, expected NAME=VALUE, such as family=nonogram or solver!=minisat*")
        patterns = [value.strip() for value in values.split(",")]
        wanted.setdefault((name.rstrip("!").strip(), name.endswith("!")), []).extend(patterns)
    return wanted


def matching(records: Sequence[Record], wanted: Mapping[tuple[str, bool], Sequence[str]]) -> list[Record]:
    """The runs that match these patterns. InputError for a name that is neither a field nor a feature."""
    if not wanted:
        return list(records)
    names = {*SHORT, *FIELDS} | {name for record in records for name in (*flat(record), *(record.get("features") or ()))}
    for name, _ in wanted:
        if records and name not in names:
            raise InputError(unknown_name("field of a filter", name, names))
    rows = ((record, flat(record)) for record in records)
    return [
        record
        for record, row in rows
        if all(
            any(fnmatchcase(text, pattern) for text in _texts(row, name) for pattern in patterns) != negated
            for (name, negated), patterns in wanted.items()
        )
    ]


def _texts(row: Record, name: str) -> list[str]:
    """The values of a name in a flat record: the field, and the feature with the same name."""
    feature = f"features.{name}"
    names = [SHORT.get(name, name)] if name in FIELDS or feature not in row else []
    names += [feature] if feature in row and (name not in FIELDS or name in OF_INSTANCES) else []
    values = [row.get(each) for each in names]
    return [NONE if value is None else str(value).lower() if isinstance(value, bool) else str(value) for value in values]


# -- merging --------------------------------------------------------------------------------------------------------------


def merge(paths: Sequence[Path], target: Path) -> NewestRuns:
    """Write one result file with the newest record of each run and host of several files.

    If several hosts made a run, each keeps its record, with the host in the key. Opposite verdicts of a run are both kept, the
    newest last, so that readers raise an alarm. Names of CNF files are rewritten relative to the new folder.
    """
    files = result_files(paths)
    plans = [plans_of(path) for path in files]
    keys: dict[str, set[str]] = {}
    for name, plan in (pair for each in plans for pair in each.items()):
        keys.setdefault(name, set()).update(plan.keys)

    def counts(number: int, record: Record, key: str) -> bool:
        """All runs count. Those of a file without a plan for a suite belong to the plan that another file has."""
        suite = record.get("suite", "")
        if suite in keys and suite not in plans[number]:
            keys[suite].add(key)
        return True

    newest = newest_runs(files, lambda record: record, counts)
    several, new = newest.of_several_hosts, target.parent.resolve()
    with atomic_file(target, parents=True) as stream:
        for (suite, key, host), (record, number) in (*newest.revoked, *newest.found.items()):
            file, old = record.get("cnf_file"), files[number].parent
            if file and not os.path.isabs(file) and (old / file).exists():
                record["cnf_file"] = os.path.relpath((old / file).resolve(), new)
            stream.write(sealed_line(record | {"key": f"{key}@{host}" if (suite, key) in several else record["key"]}))
    if target.name == RESULTS:
        write_plans(target.parent, {name: SuitePlan(frozenset(each)) for name, each in keys.items()})
    return newest
