"""The folders of nonograms: those in the repository, and those of Wolter's survey, most of which cannot be redistributed."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def samples(sample_puzzles) -> Path:
    """The user's copy of the puzzles of the survey; skips the test without it."""
    return sample_puzzles / "nonogram"


@pytest.fixture(scope="session")
def nonograms(instances) -> Path:
    """The nonograms of the repository."""
    return instances / "nonogram"
