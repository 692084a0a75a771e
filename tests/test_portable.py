"""Systems other than Linux: every module can be imported without what only Linux's Python has."""

from __future__ import annotations

import subprocess
import sys

LINUX_ONLY = {
    "os": "sched_getaffinity sched_setaffinity memfd_create pidfd_open eventfd O_PATH O_TMPFILE pipe2 ST_NOEXEC waitid",
    "socket": "MSG_CMSG_CLOEXEC SOCK_CLOEXEC SO_PEERCRED",
    "resource": "prlimit RLIMIT_NICE",
    "signal": "pidfd_send_signal sigtimedwait sigwaitinfo",
    "select": "epoll",
    "errno": "EBADFD",
}
"""Names that Python has on Linux and not on macOS (waitid: from 3.13 on)."""

IMPORT_ALL = """
import ctypes, importlib, pkgutil, sys
import asyncio, multiprocessing, resource, select, selectors, shutil, socket, subprocess  # they use what is removed now
for module, names in {names!r}.items():
    for name in names.split():
        vars(sys.modules.get(module) or importlib.import_module(module)).pop(name, None)

class CDLL(ctypes.CDLL):
    def __init__(self, name, *more, **named):
        assert name is not None, "the C library of Linux was loaded on import"
        super().__init__(name, *more, **named)

ctypes.CDLL = CDLL
import cnfgen_puzzles
for module in pkgutil.walk_packages(cnfgen_puzzles.__path__, "cnfgen_puzzles."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:  # an extra
            assert not error.name.startswith("cnfgen_puzzles"), error
        print(module.name)
"""


def test_every_module_is_imported_without_what_only_linux_has():
    script = IMPORT_ALL.replace("{names!r}", repr(LINUX_ONLY))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert "cnfgen_puzzles.solving.supervision.landlock" in done.stdout.split()
