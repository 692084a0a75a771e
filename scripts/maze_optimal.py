"""How short can a universal maze string be? Refutes lengths with certificates, finds strings, compares with known optima.

The options, and how it goes on where it was ended: `--help`. All of it stands in `studies/maze_optima/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_optima", name="maze_optimal"))
