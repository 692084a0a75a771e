"""Makes a program out of an archive: unpack, run the recipe's commands under a limit of time, hand over the program.

A build happens in a folder of its own that is gone afterwards. What the commands print goes to a log, whose end is shown where
they fail. Makefiles of solvers do not bear spaces in paths, so the folder is one without: the folder for temporary files, if
programs may run there, else one beside the log.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.solving.process import EXIT, WALL_LIMIT, Limits, run_process

LOG_LINES = 15  # of a failed build's log that are shown
PLAIN = re.compile(r"[\w/.,:@%+=-]+", re.ASCII)
MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
"""What a `make` that has started us hands down, and is none of this build's business."""


class BuildError(CnfgenError):
    """The source is there, and no program comes of it."""


@contextlib.contextmanager
def built(build: Mapping[str, Any], archive: Path, log: Path, *, jobs: int, seconds: float) -> Iterator[Path]:
    """The program of a recipe's `build` part made from its archive, for the block. Raises BuildError."""
    with _workplace(log) as folder:
        unpack(archive, folder)
        folder = folder / build.get("folder", "")
        if not folder.is_dir():
            raise BuildError(f"the archive holds no folder {build['folder']}")
        for nested in build.get("nested", ()):
            unpack(folder / nested, folder)
        _compile(build, folder, log, jobs, seconds)
        yield folder / build["binary"]


def unpack(archive: Path, folder: Path) -> None:
    """All that a zip or tar archive holds."""
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                file.extractall(folder)
        else:
            with tarfile.open(archive) as tar:
                if hasattr(tarfile, "data_filter"):
                    tar.extractall(folder, filter="data")
                else:  # Python before 3.11.4: the checksum vouches for what is in it
                    tar.extractall(folder)
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise BuildError(f"{archive.name} cannot be unpacked: {error}") from None


def compilers() -> dict[str, str]:
    """The first line of each compiler's own account of itself."""
    versions = {}
    for compiler in filter(shutil.which, ("cc", "c++")):
        said = subprocess.run([compiler, "--version"], capture_output=True, text=True, errors="replace", check=False)
        versions[compiler] = said.stdout.partition("\n")[0]
    return versions


def _compile(build: Mapping[str, Any], folder: Path, log: Path, jobs: int, seconds: float) -> None:
    """Runs the recipe's commands as one shell script that stops at the first failure."""
    script = "\n".join(("set -ex", *build["commands"]))
    env = {name: value for name, value in os.environ.items() if name not in MAKE}
    env |= {"MAKEFLAGS": f"-j{jobs}", **build.get("environment", {})}
    run = run_process(
        ["sh", "-c", script], stdout=log, stderr=log, limits=Limits(wall=seconds), cwd=folder, env=env
    )  # fmt: skip
    if run.ended == WALL_LIMIT:
        raise BuildError(f"its build had not ended after {seconds:g} s (--time allows more); its log: {log}")
    if run.ended != EXIT or run.exit_code:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
        raise BuildError("\n  ".join((f"its build failed; the end of {log}:", *last)))
    if not (folder / build["binary"]).is_file():
        raise BuildError(f"its build made no {build['binary']}; see {log}")


@contextlib.contextmanager
def _workplace(log: Path) -> Iterator[Path]:
    """A folder to build in: its path is plain, and programs may run there."""
    with scratch_folder("build") as folder:
        if _fits(folder):
            yield folder
            return
    beside = log.with_suffix("")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    try:
        if not _fits(beside):
            raise BuildError(
                f"found no folder to build in, neither in {folder.parent} nor in {beside.parent}: its path must be plain ASCII "
                "without spaces, and programs must be allowed to run there; name one in $TMPDIR"
            )
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _fits(folder: Path) -> bool:
    if not PLAIN.fullmatch(str(folder)):
        return False
    probe = folder / "probe"
    probe.write_text("#!/bin/sh\n", encoding="ascii")
    probe.chmod(0o755)
    try:
        return subprocess.run([probe], check=False).returncode == 0
    except OSError:  # mounted noexec
        return False
    finally:
        probe.unlink()
