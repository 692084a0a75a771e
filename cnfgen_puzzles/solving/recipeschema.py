"""What a solver recipe may say: the schemas that `strictyaml` checks; docs/adding-a-solver.md explains every key."""

from __future__ import annotations

from cnfgen_puzzles.common.readers.strictyaml import ANYTHING, Required

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
    "sha256": str,
    "contents": {str: str},
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
