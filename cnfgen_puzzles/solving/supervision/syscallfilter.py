"""What Landlock does not know and a confined program has no need of, kept from it by a filter of its system calls (seccomp).

Refused (EPERM) are sockets of all kinds, those of UDP and of daemons too, but not pairs of them, which only lead back to the
program; attributes of files; limits of other processes; and io_uring, which gets past such filters. Modes, owners and times of
files stay as they are, and the call says that it succeeded: programs that copy files set them, and seldom need them.

On for the architectures of `CALLS`. A program of another one gets the answer that there are no system calls.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import NamedTuple

from .systemcalls import system_call


class Calls(NamedTuple):
    """The numbers of system calls on one architecture, and its own in linux/audit.h."""

    architecture: int
    pretended: tuple[int, ...]  # chmod, chown, utime and all their relatives
    refused: tuple[int, ...]  # socket, setxattr and removexattr with their relatives, io_uring_setup, file_setattr
    prlimit: int


CALLS = {
    "x86_64": Calls(
        0xC000003E,
        (90, 91, 92, 93, 94, 132, 235, 261, 260, 268, 280, 452),
        (41, 188, 189, 190, 197, 198, 199, 425, 463, 466, 469),
        302,
    ),
    "i386": Calls(  # socketcall too, and the calls with numbers of 32 and 64 bits
        0x40000003,
        (15, 94, 182, 95, 16, 212, 207, 198, 30, 271, 299, 298, 306, 320, 412, 452),
        (102, 359, 226, 227, 228, 235, 236, 237, 425, 463, 466, 469),
        340,
    ),
    "aarch64": Calls(0xC00000B7, (52, 53, 54, 55, 88, 452), (198, 5, 6, 7, 14, 15, 16, 425, 463, 466, 469), 261),
}
RUN_BY = {"x86_64": ("x86_64", "i386"), "aarch64": ("aarch64",)}  # a machine, and the architectures of programs that it runs
SECCOMP = {"x86_64": 317, "aarch64": 277}  # the number of seccomp(2) itself
X32 = 1 << 30  # the bit of x86-64's calls with pointers of 32 bits

# linux/filter.h, linux/seccomp.h
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, THIRD_ARGUMENT = 0, 4, 16, 32  # places in struct seccomp_data
ALLOW, FAIL = 0x7FFF0000, 0x00050000
SET_MODE_FILTER, SPEC_ALLOW = 1, 1 << 2  # without SPEC_ALLOW older kernels slow the program down


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction. Jumps are counted in instructions that are passed over."""
    return struct.pack("HBBI", code, if_true, if_false, value)


REFUSE, SUCCEED, UNKNOWN = (_line(RETURN, FAIL | number) for number in (errno.EPERM, 0, errno.ENOSYS))


def _section(calls: Calls) -> list[bytes]:
    """What is done with the calls of one architecture: a jump for each number, to one of the ends."""
    ends = [_line(RETURN, ALLOW), REFUSE, SUCCEED, UNKNOWN]
    limits = [  # a new limit (the pointer has two halves) for another process than 0, the caller
        _line(LOAD, FIRST_ARGUMENT), _line(EQUAL, 0, 4, 0),
        _line(LOAD, THIRD_ARGUMENT), _line(EQUAL, 0, 0, 3),
        _line(LOAD, THIRD_ARGUMENT + 4), _line(EQUAL, 0, 0, 1),
    ]  # fmt: skip
    jumps = [*((number, SUCCEED) for number in calls.pretended), *((number, REFUSE) for number in calls.refused)]
    first_end = 1 + len(jumps) + 1 + len(limits)  # instructions from the first jump on
    lines = [_line(LOAD, NUMBER), _line(AT_LEAST, X32, first_end - 1 + ends.index(UNKNOWN))]
    for here, (number, end) in enumerate(jumps, start=1):
        lines.append(_line(EQUAL, number, first_end - here - 1 + ends.index(end)))
    return [*lines, _line(EQUAL, calls.prlimit, 0, len(limits)), *limits, *ends]


def _filter(machine: str) -> bytes:
    """The whole filter."""
    lines = [_line(LOAD, ARCHITECTURE)]
    for name in RUN_BY[machine]:
        section = _section(CALLS[name])
        lines += [_line(EQUAL, CALLS[name].architecture, 0, len(section)), *section]
    return b"".join([*lines, UNKNOWN])


def _load() -> _Program | None:
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in RUN_BY or struct.calcsize("P") != 8:
        return None
    instructions = _filter(machine)
    return _Program(len(instructions) // 8, instructions)


# Made once, in the launcher.
_program = _load()


def filter_calls() -> bool:
    """Keep those calls from this process and its children for good; whether that holds. Needs PR_SET_NO_NEW_PRIVS."""
    if _program is None:
        return False
    try:
        system_call(SECCOMP[os.uname().machine], SET_MODE_FILTER, SPEC_ALLOW, ctypes.addressof(_program))
    except OSError:
        return False
    return True
