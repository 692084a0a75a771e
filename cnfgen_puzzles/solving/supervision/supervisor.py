"""A supervisor: starts a program, measures its tree, enforces its limits, cleans up, and reports to the caller. Then it takes
the next run from the caller, since a fork for each run would take half of its overhead.

The caller's socket carries orders and answers, one at a time. The end of its input means that the caller has died or wants to end
the run.
"""

from __future__ import annotations

import json
import math
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

from . import CPU_LIMIT, EXIT, INTERRUPTED, LANDLOCK, LAUNCH_FAILED, MEMORY_LIMIT, OUTPUT_LIMIT, SIGNAL, WALL_LIMIT, is_portable
from .controlgroup import ControlGroup, group_of
from .landlock import Domain, confine
from .outputs import Output
from .tree import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, EndedChildren, Tree, kill, set_process_control, signal_groups
from .usage import MAXRSS_UNIT, ExecStart, Usage, high_water

# Seconds from exec to the first sample of the tree, and between two samples. In portable mode, a sample reads all processes of
# the machine. Pauses grow with the cost of a sample up to a limit, so that it seldom takes more than a fiftieth of a core.
FIRST_SAMPLE = 0.1
PAUSE = 0.1 if is_portable() else 0.02
PAUSE_PER_COST = 50
LONGEST_PAUSE = 0.1

GRACE = 0.15  # seconds from SIGTERM to SIGKILL, for a last line of statistics
KILL_ROUND = 0.01  # seconds between two rounds of killing
KILL_PATIENCE = 60.0  # seconds until processes that are stuck in the kernel are reported

# A run arrives as one byte with three open files, the program's stdin, stdout, and stderr, and one line of JSON, the order.
FILES_PER_RUN = 3


def supervise(caller: socket.socket, home: str | None) -> NoReturn:
    """Supervise the runs of the caller, one after the other, until it closes its socket or dies.

    An exit status other than 0 means that the launcher must clean up the tree. home: the place for control groups.
    """
    status = 1
    try:
        launcher = os.getppid()
        os.setsid()  # so that no signal to a group hits launcher and supervisor together
        if not is_portable():
            set_process_control(PR_SET_CHILD_SUBREAPER, 1)
        children = EndedChildren()
        orders = caller.makefile("rb")
        while (files := _receive_files(caller)) and os.getppid() == launcher:  # otherwise nothing cleans up after this process
            try:
                _supervise_run(caller, json.loads(orders.readline()), files, home, children)
            finally:
                for file in files:
                    os.close(file)
        status = 0
    except (BrokenPipeError, ConnectionResetError):  # the caller died
        status = 0
    finally:  # after an internal error, too: never continue in the launcher's code
        os._exit(status)


def _receive_files(caller: socket.socket) -> list[int]:
    """The files of the next run; none if the caller has ended."""
    _, files, _, _ = socket.recv_fds(caller, 1, FILES_PER_RUN)
    for file in files:
        os.set_inheritable(file, False)
    return files


def _supervise_run(
    caller: socket.socket, order: dict[str, Any], files: list[int], home: str | None, children: EndedChildren
) -> None:
    """Carry out an order and answer. Exits if the tree has not ended, because the next run would count it."""
    send(caller, {"accepted": True})
    try:
        run = SupervisedRun(order, files, caller, home, children)
        answer = run.result()
    except Exception:  # an internal error
        import traceback  # seldom needed

        send(caller, {"error": traceback.format_exc()})
        raise
    send(caller, answer)
    if run.survivors or (run.group is not None and run.group.exists()):
        os._exit(0)


def send(caller: socket.socket, answer: dict[str, Any]) -> None:
    """One line of JSON for the caller."""
    caller.sendall(json.dumps(answer).encode() + b"\n")


class SupervisedRun:
    """A run, start to end: `order` has command, cwd, env, cores and limits; `files` are its stdin, stdout and stderr."""

    def __init__(self, order: dict[str, Any], files: list[int], caller: socket.socket, home: str | None, children: EndedChildren):
        self.order, self.files, self.limits = order, files, order["limits"]
        self.caller = caller
        self.children = children
        group = group_of(home, os.getpid()) if order["control_groups"] else None
        self.group = group if group is not None and group.make() else None
        self.outputs = [Output("stdout", files[1], self.limits["output"]), Output("stderr", files[2], self.limits["errors"])]
        self.outputs += [Output(os.path.basename(path), path, limit) for path, limit in order["written"]]
        self.tree = Tree()
        self.survivors: list[int] = []
        self.status: int | None = None  # of the main process, once it has ended
        self.finished: float | None = None  # when that was

    def result(self) -> dict[str, Any]:
        """Run the program and return the answer for the caller. Afterwards the tree has ended in any case."""
        try:
            if self.group is not None and self.limits["memory"] is not None:
                self.group.limit(self.limits["memory"])
            self.main, self.start = start_program(self.order, self.files, self.group)
            self.usage = Usage(self.start, self.group)
            leftovers = 0
            try:
                reason = self.watch()
                if reason is None:
                    leftovers = self.count_leftovers()
                elif reason in (CPU_LIMIT, WALL_LIMIT):
                    self.ask_to_end()
            finally:
                self.kill_all()
            self.usage.end()
            reason = reason or self.passed_limit()
            notes = [self.flood()] if reason == OUTPUT_LIMIT else []
            for output in self.outputs:
                output.cut()
            notes += [f"process {pid} survived SIGKILL" for pid in self.survivors]
            return self.answer(reason, leftovers, "\n".join(notes))
        except LaunchFailed as failure:
            while self.children.take() == [] and self.children.are_left:  # the child that reported the failure is about to end
                self.children.wait(KILL_ROUND)
            return {"ended": LAUNCH_FAILED, "detail": str(failure)}
        finally:
            if self.group is not None:
                self.group.remove()

    def watch(self) -> str | None:
        """Wait for the end of the main process (None), or for a reason to end it."""
        due = self.start.moment + FIRST_SAMPLE
        while self.status is None:
            now = time.monotonic()
            if now >= due:
                self.wait_for_children()
                self.usage.add_sample(self.tree.processes())
                done = time.monotonic()
                due = done + max(PAUSE, min(PAUSE_PER_COST * (done - now), LONGEST_PAUSE))
            if reason := self.passed_limit():
                return reason
            wall = self.limits["wall"]
            wake = due if wall is None else min(due, self.start.moment + wall)
            ready, _, _ = select.select([self.caller.fileno(), self.children.fileno()], [], [], max(0.0, wake - time.monotonic()))
            if self.caller.fileno() in ready:
                return INTERRUPTED
            self.wait_for_children()
        return None

    def wait_for_children(self) -> bool:
        """Add the use of ended children; returns whether others are left."""
        for pid, status, used, moment in self.children.take():
            self.usage.add_ended(used)
            if pid == self.main:
                self.status, self.finished = status, moment
        return self.children.are_left

    def passed_limit(self) -> str | None:
        """The first limit that the run has exceeded."""
        for reason, name, used in ((CPU_LIMIT, "cpu", self.usage.cpu), (WALL_LIMIT, "wall", self.wall())):
            if self.limits[name] is not None and used > self.limits[name]:
                return reason
        memory = self.limits["memory"]
        if memory is not None and (self.usage.is_memory_above(memory) or (self.group is not None and self.group.out_of_memory)):
            return MEMORY_LIMIT
        return OUTPUT_LIMIT if self.flood() else None

    def flood(self) -> str:
        """The output that exceeds its limit, in words; empty if there is none."""
        return next((f"{each.name} has more than {each.limit} bytes" for each in self.outputs if each.is_flood), "")

    def wall(self) -> float:
        """Seconds from exec until the main process ended, or until now."""
        return (self.finished or time.monotonic()) - self.start.moment

    def is_left(self) -> bool:
        """Whether a process of the tree may be left: a child, or in portable mode any process."""
        return self.wait_for_children() or (is_portable() and any(self.tree.pids()))

    def count_leftovers(self) -> int:
        """The number of processes that are left after the end of the main one. Only Linux measures them when they end."""
        if not self.is_left():
            return 0
        if is_portable():
            self.usage.add_sample(self.tree.processes())
        return len(list(self.tree.pids()))

    def ask_to_end(self) -> None:
        """Send SIGTERM to all processes, including stopped ones, and wait a moment."""
        for number in (signal.SIGTERM, signal.SIGCONT):
            signal_groups(self.tree.pids(), number)
        deadline = time.monotonic() + GRACE
        while self.is_left() and time.monotonic() < deadline:
            self.children.wait(deadline - time.monotonic())

    def kill_all(self) -> None:
        """Send SIGKILL in rounds until no process is left.

        One round may not suffice: the supervisor inherits the children of killed processes, and a process may fork meanwhile.
        """
        deadline = time.monotonic() + KILL_PATIENCE
        while self.is_left():
            if time.monotonic() > deadline:
                self.survivors = list(self.tree.pids())
                return
            if self.group is not None:
                self.group.kill()
            kill(self.tree.pids)
            self.children.wait(KILL_ROUND)

    def answer(self, reason: str | None, leftovers: int, detail: str) -> dict[str, Any]:
        """The fields of a Measurement."""
        code = None if self.status is None else os.waitstatus_to_exitcode(self.status)
        number = -code if code is not None and code < 0 else None
        memory, method = self.usage.memory()
        return {
            "ended": reason or (EXIT if number is None else SIGNAL),
            "exit_code": code if number is None else None,
            "signal": number,
            "cpu": self.usage.cpu,
            "wall": self.wall(),
            "memory": memory,
            "memory_method": method,
            "leftovers": leftovers,
            "detail": detail,
            "confinement": LANDLOCK if self.start.confined else "",
        }


# -- from fork to exec --------------------------------------------------------------------------------------------------


# Kernel limits in addition to the sampled ones, for growth between two samples. They apply to each process, and they are wide,
# since a program within the true limit must never reach them: RLIMIT_CPU counts timer ticks, which on a busy virtual machine
# was 10% more than the CPU time that the kernel reports, and the data segment includes memory that was allocated but never used.
# The address space stays unlimited: threads, sanitizers, and garbage collectors reserve much more of it than they use.
BACKSTOP_CPU_FACTOR = 2
BACKSTOP_CPU_EXTRA = 2
BACKSTOP_DATA_FACTOR = 2
BACKSTOP_DATA_EXTRA = 1 << 30


class LaunchFailed(Exception):
    """The program could not be started; the message has the reason."""


def start_program(order: dict[str, Any], files: list[int], group: ControlGroup | None) -> tuple[int, ExecStart]:
    """Fork and exec `order`'s command with `files` as stdin, stdout, and stderr; returns after exec has succeeded."""
    reader, writer = os.pipe()
    supervisor = os.getpid()
    try:
        pid = os.fork()
    except OSError as error:
        raise LaunchFailed(f"cannot fork: {error.strerror}") from error
    if pid == 0:
        _become_program(order, files, group, writer, supervisor)
    os.close(writer)
    with os.fdopen(reader, "rb") as report:  # ends when exec closes the writer
        lines = report.read().decode().splitlines()
    if len(lines) == 1 and lines[0].startswith("["):  # the child's ExecStart, without a later failure of exec
        return pid, ExecStart(*json.loads(lines[0]))
    raise LaunchFailed(lines[-1] if lines else "killed before it could be executed")


def _become_program(
    order: dict[str, Any], files: list[int], group: ControlGroup | None, report: int, supervisor: int
) -> NoReturn:
    """Exec, or report the error and exit; never returns."""
    doing = "prepare the process"
    try:
        if is_portable():
            os.setpgid(0, 0)  # in the session of the supervisor, by which the launcher finds it
        else:
            os.setsid()
            set_process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:  # it died before the child could notice
            os._exit(os.EX_UNAVAILABLE)
        for target, file in enumerate(files):
            os.dup2(file, target)
        _set_backstops(order["limits"])
        doing = f"enter {order['cwd']}"
        os.chdir(order["cwd"])
        if order["cores"] is not None and sys.platform == "linux":
            doing = f"pin to cores {order['cores']}"
            os.sched_setaffinity(0, order["cores"])
        doing = f"execute {order['command'][0]}"
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the launcher ignores it
        in_group = group is not None and group.join()
        domain = order["confinement"]
        confined = domain is not None and confine(Domain(**domain), range(len(files)))
        used = resource.getrusage(resource.RUSAGE_SELF)
        peak = max(used.ru_maxrss * MAXRSS_UNIT, high_water("self"))
        start = ExecStart(time.monotonic(), used.ru_utime + used.ru_stime, peak, in_group, confined)
        os.write(report, json.dumps(start).encode() + b"\n")
        os.execve(order["program"], order["command"], order["env"])
    except Exception as error:  # any error is reported, and this process must not continue as a second supervisor
        reason = error.strerror if isinstance(error, OSError) else error
        os.write(report, f"cannot {doing}: {reason}\n".encode(errors="backslashreplace"))
    finally:
        os._exit(os.EX_UNAVAILABLE)


def _set_backstops(limits: dict[str, Any]) -> None:
    _lower_limit(resource.RLIMIT_CORE, 0)
    if limits["cpu"] is not None:
        _lower_limit(resource.RLIMIT_CPU, BACKSTOP_CPU_FACTOR * math.ceil(limits["cpu"]) + BACKSTOP_CPU_EXTRA)
    if limits["memory"] is not None:
        _lower_limit(resource.RLIMIT_DATA, BACKSTOP_DATA_FACTOR * limits["memory"] + BACKSTOP_DATA_EXTRA)


def _lower_limit(which: int, value: int) -> None:
    """Lower a limit, but never raise it above the current hard limit."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
