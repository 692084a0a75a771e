"""Mazes, sets of them, the string that is looked for, and the rules. No clause and no file."""
