"""Puts the report together: one HTML file that holds its style, its scripts and its data.

A solver's output may hold anything, `</script>` too. So text gets into the page in two ways only: through Jinja's escaping, or as
JSON without `<`, which the script puts into the page as text. A Content Security Policy forbids the rest: no network, and no
script but those whose checksums stand in the page's head. Scores and plots are of all runs; of very many the page shows a
part one by one.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import functools
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.bench.analyse.results import whole_records
from cnfgen_puzzles.bench.analyse.scores import instance_of
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.runs import Runs
from cnfgen_puzzles.bench.show.report.details import PageData, packed
from cnfgen_puzzles.bench.show.report.summary import alarms, summary
from cnfgen_puzzles.bench.show.tables import score_tables
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.run import FAILED

if TYPE_CHECKING:
    from jinja2 import Environment

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


BUNDLE = """
window.vegaEmbed = vegaEmbed;
"""
"""What the bundle of Vega, Vega-Lite and Vega-Embed is to leave behind."""


@dataclass(frozen=True)
class PagePlot:
    """A chart with its words."""

    name: str
    title: str
    caption: str
    specification: dict[str, Any]


def plots(records: Sequence[Record]) -> list[PagePlot]:
    """All plots that the results allow."""
    from cnfgen_puzzles.bench.show.plots import charts

    return [PagePlot(made.name, made.title, made.caption, _specification(made.chart)) for made in charts(records)]


def _specification(chart: Any) -> dict[str, Any]:
    """The chart as Vega-Lite JSON without a theme: the page brings its own, a light one and a dark one."""
    from cnfgen_puzzles.bench.show.plots import specification

    found = specification(chart)
    found.pop("config", None)
    return found


@functools.cache
def vega_bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that needs nothing else.

    Making it takes 2.6 s, so it is kept in the user's cache folder, with its checksum; where nothing can be kept it is made anew.
    """
    try:
        import vl_convert
    except ImportError:
        raise InputError("the report needs vl-convert, which is not installed: pip install 'cnfgen-puzzles[bench]'") from None
    folder = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "cnfgen-puzzles"
    kept = folder / f"vega-{version('vl-convert-python')}-{_digest(BUNDLE)[:16]}.js"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        digest, _, found = kept.read_text(encoding="utf-8").partition("\n")
        if digest == f"// {_digest(found)}":
            return found
    bundle: str = vl_convert.javascript_bundle(BUNDLE)
    if "</script" in bundle.lower():
        raise InputError("vl-convert's scripts cannot stand in a page: they hold the end of a script; try another version")
    with contextlib.suppress(InputError), atomic_file(kept, parents=True) as stream:
        stream.write(f"// {_digest(bundle)}\n{bundle}".encode())
    return bundle


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


SCRIPTS = ("base.js", "runs.js", "instances.js", "plots.js")
"""The page's own scripts in the order in which they run; they are one script in the page."""


def write_report(
    records: Iterable[Record],
    path: Path,
    folder: Path | Sequence[Path],
    title: str | None = None,
    *,
    revoked: Iterable[Record] = (),
    only: str = "",
) -> Path:
    """Write the report of these runs to `path`, which appears whole or not at all.

    `folder` is where the result files lie (or several such folders): the formulas' maps, with which boards are drawn, and kept
    outputs are looked for there. Nothing else is needed once the report is written. `revoked` are runs that were made again with
    the opposite verdict: they are in no table, but in the alarm. `only` says which runs these are, where they are not all.
    """
    folders = [folder] if isinstance(folder, Path) else list(folder)
    records = records if isinstance(records, Sequence) else list(records)
    page = report_page(records, folders, path.parent, title, list(revoked), only)
    with atomic_file(path, parents=True) as stream:
        stream.write(page.encode(errors="backslashreplace"))  # file names may be any bytes
    return path


def report_page(
    records: Sequence[Record],
    folders: Sequence[Path],
    beside: Path,
    title: str | None,
    revoked: Sequence[Record] = (),
    only: str = "",
) -> str:
    """The report as text; `beside` is the folder in which it will lie, for links to files."""
    if not records:
        raise InputError("found no runs to report, expected at least one")
    environment = _environment()
    drawn = plots(records)
    script = "\n".join(_template(name) for name in SCRIPTS)
    scripts = [f'"use strict";\n(() => {{\n{script}\n}})();']
    if drawn:
        scripts.insert(0, vega_bundle())
    shown, part = part_of(records)
    data = PageData(shown, folders, beside)
    told = summary(records)
    page: str = environment.get_template("report.html.j2").render(
        title=title or f"Benchmark {', '.join(told.suites)}",
        version=__version__,
        made=datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        policy=_policy(scripts),
        style=_template("report.css"),
        dark=_template("dark.css"),
        scripts=scripts,
        alarms=[(alarm, data.instance_id(alarm.instance)) for alarm in alarms(records, revoked)],
        summary=told,
        only=only,
        tables=score_tables(records),
        plots=drawn,
        part=part,
        shown=len(shown),
        data=_script_json(data.to_json()),
        charts=_script_json([packed(plot.specification) if data.packed else plot.specification for plot in drawn]),
    )
    return page


def _script_json(value: Any) -> str:
    """JSON that can stand in a script element: without `<` nothing in it ends the element or begins another."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _policy(scripts: Iterable[str]) -> str:
    """The Content Security Policy: pictures from the page itself, styles, these scripts, and nothing from anywhere else."""
    sums = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{checksum}'" for checksum in sums)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _template(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8").rstrip()


def _environment() -> Environment:
    """Jinja's environment; everything is escaped unless the template says that it is safe."""
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise InputError("the report needs Jinja2, which is not installed: pip install 'cnfgen-puzzles[bench]'") from None
    return Environment(
        loader=FunctionLoader(_template), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
