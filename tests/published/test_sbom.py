"""The software bill of materials: checksums, scopes, and solvers are added to the packages that cyclonedx-py finds."""

from __future__ import annotations

import pytest
from repository import REPOSITORY

from cnfgen_puzzles.solving.table import load_solvers

pytestmark = pytest.mark.release


def test_packages_get_checksums_and_solvers_their_archives_and_licenses(load_script):
    sbom = load_script("sbom")
    hashes = sbom.pinned_hashes((REPOSITORY / "requirements-dev.txt").read_text())
    (click,) = (name for name in hashes if name.startswith("click=="))
    found = {
        "metadata": {
            "component": {"bom-ref": "root", "externalReferences": [{"type": "other", "url": "file:///home/me/checkout"}]}
        },
        "components": [
            {"bom-ref": "click", "name": "click", "version": click.partition("==")[2], "type": "library"},
            {"bom-ref": "pytest", "name": "pytest", "version": "0", "type": "library"},
        ],
        "dependencies": [{"ref": "root", "dependsOn": ["click", "gone"]}, {"ref": "gone"}],
    }
    bom = sbom.complete(found, hashes, load_solvers())
    parts = {component["name"]: component for component in bom["components"]}
    assert [parts[name]["scope"] for name in ("click", "pytest", "kissat")] == ["required", "optional", "excluded"]
    assert len(parts["click"]["externalReferences"][0]["hashes"]) == len(hashes[click]) >= 2
    assert parts["pytest"]["externalReferences"] == []
    recipe = load_solvers()["kissat"].build
    assert parts["kissat"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert recipe["sha256"] in str(parts["kissat"]["externalReferences"]) and recipe["archive"] in str(
        parts["kissat"]["properties"]
    )
    assert "research" in parts["lingeling"]["licenses"][0]["license"]["name"]
    assert "file:" not in str(bom)
    assert bom["dependencies"] == [{"ref": "root", "dependsOn": ["click"]}]
