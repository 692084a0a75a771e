"""Published numbers that grid genres without clues have as numbers of solutions."""
