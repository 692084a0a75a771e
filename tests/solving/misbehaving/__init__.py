"""Tiny programs that misbehave, and the mark that identifies all processes of a test.

A program is run as `python -I -S NAME.py ARGUMENTS`. The mark is an environment variable, which children inherit.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import uuid
from pathlib import Path

import psutil

VARIABLE = "CNFGEN_PUZZLES_TEST_MARK"
PATIENCE = 20  # seconds, for what takes milliseconds on an idle machine


def program(name: str, *arguments: object) -> list[str]:
    """The command line of one of the programs here."""
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name(f"{name}.py")), *map(str, arguments)]


class Mark:
    """A value in the environment of one test's processes only."""

    def __init__(self):
        self.value = uuid.uuid4().hex
        self.environment = os.environ | {VARIABLE: self.value}

    def alive(self) -> list[str]:
        """The command lines of the living marked processes."""
        return [" ".join(command) for _, command in self._living()]

    def find(self, command: list[str]) -> list[psutil.Process]:
        """The marked processes with this command line: the process that was started with it, and its forks."""
        return [process for process, its_command in self._living() if its_command == command]

    def await_found(self, command: list[str], count: int = 1) -> list[psutil.Process]:
        """Wait until there are this many."""
        end = time.monotonic() + PATIENCE
        while len(found := self.find(command)) < count:
            assert time.monotonic() < end, f"no {command} in {self.alive()}"
            time.sleep(0.01)
        return found

    def await_none(self, command: list[str] | None = None) -> None:
        """Wait until no marked process is left, or none with this command line."""
        end = time.monotonic() + PATIENCE
        while left := self.alive() if command is None else self.find(command):
            assert time.monotonic() < end, f"left behind: {left}"
            time.sleep(0.01)

    def _living(self) -> list[tuple[psutil.Process, list[str]]]:
        """The marked processes and their command lines; zombies have none."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):  # ended, or somebody else's
                if process.environ().get(VARIABLE) == self.value and (command := process.cmdline()):
                    found.append((process, command))
        return found
