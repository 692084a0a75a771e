"""Nonograms by thought instead of search: one line at a time, then looking ahead.

`lines.py` is one line, `propagation.py` all of them until nothing follows any more. Nothing here calls a solver.
"""
