"""A supervisor: starts a program, measures its tree, enforces its limits, cleans up, and reports to the caller. Then it takes
the next run, since a fork for each run would take half of its overhead.

A supervisor is a subreaper: a process of the tree that loses its parent becomes a child of the supervisor. So no process leaves
the tree with a double fork or a new session, and the tree has ended when the supervisor has no child left.

The caller's socket carries the order and the answer. Nothing else arrives on it, so the end of its input means that the caller
has died or wants to end the run.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import resource
import select
import signal
import socket
import stat
import time
from typing import Any, NoReturn

from . import CPU_LIMIT, EXIT, INTERRUPTED, LANDLOCK, LAUNCH_FAILED, MEMORY_LIMIT, OUTPUT_LIMIT, SIGNAL, WALL_LIMIT
from .controlgroup import ControlGroup, group_of
from .sandbox import Domain, confine, prepare_ruleset
from .tree import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    ChildAlarm,
    Process,
    memory_of,
    processes_below,
    set_process_control,
    signal_groups,
)
from .usage import ExecStart, Usage, bytes_written

# Pauses between samples of the tree, in seconds. They grow, so that short runs are sampled often and long runs seldom, and they
# grow with the cost of a sample, so that sampling takes at most a fiftieth of a core; large trees need samples as well.
FIRST_PAUSE = 0.0005
LONGEST_PAUSE = 0.02
PAUSE_PER_COST = 50
LONGEST_PAUSE_OF_LARGE_TREES = 0.1

GRACE = 0.15  # seconds from SIGTERM to SIGKILL, for a last line of statistics
KILL_ROUND = 0.01  # seconds between two rounds of killing
KILL_PATIENCE = 60.0  # seconds until processes that are stuck in the kernel are reported

# A run arrives as one byte with four open files: its caller's socket, and the program's stdin, stdout and stderr.
FILES_PER_RUN = 4
IDLE = b"i"  # the message to the launcher that the tree of the last run has ended


def supervise(launcher: socket.socket, home: str | None) -> NoReturn:
    """Supervise the runs that the launcher passes, one after the other, until it closes its socket or dies.

    An exit status other than 0 means that the launcher must clean up the tree. home: the place for control groups.
    """
    status = 1
    try:
        os.setsid()  # so that no signal to a group hits launcher and supervisor together
        set_process_control(PR_SET_CHILD_SUBREAPER, 1)
        alarm = ChildAlarm()
        ruleset = prepare_ruleset()
        while numbers := _receive_files(launcher):
            caller, files = socket.socket(fileno=numbers[0]), numbers[1:]
            _supervise_run(caller, files, home, ruleset, alarm, launcher)
            for number in files if ruleset is None else (*files, ruleset):
                os.close(number)
            ruleset = prepare_ruleset()  # before a run waits for it
        status = 0
    finally:  # after an internal error, too: never continue in the launcher's code
        os._exit(status)


def _receive_files(launcher: socket.socket) -> list[int]:
    """The files of the next run; none if the launcher has ended."""
    try:
        _, numbers, _, _ = socket.recv_fds(launcher, 1, FILES_PER_RUN)
    except ConnectionResetError:
        return []
    for number in numbers:
        os.set_inheritable(number, False)
    return numbers


def _supervise_run(
    caller: socket.socket, files: list[int], home: str | None, ruleset: int | None, alarm: ChildAlarm, launcher: socket.socket
) -> None:
    """Carry out an order from the caller, tell the launcher that it can pass the next run, and answer. Exits if the tree has not
    ended, because the next run would count it."""
    with caller:  # the caller waits until it is closed, not for the exit
        try:
            answer = None
            order = _receive_order(caller)
            if order is not None:
                send(caller, {"accepted": True})
                run = SupervisedRun(order, files, caller, home, ruleset, alarm)
                answer = run.result()
                if run.survivors or (run.group is not None and run.group.exists()):
                    send(caller, answer)
                    os._exit(0)
        except BrokenPipeError:  # the caller died
            pass
        except Exception:  # an internal error
            with contextlib.suppress(BrokenPipeError):
                import traceback  # seldom needed

                send(caller, {"error": traceback.format_exc()})
            raise
        with contextlib.suppress(OSError):  # the launcher was killed
            launcher.send(IDLE)
        if answer is not None:
            with contextlib.suppress(BrokenPipeError):
                send(caller, answer)


def _receive_order(caller: socket.socket) -> dict[str, Any] | None:
    """The order, one line of JSON; None if the caller ends before the line does."""
    with caller.makefile("rb") as stream:
        line = stream.readline()
    order: dict[str, Any] | None = json.loads(line) if line.endswith(b"\n") else None
    return order


def send(caller: socket.socket, answer: dict[str, Any]) -> None:
    """One line of JSON for the caller."""
    caller.sendall(json.dumps(answer).encode() + b"\n")


class SupervisedRun:
    """A run, start to end: `order` has command, cwd, env, cores and limits; `files` are its stdin, stdout and stderr."""

    def __init__(
        self,
        order: dict[str, Any],
        files: list[int],
        caller: socket.socket,
        home: str | None,
        ruleset: int | None,
        alarm: ChildAlarm,
    ):
        self.order = order
        group = group_of(home, os.getpid()) if order["control_groups"] else None
        self.group = group if group is not None and group.make() else None
        self.limits = order["limits"]
        self.files = files
        self.ruleset = ruleset
        self.caller = caller
        self.alarm = alarm
        self.survivors: list[Process] = []
        self.status: int | None = None  # of the main process, once it has ended
        self.finished: float | None = None  # when that was

    def result(self) -> dict[str, Any]:
        """Run the program and return the answer for the caller. Afterwards the tree has ended in any case."""
        try:
            if self.group is not None and self.limits["memory"] is not None:
                self.group.limit(self.limits["memory"])
            self.main, self.start = start_program(self.order, self.files, self.group, self.ruleset)
            self.usage = Usage(self.start, self.group, (*self.files, *(path for path, _ in self.order["written"])))
            leftovers = 0
            try:
                reason = self.watch()
                if reason is None:
                    leftovers = sum(process.alive for process in processes_below(os.getpid()))
                elif reason in (CPU_LIMIT, WALL_LIMIT):
                    self.ask_to_end()
            finally:
                self.survivors = self.kill_all()
            self.usage.end()
            reason = reason or self.passed_limit()
            notes = [self.find_flood()] if reason == OUTPUT_LIMIT else []
            self.cut_output()
            notes += [f"process {process.pid} survived SIGKILL" for process in self.survivors]
            return self.answer(reason, leftovers, "\n".join(notes))
        except LaunchFailed as failure:
            return {"ended": LAUNCH_FAILED, "detail": str(failure)}
        finally:
            if self.group is not None:
                self.group.remove()

    def watch(self) -> str | None:
        """Wait for the end of the main process (None), or for a reason to end it."""
        watched: list[socket.socket | ChildAlarm] = [self.caller, self.alarm]
        pause, due = FIRST_PAUSE, self.start.moment + FIRST_PAUSE
        while self.status is None:
            now = time.monotonic()
            if now >= due:
                self.look()
                if reason := self.passed_limit():
                    return reason
                done = time.monotonic()
                pause = min(2 * pause, LONGEST_PAUSE)
                due = done + max(pause, min(PAUSE_PER_COST * (done - now), LONGEST_PAUSE_OF_LARGE_TREES))
            ready, _, _ = select.select(watched, [], [], max(0.0, due - time.monotonic()))
            if self.caller in ready:
                return INTERRUPTED
            if self.alarm in ready:
                self.alarm.clear()
                self.wait_for_children()
        return None

    def look(self) -> None:
        """Update the usage. Ended children are waited for first, otherwise their time would be counted twice."""
        self.wait_for_children()
        self.usage.add_look(processes_below(os.getpid()))

    def wait_for_children(self) -> bool:
        """Wait for all ended children; returns whether others are left."""
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self.usage.add_ended(used)
            if pid == self.main:
                self.status, self.finished = status, time.monotonic()

    def passed_limit(self) -> str | None:
        """The first limit that the run has exceeded."""
        for reason, name, used in ((CPU_LIMIT, "cpu", self.usage.cpu), (WALL_LIMIT, "wall", self.wall())):
            if self.limits[name] is not None and used > self.limits[name]:
                return reason
        memory = self.limits["memory"]
        if memory is not None and (self.usage.is_memory_above(memory) or (self.group is not None and self.group.out_of_memory)):
            return MEMORY_LIMIT
        return OUTPUT_LIMIT if self.find_flood() else None

    def find_flood(self) -> str:
        """The output that exceeds its limit, in words; empty if there is none."""
        streams = ((name, size, limit) for name, _, size, limit in self.outputs())
        written = ((os.path.basename(path), bytes_written(path), limit) for path, limit in self.order["written"])
        return next((f"{name} has more than {limit} bytes" for name, size, limit in (*streams, *written) if size > limit), "")

    def wall(self) -> float:
        """Seconds from exec until the main process ended, or until now."""
        return (self.finished or time.monotonic()) - self.start.moment

    def outputs(self) -> list[tuple[str, int, int, int]]:
        """Name, file, size, and limit of stdout and stderr, if they are regular files."""
        _, stdout, stderr = self.files
        limited = (("stdout", stdout, self.limits["output"]), ("stderr", stderr, self.limits["errors"]))
        sizes = ((name, file, os.fstat(file), limit) for name, file, limit in limited)
        return [(name, file, info.st_size, limit) for name, file, info, limit in sizes if stat.S_ISREG(info.st_mode)]

    def cut_output(self) -> None:
        """Truncate the files to their limits: the program writes to them directly and can exceed a limit between two samples."""
        for _, file, size, limit in self.outputs():
            if size > limit:
                os.ftruncate(file, limit)

    def ask_to_end(self) -> None:
        """Send SIGTERM to all processes, including stopped ones, and wait a moment."""
        processes = processes_below(os.getpid())
        signal_groups(processes, signal.SIGTERM)
        signal_groups(processes, signal.SIGCONT)
        deadline = time.monotonic() + GRACE
        while self.wait_for_children() and time.monotonic() < deadline:
            self.alarm.wait(deadline - time.monotonic())

    def kill_all(self) -> list[Process]:
        """Send SIGKILL in rounds until no child is left; returns the processes that survive.

        One round may not suffice: the supervisor inherits the children of killed processes, and a process may fork meanwhile.
        """
        deadline = time.monotonic() + KILL_PATIENCE
        while self.wait_for_children():
            processes = processes_below(os.getpid())
            if time.monotonic() > deadline:
                return processes
            signal_groups(processes, signal.SIGKILL)
            self.alarm.wait(KILL_ROUND)
        return []

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


def start_program(
    order: dict[str, Any], files: list[int], group: ControlGroup | None, ruleset: int | None
) -> tuple[int, ExecStart]:
    """Fork and exec `order`'s command with `files` as stdin, stdout, and stderr; returns after exec has succeeded.

    `ruleset` is a prepared Landlock ruleset, or None.
    """
    reader, writer = os.pipe()
    supervisor = os.getpid()
    try:
        pid = os.fork()
    except OSError as error:
        raise LaunchFailed(f"cannot fork: {error.strerror}") from error
    if pid == 0:
        _become_program(order, files, group, ruleset, writer, supervisor)
    os.close(writer)
    with os.fdopen(reader, "rb") as report:  # ends when exec closes the writer
        lines = report.read().decode().splitlines()
    if len(lines) == 1 and lines[0].startswith("["):  # the child's ExecStart, without a later failure of exec
        return pid, ExecStart(*json.loads(lines[0]))
    os.waitpid(pid, 0)
    raise LaunchFailed(lines[-1] if lines else "killed before it could be executed")


def _become_program(
    order: dict[str, Any], files: list[int], group: ControlGroup | None, ruleset: int | None, report: int, supervisor: int
) -> NoReturn:
    """Exec, or report the error and exit; never returns."""
    doing = "prepare the process"
    try:
        os.setsid()
        set_process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:  # it died before the child could notice
            os._exit(os.EX_UNAVAILABLE)
        for target, file in enumerate(files):
            os.dup2(file, target)
        _set_backstops(order["limits"])
        doing = f"enter {order['cwd']}"
        os.chdir(order["cwd"])
        if order["cores"] is not None:
            doing = f"pin to cores {order['cores']}"
            os.sched_setaffinity(0, order["cores"])
        doing = f"execute {order['command'][0]}"
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the launcher ignores it
        in_group = group is not None and group.join()
        domain = order["confinement"]
        confined = domain is not None and confine(Domain(**domain), ruleset, range(len(files)))
        used = resource.getrusage(resource.RUSAGE_SELF)
        peak = max(used.ru_maxrss * 1024, memory_of(os.getpid())[1])
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
