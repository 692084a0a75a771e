#!/usr/bin/env python3
"""Compare the runner with BenchExec's runexec: CPU time and peak memory of the same solver runs.

    python scripts/measure/compare_runexec.py --install        (not needed after `pip install -e '.[compare]'`)

The script makes thirty runs of the built solvers, a few seconds each, on one core, one at a time, alternating between the tools.
The solvers are deterministic, so both tools should measure the same CPU time. To reduce noise, the least CPU time of `--repeats`
runs counts; the table shows the spread of the repeats of each tool.

runexec must be able to create control groups: as root with cgroups v1, or with systemd's delegation with v2. On machines without
that, `--against rusage` compares with GNU time, which reports the kernel's CPU time of the process tree and the peak of the
largest process. On a busy machine, `--against cgroup` separates errors from noise: it reads the counters that runexec reads
(cpuacct.usage and memory.max_usage_in_bytes, v1, as root) for the same run that the runner measures. In both modes, the runner
uses no control groups. The exit code is 1 if a run differs by more than the target of 3 %.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.solving.process import CONTROL_GROUPS, Limits, run_process
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, EXIT
from cnfgen_puzzles.solving.table import find_solver

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
PUZZLES = (
    ("nonogram", "nonogram/pascal-64.nin", "direct"),
    ("nonogram", "nonogram/rule30-61x30.nin", "direct"),
    ("nonogram", "nonogram/rule110-60.nin", "direct"),
    ("nonogram", "nonogram/mandelbrot-60x50.xml", "direct"),
    ("nonogram", "nonogram/shuffled-30-42.nin", "direct"),
    ("nonogram", "nonogram/random-25-40.nin", "direct"),
    ("tiling", "tiling/pentominoes-6x10.yaml", "product"),
    ("tiling", "tiling/hexiamonds-6x6.yaml", "pairwise"),
)
SOLVERS = ("kissat", "cadical", "glucose", "lingeling", "minisat", "minisat-core")
WANTED = 30
TARGET = 3.0  # percent
LEAST, MOST = 0.5, 15.0  # seconds of a compared run: start-up dominates shorter ones
MIB = 1 << 20
WHY = "a control group leaves out code that others have in memory (the C library's), and counts what the kernel holds for it"


@dataclass(frozen=True)
class Usage:
    """The resources of a run according to a tool: seconds and bytes."""

    cpu: float
    memory: int
    method: str = ""


Tool = Callable[[Sequence[str]], Usage]
Both = Callable[[Sequence[str]], tuple[Usage, Usage]]
"""Measures a command with the runner of this package and with another tool."""


class CannotMeasure(Exception):
    """A tool that does not work on this machine, with its error message."""


@dataclass(frozen=True)
class Row:
    """A run, measured several times by each tool."""

    name: str
    ours: list[Usage]
    theirs: list[Usage]

    @property
    def cpu(self) -> tuple[float, float]:
        return min(u.cpu for u in self.ours), min(u.cpu for u in self.theirs)

    @property
    def memory(self) -> tuple[float, float]:
        return statistics.median(u.memory for u in self.ours), statistics.median(u.memory for u in self.theirs)

    @property
    def spread(self) -> float:
        """The spread of the CPU times of one tool in percent, which is the noise of the machine."""
        return max(100 * (max(u.cpu for u in found) / min(u.cpu for u in found) - 1) for found in (self.ours, self.theirs))


def difference(pair: tuple[float, float]) -> float:
    """The difference between the runner and the other tool, in percent of the latter."""
    return 100 * (pair[0] - pair[1]) / pair[1]


# -- the tools ------------------------------------------------------------------------------------------------------------


def our_runner(folder: Path, core: int) -> Tool:
    def measure(command: Sequence[str]) -> Usage:
        done = run_process(command, stdout=folder / "out", stderr=folder / "err", limits=Limits(cpu=MOST), cores=[core])
        if done.ended not in (EXIT, CPU_LIMIT):
            raise CannotMeasure(f"{command[0]} ended by {done.ended} {done.signal or ''} {done.detail}")
        return Usage(done.cpu, done.memory, done.memory_method)

    return measure


def runexec(program: str, folder: Path, core: int) -> Tool:
    # A container would add its own process to the measurement, and require more privileges than measuring does.
    words = [program, "--no-container", "--cores", str(core), "--timelimit", f"{2 * MOST:.0f}", "--output", str(folder / "log")]

    def measure(command: Sequence[str]) -> Usage:
        done = subprocess.run([*words, "--", *command], capture_output=True, text=True, cwd=folder, check=False)
        values = read_runexec(done.stdout)
        if not {"cputime", "memory"} <= values.keys():
            last = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()
            raise CannotMeasure("\n".join(last[-6:]))
        return Usage(values["cputime"], int(values["memory"]))

    return measure


def read_runexec(text: str) -> dict[str, float]:
    """The numbers that runexec prints, without their units.

    >>> read_runexec("returnvalue=10\\nwalltime=1.5s\\ncputime=1.25s\\nmemory=262144B\\nterminationreason=cputime\\n")
    {'returnvalue': 10.0, 'walltime': 1.5, 'cputime': 1.25, 'memory': 262144.0}
    """
    values = {}
    for line in text.splitlines():
        name, _, value = line.partition("=")
        with contextlib.suppress(ValueError):
            values[name] = float(value.rstrip("sB"))
    return values


def gnu_time(folder: Path, core: int) -> Tool:
    program = shutil.which("time")
    if program is None:
        raise CannotMeasure("GNU time is not installed (Debian: apt-get install time)")

    def measure(command: Sequence[str]) -> Usage:
        words = [program, "-o", str(folder / "time"), "-f", "%U %S %M", *command]
        with (folder / "out").open("wb") as output:
            subprocess.run(words, stdout=output, stderr=output, check=False, preexec_fn=lambda: os.sched_setaffinity(0, [core]))
        user, system, kibibytes = (folder / "time").read_text().splitlines()[-1].split()
        return Usage(float(user) + float(system), int(kibibytes) * 1024)

    return measure


def in_turns(ours: Tool, theirs: Tool) -> Both:
    return lambda command: (ours(command), theirs(command))


def in_control_group(ours: Tool) -> Both:
    """The runner with the command in a separate control group (v1), whose counters are read: one run, measured twice."""
    groups = {name: Path("/sys/fs/cgroup", name, f"compare-{os.getpid()}") for name in ("cpuacct", "memory")}
    enter = "".join(f"echo $$ > {group}/tasks; " for group in groups.values())

    def measure(command: Sequence[str]) -> tuple[Usage, Usage]:
        try:
            for group in groups.values():
                group.mkdir()
            mine = ours(["sh", "-c", f'{enter} exec "$@"', "sh", *command])
            cpu = int((groups["cpuacct"] / "cpuacct.usage").read_text()) / 1e9
            return mine, Usage(cpu, int((groups["memory"] / "memory.max_usage_in_bytes").read_text()))
        except OSError as error:
            raise CannotMeasure(str(error)) from None
        finally:
            for group in groups.values():
                with contextlib.suppress(OSError):
                    group.rmdir()

    return measure


@contextlib.contextmanager
def found_runexec(given: str | None, install: bool) -> Iterator[str]:
    """The program: the given one, the installed one, or one that pip installs into a temporary folder."""
    beside = Path(sys.executable).with_name("runexec")
    program = given or (str(beside) if beside.exists() else shutil.which("runexec"))
    if program or not install:
        if not program:
            raise CannotMeasure("runexec is not installed: pip install -e '.[compare]', or --install for a temporary environment")
        yield program
        return
    with tempfile.TemporaryDirectory(prefix="runexec-") as folder:
        venv.create(folder, with_pip=True)
        subprocess.run([f"{folder}/bin/pip", "install", "--quiet", "benchexec"], check=True)
        yield f"{folder}/bin/runexec"


# -- the runs -------------------------------------------------------------------------------------------------------------


def commands(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The names and command lines of the runs, one formula after another."""
    solvers = [find_solver(name) for name in SOLVERS]
    solvers = [solver for solver in solvers if solver.available()]
    for family, puzzle, encoding in PUZZLES:
        path = folder / f"{Path(puzzle).stem}.{encoding}.cnf"
        with path.open("wb") as stream:
            cp.encode(cp.read(INSTANCES / puzzle, family=family), encoding).write(stream)
        for solver in solvers:
            words = solver.command(solver.locate(), path, seed=None, proof=None, model=folder / "model", threads=None, options=())
            yield f"{solver.name} {path.stem}", [str(word) for word in words]


def compare(runs: Iterator[tuple[str, list[str]]], both: Both, wanted: int, repeats: int) -> list[Row]:
    """The first runs of a suitable length, each measured several times."""
    rows: list[Row] = []
    for name, command in runs:
        pairs = [both(command)]
        if not LEAST <= pairs[0][0].cpu < MOST:
            continue
        pairs += [both(command) for _ in range(repeats - 1)]
        row = Row(name, [pair[0] for pair in pairs], [pair[1] for pair in pairs])
        rows.append(row)
        told = f"CPU {difference(row.cpu):+.1f} %, memory {difference(row.memory):+.1f} %"
        print(f"{len(rows)}/{wanted} {name}: {told}", file=sys.stderr, flush=True)
        if len(rows) == wanted:
            break
    return rows


def report(rows: list[Row], against: str) -> bool:
    """Print the table; returns whether all runs meet the target."""
    table = [
        [
            row.name,
            *(f"{cpu:.3f}" for cpu in row.cpu),
            f"{difference(row.cpu):+.1f}",
            f"{row.spread:.1f}" if len(row.ours) > 1 else "",
            *(f"{memory / MIB:.1f}" for memory in row.memory),
            f"{difference(row.memory):+.1f}",
        ]
        for row in rows
    ]
    headers = ["run", "CPU s", against, "%", "noise %", "peak MiB", against, "%"]
    print(tabulate(table, headers=headers, disable_numparse=True, colalign=["left"] + ["right"] * 7))
    met = True
    print(
        f"\n{len(rows)} runs, ours against {against}, target {TARGET:g} %; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    for what, found in (("CPU", [difference(r.cpu) for r in rows]), ("memory", [difference(r.memory) for r in rows])):
        sizes = sorted(map(abs, found))
        within = sum(size <= TARGET for size in sizes)
        met &= within == len(sizes)
        print(f"{what}: {within} of {len(sizes)} within {TARGET:g} %, median {statistics.median(found):+.2f} %, "
              f"largest {sizes[-1]:.2f} %")  # fmt: skip
    apart = [(r.memory[0] - r.memory[1]) / MIB for r in rows]
    print(f"memory apart by {min(apart):+.1f} to {max(apart):+.1f} MiB, median {statistics.median(apart):+.1f}")
    methods = sorted({use.method for row in rows for use in row.ours})
    print(f"ours by: {', '.join(methods)}" + ("" if methods == ["control group"] else f" ({WHY})"))
    return met


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runexec", help="the program; by default the one beside this Python, or on PATH")
    parser.add_argument("--install", action="store_true", help="install it from PyPI in a temporary environment if necessary")
    parser.add_argument("--against", choices=("runexec", "rusage", "cgroup"), default="runexec")
    parser.add_argument("--runs", type=int, default=WANTED)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=max(usable_cores()), help="both tools run there")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="compare-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        try:
            ours = our_runner(folder, given.core)
            if given.against != "runexec":
                os.environ[CONTROL_GROUPS] = "no"
            if given.against == "rusage":
                both = in_turns(ours, gnu_time(folder, given.core))
            elif given.against == "cgroup":
                both = in_control_group(ours)
            else:
                program = stack.enter_context(found_runexec(given.runexec, given.install))
                both = in_turns(ours, runexec(program, folder, given.core))
            both(["true"])  # test whether the tool works
            rows = compare(commands(folder), both, given.runs, given.repeats)
        except CannotMeasure as error:
            print(f"{given.against} cannot measure here:\n{error}", file=sys.stderr)
            if given.against == "runexec":
                print("--against rusage compares with GNU time instead.", file=sys.stderr)
            return 2
    if not rows:
        print("no solver run of a suitable length; are the solvers built?", file=sys.stderr)
        return 2
    return 0 if report(rows, given.against) else 1


if __name__ == "__main__":
    sys.exit(main())
