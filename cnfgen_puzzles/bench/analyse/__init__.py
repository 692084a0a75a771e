"""From results to scores: which contestant solved what, how fast, and what of that is told from chance."""
