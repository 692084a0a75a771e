"""Tests for third-party families: `check_family` compares a family with its contract by independent methods.

    from cnfgen_puzzles.testing import check_family

    def test_my_family():
        print("\\n".join(check_family(FAMILY)))

It tests the requirements of docs/how-to/adding-a-family.md on small puzzles by brute force: all models of a formula by
splitting, all boards by all sets of projection variables (if these are few), and all orbits and exact covers from all
solutions. Then it runs every command on the family, in this process. It cannot test whether the rules are those that the author
intends; use published counts for that.
"""

from __future__ import annotations

import json
import random
import tempfile
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.formula import Cnf, Formula
from cnfgen_puzzles.formula.exactcover import ExactCover

MOST_TRIED = 12
"""The most projection variables of a puzzle for which all sets (4,096) are tried."""
DAMAGED = 40
"""Number of damaged files and damaged JSON puzzles for each puzzle."""

Board = Any
Puzzle = Any
Solution = frozenset[int]
"""The true variables of the projection set."""


def check_family(
    family: Family, puzzles: Iterable[Puzzle] = (), *, solutions: Callable[[Puzzle], Iterable[Board]] | None = None, seed: int = 1
) -> list[str]:
    """Compare a family with its contract. An AssertionError names the violated requirement and the puzzle.

    `puzzles` are small puzzles in addition to the family's `small_puzzles`. `solutions` computes all boards of a puzzle
    independently, for puzzles with too many variables to try all sets. The result lists what was shown, in sentences.
    """
    small = [*family.small_puzzles(), *puzzles]
    assert small, f"{family.name}: small_puzzles gives none, so nothing can be shown"
    _check_declarations(family)
    chance, notes, tried, found = random.Random(seed), dict[str, None](), 0, 0
    for puzzle in small:
        check = _PuzzleCheck(family, puzzle, chance, notes)
        truth = None if solutions is None else sorted(map(check.key, solutions(puzzle)))
        boards, by_rules = check.encodings(truth)
        check.words_and_json()
        check.formats()
        check.boards(boards)
        tried += by_rules
        found += len(boards)
    assert found, f"{family.name}: no small puzzle has a solution"
    _check_options(family, small[0])
    _check_generators(family)
    notes |= dict.fromkeys(_check_commands(family, small))
    message = f"{tried} of {len(small)} puzzles: the models of every encoding are all boards that obey the rules"
    if tried < len(small):
        message += "; of the others only that all encodings have the same models, each of which obeys the rules"
    return [message, *notes]


class _PuzzleCheck:
    """The tests of one puzzle; their results go to the notes."""

    def __init__(self, family: Family, puzzle: Puzzle, chance: random.Random, notes: dict[str, None]):
        self.family, self.puzzle, self.chance, self.notes = family, puzzle, chance, notes
        self.name = family.describe(puzzle)

    def key(self, board: Board) -> str:
        """The JSON of a board; equal boards have equal keys."""
        return json.dumps(self.family.board_to_json(self.puzzle, board), sort_keys=True)

    # -- formulas ---------------------------------------------------------------------------------------------------------

    def encodings(self, truth: list[str] | None) -> tuple[list[Board], bool]:
        """Test that every encoding has a model for each valid board, and no other. Returns all boards, and whether their keys,
        the `truth`, are independent of the encodings."""
        family, puzzle, by_rules = self.family, self.puzzle, truth is not None
        boards: list[Board] = []
        lazy = family.refinement.encodings if family.refinement else ()
        for encoding in (each for each in family.encodings if each not in lazy):
            name, formula = f"{self.name}, {encoding}", family.encode(puzzle, encoding)
            assert len(set(formula.projection)) == len(formula.projection), f"{name}: a variable twice in the projection"
            found = _solutions(formula)
            boards = [family.decode(puzzle, formula.blocks, true) for true in found]
            for board in boards:
                assert (broken := family.check(puzzle, board)) == [], f"{name}: a model breaks the rules: {broken}"
            keys = sorted(map(self.key, boards))
            assert len(set(keys)) == len(keys), f"{name}: two solutions decode to the same board"
            if truth is None and len(formula.projection) <= MOST_TRIED:
                truth, by_rules = self.boards_tried(formula), True
            truth = keys if truth is None else truth
            assert keys == truth, f"{name}: {len(keys)} boards by models, {len(truth)} by the rules"
            argument = family.impossible(puzzle)
            assert not (found and argument), f"{name}: argues that there is no solution ({argument}), but there is one"
            self.counting(encoding, formula, found)
        return boards, by_rules

    def boards_tried(self, formula: Formula) -> list[str]:
        """All valid boards that some set of projection variables represents."""
        found = set()
        for count in range(len(formula.projection) + 1):
            for true in combinations(formula.projection, count):
                try:
                    board = self.family.decode(self.puzzle, formula.blocks, frozenset(true))
                    if not self.family.check(self.puzzle, board):
                        found.add(self.key(board))
                except (LookupError, TypeError, ValueError, AttributeError):
                    continue
        return sorted(found)

    def counting(self, encoding: str, formula: Formula, found: Sequence[Solution]) -> None:
        """Test that the family's data for counting hold for every solution."""
        name, counting, puzzle, blocks = f"{self.name}, {encoding}", self.family.counting, self.puzzle, formula.blocks
        if (symmetry := counting.symmetry(puzzle, blocks)) is not None:
            for true in found:
                assert isinstance(symmetry.canonical(true)[0], Hashable), f"{name}: canonical gives what cannot be hashed"
            orbits = Counter(json.dumps(symmetry.canonical(true), sort_keys=True) for true in found)
            for text, number in orbits.items():
                size = json.loads(text)[1]
                assert size == number, f"{name}: an orbit of {size} solutions, found {number} of them"
                assert symmetry.order % number == 0, f"{name}: {number} solutions in an orbit of a group of {symmetry.order}"
            self.notes["symmetry: every orbit has as many solutions as it says"] = None
            self.representatives(encoding, orbits)
        if (cover := counting.exact_cover(puzzle, blocks)) is not None:
            assert _covers(cover) == set(found), f"{name}: the exact cover has other solutions"
            self.notes["exact cover: the same solutions"] = None
        if counting.antichain(puzzle, blocks):
            assert not any(one < other for one in found for other in found), f"{name}: is declared an antichain, but is none"
            self.notes["antichain: no solution is part of another"] = None
        if (cubes := counting.cubes(puzzle, blocks)) is not None:
            for true in found:
                met = sum(all((abs(literal) in true) == (literal > 0) for literal in cube) for cube in cubes)
                assert met == 1, f"{name}: a solution satisfies {met} of the cubes, expected one"
            self.notes["cubes: every solution satisfies exactly one"] = None

    def representatives(self, encoding: str, orbits: Counter[str]) -> None:
        """Test that the options for counting keep at least one solution of every orbit."""
        family = self.family
        known = {option.name for option in family.encoding(encoding).options}
        options = {name: value for name, value in family.counting.options.items() if name in known}
        formula = family.encode(self.puzzle, encoding, **options)
        symmetry = family.counting.symmetry(self.puzzle, formula.blocks)
        assert symmetry is not None
        kept = {json.dumps(symmetry.canonical(true), sort_keys=True) for true in _solutions(formula)}
        assert len(kept) == len(orbits), f"{self.name}, {encoding}: with {options} {len(kept)} orbits are left of {len(orbits)}"

    # -- words, JSON, files, pictures -------------------------------------------------------------------------------------

    def words_and_json(self) -> None:
        """Test the description and the size of the puzzle, that JSON preserves it, and that damaged JSON is refused."""
        family, puzzle, name = self.family, self.puzzle, self.name
        assert "\n" not in name and name.strip(), "describe gives a line"
        assert all(type(value) is int and value >= 0 for value in family.size(puzzle).values()), "sizes are whole numbers"
        entry = json.loads(json.dumps(family.puzzle_to_json(puzzle)))
        again = family.puzzle_from_json(entry)
        assert family.puzzle_to_json(again) == family.puzzle_to_json(puzzle), f"{name}: is another puzzle after JSON"
        for _ in range(DAMAGED):
            damaged = _damaged_json(entry, self.chance)
            try:
                family.puzzle_from_json(damaged)
            except (KeyError, TypeError, ValueError):
                continue
            except Exception as error:
                raise AssertionError(f"{name}: {type(error).__name__} from damaged JSON {damaged!r:.200}") from error

    def formats(self) -> None:
        """Test that a format reads what it writes, except for descriptions; everything else must be an InputError."""
        family, puzzle = self.family, self.puzzle
        for entry in family.formats.values():
            try:
                text = family.write(puzzle, entry.name)
            except InputError:  # the format is read-only, or cannot represent this puzzle
                continue
            if entry.readable:
                again = family.parse(Source("written", text.encode()), format=entry.name)
                before, after = (family.puzzle_to_json(each) | {"about": None} for each in (puzzle, again))
                # a format may represent it in another way, such as a plane board in space
                same = before == after or len(_solutions(family.encode(again))) == len(_solutions(family.encode(puzzle)))
                assert same, f"{self.name}: is another puzzle after {entry.name}"
                kept = "the same puzzle" if before == after else "a puzzle with as many boards"
                self.notes[f"format {entry.name}: {kept} after writing and reading; damaged files are InputErrors"] = None
            for _ in range(DAMAGED):
                self.read_damaged(entry.name, _damaged_bytes(text.encode(), self.chance))

    def read_damaged(self, format: str, data: bytes) -> None:
        """Test that damaged data are a puzzle or an InputError, with and without the name of the format."""
        for options in ({}, {"format": format}):
            try:
                with warnings.catch_warnings(action="ignore", category=InputWarning):  # a reader may accept the data
                    self.family.read(Source("damaged", data), **options)
            except InputError:
                continue
            except Exception as error:
                message = f"{self.family.name}: {type(error).__name__} from the damaged file {data!r:.200}"
                raise AssertionError(message) from error

    def boards(self, boards: Sequence[Board]) -> None:
        """Test that JSON preserves boards, views draw them, and differences distinguish them."""
        family, puzzle, name = self.family, self.puzzle, self.name
        for board in boards[:5]:
            again = family.board_from_json(puzzle, json.loads(json.dumps(family.board_to_json(puzzle, board))))
            assert self.key(again) == self.key(board), f"{name}: another board after JSON"
            assert not family.differences(puzzle, board, again), f"{name}: a board differs from itself"
            for view in family.views.values():
                drawn = [view.draw(puzzle, board, other) for other in (None, boards[-1])]
                for picture in [*drawn, view.sheet(puzzle, boards[:5])] if view.sheet else drawn:
                    _check_picture(f"{name}, {view.name}", view.suffix, picture)
        if len(boards) > 1:
            assert family.differences(puzzle, boards[0], boards[-1]), f"{name}: two boards without a difference"


def _solutions(formula: Formula) -> list[Solution]:
    """The true projection variables of every model, without duplicates."""
    projection = frozenset(formula.projection)
    return sorted({frozenset(model & projection) for model in models(formula)}, key=sorted)


def _covers(cover: ExactCover) -> set[Solution]:
    """The solutions of an exact cover problem as sets of variables, by a formula whose variable i + 1 is option i."""
    formula = Formula()
    chosen = formula.grid("option", len(cover.options)).variables
    for item in [*cover.primary, *cover.secondary]:
        having = [variable for variable, items in zip(chosen, cover.options, strict=True) if item in items]
        if item in cover.primary:
            formula.add_clause(having)
        formula.add_clauses((-one, -other) for one, other in combinations(having, 2))
    found = {frozenset(cover.variables[v - 1] for v in model if v > 0) for model in models(formula)}
    return {
        each for each in found
        if all(least <= len(each & some) <= (len(each) if most is None else most) for some, least, most in cover.counted)
    }  # fmt: skip


def _check_picture(name: str, suffix: str, picture: str | bytes) -> None:
    assert picture, f"{name}: an empty picture"
    if suffix == ".svg":
        assert ET.fromstring(picture).tag.endswith("svg"), f"{name}: no SVG"
    elif suffix == ".png":
        assert isinstance(picture, bytes) and picture.startswith(b"\x89PNG"), f"{name}: no PNG"
    else:
        assert isinstance(picture, str) and picture.endswith("\n"), f"{name}: text ends with a line end"


# -- declarations, options, generators ----------------------------------------------------------------------------------


def _check_declarations(family: Family) -> None:
    words = family.name.split("-")
    assert all(map(str.isidentifier, words)) and family.summary, "a family has a name of words with hyphens, and a summary"
    assert family.encodings, f"{family.name}: no encoding"
    names = [(n, e.name) for table in (family.encodings, family.formats, family.generators) for n, e in table.items()]
    names += [(name, view.name) for name, view in family.views.items()]
    assert all(name == own for name, own in names), f"{family.name}: an entry under another name than its own"
    assert all(view.suffix.startswith(".") for view in family.views.values()), f"{family.name}: a view's suffix begins with a dot"


def _check_options(family: Family, puzzle: Puzzle) -> None:
    """Test that readers, encodings and generators report a wrong name or value as an InputError, and that defaults are valid."""
    calls: list[tuple[Any, Callable[..., Any]]] = [(family.options, partial(family.read, None))]
    calls += [(each.options, partial(family.generate, name, 1)) for name, each in family.generators.items()]
    calls += [(each.options, partial(family.encode, puzzle, name)) for name, each in family.encodings.items()]
    for options, call in calls:
        wrong = [("no_such_option", "x"), *((option.name, object()) for option in options)]
        wrong += [(option.name, f"{option.choices[0]}?") for option in options if option.choices]
        for name, value in wrong:
            try:
                call(**{name: value})
            except InputError:
                continue
            raise AssertionError(f"{name}={value!r} was let pass, expected an InputError")
        for option in options:
            right = option.default is None or option.value(option.default) == option.default
            assert right, f"{family.name}: a default of {option.name} that is refused"


def _check_generators(family: Family) -> None:
    """Test that a seed determines the puzzle, that another seed gives another one, and that puzzles can be encoded."""
    for name in family.generators:
        made = [family.generate(name, seed) for seed in (1, 1, 2, 3)]
        entries = [json.dumps(family.puzzle_to_json(puzzle), sort_keys=True) for puzzle in made]
        assert entries[0] == entries[1], f"{family.name}: the generator {name} makes two puzzles of one seed"
        assert len(set(entries)) > 1, f"{family.name}: the generator {name} does not look at its seed"
        assert family.encode(made[0]).num_variables, f"{family.name}: what {name} makes has no variables"


# -- damage -------------------------------------------------------------------------------------------------------------


def _damaged_bytes(data: bytes, chance: random.Random) -> bytes:
    """The data with some bytes changed, removed, or repeated; or truncated data; or noise."""
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(60)))
    if kind == 1 or not data:
        return data[: chance.randrange(len(data) + 1)]
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(changed))
        changed[place : place + chance.randrange(2)] = chance.choice(
            (b"", b"0", b"-1", b"\n", b"999999999999", b"x", b"\xff", b" ")
        )
        changed = changed or bytearray(b" ")
    return bytes(changed)


def _damaged_json(entry: Any, chance: random.Random) -> Any:
    """The JSON with one value replaced or removed."""
    if isinstance(entry, dict) and entry and chance.random() < 0.9:
        key = chance.choice(sorted(entry))
        if chance.random() < 0.2:
            return {name: value for name, value in entry.items() if name != key}
        return entry | {key: _damaged_json(entry[key], chance)}
    if isinstance(entry, list) and entry and chance.random() < 0.9:
        place = chance.randrange(len(entry))
        return [*entry[:place], _damaged_json(entry[place], chance), *entry[place + 1 :]]
    return chance.choice((None, True, -1, 10**12, 0.5, "", "x", [], [[]], {}, {"x": 1}, [None]))


# -- commands -----------------------------------------------------------------------------------------------------------


def _check_commands(family: Family, puzzles: Sequence[Any]) -> list[str]:
    """Test every command on the family and a puzzle file; returns the calls."""
    from cnfgen_puzzles import families
    from cnfgen_puzzles.families.detection import third_party_families

    every_family = import_module("cnfgen_puzzles.cli.families").every_family
    registered = family.name not in families.BUILT_IN
    if registered:
        families.REGISTERED[family.name] = family
    third_party_families.cache_clear()
    every_family.cache_clear()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return [f"commands: {each}" for each in _call_commands(family, puzzles, Path(folder))]
    finally:
        if registered:
            del families.REGISTERED[family.name]
        third_party_families.cache_clear()
        every_family.cache_clear()


def _call_commands(family: Family, puzzles: Sequence[Any], folder: Path) -> Iterator[str]:
    """Call all of them; AssertionError for a crash, a wrong exit code, or a wrong answer."""
    made = family.making is not None or family.cutting is not None or family.reducing
    takes = {"explain_puzzle": family.explaining is not None, "make_puzzle": made}
    every = ("gen_cnf", "solve_puzzle", "convert_puzzle", "explain_puzzle", "make_puzzle")
    offered = [name for name in every if takes.get(name, True)]
    for name in offered:
        _call(family, name, family.name, "--help")
        _call(family, name, "--help")  # the output for other families does not change
    _call(family, "gen_cnf", "--list")
    _call(family, "solve_puzzle", "--generate", "none", mistake=True)  # parsed by the options of all families
    yield "helps of " + ", ".join(name.replace("_", "-") for name in offered)
    if not family.reads_file:
        _call(family, "gen_cnf", family.name, mistake=True)  # the default options give a puzzle or a reported error
    files = [(puzzle, written) for puzzle in puzzles if (written := _file_of(family, puzzle)) is not None]
    if not files:
        return
    solvable = next((each for each in files if next(models(family.encode(each[0])), None) is not None), None)
    puzzle, (suffix, content) = solvable or files[0]
    file, cnf = folder / f"puzzle{suffix}", folder / "x.cnf"
    file.write_text(content, encoding="utf-8")
    _call(family, "gen_cnf", family.name, str(file), "-o", str(cnf))
    for entry in family.formats.values():
        if entry.write is not None:
            _call(
                family, "convert_puzzle", family.name, str(file), "--to", entry.name, mistake=True
            )  # the file may lack the puzzle
    yield "gen-cnf, convert-puzzle on a puzzle"
    if family.explaining is not None:
        _call(family, "explain_puzzle", family.name, str(file))
        yield "explain-puzzle on a puzzle"
    yield _call_solvers(family, puzzle, bool(solvable), file, cnf)


def _call_solvers(family: Family, puzzle: Any, solvable: bool, file: Path, cnf: Path) -> str:
    """Test the commands that need a solver, on a puzzle and its formula."""
    from cnfgen_puzzles.pipeline.solve import pick_solver

    try:
        solver = pick_solver()
    except InputError:
        return "not solve-puzzle and decode-cnf: no solver is installed"
    wanted = "SATISFIABLE" if solvable else "UNSATISFIABLE"
    for more in (("--no-proof",), ("--no-proof", "--unique")):
        text = _call(family, "solve_puzzle", family.name, str(file), "--as", "json", "--quiet", "--solver", solver.name, *more)
        assert json.loads(text)["status"] == wanted, f"{family.name}: solve-puzzle {more} does not say {wanted}"
    answer = cnf.with_suffix(".txt")
    answer.write_text(_call(family, "run_cnf", solver.name, str(cnf)), encoding="utf-8")
    entry = json.loads(_call(family, "decode_cnf", "--cnf", str(cnf), "--as", "json", str(answer)))
    assert entry["status"] == wanted, f"{family.name}: decode-cnf does not say {wanted}"
    if solvable:
        wrong = family.check(puzzle, family.board_from_json(puzzle, entry["board"]))
        assert not wrong, f"{family.name}: decode-cnf shows a board that breaks the rules: {wrong}"
    return "solve-puzzle, with --unique, and decode-cnf give a board that obeys the rules"


def _file_of(family: Family, puzzle: Any) -> tuple[str, str] | None:
    """The suffix and the text of a file of the puzzle that can be read again; None if no format can represent it."""
    for entry in family.formats.values():
        if entry.write is not None and entry.readable:
            try:
                return next(iter(entry.suffixes), ""), family.write(puzzle, entry.name)
            except InputError:
                continue
    return None


def _call(family: Family, command: str, *words: str, mistake: bool = False) -> str:
    """The output of the command; AssertionError if it crashes, warns, or reports an error; `mistake` allows an InputError."""
    import click
    from click.testing import CliRunner

    module = import_module(f"cnfgen_puzzles.cli.{command}")
    message = f"{family.name}: {command.replace('_', '-')} {' '.join(words)}"
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("default", InputWarning)
        done = CliRunner().invoke(getattr(module, "COMMAND", None) or module.command, list(words), standalone_mode=False)
    if isinstance(done.exception, InputError | click.ClickException):
        assert mistake, f"{message}: {done.exception}"
    elif done.exception is not None and not isinstance(done.exception, SystemExit):
        raise AssertionError(f"{message}: {type(done.exception).__name__}: {done.exception}") from done.exception
    return done.stdout


# -- brute force --------------------------------------------------------------------------------------------------------


def models(cnf: Cnf) -> Iterator[frozenset[int]]:
    """Every total model, as the set of its true literals."""
    waiting = [(list(map(frozenset, cnf.clauses())), frozenset[int]())]
    while waiting:
        propagated = propagate(*waiting.pop())
        if propagated is None:
            continue
        clauses, true = propagated
        free = next((v for v in range(1, cnf.num_variables + 1) if v not in true and -v not in true), None)
        if free is None:
            yield true
        else:
            waiting += [(clauses, true | {-free}), (clauses, true | {free})]


def propagate(clauses: list[frozenset[int]], chosen: frozenset[int]) -> tuple[list[frozenset[int]], frozenset[int]] | None:
    """The clauses that remain under `chosen` and its unit consequences, and those consequences; None on a contradiction."""
    true = set(chosen)
    while True:
        open_clauses: list[frozenset[int]] = []
        units: set[int] = set()
        for clause in clauses:
            if clause & true:
                continue
            rest = frozenset(literal for literal in clause if -literal not in true)
            if not rest:
                return None
            if len(rest) == 1:
                units |= rest
            open_clauses.append(rest)
        if any(-unit in units for unit in units):
            return None
        if not units:
            return open_clauses, frozenset(true)
        true |= units
        clauses = open_clauses
