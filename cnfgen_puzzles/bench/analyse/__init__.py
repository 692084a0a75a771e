"""Analysis of results: scores, comparisons, and statistics."""
