#!/usr/bin/env python3
"""The published numbers on nonograms, claimed beside measured, and our encoding beside the published one. `--help` says more.

The work is done by `studies/nonogram_survey/`.
"""

import sys

from studies.nonogram_survey.command import main

if __name__ == "__main__":
    sys.exit(main())
