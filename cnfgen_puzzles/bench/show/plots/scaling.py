"""Time against size on logarithmic axes, with the exponent of a power law fitted to each solver's runs."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from cnfgen_puzzles.bench.show.plots.common import (
    FLOOR,
    DrawnRun,
    Plot,
    Scene,
    grouped,
    left_out,
    log_ticks,
    middle,
    notes,
    rows_of,
    spread,
)
from cnfgen_puzzles.bench.show.plots.marks import (
    RUNS,
    colour,
    dash,
    data,
    drawn,
    limit_lines,
    log_axis,
    row,
    shape,
    time_scale,
    tooltip,
)
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError

LEAST_RUNS = 4
"""Solved runs that a fit needs, of at least three sizes: two free numbers, and something left to judge them by."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Fit:
    """time = factor * size ** exponent; `low` and `high` bound the exponent with 95 % confidence."""

    exponent: float
    low: float
    high: float
    factor: float
    points: int

    def __call__(self, size: float) -> float:
        return float(self.factor * size**self.exponent)


def fit_power(points: Sequence[tuple[float, float]]) -> Fit | None:
    """Least squares of log time on log size, Student's interval of the slope; None for too few points to say anything.

    >>> fit = fit_power([(n, 3 * n**2) for n in (1, 2, 4, 8)])
    >>> f"{fit.exponent:.3f} {fit.factor:.3f}"
    '2.000 3.000'
    """
    if len(points) < LEAST_RUNS or len({size for size, _ in points}) < 3:
        return None
    try:
        from scipy.special import stdtrit  # Student's quantiles; scipy.stats has them too and takes seconds to import
    except ImportError:
        raise InputError("fitted exponents need the package scipy: pip install 'cnfgen-puzzles[bench]'") from None
    x, y = [math.log(size) for size, _ in points], [math.log(time) for _, time in points]
    slope, intercept = statistics.linear_regression(x, y)
    freedom = len(points) - 2
    residue = sum((b - slope * a - intercept) ** 2 for a, b in zip(x, y, strict=True)) / freedom
    mean = statistics.fmean(x)
    spread = sum((a - mean) ** 2 for a in x)
    half = float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * math.sqrt(residue / spread)
    return Fit(slope, slope - half, slope + half, math.exp(intercept), len(points))


def first_size(scene: Scene) -> str:
    """The measure that the family puts first (that of most runs); clauses where there is none."""
    firsts = Counter("clauses" if r.family == CNF else next(iter(r.sizes), "clauses") for r in scene.runs)
    return min(firsts, key=lambda name: (-firsts[name], name)) if firsts else "clauses"


def scaling(scene: Scene, by: str, measure: str | None, suffix: str = "", title: str = "") -> list[Plot]:
    """One chart, a colour for each solver (or encoding); nothing if there are fewer than three sizes."""
    measure = measure or first_size(scene)
    runs = [r for r in scene.runs if r.sizes.get(measure)]
    if len({r.sizes[measure] for r in runs}) < 3 or not any(r.solved for r in runs):
        return []
    order = scene.encodings if by == "encoding" else scene.solvers
    own = grouped(runs, lambda r: getattr(r, by))
    medians = {name: medians_of(own.get(name, [])) for name in order}
    fits = {name: fit_power(fitted_points(found, measure)) for name, found in medians.items()}
    labels = {name: label(name, fit) for name, fit in fits.items()}
    marked = [(name, r) for name in order for r in medians[name]]

    def made(mark: tuple[str, DrawnRun]) -> dict[str, Any]:
        name, r = mark
        return row(scene, r, size=r.sizes[measure], series=labels[name], solved=r.solved)

    rows = rows_of(marked, made)
    sizes = {name: [r.sizes[measure] for r in found] for name, found in medians.items() if found}
    chart = drawn(scene, layers(scene, measure, list(labels.values()), sizes, fit_ends(sizes, fits)), spread(rows))
    caption = (
        f"A mark for each instance, the median of its runs. Exponents b of time = a * {measure}^b, in brackets their 95 % "
        f"confidence intervals: least squares on the logarithms of marks of at least {FLOOR * 1000:g} ms. Hollow marks were not "
        f"solved; they are not in the fit, so the exponent is too low where they are many. {notes(scene)}"
        f"{left_out('marks', len(spread(rows)), len(rows))}"
    )
    return [Plot(f"scaling{suffix}", f"Time against {measure}{title}", caption, chart, rows)]


def medians_of(runs: Sequence[DrawnRun]) -> list[DrawnRun]:
    """A run for each instance, the median of all: repetitions of an instance do not make an exponent surer."""
    return [middle(own) for own in grouped(runs, lambda r: r.instance).values()]


def fitted_points(medians: Sequence[DrawnRun], measure: str) -> list[tuple[float, float]]:
    return [(r.sizes[measure], r.seconds) for r in medians if r.solved and r.seconds >= FLOOR]


def label(name: str, fit: Fit | None) -> str:
    return f"{name}: no fit" if fit is None else f"{name}: {fit.exponent:.2f} [{fit.low:.2f}, {fit.high:.2f}]"


def layers(
    scene: Scene, measure: str, domain: list[str], sizes: dict[str, list[float]], ends: list[dict[str, Any]]
) -> list[alt.Chart]:
    """Filled marks for solved runs, hollow ones on the line of the limit for the others, and the fitted lines."""
    small, large = min(map(min, sizes.values())) / 1.1, max(map(max, sizes.values())) * 1.1
    ticks = alt.Axis(values=log_ticks(small, large), format="~s", labelOverlap=True)
    x = alt.X("size:Q", title=measure, scale=alt.Scale(type="log", domain=[small, large], nice=False), axis=ticks)
    low, high = scene.lowest, scene.highest
    y = alt.Y("shown:Q", title=scene.time_title, scale=time_scale(low, high), axis=log_axis(low, high))
    hue, form = colour(scene, "series", domain, title="exponent"), shape(scene, "series", domain, title="exponent")
    marks = {"x": x, "y": y, "color": hue, "shape": form, "tooltip": tooltip(scene, alt.Tooltip("size:Q", title=measure))}
    base = alt.Chart(RUNS)
    parts = [
        *limit_lines(scene, y=True),
        base.transform_filter("datum.solved").mark_point(filled=True, size=32, opacity=0.7).encode(**marks),
        base.transform_filter("!datum.solved").mark_point(filled=False, size=42, strokeWidth=1.2).encode(**marks),
    ]
    if ends:
        lines = alt.Chart(data(ends)).mark_line(strokeWidth=1.6, clip=True)
        stroke = dash(scene, "place", range(len(domain)), legend=False)
        parts.append(lines.encode(x=x, y=y, color=hue, detail="series:N", strokeDash=stroke))
    return parts


def fit_ends(sizes: dict[str, list[float]], fits: dict[str, Fit | None]) -> list[dict[str, Any]]:
    """The two ends of each fitted line: at the smallest and the largest size of its own runs."""
    ends = []
    for place, (name, fit) in enumerate(fits.items()):
        if fit and (own := sizes.get(name)):
            ends += [{"series": label(name, fit), "place": place, "size": n, "shown": fit(n)} for n in (min(own), max(own))]
    return ends
