"""The kept part of a solver's very long output: both ends."""

from __future__ import annotations

import shutil

import pytest

from cnfgen_puzzles.solving.answers import EDGE, RunOutputs


@pytest.mark.parametrize(("size", "left_out"), [(10, 0), (2 * EDGE, 0), (2 * EDGE + 1, 1), (5 * EDGE, 3 * EDGE)])
def test_the_ends_are_kept(tmp_path, size, left_out):
    (tmp_path / "kept").mkdir()
    (tmp_path / "run").mkdir()
    with RunOutputs.create(tmp_path / "run") as outputs:
        outputs.stdout.write(b"a" * (size // 2) + b"b" * (size - size // 2))
        outputs.copy_to(tmp_path / "kept")
    kept = (tmp_path / "kept" / "stdout").read_bytes()
    assert kept.startswith(b"a" * min(size // 2, EDGE)) and kept.endswith(b"b" * min(size // 2, EDGE))
    assert (b"\n[... %d bytes left out ...]\n" % left_out in kept) == bool(left_out)
    assert len(kept) < 2 * EDGE + 100


def test_a_flood(tmp_path, command):
    program = tmp_path / "flood"
    program.write_text("#!/bin/sh\nhead -c 9000000 /dev/zero\nexit 3\n")
    program.chmod(0o755)
    (tmp_path / "x.cnf").write_text("p cnf 1 1\n1 0\n")
    done = command("run-cnf", program, tmp_path / "x.cnf", "--like", "kissat")
    assert done.returncode == 1
    kept = done.stderr.decode().rpartition("kept in ")[2].strip()
    try:
        assert done.stderr.count(b"\n") and sum(path.stat().st_size for path in type(tmp_path)(kept).iterdir()) < 2 * EDGE + 1000
    finally:
        shutil.rmtree(kept)
