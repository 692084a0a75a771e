"""Plots as files: PNG, SVG and PDF without browser or network, and the rows behind a plot as CSV."""

from __future__ import annotations

import csv
import io

from cnfgen_puzzles.bench.show.plots.common import Plot, numbered_anew, static_spec
from cnfgen_puzzles.common.errors import InputError

FORMATS = ("png", "svg", "pdf")
DRAWING = {"mark"}
"""What rows have for the drawing alone."""
SCALE = 2
"""Pixels of a PNG for each unit of the chart."""


def render(plot: Plot, form: str, *, dark: bool = False, title: str | None = None) -> bytes:
    try:
        import vl_convert
    except ImportError:
        raise InputError("pictures of plots need the package vl-convert-python: pip install 'cnfgen-puzzles[bench]'") from None
    spec = static_spec(plot, dark, title)
    if form == "svg":
        return numbered_anew(vl_convert.vegalite_to_svg(spec)).encode()
    if form == "pdf":
        return vl_convert.vegalite_to_pdf(spec)
    return vl_convert.vegalite_to_png(spec, scale=SCALE)


def csv_of(plot: Plot) -> bytes:
    """The rows of a plot as CSV."""
    names = list(dict.fromkeys(name for row in plot.data for name in row if name not in DRAWING))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(plot.data)
    return stream.getvalue().encode(errors="backslashreplace")
