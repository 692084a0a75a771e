"""Recipes of solvers as they are read: from YAML, or, where a recipe is as it was then, from what was read of it before.

What reads YAML takes longer to load than most puzzles to be solved. So `READ` beside the recipes has each of them as JSON, by
the SHA-256 of its bytes (`scripts/read_recipes.py` writes it): a recipe that was changed is not in it, and is read as YAML.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

READ = "recipes.json"


def read_recipe(path: Path) -> dict[str, Any]:
    """The recipe in a file, checked; InputError with file and line where something is wrong with it."""
    known: dict[str, Any] | None = _read_before(path.parent).get(hashlib.sha256(path.read_bytes()).hexdigest())
    return from_yaml(path) if known is None else known


def from_yaml(path: Path) -> dict[str, Any]:
    """The same, whatever was read before."""
    from cnfgen_puzzles.common.readers.strictyaml import read_yaml  # seldom needed, and slow to load
    from cnfgen_puzzles.solving.recipeschema import RECIPE

    recipe: dict[str, Any] = read_yaml(path, RECIPE).value
    return recipe


def checked_recipe(given: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A recipe that is given as a dict, checked as one in a file is."""
    import yaml

    from cnfgen_puzzles.common.readers.strictyaml import check_yaml
    from cnfgen_puzzles.solving.recipeschema import RECIPE

    recipe: dict[str, Any] = check_yaml(yaml.safe_dump(dict(given), sort_keys=False), RECIPE, source=source).value
    return recipe


def declared_paths(declaration: Mapping[str, Any], source: str) -> tuple[Path, ...]:
    """What a declaration says under `reads`, relative to its file."""
    return tuple((Path(source).parent / Path(name).expanduser()).absolute() for name in declaration.get("reads", ()))


@functools.cache
def _read_before(folder: Path) -> dict[str, Any]:
    file = folder / READ
    known: dict[str, Any] = json.loads(file.read_bytes()) if file.is_file() else {}
    return known


def told_of_path(name: str, known: Iterable[str]) -> str:
    """What to say where a program by its path is asked for more than a formula's answer: the solver that it may be like."""
    like = max((each for each in known if each in name), key=len, default="NAME")
    return (
        f"; a program by its path takes a formula and nothing more, unless `like: {like}` (of run-cnf: --like) says that it is "
        "called as a solver of the table is (docs/adding-a-solver.md)"
    )


def wrong_places(name: str, arguments: Iterable[str], needed: Mapping[str, bool]) -> str:
    """What a command line has no place for although the solver is said to take it, in words; empty if nothing."""
    text = list(arguments)
    missing = next((place for place, wanted in needed.items() if wanted and not any(place in word for word in text)), None)
    return f"found no {missing} in the arguments of {name!r}, expected one" if missing else ""


def wrong_statistics(name: str, patterns: Iterable[tuple[str, str]]) -> str:
    """What is wrong with the patterns of numbers, in words: one is none, or does not say which part of it is the number."""
    for what, pattern in patterns:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # `[[` may mean something else one day
                groups = re.compile(pattern).groups
        except (re.error, RecursionError, OverflowError) as error:
            return f"found the pattern {pattern!r} for the {what} of {name!r}: {error}"
        if groups != 1:
            return f"found {groups} groups in the pattern for the {what} of {name!r}, expected one: the number"
    return ""
