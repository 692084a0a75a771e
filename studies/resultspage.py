"""The table of claims and findings, as the page docs/results.md and for the terminal: nothing else goes into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill

from tabulate import tabulate

from studies.claims import DIFFERS, OPEN, SAME, Claim
from studies.findings import Finding

HEAD = """# Published numbers, claimed and measured

`make reproduce` decides the quick claims and writes this page anew, `make reproduce FULL=1` decides all of them. `JOBS=N` says
how many processes work side by side; `ONLY=KEY` measures just that row, and `*` stands for anything in a key. Sixteen of the
nonograms may not be passed on: `PUZZLES=FOLDER` names your copy. What has been decided stays here, with its version and day,
until it is decided anew; [results.jsonl](results.jsonl) has the same for programs. Seconds are those that passed in the run that
decided a claim, on whatever machine it was; a long one may have been begun in runs before.

"""
COLUMNS = ("claim", "source", "claimed", "measured", "verdict", "evidence", "seconds", "decided", "just this row")


def page(studies: Mapping[str, Sequence[Claim]], found: Mapping[str, Finding]) -> str:
    """Markdown: what differs first, then a table for each study; `studies` are claims by title."""
    claims = [claim for each in studies.values() for claim in each]
    verdicts = Counter(verdict(claim, found.get(claim.key)) for claim in claims)
    text = HEAD + f"{len(claims)} claims: " + ", ".join(f"{verdicts[each]} {each}" for each in (SAME, DIFFERS, OPEN)) + ".\n"
    different = [claim for claim in claims if verdict(claim, found.get(claim.key)) == DIFFERS]
    for title, chosen in {"What differs": different, **studies}.items():
        if chosen:
            lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in (COLUMNS, *(_row(claim, found) for claim in chosen))]
            lines.insert(1, "|---" * len(COLUMNS) + "|")
            text += f"\n## {title}\n\n" + "\n".join(lines) + "\n"
    return text


def verdict(claim: Claim, finding: Finding | None) -> str:
    """By the claim as it is now, not as it was when it was measured."""
    return claim.verdict(finding.value if finding else None)


def _row(claim: Claim, found: Mapping[str, Finding]) -> tuple[str, ...]:
    finding = found.get(claim.key)
    said, command = (claim.text, claim.source, claim.claimed), f"`make reproduce ONLY={claim.key}`"
    if finding is None:
        why = f": takes about {_duration(claim.seconds)}" if claim.full else ""
        return (*said, "", OPEN + why, "", "", "", command)
    why = f": {finding.why}" if finding.why else ""
    seconds, decided = (f"{finding.seconds:.1f}", f"{finding.version}, {finding.date[:10]}") if finding.decided else ("", "")
    words = verdict(claim, finding) + why
    return (*said, finding.value or "", words, finding.evidence, seconds, decided, command)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _duration(seconds: float) -> str:
    return f"{seconds / 3600:.0f} h" if seconds >= 5400 else f"{seconds / 60:.0f} min"


WIDTHS = (30, 40, 40, 30, 50, 10)
"""Characters of the columns in a terminal."""


def terminal_table(claims: Iterable[Claim], found: Mapping[str, Finding]) -> str:
    """What differs on top; the command of a row is `make reproduce ONLY=` and its key."""
    order = (DIFFERS, SAME, OPEN)
    rows = []
    for claim in sorted(claims, key=lambda claim: order.index(verdict(claim, found.get(claim.key)))):
        _, _, claimed, measured, words, evidence, seconds, *_ = _row(claim, found)
        texts = (claim.key, claimed, measured, words, evidence, seconds)
        rows.append(tuple(fill(text, width) for text, width in zip(texts, WIDTHS, strict=True)))
    headers = ("claim", "claimed", "measured", "verdict", "evidence", "seconds")
    return tabulate(rows, headers, disable_numparse=True)
