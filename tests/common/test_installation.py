"""The commands that add packages, for each kind of installation."""

import sys

import pytest

from cnfgen_puzzles.common.installation import install_extra, install_packages


@pytest.mark.parametrize(
    "marker, extra, packages",
    [
        (None, "pip install 'cnfgen-puzzles[cluster]'", "pip install clingo 'a>=2'"),
        ("pipx_metadata.json", "pipx inject cnfgen-puzzles 'distributed>=", "pipx inject cnfgen-puzzles clingo 'a>=2'"),
        ("uv-receipt.toml", "uv tool install 'cnfgen-puzzles[cluster]'", "uv tool install cnfgen-puzzles --with clingo"),
    ],
)
def test_commands_fit_the_installation(monkeypatch, tmp_path, marker, extra, packages):
    if marker:
        (tmp_path / marker).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr("importlib.metadata.requires", lambda _name: ["click", "distributed>=2024.8; extra == 'cluster'"])
    assert install_extra("cluster").startswith(extra)
    assert install_packages("clingo", "a>=2").startswith(packages)
