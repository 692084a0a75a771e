"""The checkers that answers name on this machine: cake_lpr if it is installed; no package registry has its source."""

from cnfgen_puzzles.evidence.checkers import VERIFIED

HAS_CAKE = VERIFIED.available()
OF_HINTS = VERIFIED.title if HAS_CAKE else "lrat-check"
"""The checker of LRAT proofs that is used by default."""
OF_DRAT = VERIFIED.title if HAS_CAKE else "drat-trim"
"""The checker that is used by default for solvers that write DRAT, which drat-trim translates for cake_lpr."""
NOTE = "only translated by drat-trim" if HAS_CAKE else ""
