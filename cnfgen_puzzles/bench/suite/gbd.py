"""Instances that the Global Benchmark Database (GBD) names: what `gbd get` prints, and lists of URLs, hashes or paths (a track).

    gbd get "family = hardware-verification" -r filename family result -H -d , > query.csv
    - {gbd: query.csv, folder: /data/sat}          # in a suite

A file is found by its path or name, by the hash in its name (`HASH-name.cnf.xz`, as the database's site names downloads), and
where that does not help by its GBD hash, for which all files of the folder are read. Columns become features, `result` what is
expected.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from cnfgen_puzzles.bench.suite.features import GBD_HASH, Facts, Subject, facts_in
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.tables import CsvTable, Row, read_csv_table, read_lines
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import read_dimacs

HASH_INSIDE = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")


def hashes_of(path: Path, family: str = CNF) -> Iterator[str]:
    """The GBD hash of a CNF file, the one in its name or what its clauses say, and the SHA-256 of any file."""
    with contextlib.suppress(OSError):
        yield _sha256(path, path.stat().st_mtime_ns)
    if family != CNF:
        return
    if named := HASH_INSIDE.search(path.name):
        yield named[0]
        return
    with contextlib.suppress(InputError, OSError):  # what is no CNF file has none
        yield _hash_of(path, path.stat().st_mtime_ns)


def gbd_hash(path: Path) -> str | None:
    """The GBD hash of a CNF file, None for what is none."""
    return next((each for each in hashes_of(path) if GBD_HASH.fullmatch(each)), None)


@lru_cache(maxsize=1 << 16)
def _sha256(path: Path, _modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=1 << 16)
def _hash_of(path: Path, _modified: int) -> str:
    return read_dimacs(open_source(path)).cnf.gbd_hash()


def read_query(path: Path, columns: Sequence[str] | None) -> CsvTable:
    """What a query printed, or a list of instances, as a table with a column `hash` or `path`."""
    lines = read_lines(path)
    if not lines:
        raise InputError("found nothing, expected what `gbd get` prints, or a list of URLs, hashes or paths", source=str(path))
    number, first = lines[0]
    if columns is None and not any(separator in first for separator in "\t;, ") and first not in ("hash", "path", "local"):
        return CsvTable(str(path), ("hash", "path"), tuple(_listed(number, text) for number, text in lines))
    start = re.split(r"[\t;, ]", first)[0]
    if columns is None and GBD_HASH.fullmatch(start):
        told = "expected a line of headers: `gbd get ... -H` prints one, or name them by `columns` in the suite"
        raise InputError(f"found {start!r} in the first line, {told}", source=str(path), line=number)
    return read_csv_table(path, columns)


def _listed(line: int, text: str) -> Row:
    """A line of a track: an address with a hash in it, a hash, a path."""
    named = HASH_INSIDE.search(text)
    values = {"hash": named[0]} if named else {}
    return Row(line, {**values, **({} if text == values.get("hash") or "://" in text else {"path": text})})


def find_instances(
    path: Path, columns: Sequence[str] | None, folder: Path, files: Sequence[str], notes: list[str], below: str = "."
) -> dict[str, Facts]:
    """Which of these files of a folder the query means, in its order, and what it says about each; `below` is where they lie."""
    table = read_query(path, columns)
    subjects = {name: _subject(folder / name, name) for name in files}
    found = facts_in(table, subjects, notes, what=f"no file below {below}")
    if not found:
        raise InputError(f"found no file below {below} that a row names, expected some", source=str(path))
    return found


def _subject(path: Path, name: str) -> Subject:
    return Subject(name, [os.path.abspath(path)], None, lambda: hashes_of(path))
