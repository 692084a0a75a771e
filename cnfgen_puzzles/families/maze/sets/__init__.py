"""All mazes of a grid, and which of them need not be tried."""
