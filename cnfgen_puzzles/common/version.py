"""The version of this package, for whoever writes it into a file; `pyproject.toml` says it too."""

__version__ = "1.0.0rc1"
