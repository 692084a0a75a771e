"""Maze strings as formulas."""
