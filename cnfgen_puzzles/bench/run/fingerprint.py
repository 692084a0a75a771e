"""A checksum of the code that makes formulas: what it made is kept only as long as it would make the same again.

It covers the package's version, all of `common/` and `formula/`, what families share, the family's own files, and the module that
puts a puzzle and its formula together. A comment changed there makes formulas anew: that costs seconds, a stale one an error.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import cnfgen_puzzles
from cnfgen_puzzles.families import Family

PACKAGE = Path(cnfgen_puzzles.__file__).parent


def of_family(family: Family) -> str:
    """The fingerprint of all that reads and encodes puzzles of this family."""
    return _of(type(family))


@cache
def of_cnf() -> str:
    """The fingerprint of what reads, scrambles and writes CNF files."""
    return _checksum(_files("common", "formula"))


@cache
def _of(kind: type) -> str:
    own = Path(inspect.getfile(kind))
    files = sorted(own.parent.rglob("*.py")) if own.name == "__init__.py" else [own]
    shared = [*sorted((PACKAGE / "families").glob("*.py")), PACKAGE / "pipeline" / "instance.py"]
    return _checksum([*_files("common", "formula"), *shared, *files])


def _files(*rooms: str) -> list[Path]:
    return [path for room in rooms for path in sorted((PACKAGE / room).rglob("*.py"))]


def _checksum(files: Iterable[Path]) -> str:
    digest = hashlib.sha256(cnfgen_puzzles.__version__.encode())
    for path in files:
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
