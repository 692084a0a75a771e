"""Replace windows of a string that solves all mazes by fewer letters, or by other letters.

    python scripts/studies/maze_windows.py STRING --window 26 --replace 25 --method exhaustive \
        [--windows 30,31] [--certify] [--near]
    python scripts/studies/maze_windows.py STRING --window 26 --replace 25 --windows 53 --method loop --time 900 --certify
    python scripts/studies/maze_windows.py STRING --window 26 --replace 25 --windows 53 --method cubes --cubes 64 --jobs 2
    python scripts/studies/maze_windows.py STRING --pattern '***SWNN...NEN****' --method exhaustive --certify

For each window of a known string, the letters around it are fixed, and `--replace` letters are searched in place of `--window`
letters. With fewer letters, the first filling ends the search; with as many, all fillings are enumerated, including that of the
string. `--pattern` frees any letters, for example those at both ends. The methods:

* `loop`: the CEGAR loop (`pipeline/cegar.py`). `--certify` refutes the final formula again by a solver binary and checks its DRAT
  proof.
* `exhaustive`: breadth-first search over joint states (`windowsearch.py`, needs numpy). A refutation leaves a certificate;
  `--certify` checks it with `check_maze_window.py`.
* `cubes`: SAT with cubes, lemmas, and checked proofs (`campaign.py`), only for one window with fewer letters. Lemmas use the
  tuples of the certificate of this window, if `exhaustive` has left one, or with `--near` those of the nearest window; otherwise
  the method searches for tuples.

Each filling is checked by simulation on all mazes of the grid without any reduction. If several methods have decided a window,
they must agree.

STRING can be `@FILE`. Each decided window is a JSON line in FOLDER/windows.jsonl; FOLDER also has, for each window, the mazes of
the loop as a file for gen-cnf, or the certificate. The same command resumes; an interrupted loop resumes with its mazes, and its
rounds and seconds then count from there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.maze.model import KINDS, THIN
from cnfgen_puzzles.families.maze.puzzle import FREE, read_pattern
from cnfgen_puzzles.families.maze.sets import mazes_of
from cnfgen_puzzles.families.options import SIZE_HELP
from cnfgen_puzzles.pipeline.request import ADDED_AT_ONCE
from studies.maze_windows.methods import answers_to
from studies.maze_windows.questions import CUBES, ENCODING, LOOP, METHODS, Question, check_agreement, opened
from studies.maze_windows.report import print_report
from studies.mazes.commands import check_positive


def main(words: Sequence[str] | None = None) -> int:
    """The exit code. Raises CnfgenError for what cannot be."""
    begun = time.monotonic()
    arguments = _parser().parse_args(words)
    questions = _questions(arguments)
    answers = answers_to(questions, arguments.jobs)
    check_agreement(questions, answers)
    print_report(questions, answers)
    print(f"{time.monotonic() - begun:.0f} s")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("string", metavar="STRING", help="the known string, or @FILE")
    parser.add_argument("--window", type=int, default=26, help="number of letters that are removed (26)")
    parser.add_argument("--replace", type=int, help="number of letters that replace them (default: one less)")
    parser.add_argument("--windows", metavar="OFFSETS", help="only windows at these positions, from 0, separated by commas")
    parser.add_argument(
        "--pattern", action="append", metavar="PATTERN", help="free these letters, with * for each, and no window"
    )
    parser.add_argument("--kind", choices=KINDS, default=THIN)
    parser.add_argument("--size", default="3x3", help=SIZE_HELP)
    parser.add_argument("--method", choices=METHODS, default=LOOP)
    parser.add_argument("--near", action="store_true", help="start with the mazes or tuples that decided the nearest window")
    parser.add_argument("--solver", help="solver of the loop, as for solve-puzzle maze, or solver binary for cubes")
    parser.add_argument("--encoding", default=ENCODING, help=f"({ENCODING})")
    parser.add_argument("--lemmas", type=int, default=0, metavar="N", help="(0)")
    parser.add_argument("--add", type=int, default=ADDED_AT_ONCE, help=f"number of mazes per round of the loop ({ADDED_AT_ONCE})")
    parser.add_argument(
        "--time", type=float, metavar="SECONDS", help="processor time of each window, or of each cube before it is split (600)"
    )
    parser.add_argument("--cubes", type=int, default=1, metavar="N", help="start with at least N cubes (1)")
    parser.add_argument("--limit", type=int, metavar="N", help="the most fillings of a window of the same length")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel windows, or cubes of a window (1)")
    parser.add_argument("--certify", action="store_true", help="check a proof of each refuted window")
    parser.add_argument("--folder", type=Path, default=Path("results/maze_windows"))
    return parser


def _questions(arguments: argparse.Namespace) -> list[Question]:
    """The requested windows; InputError for invalid ones."""
    string = read_pattern(_text(arguments.string), "STRING", free=False)
    chosen = _patterns(arguments, string) if arguments.pattern else _windows(arguments, string)
    check_positive(arguments, "jobs", "add", "time", "limit", "cubes")
    mazes = mazes_of(arguments.kind, arguments.size)  # check the size early
    if failed := len(mazes.unsolved(string)):
        print(f"note: the string itself does not solve {failed} of the {len(mazes)} mazes", file=sys.stderr)
    return [
        Question(
            string,
            offset,
            pattern,
            kind=arguments.kind,
            size=arguments.size,
            folder=arguments.folder,
            method=arguments.method,
            encoding=arguments.encoding,
            lemmas=arguments.lemmas,
            solver=arguments.solver,
            add=arguments.add,
            seconds=arguments.time,
            most=arguments.limit,
            certify=arguments.certify,
            near=arguments.near,
            cubes=arguments.cubes,
            jobs=arguments.jobs,
        )
        for offset, pattern in chosen
    ]


def _windows(arguments: argparse.Namespace, string: str) -> list[tuple[int, str]]:
    """The offset and the pattern of each window."""
    window, replace = arguments.window, arguments.window - 1 if arguments.replace is None else arguments.replace
    if not 1 <= window <= len(string):
        raise InputError(f"found {window}, expected 1 to {len(string)}, the letters of the string", source="--window")
    if not 0 <= replace <= window:
        raise InputError(f"found {replace}, expected 0 to {window}, the letters of the window", source="--replace")
    offsets = list(range(len(string) - window + 1))
    chosen = offsets if arguments.windows is None else [_offset(word, offsets) for word in arguments.windows.split(",")]
    if arguments.method == CUBES and replace == window:
        raise InputError(f"found {replace}, expected fewer than {window} letters for --method cubes", source="--replace")
    return [(offset, opened(string, offset, window, replace)) for offset in chosen]


def _patterns(arguments: argparse.Namespace, string: str) -> list[tuple[int, str]]:
    """The place of the first free letter of each pattern, and the pattern."""
    chosen = [read_pattern(text, "--pattern") for text in arguments.pattern]
    for pattern in chosen:
        if FREE not in pattern or len(pattern) > len(string):
            raise InputError(f"found {pattern}, expected at most {len(string)} letters, some of them {FREE}", source="--pattern")
    if arguments.method == CUBES:
        raise InputError("found --method cubes, expected windows for it: --window, --windows", source="--pattern")
    return [(pattern.index(FREE), pattern) for pattern in chosen]


def _text(word: str) -> str:
    """The string, or the contents of @FILE."""
    if not word.startswith("@"):
        return word
    try:
        return Path(word[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", source=word[1:]) from None


def _offset(word: str, offsets: list[int]) -> int:
    if not word.strip().isdecimal() or int(word) not in offsets:
        raise InputError(f"found {word!r}, expected numbers from 0 to {offsets[-1]}, separated by commas", source="--windows")
    return int(word)
