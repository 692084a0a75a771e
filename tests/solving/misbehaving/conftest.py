"""The programs here are run, not imported: a search for tests or doctests must leave them alone."""

collect_ignore_glob = ["*.py"]
