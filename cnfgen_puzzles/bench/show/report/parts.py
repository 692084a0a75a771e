"""Which runs a report shows one by one where there are too many for a page: whole instances, those with failures first.

Not here: scores and plots, which are of all runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cnfgen_puzzles.bench.analyse.groups import instance_of
from cnfgen_puzzles.bench.analyse.results import whole_records
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.runs import Runs
from cnfgen_puzzles.solving.run import FAILED

MOST_RUNS = 20_000
"""Runs that a page shows: more open slowly and are read by nobody."""


def part_of(records: Sequence[Record], most: int = MOST_RUNS) -> tuple[list[Record], str]:
    """The runs that the table and the instances show, whole records, and what is to be said if that is not all."""
    if len(records) <= most:
        return list(whole_records(records)), ""
    numbers: dict[Any, int] = {}
    instances = [numbers.setdefault(instance_of(record), len(numbers)) for record in records]
    failed = (record["status"] in FAILED for record in records)
    names = [name for _, _, name in numbers]
    runs = Counter(instances)
    first = {instance for instance, bad in zip(instances, failed, strict=True) if bad}
    chosen: set[int] = set()
    left = most
    for instance in sorted(runs, key=lambda i: (i not in first, _turn(i, len(runs)), i)):
        if runs[instance] <= left:
            chosen.add(instance)
            left -= runs[instance]
    if chosen:
        rows = [row for row, instance in enumerate(instances) if instance in chosen]
        told = f"all runs of {len(chosen):,} of {len(runs):,} instances, those where a run failed before the others"
    else:  # each instance alone has more
        rows = [round(place * (len(records) - 1) / (most - 1)) for place in range(most)]
        told = f"evenly spread over {len(runs):,} instances, not all runs of any" if len(runs) > 1 else "evenly spread"
    example = next((names[i] for i in runs if i not in chosen), "")
    note = (
        f"Summary, scores and plots are of all {len(records):,} runs. The table of runs and the instances show {len(rows):,}: "
        f"{told}. Others are shown by a report of their own, such as bench-cnf report ... --filter 'instance={example}', and "
        "bench-cnf export writes all."
    )
    chosen_runs = records.of([records.rows[row] for row in rows]) if isinstance(records, Runs) else [records[row] for row in rows]
    return list(whole_records(chosen_runs)), note


def _turn(number: int, count: int) -> int:
    """The place of a number in an order in which every beginning is spread over all of them: its bits turned round."""
    return int(format(number, f"0{max(count - 1, 1).bit_length()}b")[::-1], 2)
