#!/usr/bin/env python3
"""Run random puzzles through the commands under faults, and compare every answer with all solutions; `--help` lists the options.

The code is in `tests/soak/command.py`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from soak.command import main

if __name__ == "__main__":
    sys.exit(main())
