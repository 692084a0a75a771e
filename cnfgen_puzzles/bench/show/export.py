"""Results as CSV, Parquet, or JSON: one row per run, nested fields under names such as `cnf.variables`.

The export contains all fields of the newest record of each run; for scores, see `tables.py`. `write_gbd` writes one row per GBD
hash, which the Global Benchmark Database opens (`gbd get -d FILE ...`): a column for each feature, with a name of letters,
digits, and `_`, and a column for each solver with its CPU seconds, or with the status if it did not solve the instance.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, BinaryIO

from cnfgen_puzzles.bench.analyse.scores import MARK, SOLVER, Performance, disqualified, feature_names, grid, several_hosts
from cnfgen_puzzles.bench.record import FIELDS, Record, flat
from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

FORMULA = re.compile("(?![-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\\Z)[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")
"""The beginning of a cell that a spreadsheet would compute; a signed number is not one."""


def text_cell(value: Any) -> Any:
    """The value of a cell; a text that a spreadsheet would take for a formula gets an apostrophe.

    >>> text_cell("=1+1"), text_cell("-x"), text_cell("-5"), text_cell(-5)
    ("'=1+1", "'-x", '-5', -5)
    """
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def in_order(names: Iterable[str]) -> list[str]:
    """The names of columns in the order of the table of fields; unknown ones last."""
    places = {name: place for place, name in enumerate(FIELDS)}
    return sorted(names, key=lambda name: places.get(name.partition(".")[0], len(places)))


def write_json(records: Sequence[Record], stream: BinaryIO) -> None:
    """A list of nested objects."""
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    stream.write(f"[\n{lines}\n]\n".encode("utf-8", "backslashreplace"))


@contextlib.contextmanager
def csv_writer(stream: BinaryIO, ending: str) -> Iterator[Any]:
    """A writer of comma-separated values (RFC 4180) in UTF-8 to a stream that stays open."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        yield csv.writer(text, lineterminator=ending)
    finally:
        text.detach()


def write_csv(records: Sequence[Record], stream: BinaryIO) -> None:
    """Comma-separated values with a header. Null is an empty field."""
    names = in_order(dict.fromkeys(name for record in records for name in flat(record)))
    with csv_writer(stream, "\r\n") as rows:
        rows.writerow(map(text_cell, names))
        for record in records:
            row = flat(record)
            cells = [text_cell(row.get(name)) for name in names]
            rows.writerow([str(cell).lower() if cell is True or cell is False else cell for cell in cells])


def write_parquet(records: Sequence[Record], stream: BinaryIO) -> None:
    """A Parquet file with typed columns; a missing value is null. Integers and floats become floats, other mixtures text."""
    try:
        import polars
    except ImportError:
        raise InputError(f"Parquet needs the package polars: {install_extra('bench')}") from None
    rows = [{name: _unicode(value) for name, value in flat(record).items()} for record in records]
    table = polars.DataFrame(rows, infer_schema_length=None, strict=False)
    table.select(in_order(table.columns)).cast({polars.Null: polars.String}).write_parquet(stream)


def _unicode(value: Any) -> Any:
    """A file name in a text may be any bytes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


OWN = ("hash", "filename", "family", "result")
RESULTS = {SATISFIABLE: "sat", UNSATISFIABLE: "unsat"}


def write_gbd(records: Sequence[Record], stream: BinaryIO) -> None:
    """InputError if no record has a GBD hash, as in versions before 1.0."""
    known = _by_hash(records)
    if not known:
        raise InputError(
            "found no run with a GBD hash, expected results of version 1.0 or later; `bench-cnf SUITE --rerun all` repeats runs"
        )
    solvers = _gbd_names({solver for _, points in known.values() for point in points for solver in point}, OWN)
    features = _gbd_names(feature_names(records) - set(OWN), (*OWN, *solvers.values()))
    with csv_writer(stream, "\n") as rows:
        rows.writerow([*OWN, *features.values(), *solvers.values()])
        for name, (first, points) in known.items():
            facts = first.get("features") or {}
            best = [p for point in points for p in point.items()]
            verdicts = {RESULTS[p.status] for solver, p in best if p.solved and not solver.endswith(MARK)}
            result = verdicts.pop() if len(verdicts) == 1 else "unknown"
            outcomes = {solver: f"{p.seconds:g}" if p.solved else p.status.lower() for solver, p in best}
            own = [name, PurePath(first["instance"]).name, facts.get("family") or first["family"], result]
            cells = [*own, *(facts.get(each, "") for each in features), *(outcomes.get(each, "") for each in solvers)]
            rows.writerow([text_cell(printable(str(cell))).replace("'", "_") for cell in cells])  # GBD quotes them in SQL


def _by_hash(records: Sequence[Record]) -> dict[str, tuple[Record, list[dict[str, Performance]]]]:
    """The first run of each hash, with the performances at each of its points; names of disqualified solvers have a mark."""
    hashed = [record for record in records if (record.get("cnf") or {}).get("gbd_hash")]
    contestants = (*SOLVER, "host") if several_hosts(hashed) else SOLVER
    runs: dict[str, list[Record]] = {}
    for record in hashed:
        runs.setdefault(record["cnf"]["gbd_hash"], []).append(record)
    out = disqualified(hashed, contestants)

    def points(own: list[Record]) -> list[dict[str, Performance]]:
        return [{f"{n}{MARK}" if n in out else n: p for n, p in point.items()} for point in grid(own, contestants).values()]

    return {name: (own[0], points(own)) for name, own in runs.items()}


def _gbd_names(given: set[str], taken: Sequence[str]) -> dict[str, str]:
    """Each name as a valid and unique name for GBD."""
    found: dict[str, str] = {}
    for name in sorted(given):
        base = plain = re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_") or "x"
        base = plain = f"x_{plain}" if plain[0].isdigit() else plain
        number = 2
        while plain in (*taken, *found.values()):
            plain, number = f"{base}_{number}", number + 1
        found[name] = plain
    return found
