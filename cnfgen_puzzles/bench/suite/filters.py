"""`include` and `exclude` of a suite: which of the runs of the cross product are wanted.

A filter is a mapping such as `{family: tiling, solver: [minisat, "glucose*"]}`: it matches a run if every key does, and a key
does if one of its patterns does. A run is kept if some filter of `include` matches it (or there is no `include`), and none of
`exclude`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from cnfgen_puzzles.bench.suite.plan import Suite, Task
from cnfgen_puzzles.bench.suite.suitefile import TEXTS, SuiteFile
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

NONE = "none"
"""How a filter spells a run without scrambling, seed or encoding."""

FEATURES = "features."
"""Before a feature's name, for those who wish to be plain."""

SHORT = {SATISFIABLE: "sat", UNSATISFIABLE: "unsat"}

NAMES: Mapping[str, Callable[[Task], tuple[Any, ...]]] = {
    "family": lambda task: (task.instance.family,),
    "instance": lambda task: (task.instance.name, task.instance.source or task.instance.name),
    "encoding": lambda task: (task.encoding.label, task.encoding.name) if task.encoding else (NONE,),
    "solver": lambda task: (task.solver.label, task.solver.solver),
    "seed": lambda task: (task.seed,),
    "scramble": lambda task: (task.scramble,),
    "repetition": lambda task: (task.repetition,),
    "expected": lambda task: (task.instance.expected, SHORT.get(task.instance.expected or "")),
}
FILTER = {str: TEXTS}
"""Any key: what is no name above is a feature (`features.py`)."""


class SuiteFilters:
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
            for name in given:
                if (wrong := _unknown(name, tasks)) is not None:
                    raise self.file.error(wrong, key, str(number), name)
            mine = {place for place, task in enumerate(tasks) if _matches(given, task)}
            if not mine:
                told = ", ".join(f"{name}: {value}" for name, value in given.items())
                notes.append(f"line {self.file.line(key, str(number))}: the filter {{{told}}} in {key!r} matches no run")
            found |= mine
        return found


def _unknown(name: str, tasks: Sequence[Task]) -> str | None:
    """What is wrong with a key of a filter, if it is neither a name nor a feature of any instance."""
    features = {feature for task in tasks for feature, _ in task.instance.features}
    if name in NAMES or name.removeprefix(FEATURES) in features:
        return None
    return unknown_name("key of a filter", name, [*NAMES, *features])


def _texts(name: str, task: Task) -> tuple[Any, ...]:
    """What a key stands for: the family, too, may be said by a feature."""
    known = NAMES[name](task) if name in NAMES else ()
    return (*known, *(value for feature, value in task.instance.features if feature == name.removeprefix(FEATURES))) or (None,)


def _matches(given: Mapping[str, Any], task: Task) -> bool:
    for name, value in given.items():
        patterns = [value] if isinstance(value, str) else value
        texts = [NONE if text is None else str(text) for text in _texts(name, task)]
        if not any(fnmatchcase(text, pattern) for text in texts for pattern in patterns):
            return False
    return True


def only(suite: Suite, given: Mapping[str, Any]) -> Suite:
    """The suite with the runs that one such filter matches; InputError for a name that no filter has, or if none is left."""
    for name in given:
        if (wrong := _unknown(name, suite.tasks)) is not None:
            raise InputError(wrong, source=suite.name)
    tasks = tuple(task for task in suite.tasks if _matches(given, task))
    if not tasks:
        raise InputError(f"found a filter that leaves none of the {len(suite.tasks)} runs: {dict(given)}", source=suite.name)
    return replace(suite, tasks=tasks)
