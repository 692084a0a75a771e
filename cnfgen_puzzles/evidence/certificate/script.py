"""verify.sh: the text of a script that checks a certificate by public programs alone. A function of the manifest."""

from __future__ import annotations

from cnfgen_puzzles.evidence.certificate import completefunctions
from cnfgen_puzzles.evidence.certificate.checks import Check
from cnfgen_puzzles.evidence.certificate.functions import FUNCTIONS, PRELUDE, SAME_FILES
from cnfgen_puzzles.evidence.certificate.manifest import Manifest
from cnfgen_puzzles.evidence.certificate.names import FRAME, MOST_FRAME, SUMS

HEAD = """\
#!/bin/sh
# Checks this certificate by public programs alone; no program of those who made it is called. Read it before you run it.
#
#     sh verify.sh
#     DRAT_TRIM=/path/to/drat-trim LRAT_CHECK=/path/to/lrat-check sh verify.sh
#
# Exit code 0: verified. 1: damaged, or it does not show what it claims. 3: nothing is wrong, but not all could be checked.

"""

TAIL = """\

if [ -n "$incomplete" ]; then echo "NOT VERIFIED: not everything could be checked (above)"; exit 3; fi
echo "VERIFIED: @SAYS@"
echo "What that means, and what must be trusted for it, is said in README.md:"
sed -n '1s/^# //p' README.md | tr -d '\\000-\\011\\013-\\037\\177'
"""


def script_text(manifest: Manifest, says: str, checks: tuple[Check, ...]) -> str:
    """The script for these checks; `says` is what they show together."""
    names = sorted([*manifest.files, *FRAME, SUMS])
    called = dict.fromkeys(name for check in checks for name in check.functions)
    functions = [(FUNCTIONS | completefunctions.FUNCTIONS)[name] for name in called]
    same = SAME_FILES.replace("@FILES@", "\n".join(names)).replace("@MOST@", str(MOST_FRAME))
    steps = "".join(check.script() for check in checks)
    return "".join(
        [HEAD, PRELUDE, "\n", *(f"{text}\n" for text in functions), same, "\n", steps,
         TAIL.replace("@SAYS@", says)]
    )  # fmt: skip
