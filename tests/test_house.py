"""The house rules, kept by a machine: which room may import which, no circles, no long files, one class of a name.

What a rule forbids is listed as a whole, so that one run of this file tells all that has to be done.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from repository import REPOSITORY

PACKAGE = "cnfgen_puzzles"
MOST_LINES = 700
MOST_FILES = 18
TAKEN = ("Task", "Outcome", "Run", "Progress", "Round", "Record", "Problem", "Solution", "Count", "Claim")
"""Words that mean one thing in this house. `Search` alone means none: it says neither of what nor how."""

LAYERS = (
    {"common"},
    {"formula"},
    {"families", "solving", "counting", "evidence"},
    {"pipeline"},
    {"making"},
    {"", "testing"},  # the face of the library, and what other packages test their families with
    {"bench", "collection"},
    {"cli"},
)
"""Imports run downward through these, or aside within one; the name of a room is that of its folder."""

STRANGERS = [*(("families", room) for room in ("solving", "counting", "evidence"))]
"""Neither imports the other."""

BLIND = {"pipeline", "solving", "counting", "evidence"}
"""These rooms serve all families and name none."""
FAMILIES = re.compile("maze|nonogram|tiling|triddler", re.IGNORECASE)


class Module:
    """One file of the package, parsed."""

    def __init__(self, path: Path):
        parts = path.relative_to(REPOSITORY).with_suffix("").parts
        self.path = path
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self.package = self.name if parts[-1] == "__init__" else ".".join(parts[:-1])
        self.room = self.name.split(".")[1] if "." in self.name else ""
        self.tree = ast.parse(path.read_text(encoding="utf-8"))

    def __str__(self) -> str:
        return str(self.path.relative_to(REPOSITORY))

    @cached_property
    def imports(self) -> list[tuple[int, str, str | None]]:
        """Line, module and name of every import, wherever it stands: at the top, for types only, inside of a function."""
        found: list[tuple[int, str, str | None]] = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found += [(node.lineno, alias.name, None) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = self.package.split(".")[: len(self.package.split(".")) - node.level + 1] if node.level else []
                source = ".".join([*base, *([node.module] if node.module else [])])
                found += [(node.lineno, source, alias.name) for alias in node.names]
        return found

    @cached_property
    def needs(self) -> dict[str, int]:
        """The modules of the package that it imports, each with the line of the first import."""
        needed: dict[str, int] = {}
        for line, source, name in self.imports:
            target = f"{source}.{name}" if f"{source}.{name}" in modules() else source
            if target in modules() and target != self.name:
                needed.setdefault(target, line)
        return needed


def python_files(folder: str) -> list[Path]:
    """Those of a folder and below it; what `make solvers` unpacks and builds is not ours."""
    return sorted((REPOSITORY / folder).glob("*.py" if folder == "solvers" else "**/*.py"))


@cache
def modules() -> Mapping[str, Module]:
    """The package by the names of its modules."""
    return {module.name: module for module in map(Module, python_files(PACKAGE))}


def circles(graph: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Circles of the graph, each with its first node at its end again; an edge of each is gone when the next is looked for."""
    graph = {node: set(below) for node, below in graph.items()}
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            ring = error.args[1]
            graph[ring[1]].discard(ring[0])
            yield ring
        else:
            return


def none_of(violations: Iterable[str]) -> None:
    if found := sorted(violations):
        pytest.fail("\n".join([f"{len(found)} in all:", *found]), pytrace=False)


def test_the_graph_of_imports_is_seen():
    """The rules below would hold of an empty graph too."""
    dimacs, facade = modules()[f"{PACKAGE}.formula.dimacs"], modules()[PACKAGE]
    ground = {f"{PACKAGE}.common.{name}" for name in ("errors", "inputlimits", "sources")}
    assert set(dimacs.needs) == {f"{PACKAGE}.formula.cnf", *ground}
    assert f"{PACKAGE}.pipeline.solve" in facade.needs, "imports in functions and for types count"
    assert len(list(circles({"a": ["b", "d"], "b": ["c"], "c": ["a"], "d": ["a"]}))) == 2
    assert len(modules()) > 100


def test_no_import_circle():
    none_of(" <- ".join(ring) for ring in circles({name: module.needs for name, module in modules().items()}))


def test_imports_run_downward():
    layer = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
    none_of(
        f"{module}:{line}: {module.room or PACKAGE} imports {target}, which lies above"
        for module in modules().values()
        for target, line in module.needs.items()
        if layer[modules()[target].room] > layer[module.room]
    )


def beside(room: str) -> set[str]:
    """The rooms of its layer."""
    return next(rooms for rooms in LAYERS if room in rooms)


def test_no_circle_between_rooms():
    """Within a layer too one room is below the other, and some know nothing of each other."""
    graph: dict[str, set[str]] = defaultdict(set)
    for module in modules().values():
        graph[module.room] |= ({modules()[target].room for target in module.needs} & beside(module.room)) - {module.room}
    wrong = {pair for ring in circles(graph) for pair in zip(ring[1:], ring, strict=False)}
    for first, second in STRANGERS:
        wrong |= {(first, second), (second, first)}
    none_of(
        f"{module}:{line}: {module.room or PACKAGE} imports {target}"
        for module in modules().values()
        for target, line in module.needs.items()
        if (module.room, modules()[target].room) in wrong
    )


def words_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of all names and strings but docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield node.lineno, text
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                yield node.lineno, text
            case ast.FunctionDef(name=text) | ast.ClassDef(name=text):
                yield node.lineno, text
            case ast.ImportFrom(module=str(text)):
                yield node.lineno, text
            case ast.alias(name=text) | ast.keyword(arg=str(text)):
                yield node.lineno, text


def test_rooms_that_serve_all_families_name_none():
    none_of(
        f"{module}:{line}: {text}"
        for module in modules().values()
        if module.room in BLIND
        for line, text in words_of(module.tree)
        if FAMILIES.search(text)
    )


def private(name: str | None) -> bool:
    return name is not None and name.startswith("_") and not name.startswith("__")


def test_no_private_name_of_another_module():
    found = []
    for path in [*python_files(PACKAGE), *python_files("scripts")]:
        module = Module(path)
        found += [f"{module}:{line}: {source}.{name}" for line, source, name in module.imports if private(name)]
        bound = {
            (alias.asname or alias.name).split(".")[0]
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
            if PACKAGE in (getattr(node, "module", None) or alias.name)
        }
        for node in ast.walk(module.tree):
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in bound and private(name):
                    found.append(f"{module}:{node.lineno}: {owner}.{name}")
    none_of(found)


@pytest.mark.parametrize("folder", [PACKAGE, "scripts", "solvers", "tests"])
def test_files_stay_short(folder):
    lengths = {path: len(path.read_bytes().splitlines()) for path in python_files(folder)}
    none_of(f"{path.relative_to(REPOSITORY)}: {lines} lines" for path, lines in lengths.items() if lines > MOST_LINES)


def test_folders_stay_small():
    folders = {path.parent for path in python_files(PACKAGE)}
    sizes = {folder.relative_to(REPOSITORY): len(list(folder.glob("*.py"))) for folder in folders}
    none_of(f"{folder}: {size} files" for folder, size in sizes.items() if size > MOST_FILES)


@pytest.mark.parametrize("folder", [PACKAGE, "scripts", "solvers", "tests"])
def test_every_file_says_what_it_is_for(folder):
    none_of(
        str(path.relative_to(REPOSITORY)) for path in python_files(folder) if not ast.get_docstring(ast.parse(path.read_bytes()))
    )


def test_a_word_means_one_thing():
    places = defaultdict(list)
    for module in modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{module}:{node.lineno}")
    found = {name: where for name, where in places.items() if (len(where) > 1 and name in TAKEN) or name == "Search"}
    none_of(f"{name}: {', '.join(where)}" for name, where in found.items())


def test_the_quick_tests_visit_every_room():
    """`make test-quick` runs what tests/quick.txt lists: files and folders of tests, at least one for each room."""
    listed = [line.split("::")[0] for line in (REPOSITORY / "tests" / "quick.txt").read_text(encoding="utf-8").splitlines()]
    none_of(f"tests/quick.txt lists {place}, which is not there" for place in listed if not (REPOSITORY / place).exists())
    rooms = [room for room in (REPOSITORY / PACKAGE).iterdir() if (room / "__init__.py").exists() and room.name != "families"]
    rooms += [family for family in (REPOSITORY / PACKAGE / "families").iterdir() if (family / "__init__.py").exists()]
    homes = [f"tests/{room.relative_to(REPOSITORY / PACKAGE)}" for room in rooms]
    homes += [
        str(folder.relative_to(REPOSITORY)) for folder in (REPOSITORY / "tests").iterdir() if list(folder.glob("test_*.py"))
    ]
    none_of(f"no quick test of {home}" for home in homes if not any((place + "/").startswith(home + "/") for place in listed))
