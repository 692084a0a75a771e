"""The commands that add packages, for each kind of installation."""

import sys

import pytest

from cnfgen_puzzles.common.installation import install_extra, install_packages


@pytest.mark.parametrize(
    "marker, extra, packages",
    [
        ("", "pip install 'cnfgen-puzzles[cluster]'", "pip install clingo 'a>=2'"),
        (
            "pipx_metadata.json",
            "pipx inject cnfgen-puzzles 'cnfgen-puzzles[cluster]'",
            "pipx inject cnfgen-puzzles clingo 'a>=2'",
        ),
        (
            "uv-receipt.toml",
            f"uv pip install --python {sys.executable} 'cnfgen-puzzles[cluster]'",
            f"uv pip install --python {sys.executable} clingo 'a>=2'",
        ),
    ],
)
def test_commands_fit_the_installation(monkeypatch, tmp_path, marker, extra, packages):
    if marker:
        (tmp_path / marker).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert install_extra("cluster") == extra
    assert install_packages("clingo", "a>=2") == packages
