"""All targets of fuzzing, by the tables of the two kinds of readers."""

from __future__ import annotations

from fuzz import filereaders, puzzlereaders

TARGETS = [*puzzlereaders.TARGETS, *filereaders.TARGETS]
