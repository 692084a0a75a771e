"""The launcher: forks supervisors for its caller, and cleans up after a supervisor that was killed.

It stays small, so that forks are fast and programs inherit a small size. It ends with its caller.
"""

from __future__ import annotations

import fcntl
import gc
import os
import select
import signal
import socket
from collections.abc import Iterable

from . import is_portable
from .controlgroup import find_home, group_of, sweep
from .landlock import lasting_paths
from .supervisor import send, supervise
from .tree import PR_SET_CHILD_SUBREAPER, EndedChildren, children_of, kill, members, set_process_control

MOST_FILES = 1 << 16  # the caller's open files have lower numbers
ORPHAN_ROUND = 0.01  # seconds between two rounds of killing the processes that a dead supervisor left


def main() -> None:
    """Serve the caller at the other end of stdin until it closes that, or dies."""
    control = _claim_standard_files()
    os.setsid()
    os.chdir("/")
    _reset_signals()
    if not is_portable():
        set_process_control(PR_SET_CHILD_SUBREAPER, 1)
        lasting_paths()  # found here once instead of in each program
    gc.freeze()  # supervisors share the current memory; a collection would copy its pages
    Launcher(control).serve()


def _claim_standard_files() -> socket.socket:
    """Move the caller's socket away from stdin, and close all other files of the caller except stderr."""
    control = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)  # not 1 or 2, even if the caller has closed these
    os.closerange(3, control)
    os.closerange(control + 1, MOST_FILES)
    with open(os.devnull, "r+b", buffering=0) as null:
        for standard in (0, 1):
            os.dup2(null.fileno(), standard)
    return socket.socket(fileno=control)


def _reset_signals() -> None:
    """Reset signals to their defaults for the programs, since the parent may have ignored or blocked some.

    SIGPIPE stays ignored until the programs' exec, since a dead caller must not kill the processes that clean up after it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # drops a Ctrl-C that waits since the start
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class Launcher:
    """The current supervisors, and the processes that dead ones have left."""

    def __init__(self, control: socket.socket):
        self.control = control
        self.supervisors: set[int] = set()
        self.dead: set[int] = set()  # supervisors whose processes have not all ended
        self.home = None if is_portable() else find_home()
        if self.home is not None:
            sweep(self.home)
        self.children = EndedChildren()

    def serve(self) -> None:
        """Start supervisors while the caller lives, then wait for the last ones."""
        files = [self.control.fileno(), self.children.fileno()]
        while len(files) > 1 or self.supervisors or self.dead:
            ready, _, _ = select.select(files, [], [], ORPHAN_ROUND if self.dead else None)
            for ended in self.children.take():  # a supervisor that did not end normally leaves its tree to the launcher
                if ended.pid in self.supervisors and ended.status != 0:
                    self.dead.add(ended.pid)
                self.supervisors.discard(ended.pid)
            for supervisor in list(self.dead):
                self.clean_up(supervisor)
            if self.control.fileno() in ready and not self.start_supervisor():
                del files[0]

    def start_supervisor(self) -> bool:
        """Fork a supervisor for the socket that the caller passes; False if the caller has ended."""
        try:
            _, numbers, _, _ = socket.recv_fds(self.control, 1, 1)
        except ConnectionResetError:
            numbers = []
        if not numbers:
            return False
        with socket.socket(fileno=numbers[0]) as caller:
            caller.set_inheritable(False)
            try:
                pid = os.fork()
            except OSError as error:
                send(caller, {"error": f"cannot start a supervisor: {error.strerror}"})
                return True
            if pid == 0:
                self.control.close()
                supervise(caller, self.home)
        self.supervisors.add(pid)
        return True

    def clean_up(self, supervisor: int) -> None:
        """Kill the processes that a dead supervisor has left. This is repeated until none is left.

        On Linux, the launcher inherits the children of dead processes. In portable mode, they are in the session of the
        supervisor, or below such processes.
        """

        def left() -> Iterable[int]:
            return members(supervisor) if is_portable() else set(children_of(os.getpid())) - self.supervisors

        if left():
            kill(left)
            return
        self.dead.discard(supervisor)
        if (group := group_of(self.home, supervisor)) is not None:
            group.remove()
