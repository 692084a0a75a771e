"""`solvers/system.sh` installs or names the missing system packages."""

import subprocess

import pytest
from repository import REPOSITORY

SCRIPT = REPOSITORY / "solvers" / "system.sh"


@pytest.fixture
def system(tmp_path):
    """`system(*commands, root=...)` runs system.sh with only these commands on PATH; `.calls` has the calls of apt-get."""

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


def test_a_complete_system_calls_nothing(system):
    done = system(*ALL, root=True)
    assert (done.returncode, done.stdout, done.stderr, done.calls) == (0, "", "", [])


def test_root_installs_missing_packages(system):
    done = system("python3", "make", "cc", "apt-get", root=True, headers=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.calls == ["-qq update", "-qq install -y --no-install-recommends g++ zlib1g-dev"]


def test_other_users_see_the_command_to_run(system):
    done = system("python3", "make", "cc", "apt-get", root=False)
    assert (done.returncode, done.calls) == (0, [])
    assert done.stderr == "the system lacks: g++; run: sudo apt-get install g++\n"


def test_systems_without_apt_get_see_the_package_names(system):
    done = system("python3", root=True)
    assert (
        done.stderr
        == "the system lacks (by their Debian names): make gcc g++ zlib1g-dev; install them with its package manager\n"
    )
