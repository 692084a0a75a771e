"""Programs for awk with the numbers of a puzzle in them, for certificates.

    fill(template(__file__, "rules"), {"WIDTH": 3})

A family has its rules as `awk/rules.awk`, with words such as `@WIDTH@` where the puzzle's numbers go. No text of a user may stand
there as it is: `evidence/verify.sh` runs the program, which must do no more than look at a board.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def template(module: str, name: str) -> str:
    """The file `awk/NAME.awk` beside a module (its `__file__`), without its last newline."""
    return (Path(module).parent / "awk" / f"{name}.awk").read_text(encoding="ascii").removesuffix("\n")


def fill(text: str, words: Mapping[str, object]) -> str:
    """The text with each `@NAME@` replaced."""
    for name, value in words.items():
        text = text.replace(f"@{name}@", str(value))
    return text
