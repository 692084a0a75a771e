"""Times of each solver (or encoding) as box plots, a tick for each run beneath."""

from __future__ import annotations

import statistics
from typing import Any

import altair as alt

from cnfgen_puzzles.bench.show.plots.common import FLOOR, MOST_MARKS, DrawnRun, Plot, Scene, grouped, left_out, notes, spread
from cnfgen_puzzles.bench.show.plots.marks import (
    RUNS,
    WIDTH,
    colour,
    data,
    drawn,
    limit_lines,
    log_axis,
    row,
    time_scale,
    tooltip,
)

ROW_HEIGHT = 34


def boxes(scene: Scene, by: str, suffix: str = "") -> list[Plot]:
    """Quartiles and median of the drawn times, whiskers from the fastest to the slowest run, a diamond at PAR-k."""
    groups = grouped(scene.runs, lambda r: getattr(r, by))
    order = [name for name in (scene.encodings if by == "encoding" else scene.solvers) if name in groups]
    if not order:
        return []
    rows = [box_row(scene, by, name, groups[name]) for name in order]
    high = max([scene.highest, *(r["par"] for r in rows)])
    scale, axis = time_scale(scene.lowest, high), log_axis(scene.lowest, high)
    y = alt.Y(f"{by}:N", title=None, scale=alt.Scale(domain=order), axis=alt.Axis(labelFontSize=12))
    hue = colour(scene, by, scene.encodings if by == "encoding" else scene.solvers, legend=False)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title=scene.time_title, scale=scale, axis=axis)

    of_boxes = alt.Chart(data(rows))
    unit = (scene.height or ROW_HEIGHT * len(order)) / (ROW_HEIGHT * len(order))
    words = [alt.Tooltip(f"{by}:N"), alt.Tooltip("runs:Q"), alt.Tooltip("solved:Q")]
    words += [alt.Tooltip(f"{name}:Q", format=".4~g") for name in ("fastest", "q1", "median", "q3", "slowest")]
    words.append(alt.Tooltip("par:Q", title=f"PAR-{scene.par:g}", format=".4~g"))
    shown = [run for name in order for run in spread(sorted(groups[name], key=scene.shown), MOST_MARKS // len(order))]
    ticks = [row(scene, run) for run in shown]
    up = -5 * unit
    layers = [
        of_boxes.mark_rule(strokeWidth=1.4, yOffset=up).encode(x=x("fastest"), x2="slowest", y=y, color=hue),
        of_boxes.mark_bar(size=13 * unit, yOffset=up, opacity=0.55).encode(x=x("q1"), x2="q3", y=y, color=hue, tooltip=words),
        of_boxes.mark_tick(style="ink", size=15 * unit, thickness=2, yOffset=up).encode(x=x("median"), y=y, tooltip=words),
        of_boxes.mark_point(style="ink", shape="diamond", size=55, yOffset=up).encode(x=x("par"), y=y, tooltip=words),
        alt.Chart(RUNS).mark_tick(size=7 * unit, thickness=1, yOffset=9 * unit, opacity=0.6).encode(
            x=x("shown"), y=y, color=hue, tooltip=tooltip(scene)),
    ]  # fmt: skip
    chart = drawn(scene, [*limit_lines(scene, x=True), *layers], ticks, WIDTH, ROW_HEIGHT * len(order))
    caption = (
        f"Box: quartiles and median; line: fastest to slowest; diamond: PAR-{scene.par:g}; ticks: the {scene.unit}. Those "
        f"that were not solved count as the limit. {notes(scene)}{left_out('ticks', len(ticks), sum(map(len, groups.values())))}"
    )
    title = f"Times by {by}" + (f": {suffix[1:]}" if suffix else "")
    return [Plot(f"box{suffix}", title, caption, chart, rows)]


def box_row(scene: Scene, by: str, name: str, runs: list[DrawnRun]) -> dict[str, Any]:
    times = sorted(scene.shown(r) for r in runs)
    q1, median, q3 = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
    return {
        by: name,
        "runs": len(runs),
        "solved": sum(r.solved for r in runs),
        "fastest": times[0],
        "q1": q1,
        "median": median,
        "q3": q3,
        "slowest": times[-1],
        "par": max(scene.penalised(runs), FLOOR),
    }
