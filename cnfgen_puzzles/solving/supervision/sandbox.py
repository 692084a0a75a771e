"""Permanent restrictions of a confined process and its children: Landlock, and a filter of system calls (seccomp).

Landlock (landlock(7); Linux 5.13 and later) allows the entries of a `Domain`. It refuses all other access to the file system,
TCP, signals to processes outside, and their abstract sockets, as far as the kernel's version of the interface (ABI) supports
that.

The filter refuses (EPERM) operations that Landlock does not cover (as of ABI 7): all sockets, including UDP and those of daemons,
but not socket pairs, which only connect the program to itself; file attributes; limits of other processes; and io_uring, which
circumvents such filters. Calls that set modes, owners, and times of files report success without an effect: programs that copy
files call them, and seldom need the result. The filter supports the architectures of `CALLS`; for a program of another
architecture, each system call reports that it is not implemented.

`cnfgen_puzzles.solving.confinement` determines the files that a solver needs.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import stat
import struct
import sys
from collections.abc import Iterable
from typing import NamedTuple

from .tree import set_process_control

# syscall(2) with four arguments besides the number; found out once, in the launcher: every child is a fork of it.
if sys.platform != "emscripten":
    _syscall = ctypes.CDLL(None, use_errno=True).syscall
    _syscall.restype = ctypes.c_long
    _syscall.argtypes = [ctypes.c_long, *4 * [ctypes.c_size_t]]


def system_call(number: int, first: int = 0, second: int = 0, third: int = 0, fourth: int = 0) -> int:
    """The result of a system call; pointers are passed as addresses. OSError if it fails."""
    result: int = _syscall(number, first, second, third, fourth)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


# -- seccomp ------------------------------------------------------------------------------------------------------------


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
RUN_BY = {"x86_64": ("x86_64", "i386"), "aarch64": ("aarch64",)}  # the architectures of programs that a machine runs
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
    """One instruction. The length of a jump is the number of skipped instructions."""
    return struct.pack("HBBI", code, if_true, if_false, value)


REFUSE, SUCCEED, UNKNOWN = (_line(RETURN, FAIL | number) for number in (errno.EPERM, 0, errno.ENOSYS))


def _section(calls: Calls) -> list[bytes]:
    """The instructions for one architecture: a jump for each call number, to one of the ends."""
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


def _load_filter() -> _Program | None:
    machine = os.uname().machine
    if machine not in RUN_BY or struct.calcsize("P") != 8:
        return None
    instructions = _filter(machine)
    return _Program(len(instructions) // 8, instructions)


# Made once, in the launcher.
_program = _load_filter()


def filter_calls() -> bool:
    """Apply the filter to this process and its children permanently; returns whether that worked. Needs PR_SET_NO_NEW_PRIVS."""
    if _program is None:
        return False
    try:
        system_call(SECCOMP[os.uname().machine], SET_MODE_FILTER, SPEC_ALLOW, ctypes.addressof(_program))
    except OSError:
        return False
    return True


# -- Landlock -----------------------------------------------------------------------------------------------------------


# The same numbers on all architectures.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
PATH_BENEATH = 1
PR_SET_NO_NEW_PRIVS = 38

# linux/landlock.h: rights on files, in the order of their bits.
_NAMES = (
    "execute", "write_file", "read_file", "read_dir", "remove_dir", "remove_file", "make_char", "make_dir", "make_reg",
    "make_sock", "make_fifo", "make_block", "make_sym", "refer", "truncate", "ioctl_dev",
)  # fmt: skip
_BIT = {name: 1 << number for number, name in enumerate(_NAMES)}
RIGHTS_SINCE = {1: 13, 2: 14, 3: 15, 5: 16}  # ABI: the number of these rights that it supports
ON_FILES = _BIT["execute"] | _BIT["write_file"] | _BIT["read_file"] | _BIT["truncate"] | _BIT["ioctl_dev"]

READ = _BIT["execute"] | _BIT["read_file"] | _BIT["read_dir"]
WRITE = _BIT["write_file"] | _BIT["read_file"] | _BIT["truncate"]
ALL = (1 << len(_NAMES)) - 1 & ~(_BIT["make_char"] | _BIT["make_block"] | _BIT["ioctl_dev"])

TCP = 1 << 0 | 1 << 1  # bind, connect; since ABI 4
ABSTRACT_SOCKETS_AND_SIGNALS = 1 << 0 | 1 << 1  # since ABI 6


# Paths that each program may read. They do not change, so a ruleset can allow them before a run: folders, devices, kernel files.
LASTING_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
LASTING_FILES = (
    "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/loadavg", "/proc/uptime",
    "/proc/version", "/proc/sys/vm", "/proc/sys/kernel",
    "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage",
    "/dev/random", "/dev/urandom",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/zero", "/dev/full")


class Domain(NamedTuple):
    """Additional paths that a confined process may use; paths that do not exist are ignored."""

    reads: list[str]  # files to read and execute; folders with their contents
    writes: list[str]  # files to read and write
    owns: list[str]  # folders with full access


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


@functools.cache
def abi() -> int:
    """The version of the kernel's interface; 0 if it is missing, disabled, or a filter refuses the call."""
    try:
        return system_call(CREATE_RULESET, 0, 0, ASK_VERSION)
    except OSError:
        return 0


def prepare_ruleset() -> int | None:
    """A ruleset, as an open file, with the constant paths; None without Landlock. It can be used for one process."""
    handled = _known_rights()
    version = abi()
    attributes = _Ruleset(handled, TCP if version >= 4 else 0, ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0)
    try:
        ruleset = system_call(CREATE_RULESET, ctypes.addressof(attributes), ctypes.sizeof(attributes))
    except OSError:
        return None
    try:
        _allow_paths(ruleset, READ & handled, _lasting())
        _allow_paths(ruleset, WRITE & handled, DEVICES)
    except OSError:
        os.close(ruleset)
        return None
    return ruleset


def confine(domain: Domain, ruleset: int | None, files: Iterable[int] = ()) -> bool:
    """Confine this process; returns whether that worked. `ruleset` is from `prepare_ruleset`, or None; it is used up.

    `files` are open files that may be opened again by their names in /dev/fd.
    """
    ruleset = prepare_ruleset() if ruleset is None else ruleset
    if ruleset is None:
        return False
    handled = _known_rights()
    try:
        for rights, paths in ((READ, domain.reads), (WRITE, domain.writes), (ALL, domain.owns)):
            _allow_paths(ruleset, rights & handled, paths)
        for file in files:
            _allow(ruleset, file, WRITE & handled)
        set_process_control(PR_SET_NO_NEW_PRIVS, 1)
        system_call(RESTRICT_SELF, ruleset)
        filter_calls()
    except OSError:
        return False
    finally:
        os.close(ruleset)
    return True


def _known_rights() -> int:
    """The rights on files that this kernel supports."""
    version = abi()
    return (1 << max((count for since, count in RIGHTS_SINCE.items() if since <= version), default=0)) - 1


@functools.cache
def _lasting() -> tuple[str, ...]:
    """The existing LASTING_FOLDERS without repetitions (/bin is often a link into /usr), and LASTING_FILES."""
    there = {os.path.realpath(path) for path in LASTING_FOLDERS if os.path.exists(path)}
    return *sorted(path for path in there if not any(path.startswith(other + "/") for other in there)), *LASTING_FILES


def is_of_the_system(path: str) -> bool:
    """Whether this folder is, or is in, a folder that each program may read."""
    return f"{path}/".startswith(tuple(f"{folder}/" for folder in _lasting()))


def _allow_paths(ruleset: int, rights: int, paths: Iterable[str]) -> None:
    for path in paths:
        try:
            file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:  # missing and inaccessible paths are not allowed for the program either
            continue
        try:
            _allow(ruleset, file, rights)
        finally:
            os.close(file)


def _allow(ruleset: int, file: int, rights: int) -> None:
    if not stat.S_ISDIR(os.fstat(file).st_mode):
        rights &= ON_FILES
    rule = _PathBeneath(rights, file)
    try:
        system_call(ADD_RULE, ruleset, PATH_BENEATH, ctypes.addressof(rule))
    except OSError as error:
        if error.errno not in (errno.EBADFD, errno.EBADF, errno.EINVAL):  # a pipe or a socket has no place in the file system
            raise
