"""On systems with less than Linux offers, runs still work, and the measurement says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from solving.misbehaving import program

from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision.tree import ProcTree, PsutilTree, tree_below


@pytest.fixture
def crippled_launcher(monkeypatch):
    """Make the next launcher start with a line of code that takes something away from it."""

    def cripple(line: str) -> None:
        process.close_launcher()
        monkeypatch.setattr(process._Launcher, "START", process._Launcher.START.replace("; main()", f"; {line}; main()"))

    yield cripple
    process.close_launcher()


def family_of(tree: ProcTree | PsutilTree) -> list[tuple[int, int, bool]]:
    return sorted((found.pid, found.group, found.alive) for found in tree.look())


@pytest.mark.skipif(not isinstance(tree_below(os.getpid()), ProcTree), reason="only one view on this system")
def test_both_views_see_the_same_tree(mark):
    main = subprocess.Popen(["sh", "-c", "sleep 60 & (sleep 60 & wait) & wait"], env=mark.environment)
    try:
        mark.await_found(["sleep", "60"], 2)
        exact, portable = ProcTree(main.pid), PsutilTree(main.pid)
        assert family_of(exact) == family_of(portable)
        assert sorted(exact.children()) == sorted(portable.children())
        for one, other in zip(sorted(exact.look()), sorted(portable.look()), strict=True):
            assert one.resident == pytest.approx(other.resident, abs=1 << 20)
    finally:
        for process_below in (*exact.look(), main):
            os.kill(process_below.pid, 9)
        main.wait()


def test_runs_with_psutil(tmp_path, mark, crippled_launcher):
    crippled_launcher("import supervision.tree; supervision.tree._lists_children = False")
    files = {"stdout": tmp_path / "out", "stderr": tmp_path / "err", "env": mark.environment}
    end = run_process(program("spike", 32 << 20, 0.2, 0), **files)
    assert (end.ended, end.exit_code) == (process.EXIT, 0)
    assert end.memory > 32 << 20
    assert "psutil" in end.memory_method
    end = run_process(program("family"), **files, limits=Limits(wall=1))
    assert end.ended == process.WALL_LIMIT
    assert mark.alive() == []


def test_runs_without_prctl(tmp_path, mark, crippled_launcher):
    crippled_launcher("import supervision.tree; supervision.tree._prctl = None")
    files = {"stdout": tmp_path / "out", "stderr": tmp_path / "err", "env": mark.environment}
    end = run_process(["sh", "-c", "sleep 60 & (sleep 60 & wait) & wait"], **files, limits=Limits(wall=0.3))
    assert end.ended == process.WALL_LIMIT
    assert end.memory_method.endswith("no subreaper, orphans not followed")
    mark.await_none()


def test_the_launcher_stays_small():
    """It may import the standard library and nothing of this package's neighbours, or programs are charged with its size."""
    code = "import sys; sys.path += sys.argv[1:]; import supervision.launcher; print(*sys.modules)"
    listed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *map(str, process._Launcher.PACKAGES)],
        capture_output=True,
        text=True,
        check=True,
    )
    packages = {name.partition(".")[0] for name in listed.stdout.split()}
    assert packages <= {*sys.stdlib_module_names, "__main__", "supervision"}
