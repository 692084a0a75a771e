"""Published counts of tilings, counted again: the pentominoes of two articles, and every claim of the puzzles in
instances/tiling."""
