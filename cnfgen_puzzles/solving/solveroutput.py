"""What a solver prints besides its answer: the numbers that it counted, and an excerpt for a person to read.

Nothing here is believed for a verdict; that is the affair of `answers`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

EXCERPT = 2000
"""Characters of an excerpt at most."""
GAP = "\n[...]\n"
END = 1 << 20
"""Bytes at the beginning and at the end of an output in which something is looked for; between them there is only a model."""


def said_besides_the_model(path: Path) -> bytes:
    """The lines of an output less its `v` lines; of a very long one those near the beginning and near the end."""
    with path.open("rb") as file:
        printed = file.read(2 * END)
        rest = file.read(1)
        if rest:
            file.seek(-END, 2)
            head, tail = printed[:END], file.read()
            printed = head[: head.rfind(b"\n") + 1] + tail[tail.find(b"\n") + 1 :]
    return b"".join(line for line in printed.splitlines(keepends=True) if not line.startswith(b"v"))


def excerpt(said: bytes) -> str:
    """A text for a person: of a long one the first third and the last two, since statistics come last."""
    text = said.decode("utf-8", "replace").replace("\r", "")
    if len(text) <= EXCERPT:
        return text
    room = EXCERPT - len(GAP)
    return text[: room // 3] + GAP + text[-(room - room // 3) :]


def statistics_in(said: bytes, patterns: Iterable[tuple[str, str]]) -> dict[str, int]:
    """For each name the number in group 1 of its pattern where it matches last; names that were not found are left out."""
    found = {name: _compiled(pattern).findall(said) for name, pattern in patterns}
    return {name: int(numbers[-1]) for name, numbers in found.items() if numbers and numbers[-1].isdigit()}


@functools.lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[bytes]:
    """`^` is the beginning of a line."""
    return re.compile(pattern.encode(), re.MULTILINE)
