"""The pipeline from a puzzle to a formula with its map, and from a model of a solver to a checked board."""
