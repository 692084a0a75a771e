"""One sentence for a name that nobody knows, with the nearest ones that somebody does."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 60


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """`unknown solver 'kisat'; did you mean kissat? known: ...`"""
    from difflib import get_close_matches  # here, since nearly every module can say such a sentence and few calls do

    names = sorted(known)
    name = name if len(name) <= LONGEST else name[:LONGEST] + "..."  # comparing takes the square of its length
    near = get_close_matches(name, names, n=2, cutoff=0.6)
    guess = f"; did you mean {' or '.join(near)}?" if near else ";"
    return f"unknown {kind} {name!r}{guess} known: {', '.join(names) or 'none'}"
