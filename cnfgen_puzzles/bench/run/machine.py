"""The machine of the measurements: cores for runs, and warnings about disturbances.

This module changes and refuses nothing; it returns warnings as sentences.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.files import lock, open_regular
from cnfgen_puzzles.solving.process import Limits

CPUS = Path("/sys/devices/system/cpu")
SLACK = 0.5
"""The excess load without a warning: the load is a mean over a minute."""
SWAP_IN_USE = 64 << 20
"""The bytes in swap that cause a warning; most systems have a few unused pages there."""


# -- cores ----------------------------------------------------------------------------------------------------------------


def cores_for_runs(count: int) -> tuple[list[int], list[str]]:
    """So many of the usable cores, preferably on different physical cores, and warnings."""
    usable = usable_cores()
    first: list[int] = []
    others: list[int] = []
    seen: set[str] = set()
    for core in usable:
        siblings = _read(CPUS / f"cpu{core}/topology/thread_siblings_list") or str(core)  # of the physical core
        (others if siblings in seen else first).append(core)
        seen.add(siblings)
    warnings = []
    if count > len(usable):
        warnings.append(f"{count} parallel runs are more than the {len(usable)} usable cores: only {len(usable)} run in parallel")
    elif count > len(first):
        warnings.append(f"{count} parallel runs share {len(first)} physical cores: hyper-threads slow each other down")
    return (first + others)[:count], warnings


@contextlib.contextmanager
def core_locks(count: int) -> Iterator[list[int] | None]:
    """So many cores without another lock on this machine; None if there are too few.

    Independent workers share cores by these locks, which are files; the kernel releases a lock when its process ends.
    """
    folder = Path(tempfile.gettempdir()) / f"cnfgen-cores-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    with contextlib.ExitStack() as held:
        cores: list[int] = []
        for core in cores_for_runs(len(usable_cores()))[0]:
            if len(cores) == count:
                break
            file = os.fdopen(open_regular(folder / f"core-{core}", os.O_WRONLY | os.O_CREAT), "w")
            if lock(file.fileno()):
                held.enter_context(file)
                cores.append(core)
            else:
                file.close()
        yield cores if len(cores) == count else None


# -- warnings -------------------------------------------------------------------------------------------------------------


def warnings_before(jobs: int, limits: Limits) -> list[str]:
    """Warnings before measurements: load, swap, varying clock rates, limits that cannot be enforced."""
    found = []
    cores, load = len(usable_cores()), os.getloadavg()[0]
    if load + jobs > cores + SLACK + max(0, jobs - cores):
        found.append(f"load {load:.1f} on {cores} cores before the first run: other programs compete with {jobs} parallel runs")
    used, total = psutil.swap_memory().used, psutil.virtual_memory().total
    if used > SWAP_IN_USE:
        found.append(f"swap in use ({used / 2**20:.0f} MiB): swapped memory is not counted, and times are longer")
    if limits.memory is not None and jobs * limits.memory > total:
        size, has = f"{limits.memory / 2**30:.3g} GiB", f"the machine has {total / 2**30:.3g} GiB"
        found.append(f"memory limit of {size} cannot be given to {jobs} parallel runs: {has}")
    governors = {text for path in sorted(CPUS.glob("cpu[0-9]*/cpufreq/scaling_governor")) if (text := _read(path))}
    if governors - {"performance"}:
        found.append(f"CPU frequency governor {', '.join(sorted(governors))}: times vary less with `performance`")
    if _read(CPUS / "intel_pstate/no_turbo") == "0" or _read(CPUS / "cpufreq/boost") == "1":
        found.append("turbo is on: a run is faster while other cores are idle")
    if sys.platform != "linux":
        found.append(f"{sys.platform}: runs cannot be pinned to cores, and memory is only sampled")
    for what, wanted, which in (("CPU time", limits.cpu, resource.RLIMIT_CPU), ("memory", limits.memory, resource.RLIMIT_DATA)):
        hard = resource.getrlimit(which)[1]
        if wanted is not None and hard != resource.RLIM_INFINITY and hard < wanted:
            found.append(f"{what} limit of {wanted:g} cannot be reached: the system ends processes at {hard} (ulimit)")
    return found


def warnings_during(load: float, swapped_before: int) -> list[str]:
    """Warnings at the end of a run, from the load and `swapped` at its start."""
    cores = len(usable_cores())
    found = [f"load {load:.1f} on {cores} cores"] if load > cores + SLACK else []
    if more := swapped() - swapped_before:
        found.append(f"the machine swapped {more / 2**20:.1f} MiB during the run")
    return found


def swapped() -> int:
    """The number of bytes swapped in or out since the machine was started."""
    swap = psutil.swap_memory()
    return int(swap.sin + swap.sout)


def _read(path: Path) -> str:
    """The contents of a small file of the kernel; empty if it does not exist."""
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
