#!/usr/bin/env python3
"""Recompute the published numbers on nonograms, and compare the encodings; `--help` lists the options.

The code is in `studies/nonogram_survey/`.
"""

import sys

from studies.nonogram_survey.command import main

if __name__ == "__main__":
    sys.exit(main())
