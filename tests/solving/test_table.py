"""The solver table: recipes, the user's file, third-party packages, the search for programs, and command lines."""

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from conftest import make_program

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving import table
from cnfgen_puzzles.solving.table import READ, RECIPES, Solver, find_solver, load_solvers, read_yaml_recipe

SOLVERS = load_solvers()


@pytest.fixture(autouse=True)
def nothing_of_the_users(monkeypatch, tmp_path):
    """No solver file, no overrides, no installed programs: tests must not depend on the user's installation."""
    for name in list(os.environ):
        if name.startswith("CNFGEN_SOLVER"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path))
    (tmp_path / "bin").mkdir()


@pytest.fixture
def user_file(tmp_path):
    """`user_file(text)` writes the user's solver file."""

    def write(text):
        path = tmp_path / "config" / "cnfgen-puzzles" / "solvers.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


# -- recipes ------------------------------------------------------------------------------------------------------------


def test_every_recipe_is_complete():
    built = {name for name, solver in SOLVERS.items() if solver.build}
    assert built >= {"minisat", "minisat-core", "glucose", "glucose-syrup", "kissat", "lingeling", "plingeling", "cadical"}
    assert SOLVERS["drat-trim"].kind == "checker"
    for solver in SOLVERS.values():
        assert solver.title and solver.version and solver.licence and solver.website and solver.paper and solver.quirks
        assert solver.name == Path(solver.source).stem


def test_sources_also_come_through_the_clients_of_package_registries():
    """For machines without other network access. Clients of registries get only a name and a version."""
    for name in (name for name, solver in SOLVERS.items() if solver.build and name != "cake_lpr"):  # which no registry has
        origins = yaml.safe_load((RECIPES / f"{name}.yaml").read_text())["build"]["origins"]
        packages = [
            origin["pip"]["requirement"] if "pip" in origin else origin["apt"]["package"]
            for origin in origins
            if "url" not in origin
        ]
        assert packages, name
        for package in packages:
            assert re.fullmatch(r"[a-z0-9.+-]+(==?[a-z0-9.+-]+)?", package), f"{name}: {package}"


def test_the_json_of_recipes_is_current(tmp_path):
    """Otherwise they are read as YAML, which is slower: run `python scripts/make/read_recipes.py`."""
    known = json.loads((RECIPES / READ).read_bytes())
    paths = sorted(RECIPES.glob("*.yaml"))
    assert known == {hashlib.sha256(path.read_bytes()).hexdigest(): read_yaml_recipe(path) for path in paths}
    changed = tmp_path / "kissat.yaml"
    changed.write_bytes((RECIPES / "kissat.yaml").read_bytes().replace(b"title: Kissat", b"title: Kiss at"))
    shutil.copy(RECIPES / READ, tmp_path)
    assert table._read_recipe(changed).title.startswith("Kiss at")


def test_one_recipe_found_alone_equals_the_one_in_the_table():
    assert vars(find_solver("kissat")) == vars(SOLVERS["kissat"])


def test_an_unknown_solver_on_the_path_is_offered(tmp_path, monkeypatch):
    program = make_program(tmp_path / "picosat")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=f"the program {program} is not in the list: .* name its path"):
        find_solver("picosat")
    assert find_solver(str(program)).locate() == program


def test_the_name_of_a_program_finds_its_recipe(tmp_path, monkeypatch):
    program = make_program(tmp_path / "cryptominisat5")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_solver("cryptominisat5").name == "cryptominisat"
    assert find_solver("cryptominisat5").locate() == program


def test_unknown_solver_names_the_nearest():
    with pytest.raises(InputError, match=r"unknown solver 'kisat'; did you mean kissat"):
        find_solver("kisat")


@pytest.mark.parametrize(
    "text, line, words",
    [
        ("name: fake\ncall:\n  argumnets: [x]\n", 3, "unknown key 'argumnets'; did you mean arguments"),
        ("name: fake\nname: fake\n", 2, "'name' a second time"),
        ("title: x\n", 1, "the key 'name' is missing"),
        ("name: fake\nquirks: one\n", 2, "found 'one', expected a list in 'quirks'"),
        ("name: fake\nquirks:\n  - a: b\n", 3, "found a mapping, expected text in 'quirks.0'"),
        ("name: fake\nkind: chequer\n", 2, "found 'chequer', expected one of solver, checker in 'kind'"),
        ("name: fake\ncall:\n  exit_codes: {sat: [ten]}\n", 3, "found 'ten', expected a whole number"),
        ("name: fake\ncall:\n  needs_clause: 1\n", 3, "found '1', expected true or false"),
        ("name: fake\ntitle:\n", 2, "expected text in 'title'"),
        ("name: [fake\n", 2, "not YAML"),
        ("", 1, "found no content"),
        ("- fake\n", 1, "found a list, expected a mapping"),
        ("name: other\n", None, "found the name 'other', expected 'fake'"),
        ("name: fake\ncall:\n  arguments: ['{options}']\n", None, "found no {cnf} in the arguments of 'fake'"),
        ("name: fake\ncall:\n  arguments: ['{cnf}']\n", None, "found no {options}"),
        ("name: fake\ncall:\n  seed: {arguments: ['-s', '{seed}']}\n", None, "found no {seed}"),
        ("name: fake\ncall:\n  answer: {model: file}\n", None, "found no {model}"),
    ],
)
def test_a_wrong_recipe_is_refused_with_its_line(monkeypatch, tmp_path, text, line, words):
    monkeypatch.setattr(table, "RECIPES", tmp_path)
    (tmp_path / "fake.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        find_solver("fake")
    assert words in caught.value.message
    assert (caught.value.source, caught.value.line) == (str(tmp_path / "fake.yaml"), line)


# -- the user's file and third parties -------------------------------------------------------------------------------------


def test_the_users_file_overrides_a_program_and_declares_solvers(user_file, tmp_path):
    mine = make_program(tmp_path / "config" / "cnfgen-puzzles" / "mine")
    fresh = "  fresh:\n    executable: ./mine\n    call: {arguments: [-z, '{options}', '{cnf}']}\n"
    user_file(f"solvers:\n  kissat: {{executable: ./mine}}\n{fresh}")
    assert find_solver("kissat").locate() == mine
    assert find_solver("kissat").proof_arguments == SOLVERS["kissat"].proof_arguments
    assert find_solver("fresh").command(mine, Path("x.cnf"), options=["-a"]) == [str(mine), "-z", "-a", "x.cnf"]
    assert {"kissat", "fresh", "cadical"} <= set(load_solvers())


@pytest.mark.parametrize(
    "text, line, words",
    [
        ("solvers:\n  kissat: {title: other}\n", 2, "'title' for the known solver 'kissat', expected only 'executable'"),
        ("solvers:\n  kissat: {}\n", 2, "found nothing for the known solver"),
        ("solvers:\n  kissat:\n    executabel: x\n", 3, "did you mean executable"),
        ("solver:\n  kissat: {}\n", 1, "did you mean solvers"),
        ("solvers:\n  kissat: [1]\n", 2, "found a list, expected a mapping"),
        ("solvers: {kissat: {executable: a}, kissat: {executable: b}}\n", 1, "'kissat' a second time"),
        ("- solvers\n", 1, "found a list"),
    ],
)
def test_a_wrong_users_file_is_refused_with_its_line(user_file, text, line, words):
    path = user_file(text)
    with pytest.raises(InputError) as caught:
        find_solver("kissat")
    assert words in caught.value.message
    assert (caught.value.source, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    "wrong",
    ["{executable: /nowhere/bad}", "{executabel: x}", "[1]", "text", "", "{call: {arguments: [x]}}", "{executable: '~nobody/x'}",
     '{executable: "a\\0/b"}', "{call: {statistics: {conflicts: '('}}}"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["bad", "minisat"])
def test_a_wrong_declaration_costs_only_its_own_solver(user_file, tmp_path, monkeypatch, wrong, name):
    if name == "minisat":
        wrong = wrong.replace("{call:", "{executable: x, call:")
    mine = make_program(tmp_path / "bin" / "kissat")
    monkeypatch.setenv("PATH", str(tmp_path))
    path = user_file(f"solvers:\n  {name}: {wrong}\n  fine: {{executable: {mine}}}\n")
    assert find_solver("kissat").locate() == find_solver("fine").locate() == mine
    listed = load_solvers()
    assert listed.keys() == SOLVERS.keys() | {"fine", name}
    assert not listed[name].available()
    with pytest.raises(InputError) as caught:
        find_solver(name).locate()
    assert (caught.value.source, caught.value.line) == (str(path), 2)


def test_a_users_file_that_is_named_must_exist(monkeypatch, tmp_path):
    monkeypatch.setenv("CNFGEN_SOLVERS_FILE", str(tmp_path / "absent.yaml"))
    with pytest.raises(InputError, match=r"absent\.yaml: no such file"):
        find_solver("kissat")


def test_third_parties_bring_a_directory_or_a_dict(monkeypatch, tmp_path):
    (tmp_path / "theirs.yaml").write_text("name: theirs\n")
    brought = {"one": tmp_path, "two": {"name": "another", "call": {"arguments": ["{options}", "{cnf}"]}}}
    points = [FakeEntryPoint(name, value) for name, value in brought.items()]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)
    assert find_solver("theirs").source == str(tmp_path / "theirs.yaml")
    assert {"theirs", "another", "kissat"} <= set(load_solvers())


@pytest.mark.parametrize(
    "brought, words",
    [({"name": "x", "cal": {}}, "did you mean call"), (3, "found a int"), ({"name": "kissat"}, "'kissat' a second time")],
)
def test_a_wrong_third_party_is_named_and_costs_only_itself(monkeypatch, brought, words):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [FakeEntryPoint("bad", brought)])
    solvers = load_solvers()
    assert vars(solvers["kissat"]) == vars(SOLVERS["kissat"])
    (faulty,) = (solver for solver in solvers.values() if solver.fault)
    assert not faulty.available()
    with pytest.raises(InputError, match=words) as caught:
        faulty.locate()
    assert "entry point bad" in caught.value.source


def test_a_third_party_that_cannot_be_imported_costs_only_itself(monkeypatch):
    point = FakeEntryPoint("bad", None)
    point.load = lambda: 1 / 0
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point])
    assert SOLVERS.keys() < load_solvers().keys()
    with pytest.raises(InputError, match="ZeroDivisionError"):
        find_solver("bad")


class FakeEntryPoint:
    def __init__(self, name, value):
        self.name, self.value, self.load = name, "package:NAME", lambda: value


# -- programs ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", ["/nowhere/kissat", "no-such-command", "", "{tmp}", "{tmp}/plain"])
def test_a_missing_override_is_an_error(monkeypatch, tmp_path, named):
    make_program(tmp_path / "bin" / "kissat")
    (tmp_path / "plain").write_text("not executable")
    monkeypatch.setenv("CNFGEN_SOLVER_KISSAT", named.replace("{tmp}", str(tmp_path)))
    for ask in (Solver.locate, Solver.available):
        with pytest.raises(InputError, match=r"^\$CNFGEN_SOLVER_KISSAT: found .*expected an executable file"):
            ask(find_solver("kissat"))


def test_a_path_is_a_solver_of_the_competition_dialect(tmp_path):
    mine = make_program(tmp_path / "mine")
    solver = find_solver(str(mine))
    assert (solver.name, solver.locate()) == ("mine", mine)
    with pytest.raises(InputError, match="expected an executable file"):
        find_solver(f"{tmp_path}/absent").locate()


def test_a_python_module_can_be_a_solver(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "clingo.py").write_text("print('clingo version 5')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    solver = find_solver("clasp")
    executable = solver.locate()
    assert solver.command(executable, Path("x.cnf"))[:4] == [sys.executable, "-m", "clingo", "--mode=clasp"]
    assert solver.version_line(executable) == f"clingo {version('clingo')}"


# -- commands ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, wanted, words",
    [
        ("minisat", {"seed": 7}, "-verb=0 -rnd-seed=7 -rnd-freq=0.01 -rnd-init x.cnf m"),
        ("glucose", {"proof": Path("p")}, "-verb=0 -model -certified -certified-output=p x.cnf"),
        ("glucose-syrup", {"threads": 3}, "-verb=0 -model -nthreads=3 x.cnf"),
        ("kissat", {"seed": 1, "proof": Path("p"), "options": ["--sat"]}, "-q --seed=1 --sat x.cnf p --no-binary"),
        ("kissat", {}, "-q x.cnf"),
        ("lingeling", {"proof": Path("p")}, "-q -t p x.cnf"),
        ("plingeling", {"threads": 2}, "-t 2 x.cnf"),
        ("drat-trim", {"proof": Path("p"), "options": ["-I"]}, "x.cnf p -t 2000000000 -I"),
        ("cryptominisat", {"seed": 5}, "--verb 0 --random 5 x.cnf"),
        ("gimsatul", {"threads": 3, "proof": Path("p")}, "-q --threads=3 x.cnf -a p"),
        ("sbva-cadical", {"proof": Path("p")}, "x.cnf p"),
        ("painless", {"threads": 3, "options": ["-solver=kc"]}, "-c=3 -solver=kc x.cnf"),
        ("isasat", {}, "x.cnf"),
    ],
)
def test_command_lines(name, wanted, words):
    assert SOLVERS[name].command(Path("solver"), Path("x.cnf"), model=Path("m"), **wanted) == ["solver", *words.split()]


@pytest.mark.parametrize(
    "name, wanted, words",
    [
        ("plingeling", {"seed": 1}, "found the seed 1 for plingeling, which supports no seeds"),
        ("minisat", {"seed": 0}, "found the seed 0 for minisat, expected 1 to 2147483647"),
        ("kissat", {"seed": 2**31}, "expected 0 to 2147483647"),
        ("minisat", {"proof": Path("p")}, "minisat cannot write a proof; these can: cadical, gimsatul, glucose, kissat"),
        ("kissat", {"threads": 2}, "found 2 threads for kissat, which uses one"),
    ],
)
def test_what_a_solver_cannot_do_is_refused(name, wanted, words):
    with pytest.raises(InputError, match=words):
        SOLVERS[name].command(Path("solver"), Path("x.cnf"), model=Path("m"), **wanted)


def test_a_parallel_solver_takes_the_cores_that_it_may_use():
    words = SOLVERS["plingeling"].command(Path("solver"), Path("x.cnf"))
    assert words[1:3] == ["-t", str(len(os.sched_getaffinity(0)))]


def test_a_model_file_must_be_named():
    with pytest.raises(ValueError, match="writes its model to a file"):
        SOLVERS["minisat"].command(Path("minisat"), Path("x.cnf"))
