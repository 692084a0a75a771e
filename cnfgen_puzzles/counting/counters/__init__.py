"""Model counters: how many assignments of the projection variables can be extended to models, without listing them.

    count = count_models(cnf, projection, "ganak", Limits(cpu=60))
    if count.number is not None:       # else count.status and count.reason
        ...

Two programs of PyPI (`table`), each in a process of its own under limits (`worker`, `counting`); and what it means that both of
them say the same (`agreement`). They write no proofs: a number is the word of who counted. No puzzle is known here.
"""

from cnfgen_puzzles.counting.counters.agreement import Verdict, count_by
from cnfgen_puzzles.counting.counters.calls import COUNTED, ModelCount, count_each, count_models
from cnfgen_puzzles.counting.counters.table import BOTH, COUNTERS, ModelCounter, choose_counters

__all__ = [
    "BOTH",
    "COUNTED",
    "COUNTERS",
    "ModelCount",
    "ModelCounter",
    "Verdict",
    "choose_counters",
    "count_by",
    "count_each",
    "count_models",
]
