"""Windows of a string that solves all mazes: can those letters be replaced by fewer, or by others?

    python scripts/maze_windows.py STRING --window 26 --replace 25 [--windows 30,31] [--time SECONDS] [--jobs N] [--certify]

For every window of a known string the letters around it are kept, and the counterexample-guided loop (`pipeline/refine.py`)
asks for `--replace` letters instead of those `--window`. Fewer: the first filling is enough. As many: all fillings are
enumerated, the string's own among them. Each filling is simulated on all mazes of the grid without any reduction before it is
believed. `--certify` refutes the final formula once more by a solver binary, and has its DRAT proof checked.

STRING may be `@FILE`. A window that is decided is kept, one JSON object a line, in FOLDER/windows.jsonl; below FOLDER are for
each window the mazes that were needed, as a file for gen-cnf. The same command goes on there; a window that was interrupted
goes on with the mazes that it had, and its rounds and seconds are those since then. Not here: the choice of mazes and solvers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.errors import CnfgenError, InputError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.mazes import Mazes
from cnfgen_puzzles.families.maze.puzzle import FREE, KINDS, THIN, MazeString, read_string
from cnfgen_puzzles.families.maze.refinement import CHOICES
from cnfgen_puzzles.pipeline.refine import ADDED_AT_ONCE, Loop
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits

SHORTER, OTHERS, ONLY, REFUTED, OPEN = "shorter", "other fillings", "only itself", "refuted", "not decided"
SHOWN = 5  # fillings of one window in the report


@dataclass(frozen=True)
class Task:
    """One window of one string, and how to go about it."""

    string: str
    offset: int
    window: int
    replace: int
    kind: str
    size: str
    folder: Path
    solver: str | None = None
    add: int = ADDED_AT_ONCE
    choice: str | None = None
    seconds: float | None = None
    most: int | None = None
    certify: bool = False

    @property
    def pattern(self) -> str:
        """The string with free steps in the window."""
        return self.string[: self.offset] + FREE * self.replace + self.string[self.offset + self.window :]

    @property
    def key(self) -> str:
        """What a record is found by."""
        about = f"{self.kind} {self.size} {self.string} {self.offset} {self.window} {self.replace}"
        return hashlib.sha256(about.encode()).hexdigest()[:16]

    @property
    def place(self) -> Path:
        """Where the mazes of this window are."""
        return self.folder / f"{self.offset:03}-{self.window}-{self.replace}-{self.key[:6]}"


@cache
def mazes_of(kind: str, size: str, reduce: str = "article") -> Mazes:
    return find_family("maze").read(None, kind=kind, size=size, reduce=reduce, length=0).mazes


# -- one window -----------------------------------------------------------------------------------------------------------


def decide(task: Task) -> dict:
    """The record of one window."""
    family = find_family("maze")
    puzzle = MazeString(mazes_of(task.kind, task.size), task.pattern)
    limits = Limits(wall=task.seconds)
    loop = Loop(family, puzzle, solver=task.solver, add=task.add, choice=task.choice, limits=limits, state=task.place)
    found = []
    for string in loop.boards():
        found.append(verified(task, string))
        if len(found) == (task.most if task.replace == task.window else 1):
            break
    complete = loop.status == UNSATISFIABLE
    record = {
        "key": task.key,
        "offset": task.offset,
        "pattern": task.pattern,
        "verdict": verdict(task, found, complete),
        "complete": complete,
        "found": found,
        "mazes": len(loop.refinement.added),
        "rounds": loop.rounds,
        "seconds": round(loop.seconds, 2),
        "solver": loop.solver,
        "limit": None if complete or found else task.seconds,
    }
    if complete:
        path = task.place / "sufficient.mazes"
        path.write_text(family.write(loop.refinement.part(), "mazes"), encoding="utf-8")
    if complete and task.certify and not found:
        record["proof"] = certificate(loop)
    return record


def verdict(task: Task, found: list[str], complete: bool) -> str:
    """What is true of the window."""
    if task.replace < task.window:
        return SHORTER if found else REFUTED if complete else OPEN
    if any(string != task.string for string in found):
        return OTHERS
    return OPEN if not complete else ONLY if found else REFUTED


def verified(task: Task, string: str) -> str:
    """The string, if it fits and solves every maze of the grid with every start; not a reduction, not the encoding is asked."""
    fits = all(wanted in (FREE, letter) for wanted, letter in zip(task.pattern, string, strict=True))
    if not fits or not mazes_of(task.kind, task.size, "none").solves_all(string):
        raise CnfgenError(f"{string} fails: a reduction or the encoding is at fault")
    return string


def certificate(loop: Loop) -> dict:
    """The final formula refuted by a binary, and whether the checker verified its proof."""
    begun = time.monotonic()
    outcome = loop.certified(Limits())
    return {
        "solver": f"{outcome.run.solver.name} {outcome.run.version}",
        "verified": bool(outcome.proof and outcome.proof.verified),
        "formula": {
            "variables": outcome.cnf.num_variables,
            "clauses": outcome.cnf.num_clauses,
            "sha256": outcome.cnf.checksum(),
        },
        "seconds": round(time.monotonic() - begun, 2),
    }


# -- all windows ----------------------------------------------------------------------------------------------------------


def read_records(path: Path) -> dict[str, dict]:
    """The records by key; a last line that was cut off is left out."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = [json.loads(line) for line in lines if line.endswith("\n")]
    return {record["key"]: record for record in whole}


def is_done(task: Task, records: dict[str, dict]) -> bool:
    """Whether the record says all that is asked for; one that ran out of time does not where more of it is given now."""
    record = records.get(task.key)
    if record is None:
        return False
    if record["limit"] is not None:
        return task.seconds is not None and task.seconds <= record["limit"]
    if task.replace == task.window and not record["complete"]:  # a limit on time or on their number
        return task.most is not None and len(record["found"]) >= task.most
    return not task.certify or record["verdict"] != REFUTED or "proof" in record


def run(tasks: list[Task], jobs: int = 1) -> dict[str, dict]:
    """All records, the missing ones decided and kept."""
    folder = tasks[0].folder
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "windows.jsonl"
    records = read_records(path)
    left = [task for task in tasks if not is_done(task, records)]
    _end_last_line(path)
    with path.open("a", encoding="utf-8") as stream, tqdm(total=len(tasks), initial=len(tasks) - len(left), unit="window") as bar:
        for record in decided(left, jobs):
            records[record["key"]] = record
            stream.write(json.dumps(record) + "\n")
            stream.flush()
            bar.set_postfix_str(f"offset {record['offset']}: {record['verdict']}", refresh=False)
            bar.update()
    return records


def _end_last_line(path: Path) -> None:
    """Removes the beginning of a line that a killed run left."""
    if path.exists() and (text := path.read_bytes()) and not text.endswith(b"\n"):
        path.write_bytes(text[: text.rfind(b"\n") + 1])


def decided(tasks: Iterable[Task], jobs: int) -> Iterator[dict]:
    """The records of these windows as they come."""
    if jobs == 1:
        yield from map(decide, tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for future in as_completed([pool.submit(decide, task) for task in tasks]):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def report(tasks: list[Task], records: dict[str, dict]) -> None:
    """The table, the fillings that were found, and the sums."""
    rows, number = [], Counter()
    for task in tasks:
        record = records[task.key]
        number[record["verdict"]] += 1
        proof = record.get("proof")
        told = "" if proof is None else "checked" if proof["verified"] else "NOT VERIFIED"
        letters = task.string[task.offset : task.offset + task.window]
        rows.append((
            task.offset, letters, record["verdict"], record["mazes"], record["rounds"], record["seconds"], told
        ))  # fmt: skip
    print(tabulate(rows, headers=["offset", "letters", "verdict", "mazes", "rounds", "seconds", "proof"]))
    for task in tasks:
        others = [string for string in records[task.key]["found"] if string != task.string]
        for string in others[:SHOWN]:
            print(f"\noffset {task.offset}, {len(string)} letters: {string}", end="")
        if len(others) > SHOWN:
            print(f"\noffset {task.offset}: {len(others) - SHOWN} more, see the records", end="")
    print("\n\n" + ", ".join(f"{count} {verdict}" for verdict, count in number.items()))


def tasks_of(arguments: argparse.Namespace) -> list[Task]:
    """The windows that the user asked for; a clear error for those that there are not."""
    text = arguments.string
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read: {error}", source=text[1:]) from None
    string = read_string(text, "STRING")
    window, replace = arguments.window, arguments.window - 1 if arguments.replace is None else arguments.replace
    if not 1 <= window <= len(string):
        raise InputError(f"found {window}, expected 1 to {len(string)}, the letters of the string", source="--window")
    if not 0 <= replace <= window:
        raise InputError(f"found {replace}, expected 0 to {window}, the letters of the window", source="--replace")
    offsets = list(range(len(string) - window + 1))
    chosen = offsets if arguments.windows is None else [_offset(word, offsets) for word in arguments.windows.split(",")]
    for name in ("jobs", "add", "time", "limit"):
        value = getattr(arguments, name)
        if value is not None and value <= 0:
            raise InputError(f"found {value}, expected more than 0", source=f"--{name}")
    settings = {
        "kind": arguments.kind,
        "size": arguments.size,
        "folder": arguments.folder,
        "solver": arguments.solver,
        "add": arguments.add,
        "choice": arguments.choose,
        "seconds": arguments.time,
        "most": arguments.limit,
        "certify": arguments.certify,
    }
    mazes = mazes_of(arguments.kind, arguments.size)  # a wrong size shows now
    if failed := len(mazes.unsolved(string)):
        print(f"note: the string itself does not solve {failed} of the {len(mazes)} mazes", file=sys.stderr)
    return [Task(string, offset, window, replace, **settings) for offset in chosen]


def _offset(word: str, offsets: list[int]) -> int:
    if not word.strip().isdecimal() or int(word) not in offsets:
        raise InputError(f"found {word!r}, expected numbers from 0 to {offsets[-1]} apart by commas", source="--windows")
    return int(word)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("string", metavar="STRING", help="the known string, or @FILE")
    parser.add_argument("--window", type=int, default=26, help="letters taken out (26)")
    parser.add_argument("--replace", type=int, help="letters put in (one less)")
    parser.add_argument("--windows", metavar="OFFSETS", help="only windows at these places, from 0, apart by commas")
    parser.add_argument("--kind", choices=KINDS, default=THIN)
    parser.add_argument("--size", default="3x3")
    parser.add_argument("--solver", help="as for solve-puzzle maze")
    parser.add_argument("--add", type=int, default=ADDED_AT_ONCE, help=f"mazes a round ({ADDED_AT_ONCE})")
    parser.add_argument("--choose", choices=list(CHOICES), help="which mazes to add")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="limit of each window")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many fillings of a window of the same length")
    parser.add_argument("--jobs", type=int, default=1, help="windows side by side (1)")
    parser.add_argument("--certify", action="store_true", help="check a proof of every window that is refuted")
    parser.add_argument("--folder", type=Path, default=Path("results/maze_windows"))
    begun = time.monotonic()
    try:
        arguments = parser.parse_args(words)
        tasks = tasks_of(arguments)
        report(tasks, run(tasks, arguments.jobs))
    except CnfgenError as error:
        print(f"maze_windows: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; the same command goes on where this one was", file=sys.stderr)
        return 130
    print(f"{time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
