"""Where the sample puzzles of Wolter's survey are; most of them may not be shipped, so their tests skip without them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

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
def load_script() -> Callable[[str], ModuleType]:
    """Loads a file of scripts/ as a module of its own."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture(scope="session")
def instances() -> Path:
    """The puzzles that the project ships."""
    return ROOT / "instances" / "nonogram"
