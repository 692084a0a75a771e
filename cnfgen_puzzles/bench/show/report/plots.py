"""The plots of the report: charts of `bench/show/plots` as Vega-Lite specifications, and the script that draws them.

Not here: what the plots show (`cnfgen_puzzles.bench.show.plots`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.common.atomicfiles import atomic_file
from cnfgen_puzzles.common.errors import InputError

BUNDLE = """
window.vegaEmbed = vegaEmbed;
"""
"""What the bundle of Vega, Vega-Lite and Vega-Embed is to leave behind."""


@dataclass(frozen=True)
class PagePlot:
    """A chart with its words."""

    name: str
    title: str
    caption: str
    specification: dict[str, Any]


def plots(records: Sequence[Record]) -> list[PagePlot]:
    """All plots that the results allow."""
    from cnfgen_puzzles.bench.show.plots import charts

    return [PagePlot(made.name, made.title, made.caption, _specification(made.chart)) for made in charts(records)]


def _specification(chart: Any) -> dict[str, Any]:
    """The chart as Vega-Lite JSON without a theme: the page brings its own, a light one and a dark one."""
    from cnfgen_puzzles.bench.show.plots.common import specification

    found = specification(chart)
    found.pop("config", None)
    return found


def themes() -> dict[str, dict[str, Any]]:
    """The configurations of all charts for the light and the dark page."""
    from cnfgen_puzzles.bench.show.plots import theme

    return {"light": theme(dark=False), "dark": theme(dark=True)}


@functools.cache
def vega_bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that needs nothing else.

    Making it takes 2.6 s, so it is kept in the user's cache folder, with its checksum; where nothing can be kept it is made anew.
    """
    try:
        import vl_convert
    except ImportError:
        raise InputError("the report needs vl-convert, which is not installed: pip install 'cnfgen-puzzles[bench]'") from None
    folder = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "cnfgen-puzzles"
    kept = folder / f"vega-{version('vl-convert-python')}-{_digest(BUNDLE)[:16]}.js"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        digest, _, found = kept.read_text(encoding="utf-8").partition("\n")
        if digest == f"// {_digest(found)}":
            return found
    bundle: str = vl_convert.javascript_bundle(BUNDLE)
    if "</script" in bundle.lower():
        raise InputError("vl-convert's scripts cannot stand in a page: they hold the end of a script; try another version")
    with contextlib.suppress(InputError), atomic_file(kept, parents=True) as stream:
        stream.write(f"// {_digest(bundle)}\n{bundle}".encode())
    return bundle


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
