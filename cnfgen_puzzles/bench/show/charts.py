"""`charts(records)` draws benchmark results as Altair charts (`plots` has their data, `drawing` draws them)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cnfgen_puzzles.bench.analyse.scores import MARK
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.show.plots import KINDS, Plot, Scene, scene
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.installation import install_extra


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
    fit: bool = False,
) -> list[Plot]:
    """The plots of these kinds; a kind for which the results have too few runs gives no plot.

    `by` is "solver" or "encoding": one line for each of these. `compare` names the two sides of scatter plots (by default the two
    best solvers, and two encodings of each family). `size` is the measure of scaling plots. Runs of a solver on an instance that
    differ in seed, repetition, or scrambling are one point, their median; with `per_run`, each run is one point in cactus,
    survival, and box plots. With `fit`, scaling plots have power laws also for CNF files of unlike families.
    """
    need_altair()
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(unknown_name("kind of plot", kind, KINDS))
    whole = scene(records, time=time, par=par, width=width, height=height, per_run=per_run, fit=fit)
    return [plot for kind in kinds for plot in plots_of(kind, whole, by=by, compare=compare, size=size)]


def need_altair() -> None:
    try:
        import altair  # noqa: F401
    except ImportError:
        raise InputError(f"plots need the package altair: {install_extra('bench')}") from None


def plots_of(
    kind: str, whole: Scene, *, by: str | None = None, compare: tuple[str, str] | None = None, size: str | None = None
) -> list[Plot]:
    """The plots of one kind. Their names are valid in file names and links."""
    from cnfgen_puzzles.bench.show.drawing import draw

    if compare:
        first, second = (f"{name}{MARK}" if f"{name}{MARK}" in whole.out else name for name in compare)
        compare = first, second
    plots = draw(kind, whole, by, compare, size) if whole.runs else []
    return [replace(plot, name="".join(c if c.isalnum() or c in "-_." else "_" for c in plot.name)) for plot in plots]
