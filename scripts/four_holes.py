#!/usr/bin/env python3
"""Remove any four cells from the chessboard: can the twelve pentominoes cover the rest? `--help` says more.

The work is done by `studies/four_holes/`.
"""

import sys

from studies.four_holes.command import main

if __name__ == "__main__":
    sys.exit(main())
