"""`python program.py SOLVER FILE` copies the program of a solver to a file: 'my solver', for the pages that have one."""

import shutil
import sys

from cnfgen_puzzles.solving.table import find_solver

shutil.copy(find_solver(sys.argv[1]).locate(), sys.argv[2])
