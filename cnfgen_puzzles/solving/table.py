"""The solver table: the declared solvers, the paths of their programs, and their command lines.

A solver is data, not a class: a YAML recipe (docs/how-to/adding-a-solver.md) becomes a frozen `Solver`. Recipes come from

1. `solvers/*.yaml` of this repository (in an installed package: `recipes/` beside this module),
2. the user's file: `$CNFGEN_SOLVERS_FILE`, else `$XDG_CONFIG_HOME/cnfgen-puzzles/solvers.yaml`,
3. Python entry points of the group `cnfgen_puzzles.solvers`, each a directory of recipes or one recipe as a dict; they are
   searched last and only if necessary, because that is slow.

Reading YAML takes longer than solving most puzzles. Therefore `recipes.json` beside the recipes has each of them as JSON, by its
SHA-256 (`scripts/make/read_recipes.py` writes it), and only a changed recipe is read as YAML.

The search for the program of a solver has this order:

1. `$CNFGEN_SOLVER_NAME`
2. the user's file
3. installed by `cnf-solvers install` or `make solvers` (`executables.homes`)
4. a ready-made program of the same version in an installed Python package (`pip install 'cnfgen-puzzles[solvers]'`)
5. PATH, and the folder of this Python
6. a Python module that runs as this solver

`recipeschema` defines the keys of a recipe; `run` runs solvers.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import shlex
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError, printable, unknown_name
from cnfgen_puzzles.common.installation import install_extra, install_packages
from cnfgen_puzzles.solving.confinement import python_files
from cnfgen_puzzles.solving.executables import (
    RECIPES,
    UNKNOWN_VERSION,
    ask_version,
    homes,
    is_executable,
    named_executable,
    note_of,
    state_of,
    user_file,
)

ENTRY_POINTS = "cnfgen_puzzles.solvers"
BY_PATH = "the solver's path"  # the source of a solver without a declaration
READ = "recipes.json"
EXTRA = "solvers"
"""The extra with ready-made solvers."""
NAMED, INSTALLED, WHEEL, SYSTEM, MODULE = "user", "installed", "PyPI", "PATH", "Python"
"""Kinds of `Place`."""


def _key(path: str, default: Any) -> Any:
    """A field of a solver that has this key in a recipe."""
    return field(default=default, metadata={"path": path.split(".")})


@dataclass(frozen=True, eq=False)
class Solver:
    """A solver: its program, its command line, and its answers.

    `arguments` is the command line after the program. An item that is exactly `{options}`, `{seed}`, `{proof}`, `{threads}`, or
    `{verbosity}` stands for the arguments of that part, or for none if the part is not requested; `{cnf}` and `{model}` are
    files. `statistics` are regular expressions, by the name of the counter; group 1 is the number. `needs_clause` is set for a
    program that hangs or fails on a formula without clauses: a runner must give it an equivalent formula with a clause.
    """

    name: str
    title: str = _key("title", "")
    kind: str = _key("kind", "solver")  # or "checker": it verifies proofs
    version: str = _key("version", "")  # the version that is built
    licence: str = _key("licence", "")
    website: str = _key("website", "")
    paper: str = _key("paper", "")
    quirks: tuple[str, ...] = _key("quirks", ())
    # calling
    arguments: tuple[str, ...] = _key("call.arguments", ("{options}", "{cnf}"))
    seed_arguments: tuple[str, ...] = _key("call.seed.arguments", ())
    seed_least: int = _key("call.seed.least", 0)
    seed_most: int = _key("call.seed.most", 2**31 - 1)
    proof_arguments: tuple[str, ...] = _key("call.proof.arguments", ())
    proof_format: str = _key("call.proof.format", "")  # "text" or "binary" DRAT, "lrat" or "binary-lrat"; empty if it writes none
    lrat_arguments: tuple[str, ...] = _key("call.proof.lrat", ())  # instead of `proof_arguments`, for an LRAT proof as text
    threads_arguments: tuple[str, ...] = _key("call.threads", ())
    version_arguments: tuple[str, ...] = _key("call.version", ())
    quiet_arguments: tuple[str, ...] = _key("call.verbosity.quiet", ())
    statistics_arguments: tuple[str, ...] = _key("call.verbosity.statistics", ())
    needs_clause: bool = _key("call.needs_clause", False)
    reads_map: bool = _key("call.reads_map", False)  # it uses the map in the comments of a formula
    reads: tuple[Path, ...] = ()  # other files and folders that it needs
    options: tuple[str, ...] = ()  # options before those of the caller
    environment: tuple[tuple[str, str], ...] = _key("environment", ())  # variables in addition to those of this process
    # answering
    model_from: str = _key("call.answer.model", "stdout")  # or "file"
    relaxed: bool = _key("call.answer.relaxed", False)  # a right model may come with exit code 0, or without its 0 at the end
    sat_codes: tuple[int, ...] = _key("call.exit_codes.sat", (10,))  # the exit codes of each verdict; any other is a failure
    unsat_codes: tuple[int, ...] = _key("call.exit_codes.unsat", (20,))
    unknown_codes: tuple[int, ...] = _key("call.exit_codes.unknown", (0,))
    statistics: tuple[tuple[str, str], ...] = _key("call.statistics", ())
    # finding; `source` and `line` are the place of the declaration
    program: str = _key("program", "")
    wheel: Mapping[str, str] | None = field(default=None, hash=False, metadata={"path": ["wheel"]})  # a package with the program
    module: str | None = _key("module.name", None)
    module_needs: str | None = _key("module.needs", None)  # another module that this one needs
    module_arguments: tuple[str, ...] = _key("module.arguments", ())
    module_package: str = _key("module.package", "")  # the package of the module, whose version is that of the solver
    executable: str | None = _key("executable", None)
    like: Solver | None = None  # the solver with the same command line, and the same program by default
    source: str = ""
    line: int | None = None
    fault: InputError | None = None  # the error in the declaration; then the other fields are empty
    get: str = _key("get", "")  # the command that installs a solver that is not built
    build: Mapping[str, Any] | None = field(default=None, hash=False, metadata={"path": ["build"]})

    @property
    def parallel(self) -> bool:
        """Whether it can use several cores."""
        return bool(self.threads_arguments)

    @property
    def variable(self) -> str:
        """The environment variable with the path of its program."""
        return "CNFGEN_SOLVER_" + re.sub(r"\W", "_", self.name.upper())

    def available(self) -> bool:
        """Whether its program is installed and its declaration is valid.

        InputError if an environment variable names a missing file, since that was set for the current call.
        """
        try:
            return self.fault is None and find_program(self) is not None
        except InputError:
            if self.variable in os.environ:
                raise
            return False

    def locate(self) -> Path:
        """The path of its program.

        Raises InputError if it is not installed, or if the environment or the user's file names a missing program: then no other
        place is searched.
        """
        if self.fault is not None:
            raise self.fault
        place = find_program(self)
        if place is None or place.program is None:
            searched = ", ".join(place.title for place in search_program(self))
            raise InputError(f"the {self.kind} {self.name} is not installed: {how_to_get(self)} (searched: {searched})")
        return place.program

    def __repr__(self) -> str:
        return f"<Solver: {self.name}>"

    def prefix(self, executable: Path) -> list[str]:
        """The beginning of the command line: the path of the program, or Python with the module that runs as this solver."""
        if self.module and executable == Path(sys.executable):
            return [str(executable), "-m", self.module, *self.module_arguments]
        return [str(executable)]

    def command(
        self,
        executable: Path,
        cnf: Path,
        *,
        seed: int | None = None,
        proof: Path | None = None,
        model: Path | None = None,
        threads: int | None = None,
        options: Sequence[str] = (),
        statistics: bool = False,
    ) -> list[str]:
        """The command line that runs `executable` on `cnf`.

        `model` is the file for the model of a solver with `model_from == "file"`; `threads` is for a parallel solver and defaults
        to the number of cores of this process; with `statistics`, the solver prints its counters. Raises InputError for a seed, a
        proof, or threads that the solver does not support.
        """
        if self.model_from == "file" and model is None:
            raise ValueError(f"{self.name} writes its model to a file: `model` must name one")
        if seed is not None and not self.seed_arguments:
            raise InputError(f"found the seed {seed} for {self.name}, which supports no seeds{self.how_to_be_like}")
        if seed is not None and not self.seed_least <= seed <= self.seed_most:
            raise InputError(f"found the seed {seed} for {self.name}, expected {self.seed_least} to {self.seed_most}")
        if proof is not None and not self.proof_arguments:
            able = [each.name for each in load_solvers().values() if each.kind == "solver" and each.proof_arguments]
            raise InputError(f"{self.name} cannot write a proof; these can: {', '.join(able)}{self.how_to_be_like}")
        if not self.threads_arguments and threads not in (None, 1):
            raise InputError(f"found {threads} threads for {self.name}, which uses one")
        count = threads or len(usable_cores())
        parts = {
            "{options}": [*self.options, *options],
            "{seed}": [] if seed is None else [word.replace("{seed}", str(seed)) for word in self.seed_arguments],
            "{proof}": [] if proof is None else [word.replace("{proof}", str(proof)) for word in self.proof_arguments],
            "{threads}": [word.replace("{threads}", str(count)) for word in self.threads_arguments],
            "{verbosity}": self.statistics_arguments if statistics else self.quiet_arguments,
        }
        words = self.prefix(executable)
        for argument in self.arguments:
            if argument in parts:
                words += parts[argument]
            else:
                words.append(argument.replace("{cnf}", str(cnf)).replace("{model}", str(model)))
        return words

    @property
    def how_to_be_like(self) -> str:
        """For a program that is named by its path: how to declare that it supports more than a formula as its argument."""
        if self.source != BY_PATH:
            return ""
        like = max((each for each in _recipe_names() if each in self.name), key=len, default="NAME")
        return (
            f"; a program that is named by its path gets only the formula; use `like: {like}` (run-cnf: --like) if its command "
            "line is that of a known solver"
        )

    def with_hints(self) -> Solver:
        """The same solver with LRAT proofs if it supports them: these are longer, and their check needs no search."""
        return replace(self, proof_arguments=self.lrat_arguments, proof_format="lrat") if self.lrat_arguments else self

    def alike(self, name: str, *, environment: Mapping[str, str] | None = None, **given: Any) -> Solver:
        """A solver with the same command line and another name; `given` are the fields that differ.

        Given `options`, `environment`, and `reads` are appended to those of this solver. The default program is the same.
        """
        if self.fault is not None:
            raise self.fault
        joined: dict[str, Any] = {key: (*getattr(self, key), *given.pop(key, ())) for key in ("options", "reads")}
        joined["environment"] = tuple({**dict(self.environment), **(environment or {})}.items())
        name = printable(name)  # of a path, perhaps
        own = {"title": f"{name}, called like {self.name}", "version": "", "executable": None, "build": None}
        return replace(self, name=name, like=self, **{**own, **joined, **given})

    def files_read(self, executable: Path) -> tuple[Path, ...]:
        """Files that it reads besides its program and the formula: the declared ones, and Python for a Python module."""
        return (*self.reads, *(python_files() if self.module and executable == Path(sys.executable) else ()))

    def version_line(self, executable: Path) -> str:
        """The version of its Python package, that in the note of its installation, that which the program reports, or `unknown`.

        CnfgenError for a program that cannot be started or fails, OSError for one that was removed.
        """
        if self.module_package and executable == Path(sys.executable):
            from importlib.metadata import version  # takes 20 ms to load

            return f"{self.module_package} {version(self.module_package)}"
        if note := note_of(executable):
            return printable(str(note["version"]))
        if self.version_arguments:
            words = (*self.prefix(executable), *self.version_arguments)
            return ask_version(words, self.files_read(executable), self.environment, state_of(executable))
        return self.version if self.wheel and str(executable).endswith(self.wheel["member"]) else UNKNOWN_VERSION


def load_solvers() -> dict[str, Solver]:
    """All declared solvers and checkers by name, installed or not.

    A solver with a wrong declaration has a `fault`, which is raised when the solver is used.
    """
    solvers = {name: _read_recipe(RECIPES / f"{name}.yaml") for name in _recipe_names()}
    for name, solver in _third_party().items():
        if name in solvers:
            fault = InputError(f"found the solver {name!r} a second time", source=solver.source)
            name, solver = f"{name} of {solver.source}", _faulty(name, fault)
        solvers[name] = solver
    return solvers | _user_solvers(solvers)


def find_solver(name: str) -> Solver:
    """The solver `name`, or the one whose program has this name; a path (with a `/`) is a program of the user that has the output
    format of SAT competitions.

    Raises InputError with the closest names for an unknown name, and with the path of a program of that name on PATH.
    """
    if "/" in name:
        return Solver(name=Path(name).name, program=name, executable=name, source=BY_PATH)
    recipe = RECIPES / f"{name}.yaml"
    known = {name: _read_recipe(recipe)} if os.path.isfile(recipe) else _third_party()  # False for invalid file names
    solvers = known | _user_solvers(known)
    if name not in solvers:
        if found := next((each for each in load_solvers().values() if each.program == name), None):
            return found
        on_path = shutil.which(name)
        offer = f"; the program {on_path} is not in the list: to use it with the interface of SAT competitions, name its path"
        raise InputError(unknown_name("solver", name, load_solvers()) + offer * bool(on_path))
    if (fault := solvers[name].fault) is not None:
        raise fault
    return solvers[name]


def is_recipe(name: str) -> bool:
    """Whether a recipe of this package or of a third party has this name."""
    return os.path.isfile(RECIPES / f"{name}.yaml") or name in _third_party()


def split_names(named: str | Iterable[str]) -> list[str]:
    """The solvers in `kissat --sat,minisat-core`, each with its options; also for several such texts.

    A text that is the path of a file is one name, even with commas or blanks.
    """
    texts = [named] if isinstance(named, str) else list(named)
    parts = [part.strip() for text in texts for part in ([text] if os.path.isfile(text) else text.split(","))]
    if not parts or "" in parts:
        raise InputError(f"found {','.join(texts)!r}, expected solvers with commas between them, such as kissat,minisat-core")
    return parts


def solver_with_options(named: str) -> Solver:
    """The solver of that name or path with the options after it: `kissat --sat`, which is also its name in output.

    InputError for an unknown name, and for a quotation mark without its counterpart.
    """
    if os.path.isfile(named):
        return find_solver(named)
    try:
        name, *options = shlex.split(named)
    except ValueError as error:
        raise InputError(f"found the solver {named!r}: {error}") from None
    solver = find_solver(name)
    if not options:
        return solver
    return replace(
        solver.alike(" ".join([solver.name, *options]), options=tuple(options)), executable=solver.executable, title=solver.title,
        version=solver.version,
    )  # fmt: skip


def _recipe_names() -> list[str]:
    return sorted(path.stem for path in RECIPES.glob("*.yaml"))


def _read_recipe(path: Path) -> Solver:
    """The solver of a recipe; InputError with file and line of an error."""
    recipe = _known_recipes(path.parent).get(digest_of_file(path)) or read_yaml_recipe(path)
    if recipe["name"] != path.stem:
        raise InputError(f"found the name {recipe['name']!r}, expected {path.stem!r}, the name of the file", source=str(path))
    return _solver(recipe, source=str(path))


@functools.cache
def _known_recipes(folder: Path) -> dict[str, Any]:
    """The recipes of a folder that are stored as JSON, by their digest."""
    file = folder / READ
    known: dict[str, Any] = json.loads(file.read_bytes()) if file.is_file() else {}
    return known


def read_yaml_recipe(path: Path) -> dict[str, Any]:
    """The recipe in a file, read as YAML and checked."""
    from cnfgen_puzzles.common.readers.strictyaml import read_yaml  # seldom needed, and slow to load
    from cnfgen_puzzles.solving.recipeschema import RECIPE

    recipe: dict[str, Any] = read_yaml(path, RECIPE).value
    return recipe


def _declared_paths(declaration: Mapping[str, Any], source: str) -> tuple[Path, ...]:
    """The paths under `reads` in a declaration, relative to its file."""
    return tuple((Path(source).parent / Path(name).expanduser()).absolute() for name in declaration.get("reads", ()))


def _faulty(name: str, fault: InputError) -> Solver:
    """A solver with a wrong declaration."""
    return Solver(name=name, title=name, program=name, source=fault.source or "", line=fault.line, fault=fault)


def _user_solvers(known: Mapping[str, Solver]) -> dict[str, Solver]:
    """The solvers of the user's file, if it exists. A wrong declaration affects only its solver; a file without a list of solvers
    is an error.

    solvers:
      kissat: {executable: /opt/kissat/kissat}
      kissat-dev: {like: kissat, executable: ~/kissat/build/kissat, options: [--sat]}
    """
    if "CNFGEN_SOLVERS_FILE" not in os.environ and not user_file().is_file():
        return {}
    from cnfgen_puzzles.common.readers.strictyaml import read_yaml  # seldom needed, and slow to load
    from cnfgen_puzzles.solving.recipeschema import USER_FILE, USERS_SOLVER

    document = read_yaml(user_file(), USER_FILE)
    read: dict[str, Solver] = {}
    for name in document.value["solvers"]:
        place: dict[str, Any] = {"source": document.source, "line": document.lines["solvers", name]}
        try:
            read[name] = _declare(name, document.part(USERS_SOLVER, "solvers", name), {**known, **read}, place)
        except InputError as fault:
            read[name] = _faulty(name, fault)
    return read


def _declare(name: str, declaration: Mapping[str, Any], known: Mapping[str, Solver], place: Mapping[str, Any]) -> Solver:
    """A solver of the user's file, at this place in it; `known` has the ones before it."""
    from cnfgen_puzzles.solving.recipeschema import OF_LIKE

    def known_solver(name: str) -> Solver | None:
        recipe = RECIPES / f"{name}.yaml"
        return known.get(name) or (_read_recipe(recipe) if os.path.isfile(recipe) else None)

    base, reads = known_solver(name), _declared_paths(declaration, place["source"])
    if base is not None:  # of a known name only `executable` and `reads`: results would be ambiguous
        extra = sorted(set(declaration) - {"executable", "reads"})
        if extra or not declaration:
            found = f"the key {extra[0]!r}" if extra else "nothing"
            expected = "expected only 'executable' and 'reads'; use a new name for a new solver"
            raise InputError(f"found {found} for the known solver {name!r}, {expected}", **place)
        executable = declaration.get("executable", base.executable)
        return replace(base, executable=executable, reads=(*base.reads, *reads), **place)
    if "like" not in declaration:
        if "options" in declaration:
            raise InputError("found the key 'options' without 'like', expected the options in call.arguments", **place)
        return _solver({"name": name, **declaration}, **place)
    if wrong := next((key for key in declaration if key not in OF_LIKE), None):
        raise InputError(f"found the key {wrong!r} beside 'like', expected only {', '.join(OF_LIKE)}", **place)
    like = declaration["like"]
    if (model := known_solver(like) or _third_party().get(like)) is None:
        expected = unknown_name("solver", like, [*known, *_recipe_names()])
        raise InputError(f"{expected} (a solver of this file comes before those that are like it)", **place)
    differs = {key: value for key, value in declaration.items() if key not in ("like", "reads")}
    solver = model.alike(name, **differs, reads=reads, **place)
    if solver.build:  # then it has its own program
        return replace(solver, like=None, program=name, wheel=None, module=None, module_package="")
    return solver


def _third_party() -> dict[str, Solver]:
    """The solvers of third-party packages. An entry point without a solver becomes a solver with a fault."""
    import importlib.metadata  # slow to load, and seldom needed

    solvers: dict[str, Solver] = {}
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        source = f"entry point {point.name} of {point.value}"
        try:
            found = _solvers_of(point.load(), source)
        except InputError as fault:
            found = [_faulty(point.name, InputError(fault.message, source=fault.source or source, line=fault.line))]
        except Exception as error:  # third-party code, run by the import
            found = [_faulty(point.name, InputError(f"cannot be loaded: {type(error).__name__}: {error}", source=source))]
        solvers |= {solver.name: solver for solver in found}
    return solvers


def _solvers_of(given: Any, source: str) -> list[Solver]:
    """The solvers of one entry point."""
    if isinstance(given, Mapping):
        import yaml

        from cnfgen_puzzles.common.readers.strictyaml import check_yaml
        from cnfgen_puzzles.solving.recipeschema import RECIPE

        text = yaml.safe_dump(dict(given), sort_keys=False)
        return [_solver(check_yaml(text, RECIPE, source=source).value, source=source)]
    if isinstance(given, (str, os.PathLike)):
        return [_read_recipe(path) for path in sorted(Path(given).glob("*.yaml"))]
    raise InputError(f"found a {type(given).__name__}, expected a directory of recipes or a recipe as a dict", source=source)


def _solver(recipe: Mapping[str, Any], *, source: str, line: int | None = None) -> Solver:
    """The solver that a checked recipe declares."""
    values: dict[str, Any] = {"title": recipe["name"], "program": recipe["name"]}
    for each in fields(Solver):
        value: Any = recipe
        for key in each.metadata.get("path", ("",)):
            value = value.get(key) if value is not None else None
        if value is not None:
            values[each.name] = tuple(value) if isinstance(value, list) else value
    for name in ("environment", "statistics"):
        values[name] = tuple(values.get(name, {}).items())
    solver = Solver(name=recipe["name"], **values, reads=_declared_paths(recipe, source), source=source, line=line)
    needed = {
        "{cnf}": solver.kind == "solver",
        "{options}": solver.kind == "solver",
        "{seed}": bool(solver.seed_arguments),
        "{proof}": bool(solver.proof_arguments),
        "{threads}": bool(solver.threads_arguments),
        "{verbosity}": bool(solver.quiet_arguments or solver.statistics_arguments),
        "{model}": solver.model_from == "file",
    }
    words = " ".join(solver.arguments)
    if missing := next((part for part, wanted in needed.items() if wanted and part not in words), None):
        raise InputError(f"found no {missing} in the arguments of {solver.name!r}, expected one", source=source, line=line)
    for name, pattern in solver.statistics:
        what = f"the pattern {pattern!r} for the {name} of {solver.name!r}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # `[[` may get another meaning in a later version of Python
                groups = re.compile(pattern).groups
        except (re.error, RecursionError, OverflowError) as error:
            raise InputError(f"found {what}: {error}", source=source, line=line) from None
        if groups != 1:
            wrong = f"found {groups} groups in the pattern for the {name} of {solver.name!r}, expected one: the number"
            raise InputError(wrong, source=source, line=line)
    return solver


# -- where programs are ------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """One place of the search: its kind, its title, and the program there (None: there is none)."""

    kind: str
    title: str
    program: Path | None


def search_program(solver: Solver) -> Iterator[Place]:
    """All places in the order of the search. InputError for a place that the user has named if it has no program; it is the
    last."""
    override = os.environ.get(solver.variable)
    title = f"${solver.variable}"
    yield Place(NAMED, title, None if override is None else named_executable(override, source=title))
    if solver.executable is None:
        yield Place(NAMED, str(user_file()), None)
    else:
        place = solver.source if solver.line is None else f"{solver.source}:{solver.line}"
        yield Place(NAMED, place, named_executable(solver.executable, source=solver.source, line=solver.line))
    if solver.like is not None:
        yield from search_program(solver.like)
        return
    for home in homes():
        path = home / "bin" / solver.name
        yield Place(INSTALLED, str(path), path if is_executable(path) else None)
    if solver.wheel:
        package, _, version = solver.wheel["requirement"].partition("==")  # another version has another program
        note = f"{package.replace('-', '_')}-{version}.dist-info"
        folders = [Path(entry) for entry in sys.path if os.path.isabs(entry) and os.path.isdir(Path(entry, note))]
        found = next(filter(is_executable, (folder / solver.wheel["member"] for folder in folders)), None)
        yield Place(WHEEL, f"the Python package {package} {version}", found)
    beside_python = Path(sys.executable).parent  # pip installs programs here, also in an environment that is not active
    on_path = shutil.which(solver.program, path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{beside_python}")
    yield Place(SYSTEM, f"{solver.program} on PATH", Path(on_path).absolute() if on_path else None)
    if solver.module:
        found = Path(sys.executable) if all(map(_importable, (solver.module_needs or solver.module, solver.module))) else None
        yield Place(MODULE, f"the Python module {solver.module_needs or solver.module}", found)


def find_program(solver: Solver) -> Place | None:
    """The first place with the program. InputError as in `search_program`."""
    return next((place for place in search_program(solver) if place.program), None)


def how_to_get(solver: Solver) -> str:
    """How to install a solver: by a command, and another one that needs no compiler, if it exists; or from its web site."""
    if solver.like is not None:
        return how_to_get(solver.like)
    if solver.build:
        return f"install it with `cnf-solvers install {solver.name}`" + (f" or `{install_extra(EXTRA)}`" if solver.wheel else "")
    if solver.get:
        return f"install it with `{command_of(solver)}`"
    if solver.website:
        return f"build it from {solver.website} and put `{solver.program}` on PATH"
    return f"install it, or name its program in ${solver.variable}"


def command_of(solver: Solver) -> str:
    """The command that gets a solver that `cnf-solvers` does not build; that of pip is adapted to this installation."""
    pip, _, packages = solver.get.partition("pip install ")
    return solver.get if pip or not packages else install_packages(*packages.split())


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # a package that is broken or not installed
        return False
