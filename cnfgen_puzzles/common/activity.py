"""What is being done right now, in a few words, for whoever shows it: `with doing("kissat is solving"):` around what may take
seconds. Who does something says so and knows nothing of who looks; without anybody who looks it costs next to nothing.

Each thread has activities of its own, one inside of the other; the innermost is told.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

_stacks: dict[int, list[Activity]] = {}
_listeners: list[Callable[[str], None]] = []


@dataclass(frozen=True)
class Activity:
    """What is done, and since when by `time.monotonic`."""

    what: str
    since: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        return f"{self.what}, {time.monotonic() - self.since:.0f} s"


@contextlib.contextmanager
def doing(what: str) -> Iterator[None]:
    """In the block this thread does `what`."""
    thread = threading.get_ident()
    stack = _stacks.setdefault(thread, [])
    stack.append(Activity(what))
    for tell in list(_listeners):
        tell(what)
    try:
        yield
    finally:
        stack.pop()
        if not stack:
            _stacks.pop(thread, None)
        for tell in list(_listeners):
            tell(stack[-1].what if stack else "")


def activity(thread: int) -> Activity | None:
    """What the thread of this number (`threading.get_ident`) does now."""
    stack = list(_stacks.get(thread, ()))
    return stack[-1] if stack else None


@contextlib.contextmanager
def listening(tell: Callable[[str], None]) -> Iterator[None]:
    """In the block `tell` gets every change, `""` when nothing is done any more: for a process that hands it on."""
    _listeners.append(tell)
    try:
        yield
    finally:
        _listeners.remove(tell)


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """In the block, while numba compiles something (the first use on a machine; later ones find it in its cache), this thread is
    `compiling WHAT (first use)`. For code that is about to import numba anyway."""
    from numba.core import event

    class Compilation(event.Listener):
        def __init__(self) -> None:
            self.open: list[contextlib.ExitStack] = []  # functions are compiled inside of others

        def on_start(self, event: object) -> None:
            self.open.append(contextlib.ExitStack())
            self.open[-1].enter_context(doing(f"compiling {what} (first use)"))

        def on_end(self, event: object) -> None:
            self.open.pop().close()

    with event.install_listener("numba:compile", Compilation()):
        yield
