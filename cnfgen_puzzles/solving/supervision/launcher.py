"""The launcher: forks a supervisor for each run, and cleans up after a supervisor that was killed.

It stays small, so that forks are fast and programs inherit a small size. It ends with its caller.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import select
import signal
import socket

from .controlgroup import find_home, group_of, sweep
from .sandbox import prepare_ruleset
from .supervisor import send, supervise
from .tree import PR_SET_CHILD_SUBREAPER, ChildAlarm, children_of, set_process_control

# A run arrives as one byte with four open files: its caller's socket, and the program's stdin, stdout and stderr.
FILES_PER_RUN = 4

# A stopped supervisor cannot monitor. It is continued; a program that stops it repeatedly is killed.
STOPS = 3

ORPHAN_ROUND = 0.01  # seconds between two rounds of killing the orphans of a dead supervisor


def main() -> None:
    """Serve the caller at the other end of stdin until it closes that, or dies."""
    control = _claim_standard_files()
    os.setsid()
    os.chdir("/")
    _reset_signals()
    set_process_control(PR_SET_CHILD_SUBREAPER, 1)
    gc.freeze()  # supervisors share the current memory; a collection would copy its pages
    Launcher(control).serve()


def _claim_standard_files() -> socket.socket:
    """Move the caller's socket away from stdin, and close all other files of the caller except stderr."""
    control = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
    for number in map(int, os.listdir("/dev/fd")):
        if number > 2 and number != control:
            with contextlib.suppress(OSError):  # the descriptor of the listing itself
                os.close(number)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(null, standard)
    if null > 2:
        os.close(null)
    return socket.socket(fileno=control)


def _reset_signals() -> None:
    """Reset signals to their defaults for the programs, since the parent may have ignored or blocked some.

    SIGPIPE stays ignored until the programs' exec, since a dead caller must not kill the processes that clean up after it.
    """
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class Launcher:
    """The current supervisors, and the orphans of dead ones."""

    def __init__(self, control: socket.socket):
        self.control = control
        self.alarm = ChildAlarm()
        self.supervisors: dict[int, int] = {}  # with the number of times that each was stopped
        self.orphaned = False
        self.dead: set[int] = set()  # supervisors that may have left a control group
        self.home = find_home()
        sweep(self.home)
        self.ruleset = prepare_ruleset()  # before a run waits for it

    def serve(self) -> None:
        """Start runs while the caller lives, then wait for the last ones."""
        files: list[socket.socket | ChildAlarm] = [self.control, self.alarm]
        while self.control in files or self.supervisors or self.orphaned:
            ready, _, _ = select.select(files, [], [], ORPHAN_ROUND if self.orphaned else None)
            if self.alarm in ready:
                self.alarm.clear()
            self.wait_for_children()
            if self.orphaned:
                self.kill_orphans()
            if self.control in ready and not self.start_run():
                files.remove(self.control)

    def start_run(self) -> bool:
        """Take one run from the caller and fork its supervisor; False if the caller has ended."""
        try:
            byte, numbers, _, _ = socket.recv_fds(self.control, 1, FILES_PER_RUN)
        except ConnectionResetError:
            return False
        if not byte:
            return False
        for number in numbers:
            os.set_inheritable(number, False)
        caller, files = socket.socket(fileno=numbers[0]), numbers[1:]
        try:
            self.fork_supervisor(caller, files)
        except OSError as error:
            send(caller, {"error": f"cannot start a supervisor: {error.strerror}"})
        finally:
            caller.close()
            for file in files:
                os.close(file)
        return True

    def fork_supervisor(self, caller: socket.socket, files: list[int]) -> None:
        pid = os.fork()
        if pid == 0:
            self.control.close()
            supervise(caller, files, self.home, self.ruleset)
        self.supervisors[pid] = 0
        if self.ruleset is not None:  # it can be used once
            os.close(self.ruleset)
            self.ruleset = None

    def wait_for_children(self) -> None:
        """A supervisor that did not end normally leaves its tree to the launcher."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
                if pid == 0:
                    break
                if pid in self.supervisors and os.WIFSTOPPED(status):
                    self.supervisors[pid] += 1
                    os.kill(pid, signal.SIGCONT if self.supervisors[pid] < STOPS else signal.SIGKILL)
                elif pid in self.supervisors:
                    del self.supervisors[pid]
                    self.ruleset = self.ruleset or prepare_ruleset()
                    if status != 0:
                        self.orphaned = True
                        self.dead.add(pid)

    def kill_orphans(self) -> None:
        """Kill all children that are not supervisors; the launcher inherits their children, so this is repeated until none is
        left.

        A child keeps its number until it is waited for, so no other process is hit. Its group belongs to its own tree.
        """
        orphans = set(children_of(os.getpid())) - self.supervisors.keys()
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(os.getpgid(pid), signal.SIGKILL)
        self.orphaned = bool(orphans)
        while self.dead and not self.orphaned:
            group = group_of(self.home, self.dead.pop())
            if group is not None:
                group.remove()
