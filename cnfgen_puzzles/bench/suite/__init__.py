"""Suites: the reader of YAML files, and the list of runs."""
