"""All solutions of a formula, which assignments of its projection variables can be extended to models, and how many there are.

    enumeration = Enumeration(Problem(cnf, projection), choose_engine("auto", problem))
    for true in enumeration:          # a solution: the projection variables that are true
        ...
    enumeration.complete              # whether those were all, else enumeration.reason

The search is split into parts (`problem`, `splitting`), which are calls of an executor (`schedule`, `assignments`), each a
process under limits (`worker`); an engine does one part: `blocking`, `clasp` or `dancingcells` (exact cover). Finished parts are
kept in a folder where the caller names one (`state`). Model counters (`counters`) give the number alone, and may run `beside` an
enumeration; `total` counts by whatever suits. docs/counting.md explains the choices. No puzzle is known here.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in the package's own `__init__`: each worker imports this
if TYPE_CHECKING:
    from cnfgen_puzzles.counting.enginenames import AUTO, ENGINES
    from cnfgen_puzzles.counting.engines import Engine, choose_engine
    from cnfgen_puzzles.counting.enumeration import Enumeration
    from cnfgen_puzzles.counting.problem import Problem

__all__ = ["AUTO", "ENGINES", "Engine", "Enumeration", "Problem", "choose_engine"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        homes = {"AUTO": "enginenames", "ENGINES": "enginenames", "Enumeration": "enumeration", "Problem": "problem"}
        home = homes.get(name, "engines")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f"{__name__}.{home}"), name)
        return value
