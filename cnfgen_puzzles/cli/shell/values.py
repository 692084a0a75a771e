"""Values of options that a shell can complete and that are told from near ones: names of a table, files with fitting endings."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from cnfgen_puzzles.common.suggestions import unknown_name

if TYPE_CHECKING:
    TextParam: TypeAlias = click.ParamType[str]
    Item: TypeAlias = CompletionItem[str]
else:  # older versions of click have no parameters here
    TextParam, Item = click.ParamType, CompletionItem

FILE, FOLDER = "file", "dir"
"""The types of completions that are paths, as click has them."""
PACKED = (".gz", ".xz")


class Name(TextParam):
    """One of some names, each with what it is (or `""`); `kind` says what is named in the error for any other.

    Where `others` is true a value may also be something else, which whoever uses it judges.
    """

    name = "name"

    def __init__(
        self,
        kind: str,
        names: Mapping[str, str] | Callable[[], Mapping[str, str]],
        *,
        others: bool = False,
        aliases: Mapping[str, str] = MappingProxyType({}),
    ):
        self.kind, self._names, self._others, self._aliases = kind, names, others, aliases

    @property
    def names(self) -> Mapping[str, str]:
        return self._names() if callable(self._names) else self._names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        value = self._aliases.get(value, value)
        if not self._others and value not in self.names:
            self.fail(unknown_name(self.kind, str(value), self.names), param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        found = [CompletionItem(name, help=told) for name, told in self.names.items() if name.startswith(incomplete)]
        return found or (list(files(incomplete)) if self._others and "/" in incomplete else [])


class FileName(click.Path):
    """A file, `-` for a stream. Those with one of the `endings` are completed, or all where there are none of these."""

    def __init__(self, endings: Callable[[], Collection[str]] = lambda: (), **how: Any):
        super().__init__(**{"allow_dash": True, "readable": False} | how)
        self._endings = endings

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        return list(files(incomplete, self._endings()))


def files(incomplete: str, endings: Iterable[str] = (), *, folders: bool = False) -> Iterator[Item]:
    """The files, packed or not, that begin so and have one of the endings; all where none has; and the folders on the way.

    With `folders` only these.
    """
    above, slash, start = incomplete.rpartition("/")
    wanted = tuple(endings)
    try:
        entries = sorted(os.scandir(os.path.expanduser(above + slash) or "."), key=lambda entry: entry.name)
    except OSError:
        return
    begun = [each for each in entries if each.name.startswith(start) and (start or not each.name.startswith("."))]
    there = [each for each in begun if not each.is_dir()]
    fitting = [each for each in there if _unpacked(each.name).lower().endswith(wanted)] or there
    for each in begun:
        if each.is_dir():
            yield CompletionItem(above + slash + each.name, type=FOLDER)
        elif not folders and each in fitting:
            yield CompletionItem(above + slash + each.name, type=FILE)


def _unpacked(name: str) -> str:
    path = Path(name)
    return path.stem if path.suffix.lower() in PACKED else name


def solver_titles() -> dict[str, str]:
    """The solvers of the table and what they are; without checkers of proofs."""
    from cnfgen_puzzles.solving.table import load_solvers

    return {solver.name: solver.title for solver in load_solvers().values() if solver.kind == "solver"}


def checker_titles() -> dict[str, str]:
    """The checkers of proofs and what they read."""
    from cnfgen_puzzles.evidence.checkers import CHECKERS

    return {checker.name: checker.summary for checker in CHECKERS.values()}


def checker_param() -> click.Option:
    """--checker, for commands that have proofs checked."""
    from cnfgen_puzzles.evidence.checkers import ALIASES

    listed = "; ".join(f"{name}: {summary}" for name, summary in checker_titles().items())
    return click.Option(
        ["--checker"],
        type=Name("checker", checker_titles, aliases=ALIASES),
        metavar="NAME",
        help=f"Which checks the proof, by default the first that is there. {listed}.",
    )
