"""The boards of small random puzzles, by every engine, against all boards that the rules of their genre accept.

`test_genres.py` compares the rules with pzprjs.
"""

from random import Random

import pytest
from exhaustive import gridranges

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.api import count

GENRES = """hitori heyawake kurodoko nurikabe aqre norinori mines kurotto yinyang slither mashu country ripple skyscrapers
kropki shikaku"""
NARROW = {"mines", "norinori", "shikaku"}
"""Genres whose formulas tididi counts at once: their treewidth is small."""
DRAWN = 12


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", GENRES.split())
def test_each_engine_counts_all_boards(name):
    """Of some puzzles, that with the most boards by all engines, and one with few."""
    family, chance, drawn = find_family(name), Random(f"counts of {name}"), []
    while len(drawn) < DRAWN or not any(case.solutions for case in drawn):
        drawn += [case] if (case := gridranges.drawn_puzzle(family, chance)) else []
    most = max(drawn, key=lambda case: len(case.solutions))
    few = min(drawn, key=lambda case: abs(len(case.solutions) - 1))
    assert count(few.puzzle, engine="blocking").solutions == len(few.solutions)
    engines = ["clasp", "blocking", "ganak", *["tididi"] * (name in NARROW)]
    assert {engine: count(most.puzzle, engine=engine).solutions for engine in engines} == dict.fromkeys(
        engines, len(most.solutions)
    )
