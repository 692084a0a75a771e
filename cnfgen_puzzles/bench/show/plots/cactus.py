"""How many runs are solved within how much time: cactus plot and survival function (ECDF), a line for each solver x encoding."""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal

import altair as alt

from cnfgen_puzzles.bench.show.plots.common import FLOOR, MOST_MARKS, DrawnRun, Plot, Scene, grouped, notes, rows_of
from cnfgen_puzzles.bench.show.plots.marks import (
    RUNS,
    colour,
    dash,
    drawn,
    limit_lines,
    log_axis,
    row,
    shape,
    time_scale,
    tooltip,
)

MARKERS = 12
"""About so many marks on a line; every run can be hovered, but not every one is drawn."""


def cactus(scene: Scene, by: str | None, *part: str) -> list[Plot]:
    """Classic: the k-th fastest run of a line stands at (k, its time). Further right is better, lower is faster."""
    curves = curves_of(scene, by)
    if not curves:
        return []
    low, high = scene.lowest, scene.highest
    most = max(len(curve.runs) for curve in curves)
    scale = alt.Scale(domain=[0, most + max(0.5, most * 0.02)], nice=False)
    x = alt.X("solved:Q", title=f"{scene.unit} solved", axis=alt.Axis(tickMinStep=1, format="d"), scale=scale)
    y = alt.Y("shown:Q", title=scene.time_title, scale=time_scale(low, high), axis=log_axis(low, high))
    chart = drawn(
        scene, [*limit_lines(scene, y=True), *lines(scene, by, x, y, "linear")], along(scene, by, thinned(scene, curves))
    )
    caption = f"{scene.unit.capitalize()} solved within a time: the k-th fastest of each line stands at k. {notes(scene)}"
    return [Plot("-".join(["cactus", *part]), f"Cactus plot{of(part)}", caption, chart, curve_rows(scene, curves))]


def survival(scene: Scene, by: str | None, *part: str) -> list[Plot]:
    """The share of its runs that a line has solved within a time."""
    curves = curves_of(scene, by)
    if not curves:
        return []
    low, high = scene.lowest, scene.highest
    x = alt.X("shown:Q", title=scene.time_title, scale=time_scale(low, high), axis=log_axis(low, high))
    y = alt.Y("share:Q", title="share solved", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5))
    layers = [*limit_lines(scene, x=True), *lines(scene, by, x, y, "step-after")]
    rows = thinned(scene, curves)
    chart = drawn(scene, layers, along(scene, by, [*rows, *curve_ends(scene, rows)]))
    caption = f"Share of its {scene.unit} that each line has solved within a time. {notes(scene)}"
    return [
        Plot("-".join(["survival", *part]), f"Share solved within a time{of(part)}", caption, chart, curve_rows(scene, curves))
    ]


def of(part: tuple[str, ...]) -> str:
    """The end of a title: the family, the encoding."""
    return f": {', '.join(part)}" if part else ""


def series(by: str | None) -> Callable[[Any], tuple[str, ...]]:
    if by == "encoding":
        return lambda run: (run.encoding,)
    if by == "solver":
        return lambda run: (run.solver,)
    return lambda run: (run.solver, run.encoding)


@dataclass(frozen=True)
class Curve:
    """A line: its solved runs by time, its place among the lines, and how many runs it has in all."""

    name: str
    number: int
    runs: Sequence[DrawnRun]
    total: int

    @cached_property
    def every(self) -> int:
        return max(1, round(len(self.runs) / MARKERS))

    def marked(self, k: int) -> bool:
        """Whether a mark is drawn; lines have theirs at different places, so that lines that lie on each other are both seen."""
        return k % self.every == self.number % self.every or k == len(self.runs)

    def row(self, scene: Scene, k: int) -> dict[str, Any]:
        """Of the k-th run, counted from 1."""
        share = k / self.total
        return row(scene, self.runs[k - 1], line=self.name, solved=k, share=share, mark=self.marked(k))


def curves_of(scene: Scene, by: str | None) -> list[Curve]:
    """The lines on which something was solved."""
    told = series(by)
    totals = Counter(map(told, scene.runs))
    solved = grouped(scene.by_time, told)
    return [Curve(" ".join(n), k, solved[n], totals[n]) for k, n in enumerate(sorted(totals)) if n in solved]


def curve_rows(scene: Scene, curves: Sequence[Curve]) -> Sequence[dict[str, Any]]:
    """The rows of all lines, one line after another."""
    ends = list(accumulate(len(curve.runs) for curve in curves))

    def made(place: int) -> dict[str, Any]:
        number = bisect(ends, place)
        return curves[number].row(scene, place + 1 - (ends[number - 1] if number else 0))

    return rows_of(range(ends[-1]), made)


def thinned(scene: Scene, curves: Sequence[Curve]) -> list[dict[str, Any]]:
    """Of very many rows those that a picture can show: a line goes through all that are a part of its width or height apart."""
    if sum(len(curve.runs) for curve in curves) <= MOST_MARKS:
        return list(curve_rows(scene, curves))
    parts = max(20, MOST_MARKS // (2 * len(curves)))
    wide = max(len(curve.runs) for curve in curves) / parts
    high = math.exp(math.log(max(scene.highest / scene.lowest, 2)) / parts)
    kept: list[dict[str, Any]] = []
    for curve in curves:
        last, enough = -wide, 0.0
        for k, run in enumerate(curve.runs, 1):
            shown = max(run.seconds, FLOOR)
            if k - last >= wide or shown >= enough or curve.marked(k):
                kept.append(curve.row(scene, k))
                last, enough = k, shown * high
    return kept


def curve_ends(scene: Scene, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps of the survival function begin at 0 and go on to the limit."""
    ends = []
    for last in {r["line"]: r for r in rows}.values():
        ends.append({**last, "shown": min(scene.lowest, FLOOR), "share": 0.0, "solved": 0, "end": True})
        ends.append({**last, "shown": scene.highest, "end": True})
    return ends


def told(scene: Scene, by: str | None) -> tuple[str, tuple[str, ...]]:
    """What colours and shapes tell, and its values."""
    return ("encoding", scene.encodings) if by == "encoding" else ("solver", scene.solvers)


def along(scene: Scene, by: str | None, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows in the order of the lines, with the place of each line's colour."""
    field, domain = told(scene, by)
    places = {name: place for place, name in enumerate(domain)}
    rows = sorted(rows, key=lambda r: (r["line"], r["solved"], r["shown"]))
    return [{**r, "place": places[r[field]]} for r in rows]


def lines(scene: Scene, by: str | None, x: alt.X, y: alt.Y, interpolate: Literal["linear", "step-after"]) -> list[alt.Chart]:
    """Colour and shape tell the solver, dashes the encoding; by one of the two alone, colour, shape and dashes tell that."""
    field, domain = told(scene, by)
    both = by is None and len(scene.encodings) > 1
    # The scale of dashes has numbers for a domain: with the names of the solvers it would dash the symbols of their legend too.
    stroke = dash(scene, "encoding", scene.encodings) if both else dash(scene, "place", range(len(domain)), legend=False)
    line = alt.Chart(RUNS).mark_line(interpolate=interpolate, strokeWidth=1.6)
    points = alt.Chart(RUNS).transform_filter("!datum.end").mark_point(filled=True, size=42)
    marks = points.encode(
        x=x,
        y=y,
        color=colour(scene, field, domain),
        shape=shape(scene, field, domain),
        opacity=alt.condition("datum.mark", alt.value(1), alt.value(0)),
        tooltip=tooltip(scene, alt.Tooltip("solved:Q", title=f"{scene.unit} solved")),
    )
    return [line.encode(x=x, y=y, color=colour(scene, field, domain), strokeDash=stroke, detail="line:N"), marks]
