"""Where puzzles and solvers meet: from a puzzle to a formula with its map, and from a solver's model to a checked board."""
