"""How many nonograms of n x n cells there are, how many have exactly one solution, how many of these fall to line logic."""
