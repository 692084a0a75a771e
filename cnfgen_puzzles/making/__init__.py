"""Puzzles with one solution: of pictures (`making.py`, `hitting.py`, `pictures.py`) or cut out of regions (`cutting.py`)."""
