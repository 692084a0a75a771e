"""Whether a certificate shows what it claims of a puzzle: evidence (`evidence.certificate`), words, boards, formula.

    verify_certificate("cat.certificate").sentence      # Verified. This puzzle has exactly one solution: 24x20 nonogram "Cat"

Every word of the folder is made anew from what is in it and compared. With `encoding` the puzzle is read once more from the file
that was given, and its formula made once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.readers.strictjson import member, parse_json, parse_object
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.certificate import (
    BOARD,
    FORMULA,
    MODEL,
    PROJECTION,
    RULES,
    SECOND,
    Damaged,
    Opened,
    open_certificate,
    verify_opened,
)
from cnfgen_puzzles.evidence.certificate.checks import cnf_in, cnf_text, model_in, projection_text, same_bytes, same_words
from cnfgen_puzzles.families import Board, Family, Puzzle, find_family
from cnfgen_puzzles.formula import Cnf, VariableMap
from cnfgen_puzzles.pipeline.certificates.certify import canonical, drawn_board, map_text
from cnfgen_puzzles.pipeline.certificates.claims import (
    CLAIMS,
    DRAWN,
    DRAWN_SECOND,
    JSON_BOARD,
    JSON_SECOND,
    MAP,
    heading,
    sections,
)
from cnfgen_puzzles.pipeline.certificates.facts import Facts, check_comparison, comparison
from cnfgen_puzzles.pipeline.instance import DAMAGE, Instance, make_instance, puzzle_of, scrambled
from cnfgen_puzzles.pipeline.request import PUZZLE
from cnfgen_puzzles.pipeline.solve import checked_board
from cnfgen_puzzles.solving.process import Limits

BOARDS = ((MODEL, DRAWN, JSON_BOARD), (SECOND, DRAWN_SECOND, JSON_SECOND))


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

    `encoding`: read the puzzle and make its formula once more. `checker`: the one for proofs, by default all that are there;
    `limits` are for each call of one.
    """
    with doing("looking at the files"):
        opened = open_certificate(Path(folder))
    if "family" not in opened.manifest.details:
        return _of_formula(opened, encoding, checker, limits)
    facts = facts_in(opened)
    for found, expected, what in (
        (opened.manifest.statement, CLAIMS[facts.details["claim"]].statement, "statement"),
        (opened.manifest.claim, heading(facts), "claim"),
        (opened.manifest.sections, sections(facts), "sections"),
    ):
        if found != expected and (what == "statement" or not opened.other_words):
            raise Damaged(f"its {what} is not what its files say", source=str(opened.folder / "certificate.json"))
    sentences = [*_of_puzzle(opened, facts)]
    with doing("checking the evidence"):
        sentences += verify_opened(opened, checker, limits, _refute).sentences
    if encoding:
        sentences += _anew(opened, facts)
    return CertificateCheck(
        opened.folder, facts.details["claim"], heading(facts), tuple(sentences), encoding and facts.vmap is not None
    )


def _of_formula(opened: Opened, encoding: bool, checker: str | None, limits: Limits | None) -> CertificateCheck:
    """A certificate that speaks of a formula alone, of no puzzle."""
    from cnfgen_puzzles.counting.proving.cubes import check_words

    claim = check_words(opened)
    if encoding:
        raise InputError(
            "found --encoding and a certificate of a formula, which no puzzle was encoded into", source=str(opened.folder)
        )
    with doing("checking the evidence"):
        sentences = verify_opened(opened, checker, limits, _refute).sentences
    return CertificateCheck(opened.folder, "models", claim, sentences, False)


def _refute(formula: Cnf, cubes: Sequence[tuple[int, ...]]) -> None:
    from cnfgen_puzzles.counting.proving.cubes import refute_anew  # compiles

    refute_anew(formula, cubes)


def facts_in(opened: Opened) -> Facts:
    """What the folder says of its puzzle."""
    details, manifest = opened.manifest.details, str(opened.folder / "certificate.json")
    try:
        claim, origin = member(details, "claim", str), member(details, "origin", dict)
        family = find_family(member(details, "family", str))
        member(details, "argument", str)
        if claim not in CLAIMS:
            raise ValueError(f"found the claim {claim!r:.40}, expected one of {', '.join(CLAIMS)}")
        if "file" in origin and origin["file"] not in opened.manifest.files:
            raise ValueError(f"names no file {origin['file']!r:.80}, from which the puzzle came")
        pieces = details["pieces"]
        if pieces is not None and (not isinstance(pieces, list) or not all(type(number) is int for number in pieces)):
            raise ValueError("found pieces that are no list of numbers")
    except KeyError as error:
        raise Damaged(f"has no {error} in its details", source=manifest) from None
    except (TypeError, ValueError, InputError) as error:
        raise Damaged(str(error), source=manifest) from None
    puzzle = _puzzle(opened, family)
    vmap: VariableMap | None = None
    if MAP in opened.manifest.files:
        vmap = _damage(lambda: VariableMap.from_json(opened.text(MAP), str(opened.folder / MAP)))
    try:
        check_comparison(details["compared"], comparison(family, vmap))
    except KeyError as error:
        raise Damaged(f"has no {error} in its details", source=manifest) from None
    except ValueError as error:
        raise Damaged(str(error), source=manifest) from None
    return Facts(family, puzzle, vmap, details, frozenset(opened.manifest.files))


def _damage(read: Any) -> Any:
    """What a reader gives; what it refuses is damage here."""
    try:
        return read()
    except InputError as error:
        raise Damaged(error.message, source=error.source, line=error.line) from None


def _puzzle(opened: Opened, family: Family) -> Puzzle:
    path = str(opened.folder / PUZZLE)
    entry = _damage(lambda: parse_object(opened.data(PUZZLE), "a puzzle", source=path))
    try:
        puzzle: Puzzle = family.puzzle_from_json(entry)
        expected = canonical(family.puzzle_to_json(puzzle))
    except (InputError, *DAMAGE) as error:
        raise Damaged(f"describes no {family.name}: {error!s:.200}", source=path) from None
    same_words(opened, PUZZLE, expected, "a puzzle in canonical form")
    return puzzle


# -- what is checked of the puzzle ----------------------------------------------------------------------------------------


def _of_puzzle(opened: Opened, facts: Facts) -> Iterator[str]:
    """The map belongs to the formula and to the puzzle, the boards are those of the models and obey the rules."""
    family, puzzle, vmap = facts.family, facts.puzzle, facts.vmap
    if (FORMULA in facts.files) != (vmap is not None):
        raise Damaged(f"{FORMULA} and {MAP} go together", source=str(opened.folder))
    if vmap is not None:
        cnf = cnf_in(opened, FORMULA)
        map_name = str(opened.folder / MAP)
        _damage(lambda: vmap.check_belongs(cnf, map_name=map_name, cnf_name=FORMULA))
        _check_puzzle_of_map(opened, facts, vmap)
        instance = Instance(family, puzzle, cnf, vmap)
        same_bytes(opened, PROJECTION, projection_text(instance.projection), f"the projection set of {MAP}")
        yield f"{MAP} belongs to {FORMULA} and speaks of the puzzle"
    boards = []
    for model, drawn, listed in BOARDS[: CLAIMS[facts.details["claim"]].boards]:
        board = _board(opened, facts, model, listed)
        same_words(opened, drawn, drawn_board(family, puzzle, board), f"the board of {listed}")
        text = canonical(family.board_to_json(puzzle, board))
        same_words(opened, listed, text, "a board in canonical form")
        if canonical(family.board_to_json(puzzle, _listed_board(opened, facts, listed))) != text:
            raise Damaged(f"is another board than that of {model}", source=str(opened.folder / listed))
        yield f"the board in {listed if opened.other_words else drawn} obeys the rules of the puzzle"
        boards.append(board)
    if RULES in facts.files and boards and not opened.other_words:
        rules = family.rules_in_awk(puzzle, boards[0])
        if rules is None:
            raise Damaged(f"is no program that {family.name} has for this puzzle", source=str(opened.folder / RULES))
        same_bytes(opened, RULES, rules[0].encode(), "the rules of this puzzle")
        same_bytes(opened, BOARD, rules[1].encode(), f"the board for {RULES}")
    if (check := CLAIMS[facts.details["claim"]].check) is not None:
        yield from check(opened, facts)
    if facts.details["claim"] == "argument":
        found = family.impossible(puzzle)
        if found is None or found != facts.details["argument"]:
            raise Damaged("the argument is not one of this puzzle", source=str(opened.folder / "certificate.json"))
        yield "the argument holds for the puzzle"


def _check_puzzle_of_map(opened: Opened, facts: Facts, vmap: VariableMap) -> None:
    """The map speaks of the puzzle, or of those of its pieces that the manifest numbers."""
    family, source = facts.family, str(opened.folder / MAP)
    expected, numbers = facts.puzzle, facts.details["pieces"]
    if vmap.family != family.name:
        raise Damaged(f"is of the family {vmap.family!r:.40}, the manifest says {family.name}", source=source)
    if numbers is not None:
        try:
            expected = part_of(family, facts.puzzle, vmap, numbers)
        except (InputError, *DAMAGE) as error:
            raise Damaged(f"its puzzle is no part of {PUZZLE}: {error!s:.200}", source=source) from None
    told = dict(vmap.puzzle)
    if opened.other_words:  # its JSON may have had another form
        told = dict(family.puzzle_to_json(_damage(lambda: puzzle_of(vmap, source))[1]))
    if canonical(told) != canonical(family.puzzle_to_json(expected)):
        raise Damaged(f"speaks of another puzzle than {PUZZLE}", source=source)


def part_of(family: Family, puzzle: Puzzle, vmap: VariableMap, numbers: Collection[int]) -> Puzzle:
    """The puzzle of some of the pieces, as the loop made it."""
    if family.refinement is None:
        raise ValueError(f"{family.name} has no pieces")
    refinement = family.refinement(puzzle, family.encoding(vmap.encoding), **vmap.options)
    if not all(0 <= number < refinement.total for number in numbers):
        raise ValueError(f"found pieces beyond the {refinement.total} that there are")
    refinement.add(numbers)
    part: Puzzle = refinement.part()
    return part


def _listed_board(opened: Opened, facts: Facts, listed: str) -> Board:
    entry = parse_json(opened.data(listed), "a board", source=str(opened.folder / listed))
    try:
        board: Board = facts.family.board_from_json(facts.puzzle, entry)
    except (InputError, *DAMAGE) as error:
        raise Damaged(f"describes no board: {error!s:.200}", source=str(opened.folder / listed)) from None
    return board


def _board(opened: Opened, facts: Facts, model: str, listed: str) -> Board:
    """The board of a model, or where there is no formula that of the JSON; it obeys the rules."""
    family, puzzle, vmap = facts.family, facts.puzzle, facts.vmap
    name = listed if vmap is None else model
    try:
        if vmap is None:
            board = _listed_board(opened, facts, listed)
            faults = family.check(puzzle, board)
            if faults:
                raise CnfgenError(f"it breaks the rules: {faults[0]:.200}")
            return board
        values = model_in(opened, model, vmap.formula["variables"])
        return checked_board(family, puzzle, vmap, values)
    except Damaged:
        raise
    except (CnfgenError, *DAMAGE) as error:
        raise Damaged(f"stands for no solution: {error!s:.300}", source=str(opened.folder / name)) from None


# -- once more from the puzzle -----------------------------------------------------------------------------------------------


def _anew(opened: Opened, facts: Facts) -> Iterator[str]:
    """The puzzle is read or made once more, and its formula is, too; both are those of the folder."""
    family, origin = facts.family, facts.details["origin"]
    expected, told = opened.data(PUZZLE), ""
    try:
        with doing("reading the puzzle once more"):
            match origin:
                case {"file": str(name), "suffix": str(suffix), "options": dict(options)}:
                    puzzle = family.read(Source(name, opened.data(name), suffix), **options)
                    told = f"{name}, read once more, is {PUZZLE}"
                case {"generator": str(name), "seed": int(seed), "options": dict(options)}:
                    puzzle = family.generate(name, seed, **options)
                    told = f"the generator {name}, called once more, makes {PUZZLE}"
                case {"options": dict(options)}:
                    puzzle = family.read(None, **options)
                    told = f"the options, read once more, give {PUZZLE}"
    except (InputError, *DAMAGE) as error:
        raise Damaged(f"the puzzle cannot be had once more: {error!s:.300}", source=str(opened.folder)) from None
    if told:
        if canonical(family.puzzle_to_json(puzzle)) != expected:
            raise Damaged("is another puzzle than the one that was given", source=str(opened.folder / PUZZLE))
        yield told
    if facts.vmap is not None:
        yield _encoded_anew(opened, facts, facts.vmap)


def _encoded_anew(opened: Opened, facts: Facts, vmap: VariableMap) -> str:
    _, puzzle = puzzle_of(vmap, str(opened.folder / MAP))
    try:
        instance = make_instance(facts.family, puzzle, vmap.encoding, **vmap.options)
    except (InputError, *DAMAGE) as error:
        raise Damaged(f"the puzzle cannot be encoded once more: {error!s:.300}", source=str(opened.folder / MAP)) from None
    if vmap.renaming is not None:
        instance = scrambled(instance, vmap.renaming.seed)
    same_bytes(opened, FORMULA, cnf_text(instance.cnf), f"the formula that the encoding {vmap.encoding} makes of the puzzle")
    same_bytes(opened, MAP, map_text(instance), f"the map that the encoding {vmap.encoding} makes of the puzzle")
    return f"{FORMULA} and {MAP} are what the encoding {vmap.encoding} makes of the puzzle"
