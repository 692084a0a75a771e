"""Runs the code blocks of README and docs and compares their output with the page. Only tests import this module.

The language of a fenced block determines how it runs. HTML comments before the block, which readers do not see, change this:

    ```console     each `$ command` (continued by `> `) with the output of both streams below it
    ```sh          commands, one for each line, without output; the exit codes 0, 10, and 20 are accepted in both languages
    ```python      all blocks of a page in one process; `expression  # -> text` compares the printed text or the value
    ```text, yaml, ...: determined by the comments

    <!-- file: NAME -->     write the block to the file NAME in the folder of the page
    <!-- prints -->         the block is the output of the Python block before it
    <!-- skip: REASON -->   do not run the block
    <!-- slow -->           run it only in `make test-release`
    <!-- needs: WHAT -->    it needs a checkout or a program, as the page says: `test_examples_after_installation` leaves it out
    <!-- exit: CODE -->     the expected exit code of its last command
    <!-- varies: REGEX -->  matching text may differ, if it still matches
    <!-- perhaps: REGEX --> lines that are printed only sometimes, such as progress on a slow machine
    <!-- instead: OLD => NEW | ... -->  replacements before the block runs, such as a shorter time
    <!-- run: COMMAND -->   run a command that is not shown

Each page has a separate folder with `instances/`, `scripts/`, `studies/`, and `docs/` of the repository. In expected output,
`...` matches any text within a line, and a line that contains only `...` matches any lines.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import inprocess
from repository import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
COMMENT = re.compile(r"<!-- *(file|prints|skip|slow|needs|exit|varies|perhaps|instead|run)\b(?:: *(.*?))? *-->")
FENCE = re.compile(r"( *)(`{3,})(\S*)")
ENDS_WELL = (0, 10, 20)
SECONDS, SECONDS_SLOW = 280, 1500
"""Time limits of a block and of a slow block, generous for busy machines."""


@dataclass
class Block:
    """A fenced block, or a hidden command (language `run`), with the comments before it."""

    page: Path
    line: int
    language: str
    text: str
    said: dict[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(REPOSITORY)}:{self.line}"

    @property
    def runs(self) -> bool:
        return "skip" not in self.said

    @property
    def program(self) -> str:
        """The text after the replacements."""
        text = self.text
        for change in filter(None, self.said.get("instead", "").split(" | ")):
            old, _, new = change.partition(" => ")
            if old not in text:
                raise self.complain(f"the text to replace, {old!r}, is not in the block")
            text = text.replace(old, new)
        return text

    def complain(self, what: str) -> AssertionError:
        return AssertionError(f"{self.where}: {what}")


def blocks_of(page: Path) -> list[Block]:
    """All blocks and hidden commands of a page, in order."""
    found: list[Block] = []
    said: dict[str, str] = {}
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
    for number, line in lines:
        if comments := COMMENT.findall(line):
            for name, value in comments:
                if name == "run":
                    found.append(Block(page, number, "run", value, {kind: "" for kind in ("slow", "needs") if kind in said}))
                else:
                    said[name] = value
        elif fence := FENCE.match(line):
            indent, ticks, language = fence.groups()
            inner = []
            for _, each in lines:
                if each.strip() == ticks:
                    break
                inner.append(each.removeprefix(indent))
            found.append(Block(page, number, language, "\n".join(inner) + "\n", said))
            said = {}
        elif line.strip():
            said = {}
    return found


def commands_of(block: Block) -> list[tuple[str, str | None]]:
    """The commands of a block with their expected output; None if the block shows no output."""
    if block.language == "run":
        return [(block.text, None)]
    if block.language == "sh":
        joined = block.program.replace("\\\n", "")
        return [(line, None) for line in joined.splitlines() if line.strip() and not line.startswith("#")]
    found: list[tuple[str, str | None]] = []
    for line in block.program.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif not found:
            raise block.complain(f"found {line!r}, expected a command behind '$ ' first")
        else:
            command, shown = found.pop()
            found.append((f"{command}\n{line[2:]}", "") if line.startswith("> ") and not shown else (command, f"{shown}{line}\n"))
    return found


def pattern_of(shown: str, varies: str | None) -> str:
    """A regular expression that matches all texts that the expected output allows."""
    parts = []
    for line in shown.rstrip("\n").splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
            continue
        pieces, at = [], 0
        for match in re.finditer(rf"{varies}|\.\.\." if varies else r"\.\.\.", line.rstrip()):
            pieces += [re.escape(line[at : match.start()]), ".*?" if match[0] == "..." else f"(?:{varies})"]
            at = match.end()
        parts.append("".join(pieces) + re.escape(line.rstrip()[at:]) + r"[ \t]*\n")
    return "".join(parts)


CHECKED_BY = re.compile(r"checked by (drat-trim|lrat-check|cake_lpr|the built-in checker)\b")
CHECKED_BY_DEFAULT = "checked by the built-in checker"  # that of the installation of the README


def compare(block: Block, shown: str, printed: str, what: str) -> None:
    """Raises AssertionError with the differing lines if the output differs from the expected output."""
    perhaps = re.compile(block.said.get("perhaps", r"(?!)"))
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    printed = "".join(f"{line}\n" for line in lines if not perhaps.fullmatch(line))
    shown, printed = (CHECKED_BY.sub(CHECKED_BY_DEFAULT, text) for text in (shown, printed))  # the checker depends on the machine
    if not re.fullmatch(pattern_of(shown, block.said.get("varies")), printed):
        differing = difflib.unified_diff(shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm="", n=1)
        raise block.complain(f"{what}\n" + "\n".join(differing))


PYTHON = """
import ast, contextlib, io, json, sys, traceback
if __name__ == "__main__":
    told, answers = sys.stdin, sys.stdout
    for line in told:
        code, page, first = json.loads(line)
        shown, error = {}, None
        every = io.StringIO()
        try:
            tree = ast.parse(code, page)
            ast.increment_lineno(tree, first)
            for node in tree.body:
                value, printed = None, io.StringIO()
                with contextlib.redirect_stdout(printed):
                    if isinstance(node, ast.Expr):
                        value = eval(compile(ast.Expression(node.value), page, "eval"), globals())
                    else:
                        exec(compile(ast.Module([node], []), page, "exec"), globals())
                every.write(printed.getvalue())
                shown[node.end_lineno - first] = printed.getvalue().strip() or str(value)
        except BaseException:
            error = traceback.format_exc()
        answers.write(json.dumps([every.getvalue(), shown, error]) + "\\n")
        answers.flush()
"""


class Runner:
    """Runs the blocks of one page in a folder, with the commands in `programs`: those of this checkout, or `installed` ones in an
    empty folder."""

    def __init__(self, folder: Path, programs: Path, *, installed: bool = False):
        self.folder, self.installed = folder, installed
        self.home = folder / ".home"
        self.home.mkdir(parents=True)
        self.interpreter = str(programs / "python") if installed else sys.executable
        for name in () if installed else ("instances", "scripts", "studies", "docs"):
            (folder / name).symlink_to(REPOSITORY / name)
        # without the settings of the user
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CNFGEN_", "XDG_", "PYTHON"))}
        self.environment = kept | {
            "PATH": f"{programs}:{Path(self.interpreter).parent}:{os.environ['PATH']}",
            **({} if installed else {"PYTHONPATH": f"{REPOSITORY}:{os.environ.get('PYTHONPATH', '')}"}),
            "HOME": str(self.home),
            "CASES": str(REPOSITORY / "tests" / "pages"),
            "COLUMNS": "120",
        }
        self.python: subprocess.Popen[str] | None = None
        self.printed = ""

    def run(self, block: Block) -> None:
        """Raises AssertionError if the block does not do what the page shows."""
        if "file" in block.said:
            path = self.folder / block.said["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.program, encoding="utf-8")
        elif "prints" in block.said:
            compare(block, block.text, self.printed, "the Python block in front printed something else")
        elif block.language == "python":
            self.run_python(block)
        elif block.language in ("console", "sh", "run"):
            self.run_commands(block)
        else:
            raise block.complain(
                f"a block of {block.language or 'no language'}, and no comment says what it is (tests/docblocks.py)"
            )

    def run_commands(self, block: Block) -> None:
        """Runs commands in this process if all of them are plain calls of this package, otherwise in a shell."""
        commands = commands_of(block)
        plain = not self.installed and all(inprocess.PLAIN.fullmatch(command) for command, _ in commands)
        ended = self.called(commands) if plain else self.by_shell(block, commands)
        for number, ((command, shown), (printed, code)) in enumerate(zip(commands, ended, strict=True), start=1):
            right = (int(block.said["exit"]),) if number == len(commands) and "exit" in block.said else ENDS_WELL
            if code not in right:
                raise block.complain(f"exit code {code}, expected {right}: {command}\n{printed}")
            if shown is not None:
                compare(block, shown, printed, f"$ {command}")

    def called(self, commands: list[tuple[str, str | None]]) -> Iterator[tuple[str, int]]:
        for command, _ in commands:
            done = inprocess.call_line(command, cwd=self.folder, env=self.environment, merged=True)
            yield done.stdout, done.returncode

    def by_shell(self, block: Block, commands: list[tuple[str, str | None]]) -> list[tuple[str, int]]:
        script = "set -o pipefail\n" + "".join(f"{command}\nprintf '\\036%d\\036' $?\n" for command, _ in commands)
        seconds = SECONDS_SLOW if "slow" in block.said else SECONDS
        try:
            done = subprocess.run(
                ["bash", "-c", script],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise block.complain(f"took more than {seconds} s") from None
        pieces = done.stdout.decode(errors="replace").split("\036")
        if len(pieces) < 2 * len(commands):
            raise block.complain(f"no shell can read this, or it left the shell: {pieces[-1]}")
        return [(pieces[2 * number], int(pieces[2 * number + 1])) for number in range(len(commands))]

    def run_python(self, block: Block) -> None:
        if self.python is None:
            self.python = subprocess.Popen(
                [self.interpreter, "-c", PYTHON],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.python.stdin and self.python.stdout
        self.python.stdin.write(json.dumps([block.program, block.where, block.line]) + "\n")
        self.python.stdin.flush()
        answer = self.python.stdout.readline()
        if not answer:
            raise block.complain("the Python process ended")
        self.printed, values, error = json.loads(answer)
        if error:
            raise block.complain(error)
        for number, line in enumerate(block.text.splitlines(), start=1):
            _, arrow, shown = line.partition("  # -> ")
            if arrow and str(number) not in values:
                raise block.complain(f"line {number} is not the end of a statement, so it has no value")
            if arrow:
                compare(block, shown + "\n", values[str(number)], line)

    def close(self) -> None:
        if self.python is not None:
            self.python.kill()
            self.python.communicate()


@contextlib.contextmanager
def running(folder: Path, programs: Path, *, installed: bool = False) -> Iterator[Runner]:
    """A runner whose processes end with the block; it finds the commands of this package in `programs`."""
    runner = Runner(folder, programs, installed=installed)
    try:
        yield runner
    finally:
        runner.close()
