"""Projection sets in DIMACS files: the accepted comments, and the refused ones."""

from __future__ import annotations

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.formula.shown import read_counting

CLAUSES = "1 2 0\n-3 4 0\n"


@pytest.mark.parametrize(
    ("text", "projection", "kind"),
    [
        ("p cnf 0 0\n", [], "mc"),
        (f"p cnf 4 2\n{CLAUSES}", [1, 2, 3, 4], "mc"),
        (f"c p show 0\np cnf 4 2\n{CLAUSES}", [], "pmc"),
        (f"c ind 1 0\nc ind 3 2 0\np cnf 4 2\n{CLAUSES}", [1, 2, 3], "pmc"),
        (f"p pcnf 4 2 2\nvp 1 2 0\n{CLAUSES}", [1, 2], "pmc"),
        ("p cnf 4 2\nc t pmc\n1 2 0\nc p show 3 0\n-3 4 0\n", [3], "pmc"),
        (f"c t mc\np cnf 4 2\n{CLAUSES}", [1, 2, 3, 4], "mc"),
        (f"c t mc\nc p show 1 2 3 4 0\np cnf 4 2\n{CLAUSES}", [1, 2, 3, 4], "pmc"),
        (f"cr 1 3\np cnf 4 2\n{CLAUSES}", [1, 3], "pmc"),
        (f"cr 1 0\np cnf 4 2\n{CLAUSES}cr 3 2\nc ind 4 0\n", [1, 2, 3, 4], "pmc"),
        ("p cnf 4 2\n1 2 0\n  cr\t4\r\n-3 4 0\n", [4], "pmc"),
        (f"cr 0\np cnf 4 2\n{CLAUSES}", [], "pmc"),
        (f"crossing\nc cr 1\np cnf 4 2\n{CLAUSES}", [1, 2, 3, 4], "mc"),
        (f"c p showing off\nc index\nc MUST MULTIPLY BY 1 0\np cnf 4 2\n{CLAUSES}", [1, 2, 3, 4], "mc"),
    ],
)
def test_shown_variables(text, projection, kind):
    file = read_counting(Source("x.cnf", text.encode()))
    assert (file.projection, file.kind) == (projection, kind)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c t wmc\np cnf 1 0\n", "weighted model counting is not supported"),
        ("p cnf 1 0\nc p weight 1 0.5 0\n", "found weights (`c p weight`)"),
        ("p wcnf 1 0\n", "found a WCNF file (MaxSAT)"),
        ("p cnf 1 0\nw 1 0.5 0\n", "found weights (`w` lines)"),
        ("c t mc\nc p show 1 0\np cnf 2 0\n", "expected `c t pmc`"),
        ("c p show 1 3 0\np cnf 2 0\n", "expected variables from 1 to 2"),
        ("c p show 1 2\np cnf 2 0\n", "and 0 at the end"),
        ("c p show one 0\np cnf 2 0\n", "and 0 at the end"),
        ("c ind\np cnf 2 0\n", "and 0 at the end"),
        ("cr\np cnf 2 0\n", "found `cr`, expected variables from 1 to 2"),
        ("cr 1 3\np cnf 2 0\n", "found `cr 1 3`, expected variables from 1 to 2"),
        ("cr one\np cnf 2 0\n", "found `cr one`, expected variables"),
        ("c t mc\ncr 1\np cnf 2 0\n", "expected `c t pmc`"),
        ("c weights 0.5 0.5\np cnf 1 0\n", "found weights (`c weights`)"),
        ("c max 1 0\nc ind 2 0\np cnf 2 0\n", "maximum model counting is not supported"),
        ("c t amc-complex\np cnf 2 0\n", "found `c t amc-complex`, expected `c t mc` or `c t pmc`"),
        ("p cnf 2 1\nvp 1 0\n1 2 0\n", "found `vp`, expected a literal"),
        ("p cnf 2 1\np show 1 0\n1 2 0\n", "found `p`, expected a literal"),
        ("c MUST MULTIPLY BY 2**3 0\np cnf 2 0\n", "MUST MULTIPLY"),
        ("p cnf 2 1\n1 3 0\n", "the header announces 2 variables"),
        ("p dnf 2 1\n1 3 0\n", "found header"),
    ],
)
def test_refused(text, message):
    with pytest.raises(InputError) as raised:
        read_counting(Source("x.cnf", text.encode()))
    assert message in str(raised.value)
    assert "x.cnf" in str(raised.value)
