"""The names that files of a certificate have, wherever they occur, and which names others may have."""

from __future__ import annotations

import re

MANIFEST, SUMS, README, SCRIPT = "certificate.json", "SHA256SUMS", "README.md", "verify.sh"
FRAME = (MANIFEST, README, SCRIPT)
"""In every certificate, made of the manifest; besides them and the files that it names there is SHA256SUMS and nothing else."""

MOST_FRAME = 64 << 20
"""Bytes of each of these."""

FORMULA, MODEL, SECOND, PROJECTION = "formula.cnf", "model.txt", "model-2.txt", "projection.txt"
BLOCKED, PROOF, LRAT = "blocked.cnf", "proof.drat", "proof.lrat"
BOARD, RULES = "solution.txt", "rules.awk"

NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}/){0,3}[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
"""A file in the folder or below it: no blanks, nothing that a shell or a path takes for something else."""

SOLUTIONS, SYMMETRIES = "solutions.txt", "symmetries.txt"
CUBES, COVERING, COVER, COVER_HINTS = "cubes.txt", "covering.txt", "cover.drat", "cover.lrat"
CUBE_RECORDS = "cubes.jsonl"
"""Of a list of all models: see `complete.py`."""


def kept_proof(number: int) -> str:
    """The proof for a cube, by its line in `CUBES` (from 1)."""
    return f"proofs/{number:05}.lrat"
