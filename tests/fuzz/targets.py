"""All targets of fuzzing, from the tables of the three kinds of readers."""

from __future__ import annotations

from fuzz import filereaders, formulareaders, puzzlereaders

TARGETS = [*puzzlereaders.TARGETS, *formulareaders.TARGETS, *filereaders.TARGETS]
