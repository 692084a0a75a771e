"""Pictures that a user has, as grids of cells: `files.py` reads them, `cells.py` makes cells of their pixels. No puzzles here.

Drawings in signs and PBM need nothing; SVG and what else Pillow reads need the extra `pictures`.
"""
