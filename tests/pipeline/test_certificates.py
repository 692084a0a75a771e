"""Certificates of puzzles: verify.sh and verify_certificate accept each claim, and it states no more than its evidence shows."""

import shutil
from dataclasses import replace

import pytest
from certificates import BUILT, edit, forge, manifest_of, reseal, run_script
from repository import REPOSITORY

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.certificate import Damaged, Unfinished
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.pipeline.instance import scramble_instance
from cnfgen_puzzles.pipeline.request import CertificateOrder, origin_of

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")

INSTANCES = REPOSITORY / "instances" / "nonogram"
BLOCKED = {"kind": "blocked", "size": "3x3"}


def made(folder, question, family="nonogram", file=None, options=None, **settings):
    """A certificate of an answer, as solve-puzzle requests it."""
    options, source = options or {}, open_source(INSTANCES / file) if file else None
    wanted = CertificateOrder(folder, origin_of(options, source=source), source)
    answer = question(find_family(family).read(source, **options), certificate=wanted, **settings)
    assert wanted.sums, wanted.reason
    return answer


CASES = {
    "solution": (cp.solve, {"file": "heart.nin"}, "model"),
    "several": (cp.unique, {"file": "permutations-5.nin"}, "two-models"),
    "unique": (cp.unique, {"file": "heart.nin"}, "only-model"),
    "none": (cp.solve, {"file": "swapped-20.nin"}, "no-model"),
    "argument": (cp.unique, {"file": "sums-differ-5.nin"}, "argument"),
    "board": (cp.solve, {"family": "maze", "options": {**BLOCKED, "length": 11}}, "obeys"),
}
LOOPS = {
    "none": (cp.solve, {"family": "maze", "options": {**BLOCKED, "length": 10}}),
    "several": (cp.unique, {"family": "maze", "options": {**BLOCKED, "length": 11}}),
    "unique": (cp.unique, {"family": "maze", "options": {"kind": "thin", "size": "2x2", "pattern": "N**WNENWSEN"}}),
    "argument": (cp.solve, {"family": "maze", "options": {**BLOCKED, "length": 3}}),
}


@pytest.fixture(scope="session")
def cases(tmp_path_factory):
    """A certificate of each claim."""
    folder = tmp_path_factory.mktemp("cases")
    for claim, (question, how, _) in CASES.items():
        made(folder / claim, question, **how)
    return folder


@pytest.mark.sample(1)
@pytest.mark.parametrize("claim", CASES)
def test_claims(cases, claim):
    assert manifest_of(cases / claim)[0] == CASES[claim][2]
    told = verify_certificate(cases / claim)
    assert told.claim == claim
    code, said = run_script(cases / claim)
    assert code == (3 if claim == "argument" else 0), said
    assert "This puzzle has" not in said and ("VERIFIED: " in said or claim == "argument")
    assert (cases / claim / "README.md").read_text().startswith(f"# {told.heading}\n")


@pytest.mark.sample(1)
@pytest.mark.parametrize("claim", LOOPS)
def test_claims_of_puzzles_that_the_cegar_loop_solves(tmp_path, claim):
    question, how = LOOPS[claim]
    made(tmp_path / "c", question, **how)
    assert verify_certificate(tmp_path / "c").claim == claim
    assert run_script(tmp_path / "c")[0] == (3 if claim == "argument" else 0)


def test_the_only_one_up_to_symmetry_is_not_called_the_only_one(tmp_path):
    """1x3 by a monomino and a domino: two tilings, mirror images of each other."""
    puzzle = cp.read(family="tiling", board="1x3", pieces="X,XX")
    options = {"symmetry": "representatives"}
    instance = cp.encode(puzzle, None, **options)
    answer = cp.unique(instance, certificate=tmp_path / "c")
    assert answer.verdict in ("several", "one up to symmetry")
    told = verify_certificate(tmp_path / "c")
    assert f"exactly one solution {instance.map.up_to}" in told.heading
    assert "leaves out solutions that are symmetric" in " ".join((tmp_path / "c" / "README.md").read_text().split())


def test_a_scrambled_formula(tmp_path):
    instance = scramble_instance(cp.encode(cp.read(INSTANCES / "heart.nin", family="nonogram")), 7)
    cp.unique(instance, certificate=tmp_path / "c")
    assert verify_certificate(tmp_path / "c").claim == "unique"
    assert run_script(tmp_path / "c")[0] == 0


def test_a_generated_puzzle(tmp_path):
    puzzle = find_family("nonogram").generate("blobs", 7, size="8x8")
    wanted = CertificateOrder(tmp_path / "c", origin_of({"size": "8x8"}, generator="blobs", seed=7))
    cp.unique(puzzle, certificate=wanted)
    assert "the generator blobs" in " ".join(verify_certificate(tmp_path / "c").sentences)
    edit(tmp_path / "c" / "certificate.json", '"seed": 7', '"seed": 8')
    forge(tmp_path / "c")
    with pytest.raises(Damaged, match="differs from the original"):
        verify_certificate(tmp_path / "c")


# -- forgeries: everything in the folder fits together, but for one thing -----------------------------------------------------


def test_words_that_cannot_be_compared_are_not_verified(cases, tmp_path):
    """Any certificate can claim another version; then only the statement about the formula is verified."""
    folder = shutil.copytree(cases / "several", tmp_path / "c")
    edit(folder / "README.md", "## How to check", "## Facts")
    reseal(folder, lambda old: replace(old, package="cnfgen-puzzles 0"))
    with pytest.raises(Unfinished, match="'cnfgen-puzzles 0' wrote the README"):
        verify_certificate(folder)
    told = verify_certificate(folder, formula_only=True)
    assert told.sentence.startswith("Verified (formula only): formula.cnf has two models")


def test_the_formula_only(cases, tmp_path):
    """The sentence does not mention the puzzle, and nothing about the puzzle is checked."""
    folder = shutil.copytree(cases / "unique", tmp_path / "c")
    other_puzzle(folder)
    forge(folder)
    told = verify_certificate(folder, formula_only=True)
    assert "puzzle" not in told.sentence and told.sentence.startswith(
        "Verified (formula only): formula.cnf has exactly one model"
    )
    assert told.formula_only and not told.encoded
    with pytest.raises(InputError, match="without a formula"):
        verify_certificate(cases / "board", formula_only=True)


def other_puzzle(folder):
    """The puzzle in the JSON file and in the map differs from that of the original file and of the formula."""
    edit(folder / "puzzle.json", "[[3, 3]", "[[2, 3]")
    edit(folder / "map.json", "[[3,3]", "[[2,3]")


# -- calls -----------------------------------------------------------------------------------------------------------------


def test_a_certificate_order_can_be_a_path(tmp_path):
    puzzle = cp.read(INSTANCES / "heart.nin", family="nonogram")
    cp.solve(puzzle, certificate=str(tmp_path / "below" / "c"))
    assert verify_certificate(str(tmp_path / "below" / "c")).claim == "solution"
    with pytest.raises(InputError, match="a certificate there already"):
        cp.unique(puzzle, certificate=tmp_path / "below" / "c")
    cp.unique(puzzle, certificate=CertificateOrder(tmp_path / "below" / "c", replaces=True))
    assert verify_certificate(tmp_path / "below" / "c").claim == "unique"
    assert [path.name for path in (tmp_path / "below").iterdir()] == ["c"]
