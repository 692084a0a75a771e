"""The genres of grid puzzles, one file for each."""
