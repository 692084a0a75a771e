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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.readers.strictjson import member, parse_json, parse_object
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.allmodels import choose_generators, images, shown
from cnfgen_puzzles.evidence.certificate import (
    ALL_BOARDS,
    BOARD,
    CERTIFICATE,
    CUTS,
    ENCODER,
    FORMULA,
    MODEL,
    PROJECTION,
    READER,
    RULES,
    SECOND,
    SOLUTIONS,
    SYMMETRIES,
    Damaged,
    cnf_text,
    lines_text,
    projection_text,
)
from cnfgen_puzzles.evidence.verifying import VerifiedFolder, verify, verify_formula
from cnfgen_puzzles.families import Board, Family, Puzzle, find_family
from cnfgen_puzzles.formula import Cnf, VariableMap
from cnfgen_puzzles.pipeline.certificates.certify import boards_in_awk, canonical, drawn_board, encoder_text, map_text, program
from cnfgen_puzzles.pipeline.certificates.claims import (
    BOARDS,
    CLAIMS,
    DRAWN,
    DRAWN_SECOND,
    JSON_BOARD,
    JSON_SECOND,
    MAP,
    PuzzleFacts,
    board_line,
    claim_of,
    comparison,
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
    puzzle_of,
    scramble_instance,
)
from cnfgen_puzzles.pipeline.request import OF_PROGRAM, PUZZLE, SAFE, given_name
from cnfgen_puzzles.solving.process import Limits

DETAILS = {"family", "origin", "pieces", "compared", "symmetries"}
BOARD_FILES = ((MODEL, DRAWN, JSON_BOARD), (SECOND, DRAWN_SECOND, JSON_SECOND))


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
    facts = facts_in(found)
    sentences = [*found.sentences, *_of_puzzle(found, facts), *_anew(found, facts)]
    if facts.claim["code"] == "count":  # last: it relies on the blocks of the map, which _anew compares
        sentences += _of_count(found, facts)
    found.check_words(readme(facts))
    return CertificateCheck(found.folder, facts.claim["code"], heading(facts), tuple(sentences), facts.vmap is not None)


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
        _check_origin(member(details, "origin", dict), found.sizes)
        family = find_family(member(details, "family", str))
        if code not in CLAIMS or CLAIMS[code].statement != found.statement:
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
        if canonical(details["compared"]) != canonical(comparison(family, vmap)):
            raise ValueError(
                "found another comparison of the encoding than that of this version; if another version wrote the certificate, "
                "use that one, or the certificate's verify.sh"
            )
    except Damaged:
        raise
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise Damaged(str(error), source=source) from None
    return PuzzleFacts(family, puzzle, vmap, claim, details, found.sizes)


def _check_origin(origin: Mapping[str, Any], files: Collection[str]) -> None:
    """ValueError unless an origin has one valid form, from which the puzzle can be read again, and names the original file if
    any."""
    given = [name for name in files if name.startswith(("puzzle.", "given.")) and name != PUZZLE]
    match origin:
        case {"file": str(name), "suffix": str(suffix), "options": dict()} if len(origin) == 3:
            fits = given == [name] and given_name(suffix) == name and (not suffix or SAFE.fullmatch(suffix) is not None)
        case {"generator": str(), "seed": int(seed), "options": dict()} if len(origin) == 3:
            fits = not given and not isinstance(seed, bool)
        case {"options": dict()} if len(origin) == 1:
            fits = not given
        case _:
            fits = not given and origin == OF_PROGRAM
    if not fits:
        raise ValueError("found an origin from which the puzzle cannot be read again")


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


def _of_puzzle(found: VerifiedFolder, facts: PuzzleFacts) -> Iterator[str]:
    """The map belongs to the formula and the puzzle; the boards belong to the models and obey the rules."""
    family, puzzle, vmap, code = facts.family, facts.puzzle, facts.vmap, facts.claim["code"]
    if (FORMULA in found.sizes) != (vmap is not None):
        raise Damaged(f"has only one of {FORMULA} and {MAP}, expected both", source=str(found.folder))
    if vmap is not None:
        cnf = found.formula(FORMULA)
        with _damage():
            vmap.check_belongs(cnf, map_name=str(found.folder / MAP), cnf_name=FORMULA)
        _check_puzzle_of_map(found, facts, vmap)
        projection = Instance(family, puzzle, cnf, vmap).projection
        found.compare(PROJECTION, projection_text(projection), f"the projection set of {MAP}")
        yield f"{MAP} belongs to {FORMULA} and to the puzzle"
    _check_programs(found, facts)
    boards = []
    for model, drawn, listed in BOARD_FILES[: CLAIMS[code].boards]:
        board = _board(found, facts, model, listed)
        found.compare(drawn, drawn_board(family, puzzle, board), f"the board of {listed}")
        text = canonical(family.board_to_json(puzzle, board))
        found.compare(listed, text, "a board in canonical form")
        if canonical(family.board_to_json(puzzle, _listed_board(found, facts, listed))) != text:
            raise Damaged(f"differs from the board of {model}", source=str(found.folder / listed))
        yield f"the board in {drawn} obeys the rules of the puzzle"
        boards.append(board)
    if RULES in found.sizes and boards:
        rules = family.rules_in_awk(puzzle, boards[0])
        if rules is None:
            raise Damaged(f"is not the program of {family.name} for this puzzle", source=str(found.folder / RULES))
        found.compare(RULES, program(rules[0]), f"the rules of {family.name}")
        found.compare(BOARD, rules[1].encode(), f"the board for {RULES}")
    if code != "count" and facts.details["symmetries"] is not None:
        raise Damaged("has symmetries, but no list of solutions", source=str(found.folder / CERTIFICATE))
    if code == "argument":
        if family.impossible(puzzle) is None:
            raise Damaged("no argument shows that this puzzle has no solution", source=str(found.folder / CERTIFICATE))
        yield "the argument holds for the puzzle"


def _check_programs(found: VerifiedFolder, facts: PuzzleFacts) -> None:
    """The folder has the encoder for awk exactly if the family has one, and the reader exactly if it has another program."""
    if (READER in found.sizes) != bool({RULES, ENCODER} & found.sizes.keys()):
        raise Damaged("is missing or needed by no other program", source=str(found.folder / READER))
    source, whole = str(found.folder / ENCODER), facts.details["pieces"] is None
    expected = encoder_text(facts.family, facts.puzzle, facts.vmap) if facts.vmap and whole else None
    if expected is None and ENCODER in found.sizes:
        raise Damaged(f"is not a program of {facts.family.name} for this formula", source=source)
    if expected is not None and ENCODER not in found.sizes:
        raise Damaged(f"is missing; {facts.family.name} has this program for the formula", source=source)
    if expected is not None:
        found.compare(ENCODER, expected, f"the program of {facts.family.name} for this encoding")


def _check_puzzle_of_map(found: VerifiedFolder, facts: PuzzleFacts, vmap: VariableMap) -> None:
    """The puzzle of the map is that of the certificate, or the part with the constraints that the details list."""
    family, source = facts.family, found.folder / MAP
    expected, numbers, cuts = facts.puzzle, facts.details["pieces"], ""
    if vmap.family != family.name:
        raise Damaged(f"is of the family {vmap.family!r:.40}, expected {family.name}", source=str(source))
    if numbers is not None:
        with _damage(f"its puzzle is not a part of {PUZZLE}", source):
            if family.refinement is None:
                raise ValueError(f"{family.name} has no pieces")
            refinement = family.refinement(facts.puzzle, family.encoding(vmap.encoding), **vmap.options)
            refinement.add([refinement.constraint(number) for number in numbers])
            expected, cuts = refinement.part(), refinement.cuts_text()
    if cuts:
        found.compare(CUTS, cuts.encode(), f"the cuts in {CERTIFICATE}")
    elif CUTS in found.sizes:
        raise Damaged("belongs to a formula without cuts", source=str(found.folder / CUTS))
    entry = vmap.puzzle
    if canonical(dict(entry)) != canonical(family.puzzle_to_json(expected)):
        raise Damaged(f"belongs to a puzzle other than {PUZZLE}", source=str(source))


def _listed_board(found: VerifiedFolder, facts: PuzzleFacts, listed: str) -> Board:
    path = found.folder / listed
    with _damage():
        entry = parse_json(found.data(listed), "a board", source=str(path))
    with _damage("does not describe a board", path):
        board: Board = facts.family.board_from_json(facts.puzzle, entry)
    return board


def _board(found: VerifiedFolder, facts: PuzzleFacts, model: str, listed: str) -> Board:
    """The board of a model, or without a formula that of the JSON; it obeys the rules."""
    family, puzzle, vmap = facts.family, facts.puzzle, facts.vmap
    with _damage("does not decode to a solution", found.folder / (listed if vmap is None else model)):
        if vmap is not None:
            return checked_board(family, puzzle, vmap, found.model(model))
        board = _listed_board(found, facts, listed)
        if faults := family.check(puzzle, board):
            raise CnfgenError(f"it breaks the rules: {faults[0]:.200}")
    return board


def _of_count(found: VerifiedFolder, facts: PuzzleFacts) -> Iterator[str]:
    """The boards belong to the solutions and obey the rules, and the sizes of their orbits are correct."""
    assert facts.vmap is not None  # a statement on a formula has a map
    if facts.vmap.renaming is not None:
        raise Damaged(
            "belongs to a scrambled formula; a count needs a formula that is not scrambled", source=str(found.folder / MAP)
        )
    convention, blocks = facts.claim["convention"], facts.vmap.blocks
    solutions, symmetries = found.numbers(SOLUTIONS), found.numbers(SYMMETRIES)
    family, puzzle, projection = facts.family, facts.puzzle, facts.vmap.projection
    symmetry = family.counting.symmetry(puzzle, blocks) if convention else None
    if convention and (symmetry is None or symmetry.convention != convention or not symmetries):
        message = f"claims solutions {convention!r:.60}, which is not the convention of this puzzle"
        raise Damaged(message, source=str(found.folder / CERTIFICATE))
    instance, group = Instance(family, puzzle, found.formula(FORMULA), facts.vmap), None
    if SYMMETRIES in found.sizes:
        with doing("computing the symmetries"):
            generators = choose_generators(instance.cnf, projection, permutations_of(instance))
        found.compare(SYMMETRIES, lines_text(generators), f"the generators of all symmetries of {PUZZLE}")
        group = stated_group(instance, generators)
        yield f"{SYMMETRIES} generates the whole symmetry group of the puzzle, as computed again: {len(symmetries)} generators"
    if canonical(facts.details["symmetries"]) != canonical(group):
        raise Damaged("states a symmetry group that is not that of the puzzle", source=str(found.folder / CERTIFICATE))
    lines, done = [], set[Any]()
    for solution in solutions:
        true = shown(solution, projection)
        try:
            if solution in done:
                check_rules(family, puzzle, family.decode(puzzle, blocks, true))
                continue
            orbit = images(solution, symmetries) if convention else {solution}
            lines.append(board_line(family, puzzle, blocks, true, len(orbit)))
        except CnfgenError as error:
            raise Damaged(f"has an invalid solution: {error}", source=str(found.folder / SOLUTIONS)) from None
        done |= orbit
    found.compare(BOARDS, "".join(lines).encode(), f"the boards of {SOLUTIONS}")
    boards = [family.decode(puzzle, blocks, shown(solution, projection)) for solution in solutions]
    expected = boards_in_awk(family, puzzle, boards)
    if len({RULES, ALL_BOARDS} & found.sizes.keys()) != (0 if expected is None else 2):
        raise Damaged(f"{RULES} or {ALL_BOARDS} is missing or unexpected for {family.name}", source=str(found.folder))
    if expected is not None:
        found.compare(RULES, expected[0], f"the rules of {family.name}")
        found.compare(ALL_BOARDS, expected[1], f"the boards of {SOLUTIONS} for {RULES}")
    yield f"{len(solutions)} boards obey the rules; {BOARDS} has {len(lines)} of them"


# -- comparison with the puzzle -----------------------------------------------------------------------------------------------


def _anew(found: VerifiedFolder, facts: PuzzleFacts) -> Iterator[str]:
    """Reading and encoding the puzzle again gives the same puzzle and formula."""
    family, origin = facts.family, facts.details["origin"]
    with doing("reading the puzzle again"), _damage("the puzzle cannot be read again", found.folder):
        match origin:
            case {"file": str(name), "suffix": str(suffix), "options": dict(options)}:
                puzzle = family.read(Source(name, found.data(name), suffix), **options)
                message = f"reading {name} again gives {PUZZLE}"
            case {"generator": str(name), "seed": int(seed), "options": dict(options)}:
                puzzle = family.generate(name, seed, **options)
                message = f"calling the generator {name} again gives {PUZZLE}"
            case {"options": dict(options)}:
                puzzle = family.read(None, **options)
                message = f"reading the options again gives {PUZZLE}"
            case _:
                puzzle, message = facts.puzzle, f"{PUZZLE} is the puzzle that a program supplied"
    if canonical(family.puzzle_to_json(puzzle)) != found.data(PUZZLE):
        raise Damaged("differs from the original puzzle", source=str(found.folder / PUZZLE))
    yield message
    vmap = facts.vmap
    if vmap is None:
        return
    source = found.folder / MAP
    with _damage("the puzzle cannot be encoded again", source):
        _, puzzle = puzzle_of(vmap, str(source))
        instance = make_instance(family, puzzle, vmap.encoding, **vmap.options)
    if vmap.renaming is not None:
        instance = scramble_instance(instance, vmap.renaming.seed)
    found.compare(FORMULA, cnf_text(instance.cnf), f"the formula of the puzzle in the encoding {vmap.encoding}")
    found.compare(MAP, map_text(instance), f"the map of the puzzle in the encoding {vmap.encoding}")
    yield f"encoding the puzzle again ({vmap.encoding}) gives {FORMULA} and {MAP}"
