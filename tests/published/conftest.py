"""The wheel and the sdist, built once, and an environment outside of the checkout with the wheel."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from published.wheels import build, clean_environment
from repository import REPOSITORY


@pytest.fixture(scope="session")
def dist(tmp_path_factory):
    """`.wheel` and `.sdist`: the files to publish."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    build(REPOSITORY, folder, "wheel", "sdist")
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return SimpleNamespace(wheel=wheel, sdist=sdist)


@pytest.fixture(scope="session")
def installed(dist, tmp_path_factory):
    """`.python`, `.bin` of an environment with the wheel, and the dependencies of the environment that runs the tests."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    site = Path(paths["purelib"])
    python = folder / "bin" / "python"
    options = ["--quiet", "--no-deps", "--no-index"]
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(dist.wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200, env=clean_environment())
    assert done.returncode == 0, done.stderr
    places = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(Path(click.__file__).parents[1])}
    (site / "dependencies.pth").write_text("".join(f"{path}\n" for path in places))
    yield SimpleNamespace(python=python, bin=folder / "bin", site=site)
    shutil.rmtree(folder)
