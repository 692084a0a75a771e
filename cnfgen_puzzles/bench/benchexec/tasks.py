"""Export of a suite for BenchExec (https://github.com/sosy-lab/benchexec).

The folder gets the formulas (`cnf/`), a task definition for each formula (`tasks/`), the property file, lists of tasks, and a
benchmark definition for each program with a run definition for each label, seed, and repetition. `cnfgen_tools/` has the tool
info of the solvers. The result `true` means satisfiable, `false` means unsatisfiable.

A task has an expected verdict only if the suite has one. A comment of the task definition identifies the instance, so that
`results.py` can import the runs under the names of the suite.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import CNF_FOLDER, Formulas
from cnfgen_puzzles.bench.run.job import place_of
from cnfgen_puzzles.bench.suite.features import stem
from cnfgen_puzzles.bench.suite.plan import FormulaKey, SolverChoice, Suite, Task, solver_of
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.table import Solver

PROPERTY = "satisfiable"
"""The name of the property, which is also that of its file."""
MARK = "# cnfgen-puzzles: "
"""Begins the comment of a task definition that identifies the instance, as JSON."""
TOOLS = "cnfgen_tools"
MAPPED = "cnf-with-map"
"""The folder of formulas with their maps in comments, for solvers that read maps."""
FACTS = (
    "suite", "family", "instance", "encoding", "scramble", "encode_seconds", "cnf", "proofs", "size", "expected", "expected_by",
    "features", "encoding_name", "suite_sha256", "describe",
)  # fmt: skip
"""The fields of a record in the comment of a task definition."""
TRUTHS = {SATISFIABLE: "true", UNSATISFIABLE: "false"}
DTD = '"+//IDN sosy-lab.org//DTD BenchExec benchmark 3.0//EN" "https://www.sosy-lab.org/benchexec/benchmark-3.0.dtd"'
TOOL = '''"""Tool info for BenchExec: @TITLE@. Written by cnfgen-puzzles @VERSION@."""

import benchexec.result as result
import benchexec.tools.template

PROGRAM = @PROGRAM@
WORDS = @WORDS@  # the command line after the program
ENVIRONMENT = @ENVIRONMENT@
VERSION_ARGUMENT = @ARGUMENT@
VERDICTS = {
    "SATISFIABLE": (result.RESULT_TRUE_PROP, @SAT@),  # with the exit codes that confirm the verdict
    "UNSATISFIABLE": (result.RESULT_FALSE_PROP, @UNSAT@),
}


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable(PROGRAM)

    def name(self):
        return @NAME@

    def version(self, executable):
        return self._version_from_tool(executable, VERSION_ARGUMENT) if VERSION_ARGUMENT else ""

    def environment(self, executable):
        return {"newEnv": ENVIRONMENT} if ENVIRONMENT else {}

    def cmdline(self, executable, options, task, rlimits):
        words = [executable]
        for word in WORDS:
            words += options if word == "{options}" else [word.replace("{cnf}", str(task.single_input_file))]
        return words

    def determine_result(self, run):
        """The verdict of the `s` line (MiniSat prints it without `s`) if the exit code confirms it."""
        lines = (line.strip() for line in run.output)
        verdicts = {line[2:] if line.startswith("s ") else line for line in lines} & VERDICTS.keys()
        if len(verdicts) > 1:
            return "ERROR (two verdicts)"
        if not verdicts:
            return result.RESULT_UNKNOWN if run.exit_code.value in @UNKNOWN@ else result.RESULT_ERROR
        verdict, codes = VERDICTS[verdicts.pop()]
        return verdict if run.exit_code.value in codes else "ERROR (the exit code contradicts the verdict)"
'''


@dataclass
class Exported:
    """The result of an export: the benchmark definitions with the folders of their programs, and notes for the user."""

    folder: Path
    tasks: int
    benchmarks: dict[Path, Path | None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def export_suite(suite: Suite, folder: Path) -> Exported:
    """Write the suite to the folder, which is empty, new, or an earlier export. InputError if a formula cannot be made."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / f"{PROPERTY}.prp").is_file())):
        raise InputError("found another file or a folder with other files, expected a new folder", source=str(folder))
    exported = Exported(folder, 0, notes=list(suite.notes))
    _write(folder / f"{PROPERTY}.prp", "SATISFIABLE\n")
    needs_map = any(solver_of(choice).reads_map for choice in suite.solvers)
    formulas = Formulas(suite.folder, folder / CNF_FOLDER)
    names: dict[FormulaKey, str] = {}
    for task in suite.tasks:
        if task.formula_key not in names:
            names[task.formula_key] = _export_task(suite, task, formulas, folder, needs_map)
    exported.tasks = len(names)
    tools: dict[tuple[Any, ...], list[Task]] = {}
    for task in suite.tasks:
        choice = task.solver
        tools.setdefault((choice.solver, choice.like, choice.environment, choice.cores), []).append(task)
    for tasks in tools.values():
        _export_benchmark(suite, tasks, names, exported)
    if suite.proofs:
        exported.notes.append("BenchExec measures the solvers without proofs; the suite asks for them")
    return exported


def _write(path: Path, text: str) -> None:
    with atomic_file(path, parents=True) as stream:
        stream.write(text.encode())


def _plain(text: str) -> str:
    """A text as a part of a file name."""
    return re.sub(r"[^A-Za-z0-9._=+-]+", "_", text).strip("._") or "x"


def _export_task(suite: Suite, task: Task, formulas: Formulas, folder: Path, needs_map: bool) -> str:
    """Write the formula of a task and its task definition; the name of both."""
    prepared = formulas.get(task)
    file = prepared.cnf_file
    if needs_map and prepared.map:
        (folder / MAPPED).mkdir(exist_ok=True)
        file = prepared.file_with_map(folder / MAPPED)
    elif file.parent != folder / CNF_FOLDER:
        file = folder / CNF_FOLDER / f"{_plain(stem(file.name))[:60]}.{prepared.identity['sha256'][:16]}.cnf"
        with atomic_file(file, parents=True) as stream:
            stream.write(open_source(prepared.cnf_file).data)
    known = place_of(suite, task, prepared)
    facts = {name: known[name] for name in FACTS if known.get(name) not in (None, "", {}, [])}
    verdict = TRUTHS.get(task.instance.expected or "")
    lines = [
        MARK + json.dumps(facts),
        "format_version: '2.0'",
        f"input_files: '../{file.parent.name}/{file.name}'",
        "properties:",
        f"  - property_file: ../{PROPERTY}.prp",
        *([f"    expected_verdict: {verdict}"] if verdict else []),
    ]
    _write(folder / "tasks" / f"{file.stem}.yml", "\n".join(lines) + "\n")
    return file.stem


# -- benchmark definitions ------------------------------------------------------------------------------------------------


def _export_benchmark(suite: Suite, tasks: list[Task], names: Mapping[FormulaKey, str], exported: Exported) -> None:
    """Write the benchmark definition of the tasks of one program, and its tool info."""
    folder, choice = exported.folder, tasks[0].solver
    solver = solver_of(choice)
    try:
        program: Path | None = solver.locate()
    except InputError:
        program = None
    own = choice.like is not None or choice.environment
    mark = _plain(choice.label if own or "/" in choice.solver else choice.solver)
    mark += (
        f".{choice.cores}cores"
        if any(t.solver.solver == choice.solver and t.solver.cores != choice.cores for t in suite.tasks)
        else ""
    )
    module = re.sub(r"\W", "_", mark)
    _write(folder / TOOLS / f"{module}.py", tool_info(solver, choice, program))
    runs: dict[str, list[Task]] = {}
    for task in tasks:
        seed = "" if task.seed is None else f".seed{task.seed}"
        name = _plain(task.solver.label) + seed + (f".run{task.repetition}" if task.repetition > 1 else "")  # kissat.seed3.run2
        runs.setdefault(name, []).append(task)
    limits, path = suite.limits, folder / f"{_plain(suite.name)}.{mark}.xml"
    attributes = {"tool": f"{TOOLS}.{module}", "timelimit": None if limits.cpu is None else f"{_whole(limits.cpu, exported)} s"}
    attributes["walltimelimit"] = None if limits.wall is None else f"{_whole(limits.wall, exported)} s"
    attributes["memlimit"] = None if limits.memory is None else f"{limits.memory} B"
    attributes["cpuCores"] = str(choice.cores)
    given = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items() if value is not None)
    lines = ['<?xml version="1.0"?>', f"<!DOCTYPE benchmark PUBLIC {DTD}>", f"<benchmark {given}>"]
    lines += ["  <resultfiles></resultfiles>", f"  <propertyfile>{PROPERTY}.prp</propertyfile>"]
    for name, own_tasks in runs.items():
        listed = f"{path.stem}.{_plain(name)}.set"
        _write(folder / listed, "".join(f"tasks/{names[task.formula_key]}.yml\n" for task in own_tasks))
        lines.append(f"  <rundefinition name={quoteattr(name)}>")
        seed_words = (
            [] if own_tasks[0].seed is None else [w.replace("{seed}", str(own_tasks[0].seed)) for w in solver.seed_arguments]
        )
        words = [*seed_words, *solver.options, *own_tasks[0].solver.options]
        lines += [f"    <option name={quoteattr(word)}/>" for word in words]
        lines += [f"    <tasks name={quoteattr(_plain(suite.name))}><includesfile>{escape(listed)}</includesfile></tasks>"]
        lines.append("  </rundefinition>")
    _write(path, "\n".join([*lines, "</benchmark>"]) + "\n")
    exported.benchmarks[path] = program and program.parent


def _whole(seconds: float, exported: Exported) -> int:
    """BenchExec takes whole seconds."""
    found = math.ceil(seconds)
    note = f"the limit of {seconds:g} s is {found} s in the benchmark definitions: BenchExec takes whole seconds"
    if found != seconds and note not in exported.notes:
        exported.notes.append(note)
    return found


def tool_info(solver: Solver, choice: SolverChoice, program: Path | None) -> str:
    """A module with the class `Tool` of BenchExec for this solver."""
    prefix = solver.prefix(program)[1:] if program else ["-m", solver.module, *solver.module_arguments] if solver.module else []
    parts: Mapping[str, tuple[str, ...]] = {
        "{options}": ("{options}",),
        "{verbosity}": solver.quiet_arguments,
        "{threads}": tuple(word.replace("{threads}", str(choice.cores)) for word in solver.threads_arguments),
        "{seed}": (),
        "{proof}": (),
    }
    words = [*prefix, *(word for argument in solver.arguments for word in parts.get(argument, (argument,)))]
    words = [word.replace("{model}", "/dev/null") for word in words]
    name = program.name if program else solver.program
    values = {
        "TITLE": solver.title,
        "VERSION": __version__,
        "PROGRAM": repr(name),
        "NAME": repr(choice.label if choice.like else solver.name),
        "WORDS": repr(words),
        "ENVIRONMENT": repr(dict(solver.environment)),
        "ARGUMENT": repr(solver.version_arguments[0] if len(solver.version_arguments) == 1 and not prefix else None),
        "SAT": repr(solver.sat_codes),
        "UNSAT": repr(solver.unsat_codes),
        "UNKNOWN": repr(solver.unknown_codes),
    }
    return re.sub(r"@([A-Z]+)@", lambda match: values[match[1]], TOOL)


def facts_in(definition: Path) -> Record:
    """The facts about the instance from the comment of an exported task definition; empty if there is none."""
    try:
        with definition.open(encoding="utf-8", errors="replace") as lines:
            first = lines.readline(1 << 20)
        found = json.loads(first.removeprefix(MARK)) if first.startswith(MARK) else {}
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or not {"family", "instance"} <= found.keys():
        return {}
    return {name: value for name, value in found.items() if name in FACTS}
