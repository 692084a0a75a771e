"""The notebooks of docs/: run from the first cell to the last, and kept without outputs."""

from __future__ import annotations

import pytest
from repository import REPOSITORY

pytestmark = pytest.mark.release

NOTEBOOKS = sorted((REPOSITORY / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_pictures(path, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    shown = [set(output.get("data", ())) for cell in notebook.cells for output in cell.get("outputs", ())]
    assert sum("image/svg+xml" in kinds for kinds in shown) >= 4
    assert sum("text/html" in kinds for kinds in shown) >= 4
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
    assert printed.split() == ["24"]  # the permutations of four
    said = [output["data"]["text/plain"] for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    assert all(len(line) <= 180 and "\n" not in line for line in said)
    assert any("The only solution (proof checked by" in line for line in said)
    assert any("2 solutions up to the 4 symmetries" in line for line in said)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path):
    nbformat = pytest.importorskip("nbformat")
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert len(cells) > 5
    assert not any(cell.outputs or cell.execution_count for cell in cells)
