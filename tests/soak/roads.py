"""The commands that a user would call for one puzzle, and their claims.

A road is a generator: it yields pipelines (lists of command lines), receives their results (`Done`), and returns its claims. It
records in `cast.faults` what no command may do under any fault: an exit code that does not fit the output, or a lost result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from cnfgen_puzzles.counting.enginenames import ENGINES
from cnfgen_puzzles.families import find_family
from soak.judge import BOARD, COUNT, NONE, ONE, PROOF, SEVERAL, SOME, WORD, Statement
from soak.puzzles import LOSSY, Chosen, Puzzle, random_encoding
from soak.stage import Done, Stage

Pipeline = list[list[str]]
Walk = Generator[Pipeline, list[Done], list[Statement]]
DECIDED = {"SATISFIABLE": 10, "UNSATISFIABLE": 20}
INCREMENTAL = ("glucose4", "cadical195", "minisat22", "lingeling", "maplechrono")


@dataclass
class Cast:
    """The participants of an event: the puzzle, `solvers` by name (the first is that of the event), words for limits."""

    puzzle: Puzzle
    solvers: Sequence[str]
    limits: Sequence[str]
    proof: bool
    liar: bool
    provers: frozenset[str]
    """The solvers that can write proofs."""
    stage: Stage
    seed: int
    faults: list[tuple[str, str]] = field(default_factory=list)

    def chance(self) -> Random:
        """The same choices each time that the road runs."""
        return Random(self.seed)

    @property
    def source(self) -> list[str]:
        """Family, file and options, as every command takes them."""
        options = (f"--{name}={value}" for name, value in self.puzzle.options.items())
        return [self.puzzle.family, str(self.stage.work / self.puzzle.file), *options]

    def fault(self, kind: str, detail: str) -> None:
        self.faults.append((kind, detail))

    def expect(self, done: Done, code: int, said: str) -> None:
        if done.code not in (code, 130) and done.code >= 0:  # a signal may come after the answer
            self.fault("exit code", f"{done.words[0]} exited with {done.code} after {said}, expected {code}")


def answer_of(cast: Cast, done: Done) -> dict[str, Any]:
    """The JSON output of a command; None without output, which the exit code must show."""
    try:
        found = json.loads(done.out)
    except ValueError:
        found = {}
    if not found and done.code == 0:
        cast.fault("exit code", f"{done.words[0]} exited with {done.code} without its answer: {done.out[:200]!r}")
    return found if isinstance(found, dict) else {}


def evidence_of(answer: Mapping[str, Any]) -> str:
    """The evidence of an answer: its field `evidence`, or else the verified proof of its last run."""
    named = answer.get("evidence")
    if isinstance(named, dict):
        return str(named.get("kind", WORD))
    runs = [answer.get("certificate"), answer.get("run"), *reversed(answer.get("runs", []))]
    proofs = [run.get("proof") for run in [answer, *runs] if isinstance(run, dict)]
    return PROOF if any(isinstance(proof, dict) and proof.get("verified") for proof in proofs[:3]) else WORD


def claims_of(cast: Cast, done: Done, who: str, *, limited: bool = False) -> list[Statement]:
    """The claims of solve-puzzle or decode-cnf in JSON; the exit code must fit them."""
    answer = answer_of(cast, done)
    status, verdict = answer.get("status"), answer.get("solutions")
    boards = tuple(answer["boards"]) if "boards" in answer else (answer["board"],) if answer.get("board") else ()
    evidence = evidence_of(answer)
    kind = {"one": ONE, "several": SEVERAL, "none": NONE}.get(str(verdict), BOARD if boards else "")
    if verdict is None and status == "UNSATISFIABLE":
        kind = NONE
    if done.code in (1, 2):  # it says itself that this is no answer
        return [Statement(BOARD, who, boards)] if boards else []
    if status in DECIDED:
        cast.expect(done, 0, status)
    elif answer:
        cast.expect(done, 3, f"status {status}")
    up_to = limited and "up to" in done.out + done.err
    return [Statement(kind, who, boards, evidence=evidence, limited=up_to)] if kind else []


# -- roads ----------------------------------------------------------------------------------------------------------------


def pipe(cast: Cast) -> Walk:
    """gen-cnf | run-cnf | decode-cnf."""
    chance, solver = cast.chance(), cast.solvers[0]
    proof = cast.proof and solver in cast.provers
    make = ["gen-cnf", *cast.source, *chosen(cast, chance), *scramble(chance)]
    checked = ["--proof", str(cast.stage.out / "proof.drat"), "--check-proof"] if proof else []
    solve = ["run-cnf", solver, "-", *cast.limits, *checked]
    done = yield [make, solve, ["decode-cnf", "--as", "json"]]
    claims = claims_of(cast, done[-1], solver)
    return [replace(claim, evidence=PROOF) if proof else claim for claim in claims]  # a proof that was refused is no answer


def files(cast: Cast) -> Walk:
    """The same steps with a file for each, and the model checked again by decode-cnf."""
    chance, solver, out = cast.chance(), cast.solvers[0], cast.stage.out
    proof = cast.proof and solver in cast.provers
    cnf, answer = str(out / "x.cnf"), out / "answer.txt"
    (made,) = yield [["gen-cnf", *cast.source, *chosen(cast, chance), *scramble(chance), "-o", cnf]]
    if made.code:
        return []
    checked = ["--proof", str(out / "proof.drat"), "--check-proof"] if proof else []
    (ran,) = yield [["run-cnf", solver, cnf, *cast.limits, *checked]]
    verdict = next((line[2:] for line in ran.out.splitlines() if line.startswith("s ")), "")
    if ran.code in (10, 20):
        cast.expect(ran, DECIDED.get(verdict, 0), f"`s {verdict}`")
    claims = [Statement(NONE, solver, evidence=PROOF if proof else WORD)] if ran.code == 20 else []
    answer.write_text(ran.out, encoding="utf-8")
    by = chance.choice((["--cnf", cnf], ["--map", str(out / "x.map.json")]))
    (decoded,) = yield [["decode-cnf", str(answer), *by, "--as", "json"]]
    found = claims_of(cast, decoded, solver)
    return claims + [replace(claim, evidence=PROOF) if proof else claim for claim in found]


def solve(cast: Cast) -> Walk:
    """solve-puzzle."""
    done = yield [solve_words(cast, cast.solvers[0], cast.chance())]
    return claims_of(cast, done[0], cast.solvers[0])


def unique(cast: Cast) -> Walk:
    """solve-puzzle --unique."""
    chance = cast.chance()
    encoding = random_encoding(cast.puzzle.family, chance)
    done = yield [[*solve_words(cast, cast.solvers[0], chance, encoding), "--unique"]]
    return claims_of(cast, done[0], cast.solvers[0], limited=encoding.leaves_out)


def converted(cast: Cast) -> Walk:
    """convert-puzzle to another format, and a solution of the result."""
    chance, puzzle = cast.chance(), cast.puzzle
    family = find_family(puzzle.family)
    formats = [each for each in family.formats.values() if each.write is not None and each.name not in LOSSY]
    to = chance.choice(formats)
    path = str(cast.stage.out / "".join(["other", *to.suffixes[:1]]))
    (made,) = yield [["convert-puzzle", *cast.source, "--to", to.name, "-o", path]]
    if made.code:
        return []
    words = solve_words(cast, cast.solvers[0], chance)
    done = yield [[words[0], puzzle.family, path, *words[3:]]]
    return claims_of(cast, done[0], cast.solvers[0])


def count(cast: Cast) -> Walk:
    """solve-puzzle --count."""
    done = yield [[*count_words(cast, cast.chance()), "--count", "--as", "json"]]
    return counted(cast, done[0])


def resumed(cast: Cast) -> Walk:
    """The same road with --state: the command after a kill resumes there."""
    state = str(cast.stage.out / "state")
    done = yield [[*count_words(cast, cast.chance()), "--count", "--as", "json", "--state", state]]
    return counted(cast, done[0])


def counted(cast: Cast, done: Done) -> list[Statement]:
    answer = answer_of(cast, done)
    if not answer:
        return []
    if not answer["complete"]:
        if done.code != 130:
            cast.expect(done, 3, "a part of the count")
        return [Statement(SOME, answer["engine"], number=answer["raw"])]
    cast.expect(done, 0, f"a count of {answer['raw']}")
    if answer["solutions"] > answer["raw"]:
        cast.fault("wrong", f"{answer['solutions']} orbits of {answer['raw']} solutions")
    return [Statement(COUNT, answer["engine"], number=answer["raw"])]


def every(cast: Cast) -> Walk:
    """solve-puzzle --all."""
    chance = cast.chance()
    limit = chance.randint(1, 5) if chance.random() < 0.2 else None
    most = ["--limit", str(limit)] if limit else []
    (done,) = yield [[*count_words(cast, chance), *most, "--all", "--as", "json"]]
    boards: list[Any] = []
    number = 0
    for line in done.out.splitlines(keepends=True):
        try:
            entry = json.loads(line)
            boards, number = [*boards, entry["board"]], number + entry["orbit"]
        except (ValueError, KeyError, TypeError):
            if line.endswith("\n"):
                cast.fault("wrong", f"a line that is no board: {line[:200]!r}")
    complete = done.code == 0 and len(boards) != limit  # the exit code is 0 if the limit is reached, too
    return [Statement(COUNT if complete else SOME, "--all", tuple(boards), number)] if complete or boards else []


# -- words ----------------------------------------------------------------------------------------------------------------


def chosen(cast: Cast, chance: Random) -> list[str]:
    return random_encoding(cast.puzzle.family, chance).words


def scramble(chance: Random) -> list[str]:
    return ["--scramble", str(chance.randint(0, 99))] if chance.random() < 0.3 else []


def solve_words(cast: Cast, solver: str, chance: Random, encoding: Chosen | None = None) -> list[str]:
    """solve-puzzle with its options; mazes are solved by an incremental solver, or by a new run of a binary in each round."""
    encoding = encoding or random_encoding(cast.puzzle.family, chance)
    words = ["solve-puzzle", *cast.source, *encoding.words, "--as", "json", *cast.limits]
    if cast.puzzle.family == "maze":
        incremental = not cast.liar and solver != "slow" and chance.random() < 0.4
        solver = chance.choice(INCREMENTAL) if incremental else f"bin:{solver}"
        words += ["--add", str(chance.randint(1, 3))] if chance.random() < 0.3 else []
    words += ["--certify"] if cast.proof and solver.removeprefix("bin:") in cast.provers else []
    words += ["--seed", str(chance.randint(0, 9))] if solver in ("kissat", "cadical", "minisat") and chance.random() < 0.3 else []
    return [*words, "--solver", solver]


def count_words(cast: Cast, chance: Random) -> list[str]:
    engine = chance.choice(
        [name for name in ENGINES if name != "exact-cover"] + ["exact-cover"] * (cast.puzzle.family == "tiling")
    )
    bounds = any(mark in cast.puzzle.text for mark in ("..", "at least"))
    words = [] if engine == "exact-cover" and bounds else ["--engine", engine] if chance.random() < 0.8 else []
    words += ["--raw"] if chance.random() < 0.4 else []
    words += ["--jobs", str(chance.randint(1, 2))]
    return ["solve-puzzle", *cast.source, *chosen(cast, chance), *cast.limits, *words]


ROADS: Mapping[str, Callable[[Cast], Walk]] = {
    "pipe": pipe,
    "files": files,
    "solve": solve,
    "unique": unique,
    "converted": converted,
    "count": count,
    "resumed": resumed,
    "all": every,
}
COUNTING = ("count", "resumed", "all")
