#!/usr/bin/env python3
"""The published numbers, claimed beside measured: what `make reproduce` runs. `--help` says more.

The work is done by `studies/reproduce.py`.
"""

import sys

from studies.reproduce import main

if __name__ == "__main__":
    sys.exit(main())
