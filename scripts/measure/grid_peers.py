#!/usr/bin/env python3
"""Compare the CPU seconds of `solve-puzzle --unique` with those of other solvers of grid puzzles (docs/results/grid-speed.md).

    python scripts/measure/grid_peers.py FILE... [--cspuz PROGRAM] [--noqx FOLDER] [--limit SECONDS]

Each FILE has addresses of puzz.link of one genre, a line each. This package answers all puzzles of a file in one call, with and
without checked proofs. PROGRAM is `run_solver` of cspuz_core, which is called for each puzzle (`cargo build --release --example
run_solver`); FOLDER is a checkout of noqx, whose rules run in one process for each puzzle (`pip install clingo`). All search for
a second solution. A puzzle without an answer within the limit of CPU seconds counts with the limit, and is named after a `>`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure_collection import used
from tabulate import tabulate

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.links.pzpr import NONE

OURS = "from cnfgen_puzzles.cli.start import solve_puzzle; solve_puzzle()"
CSPUZ_NAMES = {"hashikake": "hashi"}
NOQX_NAMES = {"mashu": "masyu", "slither": "slitherlink", "hashikake": "hashi"}
VERDICTS = "one", "several", "none"
ARROWS = "", "top", "bottom", "left", "right"


def run(command: Sequence[str], limit: float) -> tuple[float, str]:
    """The CPU seconds of a command and its descendants, and its standard output; each process has the limit."""
    before = used()
    whole = max(1, round(limit))
    words = ["sh", "-c", f'ulimit -t {whole}; exec "$@"', "sh", *command]
    done = subprocess.run(words, capture_output=True, text=True)
    return used() - before, done.stdout


def ours(path: Path, limit: float, *flags: str) -> tuple[float, int]:
    """The CPU seconds for all puzzles of a file, and the number of puzzles that are decided."""
    genre = path.read_text(encoding="utf-8").partition("/")[0]
    command = [sys.executable, "-c", OURS, genre, str(path), "--unique", "--time", f"{limit:g}", "--jsonl", "-", *flags]
    before = used()
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return used() - before, sum(json.loads(line).get("verdict") in VERDICTS for line in lines)


def peer(commands: Sequence[Sequence[str]], limit: float, answer: str) -> tuple[float, int]:
    """The same for commands of one puzzle each, which print the `answer` if they decided it."""
    seconds, decided = 0.0, 0
    for command in commands:
        spent, output = run(command, limit)
        seconds += spent
        decided += answer in output
    return seconds, decided


def noqx(address: str, folder: str) -> None:
    """Solve the puzzle by the rules of noqx, and print the number of solutions, two at most."""
    sys.path.insert(0, folder)
    from clingo.control import Control  # type: ignore[import-not-found]
    from noqx import manager  # type: ignore[import-not-found]
    from noqx.puzzle import Point, Puzzle  # type: ignore[import-not-found]

    given: Any = cp.read(address)
    name = NOQX_NAMES.get(given.family.name, given.family.name)
    manager.load_solver("solver", name)
    defaults = {key: value["default"] for key, value in manager.modules[name].parameters.items()}
    puzzle = Puzzle(name, "", defaults)
    puzzle.row, puzzle.col = given.height, given.width
    symbols = given.family.name == "mashu"
    for r, c in given.cells:
        number = given.number((r, c))
        label = f"arrow_{ARROWS[given.arrows[r][c]]}" if given.arrows and given.arrows[r][c] else "normal"
        if number != NONE and symbols:
            puzzle.symbol[Point(r, c, "center", "multiple")] = f"circle_L__{number}"
        elif number != NONE and not given.rooms:
            puzzle.text[Point(r, c, "center", label)] = number if number >= 0 else "?"
    if given.rooms:
        rooms = {room: (r, c) for r, row in reversed(list(enumerate(given.rooms))) for c, room in reversed(list(enumerate(row)))}
        for r, c in given.cells:
            if number_of := given.number((r, c)) + 1:
                puzzle.text[Point(*rooms[given.rooms[r][c]], "center", "normal")] = number_of - 1
            for way, a, b in (("left", r, c - 1), ("top", r - 1, c)):
                if min(a, b) < 0 or given.rooms[a][b] != given.rooms[r][c]:
                    puzzle.edge[Point(r, c, way, "normal")] = True
    control = Control(["2"])
    control.configuration.asp.trans_ext, control.configuration.asp.eq = "dynamic", 1
    control.add(program=manager.generate_program(puzzle))
    control.ground()
    found = sum(1 for _ in control.solve(yield_=True))
    print("solutions:", found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of addresses, or one address with --noqx-puzzle")
    parser.add_argument("--cspuz", metavar="PROGRAM", help="run_solver of cspuz_core")
    parser.add_argument("--noqx", metavar="FOLDER", help="a checkout of noqx")
    parser.add_argument("--limit", type=float, default=20, metavar="SECONDS", help="CPU seconds for each puzzle (default: 20)")
    parser.add_argument("--noqx-puzzle", action="store_true", help=argparse.SUPPRESS)  # the process of a puzzle
    given = parser.parse_args()
    if given.noqx_puzzle:
        noqx(given.files[0], given.noqx)
        return
    rows = []
    for path in map(Path, given.files):
        addresses = path.read_text(encoding="utf-8").split()
        found = {"ours": ours(path, given.limit, "--no-proof"), "ours, proofs": ours(path, given.limit)}
        if given.cspuz:
            named = [address.partition("/") for address in addresses]
            urls = [f"https://puzz.link/p?{CSPUZ_NAMES.get(name, name)}/{body}" for name, _, body in named]
            commands = [[given.cspuz, url] for url in urls]
            found["cspuz_core"] = peer(commands, given.limit, "Answer Status")
        if given.noqx:
            script = [sys.executable, __file__, "--noqx", given.noqx, "--noqx-puzzle"]
            found["noqx"] = peer([[*script, address] for address in addresses], given.limit, "solutions:")
        row = [f"{path.stem} {len(addresses)}"]
        for seconds, decided in found.values():
            row.append(f"{seconds:.2f}" + f" ({decided})" * (decided < len(addresses)))
        rows.append(row)
        print(tabulate(rows[-1:], tablefmt="plain"), flush=True)
    print(tabulate(rows, ["puzzles", *found], tablefmt="github"))


if __name__ == "__main__":
    main()
