"""Four holes: the classes, every kind of certificate, resuming, and a verifier that refuses wrong certificates."""

import json
from math import comb

import pytest

from cnfgen_puzzles.common.errors import CnfgenError
from studies.four_holes.certificates import decide_classes, read_certificates
from studies.four_holes.claims import UNEXPLAINED
from studies.four_holes.classes import classes, has_bad_region, orbit
from studies.four_holes.decide import decide, refute
from studies.four_holes.verify import holds, is_covering, verify

CENTRE = (27, 28, 35, 36)
CORNER_OFF = (0, 2, 9, 63)  # cuts off the cell 1


@pytest.mark.release
def test_the_classes_are_all_hole_sets_up_to_symmetry():
    found = classes()
    assert len(found) == 79_920
    assert sum(len(orbit(holes)) for holes in found) == comb(64, 4) == 635_376


def test_a_covered_class_has_a_valid_board():
    record = decide(CENTRE)
    assert record["verdict"] == "covered"
    assert is_covering(record["board"], CENTRE)
    assert sorted(set(record["board"])) == sorted(".FILNPTUVWXYZ")


def test_a_region():
    record = decide(CORNER_OFF)
    assert (record["verdict"], record["sizes"]) == ("region", [1, 59])


def test_a_refutation_is_checked():
    """Includes a class that a region explains: the formula does not use regions."""
    record = refute(CORNER_OFF, "cadical")
    assert record["verdict"] == "refuted"
    assert record["formula"]["variables"] > 1000


@pytest.mark.release
def test_no_refutation_of_what_can_be_covered():
    with pytest.raises(CnfgenError, match="cadical says SATISFIABLE"):
        refute(CENTRE, "cadical")


def test_the_unexplained_classes_are_different_ones_that_no_region_explains():
    """The measured claim refutes each; `make test` runs it (test_claims)."""
    assert len({min(orbit(holes)) for holes in UNEXPLAINED}) == len(UNEXPLAINED) == 3
    assert not any(has_bad_region(holes) for holes in UNEXPLAINED)


def test_the_verifier_computes_regions_itself():
    assert holds(CORNER_OFF, {"verdict": "region"})
    assert not holds(CENTRE, {"verdict": "region"})


def test_the_verifier_refuses_wrong_boards():
    board = decide(CENTRE)["board"]
    a, b = board.index("F"), board.index("X")
    swapped = list(board)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    renamed = board.replace("F", "P")
    for wrong in ("".join(swapped), renamed, board[:-1], board.replace("I", "."), board[::-1][1:] + "."):
        assert not is_covering(wrong, CENTRE)
    assert not is_covering(board, (0, 1, 2, 3))


@pytest.mark.release
def test_an_interrupted_run_resumes(tmp_path):
    path = tmp_path / "classes.jsonl"
    wanted = classes()[:6]
    first = decide_classes(path, wanted[:3], jobs=1)
    text = path.read_text()
    path.write_text(text[: len(text) - 30])  # in the middle of the third line
    assert len(read_certificates(path)) == 2
    records = decide_classes(path, wanted, jobs=1)
    assert set(records) == set(wanted)
    assert {holes: records[holes]["verdict"] for holes in first} == {holes: first[holes]["verdict"] for holes in first}
    assert len(path.read_text().splitlines()) == 6
    assert not list(verify(read_certificates(path), wanted))
    lines = path.read_text().splitlines()
    broken = [json.loads(line) for line in lines]
    covered = next(record for record in broken if record["verdict"] == "covered")
    covered["board"] = covered["board"][::-1]  # the holes of these first classes are near one corner
    path.write_text("\n".join(map(json.dumps, broken)) + "\n")
    assert len(list(verify(read_certificates(path), wanted))) == 1
