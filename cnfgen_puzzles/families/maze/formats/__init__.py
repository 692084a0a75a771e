"""Mazes and puzzles as files, options and JSON."""
