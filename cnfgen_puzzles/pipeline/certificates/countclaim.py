"""What a certificate of a count claims of a puzzle, in words, and what is checked of its boards. `countcertificate` writes it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.evidence.allmodels import images, shown
from cnfgen_puzzles.evidence.certificate import FORMULA, PROJECTION, Damaged, Opened
from cnfgen_puzzles.evidence.certificate.checks import cnf_in, same_bytes
from cnfgen_puzzles.evidence.certificate.complete import solutions_in, symmetries_in
from cnfgen_puzzles.evidence.certificate.completewords import composition
from cnfgen_puzzles.evidence.certificate.names import SOLUTIONS, SYMMETRIES
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.pipeline.certificates.facts import Facts
from cnfgen_puzzles.pipeline.solve import obeying

BOARDS = "boards.jsonl"


def board_line(family: Family, puzzle: Puzzle, blocks: Mapping[str, Block], true: Collection[int], orbit: int) -> str:
    """A line of BOARDS; CnfgenError unless the board obeys the rules."""
    board = obeying(family, puzzle, family.decode(puzzle, blocks, true))
    return json.dumps({"orbit": orbit, "board": family.board_to_json(puzzle, board)}) + "\n"


def count_heading(facts: Facts) -> str:
    counted, convention = facts.details["counted"], facts.details["convention"]
    number = counted["orbits"] if convention else counted["solutions"]
    how_many = f"exactly {number} solution{'s' * (number != 1)}" if number else "no solution"
    whole = f" {convention}, {counted['solutions']} in all" if convention else ""
    return f"This puzzle has {how_many}{whole}: {facts.described}"


def count_meaning(facts: Facts) -> str:
    """The composition in words, for README."""
    counted = facts.details["counted"]
    given = f"""`{SOLUTIONS}` has {counted["solutions"]} solutions, a line each: the variables of `{FORMULA}` that are true. \
`{BOARDS}` has them as boards{", one of each orbit, with its size" if facts.details["convention"] else ""}."""
    return f"{given}\n\n{composition(facts.files, counted['orbits'])}"


def check_count(opened: Opened, facts: Facts) -> Iterator[str]:
    """The boards are those of the solutions, obey the rules, and their orbits are as large as they say."""
    assert facts.vmap is not None  # a statement on a formula has a map
    convention, blocks = facts.details.get("convention"), facts.vmap.blocks
    cnf = cnf_in(opened, FORMULA)
    solutions, symmetries = solutions_in(opened, cnf), symmetries_in(opened)
    family, puzzle, projection = facts.family, facts.puzzle, facts.vmap.projection
    symmetry = family.counting.symmetry(puzzle, blocks) if convention else None
    if convention and (symmetry is None or symmetry.convention != convention or not symmetries):
        raise Damaged(
            f"claims solutions {convention!r:.60}, which is not so of this puzzle", source=str(opened.folder / SYMMETRIES)
        )
    lines, done = [], set[Any]()
    for solution in solutions:
        true = shown(solution, projection)
        try:
            if solution in done:
                obeying(family, puzzle, family.decode(puzzle, blocks, true))
                continue
            orbit = images(solution, symmetries) if convention else {solution}
            lines.append(board_line(family, puzzle, blocks, true, len(orbit)))
        except CnfgenError as error:
            raise Damaged(f"has a solution that is none: {error}", source=str(opened.folder / SOLUTIONS)) from None
        done |= orbit
        if symmetry is not None and symmetry.canonical(true)[1] != len(orbit):
            told = f"{SYMMETRIES} are not all symmetries of the puzzle: an orbit has {len(orbit)} solutions"
            raise Damaged(told, source=str(opened.folder / SYMMETRIES))
    same_bytes(opened, BOARDS, "".join(lines).encode(), f"the boards of {SOLUTIONS}")
    yield f"{len(solutions)} boards obey the rules, {len(lines)} of them stand in {BOARDS}"
    if not {PROJECTION, BOARDS} <= facts.files:
        raise Damaged("is missing", source=str(opened.folder / BOARDS))
