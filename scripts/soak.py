#!/usr/bin/env python3
"""Random puzzles through the real commands under faults, every answer held against an oracle. `--help` says more.

The work is done by `tests/soak/command.py`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from soak.command import main

if __name__ == "__main__":
    sys.exit(main())
