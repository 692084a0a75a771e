"""Programs of a suite that change, hang when asked for their version, or sleep: reported, without effect on others."""

from __future__ import annotations

import os

import pytest
from bench import suites

from cnfgen_puzzles.bench.runsuite import run_suite


def by_instance(folder):
    return {record["instance"]: record for record in suites.records(folder)}


def replaced(path, body):
    """Another program at the same path, of the same size and time."""
    before = path.stat()
    new = suites.solver(path.parent, "new", body)
    new.write_bytes(new.read_bytes().ljust(before.st_size, b"#")[: before.st_size])
    os.replace(new, path)
    path.chmod(0o755)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


LIES = "print('s UNSATISFIABLE'); sys.exit(20)"


@pytest.mark.sample(1)
@pytest.mark.parametrize("confinement", ["", "no"])
def test_a_program_that_is_replaced_in_the_middle_of_a_suite(tmp_path, monkeypatch, confinement):
    monkeypatch.setenv("CNFGEN_CONFINEMENT", confinement)
    program = suites.solver(tmp_path, "changing", suites.HONEST + "\n" + "#" * 100)
    path = suites.suite(tmp_path, [str(program), "minisat"], files=3, jobs=1)

    def swap(record):
        if record["instance"] == "f000.cnf" and record["solver"] == "changing":
            replaced(program, LIES)

    run_suite(path, tmp_path / "out", report=swap)
    runs = suites.records(tmp_path / "out")
    assert len(runs) == 6
    assert {r["status"] for r in runs} == {"SATISFIABLE", "ERROR"}  # the other program's word is never taken
    told = [r["reason"] for r in runs if r["status"] == "ERROR"]
    if confinement == "no":  # nobody can say which run did it; the program is put back
        assert all("files changed" in reason or "another program" in reason for reason in told)
    else:
        assert [r["solver"] for r in runs if r["status"] == "ERROR"] == ["changing", "changing"]
        assert all("another program" in reason for reason in told)


def test_a_suite_that_goes_on_with_another_program_says_so(tmp_path, capsys):
    program = suites.solver(tmp_path, "changing", suites.HONEST + "\n" + "#" * 100)
    path = suites.suite(tmp_path, [str(program)], files=1)
    run_suite(path, tmp_path / "out")
    replaced(program, "print('s SATISFIABLE\\nv -1 2 3 0'); sys.exit(10)")
    suites.suite(tmp_path, [str(program)], files=2)
    told = []
    run_suite(path, tmp_path / "out", warn=told.append)
    assert any("another program" in words for words in told), told
    assert len({record["binary_sha256"] for record in suites.records(tmp_path / "out")}) == 2


def test_check_tells_of_a_program_that_hangs_at_its_version_or_cannot_start(invoke, tmp_path, monkeypatch):
    hangs = suites.solver(tmp_path, "hangs", "print('x' * 1000000, flush=True)\ntime.sleep(1000)")
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF no program")
    broken.chmod(0o755)
    declared = tmp_path / "solvers.yaml"
    declared.write_text(
        f"solvers:\n  hangs: {{executable: {hangs}, call: {{version: [--version]}}}}\n"
        f"  broken: {{executable: {broken}, call: {{version: [--version]}}}}\n  missing: {{executable: ./nowhere}}\n"
    )
    path = suites.suite(tmp_path, ["hangs", "broken", "missing", "minisat"], limits={"cpu": 1, "wall": 1})
    monkeypatch.setenv("CNFGEN_SOLVERS_FILE", str(declared))
    said = invoke("check", path).output
    assert "Traceback" not in said
    for name in ("hangs", "broken", "missing"):
        assert name in said
    invoke("run", path, "-o", tmp_path / "out")
    told = {record["solver"]: record["status"] for record in suites.records(tmp_path / "out")}
    assert told["minisat"] == "SATISFIABLE"
    assert told["broken"] == "ERROR"
