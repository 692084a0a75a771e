"""Certificates on the command line: what solve-puzzle writes, and verify-certificate."""
