"""Puts the report together: one HTML file that holds its style, its scripts and its data.

A solver's output may hold anything, `</script>` too. So text gets into the page in two ways only: through Jinja's escaping, or as
JSON without `<`, which the script puts into the page as text. A Content Security Policy forbids the rest: no network, and no
script but those whose checksums stand in the page's head.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.show.report.details import PageData, packed
from cnfgen_puzzles.bench.show.report.parts import part_of
from cnfgen_puzzles.bench.show.report.plots import plots, vega_bundle
from cnfgen_puzzles.bench.show.report.summary import alarms, summary
from cnfgen_puzzles.bench.show.tables import score_tables
from cnfgen_puzzles.common.atomicfiles import atomic_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
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
