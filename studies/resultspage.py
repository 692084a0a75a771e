"""The table of claims and findings: docs/results/results.md, its details in docs/results/results-details.md, and a table for
the terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill

from tabulate import tabulate

from studies.claims import DIFFERS, OPEN, OWN, SAME, TIMED, Claim, Study
from studies.findings import Finding

DETAILS = "results-details.md"
"""The name of the second page, next to the first one."""

HEAD = f"""# Published numbers, claimed and measured

This page compares numbers from articles and books with measurements of this package. Each row is a claim. Its link leads to the
[details]({DETAILS}): source, evidence, time, version, date, and the command that measures it again.

`make reproduce` measures the quick claims and updates these pages; `make reproduce FULL=1` measures all of them. `ONLY=KEY`
measures one claim, and `*` in a key matches any text. `JOBS=N` is the number of parallel processes. Sixteen of the nonograms
cannot be redistributed: to include them, put your copies into a folder and add `PUZZLES=FOLDER`. A decided claim keeps its
result, version, and date until it is measured again. [results.jsonl](results.jsonl) has the same data as JSON.

"""
COLUMNS = ("claim", "claimed", "measured", "verdict")

DETAILS_HEAD = """# Details of the published numbers

For each claim of the [results](results.md): its source, the evidence of the measurement, and the command that measures it again.
Seconds are the elapsed time of the run that decided the claim; runs on different machines are mixed.
"""


def page(studies: Sequence[Study], found: Mapping[str, Finding]) -> str:
    """Markdown: differences first, then a table for each study."""
    claims = [claim for study in studies for claim in study.claims]
    verdicts = Counter(verdict(claim, found.get(claim.key)) for claim in claims)
    numbers = ", ".join(
        f"{each} {verdicts[each]}" for each in (SAME, DIFFERS, OWN, TIMED, OPEN) if verdicts[each] or each not in (OWN, TIMED)
    )
    text = f"{HEAD}{len(claims)} claims by verdict: {numbers}.\n"
    different = tuple(claim for claim in claims if verdict(claim, found.get(claim.key)) == DIFFERS)
    differences = Study("Differences", "The measured value is not the claimed one.", different)
    for study in (differences, *studies):
        if study.claims:
            rows = (COLUMNS, *(_row(claim, found.get(claim.key)) for claim in study.claims))
            lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
            lines.insert(1, "|---" * len(COLUMNS) + "|")
            text += f"\n## {study.title}\n\n{study.about}\n\n" + "\n".join(lines) + "\n"
    return text


def details_page(studies: Sequence[Study], found: Mapping[str, Finding]) -> str:
    """Markdown: a section for each claim."""
    claims = (claim for study in studies for claim in study.claims)
    return DETAILS_HEAD + "".join(
        f"\n## `{claim.key}`\n\n" + "".join(f"- {line}\n" for line in _details(claim, found.get(claim.key))) for claim in claims
    )


def verdict(claim: Claim, finding: Finding | None) -> str:
    """By the claim as it is now, not as it was when it was measured."""
    return claim.verdict(finding.value if finding else None)


def _row(claim: Claim, finding: Finding | None) -> tuple[str, ...]:
    link = f"[{claim.text}]({DETAILS}#{_anchor(claim.key)})"
    return link, claim.claimed, (finding.value if finding else None) or "", verdict(claim, finding)


def _details(claim: Claim, finding: Finding | None) -> Iterator[str]:
    yield f"claim: {claim.text} ({claim.source})"
    yield f"claimed: {claim.claimed}"
    if finding is not None and finding.value is not None:
        yield f"measured: {finding.value}"
    yield f"verdict: {_verdict_and_why(claim, finding)}"
    if finding is not None and finding.evidence:
        yield f"evidence: {finding.evidence}"
    if finding is not None and finding.decided:
        yield f"run: {finding.seconds:.1f} s, version {finding.version}, {finding.date[:10]}"
    yield f"command: `make reproduce ONLY={claim.key}`"


def _verdict_and_why(claim: Claim, finding: Finding | None) -> str:
    """An undecided claim also has the estimated time that deciding it takes."""
    words = verdict(claim, finding) + (f": {finding.why}" if finding and finding.why else "")
    return words if finding and finding.decided else f"{words}; measuring it takes about {_duration(claim.seconds)}"


def _anchor(heading: str) -> str:
    """The anchor that Markdown programs give a heading."""
    return re.sub(r"[^\w-]", "", heading).lower()


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _duration(seconds: float) -> str:
    return f"{seconds / 3600:.0f} h" if seconds >= 5400 else f"{max(1, seconds / 60):.0f} min"


WIDTHS = (30, 40, 40, 30, 50, 10)
"""Characters of the columns in a terminal."""


def terminal_table(claims: Iterable[Claim], found: Mapping[str, Finding]) -> str:
    """Differences come first; the command of a row is `make reproduce ONLY=` and its key."""
    order = (DIFFERS, SAME, OWN, TIMED, OPEN)
    rows = []
    for claim in sorted(claims, key=lambda claim: order.index(verdict(claim, found.get(claim.key)))):
        finding = found.get(claim.key)
        measured, evidence = (finding.value or "", finding.evidence) if finding else ("", "")
        seconds = f"{finding.seconds:.1f}" if finding and finding.decided else ""
        texts = (claim.key, claim.claimed, measured, _verdict_and_why(claim, finding), evidence, seconds)
        rows.append(tuple(fill(text, width) for text, width in zip(texts, WIDTHS, strict=True)))
    headers = ("claim", "claimed", "measured", "verdict", "evidence", "seconds")
    return tabulate(rows, headers, disable_numparse=True)
