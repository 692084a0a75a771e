"""Plots of benchmark results: `charts(records)` makes all of them as Altair charts, `common.render` writes PNG, SVG and PDF.

Reading, merging and filtering results is for `analyse/results.py`, numbers in tables for `show/tables.py`. Charts carry no theme:
`theme(dark)` is the Vega-Lite configuration that goes with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.show.plots.common import Plot, Scene, grouped, need_altair, scene, theme
from cnfgen_puzzles.common.errors import InputError, unknown_name

__all__ = ["KINDS", "Plot", "charts", "theme"]

KINDS = {
    "cactus": "at least one solved run",
    "survival": "at least one solved run",
    "scatter": "two solvers, or two encodings of a family, with instances in common",
    "box": "at least one run",
    "scaling": "solved runs of at least three sizes",
    "heat": "at least one run",
}
"""The kinds of plots, and what each needs of the results."""


MOST_LINES = 16
"""Where solvers x encodings are more, each encoding has a plot of its own."""


def charts(
    records: Iterable[Record],
    *,
    par: float = 2,
    time: str = "cpu",
    kinds: Sequence[str] = tuple(KINDS),
    by: str | None = None,
    compare: tuple[str, str] | None = None,
    size: str | None = None,
    width: int | None = None,
    height: int | None = None,
    per_run: bool = False,
) -> list[Plot]:
    """All plots of these kinds that the results allow; none for a kind that they do not.

    `by` is "solver" or "encoding" to tell only these apart, `compare` names the two for scatter plots (by default the two best
    solvers, and two encodings of each family), `size` the measure of scaling plots. Runs of a solver on an instance that differ
    in seed, repetition or scrambling are one point, their median; with `per_run` each counts in cactus, survival and box plots.
    """
    need_altair()
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(unknown_name("kind of plot", kind, KINDS))
    whole = scene(records, time=time, par=par, width=width, height=height, per_run=per_run)
    return [plot for kind in kinds for plot in plots_of(kind, whole, by=by, compare=compare, size=size)]


def plain(name: str) -> str:
    """A plot's name for files and links; labels of encodings have blanks and more: `direct amo=product`."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name)


def plots_of(
    kind: str, whole: Scene, *, by: str | None = None, compare: tuple[str, str] | None = None, size: str | None = None
) -> list[Plot]:
    """The plots of one kind; `whole` may be drawn in all kinds."""
    return [replace(plot, name=plain(plot.name)) for plot in _drawn(kind, whole, by, compare, size)]


def _drawn(kind: str, whole: Scene, by: str | None, compare: tuple[str, str] | None, size: str | None) -> list[Plot]:
    if not whole.runs:
        return []
    if kind in ("cactus", "survival"):
        return curves(kind, whole, by)
    if kind == "scatter":
        return scatters(whole, by, compare)
    if kind == "box":
        return box_plots(whole, by)
    return scalings(whole, by, size) if kind == "scaling" else heat_maps(whole)


def curves(kind: str, whole: Scene, by: str | None) -> list[Plot]:
    """One for all families, by solver, and one for each family with its encodings, which are not those of others."""
    from cnfgen_puzzles.bench.show.plots.drawing import cactus, survival

    draw = cactus if kind == "cactus" else survival
    if by:
        return draw(whole, by)
    plots = draw(whole, "solver") if len(whole.families) > 1 else []
    for suffix, part in parts(whole):
        name = [suffix[1:]] if suffix else []
        if len(part.encodings) > 1 and len(part.encodings) * len(part.solvers) > MOST_LINES:
            for encoding in part.encodings:
                plots += draw(part.of(encoding=encoding), "solver", *name, encoding)
        else:
            plots += draw(part, None, *name)
    return plots


def box_plots(whole: Scene, by: str | None) -> list[Plot]:
    """By solver over all families; by encoding family by family."""
    from cnfgen_puzzles.bench.show.plots.drawing import boxes

    if by != "encoding":
        return boxes(whole, "solver")
    return [plot for suffix, part in parts(whole) for plot in boxes(part, "encoding", suffix)]


def scalings(whole: Scene, by: str | None, size: str | None) -> list[Plot]:
    """Sizes of families are not comparable, and exponents of encodings are not the same: a chart for each of both.

    By encoding alone the chart of a family has the runs of all solvers together.
    """
    from cnfgen_puzzles.bench.show.plots.drawing import scaling

    plots = []
    for family in whole.families:
        part = whole.of(family)
        if by == "encoding":
            plots += scaling(part, "encoding", size, f"-{family}", f": {family}")
            continue
        for encoding in part.encodings:
            plots += scaling(part.of(encoding=encoding), "solver", size, f"-{family}-{encoding}", f": {family}, {encoding}")
    return plots


def heat_maps(whole: Scene) -> list[Plot]:
    from cnfgen_puzzles.bench.show.plots.drawing import heat

    return [plot for suffix, part in parts(whole) for plot in heat(part, suffix)]


def parts(whole: Scene) -> list[tuple[str, Scene]]:
    """Family by family, with what is added to the plots' names; nothing is if there is one family only."""
    if len(whole.families) == 1:
        return [("", whole)]
    return [(f"-{family}", whole.of(family)) for family in whole.families]


def scatters(whole: Scene, by: str | None, compare: tuple[str, str] | None) -> list[Plot]:
    from cnfgen_puzzles.bench.show.plots.drawing import scatter

    if compare:
        return scatter(whole, compared(whole, compare, by), *compare, "scatter")
    plots = []
    if by in (None, "solver") and len(whole.solvers) > 1:
        first, second = whole.solvers[:2]
        plots += scatter(whole, "solver", first, second, "scatter-solvers")
    for family in whole.families if by in (None, "encoding") else ():
        part = whole.of(family)
        if len(part.encodings) > 1:
            plots += scatter(part, "encoding", *most_run(part), f"scatter-encodings-{family}")
    return plots


def compared(whole: Scene, names: tuple[str, str], by: str | None) -> str:
    """Whether two solvers or two encodings are meant; InputError where it is neither."""
    known = {"solver": whole.solvers, "encoding": whole.encodings}
    sides = {side: known[side] for side in known if by in (None, side)}
    for side, have in sides.items():
        if names[0] != names[1] and all(name in have for name in names):
            return side
    expected = " or ".join(f"two {side}s of {', '.join(have)}" for side, have in sides.items())
    raise InputError(f"found {' and '.join(map(repr, names))} to compare, expected {expected}")


def most_run(part: Scene) -> tuple[str, str]:
    """The two encodings with the most runs, by name where they are as many."""
    runs = grouped(part.runs, lambda r: r.encoding)
    first, second = sorted(part.encodings, key=lambda e: (-len(runs[e]), e))[:2]
    return first, second
