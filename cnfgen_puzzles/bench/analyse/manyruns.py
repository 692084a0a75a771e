"""Results of any size: as records where they are few, as columns where they are many.

Whoever takes a sequence of records takes either. Columns have the fields that scores, plots and the report's head look at
(`blocks.column_fields`); `whole_records` has all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from cnfgen_puzzles.bench.analyse.columnreader import joined, read_columns, select
from cnfgen_puzzles.bench.analyse.columns import Columns, Whole
from cnfgen_puzzles.bench.analyse.columnscores import ScoredColumns
from cnfgen_puzzles.bench.analyse.results import Filters, Results, read_results, result_files
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.store import LARGE
from cnfgen_puzzles.bench.suite.features import with_features


def read_runs(
    paths: Iterable[Path],
    fields: Collection[str] | None = None,
    filters: Iterable[str] | Filters = (),
    features: Collection[str] = (),
    *,
    all_runs: bool = False,
    many: int = LARGE,
) -> Results:
    """As `read_results`, records or columns by the size of the files.

    `fields` says what records have, where records are read. Without polars all are records. `features` are CSV files with facts
    about instances; filters come after these, so that they may name them.
    """
    files = result_files(paths)
    wanted = filters if isinstance(filters, Filters) else Filters(filters)
    if features:
        fields = None if fields is None else {*fields, *(outer for _, outer in wanted.fields())}
        return _with_facts(read_runs(files, fields, all_runs=all_runs, many=many), features, wanted)
    size = sum(path.stat().st_size for path in files if path.exists())
    if size <= many:
        return read_results(files, fields, wanted, all_runs=all_runs)
    missing = [name for name in ("polars", "numpy") if find_spec(name) is None]
    if not missing:
        try:
            return read_columns(files, wanted, all_runs=all_runs, kind=ScoredColumns)
        except UnicodeEncodeError:  # a name of a file that is no text
            return read_results(files, fields, wanted, all_runs=all_runs)
    found = read_results(files, fields, wanted, all_runs=all_runs)
    found.notes.append(
        f"so many results ({size >> 20} MiB) are read faster, and in less memory, with {' and '.join(missing)}: "
        "pip install 'cnfgen-puzzles[bench]'"
    )
    return found


def _with_facts(results: Results, paths: Collection[str], wanted: Filters) -> Results:
    """The results with what CSV files say about instances, filtered."""
    runs = results.records
    if isinstance(runs, Columns):
        results.records = select(joined(runs, paths, results.notes), wanted)
    else:
        with_features(runs, paths, results.notes)
        results.records = wanted.select(runs)
    with_features(results.revoked, paths, [], needed=False)
    results.revoked = [record for record in results.revoked if wanted.passes(record)]
    return results


def whole_records(records: Sequence[Record]) -> Sequence[Record]:
    """The records with all of their fields, one after another: those of columns are read from their lines again."""
    return Whole(records) if isinstance(records, Columns) else records
