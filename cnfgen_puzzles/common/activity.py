"""The current activities, for progress messages: `with doing("kissat is solving"):` around work that may take seconds.

Each thread has a stack of activities; the innermost is shown. Without an observer, the cost is negligible.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

_stacks: dict[int, list[Activity]] = {}


@dataclass
class Activity:
    """An activity, whose text can change, and its start by `time.monotonic`."""

    what: str
    since: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        return f"{self.what}, {time.monotonic() - self.since:.0f} s"


@contextlib.contextmanager
def doing(what: str) -> Iterator[None]:
    """The activity of this thread in the block is `what`."""
    thread = threading.get_ident()
    stack = _stacks.setdefault(thread, [])
    stack.append(Activity(what))
    try:
        yield
    finally:
        stack.pop()
        if not stack:
            _stacks.pop(thread, None)


def activity(thread: int) -> Activity | None:
    """The current activity of the thread with this number (`threading.get_ident`)."""
    stack = list(_stacks.get(thread, ()))
    return stack[-1] if stack else None


def update_activity(what: str) -> None:
    """Change the text of this thread's current activity, if there is one."""
    if (now := activity(threading.get_ident())) is not None:
        now.what = what
