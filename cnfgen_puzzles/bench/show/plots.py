"""Data of plots of benchmark results: the runs of a plot, palette, theme; `render` writes PNG, SVG, and PDF.

`drawing.py` draws the plots with altair. A chart has no theme: `theme(dark)` is its Vega-Lite configuration.
"""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from cnfgen_puzzles.bench.analyse.rules import DEFAULT, TIMES, Rules, common_notes, hosts_apart
from cnfgen_puzzles.bench.analyse.scores import FLOOR, MARK, SOLVER, Performance, disqualified, grid, name_of, performance_of
from cnfgen_puzzles.bench.record import Record, encoding_of
from cnfgen_puzzles.bench.show.export import csv_writer, text_cell
from cnfgen_puzzles.bench.suite.features import stem
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.installation import install_extra

if TYPE_CHECKING:
    import altair

KINDS = {
    "cactus": "at least one solved run",
    "survival": "at least one solved run",
    "scatter": "two solvers, or two encodings of a family, with instances in common",
    "box": "at least one run",
    "scaling": "solved runs of at least three sizes of a family (of CNF files: of the feature `family`)",
    "heat": "at least one run",
}
"""The kinds of plots, and the runs that each needs."""
LIGHT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333", "#8a6d3b")
DARK = ("#4aa8e8", "#f0803c", "#1fbf92", "#e29ac4", "#f2b840", "#a6dcff", "#e0e0e0", "#c2a46e")
"""The colors of Okabe and Ito without yellow, which is invisible on white; lighter ones of the same hues for a dark page."""

DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3], [4, 2, 1, 2, 1, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
"""One fewer than colors, so that colors and shapes have 56 combinations."""


@dataclass(frozen=True)
class Plot:
    """A chart with its title, its caption, and its rows."""

    kind: str
    name: str
    title: str
    caption: str
    chart: altair.TopLevelMixin
    data: Sequence[dict[str, Any]] = field(default_factory=list)

    def __repr__(self) -> str:
        return showing.in_brackets("Plot", self.title, showing.numbered(len(self.data), "row"))

    def _repr_svg_(self) -> str | None:
        """The picture in a notebook; None if the package that draws it is not installed."""
        try:
            return render(self, "svg", title=self.title).decode()
        except InputError:
            return None


FACETS = ("family", "instance", "encoding", "solver")
"""The properties of runs that plots distinguish."""


def facet(run: Performance, name: str) -> str:
    return run.contestant if name == "solver" else encoding_of(run.record) if name == "encoding" else str(run.record[name])


@dataclass(frozen=True)
class Scene:
    """Runs, and the order and limits that all charts share, so that a solver has the same color in all of them."""

    runs: tuple[Performance, ...]
    rules: Rules
    limit: float
    solvers: tuple[str, ...]
    out: Mapping[str, str] = field(default_factory=dict)
    """The disqualified solvers by their names in the plots, with the reason; they come last."""
    width: int | None = None
    height: int | None = None

    @property
    def fair(self) -> Scene:
        """The scene without disqualified solvers."""
        return replace(self, runs=tuple(run for run in self.runs if run.contestant not in self.out))

    def of(self, family: str | None = None, encoding: str | None = None) -> Scene:
        """The runs of a family or an encoding; colors and limits stay."""
        wanted = [(name, value) for name, value in (("family", family), ("encoding", encoding)) if value is not None]
        return replace(self, runs=tuple(r for r in self.runs if all(facet(r, name) == value for name, value in wanted)))

    @cached_property
    def families(self) -> list[str]:
        return sorted({facet(run, "family") for run in self.runs})

    @cached_property
    def encodings(self) -> list[str]:
        return sorted({facet(run, "encoding") for run in self.runs})

    def shown(self, run: Performance) -> float:
        """The position of a run on a time axis: at least the floor; the limit for an unsolved run."""
        return max(run.seconds, FLOOR) if run.solved else self.limit

    @property
    def time_title(self) -> str:
        return f"{TIMES[self.rules.time]} (s)"

    @cached_property
    def lowest(self) -> float:
        """The lower end of a time axis."""
        return min((self.shown(r) for r in self.runs), default=FLOOR)

    @cached_property
    def highest(self) -> float:
        """The upper end of a time axis; the limit only if a run is unsolved."""
        return max((self.shown(r) for r in self.runs), default=FLOOR)

    @cached_property
    def unit(self) -> str:
        """The counted unit: runs, or points if some are medians of several runs."""
        return "points" if any(len(r.runs) > 1 for r in self.runs) else "runs"

    @cached_property
    def limits(self) -> list[float]:
        """The different limits of the runs on the drawn time."""
        return sorted({limit for r in self.runs if (limit := (r.record.get("limits") or {}).get(self.rules.time))})


def grouped(runs: Iterable[Performance], *facets: str) -> dict[tuple[str, ...], list[Performance]]:
    """The runs by the values of these facets."""
    groups: dict[tuple[str, ...], list[Performance]] = {}
    for run in runs:
        groups.setdefault(tuple(facet(run, name) for name in facets), []).append(run)
    return groups


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Names of instances for axes: without folder and suffix if they stay distinct.

    >>> short_names(["../nonogram/heart.nin", "../nonogram/owl.nin"])
    {'../nonogram/heart.nin': 'heart', '../nonogram/owl.nin': 'owl'}
    >>> short_names(["a/x.cnf.xz", "b/x.cnf"])
    {'a/x.cnf.xz': 'a/x.cnf.xz', 'b/x.cnf': 'b/x.cnf'}
    """
    short = {name: PurePath(stem(name)).stem for name in names}
    distinct = len(set(short.values())) == len(short) and not any(" " in PurePath(name).suffix for name in short)
    return short if distinct else {name: name for name in short}


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten within an axis, with 2 and 5 between them if they are fewer than three.

    >>> log_ticks(0.001, 2.5), log_ticks(1, 30)
    ([0.001, 0.01, 0.1, 1.0], [1.0, 2.0, 5.0, 10.0, 20.0])
    """
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for digits in ((1,), (1, 2, 5)):
        ticks = [float(f"{digit}e{exponent}") for exponent in exponents for digit in digits]
        ticks = [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]
        if len(ticks) >= 3:
            break
    return ticks


def seconds(value: float) -> str:
    return f"{value:.3g} s"


def notes(scene: Scene) -> str:
    """The end of every caption: the number of solved runs, limits, medians, raised times, and the notes of all tables."""
    limits = f", limit {' or '.join(seconds(limit) for limit in scene.limits)}" if scene.limits else ""
    solved, raised = sum(r.solved for r in scene.runs), sum(r.solved and r.seconds < FLOOR for r in scene.runs)
    found = [f"{solved} of {len(scene.runs)} {scene.unit} are solved ({TIMES[scene.rules.time]}{limits})."]
    if scene.unit == "points":
        found.append(
            "A point is the median of the runs of a solver on an instance: an unsolved run is longer than every other, and of an "
            "even number the worse of the two middle runs counts."
        )
    if len(scene.limits) > 1:
        found.append(f"Limits differ, and all unsolved {scene.unit} are drawn at the longest limit.")
    if raised:
        found.append(
            f"Times below {FLOOR * 1000:g} ms are drawn at {FLOOR * 1000:g} ms ({showing.numbered(raised, scene.unit[:-1])})."
        )
    out = {name.removesuffix(MARK): why for name, why in scene.out.items()}
    return " ".join([*found, *common_notes([record for r in scene.runs for record in r.runs], scene.rules, out)])


MOST_MARKS = 2000
"""The maximum number of marks of a kind in a picture; a caption mentions the omitted ones."""
Row = TypeVar("Row")


def spread(rows: Sequence[Row], most: int = MOST_MARKS) -> list[Row]:
    """At most `most` of the rows, evenly spread, including the first and the last.

    >>> spread(range(10), 4), spread(range(3), 4)
    ([0, 3, 6, 9], [0, 1, 2])
    """
    if len(rows) <= most:
        return list(rows)
    return [rows[round(place * (len(rows) - 1) / (most - 1))] for place in range(most)]


def left_out(what: str, shown: int, whole: int) -> str:
    """The part of a caption on omitted marks; empty if all are drawn."""
    return "" if shown >= whole else f" The plot shows {shown} of {whole} {what}, evenly spread; --data writes all."


def theme(dark: bool) -> dict[str, Any]:
    """The Vega-Lite configuration of all charts, with a transparent background."""
    ink, faint, grid = ("#e6e6e6", "#a0a0a0", "#3a3a3a") if dark else ("#222222", "#707070", "#e2e2e2")
    words = {"labelColor": ink, "titleColor": ink, "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal"}
    return {
        "background": "transparent",
        "font": "Liberation Sans, Arial, Helvetica, sans-serif",
        "view": {"stroke": faint, "strokeWidth": 0.8},
        "axis": {**words, "gridColor": grid, "domainColor": faint, "tickColor": faint, "labelLimit": 400, "titlePadding": 6},
        "legend": {
            **words, "orient": "bottom", "labelLimit": 400, "symbolStrokeWidth": 0, "columnPadding": 14, "rowPadding": 3,
            "symbolSize": 110, "layout": {"bottom": {"anchor": "start", "direction": "vertical", "margin": 8}},
        },
        "header": {**words, "titleFontSize": 12},
        "title": {"color": ink, "fontSize": 13, "fontWeight": "bold", "anchor": "start", "subtitleColor": ink},
        "range": {"category": list(DARK if dark else LIGHT), "symbol": list(SHAPES)},
        "text": {"color": ink},
        "style": {
            "reference": {"color": faint, "strokeWidth": 1.2, "opacity": 1},
            "limit": {"color": faint, "strokeWidth": 1.2, "strokeDash": [3, 3], "opacity": 1},
            "note": {"color": faint, "fontSize": 10, "opacity": 1},
            "cross": {"color": ink, "opacity": 1},
            "ink": {"color": ink, "filled": True, "opacity": 1},
            "empty": {"color": "#4a4a4a" if dark else "#d9d9d9"},
        },
    }  # fmt: skip


def renumbered(svg: str) -> str:
    """The SVG with gradients and clip paths numbered from 0, so that equal plots are equal files."""
    names: dict[str, str] = {}
    for kind, number in re.findall(r'\bid="(gradient_|clip)(\d+)"', svg):
        names.setdefault(kind + number, f"{kind}{len(names)}")
    return re.sub(r'(?<=id=")(?:gradient_|clip)\d+(?=")|(?<=#)(?:gradient_|clip)\d+\b', lambda m: names.get(m[0], m[0]), svg)


def scene(
    records: Sequence[Record],
    *,
    rules: Rules = DEFAULT,
    width: int | None = None,
    height: int | None = None,
    per_run: bool = False,
) -> Scene:
    """The scene of these records: the best solver first (most solved, then PAR-k, then name), disqualified ones last, encodings
    and families by name.

    Runs that differ in seed, repetition, or scrambling only are one point, their median; with `per_run`, each run is one point in
    cactus, survival, and box plots.
    """
    contestants = ("solver", "host") if hosts_apart(records, rules) else SOLVER  # two hosts are two lines
    name = name_of(contestants)
    out = {f"{solver}{MARK}": why for solver, why in disqualified(records, contestants).items()}
    limit = max((float((r.get("limits") or {}).get(rules.time) or r[rules.time]) for r in records), default=1.0)
    if per_run:
        found = [performance_of(record, rules, name(record), limit) for record in records]
    else:
        points = grid(records, contestants, rules=rules, otherwise=limit).values()
        found = [performance for point in points for performance in point.values()]
    runs = tuple(replace(r, contestant=r.contestant + MARK) if r.contestant + MARK in out else r for r in found)
    merit = {
        solver: (solver in out, -sum(r.solved for r in own), sum(r.cost for r in own) / len(own), solver)
        for (solver,), own in grouped(runs, "solver").items()
    }
    return Scene(runs, rules, max(limit, FLOOR * 2), tuple(sorted(merit, key=merit.__getitem__)), out, width, height)


FORMATS = ("png", "svg", "pdf")
DRAWING = {"mark"}
"""The fields of rows that are only for drawing."""
SCALE = 2
"""Pixels of a PNG for each unit of the chart."""


def render(plot: Plot, form: str, *, dark: bool = False, title: str | None = None) -> bytes:
    try:
        import vl_convert
    except ImportError:
        raise InputError(f"pictures of plots need the package vl-convert-python: {install_extra('bench')}") from None
    config = theme(dark) | {"background": "#1b1b1b" if dark else "#ffffff"}
    named = plot.chart.to_dict(validate=False) | {"config": config} | ({"title": title} if title else {})
    # file names may contain bytes that are not text, which the renderer refuses
    spec = json.loads(json.dumps(named, ensure_ascii=False).encode(errors="replace"))
    if form == "svg":
        return renumbered(vl_convert.vegalite_to_svg(spec)).encode()
    if form == "pdf":
        return vl_convert.vegalite_to_pdf(spec)
    return vl_convert.vegalite_to_png(spec, scale=SCALE)


def csv_of(plot: Plot) -> bytes:
    """The rows of a plot as CSV."""
    names = list(dict.fromkeys(name for row in plot.data for name in row if name not in DRAWING))
    stream = io.BytesIO()
    with csv_writer(stream, "\n") as rows:
        rows.writerow(map(text_cell, names))
        for row in plot.data:
            cells = (row.get(name, "") for name in names)
            rows.writerow([text_cell(printable(cell) if isinstance(cell, str) else cell) for cell in cells])
    return stream.getvalue()
