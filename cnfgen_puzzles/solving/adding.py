"""Adds a solver to the user's file: another version of a known solver, built from an archive of the user.

    add_solver("kissat-4.0.4", find_solver("kissat"), "kissat-rel-4.0.4.tar.gz", home())

The entry has the name, the checksum, and the folder of the archive, and the build steps of the known solver, which the user may
change. A copy of the archive is kept in the sources of the home, where `install` finds it.
"""

from __future__ import annotations

import glob
import re
import shutil
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file, scratch_folder
from cnfgen_puzzles.common.readers.strictyaml import check_yaml, lines_of
from cnfgen_puzzles.common.sources import open_file
from cnfgen_puzzles.solving.executables import user_file
from cnfgen_puzzles.solving.fetch import FetchError, download
from cnfgen_puzzles.solving.install import unpack
from cnfgen_puzzles.solving.recipeschema import USER_FILE
from cnfgen_puzzles.solving.table import Solver, is_recipe

NAME = re.compile(r"[a-zA-Z0-9][\w.+-]*", re.ASCII)
VERSION = re.compile(r"(?:^|[-_])(?:v|rel-)?(\d+(?:\.\d+)*\w*)", re.ASCII)
"""A version in the name of a folder or file, such as 4.0.4 in kissat-rel-4.0.4."""


def add_solver(name: str, like: Solver, origin: str, home: Path, *, force: bool = False) -> str:
    """Declare the solver `name`, which is built from the archive `origin` (a file or a web address) and called as `like` is;
    returns its version. With `force`, an entry of this name in the user's file is replaced.

    Raises InputError for a name or an archive that cannot be used, FetchError for an address that cannot be reached.
    """
    if not NAME.fullmatch(name):
        raise InputError(f"found the name {name!r}, expected letters, digits, and any of . _ + - after the first character")
    if is_recipe(name):
        raise InputError(f"{name} is a known solver; expected a new name, such as {name}-VERSION")
    if like.name == name:
        raise InputError(f"found {name} as the name and after --like, expected two different solvers")
    if like.kind != "solver" or not like.build:
        raise InputError(f"found {like.name} after --like, expected a solver that `cnf-solvers install` builds")
    with scratch_folder("archive") as folder:
        is_url = "://" in origin
        try:
            archive = download(origin, folder).rename(folder / Path(origin).name) if is_url else Path(origin)
        except FetchError as error:
            raise FetchError(f"{origin}: {error}") from None
        unpack(archive, folder / "content")
        members = list((folder / "content").iterdir())
        top = members[0].name if len(members) == 1 and members[0].is_dir() else ""
        sha256 = digest_of_file(archive)
        found = filter(None, map(VERSION.search, (top, archive.name, name)))
        version = next((match[1] for match in found), sha256[:12])
        build = {"archive": f"{name}-{archive.name}", "sha256": sha256, "origins": [{"url": origin}] if is_url else []}
        build |= {"folder": glob.escape(top)} if top else {}
        build |= {key: like.build[key] for key in ("nested", "needs", "environment", "commands", "binary") if key in like.build}
        text = _with_entry(user_file(), name, {"like": like.name, "version": version, "build": build}, force)
        with (
            atomic_file(home / "sources" / f"{name}-{archive.name}", parents=True, updates=True) as copy,
            archive.open("rb") as stream,
        ):
            shutil.copyfileobj(stream, copy)
    with atomic_file(user_file(), parents=True, updates=True) as stream:
        stream.write(text.encode())
    return version


def _with_entry(path: Path, name: str, entry: Mapping[str, Any], force: bool) -> str:
    """The text of the user's file with this entry, in the place of an old one of this name (with `force`) or at the end."""
    text, starts, margin = "solvers:\n", dict[str, int](), 2
    if path.is_file():
        text = open_file(path).text()
        keys = [key for key, _ in check_yaml(text, USER_FILE, source=str(path)).nodes["solvers",].value]
        starts = {key.value: key.start_mark.line for key in keys}
        margin = keys[0].start_mark.column if keys else margin
    if name in starts and not force:
        raise InputError(f"{name} already has an entry; --force replaces it", source=str(path), line=starts[name] + 1)
    lines = lines_of(text.rstrip())
    begin = starts.get(name, len(lines))
    end = min((start for start in starts.values() if start > begin), default=len(lines))
    while begin < end and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):  # about the next entry
        end -= 1
    written = yaml.safe_dump({name: dict(entry)}, sort_keys=False, allow_unicode=True, width=2**16)
    extended = "\n".join((*lines[:begin], textwrap.indent(written, " " * margin).rstrip(), *lines[end:], ""))
    try:
        correct = yaml.safe_load(extended)["solvers"] == (yaml.safe_load(text)["solvers"] or {}) | {name: entry}
    except yaml.YAMLError:
        correct = False
    if not correct:
        raise InputError("no entry can be added: expected a line `solvers:` and indented entries below it", source=str(path))
    return extended
