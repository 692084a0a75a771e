"""The package registries through their ordinary clients, pip and apt-get, as the user has set them up: no address is known here.

Nothing needs root: apt-get is given lists of its own, made from the mirror that this machine uses for its own packages.
"""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError

APT_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")  # of Debian's package debian-archive-keyring
PATIENCE = 300.0  # seconds for a client that goes on


class FetchError(CnfgenError):
    """One origin, or all of them, did not bring the file."""


def run(command: list[str], cwd: Path | None = None) -> str:
    """What `command` prints; a FetchError with the last line of its complaint where it fails."""
    try:
        done = subprocess.run(
            command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
            timeout=PATIENCE,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise FetchError(f"{Path(command[0]).name} had not ended after {PATIENCE:.0f} s") from None
    except OSError as error:
        raise FetchError(f"{command[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        complaint = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise FetchError(complaint[-1] if complaint else f"{command[0]} failed with exit code {done.returncode}")
    return done.stdout


# -- PyPI -------------------------------------------------------------------------------------------------------------------


def python_package(details: Mapping[str, str], folder: Path) -> Path:
    """A file of PyPI, brought into `folder`."""
    name = details["file"]
    command = [*_pip(), "download", "--quiet", "--no-deps", "--retries", "1", "--disable-pip-version-check"]
    run([*command, "--dest", str(folder), *kind_of_file(name), details["requirement"]])
    if not (folder / name).is_file():
        raise FetchError(f"pip brought no {name}")
    return folder / name


def kind_of_file(name: str) -> list[str]:
    """The options that make pip choose the file `name`: the sdist, or that wheel whatever Python this is."""
    if not name.endswith(".whl"):
        return ["--no-binary", ":all:"]
    python, abi, platforms = name.removesuffix(".whl").split("-")[-3:]
    tags = ["--python-version", python[2:], "--implementation", python[:2], "--abi", abi]
    return ["--only-binary", ":all:", *tags, "--platform", platforms.split(".")[-1]]


def _pip() -> list[str]:
    """This Python's own pip; in an environment without one, that of the system."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name in ("pip3", "pip"):
        if found := shutil.which(name):
            return [found]
    raise FetchError(f"pip is not there ({sys.executable} -m ensurepip)")


# -- Debian -----------------------------------------------------------------------------------------------------------------


def debian_source(details: Mapping[str, str], folder: Path) -> Path:
    """The upstream archive of a Debian source package, brought into `folder`.

    The mirror may lack the packaging files; then apt-get fails, but the archive has arrived and that is enough.
    """
    options = _apt_lists(details["suite"], "deb-src", folder)
    with contextlib.suppress(FetchError):
        run(["apt-get", *options, "source", "--download-only", details["package"]], cwd=folder)
    return _brought(folder / details["file"])


def debian_package(details: Mapping[str, str], folder: Path) -> Path:
    """A Debian package, downloaded into `folder` and not installed."""
    run(["apt-get", *_apt_lists(details["suite"], "deb", folder), "download", details["package"]], cwd=folder)
    return _brought(folder / details["file"])


def content_of(package: Path, folder: Path) -> Path:
    """The files of a Debian package as a tar archive."""
    out = folder / "content.tar"
    if not shutil.which("dpkg-deb"):
        raise FetchError("no dpkg-deb on this system")
    with out.open("wb") as stream:
        done = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], stdout=stream, stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise FetchError(f"{package.name} cannot be unpacked")
    return out


def _brought(file: Path) -> Path:
    if not file.is_file():
        raise FetchError(f"apt-get brought no {file.name}")
    return file


def _apt_lists(suite: str, kind: str, folder: Path) -> list[str]:
    """apt-get's options for the source lists of `suite`, fetched into `folder`: old ones name what is gone."""
    if not shutil.which("apt-get"):
        raise FetchError("no apt-get on this system")
    sources = folder / "parts" / "cnfgen.sources"
    for each in (sources.parent, folder / "lists" / "partial", folder / "cache" / "archives" / "partial"):
        each.mkdir(parents=True, exist_ok=True)
    signed = f"Signed-By: {APT_KEYRING}\n" if APT_KEYRING.is_file() else ""
    sources.write_text(f"Types: {kind}\nURIs: {_apt_mirror()}\nSuites: {suite}\nComponents: main\n{signed}", encoding="utf-8")
    options = [f"Dir::Etc::SourceParts={sources.parent}", "Dir::Etc::SourceList=/dev/null"]
    options += [f"Dir::State::Lists={folder / 'lists'}", f"Dir::Cache={folder / 'cache'}"]
    words = [word for option in options for word in ("-o", option)]
    run(["apt-get", *words, "-o", "APT::Update::Error-Mode=any", "update"])
    return words


def _apt_mirror() -> str:
    """The Debian mirror that this machine uses for its own packages."""
    fields = "$(REPO_URI)|$(LABEL)"
    for line in run(["apt-get", "indextargets", "--format", fields, "Created-By: Packages"]).splitlines():
        address, _, label = line.partition("|")
        if label == "Debian":
            return address
    raise FetchError("this machine uses no Debian mirror")
