"""Rules of docs/explanation/architecture.md that a program can check: imports run downward, names mean one thing, files have
one subject.

Each test reports everything that violates its rule, so that one run shows all of it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from repository import REPOSITORY

sys.path.append(str(REPOSITORY / "scripts" / "measure"))
import measure_size

PACKAGE = "cnfgen_puzzles"
MOST_LINES = 720
LAYERS = (
    {"common"},
    {"formula"},
    {"families", "solving"},
    {"evidence", "counting"},
    {"pipeline"},
    {"explaining", "making"},
    {"."},
    {"bench"},
    {"cli"},
    {"testing"},
)
"""Each package imports only itself and the packages before it; `.` is the `__init__` of the package."""
SEPARATE = [("families", "solving"), ("solving", "families"), ("evidence", "families"), ("counting", "families")]
"""Pairs (A, B): A does not import B, although B is before A."""
BENCH = ("suite", "record", "runs", "planfile", "run", "benchexec", "analyse", "show", "runsuite")
"""The layers of `bench`, from below."""
GENERIC = {"pipeline", "solving", "counting", "evidence"}
"""Packages that serve all families and name none."""
DOCSTRING = re.compile(r'(#.*\n)*\s*r?"""\s*\S')
FAMILIES = re.compile("maze|nonogram|tiling|triddler", re.IGNORECASE)


def files(folder: str) -> list[Path]:
    return measure_size.python_files(REPOSITORY / folder)


def package_of(module: str) -> str:
    """The folder, or the single file, of the package that a module belongs to."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "."


def expect_none(violations: Iterable[str]) -> None:
    if found := sorted(set(violations)):
        pytest.fail("\n".join([f"{len(found)} in all:", *found]), pytrace=False)


def test_imports_run_downward():
    imports = measure_size.imports()
    assert len(imports) > 100
    assert f"{PACKAGE}.formula.cnf" in imports[f"{PACKAGE}.formula.dimacs"]
    layer = {package: number for number, packages in enumerate(LAYERS) for package in packages}
    pairs = [(module, target) for module, targets in imports.items() for target in targets]
    expect_none(
        f"{module} imports {target}"
        for module, target in pairs
        if layer[package_of(target)] > layer[package_of(module)] or (package_of(module), package_of(target)) in SEPARATE
    )
    inside = [(module, target) for module, target in pairs if package_of(module) == package_of(target) == "bench"]
    assert len(inside) > 50
    expect_none(f"{module} imports {target}" for module, target in inside if part_of(target) > part_of(module))


def test_no_import_cycle():
    assert measure_size.import_cycle() == []


def test_folders_of_families_import_in_one_direction():
    def folder_of(module: str) -> str:
        parts = module.split(".")[2:-1]
        return ".".join(parts[: 2 if parts[:1] == ["grid"] else 1])

    modules = {module: folder_of(module) for module in measure_size.imports() if module.startswith(f"{PACKAGE}.families.")}
    graph: dict[str, set[str]] = {folder: set() for folder in modules.values() if folder}
    for module, folder in modules.items():
        targets = {modules.get(target, "") for target in measure_size.imports()[module]}
        graph.get(folder, set()).update(targets - {folder, ""})
    assert {"grid.layer", "links"} <= graph["grid.genres"] and not graph["links"]
    TopologicalSorter(graph).prepare()  # an error names a cycle


def part_of(module: str) -> int:
    """The layer of a module of `bench`; the package itself is the top layer."""
    parts = module.split(".")
    return BENCH.index(parts[2]) if len(parts) > 2 else len(BENCH)


def words_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of all names and strings except docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield node.lineno, text
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                yield node.lineno, text
            case ast.FunctionDef(name=text) | ast.ClassDef(name=text) | ast.ImportFrom(module=str(text)):
                yield node.lineno, text
            case ast.alias(name=text) | ast.keyword(arg=str(text)):
                yield node.lineno, text


def test_names():
    """Generic packages name no family, no module imports a private name, and each class name occurs once."""
    expect_none(
        f"{module}:{line}: {text}"
        for module, tree in measure_size.trees().items()
        if package_of(module) in GENERIC
        for line, text in words_of(tree)
        if FAMILIES.search(text)
    )
    expect_none(
        f"{module}:{node.lineno}: {alias.name}"
        for module, tree in measure_size.trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    )
    expect_none(f"{name}: {', '.join(places)}" for name, places in measure_size.repeated_classes().items())


def test_files_have_one_subject():
    """A file has a docstring with its purpose, and is not so long that it must have two subjects."""
    every = [path for folder in (PACKAGE, "studies", "scripts", "tests") for path in files(folder)]
    assert len(every) > 500
    texts = {path: path.read_text(encoding="utf-8") for path in every}
    expect_none(f"{path}: no docstring" for path, text in texts.items() if text and not DOCSTRING.match(text))
    expect_none(f"{path}: more than {MOST_LINES} lines" for path, text in texts.items() if text.count("\n") > MOST_LINES)


def test_the_package_is_within_its_budget():
    found, most = measure_size.sizes(), measure_size.budget()
    assert not [name for name in found if found[name] > most[name]]


def test_quick_tests_exist():
    """`make test-quick` runs what tests/quick.txt lists."""
    listed = [line.split("::")[0] for line in (REPOSITORY / "tests" / "quick.txt").read_text(encoding="utf-8").splitlines()]
    assert len(listed) > 10
    expect_none(f"tests/quick.txt lists {place}" for place in listed if not (REPOSITORY / place).exists())
