"""Search for short strings that solve all mazes of a grid, by annealing and SAT windows; it gives no lower bounds.

`--help` lists the options and describes how to resume. The code is in `studies/maze_search/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_search"))
