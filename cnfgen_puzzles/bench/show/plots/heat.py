"""Which solver took how long on which instance: a coloured cell for each, crossed where it was not solved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from cnfgen_puzzles.bench.show.plots.common import (
    MOST_MARKS,
    TIMES,
    Plot,
    Scene,
    grouped,
    left_out,
    log_ticks,
    middle,
    notes,
    rows_of,
    short_names,
    spread,
)
from cnfgen_puzzles.bench.show.plots.marks import RUNS, drawn, row, tooltip

ROW_HEIGHT, COLUMN_WIDTH, WIDEST = 13, 30, 720
TALLEST, LOWEST_NAMED = 1200, 10
"""Where there are more rows than go into this height they become lower, and without names below the second number."""


def heat(scene: Scene, suffix: str = "") -> list[Plot]:
    """Instances from the easiest to the hardest; a column for each solver, encoding by encoding."""
    rows = cell_rows(scene)
    if not rows:
        return []
    met = {(r.encoding, r.solver) for r in scene.runs}
    columns = [column(s, e, scene) for e in scene.encodings for s in scene.solvers if (e, s) in met]
    whole = by_hardness(rows)
    order = spread(whole, max(2, 2 * MOST_MARKS // len(columns)))
    chosen = set(order)
    shown = [r for r in rows if r["name"] in chosen]
    height = scene.height or min(TALLEST, ROW_HEIGHT * len(order))
    width = scene.width or min(WIDEST, COLUMN_WIDTH * len(columns))
    named = height >= LOWEST_NAMED * len(order)
    place = {"x": across(columns), "y": down(order, named), "tooltip": tooltip(scene)}
    unsolved = alt.Chart(RUNS).transform_filter("!datum.solved")
    cross = unsolved.mark_text(style="cross", text="×", fontSize=min(13, max(4, height // len(order))))
    layers = [
        alt.Chart(RUNS).transform_filter("datum.solved").mark_rect().encode(**place, color=heat_colour(scene, width)),
        unsolved.mark_rect(style="empty").encode(**place),
        cross.encode(**place),
    ]
    chart = drawn(scene, layers, shown, width, height)
    caption = (
        f"Each cell is the {TIMES[scene.time]} of a solver on an instance, hardest instances last; × was not solved. "
        f"Of several seeds or repetitions the median is shown. {notes(scene)}"
        f"{left_out('instances', len(order), len(whole))}"
    )
    title = f"Solver by instance{': ' + suffix[1:] if suffix else ''}"
    return [Plot(f"heat{suffix}", title, caption, chart, rows)]


def across(columns: list[str]) -> alt.X:
    slanted: dict[str, Any] = {
        "labelAngle": -60, "labelAlign": "left", "labelBaseline": "middle", "labelPadding": 6, "labelLimit": 240
    }  # fmt: skip
    axis = alt.Axis(orient="top", ticks=False, domain=False, **slanted)
    return alt.X("column:N", title=None, scale=alt.Scale(domain=columns, paddingInner=0.06), axis=axis)


def down(order: list[str], named: bool) -> alt.Y:
    axis = alt.Axis(labels=named, ticks=False, domain=False, labelLimit=180, labelFontSize=10)
    return alt.Y("name:N", title=None if named else "instances", scale=alt.Scale(domain=order, paddingInner=0.06), axis=axis)


def heat_colour(scene: Scene, width: int) -> alt.Color:
    low, high = scene.lowest, max(scene.highest, scene.lowest * 1.01)
    ticks = log_ticks(low, high)
    legend = alt.Legend(
        title=scene.time_title, values=ticks, format="~g", gradientLength=min(220, max(100, width)), direction="horizontal"
    )
    return alt.Color("shown:Q", scale=alt.Scale(type="log", domain=[low, high], scheme="viridis"), legend=legend)


def column(solver: str, encoding: str, scene: Scene) -> str:
    return f"{encoding}: {solver}" if len(scene.encodings) > 1 else solver


def cell_rows(scene: Scene) -> Sequence[dict[str, Any]]:
    names = short_names(r.instance for r in scene.runs)
    cells = grouped(scene.runs, lambda r: (r.instance, r.encoding, r.solver))
    runs = [middle(cells[cell]) for cell in sorted(cells)]
    told = {(r.solver, r.encoding): column(r.solver, r.encoding, scene) for r in runs}
    return rows_of(runs, lambda r: row(scene, r, solved=r.solved, column=told[r.solver, r.encoding], name=names[r.instance]))


def by_hardness(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Instances by how many did not solve them, then by the sum of all times."""
    hardness: dict[str, list[float]] = {}
    for r in rows:
        own = hardness.setdefault(r["name"], [0, 0])
        own[0] += not r["solved"]
        own[1] += r["shown"]
    return sorted(hardness, key=lambda name: (*hardness[name], name))
