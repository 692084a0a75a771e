"""Facts about instances from CSV files: expected verdicts and features (family, author, year, ...).

    features: facts.csv               # in a suite, or a list of such files
    bench-cnf scores FOLDER --features facts.csv --by author

A row has the instance in one of the columns `NAMES` (name, path, or file name) or `HASHES` (GBD hash or SHA-256 of a CNF file).
The columns of `TRUTHS` have the expected verdict; all others are features. A note lists rows about other instances; two rows that
contradict each other or the suite are an error.

A file is found by path or name, by the hash in its name (`HASH-name.cnf.xz`, as the Global Benchmark Database (GBD) names
downloads), or by its GBD hash, for which all files of the suite are read.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.tables import CsvTable, Row, Value, read_csv_table
from cnfgen_puzzles.common.sources import PACKED_SUFFIXES, open_source
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
SUFFIXES = (*PACKED_SUFFIXES, ".cnf", ".dimacs")
SHOWN = 3


@dataclass
class Subject:
    """The subject of rows: a file, or a puzzle without a file, with all of its names, and what the rows state about it."""

    name: str
    paths: Sequence[str] = ()
    known: str | None = None
    """The verdict that the suite or the record expects."""
    hashes: Callable[[], Iterable[str]] = tuple
    """Its hashes, computed only if no name matches."""
    expected: str | None = None
    expected_by: str = ""
    """File and line."""
    features: dict[str, Value] = field(default_factory=dict)
    stated_by: dict[str, str] = field(default_factory=dict)


class Index:
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

    def add(self, path: str | os.PathLike[str], notes: list[str]) -> list[Any]:
        """Add the facts of a CSV file to the subjects, and return those that it names; the notes get its other rows."""
        table = read_csv_table(path)
        keys = [name for name in (*NAMES, *HASHES) if name in table.columns]
        if not keys:
            expected = f"expected one of {', '.join((*NAMES, *HASHES))}"
            raise table.error(f"found no column for instances ({', '.join(table.columns)}), {expected}", 1)
        met: dict[Any, None] = {}
        strange, twice = [], []
        for row in table.rows:
            key = self._find(table, row, keys)
            if key is None:
                strange.append(row)
                continue
            if key in met:
                twice.append(row)
            met[key] = None
            _add(self._subjects[key], table, row)
        for rows, why in ((strange, "no instance here"), (twice, "an instance a second time, with equal values")):
            if rows:
                names = (next((row.values[k] for k in keys if k in row.values), "nothing") for row in rows[:SHOWN])
                which = ", ".join(f"line {row.line}: {name}" for row, name in zip(rows, names, strict=False))
                more = " ..." if len(rows) > SHOWN else ""
                notes.append(f"{table.source}: {len(rows)} of {len(table.rows)} rows name {why} ({which}{more})")
        return list(met)

    def _find(self, table: CsvTable, row: Row, keys: Sequence[str]) -> Any:
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


def _add(subject: Subject, table: CsvTable, row: Row) -> None:
    """Add the facts of a row; InputError if it contradicts another row or the suite."""
    here = f"{table.source}:{row.line}"
    for name, value in row.values.items():
        if subject.features.get(name, value) != value:
            found = f"found {value!r} as the {name} of {subject.name}"
            raise table.error(f"{found}, expected {subject.features[name]!r} as in {subject.stated_by[name]}", row.line)
        if name in TRUTHS:
            if str(value).lower() not in WORDS:
                raise table.error(f"found {value!r} as {name!r} of {subject.name}, expected sat, unsat or unknown", row.line)
            expected, known = WORDS[str(value).lower()], subject.expected or subject.known
            if expected and known and expected != known:
                by = subject.expected_by or "the suite"
                raise table.error(f"found {value} for {subject.name}, which is {known.lower()} according to {by}", row.line)
            if expected and subject.expected is None:
                subject.expected, subject.expected_by = expected, here
        if name != TRUTHS[0] and name not in NAMES:
            subject.features[name] = value
            subject.stated_by.setdefault(name, here)


def stem(path: str) -> str:
    """A file name without the suffixes of CNF and packed files, and without the hash of GBD's `HASH-name.cnf.xz`.

    >>> stem("a/0123456789abcdef0123456789abcdef-x.y.cnf.xz"), stem("b/cat.nin")
    ('x.y', 'cat.nin')
    """
    name = os.path.basename(path)
    while os.path.splitext(name)[1].lower() in SUFFIXES:
        name = os.path.splitext(name)[0]
    return name[33:] if GBD_HASH.fullmatch(name[:32]) and name[32:33] == "-" else name


HASH_INSIDE = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")


def hashes_of(path: Path, family: str = CNF, stated: Iterable[str] = ()) -> Iterator[str]:
    """The stated hashes and the SHA-256 of a file; of a CNF file also the GBD hash, from its name or its clauses."""
    yield from stated
    with contextlib.suppress(OSError):
        yield digest_of_file(path)
    if family != CNF:
        return
    if named := HASH_INSIDE.search(path.name):
        yield named[0]
        return
    with contextlib.suppress(InputError, OSError):  # other files have none
        yield read_dimacs(open_source(path)).cnf.gbd_hash()
