"""The modules that commands import at their start: short calls spend most of their time on imports.

No time is measured. Each list names modules that a call of that kind does not need, by their package or top-level module.
"""

import subprocess
import sys

import pytest
from repository import REPOSITORY

NEVER = ("numpy", "numba", "PIL", "pysat", "clingo", "psutil", "multiprocessing", "concurrent", "logging", "urllib.request")
COUNTING = (
    "cnfgen_puzzles.counting.",
    "cnfgen_puzzles.solving.distribute",
    "cnfgen_puzzles.solving.executors",
    "cnfgen_puzzles.pipeline.count",
)
CERTIFICATES = (
    "cnfgen_puzzles.evidence.certificate",
    "cnfgen_puzzles.evidence.builtin",
    "cnfgen_puzzles.pipeline.certificates.certify",
)
LOOP = ("cnfgen_puzzles.pipeline.cegar", "cnfgen_puzzles.solving.session", "cnfgen_puzzles.cli.solve.")
UNUSED = (*NEVER, *COUNTING, *CERTIFICATES, *LOOP)
NOT_RUNNING = (*UNUSED, "cnfgen_puzzles.evidence", "cnfgen_puzzles.solving", "yaml")
LIGHT = {"cnfgen_puzzles.counting.enginenames"}
"""Names for help texts."""

REPORT = """
import atexit, sys
atexit.register(lambda: print("\\nLOADED", *sys.modules))
sys.argv = sys.argv[1:]
import cnfgen_puzzles.cli.start as start
getattr(start, sys.argv[0].replace("-", "_"))()
"""


def loaded(*call: str) -> set[str]:
    """The modules that are imported when the command ends."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *call], capture_output=True, text=True, timeout=60, check=False, cwd=REPOSITORY
    )
    assert done.returncode in (0, 10, 20), done.stderr
    return set(done.stdout.rpartition("LOADED ")[2].split())


@pytest.fixture(scope="module")
def formula(tmp_path_factory):
    path = tmp_path_factory.mktemp("startup") / "one.cnf"
    path.write_text("p cnf 1 1\n1 0\n")
    return str(path)


@pytest.mark.parametrize(
    ("call", "unused"),
    [
        (("solve-puzzle", "--help"), UNUSED),
        (("solve-puzzle", "nonogram", "--help"), UNUSED),
        (("solve-puzzle", "nonogram", "instances/nonogram/random-25-40.nin"), (*UNUSED, "yaml")),
        (("solve-puzzle", "nonogram", "instances/nonogram/random-25-40.nin", "--unique"), (*UNUSED, "yaml")),
        (("gen-cnf", "nonogram", "instances/nonogram/random-25-40.nin"), NOT_RUNNING),
        (("run-cnf", "kissat", "FORMULA"), (*NEVER, *CERTIFICATES, *LOOP, *COUNTING)),
        (("decode-cnf", "--help"), (*NEVER, *COUNTING, *CERTIFICATES, *LOOP)),
        (("bench-cnf", "--help"), (*NOT_RUNNING, "cnfgen_puzzles.pipeline")),
        (("bench-cnf", "scores", "tests/golden/runs"), ("scipy", "altair", "polars", "distributed")),
    ],
    ids=lambda value: " ".join(value) if value and "-" in value[0] else "",
)  # fmt: skip
def test_commands_load_only_needed_modules(call, unused, formula):
    names = loaded(*(word.replace("FORMULA", formula) for word in call))
    assert "cnfgen_puzzles.cli.start" in names
    assert not sorted(name for name in names - LIGHT if name.startswith(unused))
