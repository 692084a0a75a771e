"""Imports in `bench/` run downward: show, analyse, planfile, run, runs, record, suite, and the entrance `runsuite` over all."""

import ast
from pathlib import Path

import cnfgen_puzzles.bench as bench

ORDER = ("suite", "record", "runs", "run", "planfile", "analyse", "show", "certificates", "runsuite")


def test_imports_run_downward():
    folder = Path(bench.__file__).parent
    for path in folder.rglob("*.py"):
        part = path.relative_to(folder).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                if name.startswith("cnfgen_puzzles.bench.") and part != "__init__":
                    assert ORDER.index(name.split(".")[2]) <= ORDER.index(part), f"{path} imports {name}"
                assert not name.startswith("cnfgen_puzzles.cli"), f"{path} imports {name}"
