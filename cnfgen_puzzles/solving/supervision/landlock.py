"""Landlock: a process takes from itself, for good and for all its children, what it does not need.

A small binding of Linux's system calls (landlock(7); Linux 5.13 and later), for the child between fork and exec. Allowed is what
a `Domain` lists; everything else in the file system, TCP, signals to processes outside and their abstract sockets are refused by
the kernel, as far as its version of the interface (ABI) knows them.

Not here: what a solver needs (`cnfgen_puzzles.solving.confinement`), what Landlock does not know (`syscallfilter`).
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import stat
from collections.abc import Iterable
from typing import NamedTuple

from .syscallfilter import filter_calls
from .systemcalls import system_call
from .tree import set_process_control

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
RIGHTS_SINCE = {1: 13, 2: 14, 3: 15, 5: 16}  # an ABI: how many of these rights it knows
ON_FILES = _BIT["execute"] | _BIT["write_file"] | _BIT["read_file"] | _BIT["truncate"] | _BIT["ioctl_dev"]

READ = _BIT["execute"] | _BIT["read_file"] | _BIT["read_dir"]
WRITE = _BIT["write_file"] | _BIT["read_file"] | _BIT["truncate"]
ALL = (1 << len(_NAMES)) - 1 & ~(_BIT["make_char"] | _BIT["make_block"] | _BIT["ioctl_dev"])

TCP = 1 << 0 | 1 << 1  # bind, connect; since ABI 4
ABSTRACT_SOCKETS_AND_SIGNALS = 1 << 0 | 1 << 1  # since ABI 6


# What everybody may read. A ruleset can allow it before there is a run, since it stays: folders, devices, files of the kernel.
LASTING_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
LASTING_FILES = (
    "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/loadavg", "/proc/uptime",
    "/proc/version", "/proc/sys/vm", "/proc/sys/kernel",
    "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage",
    "/dev/random", "/dev/urandom",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/zero", "/dev/full")


class Domain(NamedTuple):
    """What a confined process may use besides all that, as paths; one that is not there allows nothing."""

    reads: list[str]  # files to read and execute, folders with all below them
    writes: list[str]  # files to read and write
    owns: list[str]  # folders in which it may do what it likes


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


@functools.cache
def abi() -> int:
    """The version of the kernel's interface; 0 where it has none, has it switched off, or a filter forbids to ask."""
    try:
        return system_call(CREATE_RULESET, 0, 0, ASK_VERSION)
    except OSError:
        return 0


def prepared() -> int | None:
    """A ruleset, as an open file, that allows what lasts; None where there is no Landlock. It serves one process."""
    handled = _handled()
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
    """Confine this process; whether it holds. `ruleset` is a `prepared` one, used up by this, or None.

    `files` are open ones that may be opened again by their names in /dev/fd.
    """
    ruleset = prepared() if ruleset is None else ruleset
    if ruleset is None:
        return False
    handled = _handled()
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


def _handled() -> int:
    """The rights on files that this kernel knows."""
    version = abi()
    return (1 << max((count for since, count in RIGHTS_SINCE.items() if since <= version), default=0)) - 1


@functools.cache
def _lasting() -> tuple[str, ...]:
    """LASTING_FOLDERS that are there, each once, as /bin is often a link into /usr; and LASTING_FILES."""
    there = {os.path.realpath(path) for path in LASTING_FOLDERS if os.path.exists(path)}
    return *sorted(path for path in there if not any(path.startswith(other + "/") for other in there)), *LASTING_FILES


def is_of_the_system(path: str) -> bool:
    """Whether this folder is one that everybody may read, or in one."""
    return f"{path}/".startswith(tuple(f"{folder}/" for folder in _lasting()))


def _allow_paths(ruleset: int, rights: int, paths: Iterable[str]) -> None:
    for path in paths:
        try:
            file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:  # what is not there, or not for us, is not for the program either
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
