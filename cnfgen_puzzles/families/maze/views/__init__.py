"""How a string and its mazes are shown."""
