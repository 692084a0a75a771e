#!/usr/bin/env python3
"""Measure the size of the code: lines, statements, functions, and classes; functions per call; repeated names; import cycles.

`--budget` compares the first four, without genres, with the budget in pyproject.toml, [tool.cnfgen-puzzles.budget], and exits
with 1 if one is above; explain a higher budget in the commit. Calls are profiled in this process: each function of the package
counts once.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import sys
import tempfile
import threading
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import FrameType

from tabulate import tabulate

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "cnfgen_puzzles"
GENRES = "cnfgen_puzzles.families.grid.genres"
"""The modules with one genre each, which count apart: a new genre adds a file."""
CAT = str(REPOSITORY / "instances" / "nonogram" / "cat.nin")
CALLS = {
    "gen-cnf of a nonogram": ("gen_cnf", ["nonogram", CAT]),
    "solve-puzzle --unique": ("solve_puzzle", [CAT, "--unique", "--quiet"]),
}


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def count_lines(files: Iterable[Path]) -> int:
    return sum(path.read_text(encoding="utf-8").count("\n") for path in files)


def genres() -> list[Path]:
    """The files of genres."""
    return [path for path in python_files(PACKAGE) if module_name(path).startswith(f"{GENRES}.")]


def sizes() -> dict[str, int]:
    """The size of the package without genres: lines, statements, functions (with methods), and classes."""
    nodes = [node for name, tree in trees().items() if not name.startswith(f"{GENRES}.") for node in ast.walk(tree)]
    return {
        "lines": count_lines(set(python_files(PACKAGE)) - set(genres())),
        "statements": sum(isinstance(node, ast.stmt) for node in nodes),
        "functions": sum(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes),
        "classes": sum(isinstance(node, ast.ClassDef) for node in nodes),
    }


def budget() -> dict[str, int]:
    """The largest size that the package may have without genres, with the keys of `sizes`."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    return {name: int(most) for name, most in settings["tool"]["cnfgen-puzzles"]["budget"].items()}


def repeated_classes() -> dict[str, list[str]]:
    """Names of classes of the package that occur more than once, with their modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module)
    return {name: modules for name, modules in sorted(places.items()) if len(modules) > 1}


def module_name(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees() -> dict[str, ast.Module]:
    """The parsed modules of the package, by name."""
    return {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in python_files(PACKAGE)}


@cache
def imports() -> dict[str, set[str]]:
    """The imports of each module of the package, including those in functions and for types."""
    modules, graph = trees(), dict[str, set[str]]()
    for name, tree in modules.items():
        found: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= names if names <= modules.keys() else names | {node.module}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # for import_module
                found.add(node.value)
        graph[name] = (found & modules.keys()) - {name, "cnfgen_puzzles"}
    return graph


def import_cycle() -> list[str]:
    """The modules of one import cycle; empty if there is none."""
    try:
        TopologicalSorter(imports()).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def profile(command: str, arguments: list[str]) -> tuple[int, int]:
    """The number of functions of the package that a call runs, and of their files, without those that run during imports."""
    functions: set[tuple[str, int, str]] = set()
    prefix = f"{PACKAGE}{os.sep}"

    def record(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(prefix) and not code.co_name.startswith("<"):
            caller: FrameType | None = frame
            while caller is not None and caller.f_code.co_name != "<module>":
                caller = caller.f_back
            if caller is None or caller.f_code.co_filename == __file__:
                functions.add((code.co_filename, code.co_firstlineno, code.co_name))

    from cnfgen_puzzles.cli import start

    output = os.dup(1)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        sys.argv = [command.replace("_", "-"), *arguments]
        threading.setprofile(record)
        sys.setprofile(record)
        try:
            getattr(start, command)()
        except SystemExit:
            pass
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
            os.dup2(output, 1)
    return len(functions), len({file for file, _, _ in functions})


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--budget", action="store_true", help="only compare the package with its budget")
    found, most = sizes(), budget()
    if parser.parse_args().budget:
        print("the package without genres has " + ", ".join(f"{found[name]} {name} (budget {most[name]})" for name in found))
        return int(any(found[name] > most[name] for name in found))
    rows: list[tuple[str, object]] = [
        *((f"package without genres: {name} (budget)", f"{found[name]} ({most[name]})") for name in found),
        ("genres: files, lines", f"{len(genres())}, {count_lines(genres())}"),
        ("package: files", len(python_files(PACKAGE))),
        ("tests: lines", count_lines(python_files(REPOSITORY / "tests"))),
        ("studies: lines", count_lines(python_files(REPOSITORY / "studies"))),
    ]
    for title, call in CALLS.items():
        functions, files = profile(*call)
        rows.append((f"{title}: functions in files", f"{functions} in {files}"))
    repeated = repeated_classes()
    rows.append(("class names that occur more than once", len(repeated)))
    rows.append(("import cycles", " -> ".join(import_cycle()) or 0))
    print(tabulate(rows, tablefmt="plain"))
    for name, modules in repeated.items():
        print(f"  {name}: {', '.join(modules)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
