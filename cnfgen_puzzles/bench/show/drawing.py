"""`charts(records)` draws benchmark results: cactus plot, survival function, box plot, scatter plot, heat map, scaling plot.

This module imports altair, so other modules import it only to draw.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.bench.analyse.rules import DEFAULT, TIMES, Rules
from cnfgen_puzzles.bench.analyse.scores import FLOOR, MARK, Performance, median
from cnfgen_puzzles.bench.analyse.statistics import TIES, fit_power, sums_of
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.show.plots import (
    DASHES,
    FACETS,
    KINDS,
    MOST_MARKS,
    SHAPES,
    Plot,
    Scene,
    facet,
    grouped,
    left_out,
    log_ticks,
    notes,
    seconds,
    short_names,
    spread,
)
from cnfgen_puzzles.bench.show.plots import (
    scene as scene_of,
)
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.installation import install_extra

try:
    import altair as alt
except ImportError as error:
    raise InputError(f"plots need the package {error.name or 'altair'}: {install_extra('bench')}") from None

WIDTH, HEIGHT = 380, 260
"""The size of most charts without axes and legends."""
HEADROOM = 1.25
"""The factor between the limit and the end of a time axis."""
LONG_NAME = 24
"""Characters of a name that fit into the title of an axis."""
MOST_LINES = 16
"""If solvers x encodings are more, each encoding gets a separate plot."""


def charts(
    records: Sequence[Record],
    *,
    rules: Rules = DEFAULT,
    kinds: Sequence[str] = tuple(KINDS),
    by: str | None = None,
    compare: tuple[str, str] | None = None,
    size: str | None = None,
    **look: Any,
) -> list[Plot]:
    """The plots of these kinds, over all families if they are comparable, else for each family; a kind for which the results have
    too few runs gives no plot.

    `by` is "solver" or "encoding": one line for each of these. `compare` names the two sides of scatter plots (by default the two
    best solvers, and two encodings of each family). `size` is the measure of scaling plots. `look` is for `scene`: `width`,
    `height`, `per_run`.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(unknown_name("kind of plot", kind, KINDS))
    whole = scene_of(records, rules=rules, **look)
    sizes = {name for run in whole.runs for name in sizes_of(run)} if size else ()
    if size and size not in sizes:
        raise InputError(unknown_name("size", size, sizes))
    whole = whole.fair if by == "encoding" else whole
    several = len(whole.families) > 1
    families = {family: whole.of(family) if several else whole for family in whole.families}
    parts = [((family,) if several else (), scene) for family, scene in families.items()]
    found: list[Plot | None] = []
    for kind in kinds if whole.runs else ():
        if kind in ("cactus", "survival"):
            if by or several:
                found.append(curves(kind, whole, by or "solver", ()))
            for part, scene in () if by else parts:
                if len(scene.encodings) > 1 and len(scene.encodings) * len(scene.solvers) > MOST_LINES:
                    found += (curves(kind, scene.of(encoding=each), "solver", (*part, each)) for each in scene.encodings)
                else:
                    found.append(curves(kind, scene, None, part))
        elif kind == "scatter":
            found += _scatters(whole, families, by, compare)
        elif kind == "box":
            found += (boxes(scene, by or "solver", part) for part, scene in (parts if by == "encoding" else [((), whole)]))
        elif kind == "heat":
            found += (heat(scene, part) for part, scene in parts)
        else:  # sizes of families are not comparable, and exponents of encodings differ
            for law, scene in alike(whole).items():
                if by == "encoding":
                    found.append(scaling(scene, "encoding", size, law))
                else:
                    found += (scaling(scene.of(encoding=each), "solver", size, (*law, each)) for each in scene.encodings)
    return [plot for plot in found if plot is not None]


def _scatters(whole: Scene, families: Mapping[str, Scene], by: str | None, compare: tuple[str, str] | None) -> list[Plot | None]:
    if compare:
        first, second = (f"{name}{MARK}" if f"{name}{MARK}" in whole.out else name for name in compare)
        known = {"solver": whole.solvers, "encoding": whole.encodings}
        sides = {side: known[side] for side in known if by in (None, side)}
        for side, have in sides.items():
            if first != second and {first, second} <= {*have}:
                return [scatter(whole, side, first, second, ())]
        expected = " or ".join(f"two {side}s of {', '.join(have)}" for side, have in sides.items())
        raise InputError(f"found {first!r} and {second!r} to compare, expected {expected}")
    plots: list[Plot | None] = []
    if by in (None, "solver") and len(whole.solvers) > 1:
        plots.append(scatter(whole, "solver", whole.solvers[0], whole.solvers[1], ("solvers",)))
    for family, scene in families.items() if by in (None, "encoding") else ():
        runs = Counter(facet(run, "encoding") for run in scene.fair.runs)
        if len(runs) > 1:  # the two with the most runs
            first, second = sorted(runs, key=lambda e: (-runs[e], e))[:2]
            plots.append(scatter(scene.fair, "encoding", first, second, ("encodings", family)))
    return plots


def plot_of(kind: str, part: Sequence[str], title: str, caption: str, chart: alt.LayerChart, rows: list[dict[str, Any]]) -> Plot:
    """A plot of a part of the runs: of a family, and an encoding. Its name is valid in file names and links."""
    name = "".join(c if c.isalnum() or c in "-_." else "_" for c in "-".join([kind, *part]))
    return Plot(kind, name, title, caption, chart, rows)


def of(part: Sequence[str]) -> str:
    """The end of a title: the part of the runs."""
    return f": {', '.join(part)}" if part else ""


# -- parts of charts ------------------------------------------------------------------------------------------------------


def layered(
    scene: Scene, layers: list[alt.Chart], rows: list[dict[str, Any]], width: int = WIDTH, height: int = HEIGHT
) -> alt.LayerChart:
    """A chart of these layers on common rows. The rows are added last, since altair checks all values of new data."""
    chart = alt.LayerChart(layer=layers).properties(width=scene.width or width, height=scene.height or height)
    chart.data = alt.InlineData(values=[])
    chart.data.values = rows
    return chart


def own_chart(rows: list[dict[str, Any]]) -> alt.Chart:
    """A chart with separate rows."""
    return alt.Chart(alt.InlineData(values=rows))


def row(scene: Scene, run: Performance, **more: Any) -> dict[str, Any]:
    """The row of a run in every chart: `seconds` as measured, `shown` as drawn."""
    names = {name: facet(run, name) for name in FACETS}
    return {**names, "seconds": run.seconds, "shown": scene.shown(run), "status": run.status, **more}


def tooltip(scene: Scene, *more: alt.Tooltip) -> list[alt.Tooltip]:
    names = [alt.Tooltip(f"{name}:N") for name in ("instance", "encoding", "solver")]
    return [*names, alt.Tooltip("seconds:Q", title=scene.time_title, format=".4~g"), alt.Tooltip("status:N"), *more]


def time_axis(scene: Scene, high: float | None = None) -> dict[str, Any]:
    """Scale and axis of a channel for times, logarithmic, from the lowest to the highest of the scene (or to `high`)."""
    low, high = scene.lowest / 1.1, (scene.highest if high is None else high) * HEADROOM
    scale = alt.Scale(type="log", domain=[low, high], nice=False, clamp=True)
    return {"scale": scale, "axis": alt.Axis(values=log_ticks(low, high), format="~g", labelOverlap=True)}


def legend(scene: Scene, title: str, domain: Sequence[Any], **look: Any) -> alt.Legend | None:
    """A legend below the chart with the columns that fit: 6 units for a letter, 20 for a mark, 14 between columns."""
    if len(domain) < 2:
        return None
    longest = max(len(name) for name in domain)
    return alt.Legend(title=title, columns=max(1, min(4, ((scene.width or WIDTH) + 14) // (6 * longest + 34))), **look)


def marked(scene: Scene, field: str, domain: Sequence[str], title: str = "") -> dict[str, Any]:
    """Color and shape by a field; the theme has the palette, so that a chart can change between light and dark."""
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(domain))]
    shown = legend(scene, title or field, domain)
    return {
        "color": alt.Color(f"{field}:N", scale=alt.Scale(domain=list(domain)), legend=shown),
        "shape": alt.Shape(f"{field}:N", scale=alt.Scale(domain=list(domain), range=shapes), legend=shown),
    }


def dash(field: str, domain: Sequence[str], legend: alt.Legend | None = None) -> alt.StrokeDash:
    dashes = [DASHES[i % len(DASHES)] for i in range(len(domain))]
    return alt.StrokeDash(f"{field}:N", scale=alt.Scale(domain=list(domain), range=dashes), legend=legend)


def limit_lines(scene: Scene, *, x: bool = False, y: bool = False) -> list[alt.Chart]:
    """The line of the limit, where unsolved runs are drawn, and its label above the chart or below the line."""
    if scene.highest < scene.limit:
        return []
    name = f"limit {seconds(scene.limit)}" if scene.limits else "unsolved"
    place = own_chart([{"limit": scene.limit, "name": name}])
    layers = []
    if x:
        layers.append(place.mark_rule(style="limit").encode(x="limit:Q"))
        above = place.mark_text(style="note", align="right", baseline="bottom", dx=4, dy=-3)
        layers.append(above.encode(x="limit:Q", y=alt.value(0), text="name:N"))
    if y:
        layers.append(place.mark_rule(style="limit").encode(y="limit:Q"))
    if y and not x:
        below = place.mark_text(style="note", align="left", baseline="top", dy=3, dx=4)
        layers.append(below.encode(x=alt.value(0), y="limit:Q", text="name:N"))
    return layers


MARKERS = 12
"""The approximate number of marks on a line; every run has a tooltip, but not every run has a mark."""


def curves(kind: str, scene: Scene, by: str | None, part: Sequence[str]) -> Plot | None:
    """Cactus plot: the k-th fastest run of a line is at (k, its time). Further right is better, lower is faster.
    Survival plot: the fraction of the runs of a line that are solved within a time.

    Color and shape show the solver, dashes the encoding; with `by`, all three show the solver or the encoding.
    """
    rows = curve_rows(scene, by)
    if not rows:
        return None
    every = max(1, len(rows) // MOST_MARKS)  # of very many, those with a mark and some between them
    drawn = [r for r in rows if r["mark"] or r["solved"] % every == 0]
    x: alt.X
    y: alt.Y
    if kind == "cactus":
        most = max(r["solved"] for r in rows)
        scale = alt.Scale(domain=[0, most + max(0.5, most * 0.02)], nice=False)
        x = alt.X("solved:Q", title=f"{scene.unit} solved", axis=alt.Axis(tickMinStep=1, format="d"), scale=scale)
        y = alt.Y("shown:Q", title=scene.time_title, **time_axis(scene))
        limit, line = limit_lines(scene, y=True), alt.Chart().mark_line(strokeWidth=1.6)
        title = f"Cactus plot{of(part)}"
        caption = f"{scene.unit.capitalize()} solved within a time: the k-th fastest of each line is at k."
    else:
        x = alt.X("shown:Q", title=scene.time_title, **time_axis(scene))
        y = alt.Y("share:Q", title="fraction solved", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5))
        limit, line = limit_lines(scene, x=True), alt.Chart().mark_line(strokeWidth=1.6, interpolate="step-after")
        for last in {r["line"]: r for r in rows}.values():  # the steps begin at 0 and end at the limit
            drawn.append({**last, "shown": min(scene.lowest, FLOOR), "share": 0.0, "solved": 0, "end": True})
            drawn.append({**last, "shown": scene.highest, "end": True})
        title = f"Fraction solved within a time{of(part)}"
        caption = f"Fraction of the {scene.unit} of each line that are solved within a time."
    field = by or "solver"
    domain = scene.encodings if by == "encoding" else scene.solvers
    stroke = dash(field, domain)
    if by is None and len(scene.encodings) > 1:
        strokes = legend(scene, "encoding", scene.encodings, symbolType="stroke", symbolSize=400, symbolStrokeWidth=2)
        stroke = dash("encoding", scene.encodings, strokes)
    look = marked(scene, field, domain)
    points = alt.Chart().transform_filter("!datum.end").mark_point(filled=True, size=42)
    marks = points.encode(
        x=x, y=y, **look,
        opacity=alt.condition("datum.mark", alt.value(1), alt.value(0)),
        tooltip=tooltip(scene, alt.Tooltip("solved:Q", title=f"{scene.unit} solved")),
    )  # fmt: skip
    layers = [*limit, line.encode(x=x, y=y, color=look["color"], strokeDash=stroke, detail="line:N"), marks]
    chart = layered(scene, layers, sorted(drawn, key=lambda r: (r["line"], r["solved"], r["shown"])))
    return plot_of(kind, part, title, f"{caption} {notes(scene)}", chart, rows)


def curve_rows(scene: Scene, by: str | None) -> list[dict[str, Any]]:
    """The solved runs of each line by time. Lines have marks at different runs, so that all marks of overlapping lines show."""
    lines = grouped(scene.runs, *([by] if by else ["solver", "encoding"]))
    rows = []
    for number, name in enumerate(sorted(lines)):
        order = ("family", "instance", "encoding", "solver")
        solved = [run for run in lines[name] if run.solved]
        solved.sort(key=lambda run: (run.seconds, *(facet(run, name) for name in order)))
        every = max(1, round(len(solved) / MARKERS))
        for k, run in enumerate(solved, 1):
            mark = k % every == number % every or k == len(solved)
            rows.append(row(scene, run, line=" ".join(name), solved=k, share=k / len(lines[name]), mark=mark))
    return rows


BOX_HEIGHT = 34


def boxes(scene: Scene, by: str, part: Sequence[str]) -> Plot:
    """Quartiles and median of the drawn times, whiskers from the fastest to the slowest run, a diamond at PAR-k."""
    groups = {name: runs for (name,), runs in grouped(scene.runs, by).items()}
    domain = scene.encodings if by == "encoding" else scene.solvers
    order = [name for name in domain if name in groups]
    rows: list[dict[str, Any]] = []
    for name in order:
        runs, times = groups[name], sorted(map(scene.shown, groups[name]))
        quartiles = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
        rows.append({by: name, "runs": len(runs), "solved": sum(r.solved for r in runs), "fastest": times[0]})
        rows[-1] |= dict(zip(("q1", "median", "q3"), quartiles, strict=True)) | {"slowest": times[-1]}
        rows[-1]["par"] = max(sum(r.cost for r in runs) / len(runs), FLOOR)
    high = max([scene.highest, *(r["par"] for r in rows)])
    y = alt.Y(f"{by}:N", title=None, scale=alt.Scale(domain=order), axis=alt.Axis(labelFontSize=12))
    tint = alt.Color(f"{by}:N", scale=alt.Scale(domain=list(domain)), legend=None)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title=scene.time_title, **time_axis(scene, high))

    of_boxes = own_chart(rows)
    unit = (scene.height or BOX_HEIGHT * len(order)) / (BOX_HEIGHT * len(order))
    words = [alt.Tooltip(f"{by}:N"), alt.Tooltip("runs:Q"), alt.Tooltip("solved:Q")]
    words += [alt.Tooltip(f"{name}:Q", format=".4~g") for name in ("fastest", "q1", "median", "q3", "slowest")]
    words.append(alt.Tooltip("par:Q", title=f"PAR-{scene.rules.par:g}", format=".4~g"))
    shown = [run for name in order for run in spread(sorted(groups[name], key=scene.shown), MOST_MARKS // len(order))]
    ticks = [row(scene, run) for run in shown]
    up = -5 * unit
    layers = [
        of_boxes.mark_rule(strokeWidth=1.4, yOffset=up).encode(x=x("fastest"), x2="slowest", y=y, color=tint),
        of_boxes.mark_bar(size=13 * unit, yOffset=up, opacity=0.55).encode(x=x("q1"), x2="q3", y=y, color=tint, tooltip=words),
        of_boxes.mark_tick(style="ink", size=15 * unit, thickness=2, yOffset=up).encode(x=x("median"), y=y, tooltip=words),
        of_boxes.mark_point(style="ink", shape="diamond", size=55, yOffset=up).encode(x=x("par"), y=y, tooltip=words),
        alt.Chart().mark_tick(size=7 * unit, thickness=1, yOffset=9 * unit, opacity=0.6).encode(
            x=x("shown"), y=y, color=tint, tooltip=tooltip(scene)),
    ]  # fmt: skip
    chart = layered(scene, [*limit_lines(scene, x=True), *layers], ticks, WIDTH, BOX_HEIGHT * len(order))
    caption = (
        f"Box: quartiles and median; line: fastest to slowest; diamond: PAR-{scene.rules.par:g}; ticks: the {scene.unit}. "
        f"Unsolved {scene.unit} count as the limit. {notes(scene)}{left_out('ticks', len(ticks), sum(map(len, groups.values())))}"
    )
    return plot_of("box", part, f"Times by {by}{of(part)}", caption, chart, rows)


def scatter(scene: Scene, by: str, a: str, b: str, part: Sequence[str]) -> Plot | None:
    """Scatter plot: a point for each instance x encoding that both solvers ran, or each instance x solver for both encodings."""
    other = "encoding" if by == "solver" else "solver"
    sides = ([r for r in scene.runs if facet(r, by) == side] for side in (a, b))
    first, second = (grouped(side, "family", "instance", other) for side in sides)
    rows: list[dict[str, Any]] = []
    instances: dict[tuple[str, ...], list[tuple[Performance, Performance]]] = {}
    for cell in sorted(first.keys() & second.keys()):
        found: dict[str, Any] = dict(zip(("family", "instance", other), cell, strict=True))
        pair = median(first[cell]), median(second[cell])
        for side, run in zip("ab", pair, strict=True):
            found |= {f"{side}_seconds": run.seconds, f"{side}_shown": scene.shown(run), f"{side}_status": run.status}
        rows.append(found | {by: f"{a} / {b}"})
        instances.setdefault(cell[:2], []).append(pair)
    if not rows:
        return None
    third = "family" if len(scene.families) > 1 else other
    domain = {"family": scene.families, "encoding": scene.encodings, "solver": scene.solvers}[third]
    # a long name gets a separate line
    titles = [f"{side}: {scene.time_title}" if len(side) <= LONG_NAME else [side, scene.time_title] for side in (a, b)]
    x = alt.X("a_shown:Q", title=titles[0], **time_axis(scene))
    y = alt.Y("b_shown:Q", title=titles[1], **time_axis(scene))
    words = [alt.Tooltip(f"{name}:N") for name in ("instance", "encoding", "solver")]
    for side, contestant in (("a", a), ("b", b)):
        words.append(alt.Tooltip(f"{side}_seconds:Q", title=f"{contestant}, {scene.time_title}", format=".4~g"))
        words.append(alt.Tooltip(f"{side}_status:N", title=f"{contestant}, status"))
    marks = alt.Chart().mark_point(filled=True, size=38, opacity=0.75)
    points = marks.encode(x=x, y=y, **marked(scene, third, domain), tooltip=words)
    diagonal = own_chart([{"t": scene.lowest}, {"t": scene.highest}]).mark_line(style="reference").encode(x="t:Q", y="t:Q")
    length = min(scene.width or 300, scene.height or 300)
    square = replace(scene, width=length, height=length)
    shown = spread(rows)
    chart = layered(square, [diagonal, *limit_lines(scene, x=True, y=True), points], shown)
    differences = [sums_of(pairs)[1] for pairs in instances.values()]  # as `bench-cnf scores --compare` counts
    wins, losses = sum(d < 0 for d in differences), sum(d > 0 for d in differences)
    ties = len(differences) - wins - losses
    caption = (
        f"{len(rows)} pairs on {wins + losses + ties} instances: {a} is better on {wins}, {b} on {losses} (below the diagonal), "
        f"{ties} {'are ties' if ties != 1 else 'is a tie'}. {TIES} "
        f"Points on the lines are unsolved. {notes(scene)}{left_out('pairs', len(shown), len(rows))}"
    )
    return plot_of("scatter", part, f"{b} against {a}", caption, chart, rows)


ROW_HEIGHT, COLUMN_WIDTH, WIDEST = 13, 30, 720
TALLEST, LOWEST_NAMED = 1200, 10
"""With more rows than fit into this height, rows get lower; below the second number, they have no names."""


def heat(scene: Scene, part: Sequence[str]) -> Plot:
    """Heat map: instances from the easiest to the hardest, a column for each encoding and solver."""
    names = short_names(facet(run, "instance") for run in scene.runs)
    several = len(scene.encodings) > 1
    rows = []
    for (instance, encoding, solver), runs in sorted(grouped(scene.runs, "instance", "encoding", "solver").items()):
        column, run = f"{encoding}: {solver}" if several else solver, median(runs)
        rows.append(row(scene, run, solved=run.solved, column=column, name=names[instance]))
    met = {r["column"] for r in rows}
    every = (f"{encoding}: {solver}" if several else solver for encoding in scene.encodings for solver in scene.solvers)
    columns = [column for column in every if column in met]
    hardness: dict[str, list[float]] = {}  # of each instance: unsolved runs, sum of all times
    for r in rows:
        own = hardness.setdefault(r["name"], [0, 0])
        own[0] += not r["solved"]
        own[1] += r["shown"]
    whole = sorted(hardness, key=lambda name: (*hardness[name], name))
    order = spread(whole, max(2, 2 * MOST_MARKS // len(columns)))
    chosen = set(order)
    shown = [r for r in rows if r["name"] in chosen]
    height = scene.height or min(TALLEST, ROW_HEIGHT * len(order))
    width = scene.width or min(WIDEST, COLUMN_WIDTH * len(columns))
    named = height >= LOWEST_NAMED * len(order)
    across = alt.Axis(orient="top", ticks=False, domain=False, labelAngle=-90, labelPadding=6)
    down = alt.Axis(labels=named, ticks=False, domain=False, labelFontSize=10)
    x = alt.X("column:N", title=None, scale=alt.Scale(domain=columns, paddingInner=0.06), axis=across)
    y = alt.Y("name:N", title=None if named else "instances", scale=alt.Scale(domain=order, paddingInner=0.06), axis=down)
    place = {"x": x, "y": y, "tooltip": tooltip(scene)}
    low, high = scene.lowest, max(scene.highest, scene.lowest * 1.01)
    bar = alt.Legend(title=scene.time_title, values=log_ticks(low, high), format="~g", direction="horizontal",
                     gradientLength=min(220, max(100, width)))  # fmt: skip
    tint = alt.Color("shown:Q", scale=alt.Scale(type="log", domain=[low, high], scheme="viridis"), legend=bar)
    unsolved = alt.Chart().transform_filter("!datum.solved")
    cross = unsolved.mark_text(style="cross", text="×", fontSize=min(13, max(4, height // len(order))))
    layers = [
        alt.Chart().transform_filter("datum.solved").mark_rect().encode(**place, color=tint),
        unsolved.mark_rect(style="empty").encode(**place),
        cross.encode(**place),
    ]
    chart = layered(scene, layers, shown, width, height)
    caption = (
        f"Each cell is the {TIMES[scene.rules.time]} of a solver on an instance, hardest instances last; × is unsolved. "
        f"Several seeds or repetitions are shown by their median. {notes(scene)}"
        f"{left_out('instances', len(order), len(whole))}"
    )
    return plot_of("heat", part, f"Solver by instance{of(part)}", caption, chart, rows)


def sizes_of(run: Performance) -> dict[str, float]:
    """The measures of the instance that are numbers, and those of its formula."""
    cnf = run.record.get("cnf") or {}
    sizes = {**(run.record.get("size") or {}), **{key: cnf[key] for key in ("clauses", "variables") if cnf.get(key)}}
    return {key: value for key, value in sizes.items() if isinstance(value, (int, float)) and value > 0}


def alike(scene: Scene) -> dict[tuple[str, ...], Scene]:
    """The scenes of a common law of sizes: by family, and by the feature `family`, which CNF files need."""
    runs: dict[tuple[str, ...], list[Performance]] = {}
    for run in scene.runs:
        family, feature = facet(run, "family"), (run.record.get("features") or {}).get("family")
        if feature or family != CNF:
            runs.setdefault((family, *([str(feature)] if feature else [])), []).append(run)
    return {part: replace(scene, runs=tuple(runs[part])) for part in sorted(runs)}


def scaling(scene: Scene, by: str, measure: str | None, part: Sequence[str]) -> Plot | None:
    """Scaling plot: one chart, a color for each solver (or encoding); none for fewer than three sizes."""
    if measure is None:  # the first one of the family (that of most runs)
        firsts = Counter("clauses" if r.record["family"] == CNF else next(iter(sizes_of(r)), "clauses") for r in scene.runs)
        measure = min(firsts, key=lambda name: (-firsts[name], name), default="clauses")
    runs = [r for r in scene.runs if sizes_of(r).get(measure)]
    if len({sizes_of(r)[measure] for r in runs}) < 3 or not any(r.solved for r in runs):
        return None
    order = scene.encodings if by == "encoding" else scene.solvers
    own = grouped(runs, by)
    rows, labels, ends, sizes = [], [], [], []
    for name in order:
        # one run for each instance, the median: repetitions do not make an exponent more certain
        medians = [median(each) for each in grouped(own.get((name,), []), "instance").values()]
        marks = [(sizes_of(r)[measure], r.seconds) for r in medians if r.solved and r.seconds >= FLOOR]
        fit = fit_power(marks)
        labels.append(f"{name}: {fit.exponent:.2f} [{fit.low:.2f}, {fit.high:.2f}]" if fit else f"{name}: no fit")
        measured = [sizes_of(r)[measure] for r in medians]
        rows += [row(scene, r, size=n, series=labels[-1], solved=r.solved) for r, n in zip(medians, measured, strict=True)]
        sizes += measured
        if fit:  # from the smallest to the largest of its runs
            bounds = (min(measured), max(measured))
            ends += [{"series": labels[-1], "size": n, "shown": fit(n)} for n in bounds]
    small, large = min(sizes) / 1.1, max(sizes) * 1.1
    ticks = alt.Axis(values=log_ticks(small, large), format="~s", labelOverlap=True)
    x = alt.X("size:Q", title=measure, scale=alt.Scale(type="log", domain=[small, large], nice=False), axis=ticks)
    y = alt.Y("shown:Q", title=scene.time_title, **time_axis(scene))
    look = marked(scene, "series", labels, "exponent")
    channels = {"x": x, "y": y, **look, "tooltip": tooltip(scene, alt.Tooltip("size:Q", title=measure))}
    base = alt.Chart()
    parts = [
        *limit_lines(scene, y=True),
        base.transform_filter("datum.solved").mark_point(filled=True, size=32, opacity=0.7).encode(**channels),
        base.transform_filter("!datum.solved").mark_point(filled=False, size=42, strokeWidth=1.2).encode(**channels),
    ]
    if ends:
        fitted = own_chart(ends).mark_line(strokeWidth=1.6, clip=True)
        parts.append(fitted.encode(x=x, y=y, color=look["color"], strokeDash=dash("series", labels)))
    chart = layered(scene, parts, spread(rows))
    law = (
        f"Exponents b of time = a * {measure}^b, in brackets their 95 % confidence intervals: least squares on the logarithms of "
        f"marks of at least {FLOOR * 1000:g} ms. Hollow marks are unsolved and not part of the fit, so the exponent is too low "
        "if they are many."
    )
    caption = (
        f"A mark for each instance, the median of its runs. {law} {notes(scene)}{left_out('marks', len(spread(rows)), len(rows))}"
    )
    return plot_of("scaling", part, f"Time against {measure}{of(part)}", caption, chart, rows)
