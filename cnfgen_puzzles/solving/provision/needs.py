"""What building wants of the system: which of it is missing, and the one line that says how to get it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping

ZLIB = "zlib.h"
DEFAULT = ("cc", "make")
PACKAGES: Mapping[str, tuple[str, str]] = {
    "cc": ("a C compiler", "gcc"),
    "gcc": ("the C compiler gcc", "gcc"),
    "c++": ("a C++ compiler", "g++"),
    "make": ("make", "make"),
    ZLIB: ("the headers of zlib", "zlib1g-dev"),
}
"""By the word of the recipe: in words, and Debian's package."""
PATIENCE = 20.0
"""Seconds for a preprocessor to answer."""


def missing(needs: Iterable[str]) -> list[str]:
    """Those that this system has not."""
    return [need for need in needs if not (_has_zlib() if need == ZLIB else shutil.which(need))]


def how_to_get(lacking: Iterable[str]) -> str:
    """What is lacking, and the command that installs it."""
    known = [PACKAGES.get(need, (need, need)) for need in lacking]
    words = " and ".join(text for text, _ in known)
    packages = " ".join(package for _, package in known)
    if shutil.which("apt-get"):
        return f"this system lacks {words}: {'' if os.geteuid() == 0 else 'sudo '}apt-get install {packages}"
    return f"this system lacks {words}: install them with its package manager (Debian's names: {packages})"


def _has_zlib() -> bool:
    """Whether a compiler finds the header; True where there is none, which is missing by itself."""
    compiler = next(filter(None, map(shutil.which, ("cc", "c++", "gcc", "g++"))), None)
    if compiler is None:
        return True
    asked = subprocess.run(
        [compiler, "-x", "c", "-E", "-"], input=b"#include <zlib.h>\n", capture_output=True, timeout=PATIENCE, check=False
    )
    return asked.returncode == 0
