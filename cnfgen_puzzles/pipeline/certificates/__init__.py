"""Certificates of puzzles: what they claim, how they are written, how they are verified. Of formulas: `evidence.certificate`."""
