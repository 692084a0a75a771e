"""Certificates of puzzles: verify.sh and verify_certificate accept each claim, and it states no more than its evidence shows."""

import json
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
from cnfgen_puzzles.solving.process import Limits

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


def of_map(change):
    def damage(folder):
        entry = json.loads((folder / "map.json").read_text())
        change(entry)
        (folder / "map.json").write_text(json.dumps(entry, separators=(",", ":")) + "\n")

    return damage


def details(**change):
    return lambda folder: reseal(folder, lambda old: replace(old, details={**old.details, **change}))


def without(name):
    return lambda folder: reseal(folder, lambda old: replace(old, details={k: v for k, v in old.details.items() if k != name}))


def claimed(code, statement=None):
    return lambda folder: reseal(folder, lambda old: replace(old, claim={"code": code}), statement=statement)


FORGERIES = {
    "another board drawn": ("solution", lambda folder: edit(folder / "board.txt", "#", ".")),
    "another board": ("solution", lambda folder: edit(folder / "board.json", "#", ".")),
    "another puzzle": ("solution", lambda folder: edit(folder / "puzzle.json", "[[3, 3]", "[[4, 3]")),
    "a puzzle that is none": ("solution", lambda folder: edit(folder / "puzzle.json", "[[3, 3]", "[[-3, 3]")),
    "other rules": ("solution", lambda folder: edit(folder / "rules.awk", "faults = 1", "faults = 0")),
    "another solution for awk": ("solution", lambda folder: edit(folder / "solution.txt", "#", ".")),
    "another encoder for awk": ("solution", lambda folder: edit(folder / "encode.awk", "slack - 1", "slack - 2")),
    "no encoder for awk": ("solution", lambda folder: (folder / "encode.awk").unlink()),
    "an encoder for awk where there is none": ("board", lambda folder: (folder / "encode.awk").write_text("BEGIN { }\n")),
    "a map of another formula": ("solution", of_map(lambda entry: entry["formula"].update(clauses=7))),
    "a map of another family": ("solution", of_map(lambda entry: entry.update(family="tiling"))),
    "a map of another puzzle": ("solution", of_map(lambda entry: entry["puzzle"]["rows"].reverse())),
    "a map with a smaller projection": ("solution", of_map(lambda entry: entry.update(projection=[[1, 5]]))),
    "nothing about the origin": ("solution", without("origin")),
    "another family": ("solution", details(family="tiling")),
    "pieces that are none": ("solution", details(pieces=[True])),
    "a file that is not there": ("solution", details(origin={"file": "given.json", "suffix": "", "options": {}})),
    "an argument where there is none": ("solution", claimed("argument", "argument")),
    "an unknown claim": ("solution", claimed("all is well")),
    "none where there is an only one": ("unique", claimed("none", "no-model")),
    "the only one where there is one": ("solution", claimed("unique")),
    "another board for mazes": ("board", lambda folder: edit(folder / "board.json", "ESEESWWSSEE", "ESEESWWSSEN")),
}


UNENCODED = {
    "another formula": (
        lambda folder: edit(folder / "formula.cnf", " 0\n", " 3 0\n"),
        "differs from the formula that encode.awk writes",
    ),
    "a smaller projection": (lambda folder: edit(folder / "projection.txt", "2\n", ""), "differs from the projection set"),
    "another file": (lambda folder: edit(folder / "puzzle.nin", "\n3 3\n", "\n3 2\n"), "has clues that differ from puzzle.nin"),
    "another puzzle": (
        lambda folder: edit(folder / "puzzle.json", "[[3, 3]", "[[2, 3]"),
        "differs from the formula that encode.awk writes",
    ),
    "a puzzle said twice": (lambda folder: edit(folder / "puzzle.json", "{\n", '{\n "rows": [],\n'), "found rows twice"),
    "no puzzle": (lambda folder: (folder / "puzzle.json").unlink(), "does not list puzzle.json"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("forgery", UNENCODED)
def test_the_script_compares_the_formula_with_the_puzzle(cases, tmp_path, forgery):
    assert "encode.awk writes formula.cnf from puzzle.json" in run_script(cases / "solution")[1]
    damage, told = UNENCODED[forgery]
    folder = shutil.copytree(cases / "solution", tmp_path / "c")
    damage(folder)
    reseal(folder)
    code, said = run_script(folder)
    assert code == 1 and told in said, said
    forge(folder)
    with pytest.raises(Damaged):
        verify_certificate(folder)


@pytest.mark.sample(4)
@pytest.mark.parametrize("forgery", FORGERIES)
def test_forgeries(cases, tmp_path, forgery):
    claim, damage = FORGERIES[forgery]
    folder = shutil.copytree(cases / claim, tmp_path / "c")
    damage(folder)
    forge(folder)
    with pytest.raises(Damaged):
        verify_certificate(folder)


@pytest.mark.release
def test_the_only_changes_were_the_forgeries(cases, tmp_path):
    for claim in CASES:
        folder = shutil.copytree(cases / claim, tmp_path / claim)
        forge(folder)
        assert verify_certificate(folder).claim == claim


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


ORIGINS = [
    {}, {"file": "puzzle.nin"}, {"file": "puzzle.nin", "suffix": ".nin"}, {"options": {}}, {"program": "puzzle.json"},
    {"file": "puzzle.nin", "generator": "blobs", "seed": 7}, {"generator": "blobs", "seed": 7, "options": {}},
    {"generator": "blobs", "seed": True, "options": {}}, {"file": "puzzle.nin", "suffix": ".nin", "options": []},
    {"file": "puzzle.nin", "suffix": ".nin", "options": {}, "note": "# Proved"},
    {"file": "puzzle.nin", "suffix": "# Proved", "options": {}}, {"file": "formula.cnf", "suffix": ".cnf", "options": {}},
]  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_formula_that_cannot_be_encoded_again_is_not_verified(cases, tmp_path, origin):
    folder = shutil.copytree(cases / "unique", tmp_path / "c")
    details(origin=origin)(folder)
    forge(folder)
    with pytest.raises(Damaged, match="origin"):
        verify_certificate(folder)


ANEW = {
    "another file": ("unique", lambda folder: edit(folder / "puzzle.nin", "3 3\n", "3 4\n")),
    "a file that is none": ("unique", lambda folder: (folder / "puzzle.nin").write_text("?")),
    "another puzzle, in the map as well": (
        "none",
        lambda folder: (edit(folder / "puzzle.json", "1, 1", "2, 1"), edit(folder / "map.json", "1,1", "2,1", 99)),
    ),
    "another encoding": ("unique", of_map(lambda entry: entry.update(encoding="direct"))),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("forgery", ANEW)
def test_forgeries_that_only_encoding_again_detects(cases, tmp_path, forgery):
    claim, damage = ANEW[forgery]
    folder = shutil.copytree(cases / claim, tmp_path / "c")
    damage(folder)
    forge(folder)
    with pytest.raises(Damaged):
        verify_certificate(folder)


def test_other_pieces_than_the_formula_has(tmp_path):
    question, how = LOOPS["none"]
    made(tmp_path / "c", question, **how)
    forge(tmp_path / "c", lambda old: replace(old, details={**old.details, "pieces": old.details["pieces"][1:]}))
    with pytest.raises(Damaged, match="the file that this version writes"):
        verify_certificate(tmp_path / "c")


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


def test_folders_of_others_stay(tmp_path):
    (tmp_path / "mine").write_text("precious")
    puzzle = cp.read(INSTANCES / "heart.nin", family="nonogram")
    for replaces in (False, True):
        with pytest.raises(InputError, match="not empty"):
            cp.solve(puzzle, certificate=CertificateOrder(tmp_path, replaces=replaces))
        with pytest.raises(InputError, match="something else than a folder"):
            cp.solve(puzzle, certificate=CertificateOrder(tmp_path / "mine", replaces=replaces))
    assert (tmp_path / "mine").read_text() == "precious"


def test_an_undecided_answer_has_no_certificate(tmp_path):
    wanted = CertificateOrder(tmp_path / "c")
    instance = cp.encode(cp.read(INSTANCES / "random-30-40.nin", family="nonogram"))
    outcome = cp.solve(instance, certificate=wanted, limits=Limits(wall=0.01))
    assert outcome.status == "TIMEOUT"
    assert not wanted.sums and "TIMEOUT" in wanted.reason
    assert not list(tmp_path.iterdir())


def test_contradictions_are_reported(tmp_path):
    puzzle = cp.read(INSTANCES / "heart.nin", family="nonogram")
    with pytest.raises(InputError, match="needs the proof"):
        cp.solve(puzzle, certificate=tmp_path / "c", proof=False)
    with pytest.raises(InputError, match="path of a new folder"):
        cp.solve(puzzle, certificate=7)
    with pytest.raises(InputError, match="cannot write a proof"):
        cp.solve(puzzle, certificate=tmp_path / "c", solver="minisat")
    assert not list(tmp_path.iterdir())
