"""What came of a collection: how many of each verdict, and which puzzles took longest."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator

from cnfgen_puzzles.collection.question import FAILED, UNREADABLE, VERDICTS
from cnfgen_puzzles.collection.running import Answered

SLOWEST = 5
WORTH_TELLING = 1.0
"""Seconds; faster ones are nobody's concern."""


class Summary:
    """Counts what it is told of."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.files: set[str] = set()
        self.known = 0
        self._slowest: list[tuple[float, str]] = []

    def add(self, answer: Answered) -> None:
        """One more puzzle."""
        self.verdicts[answer.verdict] += 1
        self.files.add(answer.item.file)
        self.known += not answer.new and answer.verdict != UNREADABLE
        heapq.heappush(self._slowest, (answer.seconds, str(answer.item)))
        if len(self._slowest) > SLOWEST:
            heapq.heappop(self._slowest)

    @property
    def exit_code(self) -> int:
        """1 if a solver or we failed on a puzzle, else 2 if something could not be read, else 0."""
        return 1 if self.verdicts[FAILED] else 2 if self.verdicts[UNREADABLE] else 0

    def lines(self) -> Iterator[str]:
        """In words."""
        total = self.verdicts.total() - self.verdicts[UNREADABLE]
        listed = [f"{self.verdicts[verdict]} {told}" for verdict, told in VERDICTS.items() if self.verdicts[verdict]]
        files = f"{len(self.files)} file{'s' * (len(self.files) != 1)}"
        known = f" ({self.known} answered before, or the same as another)" if self.known else ""
        yield f"{total} puzzle{'s' * (total != 1)} in {files}{known}: {', '.join(listed) or 'none'}"
        slow = [f"{seconds:.1f} s {name}" for seconds, name in sorted(self._slowest, reverse=True) if seconds >= WORTH_TELLING]
        if slow:
            yield f"slowest: {'; '.join(slow)}"
