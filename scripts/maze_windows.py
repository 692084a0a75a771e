"""Windows of a string that solves all mazes: can those letters be replaced by fewer, or by others?

    python scripts/maze_windows.py STRING --window 26 --replace 25 --method exhaustive [--windows 30,31] [--certify] [--near]
    python scripts/maze_windows.py STRING --window 26 --replace 25 --windows 53 --method loop --time 900 --certify
    python scripts/maze_windows.py STRING --window 26 --replace 25 --windows 53 --method cubes --cubes 64 --jobs 2

For every window of a known string the letters around it are kept, and `--replace` letters are sought instead of those
`--window`. Fewer: the first filling is enough. As many: all fillings are enumerated, the string's own among them. The methods:

* `loop`: SAT, the counterexample-guided loop (`pipeline/refine.py`). `--certify` refutes the final formula once more by a solver
  binary, and has its DRAT proof checked.
* `exhaustive`: breadth-first over joint states (`maze_windows/windowsearch.py`, with numpy). A refutation leaves a certificate;
  `--certify` has it checked by `check_maze_window.py`.
* `cubes`: SAT with cubes, lemmas and checked proofs (`studies/maze_windows/cuberun.py`), for fewer letters only. The tuples that
  lemmas need are those of this window's certificate if the search has left one, with `--near` those of the nearest; else some are
  looked for.

Each filling is simulated on all mazes of the grid without any reduction before it is believed. Where several methods have decided
a window, they must agree.

STRING may be `@FILE`. A window that is decided is kept, one JSON object a line, in FOLDER/windows.jsonl; below FOLDER are for
each window the mazes that were needed, as a file for gen-cnf, or the certificate. The same command goes on there; a loop that was
interrupted goes on with the mazes that it had, and its rounds and seconds are those since then.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from cnfgen_puzzles.distribution.executors import open_executor
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.model import KINDS, THIN, maze_text
from cnfgen_puzzles.families.maze.model.puzzle import MazeString, read_string
from cnfgen_puzzles.families.maze.refine.refinement import CHOICES
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.jsonlines import end_last_line
from cnfgen_puzzles.pipeline.refine import ADDED_AT_ONCE, Loop
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.studies.maze_windows.records import (
    CUBES,
    ENCODING,
    EXHAUSTIVE,
    LOOP,
    Task,
    check_agreement,
    is_done,
    mazes_of,
    read_records,
    report,
    verdict,
    verified,
)

SUFFICIENT, CERTIFICATE = "sufficient.mazes", "certificate.json"
NO_NUMPY = "found no numpy, expected it for the exhaustive search and for lemmas: pip install numpy"
CHECKER = Path(__file__).with_name("check_maze_window.py")
NOTHING = {"mazes": None, "tuples": None, "states": None, "rounds": None, "cubes": None}


@dataclass(frozen=True)
class Decision:
    """What a method met: fillings as whole strings, whether there are no others, numbers for the record, a way to check it."""

    found: list[str]
    complete: bool
    about: dict[str, Any]
    proof: Callable[[], dict] | None = None


# -- one window -----------------------------------------------------------------------------------------------------------


def decide(task: Task) -> dict:
    """The record of one window. `seconds` are wall time, `cpu` processor time (not that of solver binaries), without proofs."""
    task.place.mkdir(parents=True, exist_ok=True)
    begun, used = time.monotonic(), time.process_time()
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
        "cpu": round(time.process_time() - used + (decision.about.get("solver_cpu") or 0), 2),
        "near": task.near,
        "limit": None if decision.complete or decision.found else task.seconds,
    }
    if task.certify and decision.proof and decision.complete and not decision.found:
        begun = time.monotonic()
        record["proof"] = decision.proof() | {"seconds": round(time.monotonic() - begun, 2)}
    return record


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
        from cnfgen_puzzles.studies.maze_windows.windowsearch import WindowSearch
        from cnfgen_puzzles.studies.mazes.exhaustive import TooLarge
    except ImportError:
        raise InputError(NO_NUMPY) from None
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
    return tuples_in(task, near_file(task, CERTIFICATE, json.loads, {"mazes": [], "tuples": []}))


def tuples_in(task: Task, entry: dict) -> list[tuple[int, ...]]:
    """The tuples of a certificate, by the numbers of the mazes."""
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


# -- by SAT, cube by cube -------------------------------------------------------------------------------------------------


def by_cubes(task: Task) -> Decision:
    """Cubes, side by side; every proof is checked at once."""
    try:
        from cnfgen_puzzles.studies.maze_windows.cuberun import WindowCubes, WindowSettings
    except ImportError:
        raise InputError(NO_NUMPY) from None
    default = WindowSettings()
    settings = WindowSettings(task.solver or default.solver, task.seconds or default.cpu, count=task.cubes)
    mazes = mazes_of(task.kind, task.size)
    run = WindowCubes(mazes, task.pattern, tuples_for_lemmas(task), task.place, settings)
    with open_executor(jobs=task.jobs) as executor:
        run.decide(executor, ahead=task.jobs)
    found = [] if run.string is None else [verified(task, run.string)]
    return Decision(found, run.refuted, run.summary())


def tuples_for_lemmas(task: Task) -> list[tuple[int, ...]]:
    """Of this window's certificate, or with `near` of the nearest; else what exploring finds."""
    from cnfgen_puzzles.studies.maze_windows.windowcubes import explored_tuples

    searched = dataclasses.replace(task, method=EXHAUSTIVE)
    path = searched.place / CERTIFICATE
    known = tuples_in(task, json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []
    known = known or (near_tuples(searched) if task.near else [])
    return known or explored_tuples(mazes_of(task.kind, task.size), task.pattern)


METHODS: dict[str, Callable[[Task], Decision]] = {LOOP: by_loop, EXHAUSTIVE: by_search, CUBES: by_cubes}


# -- all windows ----------------------------------------------------------------------------------------------------------


def run(tasks: list[Task], jobs: int = 1) -> dict[str, dict]:
    """All records, the missing ones decided and kept."""
    folder = tasks[0].folder
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "windows.jsonl"
    records = read_records(path)
    left = [task for task in tasks if not is_done(task, records)]
    end_last_line(path)
    with path.open("a", encoding="utf-8") as stream, tqdm(total=len(tasks), initial=len(tasks) - len(left), unit="window") as bar:
        for record in decided(left, jobs):
            records[record["key"]] = record
            stream.write(json.dumps(record) + "\n")
            stream.flush()
            bar.set_postfix_str(f"offset {record['offset']}: {record['verdict']}", refresh=False)
            bar.update()
    return records


def decided(tasks: list[Task], jobs: int) -> Iterator[dict]:
    """The records of these windows as they come."""
    if jobs == 1 or any(task.method == CUBES for task in tasks):  # cubes are side by side themselves
        yield from map(decide, tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for future in as_completed([pool.submit(decide, task) for task in tasks]):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


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
    if arguments.method == CUBES and replace == window:
        raise InputError(
            f"found {replace}, expected fewer than {window} letters: cubes end at the first filling", source="--replace"
        )
    for name in ("jobs", "add", "time", "limit", "cubes"):
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
        "cubes": arguments.cubes,
        "jobs": arguments.jobs,
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
    parser.add_argument("--solver", help="of the loop, as for solve-puzzle maze; so are the next four; or the binary for cubes")
    parser.add_argument("--encoding", default=ENCODING, help=f"({ENCODING})")
    parser.add_argument("--lemmas", type=int, default=0, metavar="N", help="(0)")
    parser.add_argument("--add", type=int, default=ADDED_AT_ONCE, help=f"mazes a round ({ADDED_AT_ONCE})")
    parser.add_argument("--choose", choices=list(CHOICES), help="which mazes to add")
    parser.add_argument(
        "--time", type=float, metavar="SECONDS", help="processor time of each window, or of each cube: it is split (600)"
    )
    parser.add_argument("--cubes", type=int, default=1, metavar="N", help="at least so many cubes to begin with (1)")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many fillings of a window of the same length")
    parser.add_argument("--jobs", type=int, default=1, help="windows, or cubes of a window, side by side (1)")
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
