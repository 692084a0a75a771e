"""Which mazes of a grid need not be tried: each reduction by name, how many mazes it leaves, and why nothing is lost.

The options, and how it goes on where it was ended: `--help`. All of it stands in `studies/maze_reductions/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_reductions"))
