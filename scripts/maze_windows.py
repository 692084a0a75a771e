"""Windows of a string that solves all mazes: can those letters be replaced by fewer, or by others?

    python scripts/maze_windows.py STRING --window 26 --replace 25 --method exhaustive [--windows 30,31] [--certify] [--near]
    python scripts/maze_windows.py STRING --window 26 --replace 25 --windows 53 --method loop --time 900 --certify

For every window of a known string the letters around it are kept, and `--replace` letters are sought instead of those
`--window`. Fewer: the first filling is enough. As many: all fillings are enumerated, the string's own among them. Two methods:

* `loop`: SAT, the counterexample-guided loop (`pipeline/refine.py`). `--certify` refutes the final formula once more by a solver
  binary, and has its DRAT proof checked.
* `exhaustive`: breadth-first over joint states (`families/maze/windowsearch.py`, with numpy). A refutation leaves a certificate;
  `--certify` has it checked by `check_maze_window.py`.

Each filling is simulated on all mazes of the grid without any reduction before it is believed. Where both methods have decided a
window, they must agree.

STRING may be `@FILE`. A window that is decided is kept, one JSON object a line, in FOLDER/windows.jsonl; below FOLDER are for
each window the mazes that were needed, as a file for gen-cnf, or the certificate. The same command goes on there; a loop that was
interrupted goes on with the mazes that it had, and its rounds and seconds are those since then.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.errors import CnfgenError, InputError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.formats import maze_text
from cnfgen_puzzles.families.maze.mazes import Mazes
from cnfgen_puzzles.families.maze.puzzle import FREE, KINDS, THIN, MazeString, read_string
from cnfgen_puzzles.families.maze.refinement import CHOICES
from cnfgen_puzzles.pipeline.refine import ADDED_AT_ONCE, Loop
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits

SHORTER, OTHERS, ONLY, REFUTED, OPEN = "shorter", "other fillings", "only itself", "refuted", "not decided"
SHOWN = 5  # fillings of one window in the report
LOOP, EXHAUSTIVE = "loop", "exhaustive"
ENCODING = "states"
SUFFICIENT, CERTIFICATE = "sufficient.mazes", "certificate.json"
CHECKER = Path(__file__).with_name("check_maze_window.py")
NOTHING = {"mazes": None, "tuples": None, "states": None, "rounds": None}


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
    method: str = LOOP
    encoding: str = ENCODING
    lemmas: int = 0
    solver: str | None = None
    add: int = ADDED_AT_ONCE
    choice: str | None = None
    seconds: float | None = None
    most: int | None = None
    certify: bool = False
    near: bool = False

    @property
    def pattern(self) -> str:
        """The string with free steps in the window."""
        return self.string[: self.offset] + FREE * self.replace + self.string[self.offset + self.window :]

    @property
    def key(self) -> str:
        """What a record is found by."""
        about = f"{self.kind} {self.size} {self.string} {self.offset} {self.window} {self.replace}"
        about += f" {self.method}" * (self.method != LOOP)
        return hashlib.sha256(about.encode()).hexdigest()[:16]

    @property
    def place(self) -> Path:
        """Where the mazes of this window are."""
        return self.folder / f"{self.offset:03}-{self.window}-{self.replace}-{self.method}-{self.key[:6]}"

    @property
    def wanted(self) -> int | None:
        """How many fillings are looked for; None for all."""
        return self.most if self.replace == self.window else 1

    def neighbours(self) -> list[Task]:
        """The other windows of the string, the nearest first."""
        offsets = [offset for offset in range(len(self.string) - self.window + 1) if offset != self.offset]
        return [
            dataclasses.replace(self, offset=offset) for offset in sorted(offsets, key=lambda offset: abs(offset - self.offset))
        ]


@dataclass(frozen=True)
class Decision:
    """What a method met: fillings as whole strings, whether there are no others, numbers for the record, a way to check it."""

    found: list[str]
    complete: bool
    about: dict[str, Any]
    proof: Callable[[], dict] | None = None


@cache
def mazes_of(kind: str, size: str, reduce: str = "article") -> Mazes:
    return find_family("maze").read(None, kind=kind, size=size, reduce=reduce, length=0).mazes


# -- one window -----------------------------------------------------------------------------------------------------------


def decide(task: Task) -> dict:
    """The record of one window. `seconds` are wall time, `cpu` processor time (not that of solver binaries), without proofs."""
    task.place.mkdir(parents=True, exist_ok=True)
    begun, used = time.monotonic(), processor_time()
    decision = METHODS[task.method](task)
    record = {
        "key": task.key,
        "offset": task.offset,
        "pattern": task.pattern,
        "method": task.method,
        "verdict": verdict(task, decision.found, decision.complete),
        "complete": decision.complete,
        "found": decision.found,
        **NOTHING,
        **decision.about,
        "seconds": round(time.monotonic() - begun, 2),
        "cpu": round(processor_time() - used + (decision.about.get("solver_cpu") or 0), 2),
        "near": task.near,
        "limit": None if decision.complete or decision.found else task.seconds,
    }
    if task.certify and decision.complete and not decision.found:
        begun = time.monotonic()
        record["proof"] = decision.proof() | {"seconds": round(time.monotonic() - begun, 2)}
    return record


def processor_time() -> float:
    """Of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


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
        raise CnfgenError(f"{string} fails: a reduction, the encoding or the search is at fault")
    return string


# -- by SAT ---------------------------------------------------------------------------------------------------------------


def by_loop(task: Task) -> Decision:
    """The counterexample-guided loop; with `near` it begins with the mazes that decided this window or the nearest one."""
    puzzle = MazeString(mazes_of(task.kind, task.size), task.pattern)
    options = {"lemmas": task.lemmas}
    settings = {"solver": task.solver, "add": task.add, "choice": task.choice, "limits": Limits(cpu=task.seconds)}
    loop = Loop(find_family("maze"), puzzle, task.encoding, options, state=task.place, **settings)
    if task.near:
        loop.refinement.add(sorted(near_mazes(task).difference(loop.refinement.added)))
    found, boards = [], loop.boards()
    for string in boards:
        found.append(verified(task, string))
        if len(found) == task.wanted:
            break
    boards.close()  # now the solver's processor time is known
    complete = loop.status == UNSATISFIABLE
    if complete:
        text = find_family("maze").write(loop.refinement.part(), "mazes")
        (task.place / SUFFICIENT).write_text(text, encoding="utf-8")
    about = {"mazes": len(loop.refinement.added), "rounds": loop.rounds, "solver": loop.solver, "encoding": loop.encoding.name}
    about |= {"lemmas": task.lemmas, "solver_cpu": loop.cpu}
    return Decision(found, complete, about, partial(refuted_again, loop))


def near_mazes(task: Task) -> set[int]:
    """Those of this window's certificate if the search has refuted it, else those that sufficed for the nearest window."""
    numbers = number_of(task.kind, task.size)
    path = dataclasses.replace(task, method=EXHAUSTIVE).place / CERTIFICATE
    if path.exists():
        return {numbers[text] for text in json.loads(path.read_text(encoding="utf-8"))["mazes"]}
    lines = near_file(task, SUFFICIENT, str.splitlines, [])
    return {numbers[line] for line in lines if line in numbers}


def refuted_again(loop: Loop) -> dict:
    """The final formula refuted by a binary, and whether the checker verified its proof."""
    outcome = loop.certified(Limits())
    return {
        "by": f"{outcome.run.solver.name} {outcome.run.version}, drat-trim",
        "verified": bool(outcome.proof and outcome.proof.verified),
        "formula": {
            "variables": outcome.cnf.num_variables,
            "clauses": outcome.cnf.num_clauses,
            "sha256": outcome.cnf.checksum(),
        },
    }


# -- by exhaustive search -------------------------------------------------------------------------------------------------


class OutOfTime(CnfgenError):
    """The search has used what it was given."""


def by_search(task: Task) -> Decision:
    """The search over joint states; with `near` it begins with the tuples of mazes that refuted the nearest window."""
    try:
        from cnfgen_puzzles.families.maze.exhaustive import TooLarge
        from cnfgen_puzzles.families.maze.windowsearch import WindowSearch
    except ImportError:
        raise InputError("found no numpy, expected it for the exhaustive search: pip install numpy") from None
    begun = time.process_time()

    def watch(_: str) -> None:
        if task.seconds is not None and time.process_time() - begun > task.seconds:
            raise OutOfTime("processor time limit")

    search = WindowSearch(mazes_of(task.kind, task.size), task.pattern, near_tuples(task) if task.near else (), progress=watch)
    try:
        outcome = search.run(every=task.wanted != 1)
    except (OutOfTime, TooLarge) as error:
        return Decision([], False, {"reason": str(error)})
    found = [verified(task, string) for string in outcome.strings[: task.wanted]]
    complete = not found or (task.wanted != 1 and len(found) == len(outcome.strings))
    if found:
        return Decision(found, complete, {})
    sweep, path = outcome.sweep, task.place / CERTIFICATE
    path.write_text(json.dumps(search.certificate(sweep)) + "\n", encoding="utf-8")
    about = {"mazes": len(sweep.mazes), "tuples": len(sweep.tuples), "states": sum(sweep.levels)}
    return Decision(found, complete, about, partial(checked, path))


def near_tuples(task: Task) -> list[tuple[int, ...]]:
    """Those of the nearest window that has a certificate."""
    entry = near_file(task, CERTIFICATE, json.loads, {"mazes": [], "tuples": []})
    numbers = number_of(task.kind, task.size)
    mazes = [numbers[text] for text in entry["mazes"]]
    return [tuple(mazes[place] for place in tuple_) for tuple_ in entry["tuples"]]


def checked(path: Path) -> dict:
    """What the checker of certificates says."""
    run = subprocess.run([sys.executable, CHECKER, path], capture_output=True, text=True, check=False)
    return {"by": CHECKER.name, "verified": run.returncode == 0}


def near_file(task: Task, name: str, read: Callable[[str], Any], nothing: Any) -> Any:
    """The file of this name that the nearest window has."""
    for other in task.neighbours():
        path = other.place / name
        if path.exists():
            return read(path.read_text(encoding="utf-8"))
    return nothing


@cache
def number_of(kind: str, size: str) -> dict[str, int]:
    """The number of each maze, by its text."""
    return {maze_text(maze): number for number, maze in enumerate(mazes_of(kind, size))}


METHODS: dict[str, Callable[[Task], Decision]] = {LOOP: by_loop, EXHAUSTIVE: by_search}


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
    if task.wanted != 1 and not record["complete"]:  # a limit on time or on their number
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


def check_agreement(tasks: list[Task], records: dict[str, dict]) -> None:
    """An error if two methods say different things of one window."""
    for task in tasks:
        decided = [record for record in every_method(task, records) if record["verdict"] != OPEN]
        if len({record["verdict"] for record in decided}) > 1:
            told = ", ".join(f"{record['method']}: {record['verdict']}" for record in decided)
            raise CnfgenError(f"the methods do not agree on the window at {task.offset}: {told}")


def every_method(task: Task, records: dict[str, dict]) -> list[dict]:
    """The records of this window."""
    keys = [dataclasses.replace(task, method=method).key for method in METHODS]
    return [records[key] for key in keys if key in records]


def report(tasks: list[Task], records: dict[str, dict]) -> None:
    """The table, the fillings that were found, and the sums; records of the other method are shown beside."""
    rows, number, others = [], defaultdict(Counter), defaultdict(dict)
    for task in tasks:
        letters = task.string[task.offset : task.offset + task.window]
        for record in every_method(task, records):
            number[record["method"]][record["verdict"]] += 1
            proof = record.get("proof")
            told = "" if proof is None else "checked" if proof["verified"] else "NOT VERIFIED"
            shown = (record[name] for name in ("mazes", "tuples", "states", "rounds", "seconds", "cpu"))
            rows.append((task.offset, letters, record["method"], record["verdict"], *shown, told))
            others[task.offset] |= dict.fromkeys(string for string in record["found"] if string != task.string)
    columns = ["offset", "letters", "method", "verdict", "mazes", "tuples", "states", "rounds", "seconds", "cpu", "proof"]
    print(tabulate(rows, headers=columns, intfmt=","))
    for offset, strings in others.items():
        for string in list(strings)[:SHOWN]:
            print(f"\noffset {offset}, {len(string)} letters: {string}", end="")
        if len(strings) > SHOWN:
            print(f"\noffset {offset}: {len(strings) - SHOWN} more, see the records", end="")
    print("\n")
    for method, counts in number.items():
        print(f"{method}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


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
        "method": arguments.method,
        "encoding": arguments.encoding,
        "lemmas": arguments.lemmas,
        "near": arguments.near,
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
    parser.add_argument("--method", choices=METHODS, default=LOOP)
    parser.add_argument(
        "--near", action="store_true", help="begin with what decided the nearest window: its mazes, or its tuples"
    )
    parser.add_argument("--solver", help="of the loop, as for solve-puzzle maze; so are the next three")
    parser.add_argument("--encoding", default=ENCODING, help=f"({ENCODING})")
    parser.add_argument("--lemmas", type=int, default=0, metavar="N", help="(0)")
    parser.add_argument("--add", type=int, default=ADDED_AT_ONCE, help=f"mazes a round ({ADDED_AT_ONCE})")
    parser.add_argument("--choose", choices=list(CHOICES), help="which mazes to add")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="processor time of each window")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many fillings of a window of the same length")
    parser.add_argument("--jobs", type=int, default=1, help="windows side by side (1)")
    parser.add_argument("--certify", action="store_true", help="check a proof of every window that is refuted")
    parser.add_argument("--folder", type=Path, default=Path("results/maze_windows"))
    begun = time.monotonic()
    try:
        arguments = parser.parse_args(words)
        tasks = tasks_of(arguments)
        records = run(tasks, arguments.jobs)
        check_agreement(tasks, records)
        report(tasks, records)
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
