"""cnf-completion: print the script that makes bash, zsh, or fish complete all commands.

The script of a shell passes the line up to the cursor to the command, which splits it (bash splits words at `=` and `:` as well);
click finds the completions.
"""

from __future__ import annotations

import os
from typing import Any

import click
from click.shell_completion import ShellComplete, add_completion_class, split_arg_string

from cnfgen_puzzles.cli.common import COMPLETION_VARIABLE, FILE, FOLDER, DocumentedCommand, Item, Name, files, version_option
from cnfgen_puzzles.common.errors import UNPRINTABLE, CnfgenError, printable

COMMANDS = (
    "gen-cnf", "solve-puzzle", "convert-puzzle", "make-puzzle", "explain-puzzle", "run-cnf", "decode-cnf", "bench-cnf",
    "count-cnf", "cnf-solvers", "verify-certificate", "cnf-completion",
)  # fmt: skip

BASH = """\
_cnfgen_complete() {
    local kind value command="${1/#\\~/$HOME}"
    COMPREPLY=()
    while IFS=$'\\t' read -r kind value; do
        [[ $kind == path ]] && compopt -o filenames 2>/dev/null
        COMPREPLY+=("$value")
    done < <(CNFGEN_LINE="${COMP_LINE:0:COMP_POINT}" CNFGEN_WORD="$2" VARIABLE=bash_complete "$command" 2>/dev/null </dev/null)
}
complete -o nosort -F _cnfgen_complete COMMANDS 2>/dev/null || complete -F _cnfgen_complete COMMANDS
"""

ZSH = """\
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u }
_cnfgen_complete() {
    local kind value told
    local -a described plain folders paths
    while IFS=$'\\t' read -r kind value told; do
        case $kind in
            folder) folders+=("$value") ;;
            path) paths+=("$value") ;;
            *) if [[ -n $told ]]; then described+=("${value//:/\\\\:}:$told"); else plain+=("$value"); fi ;;
        esac
    done < <(CNFGEN_LINE="${(j: :)words[1,CURRENT-1]} $PREFIX" VARIABLE=zsh_complete ${~words[1]} 2>/dev/null </dev/null)
    [[ $PREFIX == -*=* ]] && compset -P 1 '*='
    (( $#described )) && _describe -V value described
    (( $#plain )) && compadd -V plain -a plain
    (( $#paths )) && compadd -f -a paths
    (( $#folders )) && compadd -f -S '' -a folders
    return 0
}
compdef _cnfgen_complete COMMANDS
"""

FISH = """\
function __cnfgen_complete
    set -l words (commandline -opc)
    env CNFGEN_LINE=(commandline -cp | string collect) VARIABLE=fish_complete $words[1] 2>/dev/null </dev/null
end
for name in COMMANDS
    complete --command $name --no-files --keep-order --arguments '(__cnfgen_complete)'
end
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
HOW = {
    "bash": 'eval "$(cnf-completion bash)"     in ~/.bashrc',
    "zsh": 'eval "$(cnf-completion zsh)"      in ~/.zshrc',
    "fish": "cnf-completion fish | source     in ~/.config/fish/config.fish",
}
SAID = 80
"""The longest description of a completion, in characters."""
CURSOR = "\x01"
"""Marks the cursor, so that the word there is found even if it is empty or has an open quote."""


class Shell(ShellComplete):
    """The common part of the three shells. Each formats items in its own way."""

    source_template = ""
    typed = ""
    """The word at the cursor, up to the cursor."""

    def get_completion_args(self) -> tuple[list[str], str]:
        *words, last = split_arg_string(os.environ.get("CNFGEN_LINE", "") + CURSOR)
        while words and "=" in words[0]:  # variables for this command
            words.pop(0)
        self.typed = last.replace(CURSOR, "")
        return words[1:], self.typed

    def get_completions(self, args: list[str], incomplete: str) -> list[Any]:
        """The completions of click, with the paths that it leaves to the shell; none if the line has a mistake."""
        try:
            found: list[Any] = super().get_completions(args, incomplete)
        except (CnfgenError, click.ClickException, OSError):
            return []
        wanted = {item.type for item in found if item.value == self.value and item.type in (FILE, FOLDER)}
        if wanted:  # otherwise the paths are listed already
            found = [item for item in found if item.value != self.value]
            found += files(self.value, folders=FILE not in wanted)
        return found

    @property
    def value(self) -> str:
        """The typed part of the value: `or` of `--encoding=or`."""
        return self.typed.partition("=")[2] if self.typed.startswith("-") and "=" in self.typed else self.typed

    def complete(self) -> str:
        """One line for each item, without items that contain control characters."""
        args, incomplete = self.get_completion_args()
        items = [item for item in self.get_completions(args, incomplete) if not UNPRINTABLE.search(item.value)]
        return "\n".join(map(self.format_completion, items))


class Bash(Shell):
    name = "bash"

    def format_completion(self, item: Item) -> str:
        word, value = os.environ.get("CNFGEN_WORD", ""), str(item.value)
        parted = len(self.value) - len(word)
        if parted > 0 and self.value.endswith(word) and value.startswith(self.value):
            value = value[parted:]
        return f"{'path' if item.type in (FILE, FOLDER) else 'plain'}\t{value}"


class Zsh(Shell):
    name = "zsh"

    def format_completion(self, item: Item) -> str:
        kind = {FILE: "path", FOLDER: "folder"}.get(item.type, "plain")
        value = f"{item.value}/" if item.type == FOLDER else item.value
        return f"{kind}\t{value}\t{summary_line(item)}"


class Fish(Shell):
    name = "fish"

    def format_completion(self, item: Item) -> str:
        value = self.typed.removesuffix(self.value) + str(item.value) + ("/" if item.type == FOLDER else "")
        return f"{value}\t{summary_line(item)}" if item.help else value


def summary_line(item: Item) -> str:
    """The description of an item in one short line."""
    text = printable(" ".join((item.help or "").split()))
    return text if len(text) <= SAID else text[: SAID - 3].rsplit(" ", 1)[0] + "..."


def register() -> None:
    """Register the shells with click."""
    for shell in (Bash, Zsh, Fish):
        add_completion_class(shell)


def script(shell: str | None) -> None:
    if shell is None:
        click.echo("Add this line to the file of your shell:\n")
        for how in HOW.values():
            click.echo(f"  {how}")
        return
    text = SCRIPTS[shell].replace("COMMANDS", " ".join(COMMANDS)).replace("VARIABLE", COMPLETION_VARIABLE)
    click.echo(text, nl=False)


COMMAND = DocumentedCommand(
    "cnf-completion",
    callback=script,
    help="""Print the script that makes SHELL (bash, zsh, or fish) complete all commands of this package.

    It completes families, encodings, solvers, formats, views, and files with fitting suffixes. Without SHELL, print the line for
    the configuration file of each shell.""",
    sections={"": [click.Argument(["shell"], type=Name("shell", dict.fromkeys(SCRIPTS, "")), required=False)]},
    examples=['eval "$(cnf-completion bash)"', "cnf-completion zsh", "cnf-completion fish"],
)
version_option(COMMAND)
