#!/usr/bin/env python3
"""Recompute the published numbers and compare them with the claims, for `make reproduce`; `--help` lists the options.

The code is in `studies/reproduce.py`.
"""

import sys

from studies.reproduce import main

if __name__ == "__main__":
    sys.exit(main())
