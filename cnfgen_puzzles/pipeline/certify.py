"""Answers written as certificates: the folder that shows a puzzle's answer to somebody who trusts nobody.

    solve("nonogram", puzzle, certificate="cat.certificate")
    unique("nonogram", puzzle, certificate=Wanted(Path("cat.certificate"), origin_of_file(source, {}), replaces=True))

An answer that is certified has a proof that was checked to its end, however long that takes. What is claimed is a row of
`claims`; verifying is in `verification`. Where the answer is not decided there is nothing to certify, and no folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from cnfgen_puzzles.evidence.certificate import (
    BLOCKED,
    BOARD,
    FORMULA,
    LRAT,
    MODEL,
    PROJECTION,
    PROOF,
    RULES,
    SECOND,
    Draft,
    Manifest,
    Program,
    check_place,
)
from cnfgen_puzzles.evidence.certificate.checks import cnf_text, model_text, projection_text
from cnfgen_puzzles.evidence.certificate.proving import CHECKER, Said, output_of, plain_proof, proof_with_hints
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.ground.activity import doing
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.scratch import scratch_folder
from cnfgen_puzzles.ground.sources import Source
from cnfgen_puzzles.pipeline.claims import (
    CLAIMS,
    DRAWN,
    DRAWN_SECOND,
    JSON_BOARD,
    JSON_SECOND,
    MAP,
    PUZZLE,
    Facts,
    heading,
    sections,
)
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.refine import LoopOutcome, proving_solver
from cnfgen_puzzles.pipeline.solve import ArgumentOutcome, FormulaOutcome, Outcome, solve, with_blocked
from cnfgen_puzzles.pipeline.unique import Uniqueness
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import Run

Answer = Outcome | Uniqueness
SAFE = re.compile(r"\.[a-z0-9]{1,10}")
"""An ending of a file that a certificate's may have."""


@dataclass
class Wanted:
    """A certificate that is wanted: its folder, and how the puzzle came (`origin_of_...`), for README and for --encoding.

    `source` is the puzzle's file. With `replaces` a certificate that is there already gives way. `sums` is the SHA-256 of
    SHA256SUMS once the certificate is there, `reason` why there is none.
    """

    folder: Path
    origin: Mapping[str, Any] = field(default_factory=dict)
    source: Source | None = None
    replaces: bool = False
    sums: str = ""
    reason: str = ""


def origin_of_file(source: Source, options: Mapping[str, Any]) -> dict[str, Any]:
    """How a puzzle came that was read from a file."""
    suffix = source.suffix if SAFE.fullmatch(source.suffix) else ".txt"
    suffix = ".puzzle.json" if suffix == ".json" else suffix
    return {
        "file": f"puzzle{suffix}" if suffix != ".puzzle.json" else "given.json",
        "suffix": source.suffix,
        "options": dict(options),
    }


def origin_of_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The same of one given by options alone."""
    return {"options": dict(options)}


def origin_of_generator(name: str, seed: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """The same of one made at random."""
    return {"generator": name, "seed": seed, "options": dict(options)}


Given = dict[str, Any]
"""Settings of a call."""
Kind = TypeVar("Kind", bound=Answer)


def certified(settings: Given, answer: Callable[[Given], tuple[Kind, Instance | None]]) -> Kind:
    """What `answer` gives for the settings, with the certificate that they ask for; its instance is None for a loop.

    `certificate` asks for a proof that was checked to its end. Where the answer is not decided there is no certificate.
    """
    given = settings.pop("certificate", None)
    if given is None:
        return answer(settings)[0]
    wanted = given if isinstance(given, Wanted) else Wanted(Path(given))
    if settings.pop("proof", True) is False:
        raise InputError("found certificate and proof=False: a certificate needs the proof")
    check_place(wanted.folder, replaces=wanted.replaces)
    with scratch_folder("certify") as folder:
        found, instance = answer(settings | {"certify": True, "proof_to": folder / "proof"})
        last = found.outcomes[-1] if isinstance(found, Uniqueness) else found
        if found.failed or last.status not in (SATISFIABLE, UNSATISFIABLE):
            wanted.reason = last.reason or "nothing was decided"
            return found
        with doing("writing the certificate"), Draft(wanted.folder, replaces=wanted.replaces) as draft:
            wanted.sums = _Writer(draft, wanted, folder / "proof").write(found, last, instance)
    return found


class _Writer:
    """One certificate."""

    def __init__(self, draft: Draft, wanted: Wanted, proof: Path):
        self.draft, self.wanted, self.proof = draft, wanted, proof
        self.programs: list[Program] = []

    def write(self, answer: Answer, last: Outcome, instance: Instance | None) -> str:
        claim, argument, pieces = _claim(answer, last), "", None
        family, puzzle, boards = last.family, last.puzzle, answer.boards
        if isinstance(last, ArgumentOutcome):
            argument = last.evidence.by if last.evidence else ""
        elif isinstance(last, LoopOutcome) and claim == "solution" and family.rules_in_awk(puzzle, boards[0]) is not None:
            claim = "board"  # a formula of some pieces adds nothing to rules that know all of them
        elif isinstance(last, LoopOutcome):
            pieces = list(last.loop.refinement.added)
            instance = make_instance(family, last.loop.refinement.part(), last.encoding, **last.loop.options)
            models = [self._model_of(instance, board, last) for board in boards]
            self._formula(instance, models, last.certificate)
        elif instance is not None:
            outcomes = answer.outcomes if isinstance(answer, Uniqueness) else [answer]
            runs = [outcome.run for outcome in outcomes if isinstance(outcome, FormulaOutcome)]
            models = [run.model for run in runs if run.model is not None]
            self._formula(instance, models, last if isinstance(last, FormulaOutcome) and last.status == UNSATISFIABLE else None)
            self._ran(runs)
        self._puzzle(family, puzzle)
        self._boards(family, puzzle, boards)
        details = {
            "claim": claim, "family": family.name, "argument": argument, "pieces": pieces, "origin": dict(self.wanted.origin),
        }  # fmt: skip
        vmap = None if instance is None or argument else instance.map
        facts = Facts(family, puzzle, vmap, details, self.draft.names)
        statement = CLAIMS[claim].statement
        programs = tuple(dict.fromkeys(self.programs))
        return self.draft.seal(Manifest(statement, heading(facts), sections(facts), details, programs))

    def _puzzle(self, family: Family, puzzle: Puzzle) -> None:
        if self.wanted.source is not None:
            self.draft.add(self.wanted.origin["file"], "the puzzle as it was given", self.wanted.source.data)
        self.draft.add(PUZZLE, "the puzzle as it was read", canonical(family.puzzle_to_json(puzzle)))

    def _formula(self, instance: Instance, models: list[tuple[int, ...]], refutation: FormulaOutcome | None) -> None:
        """Formula, map, models, and where there is a refutation the proof of it, with the formula that it refutes."""
        cnf, draft = instance.cnf, self.draft
        draft.add(FORMULA, "the formula, in DIMACS CNF", cnf_text(cnf))
        draft.add(MAP, "what the variables of the formula stand for, and the puzzle that it speaks of", map_text(instance))
        draft.add(PROJECTION, "the variables that tell two solutions apart, one a line", projection_text(instance.projection))
        for name, model in zip((MODEL, SECOND), models, strict=False):
            draft.add(name, "a model of the formula: the value of each variable", model_text(model, cnf.num_variables))
        if refutation is None:
            return
        refuted = FORMULA
        if models:
            refuted = BLOCKED
            cnf = with_blocked(cnf, instance.projection, models[0])
            draft.add(BLOCKED, "the formula with one more clause, which forbids the model", cnf_text(cnf))
        self._refutation(refuted, refutation.run)

    def _refutation(self, refuted: str, run: Run) -> None:
        draft, solver = self.draft, run.solver
        self._ran([run])
        plain_proof(self.proof, solver.proof_format or "text", draft.path(PROOF))
        draft.enter(PROOF, f"a proof that {refuted} has no model, in DRAT, by {solver.name}")
        hints = self.proof.with_name("hints")
        for said in proof_with_hints(draft.path(refuted), draft.path(PROOF), hints, run.limits):
            self._said(said)
        if hints.exists():
            draft.take(LRAT, "the same proof with hints, in LRAT, by drat-trim", hints)

    def _said(self, said: Said) -> None:
        self.draft.add(output_of(said.name), f"what {said.name} printed on the proof when this was made", said.output)
        self.programs.append(Program(CHECKER, said.name, said.version, said.sha256))

    def _ran(self, runs: list[Run]) -> None:
        self.programs += [Program("solver", run.solver.name, run.version, run.binary_sha256) for run in runs]

    def _model_of(self, instance: Instance, board: Board, outcome: LoopOutcome) -> tuple[int, ...]:
        """A model of the loop's last formula that stands for this board."""
        assumed = outcome.loop.signs_of(board)
        cnf = Cnf(instance.cnf.num_variables, instance.cnf.num_clauses + len(assumed), instance.cnf.literals[:])
        for variable, sign in zip(instance.projection, assumed, strict=True):
            cnf.literals.extend((variable if sign else -variable, 0))
        found = solve(instance, proving_solver(outcome.loop.solver), limits=outcome.loop.limits, cnf=cnf)
        if found.run.model is None:
            raise CnfgenError(f"the board of the loop has no model of its formula: {found.reason}")
        self._ran([found.run])
        return found.run.model

    def _boards(self, family: Family, puzzle: Puzzle, boards: list[Board]) -> None:
        for board, drawn, listed in zip(boards, (DRAWN, DRAWN_SECOND), (JSON_BOARD, JSON_SECOND), strict=False):
            self.draft.add(drawn, "a solution, drawn", drawn_board(family, puzzle, board))
            self.draft.add(listed, "the same as JSON", canonical(family.board_to_json(puzzle, board)))
        rules = family.rules_in_awk(puzzle, boards[0]) if boards else None
        if rules is not None:
            self.draft.add(RULES, "the rules, with the numbers of the puzzle, as a program for awk", rules[0].encode())
            self.draft.add(BOARD, f"the solution, for {RULES}", rules[1].encode())


def _claim(answer: Answer, last: Outcome) -> str:
    """Which row of CLAIMS an answer is."""
    if isinstance(last, ArgumentOutcome):
        return "argument"
    if last.status == SATISFIABLE:
        return "several" if isinstance(answer, Uniqueness) else "solution"
    return "unique" if answer.boards else "none"


# -- texts that verification makes anew --------------------------------------------------------------------------------------


def canonical(entry: Any) -> bytes:
    """JSON as it stands in a certificate: a member a line."""
    if not isinstance(entry, dict):
        return f"{json.dumps(entry)}\n".encode()
    members = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in entry.items())
    return f"{{\n{members}\n}}\n".encode()


def map_text(instance: Instance) -> bytes:
    """The variable map, as `gen-cnf` writes it beside a CNF."""
    return f"{instance.map.to_json()}\n".encode()


def drawn_board(family: Family, puzzle: Puzzle, board: Board) -> bytes:
    """A board as text."""
    view = family.views["text"] if "text" in family.views else next(iter(family.views.values()))
    drawn = view.draw(puzzle, board, None)
    return drawn if isinstance(drawn, bytes) else drawn.encode()
