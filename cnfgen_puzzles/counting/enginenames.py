"""What can be named where solutions are listed or counted, in words; for commands, which tell it and load nothing that counts.

The engines themselves: `engines.py` for those that enumerate, `counters.py` for model counters.
"""

from __future__ import annotations

AUTO = "auto"
BLOCKING, CLASP, COVER = "blocking", "clasp", "exact-cover"

ENGINES = {
    COVER: "dancing cells, for problems that are exact covers",
    CLASP: "clasp's own enumeration",
    BLOCKING: "one model after the other by any of python-sat's incremental solvers",
}
"""Best first: `auto` takes the first that can do the problem."""

COUNTERS = {"ganak": "component caching; probabilistic", "tididi": "tree decision diagrams"}
"""Model counters and how each counts."""

BOTH = "counters"
"""As the name of an engine: all model counters that are there, which must agree."""

BY_NUMBER = (BOTH, *COUNTERS)
"""Names of engines that give numbers and no solutions."""
