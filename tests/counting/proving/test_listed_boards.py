"""Boards in certificates of counts: verify.sh runs the rules on each board, and refuses invalid and repeated boards."""

import shutil

import pytest
from certificates import BUILT, edit, forge, run_script
from smallpuzzles import small_puzzles

import cnfgen_puzzles as cp
from cnfgen_puzzles.evidence.certificate import Damaged
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.pipeline.request import CertificateOrder, CountRequest

pytest.importorskip("numba")
pytestmark = pytest.mark.skipif(not BUILT, reason="needs drat-trim and lrat-check")

PUZZLES = {
    "tiling": lambda: cp.read(family="tiling", board="2x3", pieces="domino: any"),
    "nonogram": lambda: find_family("nonogram").puzzle(((1,), (1,), (1,)), ((1,), (1,), (1,))),
    "triddler": lambda: next(each for each in small_puzzles(find_family("triddler")) if each.inks == 1),
    "maze": lambda: cp.read(family="maze", kind="thin", size="2x1", pattern="**"),
}


@pytest.fixture(scope="module", params=list(PUZZLES))
def certificate(request, tmp_path_factory):
    return certified(request.param, tmp_path_factory.mktemp(request.param) / "c")


@pytest.fixture(scope="module")
def dominoes(tmp_path_factory):
    return certified("tiling", tmp_path_factory.mktemp("dominoes") / "c")


def certified(name, folder):
    from cnfgen_puzzles.pipeline.certificates.countcertificate import certify_count  # compiles

    certify_count(CountRequest(family=find_family(name), puzzle=PUZZLES[name](), jobs=1), CertificateOrder(folder), keep=True)
    return folder


@pytest.mark.sample(1)
def test_the_rules_accept_all_boards(certificate):
    code, output = run_script(certificate)
    assert code == 0 and "ok: boards.txt obeys the rules in rules.awk" in output, output
    assert verify_certificate(certificate).claim == "count"


def forged(folder, tmp_path, old, new):
    folder = shutil.copytree(folder, tmp_path / "forged")
    edit(folder / "boards.txt", old, new)
    forge(folder)
    return folder


FIRST = "1 0,0 0,1\n1 0,2 1,2\n1 1,0 1,1\n\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 0,0 0,1", "1 0,0 1,1", "breaks the rules"),
        ("1 0,0 0,1\n", "", "breaks the rules"),
        ("1 0,0 0,1", "1 0,1 0,0", "does not ascend"),
        ("1 0,0 0,1", "1  0,0 0,1", "more than one space"),
        (FIRST, FIRST + FIRST, "occurs twice"),
        (FIRST, FIRST + "1 0,2 1,2\n1 0,0 0,1\n1 1,0 1,1\n\n", "has 4 boards"),
        (FIRST, "1 0,2 1,2\n1 0,0 0,1\n1 1,0 1,1\n\n", "does not ascend"),
        (FIRST, "", "has 2 boards"),
        (FIRST, "\n", "breaks the rules"),
        ("\n\n", "\n", "has 2 boards"),
    ],
)
def test_forged_boards(dominoes, tmp_path, old, new, message):
    assert FIRST in (dominoes / "boards.txt").read_text()
    folder = forged(dominoes, tmp_path, old, new)
    code, output = run_script(folder)
    assert code == 1 and message in output, output
    with pytest.raises(Damaged):
        verify_certificate(folder)


@pytest.mark.sample(1)
def test_an_invalid_board_is_refused(certificate, tmp_path):
    """Another text in place of a board, for each family."""
    board = (certificate / "boards.txt").read_text().split("\n\n")[0]
    folder = forged(certificate, tmp_path, f"{board}\n\n", f"{board[::-1]}x\n\n")
    code, output = run_script(folder)
    assert code == 1 and "boards.txt: breaks the rules in rules.awk" in output, output


@pytest.mark.sample(1)
@pytest.mark.parametrize("gone", [["rules.awk"], ["boards.txt"], ["rules.awk", "boards.txt"]])
def test_rules_that_are_missing(dominoes, tmp_path, gone):
    folder = shutil.copytree(dominoes, tmp_path / "forged")
    for name in gone:
        (folder / name).unlink()
    forge(folder)
    with pytest.raises(Damaged, match=r"missing|names no boards"):
        verify_certificate(folder)
