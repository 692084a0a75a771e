"""A kernel that lists no children, and the size of the launcher."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from solving.misbehaving import program

from cnfgen_puzzles.solving import process, supervision
from cnfgen_puzzles.solving.process import Limits, run_process


@pytest.fixture
def crippled_launcher(monkeypatch):
    """Make the next launcher start with a line of code that removes a feature."""

    def cripple(line: str) -> None:
        process.close_launcher()
        monkeypatch.setattr(process._Launcher, "START", process._Launcher.START.replace("; main()", f"; {line}; main()"))

    yield cripple
    process.close_launcher()


def test_a_kernel_that_does_not_list_children(tmp_path, mark, crippled_launcher):
    crippled_launcher("import supervision.tree; supervision.tree.LISTS_CHILDREN = False")
    files = {"stdout": tmp_path / "out", "stderr": tmp_path / "err", "env": mark.environment}
    end = run_process(program("spike", 32 << 20, 0.2, 0), **files)
    assert (end.ended, end.exit_code) == (supervision.EXIT, 0)
    assert end.memory > 32 << 20
    end = run_process(program("family"), **files, limits=Limits(wall=1))
    assert end.ended == supervision.WALL_LIMIT
    assert mark.alive() == []


def test_the_launcher_stays_small():
    """It may import only the standard library and no other module of this package, or its size counts for programs."""
    code = "import sys; sys.path.append(sys.argv[1]); import supervision.launcher; print(*sys.modules)"
    listed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(Path(process.__file__).parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    packages = {name.partition(".")[0] for name in listed.stdout.split()}
    assert packages <= {*sys.stdlib_module_names, "__main__", "supervision"}
