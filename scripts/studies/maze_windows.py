"""Windows of a string that solves all mazes: search for a shorter or another replacement of these letters.

`--help` lists the options and describes how to resume. The code is in `studies/maze_windows/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_windows"))
