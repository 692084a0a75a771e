"""For the tests of other packages: `check_family` holds a puzzle family against its contract by independent means.

    from cnfgen_puzzles.testing import check_family

    def test_my_family():
        print("\\n".join(check_family(FAMILY)))

It tries what docs/adding-a-family.md promises of every family on small puzzles. The truth is brute force: all models of a formula
by splitting, all boards by trying every set of projection variables (where these are few), all orbits and exact covers by looking
at every solution. At last every command runs on the family, in this process. Not here: whether the rules are those of the puzzle
that its author has in mind; that is what published counts are for.
"""

from __future__ import annotations

import json
import random
import tempfile
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
"""Projection variables of a puzzle whose boards are all tried: so many have 4,096 sets."""
DAMAGED = 40
"""Damaged files, and damaged puzzles as JSON, that are read for each puzzle."""
NO_PUZZLE = (KeyError, TypeError, ValueError)

Board = Any
Puzzle = Any


@dataclass
class _Counts:
    """What was shown, for the report."""

    puzzles: int = 0
    tried: int = 0
    solutions: int = 0
    notes: dict[str, None] = field(default_factory=dict)


def check_family(
    family: Family, puzzles: Iterable[Puzzle] = (), *, solutions: Callable[[Puzzle], Iterable[Board]] | None = None, seed: int = 1
) -> list[str]:
    """Hold a family against its contract; AssertionError says which promise is broken, by which puzzle.

    `puzzles` are more small ones than the family's own `small_puzzles`. `solutions` gives all boards of a puzzle by other means:
    for puzzles with too many variables to try all sets. The result says in sentences what was shown, and what was not.
    """
    small = [*family.small_puzzles(), *puzzles]
    assert small, f"{family.name}: small_puzzles gives none, so nothing can be shown"
    chance, counts = random.Random(seed), _Counts()
    _check_declarations(family)
    for puzzle in small:
        found = _check_encodings(family, puzzle, solutions, counts)
        _check_words(family, puzzle)
        _check_puzzle_json(family, puzzle, chance)
        _check_formats(family, puzzle, chance, counts)
        _check_boards(family, puzzle, found)
        counts.puzzles += 1
        counts.solutions += len(found)
    assert counts.solutions, f"{family.name}: no small puzzle has a solution"
    _check_options(family)
    _check_generators(family)
    counts.notes |= dict.fromkeys(_check_commands(family, small))
    told = f"{counts.tried} of {counts.puzzles} puzzles: the models of every encoding are all boards that obey the rules"
    if counts.tried < counts.puzzles:
        told += "; of the others only that all encodings have the same models, each of which obeys the rules"
    return [told, *counts.notes]


# -- formulas -----------------------------------------------------------------------------------------------------------


def _check_encodings(
    family: Family, puzzle: Puzzle, solutions: Callable[[Puzzle], Iterable[Board]] | None, counts: _Counts
) -> list[Board]:
    """Every encoding has a model for each board that obeys the rules, and no other; all boards."""
    name, truth = family.describe(puzzle), None
    if solutions is not None:
        truth = [_key(family, puzzle, board) for board in solutions(puzzle)]
    boards: list[Board] = []
    for encoding in family.encodings.values():
        formula = family.encode(puzzle, encoding.name)
        assert len(set(formula.projection)) == len(formula.projection), (
            f"{name}, {encoding.name}: a variable twice in the projection"
        )
        found = _solutions(formula)
        boards = [family.decode(puzzle, formula.blocks, true) for true in found]
        for board in boards:
            assert (broken := family.check(puzzle, board)) == [], f"{name}, {encoding.name}: a model breaks the rules: {broken}"
        keys = [_key(family, puzzle, board) for board in boards]
        assert len(set(keys)) == len(keys), f"{name}, {encoding.name}: two solutions of the formula are one board"
        if truth is None and len(formula.projection) <= MOST_TRIED:
            truth = _tried(family, puzzle, formula)
        if truth is None:
            truth = keys
        elif encoding.name == family.default_encoding:
            counts.tried += 1
        assert sorted(keys) == sorted(truth), f"{name}, {encoding.name}: {len(keys)} boards by models, {len(truth)} by the rules"
        if found and (argument := family.impossible(puzzle)):
            raise AssertionError(f"{name}: argues that there is no solution ({argument}), but there is one")
        _check_counting(family, puzzle, encoding.name, formula, found, counts)
    return boards


def _solutions(formula: Formula) -> list[frozenset[int]]:
    """The true projection variables of every model, each once."""
    projection = frozenset(formula.projection)
    return sorted({frozenset(model & projection) for model in models(formula)}, key=sorted)


def _tried(family: Family, puzzle: Puzzle, formula: Formula) -> list[str]:
    """All boards that obey the rules and that some set of projection variables stands for."""
    found = set()
    for count in range(len(formula.projection) + 1):
        for true in combinations(formula.projection, count):
            try:
                board = family.decode(puzzle, formula.blocks, frozenset(true))
                if not family.check(puzzle, board):
                    found.add(_key(family, puzzle, board))
            except (LookupError, TypeError, ValueError, AttributeError):
                continue
    return sorted(found)


def _key(family: Family, puzzle: Puzzle, board: Board) -> str:
    return json.dumps(family.board_to_json(puzzle, board), sort_keys=True)


# -- counting -----------------------------------------------------------------------------------------------------------


def _check_counting(
    family: Family, puzzle: Puzzle, encoding: str, formula: Formula, found: Sequence[frozenset[int]], counts: _Counts
) -> None:
    """What the family says for counting is true of the solutions, every one of them."""
    name, counting, blocks = f"{family.describe(puzzle)}, {encoding}", family.counting, formula.blocks
    symmetry = counting.symmetry(puzzle, blocks)
    if symmetry is not None:
        for true in found:
            assert isinstance(symmetry.canonical(true)[0], Hashable), f"{name}: canonical gives what cannot be hashed"
        orbits = Counter(json.dumps(symmetry.canonical(true), sort_keys=True) for true in found)
        for told, number in orbits.items():
            assert json.loads(told)[1] == number, f"{name}: an orbit of {json.loads(told)[1]} solutions, found {number} of them"
            assert symmetry.order % number == 0, f"{name}: {number} solutions in an orbit of a group of {symmetry.order}"
        counts.notes["symmetry: every orbit has as many solutions as it says"] = None
        _check_representatives(family, puzzle, encoding, orbits)
    cover = counting.exact_cover(puzzle, blocks)
    if cover is not None:
        assert sorted(map(sorted, _covers(cover))) == sorted(map(sorted, found)), f"{name}: the exact cover has other solutions"
        counts.notes["exact cover: the same solutions"] = None
    if counting.antichain(puzzle, blocks):
        assert not any(one < other for one in found for other in found), f"{name}: is said to be an antichain, and is none"
        counts.notes["antichain: no solution is part of another"] = None
    if (cubes := counting.cubes(puzzle, blocks)) is not None:
        for true in found:
            met = sum(all((abs(literal) in true) == (literal > 0) for literal in cube) for cube in cubes)
            assert met == 1, f"{name}: a solution satisfies {met} of the cubes, expected one"
        counts.notes["cubes: every solution satisfies exactly one"] = None


def _check_representatives(family: Family, puzzle: Puzzle, encoding: str, orbits: Counter[str]) -> None:
    """The options for counting leave at least one solution of every orbit."""
    known = {option.name for option in family.encoding(encoding).options}
    options = {name: value for name, value in family.counting.options.items() if name in known}
    formula = family.encode(puzzle, encoding, **options)
    symmetry = family.counting.symmetry(puzzle, formula.blocks)
    assert symmetry is not None
    kept = {json.dumps(symmetry.canonical(true), sort_keys=True) for true in _solutions(formula)}
    message = f"{family.describe(puzzle)}, {encoding}: with {options} {len(kept)} orbits are left of {len(orbits)}"
    assert len(kept) == len(orbits), message


def _covers(cover: ExactCover) -> Iterator[list[int]]:
    """The solutions of an exact cover problem as sets of variables, by Knuth's algorithm X in a few lines."""
    primary = frozenset(cover.primary)
    options = [(variable, frozenset(items)) for variable, items in zip(cover.variables, cover.options, strict=True)]

    def extend(chosen: list[int], covered: frozenset[str], left: list[tuple[int, frozenset[str]]]) -> Iterator[list[int]]:
        open_items = primary - covered
        if not open_items:
            needless = [each for each in left if not each[1] & primary]
            yield from _free(chosen, covered, needless)
            return
        item = min(open_items)
        for variable, items in left:
            if item in items:
                rest = [each for each in left if each[1].isdisjoint(items)]
                yield from extend([*chosen, variable], covered | items, rest)

    for found in extend([], frozenset(), options):
        if all(least <= sum(v in variables for v in found) <= (len(found) if most is None else most)
               for variables, least, most in cover.counted):  # fmt: skip
            yield found


def _free(chosen: list[int], covered: frozenset[str], left: list[tuple[int, frozenset[str]]]) -> Iterator[list[int]]:
    """With every set of the options that cover no primary item and do not meet."""
    if not left:
        yield chosen
        return
    (variable, items), *rest = left
    yield from _free(chosen, covered, rest)
    if items.isdisjoint(covered):
        yield from _free([*chosen, variable], covered | items, [each for each in rest if each[1].isdisjoint(items)])


# -- words, JSON, files, pictures ---------------------------------------------------------------------------------------


def _check_declarations(family: Family) -> None:
    assert family.name.isidentifier() and family.summary, "a family has a name that is a word, and a summary"
    tables: tuple[Mapping[str, Any], ...] = (family.encodings, family.views, family.formats, family.generators)
    for table in tables:
        assert all(entry.name == name for name, entry in table.items()), (
            f"{family.name}: an entry under another name than its own"
        )
    assert family.encodings, f"{family.name}: no encoding"
    assert all(view.suffix.startswith(".") for view in family.views.values()), f"{family.name}: a view's suffix begins with a dot"


def _check_words(family: Family, puzzle: Puzzle) -> None:
    assert "\n" not in family.describe(puzzle) and family.describe(puzzle).strip(), "describe gives a line"
    assert all(type(value) is int and value >= 0 for value in family.size(puzzle).values()), "sizes are whole numbers"


def _check_puzzle_json(family: Family, puzzle: Puzzle, chance: random.Random) -> None:
    name = family.describe(puzzle)
    entry = json.loads(json.dumps(family.puzzle_to_json(puzzle)))
    again = family.puzzle_from_json(entry)
    assert family.puzzle_to_json(again) == family.puzzle_to_json(puzzle), f"{name}: is another puzzle after JSON"
    for _ in range(DAMAGED):
        damaged = _damaged_json(entry, chance)
        try:
            family.puzzle_from_json(damaged)
        except NO_PUZZLE:
            continue
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__} from damaged JSON {damaged!r:.200}") from error


def _check_formats(family: Family, puzzle: Puzzle, chance: random.Random, counts: _Counts) -> None:
    """What a format writes, it reads; anything else is an InputError."""
    name = family.describe(puzzle)
    for entry in family.formats.values():
        if entry.write is None:
            continue
        try:
            text = family.write(puzzle, entry.name)
        except InputError:  # the format cannot say this puzzle
            continue
        if entry.read is not None or entry.read_set is not None:
            again = family.parse(Source("written", text.encode()), format=entry.name)
            same = _same(family, puzzle, again)
            assert same or _boards(family, again) == _boards(family, puzzle), f"{name}: is another puzzle after {entry.name}"
            kept = "the same puzzle" if same else "a puzzle with as many boards"
            counts.notes[f"format {entry.name}: {kept} after writing and reading; damaged files are InputErrors"] = None
        for _ in range(DAMAGED):
            _read_damaged(family, entry.name, _damaged_bytes(text.encode(), chance))


def _same(family: Family, puzzle: Puzzle, again: Puzzle) -> bool:
    """Whether two puzzles are the same but for what is told about them."""
    before, after = (family.puzzle_to_json(each) | {"about": None} for each in (puzzle, again))
    return before == after


def _boards(family: Family, puzzle: Puzzle) -> int:
    """How many boards a puzzle has: what a format must keep that says it otherwise, such as a plane board in space."""
    return len(_solutions(family.encode(puzzle)))


def _read_damaged(family: Family, format: str, data: bytes) -> None:
    for options in ({}, {"format": format}):
        try:
            with warnings.catch_warnings(action="ignore", category=InputWarning):  # a reader may well go on
                family.read(Source("damaged", data), **options)
        except InputError:
            continue
        except Exception as error:
            raise AssertionError(f"{family.name}: {type(error).__name__} from the damaged file {data!r:.200}") from error


def _check_boards(family: Family, puzzle: Puzzle, boards: Sequence[Board]) -> None:
    name = family.describe(puzzle)
    for board in boards[:5]:
        entry = json.loads(json.dumps(family.board_to_json(puzzle, board)))
        again = family.board_from_json(puzzle, entry)
        assert _key(family, puzzle, again) == _key(family, puzzle, board), f"{name}: another board after JSON"
        assert not family.differences(puzzle, board, again), f"{name}: a board differs from itself"
        for view in family.views.values():
            for other in (None, boards[-1]):
                _check_picture(f"{name}, {view.name}", view.suffix, view.draw(puzzle, board, other))
            if view.sheet is not None:
                _check_picture(f"{name}, {view.name}", view.suffix, view.sheet(puzzle, boards[:5]))
    if len(boards) > 1:
        assert family.differences(puzzle, boards[0], boards[-1]), f"{name}: two boards without a difference"


def _check_picture(name: str, suffix: str, picture: str | bytes) -> None:
    assert picture, f"{name}: an empty picture"
    if suffix == ".svg":
        assert ET.fromstring(picture).tag.endswith("svg"), f"{name}: no SVG"
    elif suffix == ".png":
        assert isinstance(picture, bytes) and picture.startswith(b"\x89PNG"), f"{name}: no PNG"
    else:
        assert isinstance(picture, str) and picture.endswith("\n"), f"{name}: text ends with a line end"


# -- options and generators ---------------------------------------------------------------------------------------------


def _check_options(family: Family) -> None:
    """A wrong name or value is an InputError, of readers, encodings and generators alike; defaults are right values."""
    puzzle = next(iter(family.small_puzzles()), None)
    calls: list[tuple[Any, Callable[..., Any]]] = [(family.options, lambda **given: family.read(None, **given))]
    calls += [
        (each.options, lambda _n=each.name, **given: family.generate(_n, 1, **given)) for each in family.generators.values()
    ]
    if puzzle is not None:
        calls += [
            (each.options, lambda _n=each.name, **given: family.encode(puzzle, _n, **given)) for each in family.encodings.values()
        ]
    for options, call in calls:
        _refused(call, "no_such_option", "x")
        for option in options:
            _refused(call, option.name, object())
            if option.choices:
                _refused(call, option.name, f"{option.choices[0]}?")
            if option.default is not None:
                assert option.value(option.default) == option.default, (
                    f"{family.name}: a default of {option.name} that is refused"
                )


def _refused(call: Callable[..., Any], name: str, value: Any) -> None:
    try:
        call(**{name: value})
    except InputError:
        return
    raise AssertionError(f"{name}={value!r} was let pass, expected an InputError")


def _check_generators(family: Family) -> None:
    """The same puzzle for a seed, another for another; it can be encoded."""
    for name in family.generators:
        made = [family.generate(name, seed) for seed in (1, 1, 2, 3)]
        entries = [json.dumps(family.puzzle_to_json(puzzle), sort_keys=True) for puzzle in made]
        assert entries[0] == entries[1], f"{family.name}: the generator {name} makes two puzzles of one seed"
        assert len(set(entries)) > 1, f"{family.name}: the generator {name} does not look at its seed"
        assert family.encode(made[0]).num_variables, f"{family.name}: what {name} makes has no variables"


# -- damage -------------------------------------------------------------------------------------------------------------


def _damaged_bytes(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, left out, repeated; or a beginning; or noise."""
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
    """One value of the tree replaced, or left out."""
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

PUZZLE_COMMANDS = ("gen_cnf", "solve_puzzle", "convert_puzzle", "explain_puzzle", "make_puzzle")
EVERY_COMMAND = (*PUZZLE_COMMANDS, "decode_cnf")


def _check_commands(family: Family, puzzles: Sequence[Any]) -> list[str]:
    """Every command takes the family, a puzzle of it from a file, and does what it is for; the calls that were made."""
    from cnfgen_puzzles import families
    from cnfgen_puzzles.families.detection import installed_families

    commands = {name: import_module(f"cnfgen_puzzles.cli.{name}") for name in EVERY_COMMAND}
    every_family = import_module("cnfgen_puzzles.cli.families").every_family
    registered = family.name not in families.BUILT_IN
    if registered:
        families.REGISTERED[family.name] = family
    installed_families.cache_clear()
    every_family.cache_clear()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _CommandCheck(family, commands, Path(folder)).run(puzzles)
    finally:
        if registered:
            del families.REGISTERED[family.name]
        installed_families.cache_clear()
        every_family.cache_clear()


class _CommandCheck:
    """Calls of the commands in this process, with files in a folder."""

    def __init__(self, family: Family, commands: Mapping[str, Any], folder: Path):
        self.family, self.commands, self.folder = family, commands, folder

    def run(self, puzzles: Sequence[Any]) -> list[str]:
        """Call all of them; AssertionError for a crash, a wrong exit code, or a wrong answer."""
        family = self.family
        made = family.making is not None or family.cutting is not None
        takes = {"explain_puzzle": family.explaining is not None, "make_puzzle": made}
        offered = [name for name in PUZZLE_COMMANDS if takes.get(name, True)]
        for name in offered:
            self.call(name, family.name, "--help")
            self.call(name, "--help")  # what other families show is as before
        self.call("gen_cnf", "--list")
        self.call("solve_puzzle", "--generate", "none", mistake=True)  # parsed by the options of all families
        shown = ["helps of " + ", ".join(name.replace("_", "-") for name in offered)]
        if not family.reads_file:
            self.call("gen_cnf", family.name, mistake=True)  # by the defaults of its options, or a mistake that is told
        if (file := self.puzzle_file(puzzles)) is not None:
            shown += self.on_puzzle(*file)
        return [f"commands: {each}" for each in shown]

    def puzzle_file(self, puzzles: Sequence[Any]) -> tuple[Any, str, bool] | None:
        """A puzzle in a file that can be read again, and whether it has a solution: one that has, if any."""
        found = None
        for puzzle in puzzles:
            for entry in self.family.formats.values():
                if entry.write is None or not entry.readable:
                    continue
                try:
                    text = self.family.write(puzzle, entry.name)
                except InputError:
                    continue
                path = self.folder / f"puzzle{next(iter(entry.suffixes), '')}"
                solvable = next(models(self.family.encode(puzzle)), None) is not None
                if found is None or (solvable and not found[2]):
                    path.write_text(text, encoding="utf-8")
                    found = puzzle, str(path), solvable
                break
            if found is not None and found[2]:
                break
        return found

    def on_puzzle(self, puzzle: Any, file: str, solvable: bool) -> list[str]:
        """The commands on one puzzle."""
        from cnfgen_puzzles.pipeline.solve import pick_solver
        from cnfgen_puzzles.solving.run import run_solver

        family, cnf = self.family, str(self.folder / "x.cnf")
        self.call("gen_cnf", family.name, file, "-o", cnf)
        for entry in family.formats.values():
            if entry.write is not None:
                self.call("convert_puzzle", family.name, file, "--to", entry.name, mistake=True)  # it may not hold the puzzle
        shown = ["gen-cnf, convert-puzzle on a puzzle"]
        if family.explaining is not None:
            self.call("explain_puzzle", family.name, file)
            shown.append("explain-puzzle on a puzzle")
        try:
            solver = pick_solver()
        except InputError:
            return [*shown, "not solve-puzzle and decode-cnf: no solver is installed"]
        wanted = "SATISFIABLE" if solvable else "UNSATISFIABLE"
        for more in (("--no-proof",), ("--no-proof", "--unique")):
            text = self.call("solve_puzzle", family.name, file, "--as", "json", "--quiet", "--solver", solver.name, *more)
            assert json.loads(text)["status"] == wanted, f"{family.name}: solve-puzzle {more} does not say {wanted}"
        done = run_solver(solver, Path(cnf))
        lines = [f"s {done.status}", *([f"v {' '.join(map(str, done.model))} 0"] if done.model else [])]
        answer = self.folder / "answer.txt"
        answer.write_text("\n".join(lines) + "\n", encoding="utf-8")
        entry = json.loads(self.call("decode_cnf", "--cnf", cnf, "--as", "json", str(answer)))
        assert entry["status"] == wanted, f"{family.name}: decode-cnf does not say {wanted}"
        if solvable:
            wrong = family.check(puzzle, family.board_from_json(puzzle, entry["board"]))
            assert not wrong, f"{family.name}: decode-cnf shows a board that breaks the rules: {wrong}"
        return [*shown, "solve-puzzle, with --unique, and decode-cnf give a board that obeys the rules"]

    def call(self, command: str, *words: str, mistake: bool = False) -> str:
        """What the command prints; AssertionError where it crashes or warns, or finds a `mistake` in the call that is none."""
        import click
        from click.testing import CliRunner

        module = self.commands[command]
        told = f"{self.family.name}: {command.replace('_', '-')} {' '.join(words)}"
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            warnings.simplefilter("default", InputWarning)
            done = CliRunner().invoke(module.COMMAND, list(words), standalone_mode=False)
        if isinstance(done.exception, InputError | click.ClickException):
            assert mistake, f"{told}: {done.exception}"
        elif done.exception is not None and not isinstance(done.exception, SystemExit):
            raise AssertionError(f"{told}: {type(done.exception).__name__}: {done.exception}") from done.exception
        return done.stdout


# -- brute force --------------------------------------------------------------------------------------------------------


def models(cnf: Cnf) -> Iterator[frozenset[int]]:
    """Every total model, as the set of its true literals."""
    clauses = [frozenset(clause) for clause in cnf.clauses()]
    yield from _extend(clauses, frozenset(), range(1, cnf.num_variables + 1))


def _extend(clauses: list[frozenset[int]], chosen: frozenset[int], variables: range) -> Iterator[frozenset[int]]:
    propagated = propagate(clauses, chosen)
    if propagated is None:
        return
    clauses, chosen = propagated
    free = next((variable for variable in variables if variable not in chosen and -variable not in chosen), None)
    if free is None:
        yield chosen
        return
    for literal in (free, -free):
        yield from _extend(clauses, chosen | {literal}, variables)


def propagate(clauses: list[frozenset[int]], chosen: frozenset[int]) -> tuple[list[frozenset[int]], frozenset[int]] | None:
    """The clauses that `chosen` and its unit consequences leave open, and those consequences; None on a contradiction."""
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
