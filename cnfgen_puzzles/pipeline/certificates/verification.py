"""Whether a certificate shows what it claims of a puzzle: evidence (`evidence.verifying`), words, boards, formula.

    verify_certificate("cat.certificate").sentence      # Verified. This puzzle has exactly one solution: 24x20 nonogram "Cat"

The package's own verify.sh checks the evidence. Here is what only Python can check: the map belongs to the formula and speaks of
the puzzle, boards obey the family's rules, README says what the other files say. With `encoding` the puzzle is read once more
from the file that was given, and its formula made once more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.readers.strictjson import member, parse_json, parse_object
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.allmodels import images, shown
from cnfgen_puzzles.evidence.certificate import (
    BOARD,
    CERTIFICATE,
    ENCODER,
    FORMULA,
    MODEL,
    PROJECTION,
    RULES,
    SECOND,
    SOLUTIONS,
    SYMMETRIES,
    Damaged,
    cnf_text,
    projection_text,
)
from cnfgen_puzzles.evidence.verifying import VerifiedFolder, verify, verify_formula
from cnfgen_puzzles.families import Board, Family, Puzzle, find_family
from cnfgen_puzzles.formula import Cnf, VariableMap
from cnfgen_puzzles.pipeline.certificates.certify import canonical, drawn_board, encoder_text, map_text
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
    check_comparison,
    claim_of,
    comparison,
    heading,
    readme,
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
from cnfgen_puzzles.pipeline.request import PUZZLE
from cnfgen_puzzles.solving.process import Limits

BOARD_FILES = ((MODEL, DRAWN, JSON_BOARD), (SECOND, DRAWN_SECOND, JSON_SECOND))


@dataclass(frozen=True)
class CertificateCheck:
    """A certificate that holds: what it claims of the puzzle, and `sentences`, what was checked to see that."""

    folder: Path
    claim: str
    heading: str
    sentences: tuple[str, ...]
    encoded: bool

    @property
    def sentence(self) -> str:
        """What was proved, in one sentence."""
        anew = "; the formula was made anew and is the same" if self.encoded else ""
        return f"Verified{anew}. {self.heading}"

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "verified": True, "folder": str(self.folder), "claim": self.claim, "says": self.heading,
            "checked": list(self.sentences), "encoded": self.encoded,
        }  # fmt: skip


def verify_certificate(
    folder: str | Path, *, encoding: bool = False, checker: str | None = None, limits: Limits | None = None
) -> CertificateCheck:
    """Check the certificate in a folder. Damaged (exit code 1) says what is wrong, an InputError (2) that it is no certificate.

    `encoding`: read the puzzle and make its formula once more. `checker`: the one for proofs, by default the first that is there
    for each format; `limits` are those of the check of the evidence. Unfinished (3) says that a limit ended it.
    """
    with doing("checking the evidence"):
        found = verify(folder, checker, limits, _refute)
    if "family" not in found.certificate.details:
        claim = verify_formula(found)
        if encoding:
            raise InputError(
                "found --encoding and a certificate of a formula, which no puzzle was encoded into", source=str(found.folder)
            )
        return CertificateCheck(found.folder, "models", claim, found.sentences, False)
    facts = facts_in(found)
    sentences = [*found.sentences, *_of_puzzle(found, facts)]
    found.check_words(readme(facts))
    if encoding:
        sentences += _anew(found, facts)
    return CertificateCheck(
        found.folder, facts.claim["code"], heading(facts), tuple(sentences), encoding and facts.vmap is not None
    )


def _refute(formula: Cnf, cubes: Sequence[tuple[int, ...]]) -> None:
    from cnfgen_puzzles.counting.proving.cubes import refute_anew  # compiles

    refute_anew(formula, cubes)


@contextlib.contextmanager
def _damage(what: str = "", source: Path | None = None) -> Iterator[None]:
    """What is refused in the block is damage: said as `what` of `source`, by default as the error says it."""
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
    """What the folder says of its puzzle."""
    claim, details, source = found.certificate.claim, found.certificate.details, str(found.folder / CERTIFICATE)
    try:
        code, origin, pieces = claim["code"], member(details, "origin", dict), details["pieces"]
        family = find_family(member(details, "family", str))
        if code not in CLAIMS or CLAIMS[code].statement != found.statement:
            raise ValueError(f"found the claim {code!r:.40}, which the statement {found.statement} does not show")
        if claim != claim_of(code, found.count, member(claim, "convention", str) if found.count else ""):
            raise ValueError("found a claim with other numbers than the manifest's")
        if "file" in origin and origin["file"] not in found.sizes:
            raise ValueError(f"names no file {origin['file']!r:.80}, from which the puzzle came")
        if pieces is not None and (not isinstance(pieces, list) or not all(type(number) is int for number in pieces)):
            raise ValueError("found pieces that are no list of numbers")
        puzzle = _puzzle(found, family)
        vmap: VariableMap | None = None
        if MAP in found.sizes:
            with _damage():
                vmap = VariableMap.from_json(found.text(MAP), str(found.folder / MAP))
        check_comparison(details["compared"], comparison(family, vmap))
    except KeyError as error:
        raise Damaged(f"has no {error} in its details", source=source) from None
    except Damaged:
        raise
    except (TypeError, ValueError, InputError) as error:
        raise Damaged(str(error), source=source) from None
    return PuzzleFacts(family, puzzle, vmap, claim, details, found.sizes)


def _puzzle(found: VerifiedFolder, family: Family) -> Puzzle:
    path = found.folder / PUZZLE
    with _damage():
        entry = parse_object(found.data(PUZZLE), "a puzzle", source=str(path))
    with _damage(f"describes no {family.name}", path):
        puzzle: Puzzle = family.puzzle_from_json(entry)
        expected = canonical(family.puzzle_to_json(puzzle))
    found.compare_words(PUZZLE, expected, "a puzzle in canonical form")
    return puzzle


# -- what is checked of the puzzle ----------------------------------------------------------------------------------------


def _of_puzzle(found: VerifiedFolder, facts: PuzzleFacts) -> Iterator[str]:
    """The map belongs to the formula and to the puzzle, the boards are those of the models and obey the rules."""
    family, puzzle, vmap, code = facts.family, facts.puzzle, facts.vmap, facts.claim["code"]
    if (FORMULA in found.sizes) != (vmap is not None):
        raise Damaged(f"{FORMULA} and {MAP} go together", source=str(found.folder))
    if vmap is not None:
        cnf = found.formula(FORMULA)
        with _damage():
            vmap.check_belongs(cnf, map_name=str(found.folder / MAP), cnf_name=FORMULA)
        _check_puzzle_of_map(found, facts, vmap)
        projection = Instance(family, puzzle, cnf, vmap).projection
        found.compare(PROJECTION, projection_text(projection), f"the projection set of {MAP}")
        yield f"{MAP} belongs to {FORMULA} and speaks of the puzzle"
        _check_encoder(found, facts, vmap)
    boards = []
    for model, drawn, listed in BOARD_FILES[: CLAIMS[code].boards]:
        board = _board(found, facts, model, listed)
        found.compare_words(drawn, drawn_board(family, puzzle, board), f"the board of {listed}")
        text = canonical(family.board_to_json(puzzle, board))
        found.compare_words(listed, text, "a board in canonical form")
        if canonical(family.board_to_json(puzzle, _listed_board(found, facts, listed))) != text:
            raise Damaged(f"is another board than that of {model}", source=str(found.folder / listed))
        yield f"the board in {listed if found.other_version else drawn} obeys the rules of the puzzle"
        boards.append(board)
    if RULES in found.sizes and boards and not found.other_version:
        rules = family.rules_in_awk(puzzle, boards[0])
        if rules is None:
            raise Damaged(f"is no program that {family.name} has for this puzzle", source=str(found.folder / RULES))
        found.compare(RULES, rules[0].encode(), "the rules of this puzzle")
        found.compare(BOARD, rules[1].encode(), f"the board for {RULES}")
    if code == "count":
        yield from _of_count(found, facts)
    if code == "argument":
        if family.impossible(puzzle) is None:
            raise Damaged("the argument is not one of this puzzle", source=str(found.folder / CERTIFICATE))
        yield "the argument holds for the puzzle"


def _check_encoder(found: VerifiedFolder, facts: PuzzleFacts, vmap: VariableMap) -> None:
    """The encoder for awk is there exactly where the family has one, and is its text."""
    if found.other_version:
        return
    expected = None if facts.details["pieces"] is not None else encoder_text(facts.family, facts.puzzle, vmap)
    if (expected is None) != (ENCODER not in found.sizes):
        what = "is no program that {0} has" if expected is None else "is missing, which {0} has"
        told = f"{what.format(facts.family.name)} for the encoding {vmap.encoding}"
        raise Damaged(told, source=str(found.folder / ENCODER))
    if expected is not None:
        found.compare(ENCODER, expected, f"the program of {facts.family.name} for the encoding {vmap.encoding}")


def _check_puzzle_of_map(found: VerifiedFolder, facts: PuzzleFacts, vmap: VariableMap) -> None:
    """The map speaks of the puzzle, or of those of its constraints that the details number."""
    family, source = facts.family, found.folder / MAP
    expected, numbers = facts.puzzle, facts.details["pieces"]
    if vmap.family != family.name:
        raise Damaged(f"is of the family {vmap.family!r:.40}, the manifest says {family.name}", source=str(source))
    if numbers is not None:
        with _damage(f"its puzzle is no part of {PUZZLE}", source):
            if family.refinement is None:
                raise ValueError(f"{family.name} has no pieces")
            refinement = family.refinement(facts.puzzle, family.encoding(vmap.encoding), **vmap.options)
            if not all(0 <= number < refinement.total for number in numbers):
                raise ValueError(f"found pieces beyond the {refinement.total} that there are")
            refinement.add(numbers)
            expected = refinement.part()
    entry = vmap.puzzle
    if found.other_version:  # its JSON may have had another form
        with _damage():
            entry = family.puzzle_to_json(puzzle_of(vmap, str(source))[1])
    if canonical(dict(entry)) != canonical(family.puzzle_to_json(expected)):
        raise Damaged(f"speaks of another puzzle than {PUZZLE}", source=str(source))


def _listed_board(found: VerifiedFolder, facts: PuzzleFacts, listed: str) -> Board:
    path = found.folder / listed
    with _damage():
        entry = parse_json(found.data(listed), "a board", source=str(path))
    with _damage("describes no board", path):
        board: Board = facts.family.board_from_json(facts.puzzle, entry)
    return board


def _board(found: VerifiedFolder, facts: PuzzleFacts, model: str, listed: str) -> Board:
    """The board of a model, or where there is no formula that of the JSON; it obeys the rules."""
    family, puzzle, vmap = facts.family, facts.puzzle, facts.vmap
    with _damage("stands for no solution", found.folder / (listed if vmap is None else model)):
        if vmap is not None:
            return checked_board(family, puzzle, vmap, found.model(model))
        board = _listed_board(found, facts, listed)
        if faults := family.check(puzzle, board):
            raise CnfgenError(f"it breaks the rules: {faults[0]:.200}")
    return board


def _of_count(found: VerifiedFolder, facts: PuzzleFacts) -> Iterator[str]:
    """The boards are those of the solutions, obey the rules, and their orbits are as large as they say."""
    assert facts.vmap is not None  # a statement on a formula has a map
    convention, blocks = facts.claim["convention"], facts.vmap.blocks
    solutions, symmetries = found.numbers(SOLUTIONS), found.numbers(SYMMETRIES)
    family, puzzle, projection = facts.family, facts.puzzle, facts.vmap.projection
    symmetry = family.counting.symmetry(puzzle, blocks) if convention else None
    if convention and (symmetry is None or symmetry.convention != convention or not symmetries):
        told = f"claims solutions {convention!r:.60}, which is not so of this puzzle"
        raise Damaged(told, source=str(found.folder / CERTIFICATE))
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
            raise Damaged(f"has a solution that is none: {error}", source=str(found.folder / SOLUTIONS)) from None
        done |= orbit
        if symmetry is not None and symmetry.canonical(true)[1] != len(orbit):
            told = f"{SYMMETRIES} are not all symmetries of the puzzle: an orbit has {len(orbit)} solutions"
            raise Damaged(told, source=str(found.folder / SYMMETRIES))
    found.compare(BOARDS, "".join(lines).encode(), f"the boards of {SOLUTIONS}")
    yield f"{len(solutions)} boards obey the rules, {len(lines)} of them stand in {BOARDS}"


# -- once more from the puzzle -----------------------------------------------------------------------------------------------


def _anew(found: VerifiedFolder, facts: PuzzleFacts) -> Iterator[str]:
    """The puzzle is read or made once more, and its formula is, too; both are those of the folder."""
    family, origin, told = facts.family, facts.details["origin"], ""
    with doing("reading the puzzle once more"), _damage("the puzzle cannot be had once more", found.folder):
        match origin:
            case {"file": str(name), "suffix": str(suffix), "options": dict(options)}:
                puzzle = family.read(Source(name, found.data(name), suffix), **options)
                told = f"{name}, read once more, is {PUZZLE}"
            case {"generator": str(name), "seed": int(seed), "options": dict(options)}:
                puzzle = family.generate(name, seed, **options)
                told = f"the generator {name}, called once more, makes {PUZZLE}"
            case {"options": dict(options)}:
                puzzle = family.read(None, **options)
                told = f"the options, read once more, give {PUZZLE}"
    if told:
        if canonical(family.puzzle_to_json(puzzle)) != found.data(PUZZLE):
            raise Damaged("is another puzzle than the one that was given", source=str(found.folder / PUZZLE))
        yield told
    vmap = facts.vmap
    if vmap is None:
        return
    source = found.folder / MAP
    _, puzzle = puzzle_of(vmap, str(source))
    with _damage("the puzzle cannot be encoded once more", source):
        instance = make_instance(family, puzzle, vmap.encoding, **vmap.options)
    if vmap.renaming is not None:
        instance = scramble_instance(instance, vmap.renaming.seed)
    found.compare(FORMULA, cnf_text(instance.cnf), f"the formula that the encoding {vmap.encoding} makes of the puzzle")
    found.compare(MAP, map_text(instance), f"the map that the encoding {vmap.encoding} makes of the puzzle")
    yield f"{FORMULA} and {MAP} are what the encoding {vmap.encoding} makes of the puzzle"
