"""Sample files of the package: `sample:cat` stands for `samples/cat.nin` wherever a command or the library reads a file."""

from __future__ import annotations

import os
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError, unknown_name

PREFIX = "sample:"
FOLDER = Path(__file__).resolve().parents[1] / "samples"


def sample_names() -> list[str]:
    """The names of the sample files, sorted."""
    return sorted(entry for entry in os.listdir(FOLDER) if not entry.startswith((".", "_")))


def sample_path(name: str) -> str:
    """The path of the sample that `name` stands for, with or without its suffix; another name is returned unchanged.

    A file in the current folder with the same name takes precedence. Raises InputError for an unknown sample.
    """
    if not name.startswith(PREFIX) or os.path.exists(name):
        return name
    wanted, names = name.removeprefix(PREFIX), sample_names()
    found = [each for each in names if wanted in (each, Path(each).stem)]
    if len(found) != 1:
        raise InputError(unknown_name("sample", wanted, names))
    return str(FOLDER / found[0])


def sample_name(path: str) -> str:
    """`sample:cat.nin` for the path of a sample; another path is returned unchanged."""
    folder, name = os.path.split(path)
    return PREFIX + name if folder == str(FOLDER) else path


def replace_samples(words: list[str]) -> list[str]:
    """The arguments of a command with the paths of samples for their names, also in `--option=sample:NAME`."""
    replaced = []
    for word in words:
        option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
        replaced.append(f"{option}{equals}{sample_path(value)}" if value.startswith(PREFIX) else word)
    return replaced
