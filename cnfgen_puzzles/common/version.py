"""The version of this package; `pyproject.toml` has the same."""

__version__ = "1.0.0rc1"
