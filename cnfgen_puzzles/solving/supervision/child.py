"""From fork to exec: the child that becomes the program, and its last report as ours."""

from __future__ import annotations

import math
import os
import resource
import signal
import time
from typing import Any, NamedTuple, NoReturn

from .controlgroup import ControlGroup
from .landlock import Domain, confine
from .tree import PR_SET_PDEATHSIG, RUSAGE_UNIT, memory_of, set_process_control

# Kernel limits behind the sampled ones, for the case that no look comes in time. They hold for each process alone, and
# they are wide, since a program within the true limit must never meet them: the kernel counts CPU time in whole seconds,
# and the data segment includes what was allocated but never touched. The address space stays unlimited: threads,
# sanitizers and garbage collectors reserve far more of it than they use.
BACKSTOP_SECONDS = 2
BACKSTOP_DATA_FACTOR = 2
BACKSTOP_DATA_EXTRA = 1 << 30

STARTED = "started"


class LaunchFailed(Exception):
    """The program could not be started; the message says why."""


class Start(NamedTuple):
    """What the child says right before exec: all that it used until then is ours and not the program's."""

    moment: float  # of the monotonic clock, in seconds
    cpu: float  # seconds
    peak: int  # bytes: exec hands it on, so that no later ru_maxrss is less
    in_group: bool  # whether it has joined the run's control group
    confined: bool  # whether the kernel holds it to the order's domain


def start_program(order: dict[str, Any], files: list[int], group: ControlGroup | None, ruleset: int | None) -> tuple[int, Start]:
    """Fork and exec `order`'s command with `files` as stdin, stdout and stderr; returns once exec has succeeded.

    `ruleset` is one that Landlock has prepared, if there is one.
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
    match lines:
        case [start] if start.startswith(STARTED):
            _, moment, cpu, peak, in_group, confined = start.split()
            return pid, Start(float(moment), float(cpu), int(peak), in_group == "True", confined == "True")
        case _:
            os.waitpid(pid, 0)
            raise LaunchFailed(lines[-1] if lines else "killed before it could be executed")


def _become_program(
    order: dict[str, Any], files: list[int], group: ControlGroup | None, ruleset: int | None, report: int, supervisor: int
) -> NoReturn:
    """Never returns: execs, or reports what went wrong and exits."""
    doing = "prepare the process"
    try:
        os.setsid()
        set_process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:  # it died before it could be heard of
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
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the one that the launcher ignores
        in_group = group is not None and group.join()
        domain = order["confinement"]
        confined = domain is not None and confine(Domain(**domain), ruleset, range(len(files)))
        os.write(report, _start_line(in_group, confined))
        os.execve(order["program"], order["command"], order["env"])
    except Exception as error:  # whatever it is, it is told, and this process must not go on as a second supervisor
        reason = error.strerror if isinstance(error, OSError) else error
        os.write(report, f"cannot {doing}: {reason}\n".encode(errors="backslashreplace"))
    finally:
        os._exit(os.EX_UNAVAILABLE)


def _start_line(in_group: bool, confined: bool) -> bytes:
    """A Start, for the supervisor to read."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, high_water = memory_of(os.getpid())
    peak = max(used.ru_maxrss * RUSAGE_UNIT, high_water)
    return f"{STARTED} {time.monotonic()!r} {used.ru_utime + used.ru_stime!r} {peak} {in_group} {confined}\n".encode()


def _set_backstops(limits: dict[str, Any]) -> None:
    _lower_limit(resource.RLIMIT_CORE, 0)
    if limits["cpu"] is not None:
        _lower_limit(resource.RLIMIT_CPU, math.ceil(limits["cpu"]) + BACKSTOP_SECONDS)
    if limits["memory"] is not None:
        _lower_limit(resource.RLIMIT_DATA, BACKSTOP_DATA_FACTOR * limits["memory"] + BACKSTOP_DATA_EXTRA)


def _lower_limit(which: int, value: int) -> None:
    """Never above a hard limit that the user already has."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
