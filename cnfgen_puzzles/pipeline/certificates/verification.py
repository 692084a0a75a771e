"""Verification of certificates of puzzles: evidence (`evidence.verifying`), README, boards, and formula.

    verify_certificate("cat.certificate").sentence
    # Verified; encoding the puzzle again gives the same formula. This puzzle has exactly one solution: 24x20 nonogram "Cat"

The package's own copy of verify.sh checks the evidence. This module checks the rest: it reads the original file of the puzzle
again and compares puzzle, formula, and map; it checks the boards against the rules; it compares the symmetries with the whole
group of the puzzle; and it compares README. With `formula_only`, only the statement about the formula is checked.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.readers.strictjson import member, parse_json, parse_object
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.allmodels import choose_generators
from cnfgen_puzzles.evidence.certificate import (
    ALL_BOARDS,
    BOARD,
    CERTIFICATE,
    CUTS,
    ENCODER,
    FORMULA,
    PROJECTION,
    READER,
    RULES,
    SOLUTIONS,
    SYMMETRIES,
    Damaged,
    lines_text,
)
from cnfgen_puzzles.evidence.verifying import VerifiedFolder, verify, verify_formula
from cnfgen_puzzles.families import Family, Puzzle, find_family
from cnfgen_puzzles.formula import Cnf, VariableMap
from cnfgen_puzzles.pipeline.certificates.certify import board_files, canonical, formula_files, list_files
from cnfgen_puzzles.pipeline.certificates.claims import (
    BOARD_FILES,
    BOARDS,
    CLAIMS,
    MAP,
    PuzzleFacts,
    claim_of,
    heading,
    permutations_of,
    readme,
    stated_group,
)
from cnfgen_puzzles.pipeline.instance import (
    DAMAGE,
    Instance,
    check_rules,
    checked_board,
    make_instance,
    scramble_instance,
    symmetry_of,
)
from cnfgen_puzzles.pipeline.request import OF_PROGRAM, PUZZLE, SAFE, given_name
from cnfgen_puzzles.solving.process import Limits

DETAILS = {"family", "origin", "pieces", "symmetries"}
OF_PUZZLE = {FORMULA, MAP, PROJECTION, CUTS, ENCODER, READER, RULES, BOARD, ALL_BOARDS, BOARDS}.union(
    name for _, *names in BOARD_FILES for name in names
)
"""The files that this version writes again and compares; `evidence.verifying` checks the others."""


@dataclass(frozen=True)
class CertificateCheck:
    """A verified certificate: its claim about the puzzle, and the checks as `sentences`."""

    folder: Path
    claim: str
    heading: str
    sentences: tuple[str, ...]
    encoded: bool = False
    formula_only: bool = False

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        if self.formula_only:
            return f"Verified (formula only): {self.heading}"
        anew = "; encoding the puzzle again gives the same formula" if self.encoded else ""
        return f"Verified{anew}. {self.heading}"

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "verified": True, "folder": str(self.folder), "claim": self.claim, "says": self.heading,
            "checked": list(self.sentences), "encoded": self.encoded,
            "formula_only": self.formula_only,
        }  # fmt: skip


def verify_certificate(
    folder: str | Path, *, formula_only: bool = False, checker: str | None = None, limits: Limits | None = None
) -> CertificateCheck:
    """Check the certificate in a folder. Damaged (exit code 1) names the error; an InputError (2) means that it is not a
    certificate.

    `formula_only`: check only the statement about the formula, not the puzzle and README. `checker`: the proof checker, by
    default the first installed one for each format. `limits`: for the check of the evidence. Unfinished (3) means that a limit
    ended the check, or that another version wrote README.
    """
    with doing("checking the evidence"):
        found = verify(folder, checker, limits, functools.partial(_refute, checker))
    if formula_only:
        if FORMULA not in found.sizes:
            raise InputError("found --formula-only and a certificate without a formula", source=str(found.folder))
        return CertificateCheck(found.folder, found.statement, found.says, found.sentences, formula_only=True)
    if not found.certificate.details:
        return CertificateCheck(found.folder, "models", verify_formula(found), found.sentences)
    found.check_version()
    facts, instance = facts_in(found), None
    code, files, sentences = facts.claim["code"], dict[str, bytes](), [*found.sentences, _read_again(found, facts)]
    if facts.vmap is not None:
        instance, files = _encoded_again(found, facts, facts.vmap)
        _compare(found, files)  # from here on, the formula and the map are those of the puzzle
        sentences.append(f"encoding the puzzle again ({facts.vmap.encoding}) gives {FORMULA} and {MAP}")
    boards, checked = (_of_count if code == "count" else _of_answer)(found, facts, instance)
    _compare(found, boards)
    if wrong := next((name for name in found.sizes if name in OF_PUZZLE and name not in files | boards), None):
        raise Damaged("belongs to no part of this certificate", source=str(found.folder / wrong))
    found.check_words(readme(facts))
    return CertificateCheck(found.folder, code, heading(facts), (*sentences, *checked), instance is not None)


def _refute(checker: str | None, formula: Cnf, cubes: Sequence[tuple[int, ...]]) -> None:
    from cnfgen_puzzles.counting.proving.cubes import refute_anew  # compiles

    refute_anew(formula, cubes, checker)


@contextlib.contextmanager
def _damage(what: str = "", source: Path | None = None) -> Iterator[None]:
    """Convert errors in the block to Damaged, with the message `what` and `source`, by default with the message of the error."""
    try:
        yield
    except Damaged:
        raise
    except (CnfgenError, *DAMAGE) as error:
        if what:
            raise Damaged(f"{what}: {error!s:.300}", source=str(source)) from None
        if not isinstance(error, InputError):
            raise
        raise Damaged(error.message, source=error.source, line=error.line) from None


def facts_in(found: VerifiedFolder) -> PuzzleFacts:
    """The statements of the folder about its puzzle."""
    claim, details, source = found.certificate.claim, found.certificate.details, str(found.folder / CERTIFICATE)
    try:
        if details.keys() != DETAILS:
            raise ValueError(f"expected exactly the details {', '.join(sorted(DETAILS))}")
        code, pieces = claim["code"], details["pieces"]
        family = find_family(member(details, "family", str))
        if code not in CLAIMS or CLAIMS[code] != found.statement:
            raise ValueError(f"found the claim {code!r:.40}, which the statement {found.statement} does not show")
        if canonical(claim) != canonical(claim_of(code, found.count, member(claim, "convention", str) if found.count else "")):
            raise ValueError("the numbers of the claim differ from the manifest")
        if pieces is not None and not isinstance(pieces, list):
            raise ValueError("pieces: expected a list")
        puzzle = _puzzle(found, family)
        vmap: VariableMap | None = None
        if MAP in found.sizes:
            with _damage():
                vmap = VariableMap.from_json(found.text(MAP), str(found.folder / MAP))
            with _damage("does not name an encoding", found.folder / MAP):
                family.encoding(vmap.encoding)
            if code == "count" and vmap.up_to:
                raise Damaged(f"leaves out solutions ({vmap.up_to:.60}), so nothing counts them", source=str(found.folder / MAP))
    except Damaged:
        raise
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise Damaged(str(error), source=source) from None
    return PuzzleFacts(family, puzzle, vmap, claim, details, found.sizes)


def _puzzle(found: VerifiedFolder, family: Family) -> Puzzle:
    path = found.folder / PUZZLE
    with _damage():
        entry = parse_object(found.data(PUZZLE), "a puzzle", source=str(path))
    with _damage(f"does not describe a {family.name}", path):
        puzzle: Puzzle = family.puzzle_from_json(entry)
        expected = canonical(family.puzzle_to_json(puzzle))
    found.compare(PUZZLE, expected, "a puzzle in canonical form")
    return puzzle


# -- checks of the puzzle -------------------------------------------------------------------------------------------------


def _read_again(found: VerifiedFolder, facts: PuzzleFacts) -> str:
    """Reading the puzzle again gives the same puzzle; the check in words. An origin has one of four forms, and names the original
    file if there is one."""
    family, origin = facts.family, facts.details["origin"]
    given = [name for name in found.sizes if name.startswith(("puzzle.", "given.")) and name != PUZZLE]
    with doing("reading the puzzle again"), _damage("the puzzle cannot be read again", found.folder):
        match origin:
            case {"file": str(name), "suffix": str(suffix), "options": dict(options), **more} if (
                not more and given == [name] and given_name(suffix) == name and (not suffix or SAFE.fullmatch(suffix))
            ):
                puzzle = family.read(Source(name, found.data(name), suffix), **options)
                message = f"reading {name} again gives {PUZZLE}"
            case {"generator": str(name), "seed": int(seed), "options": dict(options), **more} if (
                not more and not given and not isinstance(seed, bool)
            ):
                puzzle = family.generate(name, seed, **options)
                message = f"calling the generator {name} again gives {PUZZLE}"
            case {"options": dict(options), **more} if not more and not given:
                puzzle = family.read(None, **options)
                message = f"reading the options again gives {PUZZLE}"
            case _ if origin == OF_PROGRAM and not given:
                puzzle, message = facts.puzzle, f"{PUZZLE} is the puzzle that a program supplied"
            case _:
                raise Damaged(
                    "found an origin from which the puzzle cannot be read again", source=str(found.folder / CERTIFICATE)
                )
    if canonical(family.puzzle_to_json(puzzle)) != found.data(PUZZLE):
        raise Damaged("differs from the original puzzle", source=str(found.folder / PUZZLE))
    return message


def _encoded_again(found: VerifiedFolder, facts: PuzzleFacts, vmap: VariableMap) -> tuple[Instance, dict[str, bytes]]:
    """The formula of the puzzle, or (`pieces`) of some of its constraints, in the encoding of the map; and its files."""
    family, puzzle, numbers, cuts = facts.family, facts.puzzle, facts.details["pieces"], ""
    with doing("encoding the puzzle again"), _damage("the puzzle cannot be encoded again", found.folder / MAP):
        if numbers is not None:
            if family.refinement is None:
                raise ValueError(f"{family.name} has no pieces")
            refinement = family.refinement(puzzle, family.encoding(vmap.encoding), **vmap.options)
            refinement.add([refinement.constraint(number) for number in numbers])
            puzzle, cuts = refinement.part(), refinement.cuts_text()
        instance = make_instance(family, puzzle, vmap.encoding, **vmap.options)
        if vmap.renaming is not None:
            instance = scramble_instance(instance, vmap.renaming.seed)
        return instance, formula_files(instance, whole=numbers is None) | ({CUTS: cuts.encode()} if cuts else {})


def _compare(found: VerifiedFolder, files: Mapping[str, bytes]) -> None:
    """The folder has these files with this content."""
    for name, content in files.items():
        found.compare(name, content, "the file that this version writes for the puzzle")


def _of_answer(found: VerifiedFolder, facts: PuzzleFacts, instance: Instance | None) -> tuple[dict[str, bytes], list[str]]:
    """The files with the boards of the models, which obey the rules; and the checks in words."""
    family, puzzle, code = facts.family, facts.puzzle, facts.claim["code"]
    if facts.details["symmetries"] is not None:
        raise Damaged("has symmetries, but no list of solutions", source=str(found.folder / CERTIFICATE))
    if code == "argument" and family.impossible(puzzle) is None:
        raise Damaged("no argument shows that this puzzle has no solution", source=str(found.folder / CERTIFICATE))
    boards = []
    for model, _, listed in BOARD_FILES[: {"several": 2, "none": 0, "argument": 0}.get(code, 1)]:
        with _damage("does not decode to a solution", found.folder / (listed if instance is None else model)):
            if instance is not None:
                boards.append(checked_board(family, puzzle, instance.map, found.model(model)))
            else:
                entry = parse_json(found.data(listed), "a board", source=str(found.folder / listed))
                boards.append(check_rules(family, puzzle, family.board_from_json(puzzle, entry)))
    files = board_files(family, puzzle, boards)
    checks = [f"the board in {drawn} obeys the rules of the puzzle" for _, drawn, _ in BOARD_FILES if drawn in files]
    return files, checks + ["the argument holds for the puzzle"] * (code == "argument")


def _of_count(found: VerifiedFolder, facts: PuzzleFacts, instance: Instance | None) -> tuple[dict[str, bytes], list[str]]:
    """The files with the boards of the solutions, which obey the rules; and the checks in words."""
    if instance is None or instance.map.renaming is not None:
        raise Damaged("expected the map of a formula that is not scrambled, for a count", source=str(found.folder / MAP))
    convention, sentences = facts.claim["convention"], list[str]()
    solutions, symmetries = found.numbers(SOLUTIONS), found.numbers(SYMMETRIES)
    symmetry, group = symmetry_of(instance) if convention else None, None
    if convention and (symmetry is None or symmetry.convention != convention or not symmetries):
        message = f"claims solutions {convention!r:.60}, which is not the convention of this puzzle"
        raise Damaged(message, source=str(found.folder / CERTIFICATE))
    if SYMMETRIES in found.sizes:
        with doing("computing the symmetries"):
            generators = choose_generators(instance.cnf, instance.map.projection, permutations_of(instance))
        found.compare(SYMMETRIES, lines_text(generators), f"the generators of all symmetries of {PUZZLE}")
        group = stated_group(instance, generators)
        sentences.append(
            f"{SYMMETRIES} generates the whole symmetry group of the puzzle, as computed again: {len(symmetries)} generators"
        )
    if canonical(facts.details["symmetries"]) != canonical(group):
        raise Damaged("states a symmetry group that is not that of the puzzle", source=str(found.folder / CERTIFICATE))
    with _damage("has an invalid solution", found.folder / SOLUTIONS):
        files = list_files(instance, solutions, symmetries if convention else ())
    lines = files[BOARDS].count(b"\n")
    return files, [*sentences, f"{len(solutions)} boards obey the rules; {BOARDS} has {lines} of them"]
