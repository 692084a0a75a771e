"""Solver table, processes under limits, and answers. This package depends on formulas, not on puzzles."""
