"""Templates of awk programs for certificates, filled with the numbers of a puzzle.

    fill(template(__file__, "rules"), {"WIDTH": 3})

A family has its rules in `awk/rules.awk`, with words such as `@WIDTH@` in place of the numbers of the puzzle. User-supplied text
must not be inserted unescaped: `evidence/verify.sh` runs the program, which must only check a board.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def template(module: str, name: str) -> str:
    """The file `awk/NAME.awk` next to a module (its `__file__`), without its last newline."""
    return (Path(module).parent / "awk" / f"{name}.awk").read_text(encoding="ascii").removesuffix("\n")


def fill(text: str, words: Mapping[str, object]) -> str:
    """The text with each `@NAME@` replaced."""
    for name, value in words.items():
        text = text.replace(f"@{name}@", str(value))
    return text
