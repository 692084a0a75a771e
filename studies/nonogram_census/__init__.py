"""The number of nonograms of n x n cells, of those with exactly one solution, and of those that line logic solves."""
