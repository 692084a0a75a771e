"""Windows of a string that solves all mazes: can those letters be replaced by fewer, or by others?

The options, and how it goes on where it was ended: `--help`. All of it stands in `studies/maze_windows/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_windows"))
