"""Known strings with the mazes that they solve."""

from __future__ import annotations

import pytest
import yaml


@pytest.fixture(scope="session")
def known(instances):
    """The entries of instances/maze/known.yaml."""
    return yaml.safe_load((instances / "maze/known.yaml").read_text())


@pytest.fixture(scope="session")
def best(known):
    """The string of 79 letters for the thin mazes of 3x3."""
    return next(entry["string"] for entry in known if (entry["kind"], entry["size"]) == ("thin", "3x3"))
