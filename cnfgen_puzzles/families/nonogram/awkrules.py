"""The rules of nonograms as a short awk program with the clues of a puzzle. Certificates contain it, so that checking a picture
needs nothing else. It reads the picture, one row per line, with `#` for black and `.` for white cells, or with a letter for each
color, `a` for the first.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping

from cnfgen_puzzles.families.awktemplate import fill, template
from cnfgen_puzzles.families.nonogram.puzzle import Board, Clue, Known, Nonogram


def rules(puzzle: Nonogram, board: Board) -> tuple[str, str] | None:
    """The program, and the picture as its input; None for more colors than letters."""
    size = {"WIDTH": puzzle.width, "HEIGHT": puzzle.height}
    lines = {kind: puzzle.lines(kind) for kind in ("row", "column")}
    return fill_rules(template(__file__, "rules"), size, lines, puzzle.inks, board, puzzle.known)


def fill_rules(
    program: str,
    sizes: Mapping[str, int],
    lines: Mapping[str, Iterable[tuple[Clue, tuple[int, ...]]]],
    inks: int,
    board: Board,
    known: Known = (),
) -> tuple[str, str] | None:
    """The program with all its words filled in, and the picture as its input; None for more colors than letters.

    `sizes` are words of this program. `lines` are the clues with their colors, by the name of the array that holds them.
    """
    several = inks > 1
    letters = string.ascii_letters[:inks] if several else "#"
    if inks > len(letters):
        return None
    signs = "." + letters

    def clue(line: tuple[Clue, tuple[int, ...]]) -> str:
        return " ".join(f"{block}{signs[colour] if several else ''}" for block, colour in zip(*line, strict=True))

    arrays = {kind: [*map(clue, each)] for kind, each in lines.items()}
    arrays["known"] = ["".join("?" if cell is None else signs[cell] for cell in line) for line in known]
    entries = ((name, n, text) for name, texts in arrays.items() for n, text in enumerate(texts, start=1))
    words = {
        **sizes,
        "FUNCTIONS": template(__file__, "runs"),
        "KNOWN": template(__file__, "known") + "\n" if known else "",
        "ALL": letters,
        "TOLD": "n sign" if several else "n",
        "SIGNS": f"'{letters[0]}' to '{letters[-1]}' are cells of colors 1 to {inks}" if several else "'#' is a black cell",
        "GROUND": "background" if several else "white",
        "RUNS": "lengths and colors of the runs of equal cells" if several else "lengths of the runs of black cells",
        "CLUES": "\n".join(f'    {name}[{n}] = "{text}"' for name, n, text in entries),
    }
    return fill(program, words) + "\n", "".join("".join(signs[cell] for cell in row) + "\n" for row in board)
