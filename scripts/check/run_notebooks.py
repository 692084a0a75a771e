"""Runs the notebooks of docs/ and stores their outputs; `--check` compares them with the stored outputs instead.

    python scripts/check/run_notebooks.py [--check] [FILE...]

Times, memory, and versions are not compared, and times and memory are not stored, so that the files do not change. The outputs
of a cell with the tag `measured` (tables and plots of measurements) are stored as they are, and only their kinds are compared.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs" / "tutorials").glob("*.ipynb"))
TIMES = re.compile(r",? ?cpu [\d.]+ s, wall [\d.]+ s, memory [\d.]+ \w+")
VARYING = re.compile(r"(?<=checked by )[\w-]+|(?<=cnfgen-puzzles )[\w.]+")
DROPPED = {"application/vnd.vegalite", "text/plain"}
"""Kinds of outputs that are not stored beside a picture: long, and not readable."""


def execute(path: Path) -> Any:
    """The notebook with the outputs of a run in an empty folder, without times and memory."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        how = {"timeout": 200, "kernel_name": "python3", "coalesce_streams": True}
        nbclient.NotebookClient(notebook, resources=resources, **how).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        for output in cell.get("outputs", ()):
            output.pop("metadata", None) if output.output_type == "stream" else output.metadata.clear()
            data = output.get("data", {})
            if "image/png" in data or ("image/svg+xml" in data and "measured" in cell.metadata.get("tags", ())):
                for kind in [kind for kind in data if kind.startswith(tuple(DROPPED))]:
                    del data[kind]
            if "measured" not in cell.metadata.get("tags", ()):
                output |= {"data": {kind: TIMES.sub("", str(value)) for kind, value in data.items()}} if data else {}
    nbformat.validate(notebook)
    return notebook


def compared(cell: Any) -> list[Any]:
    """The outputs of a cell as far as each run gives the same."""
    outputs = cell.get("outputs", ())
    if "measured" in cell.metadata.get("tags", ()):
        return [sorted(output.get("data", {})) for output in outputs]
    return [{kind: VARYING.sub("", text) for kind, text in output.get("data", {"text": output.get("text", "")}).items()}
            for output in outputs]  # fmt: skip


def differences(stored: Any, executed: Any) -> list[str]:
    """The ids of the cells whose outputs differ."""
    return [old.id for old, new in zip(stored.cells, executed.cells, strict=True) if compared(old) != compared(new)]


def main(words: list[str]) -> int:
    """Runs the named notebooks, or all; returns the exit code."""
    check = "--check" in words
    changed = False
    for path in [Path(word) for word in words if word != "--check"] or NOTEBOOKS:
        executed = execute(path)
        if different := differences(nbformat.read(path, as_version=4), executed):
            changed = True
            print(f"{path.name}: other outputs of {', '.join(different)}")
            if not check:
                nbformat.write(executed, path)
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
