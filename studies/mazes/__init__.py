"""Common code of the studies of mazes: joint states, exhaustive search, and cubes that are refuted in parallel."""
