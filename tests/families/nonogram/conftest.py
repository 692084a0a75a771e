"""Where the sample puzzles of Wolter's survey are; most of them may not be shipped, so their tests skip without them."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder with the sample puzzles beside the repository; skips the test where it is not there."""
    folder = ROOT.parent / "shared" / "data" / "nonogram"
    if not folder.is_dir():
        pytest.skip("the sample puzzles are not beside the repository")
    return folder


@pytest.fixture(scope="session")
def instances() -> Path:
    """The puzzles that the project ships."""
    return ROOT / "instances" / "nonogram"
