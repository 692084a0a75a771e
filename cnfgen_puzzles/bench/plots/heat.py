"""Which solver took how long on which instance: a coloured cell for each, crossed where it was not solved."""

from __future__ import annotations

from typing import Any

import altair as alt

from cnfgen_puzzles.bench.plots.common import TIMES, Plot, Scene, floor_note, grouped, log_ticks, middle, seconds, short_names
from cnfgen_puzzles.bench.plots.marks import data, row, tooltip

ROW_HEIGHT, COLUMN_WIDTH = 13, 30
TALLEST = 1200
"""Beyond this height rows become lower than their names, and the names go."""


def heat(scene: Scene, suffix: str = "") -> list[Plot]:
    """Instances from the easiest to the hardest; a column for each solver, encoding by encoding."""
    rows = cell_rows(scene)
    if not rows:
        return []
    columns = [column(s, e, scene) for e in scene.encodings for s in scene.solvers]
    columns = [name for name in columns if name in {r["column"] for r in rows}]
    order = by_hardness(rows)
    slanted = {"labelAngle": -60, "labelAlign": "left", "labelBaseline": "middle", "labelPadding": 6, "labelLimit": 160}
    across = alt.Axis(orient="top", ticks=False, domain=False, **slanted)
    x = alt.X("column:N", title=None, scale=alt.Scale(domain=columns, paddingInner=0.06), axis=across)
    height = min(TALLEST, ROW_HEIGHT * len(order))
    labels = height >= 11 * len(order)
    axis = alt.Axis(labels=labels, ticks=False, domain=False, labelLimit=180, labelFontSize=10)
    y = alt.Y("name:N", title=None if labels else "instances", scale=alt.Scale(domain=order, paddingInner=0.06), axis=axis)
    low, high = scene.lowest, scene.limit
    scale = alt.Scale(type="log", domain=[low, max(high, low * 1.01)], scheme="viridis")
    ticks = log_ticks(low, high)
    legend = alt.Legend(title=scene.time_title, values=ticks, format="~g", gradientLength=220, direction="horizontal")
    cells = alt.Chart(data([r for r in rows if r["solved"]])).mark_rect().encode(
        x=x, y=y, color=alt.Color("shown:Q", scale=scale, legend=legend), tooltip=tooltip(scene))  # fmt: skip
    unsolved = [r for r in rows if not r["solved"]]
    base = alt.Chart(data(unsolved))
    crosses = [
        base.mark_rect(style="empty").encode(x=x, y=y, tooltip=tooltip(scene)),
        base.mark_text(style="cross", text="×", fontSize=min(13, max(6, height // len(order)))).encode(
            x=x, y=y, tooltip=tooltip(scene)),
    ]  # fmt: skip
    chart = alt.layer(cells, *(crosses if unsolved else ())).properties(**scene.size(COLUMN_WIDTH * len(columns), height))
    caption = (
        f"Each cell is the {TIMES[scene.time]} of a solver on an instance, hardest instances last; × was not solved within "
        f"{seconds(scene.limit)}. Of several seeds or repetitions the median is shown.{floor_note(scene)}"
    )
    title = f"Solver by instance{': ' + suffix[1:] if suffix else ''}"
    return [Plot(f"heat{suffix}", title, caption, chart, rows)]


def column(solver: str, encoding: str, scene: Scene) -> str:
    return f"{encoding}: {solver}" if len(scene.encodings) > 1 else solver


def cell_rows(scene: Scene) -> list[dict[str, Any]]:
    names = short_names(r.instance for r in scene.runs)
    cells = grouped(scene.runs, lambda r: (r.instance, r.encoding, r.solver))
    return [
        row(scene, run, solved=run.solved, column=column(solver, encoding, scene), name=names[instance])
        for (instance, encoding, solver), runs in sorted(cells.items())
        for run in [middle(runs)]
    ]


def by_hardness(rows: list[dict[str, Any]]) -> list[str]:
    """Instances by how many did not solve them, then by the sum of all times."""
    hardness: dict[str, list[float]] = {}
    for r in rows:
        own = hardness.setdefault(r["name"], [0, 0])
        own[0] += not r["solved"]
        own[1] += r["shown"]
    return sorted(hardness, key=lambda name: (*hardness[name], name))
