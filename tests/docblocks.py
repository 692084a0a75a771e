"""The blocks of README and docs as programs: what is shown is run, and what was printed is compared. Only tests import this.

A fenced block is run by its language; a comment in front of it says what else is to be known, and no reader of the page sees it.

    ```console     each `$ command` (goes on after `> `) with what it prints on both streams below it
    ```sh          commands, one a line, of which nothing is shown; exit codes 0, 10 and 20 are right in both
    ```python      all blocks of a page in one process; `expression  # -> text` prints that text, or is that as a text
    ```text, yaml, ...: what a comment says of them

    <!-- file: NAME -->     the block is the file NAME of the page's folder
    <!-- prints -->         it is what the Python block in front of it printed
    <!-- skip: REASON -->   it is not run, for this reason
    <!-- slow -->           it takes longer: run by `make test-release`
    <!-- exit: CODE -->     how its last command ends, if not as usual
    <!-- varies: REGEX -->  what matches may be something else that matches
    <!-- perhaps: REGEX --> lines that are printed or not, such as progress on a slow machine
    <!-- instead: OLD => NEW | ... -->  words that are replaced before it runs: an hour by a second, STRING by a string
    <!-- run: COMMAND -->   a command that is not shown, in its place

Each page has a folder of its own, with `instances/`, `scripts/` and `docs/` of the repository in it. In what is shown `...`
stands for anything within a line, and alone on a line for any lines. `python tests/docblocks.py` lists what is not run.
"""

from __future__ import annotations

import ast
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
COMMENT = re.compile(r"<!-- *(file|prints|skip|slow|exit|varies|perhaps|instead|run)\b(?:: *(.*?))? *-->")
FENCE = re.compile(r"( *)(`{3,})(\S*)")
ENDS_WELL = (0, 10, 20)
SECONDS, SECONDS_SLOW = 280, 1500
"""What a block may take, and one that is slow: machines are busy."""


@dataclass
class Block:
    """A fenced block, or a hidden command (language `run`), with what the comments in front of it say."""

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
        """The text with what is to be replaced in it replaced."""
        text = self.text
        for change in filter(None, self.said.get("instead", "").split(" | ")):
            old, _, new = change.partition(" => ")
            if old not in text:
                raise self.complain(f"{old!r}, which is to be replaced, is not in it")
            text = text.replace(old, new)
        return text

    def complain(self, what: str) -> AssertionError:
        return AssertionError(f"{self.where}: {what}")


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page and the commands that it hides, in their order."""
    found: list[Block] = []
    said: dict[str, str] = {}
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
    for number, line in lines:
        if comments := COMMENT.findall(line):
            for name, value in comments:
                if name == "run":
                    found.append(Block(page, number, "run", value, {"slow": ""} if "slow" in said else {}))
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
    """The commands of a block, each with what is shown below it; None where a block shows nothing."""
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
    """The regular expression of all texts that stand for what is shown."""
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


CHECKED_BY, CHECKED_BY_DEFAULT = re.compile(r"checked by (drat-trim|lrat-check|cake_lpr)\b"), "checked by cake_lpr"


def compare(block: Block, shown: str, printed: str, what: str) -> None:
    """AssertionError with the differing lines unless what was printed is what is shown."""
    perhaps = re.compile(block.said.get("perhaps", r"(?!)"))
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    printed = "".join(f"{line}\n" for line in lines if not perhaps.fullmatch(line))
    shown, printed = (CHECKED_BY.sub(CHECKED_BY_DEFAULT, text) for text in (shown, printed))  # which one depends on the machine
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
    """Runs the blocks of one page in a folder."""

    def __init__(self, folder: Path, programs: Path):
        self.folder = folder
        self.home = folder / ".home"
        self.home.mkdir(parents=True)
        for name in ("instances", "scripts", "docs"):
            (folder / name).symlink_to(REPOSITORY / name)
        # a user's own settings do not count
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CNFGEN_", "XDG_"))}
        self.environment = kept | {
            "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(self.home),
            "CASES": str(REPOSITORY / "tests" / "pages"),
            "COLUMNS": "120",
        }
        self.python: subprocess.Popen[str] | None = None
        self.printed = ""

    def run(self, block: Block) -> None:
        """AssertionError if the block does not do what the page says."""
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
        """In this process where all commands are plain calls of ours, else by a shell."""
        commands = commands_of(block)
        plain = all(inprocess.PLAIN.fullmatch(command) for command, _ in commands)
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
                [sys.executable, "-c", PYTHON],
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
                raise block.complain(f"line {number} is not the end of a statement, so nobody knows what it gives")
            if arrow:
                compare(block, shown + "\n", values[str(number)], line)

    def close(self) -> None:
        if self.python is not None:
            self.python.kill()
            self.python.communicate()


@contextlib.contextmanager
def running(folder: Path, programs: Path) -> Iterator[Runner]:
    """A runner whose processes end with the block; of our commands it takes those in `programs`."""
    runner = Runner(folder, programs)
    try:
        yield runner
    finally:
        runner.close()


def python_is_read(block: Block) -> None:
    """SyntaxError if a Python block is none, also of one that is not run."""
    ast.parse(block.text)


if __name__ == "__main__":
    every = [block for page in PAGES for block in blocks_of(page) if block.language != "run"]
    for each in every:
        if not each.runs:
            print(f"{each.where}: {each.said['skip']}")
    print(
        f"{sum(each.runs for each in every)} blocks are run ({sum('slow' in each.said for each in every)} slow), "
        f"{sum(not each.runs for each in every)} are not"
    )
