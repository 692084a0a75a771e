"""`solve-puzzle --open`: a local copy of the browser page, with the puzzle in the address."""

import _thread
import base64
import threading
import urllib.request

from click.testing import CliRunner

from cnfgen_puzzles.cli import playpage
from cnfgen_puzzles.cli.solve_puzzle import COMMAND as SOLVE
from cnfgen_puzzles.common.errors import InputError


def test_open_serves_the_page_with_the_puzzle(tmp_path, monkeypatch):
    (tmp_path / "index.html").write_text("the page")
    (tmp_path / "solver.mjs").write_text("")
    monkeypatch.setattr(playpage, "PAGE", tmp_path)
    seen = {}

    def visit(address):
        page, _, puzzle = address.partition("#")
        with urllib.request.urlopen(page) as answer:
            seen["page"] = answer.read()
        with urllib.request.urlopen(page.replace("index.html", "solver.mjs")) as answer:
            seen["type"] = answer.headers["Content-Type"]
        seen["puzzle"] = base64.urlsafe_b64decode(puzzle + "=" * (-len(puzzle) % 4)).decode()
        _thread.interrupt_main()

    monkeypatch.setattr(playpage.webbrowser, "open", lambda address: threading.Thread(target=visit, args=[address]).start())
    done = CliRunner().invoke(SOLVE, ["slither/2/2/3333", "--open"])
    assert done.exit_code == 0, done.output
    assert seen["page"] == b"the page" and seen["type"] == "text/javascript"
    assert seen["puzzle"].startswith("slither/2/2/3")


def test_open_without_the_page_says_how_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setattr(playpage, "PAGE", tmp_path)
    done = CliRunner().invoke(SOLVE, ["slither/2/2/3333", "--open"])
    assert isinstance(done.exception, InputError) and "make page" in str(done.exception)
