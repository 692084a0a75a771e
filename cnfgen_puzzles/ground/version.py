"""The version of this package, for files, results and workers that name it. Not here: which formats they have."""

__version__ = "0.1.0"
