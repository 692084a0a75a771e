"""The table of claims and findings, as the page docs/results.md and for the terminal: nothing else goes into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill

from tabulate import tabulate

from studies.claims import DIFFERS, OPEN, SAME, Claim
from studies.findings import Finding

HEAD = """# Published numbers, claimed and measured

This page compares numbers from articles and books with measurements of this package. Differences come first, then one table for
each subject. The column `seconds` is the elapsed time of the run that decided the claim; runs on different machines are mixed.

`make reproduce` measures the quick claims and updates this page; `make reproduce FULL=1` measures all of them. `ONLY=KEY`
measures one row, and `*` in a key matches any text. `JOBS=N` is the number of parallel processes. Sixteen of the nonograms
cannot be redistributed: to include them, put your copies into a folder and add `PUZZLES=FOLDER`. A decided claim keeps its
result, version, and date until it is measured again. [results.jsonl](results.jsonl) has the same data as JSON.

"""
COLUMNS = ("claim", "source", "claimed", "measured", "verdict", "evidence", "seconds", "decided", "command")


def page(studies: Mapping[str, Sequence[Claim]], found: Mapping[str, Finding]) -> str:
    """Markdown: differences first, then a table for each study; `studies` are claims by title."""
    claims = [claim for each in studies.values() for claim in each]
    verdicts = Counter(verdict(claim, found.get(claim.key)) for claim in claims)
    text = HEAD + f"{len(claims)} claims: " + ", ".join(f"{verdicts[each]} {each}" for each in (SAME, DIFFERS, OPEN)) + ".\n"
    different = [claim for claim in claims if verdict(claim, found.get(claim.key)) == DIFFERS]
    for title, chosen in {"Differences": different, **studies}.items():
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
    """Differences come first; the command of a row is `make reproduce ONLY=` and its key."""
    order = (DIFFERS, SAME, OPEN)
    rows = []
    for claim in sorted(claims, key=lambda claim: order.index(verdict(claim, found.get(claim.key)))):
        _, _, claimed, measured, words, evidence, seconds, *_ = _row(claim, found)
        texts = (claim.key, claimed, measured, words, evidence, seconds)
        rows.append(tuple(fill(text, width) for text, width in zip(texts, WIDTHS, strict=True)))
    headers = ("claim", "claimed", "measured", "verdict", "evidence", "seconds")
    return tabulate(rows, headers, disable_numparse=True)
