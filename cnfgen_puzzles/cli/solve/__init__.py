"""Parts of solve-puzzle: enumerating and counting, the CEGAR loop, and collections."""
