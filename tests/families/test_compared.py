"""Records of compared encodings: the library states exactly what was recorded, and only for unchanged code."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from cnfgen_puzzles.families import compared as module
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.compared import PACKAGE, RECORD, checksum, compared


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """A record of two variants of `direct` for the current files; `recorded(**changes)` changes its entry."""

    def write(**changes):
        files = {name: checksum(name) for name in ("families/clued/encodings.py", "formula/formula.py")}
        variant = {"compared": [[0, 1000, 1200], [1, 5, 0]], "one_model_each": True, "left_out": False}
        direct = [{"options": {"amo": amo}, **variant} for amo in ("pairwise", "ladder")]
        entry = {"ranges": ["every nonogram", "the others"], "encodings": {"direct": direct}, "files": files, **changes}
        (tmp_path / "compared.json").write_text(json.dumps({"families": {"nonogram": entry}}))
        module._record.cache_clear()

    monkeypatch.setattr(module, "RECORD", tmp_path / "compared.json")
    yield write
    module._record.cache_clear()


NONOGRAM = find_family("nonogram")


def test_a_compared_encoding_has_a_record(recorded):
    recorded()
    found = compared(NONOGRAM, "direct", {"amo": "ladder"})
    assert (found["puzzles"], found["solutions"], found["left_out"], len(found["version"])) == (1005, 1200, False, 12)
    assert compared(NONOGRAM, "direct", {}) == found, "an omitted option has its default"


def test_an_uncompared_encoding_has_no_record(recorded):
    recorded()
    assert compared(NONOGRAM, "direct", {"amo": "bitwise"}) is None
    assert compared(NONOGRAM, "order", {}) is None
    assert compared(NONOGRAM, "none of that name", {}) is None
    assert compared(find_family("maze"), "pruned", {}) is None


def test_changed_code_has_no_record(recorded):
    recorded(files={"families/clued/encodings.py": checksum("families/clued/encodings.py"), "formula/formula.py": "0" * 64})
    assert compared(NONOGRAM, "direct", {}) is None
    recorded(files={"formula/formula.py": checksum("formula/formula.py")})
    assert compared(NONOGRAM, "direct", {}) is None, "the encoding is not in a recorded file"
    recorded(files={"families/clued/encodings.py": checksum("families/clued/encodings.py"), "formula/gone.py": "0" * 64})
    assert compared(NONOGRAM, "direct", {}) is None


def test_a_third_party_encoding_has_no_record(recorded, monkeypatch):
    recorded()
    mine = replace(NONOGRAM.encodings["direct"], build=partial(lambda puzzle, amo: None))
    monkeypatch.setitem(NONOGRAM.encodings, "direct", mine)
    assert compared(NONOGRAM, "direct", {}) is None


def test_the_shipped_record():
    """The record can be read for any code, and contains only existing files."""
    families = json.loads(RECORD.read_text())["families"]
    assert families
    for name, entry in families.items():
        family = find_family(name)
        assert set(entry["encodings"]) <= set(family.encodings)
        assert all((PACKAGE / file).is_file() for file in entry["files"])
        for encoding, found in entry["encodings"].items():
            for variant in found:
                record = compared(family, encoding, variant["options"])
                assert record is None or record["puzzles"] == sum(puzzles for _, puzzles, _ in variant["compared"]) > 0


@pytest.mark.release
def test_the_record_belongs_to_this_code(load_script):
    """If this fails, run scripts/check/compare_encodings.py: the library makes no statement on encodings that have changed."""
    assert load_script("compare_encodings").main(["--check"]) == 0
