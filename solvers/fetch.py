"""Gets one source archive: from this machine, from upstream, or from a package registry; the checksum decides.

Origins are tried in the order of the recipe, local archives first. One that fails or brings other bytes than expected is named
in one line, and the next is tried. A registry is asked through its ordinary client (pip, apt-get) as the user has set it up, so
no registry's address is known here. What was found is kept in `solvers/sources/`.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).resolve().parent / "sources"
CONNECT_TIMEOUT = 5.0  # seconds without an answer before an upstream site is given up
APT_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")  # of Debian's package debian-archive-keyring

Say = Callable[[str], None]


class FetchError(Exception):
    """One origin, or all of them, did not bring the file."""


def fetch_archive(build: Mapping[str, Any], say: Say) -> tuple[Path, str]:
    """The archive of a recipe's `build` part in `solvers/sources/`, and the name of the origin that brought it."""
    name, sha256 = build["archive"], build["sha256"]
    with _locked(name):
        found = _local(name, sha256, say)
        if found:
            return _keep(found, name, sha256), f"local archive {found}"
        for origin in build["origins"]:
            for kind, details in origin.items():
                title = _title(kind, details)
                try:
                    return _from_origin(kind, details, name, sha256), title
                except FetchError as error:
                    say(f"{title}: {error}")
    raise FetchError(f"no origin brought {name}; put it into {SOURCES} or a directory of $CNFGEN_ARCHIVES")


def fetch_prebuilt(prebuilt: Mapping[str, Any]) -> tuple[Path, str]:
    """A binary that PyPI carries in a wheel for this kind of machine, and the name of that origin."""
    pip = prebuilt["pip"]
    machine = platform.machine()
    if sys.platform != "linux" or not pip["file"].removesuffix(".whl").endswith(machine):
        raise FetchError(f"the ready binary of {pip['requirement']} is not for this machine ({sys.platform}, {machine})")
    name = f"{Path(pip['member']).name}-{prebuilt['version']}"
    with _locked(name):
        return _from_origin("pip", pip, name, prebuilt["sha256"]), _title("pip", pip)


def _from_origin(kind: str, details: Any, name: str, sha256: str) -> Path:
    bring = {"url": _download, "pip": _pip, "apt": _apt}[kind]
    with tempfile.TemporaryDirectory(dir=SOURCES, prefix=".fetch-") as folder:
        return _keep(bring(details, Path(folder)), name, sha256)


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _title(kind: str, details: Any) -> str:
    if kind == "url":
        return f"upstream {details}"
    return f"{kind} {details['requirement' if kind == 'pip' else 'package']}"


def _keep(found: Path, name: str, sha256: str) -> Path:
    """A copy of `found` in its place in `solvers/sources/`, if it has the right checksum."""
    kept = SOURCES / name
    part = SOURCES / f".{name}.part"
    try:
        if found != kept:
            shutil.copyfile(found, part)
            _verify(part, sha256, found)
            part.replace(kept)
    finally:
        part.unlink(missing_ok=True)
    return kept


def _verify(path: Path, sha256: str, origin: Path) -> None:
    found = checksum(path)
    if found != sha256:
        raise FetchError(f"{origin.name} has the SHA-256 {found}, expected {sha256}")


@contextlib.contextmanager
def _locked(name: str) -> Iterator[None]:
    """Keeps `make -j` from fetching one file twice at a time; the lock ends with the process."""
    SOURCES.mkdir(parents=True, exist_ok=True)
    with (SOURCES / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _local(name: str, sha256: str, say: Say) -> Path | None:
    """The file called `name` in a directory of `$CNFGEN_ARCHIVES` or in `solvers/sources/`, if it has the right checksum."""
    directories = [Path(each) for each in os.environ.get("CNFGEN_ARCHIVES", "").split(os.pathsep) if each]
    for path in (directory / name for directory in (*directories, SOURCES)):
        if path.is_file():
            found = checksum(path)
            if found == sha256:
                return path
            say(f"local archive {path} has the SHA-256 {found}, expected {sha256}")
    return None


def _download(url: str, folder: Path) -> Path:
    path = folder / "download"
    try:
        with urllib.request.urlopen(url, timeout=CONNECT_TIMEOUT) as answer, path.open("wb") as file:
            shutil.copyfileobj(answer, file)
    except OSError as error:  # URLError is one
        raise FetchError(f"cannot be reached ({getattr(error, 'reason', error)})") from None
    return path


def _pip(details: Mapping[str, str], folder: Path) -> Path:
    """One member of a file on PyPI, which pip downloads once for all the recipes that need it."""
    name, sha256 = details["file"], details["sha256"]
    with _locked(name):
        package = _local(name, sha256, lambda _: None)
        if not package:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "1"]
            _run([*command, "--dest", str(folder), *_kind_of_file(name), details["requirement"]])
            if not (folder / name).is_file():
                raise FetchError(f"pip brought no {name}")
            package = _keep(folder / name, name, sha256)
    return _member(package, details["member"], folder)


def _kind_of_file(name: str) -> list[str]:
    """The options that make pip choose the file `name`: the sdist, or that wheel whatever Python this is."""
    if not name.endswith(".whl"):
        return ["--no-binary", ":all:"]
    python, abi, platforms = name.removesuffix(".whl").split("-")[-3:]
    tags = ["--python-version", python[2:], "--implementation", python[:2], "--abi", abi]
    return ["--only-binary", ":all:", *tags, "--platform", platforms.split(".")[-1]]


def _member(package: Path, member: str, folder: Path) -> Path:
    out = folder / "member"
    try:
        if package.suffix == ".whl":
            with zipfile.ZipFile(package) as archive, archive.open(member) as file, out.open("wb") as target:
                shutil.copyfileobj(file, target)
        else:
            with tarfile.open(package) as archive, archive.extractfile(member) as file, out.open("wb") as target:
                shutil.copyfileobj(file, target)
    except (KeyError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise FetchError(f"{package.name} holds no {member} ({error})") from None
    return out


def _apt(details: Mapping[str, str], _folder: Path) -> Path:
    """The upstream archive of a Debian source package, through apt-get with private lists made from this machine's own mirror.

    The mirror may lack the packaging files; then apt-get fails, but the archive has arrived and that is enough.
    """
    if not shutil.which("apt-get"):
        raise FetchError("no apt-get on this system")
    suite, name = details["suite"], details["file"]
    state = SOURCES / f"apt-{suite}"
    with _locked(f"apt-{suite}"):
        options = _apt_lists(state, suite)
        with contextlib.suppress(FetchError):
            _run(["apt-get", *options, "source", "--download-only", details["package"]], cwd=state)
    if not (state / name).is_file():
        raise FetchError(f"apt-get brought no {name}")
    return state / name


def _apt_lists(state: Path, suite: str) -> list[str]:
    """apt-get's options for the source lists of `suite`, which are fetched the first time."""
    sources = state / "parts" / "cnfgen.sources"
    options = [f"Dir::Etc::SourceParts={sources.parent}", "Dir::Etc::SourceList=/dev/null"]
    options += [f"Dir::State::Lists={state / 'lists'}", f"Dir::Cache={state / 'cache'}"]
    words = [word for option in options for word in ("-o", option)]
    if not sources.is_file():
        for folder in ("parts", "lists/partial", "cache/archives/partial"):
            (state / folder).mkdir(parents=True, exist_ok=True)
        signed = f"Signed-By: {APT_KEYRING}\n" if APT_KEYRING.is_file() else ""
        part = sources.with_suffix(".part")
        part.write_text(f"Types: deb-src\nURIs: {_apt_mirror()}\nSuites: {suite}\nComponents: main\n{signed}", encoding="utf-8")
        try:
            part.replace(sources)
            _run(["apt-get", *words, "-o", "APT::Update::Error-Mode=any", "update"])
        except FetchError:
            sources.unlink()
            raise
    return words


def _apt_mirror() -> str:
    """The Debian mirror that this machine uses for its own packages."""
    fields = "$(REPO_URI)|$(LABEL)"
    for line in _run(["apt-get", "indextargets", "--format", fields, "Created-By: Packages"]).splitlines():
        address, _, label = line.partition("|")
        if label == "Debian":
            return address
    raise FetchError("this machine uses no Debian mirror")


def _run(command: list[str], cwd: Path | None = None) -> str:
    """What `command` prints; a FetchError with the last line of its complaint where it fails."""
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        complaint = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise FetchError(complaint[-1] if complaint else f"{command[0]} failed with exit code {done.returncode}")
    return done.stdout
