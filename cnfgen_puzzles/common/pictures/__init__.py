"""Pictures that a user has, as grids of cells: `files.py` reads them, `cells.py` makes cells of their pixels. No puzzles here.

Drawings in signs and PBM need nothing; what else Pillow reads needs the extra `pictures`, SVG the extra `bench` as well.
"""
