"""Shortest universal maze strings: refute lengths with certificates, find strings, and compare with known optima.

`--help` lists the options and describes how to resume. The code is in `studies/maze_optima/`.
"""

import sys

from studies.mazes.commands import run_study

if __name__ == "__main__":
    sys.exit(run_study("maze_optima", name="maze_optimal"))
