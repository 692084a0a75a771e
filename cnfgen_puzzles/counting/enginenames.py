"""The names and descriptions of engines, for help texts. This module loads no engine.

`engines.py` has the engines that enumerate, `counters.py` the model counters.
"""

from __future__ import annotations

AUTO = "auto"
BLOCKING, CLASP, COVER = "blocking", "clasp", "exact-cover"

ENGINES = {
    COVER: "dancing cells, for exact cover problems",
    CLASP: "enumeration by clasp",
    BLOCKING: "one model after another, by an incremental solver of python-sat",
}
"""In order of preference: `auto` takes the first suitable one."""

COUNTERS = {"ganak": "component caching; probabilistic", "tididi": "tree decision diagrams"}
"""Model counters and their methods."""

BOTH = "counters"
"""The name of the engine that runs all model counters, which must agree."""

BY_NUMBER = (BOTH, *COUNTERS)
"""The engines that give numbers without solutions."""
