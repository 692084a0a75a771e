#!/usr/bin/env python3
"""Fetch one published puzzle from webpbn.com's export page, for personal use.

    python scripts/make/fetch_webpbn.py 1611 -o 01611.nin
    python scripts/make/fetch_webpbn.py 6 --format non | gen-cnf nonogram -

The designer of a puzzle has its copyright. The site allows downloads for personal use and forbids redistribution, so do not add
the files to a repository. Fetch one puzzle per call, and not in a loop: volunteers run the site.

The fields of the form are those that public programs send to the page: `id`, `fmt`, `go=1`, and `xml_clue`, `xml_soln`, `ss_soln`
for clues and goal.
"""

from __future__ import annotations

import argparse
import sys
import urllib.parse
import urllib.request
from http.client import HTTPException
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.nonogram.formats import read_puzzle

PAGE = "https://webpbn.com/export.cgi"
AGENT = "cnfgen-puzzles (fetches one puzzle for personal use)"
SITE_NAMES = {"nin": "nin", "non": "ss", "mk": "mk", "cwd": "cwd", "webpbn": "xml"}
"""The page's names of the formats of this package."""

MOST_BYTES = 10_000_000
TIMEOUT = 30
RULE = "The puzzle's copyright is its designer's: use it yourself, do not pass it on."


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    source = f"{PAGE} (puzzle {options.number})"
    try:
        data = fetch(options.number, options.format, options.goal)
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error) or type(error).__name__
        print(f"fetch_webpbn: {PAGE} cannot be fetched: {reason}", file=sys.stderr)
        return 1
    try:
        puzzle = read_puzzle(Source(source, data), options.format)
    except InputError as error:
        answer = " ".join(data[:200].decode("utf-8", "replace").split())
        print(f"fetch_webpbn: no puzzle {options.number} that can be read: {error}", file=sys.stderr)
        print(f"fetch_webpbn: the page answered: {answer}", file=sys.stderr)
        return 2
    if not write(options.output, data):
        return 2
    print(f"{puzzle.width} x {puzzle.height} cells. {RULE}", file=sys.stderr)
    return 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    summary, _, examples = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=summary, epilog=examples, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=positive, metavar="NUMBER", help="the puzzle's number on the site")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="where to write it (default: standard output)")
    parser.add_argument("--format", choices=SITE_NAMES, default="nin", help="file format (default: %(default)s)")
    parser.add_argument("--goal", action="store_true", help="with the solution, in the formats non and webpbn")
    return parser.parse_args(arguments)


def positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 9):
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a puzzle number")
    return int(text)


def request(number: int, format: str, goal: bool) -> urllib.request.Request:
    """The form as a browser sends it."""
    fields = {"go": "1", "id": str(number), "fmt": SITE_NAMES[format], "xml_clue": "on"}
    if goal:
        fields |= {"xml_soln": "on", "ss_soln": "on"}
    return urllib.request.Request(PAGE, urllib.parse.urlencode(fields).encode(), {"User-Agent": AGENT})


def fetch(number: int, format: str, goal: bool) -> bytes:
    """The page's answer, limited to a size above that of any puzzle; raises OSError or HTTPException without a network."""
    with urllib.request.urlopen(request(number, format, goal), timeout=TIMEOUT) as answer:
        return answer.read(MOST_BYTES)


def write(path: str, data: bytes) -> bool:
    """Write the file; returns whether that succeeded."""
    if path == "-":
        sys.stdout.buffer.write(data)
        return True
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        print(f"fetch_webpbn: {path}: cannot be written: {error.strerror}", file=sys.stderr)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
