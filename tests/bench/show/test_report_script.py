"""The script that draws a report's plots: built once, kept in the user's cache, and refused if it was changed there."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from cnfgen_puzzles.bench.show.report import vega_bundle

vl_convert = pytest.importorskip("vl_convert")


@pytest.fixture
def made(monkeypatch, tmp_path):
    """The number of times that the script was built; `vega_bundle` uses tmp_path, with an empty cache."""
    calls = []

    def bundle(snippet):
        calls.append(snippet)
        return f"draw('é');{snippet}"

    monkeypatch.setattr(vl_convert, "javascript_bundle", bundle)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return calls


def asked():
    return vega_bundle.__wrapped__()  # as another process would


def test_bundle_is_made_once(made, tmp_path):
    first = asked()
    assert first.startswith("draw('é');") and "vegaEmbed" in first
    assert asked() == first and len(made) == 1
    (kept,) = (tmp_path / "cnfgen-puzzles").iterdir()
    assert version("vl-convert-python") in kept.name


@pytest.mark.parametrize(
    "harm", [lambda text: text[:-1], lambda text: text.replace(b"draw", b"dram"), lambda _: b"", lambda _: b"\xff"]
)
def test_damaged_cache_is_made_again(made, tmp_path, harm):
    first = asked()
    (kept,) = (tmp_path / "cnfgen-puzzles").iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(harm(whole))
    assert asked() == first and len(made) == 2
    assert kept.read_bytes() == whole


def test_bundle_without_a_cache_folder_is_made_each_time(made, tmp_path):
    (tmp_path / "cnfgen-puzzles").write_text("no folder")
    assert asked() == asked() and len(made) == 2
