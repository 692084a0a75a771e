"""For the tests of other packages: a puzzle family held against its contract by means that share nothing with it.

from cnfgen_puzzles.testing import check_family

def test_my_family():
    print("\\n".join(check_family(FAMILY)))
"""

from cnfgen_puzzles.testing.conformance import check_family

__all__ = ["check_family"]
