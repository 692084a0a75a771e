"""`certificates: true` in a suite: one certificate for each decided puzzle, made after the runs and kept by the next call."""

import pytest
from certificates import BUILT
from repository import REPOSITORY

from cnfgen_puzzles.bench.runsuite import name_of, run_suite
from cnfgen_puzzles.bench.suite.plan import BenchInstance
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.solving.table import find_solver

INSTANCES = REPOSITORY / "instances" / "nonogram"


@pytest.mark.skipif(not BUILT or not find_solver("kissat").available(), reason="kissat, drat-trim or lrat-check is not built")
def test_one_for_each_puzzle(tmp_path):
    for name in ("heart.nin", "swapped-20.nin"):
        (tmp_path / name).write_bytes((INSTANCES / name).read_bytes())
    (tmp_path / "s.yaml").write_text(
        "name: s\ninstances:\n  - {family: nonogram, puzzles: ['*.nin'], encodings: [order, direct]}\n"
        "solvers: [kissat]\nlimits: {cpu: 60}\njobs: 1\ncertificates: true\n"
    )
    notes = []
    assert run_suite(tmp_path / "s.yaml", tmp_path / "r", warn=notes.append).made == 4
    places = sorted((tmp_path / "r" / "certificates").iterdir())
    assert [verify_certificate(place).claim for place in places] == ["solution", "none"]
    assert not [note for note in notes if "certificate" in note]
    before = [(place / "SHA256SUMS").stat().st_mtime_ns for place in places]
    assert run_suite(tmp_path / "s.yaml", tmp_path / "r").made == 0
    assert [(place / "SHA256SUMS").stat().st_mtime_ns for place in places] == before


def test_names_are_folders():
    names = [name_of(BenchInstance("maze", name)) for name in ("a/b", "a-b", "..", "x" * 300, "a b", "a\tb")]
    assert len(set(names)) == len(names)
    assert all("/" not in name and len(name) < 200 for name in names)
