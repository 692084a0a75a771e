"""How many runs are solved within how much time: cactus plot and survival function (ECDF), a line for each solver x encoding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt

from cnfgen_puzzles.bench.plots.common import FLOOR, Plot, Scene, floor_note, grouped, solved_note
from cnfgen_puzzles.bench.plots.marks import colour, dash, data, limit_lines, log_axis, row, shape, time_scale, tooltip

MARKERS = 12
"""About so many marks on a line; every run can be hovered, but not every one is drawn."""


def cactus(scene: Scene, by: str | None, suffix: str = "") -> list[Plot]:
    """Classic: the k-th fastest run of a line stands at (k, its time). Further right is better, lower is faster."""
    rows = curve_rows(scene, by)
    if not rows:
        return []
    low = scene.lowest
    most = max(r["solved"] for r in rows)
    scale = alt.Scale(domain=[0, most + max(0.5, most * 0.02)], nice=False)
    x = alt.X("solved:Q", title="runs solved", axis=alt.Axis(tickMinStep=1, format="d"), scale=scale)
    y = alt.Y("shown:Q", title=scene.time_title, scale=time_scale(low, scene.limit), axis=log_axis(low, scene.limit))
    chart = alt.layer(*limit_lines(scene, y=True), *lines(scene, by, rows, x, y, "linear")).properties(**scene.size(380, 260))
    caption = f"Runs solved within a time: the k-th fastest run of each line stands at k. {solved_note(scene)}{floor_note(scene)}"
    return [Plot(f"cactus{suffix}", f"Cactus plot{of(suffix)}", caption, chart, rows)]


def survival(scene: Scene, by: str | None, suffix: str = "") -> list[Plot]:
    """The share of its runs that a line has solved within a time."""
    rows = curve_rows(scene, by)
    if not rows:
        return []
    low = scene.lowest
    x = alt.X("shown:Q", title=scene.time_title, scale=time_scale(low, scene.limit), axis=log_axis(low, scene.limit))
    y = alt.Y("share:Q", title="share solved", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5))
    steps = curve_ends(scene, by, rows, low)
    layers = lines(scene, by, rows, x, y, "step-after", steps)
    chart = alt.layer(*limit_lines(scene, x=True), *layers).properties(**scene.size(380, 260))
    caption = f"Share of its runs that each line has solved within a time. {solved_note(scene)}{floor_note(scene)}"
    return [Plot(f"survival{suffix}", f"Share solved within a time{of(suffix)}", caption, chart, rows)]


def of(suffix: str) -> str:
    return f": {suffix[1:]}" if suffix else ""


def series(by: str | None) -> Callable[[Any], tuple[str, ...]]:
    if by == "encoding":
        return lambda run: (run.encoding,)
    if by == "solver":
        return lambda run: (run.solver,)
    return lambda run: (run.solver, run.encoding)


def curve_rows(scene: Scene, by: str | None) -> list[dict[str, Any]]:
    """The solved runs of each line by time, counted; `mark` says where a mark is drawn."""
    rows = []
    for number, (line, runs) in enumerate(sorted(grouped(scene.runs, series(by)).items())):
        solved = sorted((r for r in runs if r.solved), key=lambda r: (r.seconds, r.family, r.instance, r.encoding, r.solver))
        every = max(1, round(len(solved) / MARKERS))
        for k, run in enumerate(solved, 1):
            # Lines have their marks at different places, so that lines that lie on each other are both seen.
            mark = k % every == number % every or k == len(solved)
            rows.append(row(scene, run, line=" ".join(line), solved=k, share=k / len(runs), mark=mark))
    return rows


def curve_ends(scene: Scene, by: str | None, rows: list[dict[str, Any]], low: float) -> list[dict[str, Any]]:
    """The steps of the survival function begin at 0 and go on to the limit."""
    ends = []
    for last in {r["line"]: r for r in rows}.values():
        ends.append({**last, "shown": min(low, FLOOR), "share": 0.0, "solved": 0})
        ends.append({**last, "shown": scene.limit})
    return ends


def lines(
    scene: Scene, by: str | None, rows: list[dict[str, Any]], x: alt.X, y: alt.Y, interpolate: str, ends: Any = ()
) -> list[alt.Chart]:
    """Colour and shape tell the solver, dashes the encoding; by one of the two alone, colour, shape and dashes tell that."""
    first = "encoding" if by == "encoding" else "solver"
    domain = scene.encodings if by == "encoding" else scene.solvers
    both = by is None and len(scene.encodings) > 1
    # The scale of dashes has numbers for a domain: with the names of the solvers it would dash the symbols of their legend too.
    stroke = dash("encoding", scene.encodings) if both else dash("place", range(len(domain)), legend=False)
    along = sorted([*rows, *ends], key=lambda r: (r["line"], r["solved"], r["shown"]))
    source = data([{**r, "place": domain.index(r[first])} for r in along])
    line = (
        alt.Chart(source)
        .mark_line(interpolate=interpolate, strokeWidth=1.6)
        .encode(x=x, y=y, color=colour(first, domain), strokeDash=stroke, detail="line:N", order="solved:Q")
    )
    points = (
        alt.Chart(data(rows))
        .mark_point(filled=True, size=42)
        .encode(
            x=x,
            y=y,
            color=colour(first, domain),
            shape=shape(first, domain),
            opacity=alt.condition("datum.mark", alt.value(1), alt.value(0)),
            tooltip=tooltip(scene, alt.Tooltip("solved:Q", title="runs solved")),
        )
    )
    return [line, points]
