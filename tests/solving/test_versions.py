"""Versions of programs: a run under limits with one printable line as the answer; replaced programs."""

import os
from dataclasses import replace

import pytest
from conftest import make_program
from solving.conftest import on_linux
from solving.misbehaving import Mark
from solving.misbehaving import program as misbehaving

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.solving import executables as programs
from cnfgen_puzzles.solving.table import Solver


def test_version_is_asked_noted_or_unknown(tmp_path):
    speaks = make_program(tmp_path / "speaks", "#!/bin/sh\necho\necho ' 9.9 '\n")
    assert Solver("x", version_arguments=("--version",)).version_line(speaks) == "9.9"
    silent = make_program(tmp_path / "silent")
    assert Solver("x").version_line(silent) == "unknown"
    note = tmp_path / "silent.json"
    note.write_text(f'{{"version": "1.2", "binary_sha256": "{programs.checksum(silent)}"}}')
    assert Solver("x").version_line(silent) == "1.2"
    make_program(silent, "#!/bin/sh\n# another program than the one that the note is about\n")
    assert Solver("x").version_line(silent) == "unknown"


@pytest.mark.parametrize(
    "text, version",
    [
        ("echo 4.0.2", "4.0.2"),
        ("echo; echo ' solver 3 of x '; echo more", "3"),
        ("echo 'c CryptoMiniSat version 5.11.21'", "5.11.21"),
        ("echo 'solver2, release v1.0-rc1+7, compiled by cc 12'", "1.0-rc1+7"),
        ("echo bbc-9230380", "bbc-9230380"),
        ("printf '4.0\\rs SATISFIABLE'", "4.0"),
        ("printf '\\033[31m4.0'", r"\x1b[31m4.0"),
        ("printf '\\377 4'", "4"),
        ("printf '%0300d' 1", "0" * 200),
        ("true", "unknown"),
        ("echo usage: solver FILE", "unknown"),
        ("echo error 5 >&2", "unknown"),
    ],
)
def test_a_version_is_one_printable_line_with_a_number(tmp_path, text, version):
    assert (
        Solver("x", version_arguments=("--version",)).version_line(make_program(tmp_path / "x", f"#!/bin/sh\n{text}\n"))
        == version
    )


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "text, words",
    [
        ("echo version 5; exit 1", r"exit code 1 \(version 5\)"),
        ("echo error: no licence 7 >&2; exit 3", r"exit code 3 \(error: no licence 7\)"),
        ("kill -9 $$", "signal"),
        ("exec cat /dev/zero", "output|bytes"),
        ("exec cat /dev/zero >&2", "output|bytes"),
        ("exec sleep 600", "wall-limit"),
        ("while :; do :; done", "cpu-limit"),
        ("x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo 5", "memory-limit"),
    ],
)
def test_asking_for_a_version_is_a_run_under_limits(tmp_path, monkeypatch, text, words):
    limits = {"wall-limit": {"wall": 0.5}, "cpu-limit": {"cpu": 0.5}, "memory-limit": {"memory": 100 << 20}}.get(words, {})
    monkeypatch.setattr(programs, "VERSION_LIMITS", replace(programs.VERSION_LIMITS, **limits))
    with pytest.raises(CnfgenError, match=words) as caught:
        Solver("x", version_arguments=("--version",)).version_line(make_program(tmp_path / "x", f"#!/bin/sh\n{text}\n"))
    assert len(str(caught.value)) < 500


@on_linux
def test_no_process_outlives_the_question_for_a_version(tmp_path, mode):
    mark = Mark()
    (name, value) = next((name, value) for name, value in mark.environment.items() if value == mark.value)
    words = " ".join(misbehaving("daemon"))
    leaves = make_program(tmp_path / "x", f"#!/bin/sh\nexport {name}={value}\n{words} >/dev/null & sleep 0.3\necho 1\n")
    assert Solver("x", version_arguments=("-v",)).version_line(leaves) == "1"
    assert mark.alive() == []


def test_another_program_at_the_same_place_is_noticed(tmp_path):
    """With the size and the time of the old one, as an installer that preserves times or an attacker would do it."""
    solver, path = Solver("x", version_arguments=("-v",)), make_program(tmp_path / "x", "#!/bin/sh\necho 1\n")
    before, told = path.stat(), (solver.version_line(path), programs.checksum(path))
    for how in ("written over", "put in its place"):
        other = path if how == "written over" else tmp_path / "other"
        make_program(other, f"#!/bin/sh\necho {how.count('e')}\n")
        os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
        other.rename(path)
        assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        now = solver.version_line(path), programs.checksum(path)
        assert now[0] == str(how.count("e")) and now[1] != told[1]
        told = now


@pytest.mark.parametrize("note", ["", "{", "[]", "{}", '{"version": 3}', "\udcff", "[" * 100_000])
def test_an_invalid_note_has_no_version(tmp_path, note):
    silent = make_program(tmp_path / "silent")
    (tmp_path / "silent.json").write_bytes(os.fsencode(note))
    assert Solver("x").version_line(silent) == "unknown"
