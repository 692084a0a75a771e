"""A home for programs, and nothing of the user's."""

import pytest
from solving.provision.archives import GOOD


@pytest.fixture(autouse=True)
def nothing_of_the_users(monkeypatch):
    monkeypatch.delenv("CNFGEN_ARCHIVES", raising=False)


@pytest.fixture
def sources(tmp_path):
    """A folder for archives, with nothing in it."""
    folder = tmp_path / "home" / "sources"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def home(sources):
    """A home in which the tool's archive lies ready."""
    (sources / "tool-1.tar.gz").write_bytes(GOOD)
    return sources.parent
