"""What the studies of mazes share: joint states, exhaustive search, cubes that are refuted side by side."""
