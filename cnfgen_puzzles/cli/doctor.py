"""cnf-solvers doctor: check what works on this machine, and show how to get what is missing.

Programs are tested in the same runs as the formulas of users, under limits, so that a program that hangs costs seconds.
"""

from __future__ import annotations

import importlib.metadata
import json
import locale
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import psutil

from cnfgen_puzzles.cli.app import say_lines
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, printable
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.installation import PACKAGE, install_extra, packages_of
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.counting.counters import COUNTERS, count_by
from cnfgen_puzzles.counting.counters import EXTRA as COUNTERS_EXTRA
from cnfgen_puzzles.counting.enginenames import COUNTERS as COUNTERS_BY_METHOD
from cnfgen_puzzles.counting.enginenames import ENGINES
from cnfgen_puzzles.counting.engines import EXTRA as ENGINES_EXTRA
from cnfgen_puzzles.counting.engines import available as engine_available
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.evidence.checkers import BUILT_IN, CHECKERS, ProofChecker
from cnfgen_puzzles.evidence.proofs import checker_fault
from cnfgen_puzzles.evidence.selftest import check_solver, pigeons
from cnfgen_puzzles.solving.confinement import CONFINEMENT, Confinement, python_files
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.process import CONTROL_GROUPS, Limits, run_process
from cnfgen_puzzles.solving.supervision import PORTABLE, is_portable
from cnfgen_puzzles.solving.supervision.landlock import abi
from cnfgen_puzzles.solving.table import Solver, command_of, load_solvers

OK, MISSING, BROKEN = "ok", "missing", "broken"

LIMITS = Limits(cpu=2, wall=4, memory=1 << 30)
"""The limits of each test. The formulas take milliseconds."""
FIRST = "cnf-solvers install kissat"
"""The advice if no solver with proofs works."""
PERMUTATIONS = 6
"""Ways to put three pigeons into three holes."""
LANDLOCK_COMPLETE = 6  # docs/explanation/confinement.md
LITTLE_SPACE = 1 << 30  # bytes

EXTRAS = {
    "pictures": "boards as PNG",
    "counting": "--count and --all",
    "counters": "exact numbers of models, however large",
    "bench": "plots, reports, and tables of bench-cnf",
    "cluster": "runs on other machines, by Dask",
    "exhaustive": "joint states of many mazes",
    "solvers": "kissat and glucose without a compiler",
}
"""The extras for users, with their purpose."""


class Diagnosis(NamedTuple):
    """A line: a name, its state, what was found or is wrong, its purpose, and the command that helps unless the state is ok."""

    name: str
    state: str
    found: str
    good_for: str
    help: str = ""


# -- programs ---------------------------------------------------------------------------------------------------------------


def solvers(folder: Path) -> Iterator[Diagnosis]:
    """Each solver, tested on a satisfiable and an unsatisfiable formula."""
    for solver in load_solvers().values():
        if solver.kind != "solver":
            continue
        use = "with proofs" if solver.proof_format else "without proofs"
        use += ", on all cores" if solver.parallel else ""
        install = f"cnf-solvers install {solver.name}" if solver.build else command_of(solver)
        report = check_solver(solver, folder, LIMITS)
        if not report.found:
            yield Diagnosis(solver.name, MISSING, "not installed", use, install or f"put `{solver.program}` on PATH")
            continue
        found = "; ".join(report.failures) or f"{report.version}, {solver.locate()}"
        how = install or f"run `cnf-solvers where {solver.name}` and check its declaration"
        yield Diagnosis(solver.name, OK if report.works else BROKEN, found, use, how)


def checkers(_folder: Path) -> Iterator[Diagnosis]:
    """Each proof checker, tested on correct and wrong proofs; its programs with versions and checksums."""
    for checker in CHECKERS.values():
        found, state, absent = "", BROKEN, list[Solver]()
        try:
            absent = [program for program in checker.programs("text") if not program.available()]
            if absent:
                found, state = f"not installed: {', '.join(program.name for program in absent)}", MISSING
            else:
                wrong = checker_fault(checker, "text")
                found, state = (wrong, BROKEN) if wrong else (programs_of(checker), OK)
        except CnfgenError as error:
            found = str(error)
        install = " ".join(["cnf-solvers install", *(program.name for program in absent or checker.programs("text"))])
        yield Diagnosis(checker.name, state, found, checker.summary, "" if checker is BUILT_IN else install)


def programs_of(checker: ProofChecker) -> str:
    """The programs of a checker, with versions and checksums."""
    if checker is BUILT_IN:
        return "in this package"
    found = [(program, program.locate()) for program in checker.programs("text")]
    return ", ".join(f"{each.name} {each.version_line(path)} (SHA-256 {checksum(path)[:12]})" for each, path in found)


def engines(_folder: Path) -> Iterator[Diagnosis]:
    """The engines that enumerate, and the model counters, tested on a formula."""
    for name, summary in ENGINES.items():
        installed = engine_available(name)
        state, found = (OK, "") if installed else (MISSING, "not installed")
        yield Diagnosis(name, state, found, summary, install_extra(ENGINES_EXTRA))
    for counter in COUNTERS.values():
        use = f"exact numbers of models, {COUNTERS_BY_METHOD[counter.name]}"
        if not counter.available():
            yield Diagnosis(counter.name, MISSING, "not installed", use, install_extra(COUNTERS_EXTRA))
            continue
        trial = count_by(counter, Problem(pigeons(3, 3), range(1, 10)), limits=LIMITS)
        wrong = trial.reason or (
            "" if trial.numbers == (PERMUTATIONS,) else f"counts {trial.numbers[0]} instead of {PERMUTATIONS}"
        )
        found = wrong or f"{counter.package} {trial.version}"
        yield Diagnosis(counter.name, BROKEN if wrong else OK, found, use, install_extra(COUNTERS_EXTRA))


def extras(_folder: Path) -> Iterator[Diagnosis]:
    """The extras of the package, and whether they are complete."""
    try:
        known = set(importlib.metadata.metadata(PACKAGE).get_all("Provides-Extra") or ())
    except importlib.metadata.PackageNotFoundError:
        use = "extras are known only for an installed package"
        yield Diagnosis(PACKAGE, MISSING, "not installed, used from a folder", use, f"pip install {PACKAGE}")
        return
    for extra, use in EXTRAS.items():
        if extra not in known:
            continue
        names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in packages_of(extra)]
        missing = [name for name in names if not is_installed(name)]
        found = f"not installed: {', '.join(missing)}" if missing else ", ".join(names)
        yield Diagnosis(extra, MISSING if missing else OK, found, use, install_extra(extra))


def is_installed(distribution: str) -> bool:
    try:
        return bool(importlib.metadata.version(distribution))
    except importlib.metadata.PackageNotFoundError:
        return False


# -- the machine ------------------------------------------------------------------------------------------------------------


def machine(folder: Path) -> Iterator[Diagnosis]:
    """The measurement and the limits of runs, as a test run shows them."""
    probe = run_process(
        [sys.executable, "-I", "-S", "-c", "pass"], stdout=folder / "out", stderr=folder / "err", limits=LIMITS,
        confinement=Confinement(folder / "scratch", reads=python_files()),
    )  # fmt: skip
    measured, method = probe.memory_method == "control group", probe.memory_method or probe.detail or probe.ended
    found = "the kernel measures the memory of all processes" if measured else f"memory is sampled ({method})"
    how = f"Linux, without {PORTABLE}=yes" if is_portable() else "systemd-run --user --scope -p Delegate=yes $SHELL"
    if os.environ.get(CONTROL_GROUPS) == "no":
        how = f"unset {CONTROL_GROUPS}"
    yield Diagnosis(
        "control groups", OK if measured else MISSING, found, "exact peaks of memory, memory limits without delay", how
    )
    version, confined = abi(), bool(probe.confinement)
    off = os.environ.get(CONFINEMENT) == "no"
    how = f"unset {CONFINEMENT}" if off else "Linux 5.13 or later with Landlock switched on"
    refused = "files" + (", TCP" if version >= 4 else "") + (", signals" if version >= LANDLOCK_COMPLETE else "")
    found = f"ABI {version}: refuses {refused}" if confined else f"ABI {version}, not used" if version else "not in this kernel"
    use = "restricts solvers to their files; without it, they get a copy of the formula"
    yield Diagnosis("Landlock", OK if confined else MISSING, found, use, how)
    yield Diagnosis("cores", OK, f"{len(usable_cores())} of {os.cpu_count()}", "parallel runs")
    memory = psutil.virtual_memory()
    yield Diagnosis("memory", OK, f"{gib(memory.available)} free of {gib(memory.total)}", "formulas, solvers, proofs")


def gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB"


def folders(_folder: Path) -> Iterator[Diagnosis]:
    """Folders for files: whether each, or the parent in which it will be created, can be used, and how much space is free."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    data = Path(os.environ.get("XDG_DATA_HOME") or Path("~/.local/share").expanduser())
    for name, folder, use, variable in (
        ("temporary", Path(tempfile.gettempdir()), "formulas and proofs during runs", "TMPDIR"),
        ("cache", cache, "cached files", "XDG_CACHE_HOME"),
        ("data", data, "installed solvers", "XDG_DATA_HOME"),
    ):
        existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        try:
            with tempfile.TemporaryFile(dir=existing):
                pass
            room, runs = shutil.disk_usage(existing).free, not os.statvfs(existing).f_flag & getattr(os, "ST_NOEXEC", 0)
            found = f"{folder}, {gib(room)} free" + ("" if runs else ", its programs cannot run (noexec)")
            state = OK if room >= LITTLE_SPACE and (runs or name != "data") else BROKEN
        except OSError as error:
            state, found = BROKEN, f"{folder}: {error.strerror or error}"
        yield Diagnosis(name, state, found, use, f"export {variable}=FOLDER")


def terminal(_folder: Path) -> Iterator[Diagnosis]:
    """Python and the terminal."""
    yield Diagnosis("python", OK, f"{platform.python_version()}, {sys.executable}", f"cnfgen-puzzles {__version__}")
    encoding = locale.getpreferredencoding(False)
    utf8 = encoding.lower().replace("-", "") == "utf8"
    yield Diagnosis("locale", OK if utf8 else MISSING, encoding, "boards with block characters", "export LC_ALL=C.UTF-8")
    shown = "a terminal" if sys.stdout.isatty() else "no terminal"
    colored = "no colors (NO_COLOR)" if os.environ.get("NO_COLOR") else f"TERM={os.environ.get('TERM', '')}"
    found = f"{shown}, {colored}, {shutil.get_terminal_size().columns} columns"
    yield Diagnosis("terminal", OK, found, "colors, progress")


# -- the command ------------------------------------------------------------------------------------------------------------

GROUPS: Mapping[str, Callable[[Path], Iterator[Diagnosis]]] = {
    "solvers": solvers,
    "proof checkers": checkers,
    "counting": engines,
    "extras": extras,
    "machine": machine,
    "folders": folders,
    "python": terminal,
}


def advice(groups: Mapping[str, list[Diagnosis]]) -> str:
    """The command that helps if no puzzle can be solved and checked; empty if one can."""
    for folder in groups["folders"]:
        if folder.name == "temporary" and folder.state != OK:
            return folder.help
    proves = {name for name, solver in load_solvers().items() if solver.proof_format}
    solves = any(solver.state == OK and solver.name in proves for solver in groups["solvers"])
    checks = any(checker.state == OK for checker in groups["proof checkers"])
    return "" if solves and checks else FIRST if not solves else f"pip install --force-reinstall {PACKAGE}"


def table(groups: Mapping[str, list[Diagnosis]]) -> str:
    """The diagnoses, aligned, under the names of their groups."""
    findings = [each for group in groups.values() for each in group]
    state, name = max(len(each.state) for each in findings), max(len(each.name) for each in findings)
    lines: list[str] = []
    for group, found in groups.items():
        lines += ["", group] if lines else [group]
        for each in found:
            purpose, helps = f"({each.good_for})" if each.good_for else "", f"-> {each.help}" if each.help else ""
            text = printable(" ".join(filter(None, (each.found, purpose, helps))))
            lines.append(f"  {each.state:{state}}  {each.name:{name}}  {text}")
    return "\n".join(lines)


def examine(as_json: bool) -> int:
    """Print the diagnoses and return the exit code."""
    groups: dict[str, list[Diagnosis]] = {}
    with scratch_folder("doctor") as folder:
        for group, diagnose in GROUPS.items():
            if found := [each._replace(help="") if each.state == OK else each for each in diagnose(folder)]:
                groups[group] = found
    helps = advice(groups)
    if as_json:
        findings = [{"group": group, **each._asdict()} for group, found in groups.items() for each in found]
        say_lines(json.dumps({"usable": not helps, "help": helps, "findings": findings}, indent=2))
    else:
        last = f"No puzzle can be solved and checked yet. This helps:\n{helps}" if helps else "Puzzles can be solved and checked."
        say_lines(f"{table(groups)}\n\n{last}")
    return int(bool(helps))
