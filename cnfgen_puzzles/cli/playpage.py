"""Open a puzzle in the browser page (`solve-puzzle --open`); docs/how-to/browser-page.md describes the page."""

from __future__ import annotations

import base64
import contextlib
import functools
import webbrowser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cnfgen_puzzles.cli.app import say
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.making.made import write_as

PAGE = Path(__file__).resolve().parents[2] / "site" / "play"
"""The folder that `make page` writes in a checkout."""


class Handler(SimpleHTTPRequestHandler):
    """Serves the files with the types that browsers require for modules and WebAssembly, and prints nothing."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def open_page(family: Family, puzzle: Puzzle) -> int:
    """Serve the page on this computer until Ctrl-C, and open it with the puzzle."""
    if not (PAGE / "index.html").exists():
        raise InputError("found --open, but no browser page: run `make page` in a checkout first")
    _, file, _ = write_as(family, puzzle, None)
    text = base64.urlsafe_b64encode(file.encode()).decode().rstrip("=")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(PAGE))) as server:
        address = f"http://127.0.0.1:{server.server_port}/index.html#{text}"
        say(f"{address}\nThe page is available until you press Ctrl-C.")
        webbrowser.open(address)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0
