"""`python program.py SOLVER FILE` copies the program of a solver to a file, for pages with 'my solver'."""

import shutil
import sys

from cnfgen_puzzles.solving.table import find_solver

shutil.copy(find_solver(sys.argv[1]).locate(), sys.argv[2])
