#!/usr/bin/env python3
"""Published counts of tilings beside measured ones. `--help` says more.

The work is done by `studies/pentominoes/`.
"""

import sys

from studies.pentominoes.command import main

if __name__ == "__main__":
    sys.exit(main())
