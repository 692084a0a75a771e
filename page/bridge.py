"""The functions of the package that the page calls, in Pyodide.

`call(name, arguments)` takes JSON and returns JSON. The page runs the solver between the calls: `formula`, `another`, and `next`
return DIMACS text, `found` takes a model, and `refuted` takes a proof in LRAT, which the built-in checker checks here.
"""

import json
import re
import warnings
from contextlib import suppress
from dataclasses import replace
from io import BytesIO

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.builtin import NoProof, check_lrat, lrat_steps
from cnfgen_puzzles.evidence.evidence import CLAIMED, PROOF, Evidence
from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.families.clued.puzzle import shortest_line
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.families.family import svg_of_board
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN
from cnfgen_puzzles.formula import write_dimacs
from cnfgen_puzzles.making.pictures import cells_of, making_of
from cnfgen_puzzles.pipeline.answer import Answer, Status
from cnfgen_puzzles.pipeline.instance import checked_board, make_instance, project_model, symmetry_of, with_blocked

SOLVER, CHECKER = "CaDiCaL", "the built-in checker"
MOST_CLAUSES = 40
"""The most clauses that the page shows of a cell."""
MOST_FORMULA = 4_000_000
"""The most literals of a formula; a larger one belongs to the command line."""
MOST_WARNINGS = 3
"""The most warnings about a puzzle that the page shows."""


class Page:
    """The puzzle of the page, its formula, and the outcomes so far."""

    def ready(self):
        """Nothing: the answer shows that the package is loaded."""

    def read(self, text, name):
        """Read a file, clues, an address of puzz.link, or the words of a command: `maze --kind blocked --size 2x2 --length 3`."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            puzzle = self.parsed(text, name)
        return self.open(*puzzle, text, [str(each.message) for each in caught])

    def parsed(self, text, name):
        """The family of a text, and the puzzle."""
        family, *words = text.split()
        if family in BUILT_IN and words and words[0].startswith("--"):
            if len(words) % 2 or not all(option.startswith("--") for option in words[::2]):
                raise CnfgenError(f"found {' '.join(words)}, expected options with one value each")
            options = {option.removeprefix("--"): value for option, value in zip(words[::2], words[1::2], strict=True)}
            return find_family(family), find_family(family).read(None, **options)
        source = Source(name, text.encode(), f".{name.rpartition('.')[2]}" if "." in name else "")
        family = detect_family(source)
        return family, family.read(source)

    def picture(self, greys, width):
        """The nonogram of a picture, as rows of gray levels; `width` is that of the puzzle in cells."""
        family = find_family("nonogram")
        cells = cells_of([list(map(float, row)) for row in greys], width)
        return self.open(family, making_of(family).puzzle(cells.rows, cells.values, {}))

    def open(self, family, puzzle, text="", warned=()):
        self.family, self.puzzle = family, puzzle
        self.instance = self.cnf = None
        self.boards, self.outcomes, self.orbits = [], [], []
        blank = family.blank(puzzle)
        written = dict(texts(family, puzzle))
        return {
            "family": family.name,
            "title": family.describe(puzzle),
            "warnings": list(warned[:MOST_WARNINGS]),
            "svg": None if blank is None else svg_of_board(family, puzzle, blank),
            "formats": {name: family.formats[name].title for name in written},
            "text": text or next(iter(written.values()), ""),
            "colored": bool(getattr(puzzle, "colors", ())),
            "hints": family.explaining is not None,
            "cells": self.cells(),
        }

    def cells(self):
        """The place and size of the cells in the picture; None if the board does not consist of squares."""
        if not hasattr(self.family, "viewer") or self.family.name == "triddler":
            return None
        viewer = self.family.viewer()
        left, top = viewer.origin(self.puzzle, viewer.svg_cell)
        height, width = self.family.shape(self.puzzle)
        return {"left": left, "top": top, "cell": viewer.svg_cell, "width": width, "height": height}

    def clue(self, row, column):
        """The clue of a cell as text; in a nonogram, that of a row (column -1) or column (row -1). None if there is none."""
        if self.family.name == "nonogram":
            lines = list(self.puzzle.lines("row" if column < 0 else "column"))
            return None if (row < 0) == (column < 0) else self.puzzle.clue_text(*lines[max(row, column)])
        if not getattr(self.puzzle, "numbers", ()) or row < 0 or column < 0:
            return None
        return {NONE: "", UNKNOWN: "?"}.get(number := self.puzzle.numbers[row][column], str(number))

    def edit(self, row, column, text):
        """The puzzle with another clue."""
        if self.family.name == "nonogram":
            changed = self.with_line("row" if column < 0 else "column", max(row, column), text)
        else:
            numbers = [list(line) for line in self.puzzle.numbers]
            numbers[row][column] = {"": NONE, "?": UNKNOWN}.get(text.strip()) or number_in(text)
            changed = replace(self.puzzle, numbers=tuple(map(tuple, numbers)))
        try:
            name, written = next(texts(self.family, changed))
        except StopIteration:
            raise InputError(
                f"found the clue {text.strip()}, which no {self.family.title or self.family.name} can have in this cell"
            ) from None
        try:
            return self.read(written, f"edited{self.family.formats[name].suffixes[0]}")
        except InputError as error:
            raise InputError(error.message) from None  # without the name of the file, which exists only here

    def with_line(self, kind, number, text):
        """The nonogram with another clue of a row or column. In a colored nonogram, a sign follows each number."""
        inks = {color.sign: ink for ink, color in enumerate(self.puzzle.palette) if ink}
        shown = "" if len(inks) == 1 else f" with one of {' '.join(inks)} after each"
        blocks = []
        for word in text.replace(",", " ").split():
            found = re.fullmatch("([0-9]{1,4})(.?)", word)
            if found and int(found[1]) == 0 and not found[2]:
                continue
            if not found or int(found[1]) == 0 or (found[2] not in inks if len(inks) > 1 else found[2]):
                raise InputError(
                    f"found {word:.20} in the clue, expected numbers separated by spaces{shown}, or 0 for an empty {kind}"
                )
            blocks.append((int(found[1]), inks.get(found[2], 1)))
        clue, colors = tuple(length for length, _ in blocks), tuple(ink for _, ink in blocks)
        needed, cells = shortest_line(clue, colors), self.puzzle.width if kind == "row" else self.puzzle.height
        if needed > cells:
            raise InputError(f"found the clue {text.strip():.60}, which needs {needed} cells, but the {kind} has {cells}")
        lines = {kind: list(self.puzzle.lines(kind)) for kind in ("row", "column")}
        lines[kind][number] = clue, colors
        parts = {f"{kind}s": tuple(clue for clue, _ in each) for kind, each in lines.items()}
        parts |= {f"{kind}_colors": tuple(colors for _, colors in each) for kind, each in lines.items()}
        return replace(self.puzzle, **parts)

    # -- formulas and answers -----------------------------------------------------------------------------------------------

    def formula(self):
        """The formula of the puzzle, or an argument that there is no solution."""
        self.boards, self.outcomes, self.orbits = [], [], []
        if argument := self.family.impossible(self.puzzle):
            return {"sentence": f"No solution: {argument}."}
        self.cnf = self.encoded().cnf
        facts = {"variables": self.cnf.num_variables, "clauses": self.cnf.num_clauses, "encoding": self.instance.map.encoding}
        return {"cnf": self.dimacs(), **facts}

    def encoded(self):
        """The formula with its variable map. Searches in progress remain as they are."""
        self.instance = self.instance or make_instance(self.family, self.puzzle, self.complete())
        size = len(self.instance.cnf.literals)
        if size > MOST_FORMULA:
            raise CnfgenError(f"the formula has {size:,} literals, more than this page handles; use solve-puzzle")
        return self.instance

    def complete(self):
        """The first encoding that needs no CEGAR loop; None for the default."""
        names = [name for name in self.family.encodings if not self.family.uses_cegar(name)]
        return names[0] if self.family.refinement and names else None

    def dimacs(self):
        stream = BytesIO()
        write_dimacs(self.cnf, stream, [])
        return stream.getvalue().decode()

    def convert(self, format):
        """The puzzle in this format."""
        return self.family.write(self.puzzle, format)

    def download(self):
        """The DIMACS file with its variable map in comments."""
        stream = BytesIO()
        self.encoded().write(stream)
        return stream.getvalue().decode()

    def found(self, model):
        """The checked board of a model, and the difference from the board before."""
        if (clause := self.cnf.falsified_clause(model)) is not None:
            raise CnfgenError(f"the solver's model falsifies clause {clause}")
        board = checked_board(self.family, self.puzzle, self.instance.map, model)
        before = self.boards[-1] if self.boards else None
        self.boards.append(board)
        symmetry = symmetry_of(self.instance) if self.instance.map.up_to else None
        self.orbits.append(symmetry.canonical(project_model(self.instance, model))[1] if symmetry else 1)
        self.outcomes.append(self.outcome(Status.SATISFIABLE, board=board, model=tuple(model)))
        svg = svg_of_board(self.family, self.puzzle, board)
        text = next(view for view in self.family.views.values() if view.suffix == ".txt").draw(self.puzzle, board, None)
        other = svg_of_board(self.family, self.puzzle, before, board) if before is not None and svg else None
        return {"svg": svg, "text": text, "before": other, "sentence": self.sentence(), "boards": len(self.boards)}

    def another(self):
        """The formula without the last board."""
        self.cnf = with_blocked(self.cnf, self.instance.projection, self.outcomes[-1].model)
        return {"cnf": self.dimacs()}

    def refuted(self, proof):
        """The verdict on an LRAT proof that the formula has no model."""
        try:
            check_lrat(self.cnf, lrat_steps(proof.encode()))
            evidence = Evidence(PROOF, CHECKER)
        except NoProof as error:
            evidence = Evidence(CLAIMED, SOLVER, f"the proof was refused: {error}")
        self.outcomes.append(self.outcome(Status.UNSATISFIABLE, basis=evidence))
        return {"sentence": self.sentence(), "boards": len(self.boards)}

    def outcome(self, status, **found):
        instance = self.instance
        return Answer(family=self.family, puzzle=self.puzzle, encoding=instance.map.encoding, status=status, **found)

    def sentence(self):
        """The sentence of the library on the outcomes so far; for three and more boards, their number."""
        up_to = self.instance.map.up_to
        if len(self.boards) > 2 or (len(self.boards) == 2 and len(self.outcomes) == 3):
            words = f"{len(self.boards)} solutions{' ' + up_to if up_to else ''}"
            words += f"; {sum(self.orbits)} in all" if up_to and self.orbits[-1] else ""
            last = self.outcomes[-1]
            return f"{words}{last.grounds}." if last.status == Status.UNSATISFIABLE else f"At least {words}."
        if len(self.outcomes) == 1:
            return self.outcomes[0].sentence()
        return self.outcomes[0].with_second(*self.outcomes[1:], up_to=up_to, orbit=self.orbits[0]).sentence()

    # -- explanations --------------------------------------------------------------------------------------------------------

    def hint(self, number):
        """The first steps of the solution without search; `number` steps that decide a cell."""
        found = self.family.explaining(self.puzzle, most=number)
        svg = svg_of_board(self.family, self.puzzle, found.board) if found.board is not None else None
        steps = [step.text for step in found.steps]
        return {"steps": steps, "svg": svg, "sentence": found.sentence, "done": found.status != "UNKNOWN"}

    def clauses_of(self, row, column):
        """The variables of a cell and clauses that contain them, as texts and with the cells of their variables."""
        instance = self.encoded()
        names, cells, chosen = {}, {}, set()
        for block in instance.map.blocks.values():
            for key, variable in block.items():
                names[variable] = f"{block.name}[{', '.join(map(str, key))}]"
                if not block.auxiliary and len(key) >= 2:
                    cells[variable] = tuple(key[:2])
                    if tuple(key[:2]) == (row, column):
                        chosen.add(variable)
        shown, total = [], 0
        for clause in instance.cnf.clauses():
            if any(abs(literal) in chosen for literal in clause):
                total += 1
                if len(shown) < MOST_CLAUSES:
                    words = [("¬" if x < 0 else "") + names.get(abs(x), f"x{abs(x)}") for x in clause]
                    shown.append({"text": " ∨ ".join(words), "cells": sorted({cells[abs(x)] for x in clause if abs(x) in cells})})
        return {"variables": [names[variable] for variable in sorted(chosen)], "clauses": shown, "total": total}


def texts(family, puzzle):
    """The puzzle in each format that can express it, by name."""
    for name, entry in family.formats.items():
        if entry.write is not None:
            with suppress(InputError):
                yield name, family.write(puzzle, name)


def number_in(text):
    """The number in a clue that a user typed."""
    if not re.fullmatch("[0-9]{1,4}", text.strip()):
        raise InputError(f"found the clue {text.strip():.20}, expected a whole number, ? for an unknown number, or nothing")
    return int(text)


PAGE = Page()


def call(name, arguments):
    """Call a function of the page. An error of the package becomes `{"error": sentence}`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return json.dumps({"result": getattr(PAGE, name)(**json.loads(arguments))})
        except (CnfgenError, ValueError) as error:
            return json.dumps({"error": str(error)})
