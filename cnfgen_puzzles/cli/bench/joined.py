"""Reading results for a command: with facts about instances joined (`--features`), filtered, and told by what filter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from cnfgen_puzzles.bench.analyse.results import Filters, Results, read_results
from cnfgen_puzzles.bench.suite.features import with_features

LONGEST = 80
"""Characters of a filter in a file's name."""


def read_joined(
    paths: Iterable[Path],
    fields: Collection[str] | None = None,
    filters: Collection[str] = (),
    features: Collection[str] = (),
    *,
    all_runs: bool = False,
) -> Results:
    """The results as `read_results` gives them; filters come after the facts, so that they may name them."""
    if not features:
        return read_results(paths, fields, filters, all_runs=all_runs)
    results = read_results(paths, fields, all_runs=all_runs)
    with_features(results.records, features, results.notes)
    with_features(results.revoked, features, [], needed=False)
    wanted = Filters(filters)
    results.records, results.revoked = wanted.select(results.records), wanted.select(results.revoked)
    return results


def filter_mark(filters: Iterable[str]) -> str:
    """What tells a file of filtered results from that of all: `.family=nonogram.solver=kissat`; nothing without filters.

    >>> filter_mark(["family=nonogram", "solver!=mini*"]), filter_mark([])
    ('.family=nonogram.solver!=mini_', '')
    """
    mark = "".join("." + re.sub(r"[^\w=!,+-]+", "_", text) for text in sorted(filters))
    return mark if len(mark) <= LONGEST else f"{mark[: LONGEST - 9]}.{_number(mark)}"


def _number(text: str) -> str:
    import zlib

    return f"{zlib.crc32(text.encode()):08x}"


def filter_told(filters: Iterable[str]) -> str:
    """What the caption says of it."""
    told = ", ".join(filters)
    return f"Only runs with {told}." if told else ""
