"""Shared by all tests: small puzzles with known answers, and the commands as a user runs them."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import inprocess
import pytest
from dask_cluster import Dask
from hypothesis import HealthCheck, Phase, settings
from repository import INSTANCES, REPOSITORY
from solving.misbehaving import Mark
from warmstart import Warm

# Neither how long an example takes nor how long it takes to be drawn says anything of the code on a machine that is busy.
# 40 examples and not 100, so that `make test` stays within minutes.
settings.register_profile("busy", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# For whom it is enough that a test fails (scripts/check/mutate.py): nothing is made smaller then, which took most of the time.
settings.register_profile("unshrunk", settings.get_profile("busy"), phases=(Phase.explicit, Phase.generate))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "busy"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job: Ctrl-C is tested all the same
    signal.signal(signal.SIGINT, signal.default_int_handler)

sys.modules.setdefault("rfc3987_syntax", None)  # as `bench-cnf` does: 2.5 s of grammars behind altair

EXAMPLES = REPOSITORY / ".venv" / "examples"  # packages with families, which the user of the environment does not see
sys.path.append(str(EXAMPLES))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(EXAMPLES))))

gc.disable()  # what is collected stays, and to look at it again and again takes a third of the time that collecting does

collect_ignore = [
    "pages",
    "forgedclaims.py",
    "forgedevidence.py",
]  # not modules with doctests: programs, and tables filled on import

SCRIPTS = Path(sys.executable).parent

CAT = "5 10\n2\n2 1\n1 1\n3\n1 1\n1 1\n2\n1 1\n1 2\n2\n2 1\n2 1 3\n7\n1 3\n2 1\n"  # webpbn.com #1 by Jan Wolter, redistributable
SWITCH = "2 2\n1\n1\n1\n1\n"
IMPOSSIBLE = "3 3\n1 1\n0\n1 1\n1 1\n1\n1\n"  # the sums agree, the corners do not
CONTRADICTION = "2 2\n2\n2\n1\n1\n"


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Select samples of parameters before the other hooks deselect tests. Long tests start first, so that no process waits for
    one at the end."""
    mark_rest_of_samples(items)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def mark_rest_of_samples(items):
    """`@pytest.mark.sample(n)`: `make test` runs n evenly spread parameters, and `make test-release` the others."""
    tests = {}
    for item in items:
        if mark := item.get_closest_marker("sample"):
            tests.setdefault((item.path, item.originalname), (mark.args[0], []))[1].append(item)
    for number, parameters in tests.values():
        kept = {index * len(parameters) // number for index in range(number)}
        for index, item in enumerate(parameters):
            if index not in kept:
                item.add_marker("release")


@pytest.fixture
def puzzles(tmp_path):
    """A folder with one puzzle of each kind: one solution, two, none, and none for an obvious reason."""
    for name, text in (("one", CAT), ("two", SWITCH), ("none", IMPOSSIBLE), ("contradiction", CONTRADICTION)):
        (tmp_path / f"{name}.nin").write_text(text)
    return tmp_path


@pytest.fixture(scope="session")
def instances() -> Path:
    """The puzzles of the repository, one folder for each family."""
    return INSTANCES


@pytest.fixture(scope="session")
def sample_puzzles() -> Path:
    """The user's copies of puzzles that cannot be redistributed, next to the repository; skips the test without them."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the sample puzzles are not beside the repository")
    return folder


@pytest.fixture(scope="session")
def survey_puzzle(request, instances) -> Callable[[str], Path]:
    """`survey_puzzle("webpbn-00001")` is the file of a puzzle of Wolter's survey: in the repository, or the user's copy."""

    def find(name: str) -> Path:
        shipped = instances / "nonogram" / "webpbn" / f"{name}.nin"
        return shipped if shipped.exists() else request.getfixturevalue("sample_puzzles") / "nonogram" / f"{name}.nin"

    return find


@pytest.fixture(scope="session")
def warm():
    """The folder of the commands that start warm (tests/warmstart.py); SCRIPTS are the installed ones."""
    with tempfile.TemporaryDirectory(prefix="warm") as folder, contextlib.closing(Warm(Path(folder))):
        yield Path(folder)


@pytest.fixture
def command():
    """`command("gen-cnf", "nonogram", ..., input=...)` calls the command in this process, as if it were a separate one.

    Returns the CompletedProcess (bytes). With `env`, it is the installed command in a process.
    """

    def run(name, *words, input=None, env=None, cwd=None):
        words = list(map(str, words))
        if env is None:
            return inprocess.call(name, words, input or b"", cwd)
        return subprocess.run([str(SCRIPTS / name), *words], input=input, capture_output=True, timeout=120, env=env, cwd=cwd)

    return run


@pytest.fixture
def mark():
    """Marks processes by an environment variable. None of them may be left a while after the test."""
    mark = Mark()
    yield mark
    mark.await_none()


@pytest.fixture
def dask(tmp_path, mark):
    """A Dask scheduler; `dask.worker(name, ...)` starts a worker."""
    with contextlib.ExitStack() as stack:
        yield Dask(stack, tmp_path, mark.environment)


@pytest.fixture(scope="session")
def load_script() -> Callable[[str], ModuleType]:
    """Loads a file of scripts/ as a module."""

    def load(name: str) -> ModuleType:
        (path,) = REPOSITORY.glob(f"scripts/*/{name}.py")
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module

    return load


def make_program(path, text="#!/bin/sh\n"):
    """An executable file with this text, for solvers that misbehave."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def make_script(path, commands):
    """A shell script with these commands."""
    return make_program(path, f"#!/bin/sh\n{commands}\n")


@pytest.fixture(autouse=True)
def _interrupts_as_usual():
    """A command that runs in this process handles Ctrl-C by ending it; restores the handler for later tests."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
