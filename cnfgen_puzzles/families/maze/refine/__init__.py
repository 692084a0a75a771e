"""Maze strings piece by piece: mazes are added as a string fails them; local search."""
