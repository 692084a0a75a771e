"""Parts of charts that several plots draw alike: log axes of time, lines at the limit, colours, tooltips.

For the modules of this package only; needs altair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from cnfgen_puzzles.bench.show.plots.common import DASHES, SHAPES, DrawnRun, Scene, log_ticks

WIDTH, HEIGHT = 380, 260
"""Of most charts, less axes and legends."""
HEADROOM = 1.25
"""How far, as a factor, a time axis goes beyond the limit."""


RUNS = alt.NamedData("runs")
"""The rows that most layers of a chart draw, which `drawn` adds to it."""


def drawn(
    scene: Scene, layers: list[alt.Chart], rows: list[dict[str, Any]], width: int = WIDTH, height: int = HEIGHT
) -> alt.LayerChart:
    """The layers on each other. The rows are added last, by name, since altair copies and checks a chart at every step."""
    chart = alt.LayerChart(layer=layers).properties(width=scene.width or width, height=scene.height or height)
    chart.datasets = {RUNS.name: rows}
    return chart


def data(rows: list[dict[str, Any]]) -> alt.InlineData:
    """A few rows of a layer's own."""
    return alt.InlineData(values=rows)


def row(scene: Scene, run: DrawnRun, **more: Any) -> dict[str, Any]:
    """What every chart tells of a run: `seconds` as measured, `shown` as drawn."""
    return {
        "family": run.family,
        "instance": run.instance,
        "encoding": run.encoding,
        "solver": run.solver,
        "seconds": run.seconds,
        "shown": scene.shown(run),
        "status": run.status,
        **more,
    }


def tooltip(scene: Scene, *more: alt.Tooltip) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("instance:N"),
        alt.Tooltip("encoding:N"),
        alt.Tooltip("solver:N"),
        alt.Tooltip("seconds:Q", title=scene.time_title, format=".4~g"),
        alt.Tooltip("status:N"),
        *more,
    ]


def time_scale(low: float, high: float) -> alt.Scale:
    return alt.Scale(type="log", domain=[low / 1.1, high * HEADROOM], nice=False, clamp=True)


def log_axis(low: float, high: float, **options: Any) -> alt.Axis:
    return alt.Axis(values=log_ticks(low / 1.1, high * HEADROOM), format="~g", labelOverlap=True, **options)


def colour(scene: Scene, field: str, domain: Sequence[str], *, title: str | None = None, legend: bool = True) -> alt.Color:
    """The palette is the theme's, so that a chart can change between light and dark."""
    shown = alt.Legend(title=title or field, columns=columns(scene, domain)) if legend and len(domain) > 1 else None
    return alt.Color(f"{field}:N", scale=alt.Scale(domain=list(domain)), legend=shown)


def shape(scene: Scene, field: str, domain: Sequence[str], *, title: str | None = None, legend: bool = True) -> alt.Shape:
    marks = [SHAPES[i % len(SHAPES)] for i in range(len(domain))]
    shown = alt.Legend(title=title or field, columns=columns(scene, domain)) if legend and len(domain) > 1 else None
    return alt.Shape(f"{field}:N", scale=alt.Scale(domain=list(domain), range=marks), legend=shown)


def dash(scene: Scene, field: str, domain: Sequence[Any], *, legend: bool = True) -> alt.StrokeDash:
    dashes = [DASHES[i % len(DASHES)] for i in range(len(domain))]
    shown = None
    if legend and len(domain) > 1:
        shown = alt.Legend(title=field, columns=columns(scene, domain), symbolType="stroke", symbolSize=400)
    return alt.StrokeDash(f"{field}:N", scale=alt.Scale(domain=list(domain), range=dashes), legend=shown)


def columns(scene: Scene, domain: Sequence[str]) -> int:
    """Of a legend below the chart: as many as go into its width, at 6 units a letter, 20 for the mark and 14 between."""
    longest = max((len(name) for name in domain), default=1)
    return max(1, min(4, ((scene.width or WIDTH) + 14) // (6 * longest + 34)))


def limit_lines(scene: Scene, *, x: bool = False, y: bool = False) -> list[alt.Chart]:
    """The line of the limit, on which the runs stand that were not solved, and its name: above the chart, or below the line."""
    if scene.highest < scene.limit:
        return []
    place = alt.Chart(data([{"limit": scene.limit, "name": scene.limit_name}]))
    layers = []
    if x:
        layers.append(place.mark_rule(style="limit").encode(x="limit:Q"))
        above = place.mark_text(style="note", align="center", baseline="bottom", dy=-3)
        layers.append(above.encode(x="limit:Q", y=alt.value(0), text="name:N"))
    if y:
        layers.append(place.mark_rule(style="limit").encode(y="limit:Q"))
    if y and not x:
        below = place.mark_text(style="note", align="left", baseline="top", dy=3, dx=4)
        layers.append(below.encode(x=alt.value(0), y="limit:Q", text="name:N"))
    return layers
