#!/usr/bin/env python3
"""Compare published counts of tilings with measured ones; `--help` lists the options. The code is in `studies/pentominoes/`."""

import sys

from studies.pentominoes.command import main

if __name__ == "__main__":
    sys.exit(main())
