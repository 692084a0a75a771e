"""Types of options with shell completion, and options that several commands have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.inputlimits import finite_number, whole_number
from cnfgen_puzzles.common.numbers import parse_size
from cnfgen_puzzles.families.options import Option

if TYPE_CHECKING:
    ValueParam: TypeAlias = click.ParamType[Any]
    TextParam: TypeAlias = click.ParamType[str]
    Item: TypeAlias = CompletionItem[str]
else:  # older versions of click have no parameters here
    ValueParam = TextParam = click.ParamType
    Item = CompletionItem


class Checked(ValueParam):
    """A value that a function reads; its InputError is an error of the option, unless it names a file."""

    def __init__(self, name: str, read: Callable[[Any], Any], choices: Sequence[str] = ()):
        self.name, self.read, self.choices = name, read, choices

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        return [CompletionItem(name) for name in self.choices if name.startswith(incomplete)]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.read(value)
        except InputError as error:
            if error.source is not None:  # a file that was named
                raise
            self.fail(error.message, param, ctx)


MOST_SECONDS = 30_000_000_000


def read_seconds(value: Any) -> float:
    """A number of seconds, above 0 and below a thousand years; `inf` and `nan` are refused."""
    seconds = finite_number(str(value), "a time in seconds")
    if not 0 < seconds < MOST_SECONDS:
        raise InputError(f"{value} is not in the range 0<x<{MOST_SECONDS}.")
    return seconds


SECONDS = Checked("seconds", read_seconds)
SIZE = Checked("size", lambda value: value if isinstance(value, int) else parse_size(value))
"""A size such as 512MiB, 2GiB, 1.5G or a number of bytes."""
COUNT = Checked("n", lambda value: whole_number(str(value), "this option", least=1, most=sys.maxsize))
JOBS = Checked("n", lambda value: whole_number(str(value), "this option", least=1, most=1024))
OUTPUT_HELP = "Write to this file instead of standard output."


class FileName(click.Path):
    """A file, or `-` for a standard stream. As an argument, it is an input, which no output may replace."""

    def __init__(self, **how: Any):
        super().__init__(**{"allow_dash": True, "readable": False} | how)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(param, click.Argument):  # before any output is opened
            register_input(value)
        return super().convert(value, param, ctx)


def param(
    *names: str,
    help: str,
    type: ValueParam | type | None = None,
    metavar: str | None = None,
    default: Any = None,
    multiple: bool = False,
    flag_value: str | None = None,
) -> click.Option:
    """An option of a command. Its type names its value in the help; with a `flag_value` the value is optional."""
    if metavar is None:
        metavar = "N" if type is int or isinstance(type, click.IntRange) else "FILE" if isinstance(type, FileName) else None
    if flag_value is not None:
        return click.Option(names, metavar=metavar, help=help, is_flag=False, flag_value=flag_value)
    default = () if multiple else default
    return click.Option(names, type=type, metavar=metavar, default=default, multiple=multiple, help=help)


SETTING_TYPES: dict[str, Any] = {"count": COUNT, "whole": int, "folder": click.Path(file_okay=False)}


def setting_param(setting: Field[Any], *names: str, note: str = "", into: str = "", **how: Any) -> click.Option:
    """The option of a setting of a request: the field has its type, its help, to which `note` is added, and its
    name, unless the value goes `into` another."""
    kind, text = setting.metadata["kind"].name, f"{setting.metadata['help']} {note}".rstrip()
    if kind == "switch":
        return flag(*names, into or setting.name, help=text)
    how = {"type": SETTING_TYPES.get(kind), "metavar": "FOLDER" if kind == "folder" else None} | how
    return param(*names, into or setting.name, help=text, **how)


def flag(*names: str, help: str) -> click.Option:
    """An option without a value."""
    return click.Option(names, is_flag=True, help=help)


WRONG_HEADER = "Accept a CNF whose header announces wrong numbers of clauses or variables, with a warning."
LIMITS: list[click.Parameter] = [
    param("--time", "cpu", type=SECONDS, help="Limit the CPU time of all processes of a run."),
    param("--wall-time", "wall", type=SECONDS, help="Limit the elapsed time of a run."),
    param("--memory", type=SIZE, help="Limit the memory of all processes of a run, such as 2GiB."),
]
EXIT_CODE = flag("--exit-code", help="Exit as SAT solvers do: 10 satisfiable, 20 unsatisfiable, 0 not decided.")
"""For commands that exit with 0 for every answer."""


def click_option(option: Option, note: str = "") -> click.Option:
    """The command-line option for an option that a family or an encoding declares."""
    value = "name" if option.choices else {int: "n", float: "number"}.get(option.type, "text")
    kind = click.BOOL if option.type is bool else Checked(value, option.read, option.choices)
    text = option.help[:1].upper() + option.help[1:]
    described = all(choice in option.help for choice in option.choices)
    text += "." if described else f": {', '.join(option.choices)}."
    text += f" [{note}]" if note else ""
    names = [name.replace("_", "-") for name in (option.command, option.name) if name]
    flags = [f"--{name}/--no-{name}" if option.type is bool else f"--{name}" for name in names]
    return click.Option([*flags, option.name], type=kind, default=None, help=text)


def pick_given(values: Mapping[str, Any], options: Iterable[Option]) -> dict[str, Any]:
    """The values that the user gave for these options, by name."""
    return {option.name: values[option.name] for option in options if values.get(option.name) is not None}


class Name(TextParam):
    """One of several names, each with a description (or `""`). An error calls them `kind`.

    With `others`, the command accepts and checks other values as well.
    """

    name = "name"

    def __init__(self, kind: str, names: Mapping[str, str] | Callable[[], Mapping[str, str]], *, others: bool = False):
        self.kind, self._names, self._others = kind, names, others

    @property
    def names(self) -> Mapping[str, str]:
        return self._names() if callable(self._names) else self._names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not self._others and value not in self.names:
            self.fail(unknown_name(self.kind, str(value), self.names), param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        found = [CompletionItem(name, help=title) for name, title in self.names.items() if name.startswith(incomplete)]
        return found or ([file_item(incomplete)] if self._others and "/" in incomplete else [])


CNF_FILE = FileName()


def file_item(incomplete: str) -> Item:
    """The completion by which a shell completes files. Bash forgets the completions before it."""
    return CompletionItem(incomplete, type="file")


def solver_titles() -> dict[str, str]:
    """The solvers of the table with their titles, without proof checkers."""
    from cnfgen_puzzles.solving.table import load_solvers

    return {solver.name: solver.title for solver in load_solvers().values() if solver.kind == "solver"}


def checker_titles() -> dict[str, str]:
    """The proof checkers with their descriptions."""
    from cnfgen_puzzles.evidence.checkers import CHECKERS

    return {checker.name: checker.summary for checker in CHECKERS.values()}


def checker_param() -> click.Option:
    """--checker, for commands that check proofs."""
    listed = "; ".join(f"{name}: {summary}" for name, summary in checker_titles().items())
    help = f"Check proofs with this checker; by default the first installed one. {listed}."
    return param("--checker", type=Name("checker", checker_titles), metavar="NAME", help=help)


def engine_summaries(*without: str) -> dict[str, str]:
    """The engines that enumerate, then the model counters, with descriptions; `without` some."""
    from cnfgen_puzzles.counting.enginenames import BOTH, COUNTERS, ENGINES

    counters = {name: f"model counter, {how}" for name, how in COUNTERS.items()}
    every = {**ENGINES, **counters, BOTH: f"{' and '.join(COUNTERS)}, which must agree"}
    return {name: summary for name, summary in every.items() if name not in without}


def engine_help(*without: str) -> str:
    """The help of --engine."""
    listed = "; ".join(f"{name}: {summary}" for name, summary in engine_summaries(*without).items())
    return (
        f"Enumerate or count with this engine; by default the fastest installed one. Counts also race a model counter. {listed}."
    )
