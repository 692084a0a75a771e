"""Writes answers as certificates: folders with the evidence of an answer, which public programs can check.

    solve(puzzle, certificate="cat.certificate")
    unique(puzzle, certificate=CertificateOrder(Path("cat.certificate"), origin_of({}, source=source), source, replaces=True))

A certified answer has a completely checked proof, and the check has no separate time limit. `claims` has the claims, and
`verification` checks certificates. An undecided answer has no certificate and no folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cnfgen_puzzles import families
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.evidence.allmodels import Permutation, images, shown
from cnfgen_puzzles.evidence.certificate import (
    ALL_BOARDS,
    BLOCKED,
    BOARD,
    CUTS,
    ENCODER,
    FORMULA,
    LRAT,
    MODEL,
    PROJECTION,
    PROOF,
    READER,
    RULES,
    SECOND,
    Certificate,
    Draft,
    ListNumbers,
    Program,
    check_place,
    cnf_text,
    model_text,
    projection_text,
)
from cnfgen_puzzles.evidence.evidence import ARGUMENT
from cnfgen_puzzles.evidence.hints import proof_with_hints, write_plain_proof
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.formula import Cnf, VariableMap
from cnfgen_puzzles.pipeline.answer import Answer, FormulaAnswer
from cnfgen_puzzles.pipeline.cegar import CegarAnswer, CegarLoop, proving_solver
from cnfgen_puzzles.pipeline.certificates.claims import (
    BOARD_FILES,
    BOARDS,
    CLAIMS,
    MAP,
    PuzzleFacts,
    claim_of,
    readme,
)
from cnfgen_puzzles.pipeline.instance import Instance, check_rules, make_instance, with_blocked
from cnfgen_puzzles.pipeline.request import PUZZLE, CertificateOrder
from cnfgen_puzzles.pipeline.solve import FormulaTask, solve
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import Run

READER_PROGRAM = "json"
"""The program that reads puzzle.json for the others."""
MOST_IN_AWK = 50_000
"""Most boards of a list that awk checks: a minute."""


def certify_answer(wanted: CertificateOrder, answer: Callable[[Path], Answer]) -> Answer:
    """Call `answer`, which writes its proof to the given path, and write the certificate of its result.

    The answer must have a completely checked proof. An undecided answer has no certificate.
    """
    check_place(wanted.folder, replaces=wanted.replaces)
    with scratch_folder("certify") as folder:
        found = answer(folder / "proof")
        last = found.searches[-1]
        if found.failed or last.status not in (SATISFIABLE, UNSATISFIABLE):
            wanted.reason = last.reason or "nothing was decided"
            return found
        with doing("writing the certificate"), Draft(wanted.folder, replaces=wanted.replaces) as draft:
            _write(PuzzleDraft(draft, wanted, last.family, last.puzzle), folder / "proof", found, last)
    return found


class PuzzleDraft:
    """A certificate of a puzzle that is being written; `seal` publishes it."""

    def __init__(self, draft: Draft, wanted: CertificateOrder, family: Family, puzzle: Puzzle):
        entry = family.puzzle_to_json(puzzle)
        self.files, self.wanted, self.family, self.puzzle = draft, wanted, family, family.puzzle_from_json(entry)
        self.programs: list[Program] = []
        if wanted.source is not None:
            draft.add(wanted.origin["file"], wanted.source.data)
        draft.add(PUZZLE, canonical(entry))

    def add(self, files: Mapping[str, bytes]) -> None:
        """Add files; programs that several parts need, once."""
        for name, content in files.items():
            if name not in self.files.names:
                self.files.add(name, content)

    def refutation(self, instance: Instance, blocked: Sequence[int] | None, proof: Path, run: Run) -> None:
        """Add the proof of this run that the formula has no model, or no other than `blocked`."""
        refuted, draft, solver = FORMULA, self.files, run.solver
        if blocked is not None:
            refuted = BLOCKED
            text = cnf_text(with_blocked(instance.cnf, instance.projection, blocked))
            draft.add(BLOCKED, text)
        plain = draft.path(PROOF)
        write_plain_proof(proof, solver.proof_format or "text", plain)
        hints = proof.with_name("hints")
        self.programs += proof_with_hints(draft.place / refuted, plain, hints, run.limits)
        if hints.exists():
            draft.take(LRAT, hints)

    def seal(
        self, code: str, vmap: VariableMap | None, *, pieces: Sequence[int] | None = None, count: ListNumbers | None = None,
        convention: str = "", symmetries: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Publish the certificate. `pieces` are the numbers of the encoded constraints, `count` is that of all models, and
        `symmetries` is their `stated_group`."""
        details = {
            "family": self.family.name, "origin": dict(self.wanted.origin), "pieces": pieces,
            "symmetries": symmetries,
        }  # fmt: skip
        facts = PuzzleFacts(self.family, self.puzzle, vmap, claim_of(code, count, convention), details, self.files.names)
        certificate = Certificate(facts.claim, details, tuple(dict.fromkeys(self.programs)))
        self.wanted.sums = self.files.seal(CLAIMS[code], certificate, readme(facts), count)


# -- answers ---------------------------------------------------------------------------------------------------------------


def _write(draft: PuzzleDraft, proof: Path, answer: Answer, last: Answer) -> None:
    """Write the certificate of one answer. After a CEGAR loop, the formula is that of the final constraints."""
    boards, added = answer.boards, None
    draft.add(board_files(draft.family, draft.puzzle, boards))
    if last.evidence is not None and last.evidence.kind == ARGUMENT:
        draft.seal("argument", None)
        return
    claim = "unique" if boards else "none"
    if last.status == SATISFIABLE:
        claim = "several" if len(answer.searches) > 1 else "solution"
    refuting: Run | None
    if isinstance(last, CegarAnswer):
        if claim == "solution" and RULES in draft.files.names:  # the rules check all constraints; a formula of some adds nothing
            draft.seal("board", None)
            return
        loop = last.loop
        instance = make_instance(loop.family, loop.refinement.part(), last.encoding, **loop.options)
        runs = [_run_for(instance, board, loop) for board in boards]
        refuting, added = last.certificate.run if last.certificate else None, list(loop.refinement.added)
    else:
        assert isinstance(last, FormulaAnswer)
        instance, runs = last.instance, [each.run for each in answer.searches if isinstance(each, FormulaAnswer)]
        refuting = last.run if last.status == UNSATISFIABLE else None
    models = [run.model for run in runs if run.model is not None]
    draft.add(formula_files(instance, whole=added is None))
    if isinstance(last, CegarAnswer) and (cuts := last.loop.refinement.cuts_text()):
        draft.files.add(CUTS, cuts.encode())
    for name, model in zip((MODEL, SECOND), models, strict=False):
        text = model_text(model, instance.cnf.num_variables)
        draft.files.add(name, text)
    if refuting is not None:
        runs.append(refuting)
    draft.programs += [Program("solver", run.solver.name, run.version, run.binary_sha256) for run in runs]
    if refuting is not None:
        draft.refutation(instance, models[0] if models else None, proof, refuting)
    draft.seal(claim, instance.map, pieces=added)


def _run_for(instance: Instance, board: Board, loop: CegarLoop) -> Run:
    """A run with a model of the loop's final formula that decodes to this board."""
    signs = next(signs for found, signs in loop.found if found == board)
    cnf = Cnf(instance.cnf.num_variables, instance.cnf.num_clauses + len(signs), instance.cnf.literals[:])
    for variable, sign in zip(instance.projection, signs, strict=True):
        cnf.literals.extend((variable if sign else -variable, 0))
    found = solve(instance, proving_solver(loop.solver), FormulaTask(limits=loop.limits, cnf=cnf))
    if found.run.model is None:
        raise CnfgenError(f"the board of the loop has no model of its formula: {found.reason}")
    return found.run


# -- texts that verification compares ---------------------------------------------------------------------------------------


def canonical(entry: Any) -> bytes:
    """JSON in the form of certificates: one member per line."""
    if not isinstance(entry, dict):
        return f"{json.dumps(entry)}\n".encode()
    members = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in entry.items())
    return f"{{\n{members}\n}}\n".encode()


def program(name: str) -> bytes:
    """An awk program of `families/awk`. `verify.sh` has a list of the programs with their SHA-256, and runs no other."""
    return (Path(families.__file__).parent / "awk" / f"{name}.awk").read_bytes()


def formula_files(instance: Instance, *, whole: bool = True) -> dict[str, bytes]:
    """Formula, map, and projection set of the puzzle, or (not `whole`) of some of its constraints, and the encoder for awk, if
    the family has one."""
    vmap, files = instance.map, {FORMULA: cnf_text(instance.cnf), MAP: f"{instance.map.to_json()}\n".encode()}
    files[PROJECTION] = projection_text(instance.projection)
    encodes = whole and vmap.renaming is None
    name = instance.family.encoder_in_awk(instance.puzzle, vmap.encoding, vmap.options) if encodes else None
    return files if name is None else files | {ENCODER: program(name), READER: program(READER_PROGRAM)}


def board_files(family: Family, puzzle: Puzzle, boards: Sequence[Board]) -> dict[str, bytes]:
    """One board or two, with the rules for awk, if the family has them."""
    files = dict[str, bytes]()
    for board, (_, drawn, listed) in zip(boards, BOARD_FILES, strict=False):
        files |= {drawn: drawn_board(family, puzzle, board), listed: canonical(family.board_to_json(puzzle, board))}
    rules = family.rules_in_awk(puzzle, boards[0]) if boards else None
    if rules is not None:
        files |= {RULES: program(rules[0]), READER: program(READER_PROGRAM), BOARD: rules[1].encode()}
    return files


def list_files(instance: Instance, solutions: Sequence[tuple[int, ...]], symmetries: Sequence[Permutation]) -> dict[str, bytes]:
    """The boards of a list of all solutions: the first of each orbit as JSON, and all with the rules for awk, if the family has
    one program for all of them. CnfgenError if a board breaks the rules."""
    family, puzzle, blocks = instance.family, instance.puzzle, instance.map.blocks
    lines, rules, done = [], [], set[Any]()
    for solution in solutions:
        true = shown(solution, instance.projection)
        board = check_rules(family, puzzle, family.decode(puzzle, blocks, true))
        if len(solutions) <= MOST_IN_AWK:
            rules.append(family.rules_in_awk(puzzle, board))
        if solution not in done:
            orbit = images(solution, symmetries) if symmetries else {solution}
            done |= orbit
            lines.append(json.dumps({"orbit": len(orbit), "board": family.board_to_json(puzzle, board)}) + "\n")
    files: dict[str, bytes] = {}
    texts = [f"{each[1]}\n" for each in rules if each is not None]
    if rules and rules[0] is not None and len(texts) == len(solutions):
        files = {RULES: program(rules[0][0]), READER: program(READER_PROGRAM), ALL_BOARDS: "".join(texts).encode()}
    return files | {BOARDS: "".join(lines).encode()}


def drawn_board(family: Family, puzzle: Puzzle, board: Board) -> bytes:
    """A board as text."""
    view = family.views["text"] if "text" in family.views else next(iter(family.views.values()))
    drawn = view.draw(puzzle, board, None)
    return drawn if isinstance(drawn, bytes) else drawn.encode()
