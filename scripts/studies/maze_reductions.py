"""Reductions of the set of mazes of a grid: each by name, with the number of remaining mazes and the reason why it is sound.

`--help` lists the options and describes how to resume. The code is in `studies/maze_reductions/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_reductions"))
