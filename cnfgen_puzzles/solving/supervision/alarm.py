"""The death of a child as a file: readable for `select` as soon as one has ended."""

from __future__ import annotations

import contextlib
import select
import signal
import socket


class ChildAlarm:
    """SIGCHLD for `select`. A process has one; one that was forked makes its own, in place of its parent's."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # an ignored signal would not wake us
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)

    def fileno(self) -> int:
        return self._reader.fileno()

    def clear(self) -> None:
        """Forget the deaths so far; call it before waiting for children, or one may be missed."""
        with contextlib.suppress(BlockingIOError):
            while self._reader.recv(4096):
                pass

    def wait(self, seconds: float) -> None:
        """Until a child ends, but not longer than this."""
        select.select([self], [], [], max(0.0, seconds))
        self.clear()
