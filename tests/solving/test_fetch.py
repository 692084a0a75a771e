"""Downloads of sources and ready-made programs: every origin, and every kind of failure.

No network: upstream is a `file:` address, and scripts replace pip and apt-get.
"""

import re
from pathlib import Path

import pytest
from solving.archives import GOOD, packed, sha256, wants

from cnfgen_puzzles.solving import fetch
from cnfgen_puzzles.solving.fetch import FetchError, fetch_archive


def test_a_local_archive_comes_first(sources, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "tool-1.tar.gz").write_bytes(GOOD)
    monkeypatch.setenv("CNFGEN_ARCHIVES", f"/nowhere:{tmp_path / 'mine'}")
    said = []
    path, origin = fetch_archive(wants({"url": "file:///nowhere"}), sources, said.append)
    assert path.read_bytes() == GOOD and path.parent == tmp_path / "mine"
    assert origin == f"local archive {tmp_path / 'mine' / 'tool-1.tar.gz'}"
    assert said == []


def test_a_wrong_checksum_names_both_and_falls_through(sources, tmp_path):
    (tmp_path / "bad").write_bytes(b"something else")
    (tmp_path / "good").write_bytes(GOOD)
    (sources / "tool-1.tar.gz").write_bytes(b"cut short")
    said = []
    build = wants({"url": f"file://{tmp_path}/absent"}, {"url": f"file://{tmp_path}/bad"}, {"url": f"file://{tmp_path}/good"})
    path, origin = fetch_archive(build, sources, said.append)
    assert path.read_bytes() == GOOD
    assert origin == f"upstream file://{tmp_path}/good"
    assert f"{sha256(b'cut short')}, expected {sha256(GOOD)}" in said[0]
    assert "cannot be reached" in said[1]
    assert f"{sha256(b'something else')}, expected {sha256(GOOD)}" in said[2]
    assert [each.name for each in sources.iterdir() if not each.name.startswith(".")] == ["tool-1.tar.gz"]


def test_offline_all_origins_are_named_and_what_to_do(sources, monkeypatch):
    def fail(command, cwd=None):
        raise FetchError("no network")

    monkeypatch.setattr(fetch, "_run", fail)
    monkeypatch.setattr(fetch.shutil, "which", lambda name: f"/usr/bin/{name}")
    said = []
    pip = {"requirement": "pack==1", "file": "pack-1.tar.gz", "sha256": "0", "member": "x"}
    apt = {"package": "tool=1-1", "suite": "trixie", "file": "tool_1.orig.tar.gz"}
    with pytest.raises(FetchError, match=r"no origin gave tool-1\.tar\.gz; put it into .*CNFGEN_ARCHIVES"):
        fetch_archive(wants({"url": "http://localhost:9/x"}, {"pip": pip}, {"apt": apt}), sources, said.append)
    assert [line.partition(":")[0] for line in said] == ["upstream http", "pip pack==1", "apt tool=1-1"]
    assert list(sources.glob("*.gz")) == []


def test_pip_is_asked_once_for_a_package_that_many_need(sources, monkeypatch):
    package = packed({"pack-1/tool.tar.gz": GOOD})
    asked = []

    def play(command, cwd=None):
        asked.append(command)
        (Path(command[command.index("--dest") + 1]) / "pack-1.tar.gz").write_bytes(package)
        return ""

    monkeypatch.setattr(fetch, "_run", play)
    pip = {"requirement": "pack==1", "file": "pack-1.tar.gz", "sha256": sha256(package), "member": "pack-1/tool.tar.gz"}
    builds = [{**wants({"pip": pip}), "archive": name} for name in ("one.tar.gz", "two.tar.gz", "three.tar.gz")]
    assert [fetch_archive(build, sources, print)[0].read_bytes() for build in builds] == [GOOD] * 3
    assert len(asked) == 1
    assert asked[0][-1] == "pack==1" and asked[0][-3:-1] == ["--no-binary", ":all:"]


def test_a_package_without_the_member_is_reported(sources, monkeypatch):
    package = packed({"pack-1/tool.tar.gz": GOOD})
    (sources / "pack-1.tar.gz").write_bytes(package)
    pip = {"requirement": "pack==1", "file": "pack-1.tar.gz", "sha256": sha256(package), "member": "pack-1/other"}
    said = []
    with pytest.raises(FetchError):
        fetch_archive(wants({"pip": pip}), sources, said.append)
    assert "pack-1.tar.gz does not contain pack-1/other" in said[0]


def test_the_mirror_of_this_machine_is_used_and_a_half_failed_download_is_enough(sources, monkeypatch):
    lists = []

    def play(command, cwd=None):
        if "indextargets" in command:
            return "http://ppa/x|Other\nhttp://mirror/debian/|Debian\n"
        if "source" in command:
            (cwd / "tool_1.orig.tar.gz").write_bytes(GOOD)
            raise FetchError("Failed to fetch tool_1-1.dsc")
        parts = next(word for word in command if word.startswith("Dir::Etc::SourceParts=")).partition("=")[2]
        lists.append("".join(re.sub("Signed-By.*\n", "", file.read_text()) for file in Path(parts).iterdir()))
        return ""

    monkeypatch.setattr(fetch, "_run", play)
    monkeypatch.setattr(fetch.shutil, "which", lambda name: f"/usr/bin/{name}")
    apt = {"package": "tool=1-1", "suite": "trixie", "file": "tool_1.orig.tar.gz"}
    path, origin = fetch_archive(wants({"apt": apt}), sources, print)
    assert (path.read_bytes(), origin) == (GOOD, "apt tool=1-1")
    assert lists == ["Types: deb-src\nURIs: http://mirror/debian/\nSuites: trixie\nComponents: main\n"]
    assert [file.name for file in sources.iterdir() if not file.name.startswith(".")] == ["tool-1.tar.gz"]


def test_pip_of_the_system_serves_an_environment_without_one(monkeypatch, tmp_path):
    monkeypatch.setattr(fetch.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(fetch.shutil, "which", lambda name: "/usr/bin/pip" if name == "pip" else None)
    asked = []
    monkeypatch.setattr(fetch, "_run", lambda command, cwd=None: asked.append(command) or "")
    with pytest.raises(FetchError, match="pip did not fetch pack-1"):
        fetch.python_package({"file": "pack-1.tar.gz", "requirement": "pack==1"}, tmp_path)
    assert asked[0][:2] == ["/usr/bin/pip", "download"]
    monkeypatch.setattr(fetch.shutil, "which", lambda name: None)
    with pytest.raises(FetchError, match="pip is not installed"):
        fetch.python_package({"file": "pack-1.tar.gz", "requirement": "pack==1"}, tmp_path)


def test_a_client_that_hangs_fails_or_is_missing(monkeypatch):
    monkeypatch.setattr(fetch, "CLIENT_SECONDS", 0.2)
    for command, words in (
        (["sleep", "60"], "exceeded"),
        (["/nowhere/x"], "cannot be run"),
        (["sh", "-c", "echo E: no; exit 3"], "E: no"),
    ):
        with pytest.raises(FetchError, match=words):
            fetch._run(command)


def test_an_endless_download_is_stopped(sources, tmp_path, monkeypatch):
    (tmp_path / "long").write_bytes(bytes(1000))
    monkeypatch.setattr(fetch, "MOST_BYTES", 100)
    said = []
    with pytest.raises(FetchError, match="no origin gave"):
        fetch_archive(wants({"url": f"file://{tmp_path}/long"}), sources, said.append)
    assert "exceeded the limit of 100 bytes" in said[0]
