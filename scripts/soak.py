#!/usr/bin/env python3
"""Random puzzles through the real commands under faults, every answer held against an oracle. `--help` says more.

The work is done by `cnfgen_puzzles/testing/soak/command.py`.
"""

import sys

from cnfgen_puzzles.testing.soak.command import main

if __name__ == "__main__":
    sys.exit(main())
