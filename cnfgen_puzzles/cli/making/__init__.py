"""make-puzzle: `command.py` has the families, `pictures.py` and `regions.py` their options and what is printed, `shared.py` what
these share, `jobs.py` one puzzle of a picture, wherever it is made."""
