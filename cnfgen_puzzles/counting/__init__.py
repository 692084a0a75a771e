"""All solutions of a formula: which assignments of its projection variables can be extended to models.

    enumeration = Enumeration(Problem(cnf, projection), choose_engine("auto", problem))
    for true in enumeration:          # a solution: the projection variables that are true
        ...
    enumeration.complete              # whether those were all, else enumeration.reason

The search is split into parts (`problem`, `splitting`), which are calls of an executor (`schedule`, `assignments`), each a
process under limits (`worker`); an engine does one part: `blocking`, `clasp` or `dancingcells` (exact cover). Finished parts are
kept in a folder where the caller names one (`state`). docs/counting.md explains the choices. No puzzle is known here.
"""

from cnfgen_puzzles.counting.engines import AUTO, ENGINES, Engine, choose_engine
from cnfgen_puzzles.counting.enumeration import Enumeration
from cnfgen_puzzles.counting.problem import Problem

__all__ = ["AUTO", "ENGINES", "Engine", "Enumeration", "Problem", "choose_engine"]
