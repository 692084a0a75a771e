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
            "uv tool install 'cnfgen-puzzles[bench,cluster]' --with six",
            "uv tool install 'cnfgen-puzzles[bench]' --with six --with clingo --with 'a>=2'",
        ),
    ],
)
def test_commands_fit_the_installation(monkeypatch, tmp_path, marker, extra, packages):
    if marker:
        receipt = '[tool]\nrequirements = [{ name = "cnfgen-puzzles", extras = ["bench"] }, { name = "six" }]\n'
        (tmp_path / marker).write_text(receipt)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert install_extra("cluster") == extra
    assert install_packages("clingo", "a>=2") == packages
