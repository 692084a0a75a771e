"""`include` and `exclude` of a suite: which of the runs of the cross product are wanted.

A filter is a mapping such as `{family: tiling, solver: [minisat, "glucose*"]}`: it matches a run if every key does, and a key
does if one of its patterns does. A run is kept if some filter of `include` matches it (or there is no `include`), and none of
`exclude`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from cnfgen_puzzles.bench.suite.plan import Task
from cnfgen_puzzles.bench.suite.suitefile import TEXTS, SuiteFile

NONE = "none"
"""How a filter spells a run without scrambling, seed or encoding."""

NAMES: Mapping[str, Callable[[Task], tuple[Any, ...]]] = {
    "family": lambda task: (task.problem.family,),
    "instance": lambda task: (task.problem.name, task.problem.source or task.problem.name),
    "encoding": lambda task: (task.encoding.label, task.encoding.name) if task.encoding else (NONE,),
    "solver": lambda task: (task.solver.label, task.solver.solver),
    "seed": lambda task: (task.seed,),
    "scramble": lambda task: (task.scramble,),
    "repetition": lambda task: (task.repetition,),
    "expected": lambda task: (task.problem.expected, {"SATISFIABLE": "sat", "UNSATISFIABLE": "unsat"}.get(task.problem.expected)),
}
FILTER = dict.fromkeys(NAMES, TEXTS)


class Filters:
    """The filters of a suite."""

    def __init__(self, file: SuiteFile):
        self.file = file

    def kept(self, tasks: Sequence[Task], notes: list[str]) -> list[Task]:
        """The tasks that are wanted; a filter that matches none is noted, and it is a mistake if nothing is left."""
        include, exclude = (self._matches(key, tasks, notes) for key in ("include", "exclude"))
        kept = [
            task
            for number, task in enumerate(tasks)
            if (number in include or not self.file.value.get("include")) and number not in exclude
        ]
        if not kept:
            key = "include" if self.file.value.get("include") and not include else "exclude"
            raise self.file.error(f"found filters that leave none of the {len(tasks)} runs", key)
        return kept

    def _matches(self, key: str, tasks: Sequence[Task], notes: list[str]) -> set[int]:
        """The numbers of the tasks that some filter of this key matches."""
        found: set[int] = set()
        for number, given in enumerate(self.file.value.get(key, ())):
            if not given:
                raise self.file.error("found an empty filter, expected at least one of " + ", ".join(NAMES), key, str(number))
            mine = {place for place, task in enumerate(tasks) if _matches(given, task)}
            if not mine:
                told = ", ".join(f"{name}: {value}" for name, value in given.items())
                notes.append(f"line {self.file.line(key, str(number))}: the filter {{{told}}} in {key!r} matches no run")
            found |= mine
        return found


def _matches(given: Mapping[str, Any], task: Task) -> bool:
    for name, value in given.items():
        patterns = [value] if isinstance(value, str) else value
        texts = [NONE if text is None else str(text) for text in NAMES[name](task)]
        if not any(fnmatchcase(text, pattern) for text in texts for pattern in patterns):
            return False
    return True
