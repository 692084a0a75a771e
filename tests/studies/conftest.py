"""Shared by tests of scripts."""

import pytest


@pytest.fixture(scope="session")
def strings(load_script):
    """The checker of maze strings, which walks through all mazes of a grid and shares no code with the package."""
    return load_script("check_maze_string")
