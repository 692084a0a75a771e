"""Fetches a file with a known checksum from this machine, from upstream, or from a package registry.

Origins are tried in the order of the recipe, local archives first. A line reports each origin that fails or gives other bytes,
and the next one is tried. The file is kept in the folder `sources` of a home (`executables`).

Package registries are used with their ordinary clients, pip and apt-get, in the user's configuration: this module contains no
addresses of registries. Nothing needs root: apt-get gets its own lists, made from the mirror that this machine uses.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.digests import digest, digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError

CONNECT_TIMEOUT = 5.0  # seconds without an answer of an upstream site
MOST_SECONDS = 600.0  # for a download
MOST_BYTES = 1 << 28  # for a download: the largest archive has 7 MB
APT_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")  # of Debian's package debian-archive-keyring
CLIENT_SECONDS = 300.0  # seconds for a client

Say = Callable[[str], None]
Checksums = str | Mapping[str, str]
"""The SHA-256 of a file, or of the used files of an archive by their names below its top folder."""


class FetchError(CnfgenError):
    """One origin, or all of them, did not give the file."""


def fetch_archive(build: Mapping[str, Any], sources: Path, say: Say) -> tuple[Path, str]:
    """The archive of a recipe's `build` part, local or fetched into the folder `sources`, and the name of its origin."""
    name, sums = build["archive"], build.get("contents") or build["sha256"]
    if found := _local(name, sums, sources, say):
        return found, f"local archive {found}"
    sources.mkdir(parents=True, exist_ok=True)
    for origin in build["origins"]:
        for kind, details in origin.items():
            package = details if kind == "url" else details.get("requirement") or details["package"]
            title = f"{'upstream' if kind == 'url' else kind} {package}"
            try:
                with tempfile.TemporaryDirectory(dir=sources, prefix=".fetch-") as folder:
                    return _keep(_from_origin(kind, details, sources, Path(folder)), sources / name, sums), title
            except FetchError as error:
                say(f"{title}: {error}")
    raise FetchError(f"no origin gave {name}; put it into {sources} or a directory in $CNFGEN_ARCHIVES")


def _from_origin(kind: str, details: Any, sources: Path, folder: Path) -> Path:
    if kind == "url":
        return download(details, folder)
    if kind == "apt":
        return debian_source(details, folder)
    package = _local(details["file"], details["sha256"], sources, lambda _: None)  # several recipes need it
    package = package or _keep(python_package(details, folder), sources / details["file"], details["sha256"])
    return _member(package, details["member"], folder)


def _keep(found: Path, place: Path, sums: Checksums) -> Path:
    """Move a file to its place if it has the right checksum."""
    if fault := _checksum_fault(found, sums):
        raise FetchError(f"{found.name} {fault}")
    return found.replace(place)


def _checksum_fault(path: Path, sums: Checksums) -> str:
    """The error of the checksum of a file, or of the files in an archive; empty if there is none."""
    if isinstance(sums, str):
        has = digest_of_file(path)
        return "" if has == sums else f"has the SHA-256 {has}, expected {sums}"
    try:
        with tarfile.open(path) as tar:
            for name, expected in sums.items():
                found = [member for member in tar.getmembers() if member.isfile() and member.name.partition("/")[2] == name]
                stream = tar.extractfile(found[0]) if len(found) == 1 else None
                if stream is None:
                    return f"has {len(found)} files {name}, expected one"
                if (has := digest(stream.read(MOST_BYTES))) != expected:
                    return f"has a file {name} with the SHA-256 {has}, expected {expected}"
    except (OSError, tarfile.TarError, EOFError) as error:
        return f"is not an archive: {error}"
    return ""


def _local(name: str, sums: Checksums, sources: Path, say: Say) -> Path | None:
    """The file called `name` in a directory of `$CNFGEN_ARCHIVES` or in `sources`, if it has the right checksum."""
    directories = [Path(each) for each in os.environ.get("CNFGEN_ARCHIVES", "").split(os.pathsep) if each]
    for path in (directory / name for directory in (*directories, sources)):
        if path.is_file():
            if not (fault := _checksum_fault(path, sums)):
                return path
            say(f"local archive {path} {fault}")
    return None


def download(url: str, folder: Path) -> Path:
    """Fetch a file from a web address into `folder`."""
    path, end, size = folder / "download", time.monotonic() + MOST_SECONDS, 0
    try:
        with urllib.request.urlopen(url, timeout=CONNECT_TIMEOUT) as answer, path.open("wb") as file:
            while block := answer.read(1 << 16):
                size += file.write(block)
                if size > MOST_BYTES or time.monotonic() > end:
                    raise FetchError(f"exceeded the limit of {MOST_BYTES} bytes or {MOST_SECONDS:.0f} s")
    except OSError as error:  # such as URLError
        raise FetchError(f"cannot be reached ({getattr(error, 'reason', error)})") from None
    return path


def _member(package: Path, member: str, folder: Path) -> Path:
    """One file of an sdist."""
    out = folder / "member"
    try:
        with tarfile.open(package) as tar:
            found = tar.extractfile(member)
            if found is None:
                raise KeyError(f"{member} is not a file")
            with found, out.open("wb") as target:
                shutil.copyfileobj(found, target)
    except (KeyError, tarfile.TarError) as error:
        raise FetchError(f"{package.name} does not contain {member} ({error})") from None
    return out


# -- package registries ------------------------------------------------------------------------------------------------------


def _run(command: list[str], cwd: Path | None = None) -> str:
    """The output of `command`; FetchError with the last line of its errors if it fails."""
    try:
        done = subprocess.run(
            command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
            timeout=CLIENT_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise FetchError(f"{Path(command[0]).name} exceeded {CLIENT_SECONDS:.0f} s") from None
    except OSError as error:
        raise FetchError(f"{command[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        complaint = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise FetchError(complaint[-1] if complaint else f"{command[0]} failed with exit code {done.returncode}")
    return done.stdout


def _file_in(folder: Path, name: str, client: str) -> Path:
    if not (folder / name).is_file():
        raise FetchError(f"{client} did not fetch {name}")
    return folder / name


# -- PyPI -------------------------------------------------------------------------------------------------------------------


def python_package(details: Mapping[str, str], folder: Path) -> Path:
    """Fetch a file of PyPI into `folder`."""
    name = details["file"]
    command = [*_pip(), "download", "--quiet", "--no-deps", "--retries", "1", "--disable-pip-version-check"]
    _run([*command, "--dest", str(folder), "--no-binary", ":all:", details["requirement"]])
    return _file_in(folder, name, "pip")


def _pip() -> list[str]:
    """The pip of this Python; in an environment without pip, that of the system."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name in ("pip3", "pip"):
        if found := shutil.which(name):
            return [found]
    raise FetchError(f"pip is not installed; `{sys.executable} -m ensurepip` installs it")


# -- Debian -----------------------------------------------------------------------------------------------------------------


def debian_source(details: Mapping[str, str], folder: Path) -> Path:
    """Fetch the upstream archive of a Debian source package into `folder`.

    The mirror may lack the packaging files; then apt-get fails, but the archive is complete.
    """
    options = _apt_lists(details["suite"], folder)
    with contextlib.suppress(FetchError):
        _run(["apt-get", *options, "source", "--download-only", details["package"]], cwd=folder)
    return _file_in(folder, details["file"], "apt-get")


def _apt_lists(suite: str, folder: Path) -> list[str]:
    """apt-get's options for the source lists of `suite`, fetched into `folder`, since the lists of the system may be outdated."""
    if not shutil.which("apt-get"):
        raise FetchError("apt-get is not installed")
    sources = folder / "parts" / "cnfgen.sources"
    for each in (sources.parent, folder / "lists" / "partial", folder / "cache" / "archives" / "partial"):
        each.mkdir(parents=True, exist_ok=True)
    signed = f"Signed-By: {APT_KEYRING}\n" if APT_KEYRING.is_file() else ""
    sources.write_text(f"Types: deb-src\nURIs: {_apt_mirror()}\nSuites: {suite}\nComponents: main\n{signed}", encoding="utf-8")
    options = [f"Dir::Etc::SourceParts={sources.parent}", "Dir::Etc::SourceList=/dev/null"]
    options += [f"Dir::State::Lists={folder / 'lists'}", f"Dir::Cache={folder / 'cache'}"]
    words = [word for option in options for word in ("-o", option)]
    _run(["apt-get", *words, "-o", "APT::Update::Error-Mode=any", "update"])
    return words


def _apt_mirror() -> str:
    """The Debian mirror that this machine uses."""
    fields = "$(REPO_URI)|$(LABEL)"
    for line in _run(["apt-get", "indextargets", "--format", fields, "Created-By: Packages"]).splitlines():
        address, _, label = line.partition("|")
        if label == "Debian":
            return address
    raise FetchError("this machine uses no Debian mirror")
