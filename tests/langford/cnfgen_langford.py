"""Langford pairings: a row of 2n cells contains each number k from 1 to n twice, with k cells between the two (OEIS A014552)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from cnfgen_puzzles.families import Counting, Encoding, Option, Puzzle, Symmetry, by_name
from cnfgen_puzzles.families.cells import CellFamily, written_signs
from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.options import amo_option
from cnfgen_puzzles.formula import Formula

SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVW"
MOST = len(SIGNS)


@dataclass(frozen=True, repr=False)
class Langford(Puzzle):
    """The numbers from 1 to `n`."""

    n: int
    width = property(lambda self: 2 * self.n)
    height = 1

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MOST:
            raise ValueError(f"found n = {self.n}, expected 1 to {MOST}")

    def contradictions(self) -> list[str]:
        """The positions of all cells sum to n(2n + 1), those of the pairs to an even number plus 2 + 3 + ... + (n + 1)."""
        parity = f"the sums of all positions and of the pairs differ in parity for n = {self.n}, which is {self.n % 4} modulo 4"
        return [parity] if self.n % 4 in (1, 2) else []


def direct(puzzle: Langford, amo: str = "pairwise") -> Formula:
    """start[k, i]: the number k + 1 is at i and i + k + 2. Each number has one place; each cell has at most one number."""
    formula, n = Formula(), puzzle.n
    start = formula.keyed("start", ((k, i) for k in range(n) for i in range(2 * n - k - 2)))
    formula.projection = start.variables
    for k in range(n):
        formula.exactly_one([start[k, i] for i in range(2 * n - k - 2)], amo)
    for cell in range(2 * n):
        formula.at_most_one([start[k, i] for k in range(n) for i in (cell, cell - k - 2) if 0 <= i < 2 * n - k - 2], amo)
    return formula


class Reversal(Symmetry):
    """A pairing read from right to left is a pairing."""

    order = 2
    convention = "up to reversal"

    def __init__(self, puzzle, start):
        places = [(variable, *key) for key, variable in start.items()]
        self.mirror = {variable: start[k, 2 * puzzle.n - k - 3 - i] for variable, k, i in places}

    def canonical(self, true):
        mine, mirrored = tuple(sorted(true)), tuple(sorted(self.mirror[variable] for variable in true))
        return min(mine, mirrored), 1 if mine == mirrored else 2

    def permutations(self):
        return [{variable: variable for variable in self.mirror}, self.mirror]


class LangfordCounting(Counting):
    def symmetry(self, puzzle, blocks):
        return Reversal(puzzle, blocks["start"])

    def antichain(self, puzzle, blocks):
        return True  # each solution has n true variables


def read(text: str, name: str) -> Langford:
    return Langford(int(text))


class LangfordFamily(CellFamily[Langford]):
    name = "langford"
    summary = "Langford pairings: two of each number k with k cells between them"
    puzzle = Langford
    formats = FormatTable("langford", "the number n of a Langford pairing", [
        Format("langford", "the number n", (".langford",), read=read, write=lambda puzzle: f"{puzzle.n}\n")])  # fmt: skip
    encodings = by_name(Encoding("direct", "a variable for each place of each pair", direct, (amo_option(),)))
    looks = written_signs(SIGNS, first=1)
    capabilities: ClassVar = {"counting": LangfordCounting()}
    reads_file = False
    options = (Option("n", "the numbers are 1 to n", 7, int, least=1, most=MOST), *formats.options)
    examples = ("--n 8",)

    def parse(self, source, **options):
        return Langford(options["n"]) if source is None else super().parse(source, **options)

    def decode(self, puzzle, blocks, true):
        row = [1] * puzzle.width
        for (k, i), variable in blocks["start"].items():
            if variable in true:
                row[i] = row[i + k + 2] = k + 1
        return (tuple(row),)

    def check(self, puzzle, board):
        if wrong := self.misshapen(puzzle, board):
            return wrong
        places = {k: [i for i, number in enumerate(board[0]) if number == k] for k in range(1, puzzle.n + 1)}
        return [f"{k}: at {at}" for k, at in places.items() if len(at) != 2 or at[1] - at[0] != k + 1]

    def small_puzzles(self):
        return [Langford(n) for n in (1, 2, 3, 4)]


FAMILY = LangfordFamily()
