"""The schemas of solver recipes, which `strictyaml` checks; docs/how-to/adding-a-solver.md explains each key."""

from __future__ import annotations

from cnfgen_puzzles.common.readers.strictyaml import ANYTHING, Required

# How a solver is called. Each key has a default; a program with the interface of SAT competitions needs none of them.
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
    "answer": {"model": ("stdout", "file"), "relaxed": bool},
    "exit_codes": {"sat": [int], "unsat": [int], "unknown": [int]},
    "needs_clause": bool,
    "reads_map": bool,
}

# The origins of an archive. A package of a registry is fetched with the ordinary client of the registry.
PIP = {"requirement": Required(str), "file": Required(str), "sha256": Required(str), "member": Required(str)}
APT = {"package": Required(str), "suite": Required(str), "file": Required(str)}
ORIGIN = {"url": str, "pip": PIP, "apt": APT}

# How `cnf-solvers install` builds the binary.
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
}

DECLARATION = {
    "title": str,
    "kind": ("solver", "checker"),
    "version": str,
    "licence": str,
    "website": str,
    "paper": str,
    "program": str,
    "wheel": {"requirement": Required(str), "member": Required(str)},
    "module": {"name": Required(str), "needs": str, "arguments": [str], "package": str},
    "call": CALL,
    "reads": [str],
    "get": str,
    "environment": {str: str},
    "quirks": [str],
}

RECIPE = {"name": Required(str), **DECLARATION, "build": BUILD}
USER_FILE = {"solvers": Required({str: ANYTHING})}  # a wrong declaration does not affect the others
USERS_SOLVER = {"executable": str, "like": str, "options": [str], **DECLARATION, "build": BUILD}
OF_LIKE = ("like", "executable", "title", "version", "website", "reads", "options", "environment", "build")
"""The keys that are allowed with `like`; all others come from the other solver."""
