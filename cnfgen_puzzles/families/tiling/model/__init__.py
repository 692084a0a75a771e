"""Lattices, pieces, the puzzle, the rules and the symmetries. No clause and no file."""
