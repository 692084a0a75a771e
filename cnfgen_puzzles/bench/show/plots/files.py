"""Plots as files: PNG, SVG and PDF without browser or network, and the rows behind a plot as CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from cnfgen_puzzles.bench.show.plots.common import Plot, theme
from cnfgen_puzzles.ground.errors import InputError

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


def numbered_anew(svg: str) -> str:
    """Vega numbers gradients and clip paths throughout a process; here from 0, so that equal plots are equal files."""
    names: dict[str, str] = {}
    for kind, number in re.findall(r'\bid="(gradient_|clip)(\d+)"', svg):
        names.setdefault(kind + number, f"{kind}{len(names)}")
    return re.sub(r'(?<=id=")(?:gradient_|clip)\d+(?=")|(?<=#)(?:gradient_|clip)\d+\b', lambda m: names.get(m[0], m[0]), svg)


def static_spec(plot: Plot, dark: bool, title: str | None) -> dict[str, Any]:
    config = theme(dark)
    config["background"] = "#1b1b1b" if dark else "#ffffff"
    from cnfgen_puzzles.bench.show.plots.marks import specification  # needs altair

    spec = specification(plot.chart)
    spec["config"] = config
    if title:
        spec["title"] = title
    # names of files may hold bytes that are no text, which the renderer does not take
    whole: dict[str, Any] = json.loads(json.dumps(spec, ensure_ascii=False).encode(errors="replace"))
    return whole


def csv_of(plot: Plot) -> bytes:
    """The rows of a plot as CSV."""
    names = list(dict.fromkeys(name for row in plot.data for name in row if name not in DRAWING))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(plot.data)
    return stream.getvalue().encode(errors="backslashreplace")
