"""scripts/make/fetch_webpbn.py makes one request, and reports errors in one line (no test uses the network)."""

from __future__ import annotations

import http.client
import io
import urllib.error

import pytest


@pytest.fixture
def script(load_script, monkeypatch):
    """The script as a module, with a page that answers `script.answer` and records the request."""
    module = load_script("fetch_webpbn")
    module.asked = []

    def urlopen(request, timeout):
        module.asked.append(request)
        if isinstance(module.answer, Exception):
            raise module.answer
        return io.BytesIO(module.answer)

    monkeypatch.setattr(module.urllib.request, "urlopen", urlopen)
    return module


def test_fetching_writes_the_file_and_prints_the_terms(script, tmp_path, capsys):
    script.answer = b"3 2\n1 1\n2\n2\n1\n1\n"
    assert script.main(["6", "-o", str(tmp_path / "x.nin")]) == 0
    assert (tmp_path / "x.nin").read_bytes() == script.answer
    assert "3 x 2 cells. The puzzle's copyright is its designer's" in capsys.readouterr().err
    (request,) = script.asked
    assert request.data == b"go=1&id=6&fmt=nin&xml_clue=on"
    assert request.get_header("User-agent").startswith("cnfgen-puzzles")


@pytest.mark.parametrize(
    "error", [urllib.error.URLError("Name or service not known"), TimeoutError("timed out"), http.client.BadStatusLine("x")]
)
def test_no_network(script, capsys, error):
    script.answer = error
    assert script.main(["6"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("fetch_webpbn: https://webpbn.com/export.cgi cannot be fetched: ") and said.count("\n") == 1


def test_a_web_page_instead_of_a_puzzle(script, capsys):
    script.answer = b"<html><body>The nin format cannot handle puzzles with more than two colors.</body></html>"
    assert script.main(["6"]) == 2
    assert "cannot handle puzzles with more than two colors" in capsys.readouterr().err
