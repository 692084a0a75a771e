"""Landlock (landlock(7); Linux 5.13 and later): permanent restrictions of a confined process and its children.

It allows the entries of a `Domain`. It refuses all other access to the file system, TCP, signals to processes outside, and their
abstract sockets, as far as the kernel's version of the interface (ABI) supports that.

`cnfgen_puzzles.solving.confinement` determines the files that a solver needs.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import stat
from collections.abc import Iterable
from typing import NamedTuple

from . import is_portable
from .tree import libc, set_process_control


def system_call(number: int, first: int = 0, second: int = 0, third: int = 0, fourth: int = 0) -> int:
    """The result of syscall(2); pointers are passed as addresses. OSError if it fails."""
    call = libc().syscall
    call.restype = ctypes.c_long
    result = int(call(ctypes.c_long(number), *map(ctypes.c_size_t, (first, second, third, fourth))))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


# The same numbers on all architectures.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
PATH_BENEATH = 1
PR_SET_NO_NEW_PRIVS = 38
O_PATH = 0o10000000  # fcntl.h; Python has it on Linux only
EBADFD = 77

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


# Paths that each program may read: folders, devices, kernel files.
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
def _abi() -> int:
    try:
        return system_call(CREATE_RULESET, 0, 0, ASK_VERSION)
    except OSError:  # it is missing or disabled
        return 0


def abi() -> int:
    """The version of the kernel's interface; 0 without Landlock, and in portable mode."""
    return 0 if is_portable() else _abi()


def confine(domain: Domain, files: Iterable[int] = ()) -> bool:
    """Confine this process; returns whether that worked. `files` are open files that may be opened again by name in /dev/fd."""
    version = abi()
    handled = (1 << max((count for since, count in RIGHTS_SINCE.items() if since <= version), default=0)) - 1
    attributes = _Ruleset(handled, TCP if version >= 4 else 0, ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0)
    try:
        ruleset = system_call(CREATE_RULESET, ctypes.addressof(attributes), ctypes.sizeof(attributes))
        for rights, paths in (
            (READ, lasting_paths()), (WRITE, DEVICES), (READ, domain.reads), (WRITE, domain.writes), (ALL, domain.owns)
        ):  # fmt: skip
            _allow_paths(ruleset, rights & handled, paths)
        for file in files:
            _allow(ruleset, file, WRITE & handled)
        set_process_control(PR_SET_NO_NEW_PRIVS, 1)
        system_call(RESTRICT_SELF, ruleset)
    except OSError:
        return False
    return True


@functools.cache
def lasting_paths() -> tuple[str, ...]:
    """The existing LASTING_FOLDERS without repetitions (/bin is often a link into /usr), and LASTING_FILES."""
    existing = {os.path.realpath(path) for path in LASTING_FOLDERS if os.path.exists(path)}
    return *sorted(path for path in existing if not any(path.startswith(other + "/") for other in existing)), *LASTING_FILES


def is_of_the_system(path: str) -> bool:
    """Whether this folder is, or is in, a folder that each program may read."""
    return f"{path}/".startswith(tuple(f"{folder}/" for folder in lasting_paths()))


def _allow_paths(ruleset: int, rights: int, paths: Iterable[str]) -> None:
    for path in paths:
        try:
            file = os.open(path, O_PATH | os.O_CLOEXEC)
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
        if error.errno not in (EBADFD, errno.EBADF, errno.EINVAL):  # a pipe or a socket has no place in the file system
            raise
