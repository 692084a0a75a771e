"""The report of a benchmark: one complete HTML file, which opens from disk and never uses the network.

    write_report(records, Path("results/small/report.html"), Path("results/small"))

This module makes the summary, the alarms, and the page; `details.py` makes the data of the runs and the pictures of boards,
`templates/` has style and scripts. Scores and plots use all runs; the table shows only a part of very many runs.

The output of a solver may contain anything, including `</script>`. So text enters the page in two ways only: escaped by Jinja, or
as JSON without `<`, which the script inserts as text. A Content Security Policy forbids the network and all scripts except those
whose checksums are in the head of the page.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import functools
import gzip
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.bench.analyse.alarms import alarms
from cnfgen_puzzles.bench.analyse.rules import DEFAULT, Rules
from cnfgen_puzzles.bench.analyse.scores import MARK
from cnfgen_puzzles.bench.record import DISQUALIFIED, Instance, Record, instance_of, limits_text, size_text
from cnfgen_puzzles.bench.show.drawing import charts
from cnfgen_puzzles.bench.show.report.details import PageData
from cnfgen_puzzles.bench.show.tables import notes, render, score_tables, sentence
from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file, read_regular
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.run import ERROR, FAILED, STATUSES

if TYPE_CHECKING:
    from jinja2 import Environment

# -- summary and alarms -----------------------------------------------

SHOWN_WARNINGS = 12


def summary(records: Sequence[Record], rules: Rules = DEFAULT) -> dict[str, Any]:
    """The facts of all runs for the summary; different values are listed."""
    dates = {record["date"][:16].replace("T", " ") for record in records if record.get("date")}
    instances = dict.fromkeys(instance_of(record) for record in records)
    statuses = Counter(record["status"] for record in records)
    warned = _warnings(records)
    return {
        "suites": _values(records, "suite") or ["unnamed"],
        "runs": len(records),
        "instances": len(instances),
        "families": Counter(family for _, family, _ in instances),
        "statuses": {status: statuses[status] for status in STATUSES if statuses[status]},
        "dates": (min(dates, default=""), max(dates, default="")),
        "cpu_seconds": sum(record.get("cpu") or 0 for record in records),
        "limits": list(dict.fromkeys(limits_text(record.get("limits") or {}) for record in records)),
        "memory_methods": _values(records, "memory_method"),
        "machines": _machines(records),
        "versions": _values(records, "cnfgen_puzzles"),
        "solvers": _solvers(records),
        "sentence": sentence(records, rules=rules),
        "notes": notes(records),
        "warnings": warned[:SHOWN_WARNINGS],
        "more_warnings": sum(count for _, count in warned[SHOWN_WARNINGS:]),
    }


def _values(records: Sequence[Record], name: str) -> list[str]:
    """Each value of a field once, in order of appearance."""
    return list(dict.fromkeys(str(record[name]) for record in records if record.get(name)))


def _machines(records: Iterable[Record]) -> list[dict[str, str]]:
    """Each machine once, with the number of its runs."""
    counts = Counter(tuple(sorted((k, str(v)) for k, v in (record.get("machine") or {}).items())) for record in records)
    machines = [dict(pairs) | {"runs": str(count)} for pairs, count in counts.most_common() if pairs]
    for machine in machines:
        if machine.get("memory", "").isdigit():
            machine["memory"] = size_text(int(machine["memory"]))
    return machines


def _solvers(records: Iterable[Record]) -> list[dict[str, str]]:
    """Each solver once for every version, binary, and set of options."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for record in records:
        solver = {
            "label": record["solver"] + MARK * bool(record.get(DISQUALIFIED)),
            "version": str(record.get("version") or "?"),
            "binary": str(record.get("binary_sha256") or ""),
            "options": " ".join(map(str, record.get("solver_options") or [])),
            "threads": str(record.get("threads") or 1),
        }
        found.setdefault(tuple(solver.values()), solver)
    return sorted(found.values(), key=lambda solver: (solver["label"], solver["version"]))


def _warnings(records: Iterable[Record]) -> list[tuple[str, int]]:
    """Warnings with the number of their runs, the most frequent first; warnings that differ only in numbers are merged."""
    alike: dict[str, Counter[str]] = {}
    for record in records:
        texts = list(map(str, record.get("warnings") or []))
        if record["status"] == ERROR:
            texts.append(f"a run of {record['solver']} failed: {record.get('reason') or 'no reason given'}")
        if record.get("leftovers"):
            texts.append(f"{record['solver']} left processes running, which were killed")
        for warning in texts:
            alike.setdefault(re.sub(r"[\d.]+", "#", warning), Counter())[warning] += 1
    found = [(next(iter(texts)) + " and similar" * (len(texts) > 1), texts.total()) for texts in alike.values()]
    return sorted(found, key=lambda pair: -pair[1])


# -- the runs of the table -----------------------------------------------------------------------------------

MOST_RUNS = 20_000
"""The maximum number of runs in the table, so that the page opens fast."""


def part_of(records: Sequence[Record], most: int = MOST_RUNS) -> tuple[Sequence[Record], str]:
    """The runs in the table, and a note if they are not all runs: instances with a failed run first, then others."""
    if len(records) <= most:
        return records, ""
    failed = {instance_of(record) for record in records if record["status"] in FAILED}
    # mixed, but always alike
    order = {each: (each not in failed, digest("\0".join(each))) for each in dict.fromkeys(map(instance_of, records))}
    chosen = sorted(range(len(records)), key=lambda place: order[instance_of(records[place])])[:most]
    _, _, example = max(order, key=order.__getitem__)
    note = (
        f"Summary, scores, and plots use all {len(records):,} runs. The table of runs and the instances show {most:,}: those "
        f"of a part of the {len(order):,} instances, preferably with a failed run. For other runs, make a filtered report, "
        f"such as bench-cnf report ... --filter 'instance={example}'; bench-cnf export writes all runs."
    )
    return [records[place] for place in sorted(chosen)], note


# -- the page -------------------------------------------------------------------------------------------------------------

BUNDLE = """
window.vegaEmbed = vegaEmbed;
"""
"""The code that the bundle of Vega, Vega-Lite, and Vega-Embed exports."""
SCRIPTS = ("base.js", "runs.js", "instances.js", "plots.js")
"""The scripts in their order, which the page joins."""


@functools.cache
def vega_bundle() -> str:
    """Vega, Vega-Lite, and Vega-Embed as one script.

    Making it takes 2.6 s, so the cache folder of the user keeps it with its checksum.
    """
    try:
        import vl_convert
    except ImportError:
        raise InputError(f"the report needs vl-convert, which is not installed: {install_extra('bench')}") from None
    folder = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "cnfgen-puzzles"
    kept = folder / f"vega-{version('vl-convert-python')}-{digest(BUNDLE)[:16]}.js"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        checksum, _, found = read_regular(kept).decode().partition("\n")
        if checksum == f"// {digest(found)}":
            return found
    bundle: str = vl_convert.javascript_bundle(BUNDLE)
    if "</script" in bundle.lower():
        raise InputError("the scripts of this version of vl-convert contain the end of a script element; install another version")
    with contextlib.suppress(InputError), atomic_file(kept, parents=True) as stream:
        stream.write(f"// {digest(bundle)}\n{bundle}".encode())
    return bundle


def check_packages() -> None:
    """InputError if packages for the report are missing."""
    _environment()
    vega_bundle()


def write_report(
    records: Sequence[Record],
    path: Path,
    folder: Path | Sequence[Path],
    title: str | None = None,
    *,
    found: Sequence[tuple[Instance, str]] | None = None,
    only: str = "",
    rules: Rules = DEFAULT,
) -> Path:
    """Write the report of these runs to `path`, atomically.

    `folder` is the folder of the result files (or several): it has the maps of formulas, which the pictures of boards need, and
    kept outputs. The report needs no other file. `found` are the alarms of the reader of the results, by default those of these
    runs. `only` describes the filter of the runs. `rules` are those of scores and plots.
    """
    if not records:
        raise InputError("found no runs to report, expected at least one")
    environment = _environment()
    plots = charts(records, rules=rules)
    specifications = [plot.chart.to_dict(validate=False) for plot in plots]
    for specification in specifications:
        specification.pop("config", None)  # the page has a light and a dark theme
    script = "\n".join(_template(name) for name in SCRIPTS)
    scripts = [f'"use strict";\n(async () => {{\n{script}\n}})();']
    if plots:
        scripts.insert(0, vega_bundle())
    sums = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{checksum}'" for checksum in sums)  # these scripts, pictures of the page, and nothing else
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    shown, part = part_of(records)
    data = PageData(shown, [folder] if isinstance(folder, Path) else folder, path.parent)
    facts = summary(records, rules)
    page: str = environment.get_template("report.html.j2").render(
        title=title or f"Benchmark {', '.join(facts['suites'])}",
        version=__version__,
        made=datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        policy=policy,
        style=_template("report.css"),
        dark=_template("dark.css"),
        scripts=scripts,
        alarms=[(message, data.ids.get(instance, "")) for instance, message in (alarms(records) if found is None else found)],
        summary=facts,
        only=only,
        tables=score_tables(records, rules=rules),
        render=render,
        plots=plots,
        part=part,
        shown=len(shown),
        data=_packed(data.to_json()),
        charts=_packed(specifications),
    )
    with atomic_file(path, parents=True) as stream:
        stream.write(page.encode(errors="backslashreplace"))  # file names may be any bytes
    return path


def _packed(value: Any) -> str:
    """JSON, compressed by gzip, as base64: the details of 20,000 runs have 40 MB."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(gzip.compress(text, 6, mtime=0)).decode()


def _template(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8").rstrip()


def _environment() -> Environment:
    """The environment of Jinja, which escapes everything that the template does not mark as safe."""
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise InputError(f"the report needs Jinja2, which is not installed: {install_extra('bench')}") from None
    return Environment(
        loader=FunctionLoader(_template), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
