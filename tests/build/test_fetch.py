"""How sources arrive and become binaries: every origin, every way for one to fail, and builds that fail or are interrupted.

No network: upstream is a `file:` address, pip and apt-get are played.
"""

import hashlib
import importlib
import io
import json
import os
import signal
import stat
import subprocess
import sys
import tarfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from cnfgen_puzzles.solving.table import Solver, load_solvers

RECIPES = Path(__file__).resolve().parents[2] / "solvers"


@pytest.fixture
def tools(monkeypatch, tmp_path):
    """The modules `fetch` and `build`, at work in a folder of their own."""
    monkeypatch.syspath_prepend(str(RECIPES))
    fetch, build = importlib.import_module("fetch"), importlib.import_module("build")
    monkeypatch.delenv("CNFGEN_ARCHIVES", raising=False)
    monkeypatch.setattr(fetch, "SOURCES", tmp_path / "sources")
    monkeypatch.setattr(build, "HERE", tmp_path)
    monkeypatch.setattr(build, "BIN", tmp_path / "bin")
    monkeypatch.setattr(build, "WORK", tmp_path / "build")
    (tmp_path / "build").mkdir()
    return SimpleNamespace(fetch=fetch, build=build)


def packed(files: dict[str, bytes]) -> bytes:
    """A tar.gz with these files."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


GOOD = packed({"tool-1/program.sh": b"#!/bin/sh\necho 1.0\n"})


def wants(*origins) -> dict:
    return {"archive": "tool-1.tar.gz", "sha256": sha256(GOOD), "origins": list(origins)}


# -- fetching -----------------------------------------------------------------------------------------------------------------


def test_a_local_archive_comes_first(tools, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "tool-1.tar.gz").write_bytes(GOOD)
    monkeypatch.setenv("CNFGEN_ARCHIVES", f"/nowhere:{tmp_path / 'mine'}")
    said = []
    path, origin = tools.fetch.fetch_archive(wants({"url": "file:///nowhere"}), said.append)
    assert path.read_bytes() == GOOD and path.parent == tools.fetch.SOURCES
    assert origin == f"local archive {tmp_path / 'mine' / 'tool-1.tar.gz'}"
    assert said == []


def test_a_wrong_checksum_names_both_and_falls_through(tools, tmp_path):
    (tmp_path / "bad").write_bytes(b"something else")
    (tmp_path / "good").write_bytes(GOOD)
    tools.fetch.SOURCES.mkdir()
    (tools.fetch.SOURCES / "tool-1.tar.gz").write_bytes(b"cut short")
    said = []
    build = wants({"url": f"file://{tmp_path}/absent"}, {"url": f"file://{tmp_path}/bad"}, {"url": f"file://{tmp_path}/good"})
    path, origin = tools.fetch.fetch_archive(build, said.append)
    assert path.read_bytes() == GOOD
    assert origin == f"upstream file://{tmp_path}/good"
    assert f"{sha256(b'cut short')}, expected {sha256(GOOD)}" in said[0]
    assert "cannot be reached" in said[1]
    assert f"{sha256(b'something else')}, expected {sha256(GOOD)}" in said[2]
    assert [each.name for each in tools.fetch.SOURCES.iterdir() if not each.name.startswith(".")] == ["tool-1.tar.gz"]


def test_offline_all_origins_are_named_and_what_to_do(tools, monkeypatch):
    def fail(command, cwd=None):
        raise tools.fetch.FetchError("no network")

    monkeypatch.setattr(tools.fetch, "_run", fail)
    monkeypatch.setattr(tools.fetch.shutil, "which", lambda name: f"/usr/bin/{name}")
    said = []
    pip = {"requirement": "pack==1", "file": "pack-1.tar.gz", "sha256": "0", "member": "x"}
    apt = {"package": "tool=1-1", "suite": "trixie", "file": "tool_1.orig.tar.gz"}
    with pytest.raises(tools.fetch.FetchError, match=r"no origin brought tool-1\.tar\.gz; put it into .*CNFGEN_ARCHIVES"):
        tools.fetch.fetch_archive(wants({"url": "http://localhost:9/x"}, {"pip": pip}, {"apt": apt}), said.append)
    assert [line.partition(":")[0] for line in said] == ["upstream http", "pip pack==1", "apt tool=1-1"]
    assert list(tools.fetch.SOURCES.glob("*.gz")) == []


def test_pip_is_asked_once_for_a_package_that_many_need(tools, monkeypatch):
    package = packed({"pack-1/tool.tar.gz": GOOD})
    asked = []

    def play(command, cwd=None):
        asked.append(command)
        time.sleep(0.1)
        (Path(command[command.index("--dest") + 1]) / "pack-1.tar.gz").write_bytes(package)
        return ""

    monkeypatch.setattr(tools.fetch, "_run", play)
    pip = {"requirement": "pack==1", "file": "pack-1.tar.gz", "sha256": sha256(package), "member": "pack-1/tool.tar.gz"}
    builds = [{**wants({"pip": pip}), "archive": name} for name in ("one.tar.gz", "two.tar.gz", "three.tar.gz")]
    with ThreadPoolExecutor(3) as pool:
        brought = list(pool.map(lambda build: tools.fetch.fetch_archive(build, print), builds))
    assert [path.read_bytes() for path, _ in brought] == [GOOD] * 3
    assert len(asked) == 1
    assert asked[0][-1] == "pack==1" and asked[0][-3:-1] == ["--no-binary", ":all:"]


def test_a_package_without_the_member_is_said(tools, monkeypatch):
    package = packed({"pack-1/tool.tar.gz": GOOD})
    tools.fetch.SOURCES.mkdir()
    (tools.fetch.SOURCES / "pack-1.tar.gz").write_bytes(package)
    pip = {"requirement": "pack==1", "file": "pack-1.tar.gz", "sha256": sha256(package), "member": "pack-1/other"}
    said = []
    with pytest.raises(tools.fetch.FetchError):
        tools.fetch.fetch_archive(wants({"pip": pip}), said.append)
    assert "pack-1.tar.gz holds no pack-1/other" in said[0]


def test_the_mirror_of_this_machine_is_used_and_a_half_failed_download_is_enough(tools, monkeypatch):
    asked = []

    def play(command, cwd=None):
        asked.append(command)
        if "indextargets" in command:
            return "http://ppa/x|Other\nhttp://mirror/debian/|Debian\n"
        if "source" in command:
            (cwd / "tool_1.orig.tar.gz").write_bytes(GOOD)
            raise tools.fetch.FetchError("Failed to fetch tool_1-1.dsc")
        return ""

    monkeypatch.setattr(tools.fetch, "_run", play)
    monkeypatch.setattr(tools.fetch.shutil, "which", lambda name: f"/usr/bin/{name}")
    apt = {"package": "tool=1-1", "suite": "trixie", "file": "tool_1.orig.tar.gz"}
    path, origin = tools.fetch.fetch_archive(wants({"apt": apt}), print)
    assert (path.read_bytes(), origin) == (GOOD, "apt tool=1-1")
    sources = next((tools.fetch.SOURCES / "apt-trixie" / "parts").glob("*.sources")).read_text()
    assert "URIs: http://mirror/debian/\nSuites: trixie\n" in sources
    path.unlink()
    tools.fetch.fetch_archive(wants({"apt": apt}), print)
    assert sum("update" in command for command in asked) == 1


def test_the_ready_binary_is_for_one_kind_of_machine(tools, monkeypatch):
    prebuilt = load_solvers()["kissat"].build["prebuilt"]
    words = tools.fetch._kind_of_file(prebuilt["pip"]["file"])
    assert words[words.index("--python-version") + 1] == "311"
    assert words[words.index("--platform") + 1] == "manylinux_2_28_x86_64"
    monkeypatch.setattr(tools.fetch.platform, "machine", lambda: "riscv64")
    with pytest.raises(tools.fetch.FetchError, match="not for this machine"):
        tools.fetch.fetch_prebuilt(prebuilt)


# -- building -----------------------------------------------------------------------------------------------------------------


def tool(*commands: str, version="1", **build) -> Solver:
    return Solver(
        "tool",
        version=version,
        build={**wants(), "folder": "tool-1", "commands": list(commands), "binary": "made", **build},
    )


@pytest.fixture
def source(tools):
    tools.fetch.SOURCES.mkdir()
    (tools.fetch.SOURCES / "tool-1.tar.gz").write_bytes(GOOD)


def test_a_build_is_installed_with_its_note(tools, source, tmp_path, capsys):
    solver = tool("cp program.sh made")
    assert not tools.build.is_current(solver)
    tools.build.install(solver)
    binary = tmp_path / "bin" / "tool"
    assert binary.stat().st_mode & stat.S_IXUSR
    note = json.loads((tmp_path / "bin" / "tool.json").read_text())
    assert note["version"] == "1" and note["source_sha256"] == sha256(GOOD) and note["origin"].startswith("local archive")
    assert note["binary_sha256"] == sha256(binary.read_bytes())
    assert solver.version_line(binary) == "1"
    assert tools.build.is_current(solver)
    assert not tools.build.is_current(tool("cp program.sh made", version="2"))
    assert not tools.build.is_current(tool("cp program.sh  made"))
    binary.write_text("changed")
    assert not tools.build.is_current(solver)
    assert "/build/tool.log)" in capsys.readouterr().out


def test_a_failed_build_shows_the_end_of_its_log_and_leaves_the_old_binary(tools, source, tmp_path):
    tools.build.install(tool("cp program.sh made"))
    old = (tmp_path / "bin" / "tool").read_bytes()
    with pytest.raises(tools.build.BuildError) as caught:
        tools.build.install(tool("seq 100", "sh -c 'echo no such header >&2; exit 1'", "cp program.sh made"))
    lines = str(caught.value).splitlines()
    assert str(tmp_path / "build" / "tool.log") in lines[0]
    assert "no such header" in lines[-1] and len(lines) == 16
    assert (tmp_path / "bin" / "tool").read_bytes() == old
    assert sorted(path.name for path in (tmp_path / "bin").iterdir()) == ["tool", "tool.json"]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"binary": "other"}, "made no other"),
        ({"folder": "elsewhere"}, "holds no folder elsewhere"),
        ({"nested": ["x"]}, "unpacked"),
    ],
)
def test_a_recipe_that_does_not_fit_its_archive_is_said(tools, source, change, words):
    with pytest.raises(tools.build.BuildError, match=words):
        tools.build.install(tool("cp program.sh made", **change))


def test_the_ready_binary_is_taken_where_nothing_can_be_built(tools, source, tmp_path, monkeypatch, capsys):
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("bin/tool", "ready")
    name = f"pack-9-cp311-cp311-manylinux_2_28_{os.uname().machine}.whl"
    (tools.fetch.SOURCES / name).write_bytes(wheel.getvalue())
    pip = {"requirement": "pack==9", "file": name, "sha256": sha256(wheel.getvalue()), "member": "bin/tool"}
    solver = tool("exit 1", prebuilt={"version": "9", "sha256": sha256(b"ready"), "pip": pip})
    tools.build.install(solver)
    assert (tmp_path / "bin" / "tool").read_text() == "ready"
    assert json.loads((tmp_path / "bin" / "tool.json").read_text())["version"] == "9"
    assert "taking the ready binary of version 9 instead" in capsys.readouterr().out


def test_an_interrupted_build_leaves_nothing_half_done(tools, source, tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import pathlib, fetch, build\n"
        "from cnfgen_puzzles.solving.table import Solver\n"
        "here = pathlib.Path(sys.argv[2]); fetch.SOURCES = here / 'sources'\n"
        "build.HERE, build.BIN, build.WORK = here, here / 'bin', here / 'build'\n"
        f"build.find_solver = lambda name: Solver(name, build={tool('echo here; sleep 60', 'cp program.sh made').build!r})\n"
        "sys.argv[1:] = ['tool']; sys.exit(build.main())\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program, RECIPES, tmp_path], start_new_session=True)
    log = tmp_path / "build" / "tool.log"
    deadline = time.monotonic() + 100
    while not (log.exists() and "here\n" in log.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    assert running.wait(60) == 130
    assert not (tmp_path / "bin").exists()


# -- what the system lacks ---------------------------------------------------------------------------------------------------


@pytest.fixture
def system(tmp_path):
    """`system(commands, root=...)` runs system.sh where only these commands are there; the calls of apt-get are in `.calls`."""

    def run(*commands, root, headers=True):
        path = tmp_path / "path"
        path.mkdir()
        calls = tmp_path / "calls"
        bodies = {"id": f"echo {0 if root else 1000}", "apt-get": f'echo "$*" >> {calls}', "cc": f"exit {0 if headers else 1}"}
        for name in ("id", *commands):
            (path / name).write_text(f"#!/bin/sh\n{bodies.get(name, 'exit 0')}\n")
            (path / name).chmod(0o755)
        done = subprocess.run(
            ["/bin/sh", RECIPES / "system.sh"], env={"PATH": str(path)}, capture_output=True, text=True, timeout=20, check=False
        )
        done.calls = calls.read_text().splitlines() if calls.exists() else []
        return done

    return run


ALL = ("python3", "make", "cc", "c++", "apt-get")


def test_where_nothing_is_missing_nothing_is_called(system):
    done = system(*ALL, root=True)
    assert (done.returncode, done.stdout, done.stderr, done.calls) == (0, "", "", [])


def test_root_gets_what_is_missing(system):
    done = system("python3", "make", "cc", "apt-get", root=True, headers=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.calls == ["-qq update", "-qq install -y --no-install-recommends g++ zlib1g-dev"]


def test_others_get_one_line(system):
    done = system("python3", "make", "cc", "apt-get", root=False)
    assert (done.returncode, done.calls) == (0, [])
    assert done.stderr == "the system lacks: g++; run: sudo apt-get install g++\n"


def test_other_systems_get_one_line(system):
    done = system("python3", root=True)
    assert (
        done.stderr
        == "the system lacks (by their Debian names): make gcc g++ zlib1g-dev; install them with its package manager\n"
    )
