"""Short strings that solve all mazes of a grid, by rounds of annealing and of SAT windows; it shows nothing impossible.

The options, and how it goes on where it was ended: `--help`. All of it stands in `studies/maze_search/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_search"))
