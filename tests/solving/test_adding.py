"""Solvers that a user adds from an archive: the entry in the user's file, the copy of the archive, and mistakes."""

import io
import tarfile
import zipfile

import pytest
import yaml
from conftest import make_program
from solving.archives import packed, sha256

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.adding import add_solver
from cnfgen_puzzles.solving.fetch import FetchError, fetch_archive
from cnfgen_puzzles.solving.table import find_solver, load_solvers

FILES = {"kissat-rel-4.0.4/configure": b"", "kissat-rel-4.0.4/src/main.c": b""}


@pytest.fixture
def user_file(tmp_path, monkeypatch):
    """The user's file, which does not exist yet."""
    monkeypatch.delenv("CNFGEN_SOLVERS_FILE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path / "home"))
    path = tmp_path / "config" / "cnfgen-puzzles" / "solvers.yaml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def add(user_file, tmp_path):
    """`add(name)` adds a solver like kissat from an archive of these files; returns its version."""

    def call(name="kissat-4.0.4", files=None, file="rel-4.0.4.tar.gz", like="kissat", **how):
        archive = tmp_path / file
        if files is not None or not archive.exists():
            archive.write_bytes(packed(FILES if files is None else files))
        return add_solver(name, find_solver(like), str(archive), tmp_path / "home", **how)

    return call


def test_the_entry_has_the_archive_and_the_settings_of_the_other_solver(add, user_file, tmp_path):
    assert add() == "4.0.4"
    solver, kissat = find_solver("kissat-4.0.4"), find_solver("kissat")
    archive = (tmp_path / "rel-4.0.4.tar.gz").read_bytes()
    assert (solver.version, solver.licence, solver.program) == ("4.0.4", kissat.licence, "kissat-4.0.4")
    assert solver.build == {
        "archive": "kissat-4.0.4-rel-4.0.4.tar.gz", "sha256": sha256(archive), "origins": [], "folder": "kissat-rel-4.0.4",
        "commands": kissat.build["commands"], "binary": kissat.build["binary"],
    }  # fmt: skip
    for name in ("arguments", "seed_arguments", "proof_arguments", "proof_format", "quiet_arguments", "statistics"):
        assert getattr(solver, name) == getattr(kissat, name)
    (tmp_path / "rel-4.0.4.tar.gz").unlink()  # a copy is kept
    assert fetch_archive(solver.build, tmp_path / "home" / "sources", print)[0].read_bytes() == archive


def test_it_never_runs_another_version(add, tmp_path, monkeypatch):
    for folder in (tmp_path / "home" / "bin", tmp_path / "path"):
        make_program(folder / "kissat")
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    add()
    assert find_solver("kissat").available() and not find_solver("kissat-4.0.4").available()
    with pytest.raises(InputError, match=r"install kissat-4\.0\.4` \(searched: \$CNFGEN_SOLVER_KISSAT_4_0_4"):
        find_solver("kissat-4.0.4").locate()
    own = make_program(tmp_path / "home" / "bin" / "kissat-4.0.4")
    assert find_solver("kissat-4.0.4").locate() == own


@pytest.mark.parametrize(
    ("files", "file", "version", "folder"),
    [
        ({"kissat-rel-4.0.4/x": b""}, "master.tar.gz", "4.0.4", "kissat-rel-4.0.4"),
        ({"./kissat-v4/x": b""}, "x.tar.gz", "4", "kissat-v4"),
        ({"kissat/x": b""}, "kissat_4.1rc2-x.tar.gz", "4.1rc2", "kissat"),
        ({"kissat2/x": b""}, "x.tar.gz", "4.0.4", "kissat2"),
        ({"configure": b"", "src/main.c": b""}, "x.tar.gz", "4.0.4", None),
        ({"configure": b""}, "x.tar.gz", "4.0.4", None),
        ({"a[1]/x": b""}, "x.tar.gz", "4.0.4", "a[[]1]"),
    ],
)
def test_version_and_folder(add, files, file, version, folder):
    assert add(files=files, file=file) == version
    assert find_solver("kissat-4.0.4").build.get("folder") == folder


def test_a_version_that_no_name_has_is_the_checksum(add, tmp_path):
    assert add("mine", {"kissat-master/x": b""}, "master.tar.gz") == sha256((tmp_path / "master.tar.gz").read_bytes())[:12]


def test_a_zip_file_and_a_web_address(add, user_file, tmp_path):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("kissat-5/configure", "")
    (tmp_path / "five.zip").write_bytes(stream.getvalue())
    assert add("zipped", file="five.zip") == "5"
    url = f"file://{tmp_path}/five.zip"
    assert add_solver("fetched", find_solver("kissat"), url, tmp_path / "home") == "5"
    build = find_solver("fetched").build
    assert (build["folder"], build["origins"]) == ("kissat-5", [{"url": url}])
    with pytest.raises(FetchError, match=r"file:///nowhere/x\.zip: cannot be reached"):
        add_solver("other", find_solver("kissat"), "file:///nowhere/x.zip", tmp_path / "home")


def test_other_entries_and_comments_stay(add, user_file):
    before = (
        "# mine\nsolvers:\n    first: {executable: /bin/true}   # one\n    # about the next\n    kissat-4.0.4:\n"
        "        like: kissat\n\n    # about the last\n    last:\n        like: kissat-4.0.4\n\n"
    )
    user_file.write_text(before)
    with pytest.raises(InputError, match=r"kissat-4\.0\.4 already has an entry; --force replaces it") as caught:
        add()
    assert (caught.value.source, caught.value.line, user_file.read_text()) == (str(user_file), 5, before)
    add(files={"kissat-5/x": b""}, force=True)
    text = user_file.read_text()
    head, tail = before.split("        like: kissat\n")
    assert text.startswith(head) and text.endswith(tail.rstrip() + "\n")
    assert find_solver("last").like.version == "5" and find_solver("first").executable == "/bin/true"
    add("another")
    assert user_file.read_text().startswith(text)
    assert list(yaml.safe_load(user_file.read_text())["solvers"]) == ["first", "kissat-4.0.4", "last", "another"]
    assert not [each.fault for each in load_solvers().values() if each.fault]


@pytest.mark.parametrize("text", ["solvers: {a: {executable: x}}\n", "solvers:\n  a: {executable: x}\n...\n"])
def test_a_file_of_another_form_stays_as_it_is(add, user_file, text):
    user_file.write_text(text)
    with pytest.raises(InputError, match="expected a line `solvers:` and indented entries below it") as caught:
        add()
    assert (caught.value.source, user_file.read_text()) == (str(user_file), text)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"name": "kissat"}, "kissat is a known solver; expected a new name, such as kissat-VERSION"),
        ({"name": "kissat", "force": True}, "kissat is a known solver"),
        ({"name": "a b"}, "found the name 'a b', expected letters"),
        ({"name": "../x"}, "found the name"),
        ({"name": "-x"}, "found the name"),
        ({"name": "häme"}, "found the name"),
        ({"name": ""}, "found the name"),
        ({"like": "clasp"}, "found clasp after --like, expected a solver that `cnf-solvers install` builds"),
        ({"like": "drat-trim"}, "found drat-trim after --like"),
        ({"file": "kissat"}, "/kissat: cannot be unpacked: Unknown archive format"),
    ],
)
def test_mistakes_write_nothing(add, user_file, tmp_path, how, words):
    with pytest.raises(InputError, match=words):
        add(**how)
    assert not user_file.exists() and not (tmp_path / "home").exists()


def test_a_solver_cannot_be_like_itself(add):
    add()
    with pytest.raises(InputError, match="expected two different solvers"):
        add(like="kissat-4.0.4", force=True)


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".tar", ".zip"])
@pytest.mark.parametrize("data", [b"", b"<html>not found</html>", packed({"a/b": bytes(range(256)) * 9})[:-60], None])
def test_files_that_are_no_archives(add, user_file, tmp_path, data, suffix):
    name = f"x{suffix}"
    if data is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(CnfgenError) as caught:
        add(file=name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ") and caught.value.exit_code == 2
    assert not user_file.exists()
    with pytest.raises(InputError, match="No such file"):
        add_solver("x", find_solver("kissat"), "/nowhere/x.tar.gz", tmp_path / "home")


@pytest.mark.skipif(not hasattr(tarfile, "data_filter"), reason="this Python unpacks everything")
def test_an_archive_with_files_outside_its_folder_is_refused(add, user_file, tmp_path):
    with pytest.raises(InputError, match=r"cannot be unpacked: .*outside"):
        add(files={"kissat-5/x": b"", "../../outside": b""})
    assert not user_file.exists() and not (tmp_path / "outside").exists()
