"""The launcher: passes each run to an idle supervisor, or forks one, and cleans up after a supervisor that was killed.

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
from .supervisor import FILES_PER_RUN, IDLE, send, supervise
from .tree import PR_SET_CHILD_SUBREAPER, ChildAlarm, children_of, set_process_control

# A stopped supervisor cannot monitor. It is continued; a program that stops it repeatedly is killed.
STOPS = 3

MOST_IDLE = 8  # supervisors that wait for a run; others end

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


class Supervisor:
    """A supervisor process, which supervises one run after another, and the socket that passes them."""

    def __init__(self, pid: int, connection: socket.socket):
        self.pid, self.connection = pid, connection
        self.stops = 0  # the number of times that it was stopped in its current run

    def is_idle(self) -> bool:
        """Whether it has told that its last run has ended. It is idle until it gets a run."""
        with contextlib.suppress(BlockingIOError, ConnectionResetError):
            return self.connection.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK) == IDLE
        return False

    def take(self, numbers: list[int]) -> None:
        """Pass a run. If the process has died, the run's socket ends, and the caller repeats the run."""
        self.stops = 0
        with contextlib.suppress(OSError):
            with contextlib.suppress(BlockingIOError):  # it is new
                self.connection.recv(1, socket.MSG_DONTWAIT)
            socket.send_fds(self.connection, [b"r"], numbers)


class Launcher:
    """The current supervisors, and the orphans of dead ones."""

    def __init__(self, control: socket.socket):
        self.control = control
        self.alarm = ChildAlarm()
        self.supervisors: dict[int, Supervisor] = {}
        self.orphaned = False
        self.dead: set[int] = set()  # supervisors that may have left a control group
        self.home = find_home()
        sweep(self.home)

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
                for supervisor in self.supervisors.values():  # it ends when it is idle
                    supervisor.connection.close()

    def start_run(self) -> bool:
        """Pass one run from the caller to a supervisor; False if the caller has ended."""
        idle = [each for each in self.supervisors.values() if each.is_idle()]
        for each in idle[MOST_IDLE:]:
            each.connection.recv(1)  # it is not idle any more
            each.connection.shutdown(socket.SHUT_RDWR)
        failure = ""
        try:
            supervisor = idle[0] if idle else self.fork_supervisor()  # before the run's files are open here
        except OSError as error:
            failure = f"cannot start a supervisor: {error.strerror}"
        try:
            byte, numbers, _, _ = socket.recv_fds(self.control, 1, FILES_PER_RUN)
        except ConnectionResetError:
            return False
        if not byte:
            return False
        if failure:
            send(socket.socket(fileno=os.dup(numbers[0])), {"error": failure})
        else:
            supervisor.take(numbers)
        for number in numbers:
            os.close(number)
        return True

    def fork_supervisor(self) -> Supervisor:
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            for each in (self.control, ours, *(other.connection for other in self.supervisors.values())):
                each.close()
            supervise(theirs, self.home)
        theirs.close()
        self.supervisors[pid] = Supervisor(pid, ours)
        return self.supervisors[pid]

    def wait_for_children(self) -> None:
        """A supervisor that did not end normally leaves its tree to the launcher."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
                if pid == 0:
                    break
                if pid in self.supervisors and os.WIFSTOPPED(status):
                    self.supervisors[pid].stops += 1
                    os.kill(pid, signal.SIGCONT if self.supervisors[pid].stops < STOPS else signal.SIGKILL)
                elif pid in self.supervisors:
                    self.supervisors.pop(pid).connection.close()
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
