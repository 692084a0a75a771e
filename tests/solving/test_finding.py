"""The search for programs: its order, programs that are found without a request, homes of all kinds."""

import sys
import tomllib

import pytest
from conftest import make_program
from repository import REPOSITORY

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving import executables, table
from cnfgen_puzzles.solving.table import find_solver, load_solvers


@pytest.fixture(autouse=True)
def nothing_anywhere(monkeypatch, tmp_path):
    """A user without solvers, in an installed package."""
    monkeypatch.delenv("CNFGEN_SOLVER_KISSAT", raising=False)
    monkeypatch.delenv(executables.FOLDER, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CNFGEN_SOLVERS_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(executables, "CHECKOUT", None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "bin" / "python"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])


def add_wheel_note(folder):
    """The note of the installed package, in the version of the recipe."""
    name, version = find_solver("kissat").wheel["requirement"].split("==")
    (folder / "site" / f"{name.replace('-', '_')}-{version}.dist-info").mkdir()


def test_the_extra_has_the_wheels_of_the_recipes():
    """A solver of one name has one version, wherever it comes from."""
    extra = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]["solvers"]
    wheels = sorted(solver.wheel["requirement"] for solver in load_solvers().values() if solver.wheel)
    assert sorted(requirement.partition(";")[0] for requirement in extra) == wheels and len(wheels) == 2


def test_the_order_of_the_search(monkeypatch, tmp_path):
    """The first place has priority over the later ones; no program is requested by name."""
    on_path = make_program(tmp_path / "path" / "kissat")
    assert find_solver("kissat").locate() == on_path
    wheel = make_program(tmp_path / "site" / "sage_wheels" / "bin" / "kissat")
    (tmp_path / "site" / "passagemath_kissat-10.8.13.dist-info").mkdir()
    assert find_solver("kissat").locate() == on_path, "another version of the wheel has another kissat"
    add_wheel_note(tmp_path)
    assert find_solver("kissat").locate() == wheel
    of_user = make_program(tmp_path / "home" / ".local" / "share" / "cnfgen-puzzles" / "solvers" / "bin" / "kissat")
    assert find_solver("kissat").locate() == of_user
    monkeypatch.setattr(executables, "CHECKOUT", tmp_path / "checkout")
    assert find_solver("kissat").locate() == of_user, "nothing is built there yet"
    built = make_program(tmp_path / "checkout" / "bin" / "kissat")
    assert find_solver("kissat").locate() == built
    named = make_program(tmp_path / "other" / "bin" / "kissat")
    monkeypatch.setenv(executables.FOLDER, str(tmp_path / "other"))
    assert find_solver("kissat").locate() == named
    kinds = [place.kind for place in table.search_program(find_solver("kissat"))]
    assert kinds == [table.NAMED, table.NAMED, table.INSTALLED, table.WHEEL, table.SYSTEM]
    users = make_program(tmp_path / "users" / "kissat")
    (tmp_path / "solvers.yaml").write_text(f"solvers:\n  kissat: {{executable: {users}}}\n")
    monkeypatch.setenv("CNFGEN_SOLVERS_FILE", str(tmp_path / "solvers.yaml"))
    assert find_solver("kissat").locate() == users
    monkeypatch.setenv("CNFGEN_SOLVER_KISSAT", str(make_program(tmp_path / "mine")))
    assert find_solver("kissat").locate() == tmp_path / "mine"
    monkeypatch.delenv("CNFGEN_SOLVER_KISSAT")
    monkeypatch.delenv("CNFGEN_SOLVERS_FILE")
    named.unlink()
    assert find_solver("kissat").locate() == wheel, "the folder that is named is the only one"


def test_a_wheel_whose_program_may_not_be_run_is_none(tmp_path):
    make_program(tmp_path / "site" / "sage_wheels" / "bin" / "kissat").chmod(0o644)
    add_wheel_note(tmp_path)
    assert table.find_program(find_solver("kissat")) is None


def test_python_sat_is_the_last_resort_where_it_is_installed(monkeypatch, tmp_path):
    place = table.find_program(find_solver("pysat"))
    assert (place.kind, place.title) == (table.MODULE, "the Python module pysat")
    assert find_solver("pysat").prefix(place.program)[1:] == ["-m", "cnfgen_puzzles.solving.incremental"]
    monkeypatch.setitem(sys.modules, "pysat", None)  # as if it were not installed
    assert table.find_program(find_solver("pysat")) is None
    with pytest.raises(InputError, match="the solver pysat is not installed: install it with `pip install python-sat`"):
        find_solver("pysat").locate()


def test_the_message_names_one_command_and_every_place(tmp_path):
    with pytest.raises(InputError) as caught:
        find_solver("kissat").locate()
    said = str(caught.value)
    assert "install it with `cnf-solvers install kissat` or `pip install 'cnfgen-puzzles[solvers]'`" in said
    for place in table.search_program(find_solver("kissat")):
        assert place.title in said


def test_a_user_without_a_home(monkeypatch):
    """No HOME and no entry in the password file: nothing is found, and the installation error says what to set."""
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", lambda number: (_ for _ in ()).throw(KeyError(number)))
    assert list(executables.homes()) == []
    assert table.find_program(find_solver("kissat")) is None
    with pytest.raises(InputError, match=r"no home folder .*\$CNFGEN_SOLVERS_FOLDER"):
        executables.home()


def test_the_data_folder_is_where_the_system_says(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "my dätä"))
    assert executables.home() == tmp_path / "my dätä" / "cnfgen-puzzles" / "solvers"
    monkeypatch.setenv(executables.FOLDER, "~/else")
    assert list(executables.homes()) == [tmp_path / "home" / "else"]


def test_the_variable_may_name_the_bin_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(executables.FOLDER, str(tmp_path / "solvers" / "bin"))
    assert executables.home() == tmp_path / "solvers" / "bin"  # not made yet: a folder of this name
    (tmp_path / "solvers" / "bin").mkdir(parents=True)
    assert executables.home() == tmp_path / "solvers"
    (tmp_path / "solvers" / "bin" / "bin").mkdir()
    assert executables.home() == tmp_path / "solvers" / "bin"
