"""Puzzles with exactly one solution: from pictures (`making.py`, `hitting.py`, `pictures.py`) or from regions (`cutting.py`)."""
