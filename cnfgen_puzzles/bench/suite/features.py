"""Facts about instances from CSV files: expected verdicts and features (family, author, year, ...).

    features: facts.csv               # in a suite, or a list of such files
    bench-cnf scores FOLDER --features facts.csv --by author

A row has the instance in one of the columns `NAMES` (name, path, or file name) or `HASHES` (GBD hash or SHA-256 of a CNF file).
The columns of `TRUTHS` have the expected verdict; all others are features. A note lists rows about other instances; two rows that
contradict each other or the suite are an error.

This module also reads instances of the Global Benchmark Database (GBD): the output of `gbd get`, or a list of URLs, hashes, or
paths:

    gbd get "family = hardware-verification" -r filename family result -H -d , > query.csv
    - {gbd: query.csv, folder: /data/sat}          # in a suite

A file is found by path or name, by the hash in its name (`HASH-name.cnf.xz`, the names of downloads), or by its GBD hash, for
which all files of the folder are read. `result` is the expected verdict.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.tables import CsvTable, Row, Value, read_csv_table, read_lines
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import read_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

NAMES = ("instance", "path", "local", "file", "filename", "name", "benchmark")
HASHES = ("hash", "gbdhash", "gbd_hash", "sha256")
TRUTHS = ("expected", "result")
"""The columns of expected verdicts; GBD uses `result`."""
WORDS: Mapping[str, str | None] = {
    **dict.fromkeys(("sat", "satisfiable", "s satisfiable", "10"), SATISFIABLE),
    **dict.fromkeys(("unsat", "unsatisfiable", "s unsatisfiable", "20"), UNSATISFIABLE),
    **dict.fromkeys(("unknown", "?", "-", "empty", "0"), None),
}
GBD_HASH = re.compile(r"[0-9a-f]{32}")
SUFFIXES = (".gz", ".xz", ".bz2", ".cnf", ".dimacs")
SHOWN = 3


@dataclass
class Subject:
    """The subject of a row: a file, or a puzzle without a file, with all of its names."""

    name: str
    paths: Sequence[str] = ()
    expected: str | None = None
    hashes: Callable[[], Iterable[str]] = list
    """Its hashes, computed only if no name matches."""


@dataclass
class InstanceFacts:
    """The facts about a subject."""

    expected: str | None = None
    expected_by: str = ""
    """File and line."""
    features: dict[str, Value] = field(default_factory=dict)
    stated_by: dict[str, tuple[CsvTable, int]] = field(default_factory=dict)


def read_facts(
    paths: Iterable[str | os.PathLike[str]], subjects: Mapping[Any, Subject], notes: list[str]
) -> dict[Any, InstanceFacts]:
    """The facts of the files by subject."""
    found: dict[Any, InstanceFacts] = {}
    for path in paths:
        add_facts(found, read_csv_table(path), subjects, notes, "no instance here")
    return found


def add_facts(
    found: dict[Any, InstanceFacts], table: CsvTable, subjects: Mapping[Any, Subject], notes: list[str], what: str
) -> None:
    """Add the facts of a table to `found`; `what` describes rows without a subject in the note."""
    index = _Index(subjects)
    keys = [name for name in (*NAMES, *HASHES) if name in table.columns]
    if not keys:
        expected = f"expected one of {', '.join((*NAMES, *HASHES))}"
        raise table.error(f"found no column for instances ({', '.join(table.columns)}), {expected}", 1)
    strange, twice = [], []
    lines: dict[Any, Row] = {}
    for row in table.rows:
        key = index.find(table, row, keys)
        if key is None:
            strange.append(row)
        elif key in lines:
            _same(table, lines[key], row, subjects[key].name, keys)
            twice.append(row)
        else:
            lines[key] = row
            _add(found.setdefault(key, InstanceFacts()), table, row, subjects[key])
    for rows, why in ((strange, what), (twice, "an instance a second time, with equal values")):
        if rows:
            names = (next((row.values[k] for k in keys if k in row.values), "nothing") for row in rows[:SHOWN])
            which = ", ".join(f"line {row.line}: {name}" for row, name in zip(rows, names, strict=False))
            more = " ..." if len(rows) > SHOWN else ""
            notes.append(f"{table.source}: {len(rows)} of {len(table.rows)} rows name {why} ({which}{more})")


def _same(table: CsvTable, one: Row, other: Row, name: str, keys: Sequence[str]) -> None:
    for column in table.columns:
        values = one.values.get(column), other.values.get(column)
        if column not in keys and values[0] != values[1]:
            found = f"found {name} a second time, with {values[1]!r} as its {column}"
            raise table.error(f"{found}, expected {values[0]!r} as in line {one.line}", other.line)


def _add(facts: InstanceFacts, table: CsvTable, row: Row, subject: Subject) -> None:
    """Add the facts of a row; InputError if it contradicts another file or the suite."""
    for name, value in row.values.items():
        if name in facts.features and facts.features[name] != value:
            other, line = facts.stated_by[name]
            found = f"found {value!r} as the {name} of {subject.name}"
            raise table.error(f"{found}, expected {facts.features[name]!r} as in {other.source}:{line}", row.line)
        if name in TRUTHS:
            _expect(facts, table, row, name, subject)
        if name != TRUTHS[0] and name not in NAMES:
            facts.features[name], facts.stated_by[name] = value, (table, row.line)


def _expect(facts: InstanceFacts, table: CsvTable, row: Row, column: str, subject: Subject) -> None:
    text = str(row.values[column])
    if text.lower() not in WORDS:
        raise table.error(f"found {text!r} as {column!r} of {subject.name}, expected sat, unsat or unknown", row.line)
    expected = WORDS[text.lower()]
    known = facts.expected or subject.expected
    if expected is not None and known not in (None, expected):
        who = facts.expected_by or "the suite"
        raise table.error(
            f"found {text} for {subject.name}, which is {known.lower() if known else ''} according to {who}", row.line
        )
    if expected is not None and facts.expected is None:
        facts.expected, facts.expected_by = expected, f"{table.source}:{row.line}"


class _Index:
    """Subjects by name; a name, a path, a file name, and a file name without suffixes match in this order."""

    def __init__(self, subjects: Mapping[Any, Subject]):
        self._subjects = subjects
        self._names: dict[tuple[int, str], set[Any]] = {}
        for key, subject in subjects.items():
            names = [*subject.paths, subject.name]
            forms = [[subject.name], map(os.path.abspath, subject.paths), map(os.path.basename, names), map(stem, names)]
            for level, found in enumerate(forms):
                for name in found:
                    self._names.setdefault((level, name), set()).add(key)

    @functools.cached_property
    def _hashes(self) -> dict[str, set[Any]]:
        found: dict[str, set[Any]] = {}
        for key, subject in self._subjects.items():
            for each in subject.hashes():
                found.setdefault(each, set()).add(key)
        return found

    def find(self, table: CsvTable, row: Row, keys: Sequence[str]) -> Any:
        """The subject of a row or None; InputError if several match."""
        for column in keys:
            value = str(row.values.get(column, ""))
            path = os.path.abspath(Path(table.source).parent / os.path.expanduser(value))
            forms = enumerate((value, path, os.path.basename(value), stem(value)))
            if column in HASHES:
                found = self._hashes.get(value.lower(), set()) if value else set()
            else:
                found = next((self._names[form] for form in forms if value and form in self._names), set())
            if len(found) > 1:
                names = ", ".join(sorted(self._subjects[key].name for key in found)[:SHOWN])
                message = f"found {value!r}, which matches {len(found)} instances ({names}), expected the path of one"
                raise table.error(message, row.line)
            if found:
                return next(iter(found))
        return None


def stem(path: str) -> str:
    """A file name without the suffixes of CNF and packed files, and without the hash of GBD's `HASH-name.cnf.xz`.

    >>> stem("a/0123456789abcdef0123456789abcdef-x.y.cnf.xz"), stem("b/cat.nin")
    ('x.y', 'cat.nin')
    """
    name = os.path.basename(path)
    while os.path.splitext(name)[1].lower() in SUFFIXES:
        name = os.path.splitext(name)[0]
    return name[33:] if GBD_HASH.fullmatch(name[:32]) and name[32:33] == "-" else name


# -- records --------------------------------------------------------------------------------------------------------------


def with_features(
    records: Sequence[dict[str, Any]], paths: Iterable[str | os.PathLike[str]], notes: list[str], *, needed: bool = True
) -> None:
    """Add the facts of the files to records; InputError if they have none and `needed`."""
    subjects: dict[tuple[Any, ...], Subject] = {}
    for record in records:
        key = record["suite"], record["family"], record["instance"]
        if key not in subjects:
            cnf, features = record.get("cnf") or {}, record.get("features") or {}
            hashes = [str(text) for text in (cnf.get("gbd_hash"), features.get("hash"), cnf.get("sha256")) if text]
            name = record["instance"]
            subjects[key] = Subject(name, [name], record.get("expected"), functools.partial(list, hashes))
    paths = list(paths)
    facts = read_facts(paths, subjects, notes)
    if needed and paths and not facts:
        raise InputError("found no row about any of these instances", source=str(paths[0]))
    for record in records:
        if own := facts.get((record["suite"], record["family"], record["instance"])):
            record["features"] = {**(record.get("features") or {}), **own.features}
            if own.expected and not record.get("expected"):
                record |= {"expected": own.expected, "expected_by": own.expected_by}


HASH_INSIDE = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")


def hashes_of(path: Path, family: str = CNF) -> Iterator[str]:
    """The SHA-256 of a file; of a CNF file also the GBD hash, from its name or its clauses."""
    with contextlib.suppress(OSError):
        yield file_checksum(path)
    if family != CNF:
        return
    if named := HASH_INSIDE.search(path.name):
        yield named[0]
        return
    with contextlib.suppress(InputError, OSError):  # other files have none
        yield _hash_of(path, path.stat().st_mtime_ns)


def gbd_hash(path: Path) -> str | None:
    """The GBD hash of a CNF file, None for other files."""
    return next((each for each in hashes_of(path) if GBD_HASH.fullmatch(each)), None)


def file_checksum(path: Path) -> str:
    """The SHA-256 of a file, cached for each state of the file."""
    status = path.stat()
    return _file_checksum(path, status.st_mtime_ns, status.st_size, status.st_ino)


@lru_cache(maxsize=1 << 16)
def _file_checksum(path: Path, _modified: int, _size: int, _inode: int) -> str:
    return digest_of_file(path)


@lru_cache(maxsize=1 << 16)
def _hash_of(path: Path, _modified: int) -> str:
    return read_dimacs(open_source(path)).cnf.gbd_hash()


def read_query(path: Path, columns: Sequence[str] | None) -> CsvTable:
    """The output of a query, or a list of instances, as a table with a column `hash` or `path`."""
    lines = read_lines(path)
    if not lines:
        raise InputError(
            "found an empty file, expected the output of `gbd get`, or a list of URLs, hashes, or paths", source=str(path)
        )
    number, first = lines[0]
    if columns is None and not any(separator in first for separator in "\t;, ") and first not in ("hash", "path", "local"):
        return CsvTable(str(path), ("hash", "path"), tuple(_listed(number, text) for number, text in lines))
    start = re.split(r"[\t;, ]", first)[0]
    if columns is None and GBD_HASH.fullmatch(start):
        message = "expected a header line: use `gbd get ... -H`, or add `columns` to the entry of the suite"
        raise InputError(f"found {start!r} in the first line, {message}", source=str(path), line=number)
    return read_csv_table(path, columns)


def _listed(line: int, text: str) -> Row:
    """A line of a track: a URL with a hash, a hash, or a path."""
    named = HASH_INSIDE.search(text)
    values = {"hash": named[0]} if named else {}
    return Row(line, {**values, **({} if text == values.get("hash") or "://" in text else {"path": text})})


def find_instances(
    path: Path, columns: Sequence[str] | None, folder: Path, files: Sequence[str], notes: list[str], below: str = "."
) -> dict[str, InstanceFacts]:
    """The files of a folder that the query contains, in its order, with its facts; `below` names the folder in messages."""
    subjects = {
        name: Subject(name, [os.path.abspath(folder / name)], None, functools.partial(hashes_of, folder / name)) for name in files
    }
    found: dict[str, InstanceFacts] = {}
    add_facts(found, read_query(path, columns), subjects, notes, f"no file below {below}")
    if not found:
        raise InputError(f"found no file below {below} that a row contains", source=str(path))
    return found
