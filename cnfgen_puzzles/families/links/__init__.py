"""Addresses and files of other programs for grid puzzles: puzz.link and its files, penpa-edit, game IDs."""
