"""What setting up wants of the system: `solvers/system.sh` where commands are there and where they are not."""

import subprocess

import pytest
from repository import REPOSITORY

SCRIPT = REPOSITORY / "solvers" / "system.sh"


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
            ["/bin/sh", SCRIPT], env={"PATH": str(path)}, capture_output=True, text=True, timeout=20, check=False
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
