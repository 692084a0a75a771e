"""The methods that decide a window: the CEGAR loop, the search over joint states, and SAT with cubes.

Each filling is checked by simulation on all mazes of the grid without any reduction. The folder of a question has, for each
window, the mazes of the loop as a file for gen-cnf, or the certificate; with `near`, a window starts with those of the nearest
one.

See also `windowsearch.py` (search), `campaign.py` (cubes), and `questions.py` (answers).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from cnfgen_puzzles.common.journal import Journal
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.model import maze_text
from cnfgen_puzzles.families.maze.puzzle import MazeString
from cnfgen_puzzles.families.maze.sets import mazes_of
from cnfgen_puzzles.pipeline.cegar import CegarLoop
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.distribute import distribute
from cnfgen_puzzles.solving.executors import open_executor
from cnfgen_puzzles.solving.process import Limits
from studies.maze_windows.questions import CUBES, EXHAUSTIVE, LOOP, Question, is_done, verdict
from studies.mazes.checkers import WINDOW, WINDOW_CUBES, checked
from studies.mazes.cubes import Entry

if TYPE_CHECKING:
    from studies.maze_windows.campaign import WindowCampaign

ANSWERS, SUFFICIENT, CERTIFICATE = "windows.jsonl", "sufficient.mazes", "certificate.json"
NOTHING: Entry = {"mazes": None, "tuples": None, "states": None, "rounds": None, "cubes": None}


@dataclass(frozen=True)
class Fillings:
    """The result of a method: complete strings, whether they are all, numbers for the answer, and a way to check the result."""

    found: list[str]
    complete: bool
    about: Entry
    proof: Callable[[], Entry] | None = None


def answer_to(question: Question) -> Entry:
    """The answer for one window. `seconds` are wall time and `cpu` is processor time (without solver binaries), both without
    proofs."""
    question.place.mkdir(parents=True, exist_ok=True)
    begun, used = time.monotonic(), time.process_time()
    fillings = DECIDES[question.method](question)
    answer = {
        "key": question.key,
        "offset": question.offset,
        "pattern": question.pattern,
        "method": question.method,
        "verdict": verdict(question, fillings.found, fillings.complete),
        "complete": fillings.complete,
        "found": fillings.found,
        **NOTHING,
        **fillings.about,
        "seconds": round(time.monotonic() - begun, 2),
        "cpu": round(time.process_time() - used + (fillings.about.get("solver_cpu") or 0), 2),
        "near": question.near,
        "limit": None if fillings.complete or fillings.found else question.seconds,
    }
    if question.certify and fillings.proof and fillings.complete and not fillings.found:
        begun = time.monotonic()
        answer["proof"] = fillings.proof() | {"seconds": round(time.monotonic() - begun, 2)}
    return answer


# -- by SAT ---------------------------------------------------------------------------------------------------------------


def by_loop(question: Question) -> Fillings:
    """The CEGAR loop; with `near`, it starts with the mazes that decided this window or the nearest one."""
    puzzle = MazeString(mazes_of(question.kind, question.size), question.pattern)
    loop = CegarLoop(
        find_family("maze"),
        puzzle,
        question.encoding,
        {"lemmas": question.lemmas},
        state=question.place,
        solver=question.solver or (),
        add=question.add,
        limits=Limits(cpu=question.seconds),
    )
    if question.near:
        loop.refinement.add(sorted(_near_mazes(question).difference(loop.refinement.added)))
    found, boards = [], loop.boards()
    for string in boards:
        found.append(question.verified(str(string)))
        if len(found) == question.wanted:
            break
    boards.close()  # the processor time of the solver is known now
    complete = loop.status == UNSATISFIABLE
    if complete:
        text = find_family("maze").write(loop.refinement.part(), "mazes")
        (question.place / SUFFICIENT).write_text(text, encoding="utf-8")
    about = {"mazes": len(loop.refinement.added), "rounds": loop.rounds, "solver": loop.solver, "encoding": loop.encoding.name}
    about |= {"lemmas": question.lemmas, "solver_cpu": loop.cpu}
    return Fillings(found, complete, about, partial(_refuted_again, loop))


def _refuted_again(loop: CegarLoop) -> Entry:
    """Refutes the final formula by a solver binary; returns whether the checker verified its proof."""
    outcome = loop.certify(Limits(), checker="drat-trim")
    return {
        "by": f"{outcome.run.solver.name} {outcome.run.version}, drat-trim",
        "verified": bool(outcome.proof and outcome.proof.verified),
        "formula": {"variables": outcome.cnf.num_variables, "clauses": outcome.cnf.num_clauses, "sha256": outcome.cnf.checksum()},
    }


# -- by exhaustive search -------------------------------------------------------------------------------------------------


def by_search(question: Question) -> Fillings:
    """The search over joint states; with `near`, it starts with the tuples of mazes that refuted the nearest window."""
    from studies.maze_windows.windowsearch import WindowSearch  # the loop needs no numpy
    from studies.mazes.exhaustive import Unfinished

    tuples = _near_tuples(question) if question.near else ()
    search = WindowSearch(mazes_of(question.kind, question.size), question.pattern, tuples, seconds=question.seconds)
    try:
        result = search.run(every=question.wanted != 1)
    except Unfinished as error:
        return Fillings([], False, {"reason": str(error)})
    found = [question.verified(str(string)) for string in result.strings[: question.wanted]]
    complete = not found or (question.wanted != 1 and len(found) == len(result.strings))
    sweep = result.sweep
    if sweep is None:
        return Fillings(found, complete, {})
    path = question.place / CERTIFICATE
    path.write_text(json.dumps(search.certificate(sweep)) + "\n", encoding="utf-8")
    about = {"mazes": len(sweep.mazes), "tuples": len(sweep.tuples), "states": sum(sweep.levels)}
    return Fillings(found, complete, about, partial(_certificate_checked, path))


def _certificate_checked(path: Path) -> Entry:
    return {"by": WINDOW, "verified": checked(WINDOW, path).verified}


# -- by SAT, cube by cube -------------------------------------------------------------------------------------------------


def by_cubes(question: Question) -> Fillings:
    """Cubes in parallel; every proof is checked at once."""
    from studies.maze_windows.campaign import WindowCampaign, WindowSettings

    default = WindowSettings()
    settings = WindowSettings(question.solver or default.solver, question.seconds or default.cpu, count=question.cubes)
    mazes = mazes_of(question.kind, question.size)
    campaign = WindowCampaign(mazes, question.pattern, _tuples_for_lemmas(question), question.place, settings)
    with open_executor(jobs=question.jobs) as executor:
        campaign.decide(executor, ahead=question.jobs)
    found = [] if campaign.string is None else [question.verified(campaign.string)]
    certificate = campaign.certificate()
    if certificate is None:
        return Fillings(found, campaign.refuted, campaign.summary())
    path = question.place / CERTIFICATE
    path.write_text(json.dumps(certificate) + "\n", encoding="utf-8")
    return Fillings(found, campaign.refuted, campaign.summary(), partial(_cubes_checked, campaign, path))


def _cubes_checked(campaign: WindowCampaign, path: Path) -> Entry:
    """Runs the separate checker; the proofs were verified when the cubes were refuted."""
    proof: Entry = campaign.summary()["proof"]
    return proof | {"by": f"{proof['by']}, {WINDOW_CUBES}", "verified": checked(WINDOW_CUBES, path).verified}


def _tuples_for_lemmas(question: Question) -> list[tuple[int, ...]]:
    """The tuples of the certificate of this window, or with `near` of the nearest; otherwise tuples from exploring."""
    from studies.maze_windows.windowsearch import explored_tuples

    searched = question.by(EXHAUSTIVE)
    path = searched.place / CERTIFICATE
    known = _tuples_in(question, json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []
    known = known or (_near_tuples(searched) if question.near else [])
    return known or explored_tuples(mazes_of(question.kind, question.size), question.pattern)


# -- what decided other windows -------------------------------------------------------------------------------------------


def _near_mazes(question: Question) -> set[int]:
    """The mazes of the certificate of this window if the search has refuted it, otherwise those that sufficed for the nearest
    window."""
    numbers = _number_of(question.kind, question.size)
    path = question.by(EXHAUSTIVE).place / CERTIFICATE
    if path.exists():
        return {numbers[text] for text in json.loads(path.read_text(encoding="utf-8"))["mazes"]}
    lines = (_near_text(question, SUFFICIENT) or "").splitlines()
    return {numbers[line] for line in lines if line in numbers}


def _near_tuples(question: Question) -> list[tuple[int, ...]]:
    """The tuples of the nearest window with a certificate."""
    text = _near_text(question, CERTIFICATE)
    return [] if text is None else _tuples_in(question, json.loads(text))


def _near_text(question: Question, name: str) -> str | None:
    """The file with this name of the nearest window that has one."""
    paths = (other.place / name for other in question.neighbours())
    return next((path.read_text(encoding="utf-8") for path in paths if path.exists()), None)


def _tuples_in(question: Question, certificate: Any) -> list[tuple[int, ...]]:
    """The tuples of a certificate, by numbers of mazes."""
    numbers = _number_of(question.kind, question.size)
    mazes = [numbers[text] for text in certificate["mazes"]]
    return [tuple(mazes[place] for place in tuple_) for tuple_ in certificate["tuples"]]


@lru_cache(maxsize=2)
def _number_of(kind: str, size: str) -> dict[str, int]:
    """The number of each maze, by its text."""
    return {maze_text(maze): number for number, maze in enumerate(mazes_of(kind, size))}


DECIDES: dict[str, Callable[[Question], Fillings]] = {LOOP: by_loop, EXHAUSTIVE: by_search, CUBES: by_cubes}


# -- all windows ----------------------------------------------------------------------------------------------------------


def answers_to(questions: Sequence[Question], jobs: int = 1, quiet: bool = False) -> dict[str, Entry]:
    """All answers of the folder by their keys, after deciding the missing ones, with a progress bar on stderr unless `quiet`."""
    folder = questions[0].folder
    folder.mkdir(parents=True, exist_ok=True)
    with Journal(folder / ANSWERS) as journal:
        answers = {entry["key"]: entry for entry in journal.entries()}
        left = [question for question in questions if not is_done(question, answers)]
        with tqdm(total=len(questions), initial=len(questions) - len(left), unit="window", disable=quiet) as bar:
            for answer in _answered(left, jobs):
                answers[answer["key"]] = answer
                journal.append(answer)
                bar.set_postfix_str(f"offset {answer['offset']}: {answer['verdict']}", refresh=False)
                bar.update()
    return answers


def _answered(questions: Sequence[Question], jobs: int) -> Iterator[Entry]:
    """The answers in the order in which they are finished."""
    if jobs == 1 or any(question.method == CUBES for question in questions):  # cubes run in parallel
        yield from map(answer_to, questions)
        return
    with (
        open_executor(jobs=jobs) as executor,
        closing(distribute(executor, questions, lambda question: (answer_to, question), "windows")) as results,
    ):
        for result in filter(None, results):
            yield result.result()
