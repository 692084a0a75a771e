"""What a solver recipe may say: the schemas that `strictyaml` checks; docs/adding-a-solver.md explains every key."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping

from cnfgen_puzzles.ground.readers.strictyaml import ANYTHING, Required

# How a solver is called. Every key has a default, so that a program which speaks the competition dialect needs none of them.
CALL = {
    "arguments": [str],
    "seed": {"arguments": Required([str]), "least": int, "most": int},
    "proof": {
        "arguments": Required([str]),
        "format": Required(("text", "binary", "lrat", "binary-lrat")),
        "lrat": [str],
    },
    "threads": [str],
    "version": [str],
    "verbosity": {"quiet": [str], "statistics": [str]},
    "statistics": {str: str},
    "answer": {"model": ("stdout", "file"), "dialect": str},  # of the dialect nothing depends any more; older files may name one
    "exit_codes": {"sat": [int], "unsat": [int], "unknown": [int]},
    "needs_clause": bool,
    "reads_map": bool,
}

# Where an archive comes from. A package of a registry is fetched through that registry's ordinary client.
PIP = {"requirement": Required(str), "file": Required(str), "sha256": Required(str), "member": Required(str)}
APT = {"package": Required(str), "suite": Required(str), "file": Required(str)}
DEB = {**APT, "sha256": Required(str), "member": Required(str)}
ORIGIN = {"url": str, "pip": PIP, "apt": APT}

# How `cnf-solvers install` makes the binary.
BUILD = {
    "archive": Required(str),
    "sha256": Required(str),
    "origins": Required([ORIGIN]),
    "nested": [str],
    "folder": str,
    "needs": [str],
    "environment": {str: str},
    "commands": Required([str]),
    "binary": Required(str),
    "prebuilt": {"version": Required(str), "sha256": Required(str), "pip": PIP, "deb": DEB},
}

DECLARATION = {
    "title": str,
    "kind": ("solver", "checker"),
    "version": str,
    "licence": str,
    "website": str,
    "paper": str,
    "program": str,
    "module": {"name": Required(str), "needs": str, "arguments": [str]},
    "call": CALL,
    "reads": [str],
    "get": str,
    "environment": {str: str},
    "quirks": [str],
}

RECIPE = {"name": Required(str), **DECLARATION, "build": BUILD}
USER_FILE = {"solvers": Required({str: ANYTHING})}  # one wrong declaration is not to cost the others
LIKE = {"like": str, "options": [str]}
"""A build or a setting of a solver that is known: called as that one is, under a name of its own."""
USERS_SOLVER = {"executable": str, **LIKE, **DECLARATION}
OF_LIKE = ("like", "executable", "title", "version", "website", "reads", "options", "environment")
"""The keys that go with `like`: all else is as with the solver that it is like."""


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
