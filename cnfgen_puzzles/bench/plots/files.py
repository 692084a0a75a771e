"""Plots as files: PNG, SVG and PDF without browser or network, and the rows behind a plot as CSV."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.plots.common import Plot, theme
from cnfgen_puzzles.errors import InputError

FORMATS = ("png", "svg", "pdf")
SCALE = 2
"""Pixels of a PNG for each unit of the chart."""


def render(plot: Plot, form: str, *, dark: bool = False, title: str | None = None) -> bytes:
    try:
        import vl_convert
    except ImportError:
        raise InputError("pictures of plots need the package vl-convert-python: pip install 'cnfgen-puzzles[bench]'") from None
    spec = static_spec(plot, dark, title)
    if form == "svg":
        return vl_convert.vegalite_to_svg(spec).encode()
    if form == "pdf":
        return vl_convert.vegalite_to_pdf(spec)
    return vl_convert.vegalite_to_png(spec, scale=SCALE)


def static_spec(plot: Plot, dark: bool, title: str | None) -> dict[str, Any]:
    config = theme(dark)
    config["background"] = "#1b1b1b" if dark else "#ffffff"
    spec = plot.chart.to_dict()
    spec["config"] = config
    if title:
        spec["title"] = title
    return spec


def write_data(plot: Plot, path: Path) -> None:
    names = list(dict.fromkeys(name for row in plot.data for name in row))
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, names)
        writer.writeheader()
        writer.writerows(plot.data)
