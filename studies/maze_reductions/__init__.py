"""How many mazes of a grid need to be tried, and why nothing is lost by leaving out the others."""
