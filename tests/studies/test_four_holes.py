"""scripts/four_holes.py: the classes, every kind of certificate, resuming, and a verifier that refuses what does not hold."""

import json
from math import comb

import pytest


@pytest.fixture(scope="module")
def script(load_script):
    return load_script("four_holes")


CENTRE = (27, 28, 35, 36)
CORNER_OFF = (0, 2, 9, 63)  # cuts off the cell 1


def test_the_classes_are_all_hole_sets_up_to_symmetry(script):
    classes = script.classes()
    assert len(classes) == 79_920
    assert sum(len(script.orbit(holes)) for holes in classes) == comb(64, 4) == 635_376


def test_a_covered_class_has_a_board_that_holds(script):
    record = script.decide(CENTRE)
    assert record["verdict"] == "covered"
    assert script.is_covering(record["board"], CENTRE)
    assert sorted(set(record["board"])) == sorted(".FILNPTUVWXYZ")


def test_a_region(script):
    record = script.decide(CORNER_OFF)
    assert (record["verdict"], record["sizes"]) == ("region", [1, 59])


def test_a_refutation_is_checked(script):
    """Of a class that a region explains, too: the formula knows nothing of regions."""
    record = script.refute(CORNER_OFF, "cadical")
    assert record["verdict"] == "refuted"
    assert record["formula"]["variables"] > 1000


def test_no_refutation_of_what_can_be_covered(script):
    with pytest.raises(RuntimeError, match="cadical says SATISFIABLE"):
        script.refute(CENTRE, "cadical")


def test_the_verifier_refuses_wrong_boards(script):
    board = script.decide(CENTRE)["board"]
    a, b = board.index("F"), board.index("X")
    swapped = list(board)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    renamed = board.replace("F", "P")
    for wrong in ("".join(swapped), renamed, board[:-1], board.replace("I", "."), board[::-1][1:] + "."):
        assert not script.is_covering(wrong, CENTRE)
    assert not script.is_covering(board, (0, 1, 2, 3))


def test_a_run_goes_on_where_it_was_cut(script, tmp_path):
    path = tmp_path / "classes.jsonl"
    wanted = script.classes()[:6]
    first = script.run(path, wanted[:3], jobs=1)
    text = path.read_text()
    path.write_text(text[: len(text) - 30])  # in the middle of the third line
    assert len(script.read_records(path)) == 2
    records = script.run(path, wanted, jobs=1)
    assert set(records) == set(wanted)
    assert {holes: records[holes]["verdict"] for holes in first} == {holes: first[holes]["verdict"] for holes in first}
    assert len(path.read_text().splitlines()) == 6
    assert not list(script.verify(script.read_records(path), wanted))
    lines = path.read_text().splitlines()
    broken = [json.loads(line) for line in lines]
    covered = next(record for record in broken if record["verdict"] == "covered")
    covered["board"] = covered["board"][::-1]  # the holes of these first classes are near one corner
    path.write_text("\n".join(map(json.dumps, broken)) + "\n")
    assert len(list(script.verify(script.read_records(path), wanted))) == 1
