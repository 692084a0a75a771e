"""Certificates that stand alone: a folder that says what is so of a formula, with all that anybody needs to check it.

It knows no puzzle. What a folder states is a row of `STATEMENTS` (`statements.py`): a name, a sentence, and the checks that show
it (`checks.py`). A check is one class: its part of `verify.sh`, in terms of public programs, and the same in Python.

    with Draft(folder) as draft:                               # appears complete at the end of the block, or not at all
        draft.add(FORMULA, "the formula, in DIMACS CNF", cnf_bytes)
        draft.take(PROOF, "a proof, in DRAT", path)            # a large file, moved here
        draft.seal(Manifest("no model", claim="There is no ...", sections=..., details=..., programs=...))

    verified = verify(folder)       # Damaged (exit 1), or InputError for what is no certificate (exit 2)
    verified.sentences              # what was checked, and by whom

`certificate.json`, README.md and verify.sh are functions of the manifest (`manifest.py`, `readme.py`, `script.py`), so that a
folder whose words say something else than its manifest is found out. The manifest names each file with its role, size and
SHA-256. To state something new: a check or several, and a row. What the claim means for a puzzle, and whether the formula says
what the puzzle says, is the affair of `pipeline/certificates/certify.py`.
"""

from cnfgen_puzzles.evidence.certificate.drafting import Draft, check_place
from cnfgen_puzzles.evidence.certificate.manifest import Manifest, Program
from cnfgen_puzzles.evidence.certificate.names import BLOCKED, BOARD, FORMULA, LRAT, MODEL, PROJECTION, PROOF, RULES, SECOND
from cnfgen_puzzles.evidence.certificate.opened import Damaged, Opened, open_certificate
from cnfgen_puzzles.evidence.certificate.statements import STATEMENTS, Statement
from cnfgen_puzzles.evidence.certificate.verifying import Verified, verify, verify_opened

__all__ = [
    "BLOCKED", "BOARD", "FORMULA", "LRAT", "MODEL", "PROJECTION", "PROOF", "RULES", "SECOND", "STATEMENTS",
    "Damaged", "Draft", "Manifest", "Opened", "Program", "Statement", "Verified", "check_place", "open_certificate", "verify",
    "verify_opened",
]  # fmt: skip
