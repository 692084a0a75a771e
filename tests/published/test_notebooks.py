"""The notebooks of docs/ run, and give the outputs that are stored in them."""

from __future__ import annotations

import pytest
from repository import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "docs" / "tutorials").glob("*.ipynb"))


@pytest.mark.release
@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_its_stored_outputs(path, load_script):
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    notebooks = load_script("run_notebooks")
    stored = nbformat.read(path, as_version=4)
    executed = notebooks.execute(path)
    different = notebooks.differences(stored, executed)
    assert different == [], [notebooks.compared(cell) for cell in executed.cells if cell.id in different]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_outputs_are_complete_and_have_no_times(path):
    nbformat = pytest.importorskip("nbformat")
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert len(cells) > 5 and all(cell.outputs for cell in cells)
    assert not any(output.output_type == "error" for cell in cells for output in cell.outputs)
    kinds = [kind for cell in cells for output in cell.outputs for kind in output.get("data", ())]
    assert "image/svg+xml" in kinds and "text/html" in kinds
    kept = [str(output) for cell in cells for output in cell.outputs if "measured" not in cell.metadata.get("tags", ())]
    assert not [text for text in kept if " s, wall" in text or "MiB" in text]
