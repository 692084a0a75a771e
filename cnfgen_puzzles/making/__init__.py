"""A picture becomes a puzzle with exactly one solution, by changing as few of its cells as can be.

`neighbours.py` finds other solutions, `changes.py` the fewest changes that no flaw forbids, `making.py` is the way from
the picture to the proof, `made.py` what came of it. A family says what a flaw is in `Making` (`families/capabilities.py`).
"""
