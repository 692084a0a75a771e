"""make-puzzle: `command.py` has the options and what is printed, `jobs.py` one puzzle, wherever it is made."""
