#!/usr/bin/env python3
"""Remove any four cells from the chessboard: can the twelve pentominoes cover the rest? `--help` lists the options.

The code is in `studies/four_holes/`.
"""

import sys

from studies.four_holes.command import main

if __name__ == "__main__":
    sys.exit(main())
