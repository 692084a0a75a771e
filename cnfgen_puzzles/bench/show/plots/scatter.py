"""Two solvers, or two encodings, instance by instance: below the diagonal the one on the vertical axis is faster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import altair as alt

from cnfgen_puzzles.bench.show.plots.common import DrawnRun, Plot, Scene, grouped, left_out, middle, notes, rows_of, spread
from cnfgen_puzzles.bench.show.plots.marks import RUNS, colour, data, drawn, limit_lines, log_axis, shape, time_scale


def scatter(scene: Scene, by: str, a: str, b: str, name: str) -> list[Plot]:
    """A point for each instance x encoding that both solvers ran, or each instance x solver that both encodings were run with."""
    rows = pair_rows(scene, by, a, b)
    if not rows:
        return []
    low, high = scene.lowest, scene.highest
    third = group_field(scene, by)
    domain = {"family": scene.families, "encoding": scene.encodings, "solver": scene.solvers}[third]
    x = alt.X("a_shown:Q", title=f"{a}: {scene.time_title}", scale=time_scale(low, high), axis=log_axis(low, high))
    y = alt.Y("b_shown:Q", title=f"{b}: {scene.time_title}", scale=time_scale(low, high), axis=log_axis(low, high))
    points = (
        alt.Chart(RUNS)
        .mark_point(filled=True, size=38, opacity=0.75)
        .encode(
            x=x, y=y, color=colour(scene, third, domain), shape=shape(scene, third, domain), tooltip=pair_tooltip(scene, a, b)
        )
    )
    diagonal = alt.Chart(data([{"t": low}, {"t": high}])).mark_line(style="reference").encode(x="t:Q", y="t:Q")
    side = min(scene.width or 300, scene.height or 300)
    square = replace(scene, width=side, height=side)
    chart = drawn(square, [diagonal, *limit_lines(scene, x=True, y=True), points], spread(rows), 300, 300)
    return [Plot(name, f"{b} against {a}", pair_caption(scene, rows, a, b), chart, rows)]


def group_field(scene: Scene, by: str) -> str:
    """What colour and shape tell: the family, or where there is only one, what else differs."""
    if len(scene.families) > 1:
        return "family"
    return "encoding" if by == "solver" else "solver"


def pair_rows(scene: Scene, by: str, a: str, b: str) -> Sequence[dict[str, Any]]:
    """Of several seeds or repetitions the median stands for all."""
    other = "encoding" if by == "solver" else "solver"
    sides = ([r for r in scene.runs if getattr(r, by) == side] for side in (a, b))
    first, second = (grouped(side, lambda r: (r.family, r.instance, getattr(r, other))) for side in sides)
    pairs = [(cell, middle(first[cell]), middle(second[cell])) for cell in sorted(first.keys() & second.keys())]

    def made(pair: tuple[tuple[str, str, str], DrawnRun, DrawnRun]) -> dict[str, Any]:
        (family, instance, third), one, two = pair
        told = {**side_row(scene, "a", one), **side_row(scene, "b", two)}
        return {"family": family, "instance": instance, other: third, **told, by: f"{a} / {b}"}

    return rows_of(pairs, made)


def side_row(scene: Scene, side: str, run: DrawnRun) -> dict[str, Any]:
    return {f"{side}_seconds": run.seconds, f"{side}_shown": scene.shown(run), f"{side}_status": run.status}


def pair_tooltip(scene: Scene, a: str, b: str) -> list[alt.Tooltip]:
    sides = []
    for side, name in (("a", a), ("b", b)):
        sides.append(alt.Tooltip(f"{side}_seconds:Q", title=f"{name}, {scene.time_title}", format=".4~g"))
        sides.append(alt.Tooltip(f"{side}_status:N", title=f"{name}, status"))
    return [alt.Tooltip("instance:N"), alt.Tooltip("encoding:N"), alt.Tooltip("solver:N"), *sides]


def pair_caption(scene: Scene, rows: Sequence[dict[str, Any]], a: str, b: str) -> str:
    """Who was faster how often; a run that was not solved is slower than every solved one."""
    won = [sum(r[f"{x}_shown"] < r[f"{y}_shown"] for r in rows) for x, y in ("ab", "ba")]
    return (
        f"{len(rows)} pairs; {a} is faster on {won[0]}, {b} on {won[1]} (below the diagonal). "
        f"Points on the lines were not solved. {notes(scene)}{left_out('pairs', len(spread(rows)), len(rows))}"
    )
