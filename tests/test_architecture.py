"""Rules of docs/architecture.md that a program can check: imports run downward, names mean one thing, files have one subject.

Each test reports everything that violates its rule, so that one run shows all of it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from repository import REPOSITORY

sys.path.append(str(REPOSITORY / "scripts"))  # at the end: scripts/soak.py is not the package soak
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
"""A package imports those before it, and itself; `.` is the package's own `__init__`."""
SEPARATE = [("families", "solving"), ("solving", "families"), ("evidence", "families"), ("counting", "families")]
"""Pairs of which the first does not import the second, although it is not below it."""
GENERIC = {"pipeline", "solving", "counting", "evidence"}
"""Packages that serve all families and name none."""
FAMILIES = re.compile("maze|nonogram|tiling|triddler", re.IGNORECASE)


@cache
def trees() -> dict[str, ast.Module]:
    """The modules of the package, parsed, by name."""
    return {measure_size.module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in files(PACKAGE)}


def files(folder: str) -> list[Path]:
    return measure_size.python_files(REPOSITORY / folder)


def package_of(module: str) -> str:
    """The folder, or the single file, of the package that a module belongs to."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "."


def expect_none(violations: Iterable[str]) -> None:
    if found := sorted(set(violations)):
        pytest.fail("\n".join([f"{len(found)} in all:", *found]), pytrace=False)


def test_imports_are_seen():
    """The rules below would hold of an empty graph, too."""
    imports = measure_size.imports()
    assert len(imports) > 100
    assert f"{PACKAGE}.formula.cnf" in imports[f"{PACKAGE}.formula.dimacs"]


def test_no_import_cycle():
    assert measure_size.import_cycle() == []


def test_imports_run_downward():
    layer = {package: number for number, packages in enumerate(LAYERS) for package in packages}
    pairs = [(module, target) for module, targets in measure_size.imports().items() for target in targets]
    expect_none(
        f"{module} imports {target}"
        for module, target in pairs
        if layer[package_of(target)] > layer[package_of(module)] or (package_of(module), package_of(target)) in SEPARATE
    )


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


def test_generic_packages_name_no_family():
    expect_none(
        f"{module}:{line}: {text}"
        for module, tree in trees().items()
        if package_of(module) in GENERIC
        for line, text in words_of(tree)
        if FAMILIES.search(text)
    )


def test_no_module_imports_a_private_name():
    expect_none(
        f"{module}:{node.lineno}: {alias.name}"
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    )


def test_each_class_name_occurs_once():
    expect_none(f"{name}: {', '.join(places)}" for name, places in measure_size.repeated_classes().items())


@pytest.mark.parametrize("folder", [PACKAGE, "studies", "scripts", "tests"])
def test_files_have_one_subject(folder):
    """A file says what it is for, and is not so long that it must have two subjects."""
    expect_none(
        str(path) for path in files(folder) if not ast.get_docstring(ast.parse(path.read_bytes())) and path.stat().st_size
    )
    expect_none(f"{path}: more than {MOST_LINES} lines" for path in files(folder) if path.read_bytes().count(b"\n") > MOST_LINES)


def test_the_package_is_within_its_line_budget():
    assert measure_size.count_lines(measure_size.PACKAGE) <= measure_size.line_budget()


def test_quick_tests_exist():
    """`make test-quick` runs what tests/quick.txt lists."""
    listed = [line.split("::")[0] for line in (REPOSITORY / "tests" / "quick.txt").read_text(encoding="utf-8").splitlines()]
    assert len(listed) > 10
    expect_none(f"tests/quick.txt lists {place}" for place in listed if not (REPOSITORY / place).exists())
