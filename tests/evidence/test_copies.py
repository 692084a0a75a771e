"""Certificates are checked as private copies; checks that cannot write say so; files have one mode."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import inprocess
import pytest
from certificates import BUILT, edit, run_script
from conftest import make_script

import cnfgen_puzzles as cp
from cnfgen_puzzles.evidence.certificate import (
    VERIFY_SH,
    Draft,
    Unfinished,
    formula_certificate,
    formula_readme,
)
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")

SATISFIABLE, REFUTED = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n1 2 0\n", "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
"""Two formulas of nearly the same text; only the second one has no model."""


@pytest.fixture
def forged(tmp_path):
    """A false claim: a satisfiable formula, and a proof that belongs to another one."""
    folder = tmp_path / "c"
    with Draft(folder) as draft:
        for name, text in {"formula.cnf": SATISFIABLE, "projection.txt": "1\n2\n", "proof.drat": "1 0\n0\n"}.items():
            draft.add(name, text.encode())
        draft.seal("no-model", formula_certificate("no-model", None), formula_readme("no-model", None))
    return folder


def swapping(folder, text):
    return f"cat >{shlex.quote(str(folder / 'formula.cnf'))} <<'END'\n{text}END"


def test_the_script_uses_the_bytes_that_it_compared(forged, tmp_path, monkeypatch):
    """Another process replaces the formula after the checksums were compared, and restores it after the last check."""
    real = shutil.which("sha256sum")
    make_script(tmp_path / "bin" / "sha256sum", f'{real} "$@"; code=$?\n{swapping(forged, REFUTED)}\nexit $code')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    code, output = run_script(forged)
    assert (forged / "formula.cnf").read_text() == REFUTED  # it was replaced
    assert code == 1 and "does not prove" in output, output


def test_verify_certificate_uses_the_bytes_that_it_compared(forged, tmp_path, monkeypatch):
    """The program stops the check in its folder until another process has replaced the file."""
    work = tmp_path / "tmp"
    work.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(work))
    real = shutil.which("sha256sum")
    wait = 'n=0; while [ ! -e "$TMPDIR/replaced" ] && [ $n -lt 2000 ]; do sleep 0.01; n=$((n + 1)); done'
    make_script(tmp_path / "bin" / "sha256sum", f'{real} "$@"; code=$?\ntouch "$TMPDIR/compared"\n{wait}\nexit $code')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    replaced = []

    def race():
        for _ in range(3000):
            for found in work.glob("cnfgen-verify-*/**/compared"):
                (forged / "formula.cnf").write_text(REFUTED)
                (found.parent / "replaced").touch()
                replaced.append(found)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=race)
    thread.start()
    done = inprocess.call("verify-certificate", [str(forged), "--formula-only"])
    thread.join()
    assert replaced and done.returncode == 1 and b"does not prove" in done.stderr, done


@pytest.mark.parametrize("how", ["link", "pipe", "huge", "folder"])
def test_nothing_odd_is_copied(forged, tmp_path, how):
    """A huge file that manifest.txt lists, too, is more than the disk can hold."""
    path = forged / "proof.drat"
    if how == "huge":
        edit(forged / "manifest.txt", f"file {path.stat().st_size} proof.drat", f"file {1 << 43} proof.drat")
        os.truncate(path, 1 << 43)
    else:
        path.unlink()
        {"link": lambda: path.symlink_to("/dev/zero"), "pipe": lambda: os.mkfifo(path), "folder": path.mkdir}[how]()
    code, output = run_script(forged)
    assert code == (3 if how == "huge" else 1), output
    assert ("temporary files cannot be written" if how == "huge" else "proof.drat") in output, output


# -- writes ---------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def unique(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unique") / "c"
    cp.unique(find_family("nonogram").puzzle(((2,), (1,)), ((2,), (1,))), certificate=folder)
    return folder


def limited(blocks, folder, **environment):
    """verify.sh with a limit on the size of the files that it writes, in blocks of 512 bytes."""
    return subprocess.run(
        ["sh", "-c", f'ulimit -f {blocks}; sh "$1" "$2" 2>&1 | cat', "sh", str(VERIFY_SH), str(folder)],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("blocks", [0, 1, 4, 16, 64])
def test_a_full_disk_is_not_damage(unique, blocks):
    assert "NOT CHECKED: temporary files cannot be written" in (output := limited(blocks, unique).stdout)
    assert "VERIFIED" not in output, output


@pytest.mark.parametrize("folder", ["/nonexistent", "/proc"])
def test_a_folder_that_cannot_be_written(unique, folder):
    code, output = run_script_in(folder, unique)
    assert code == 3 and f"NOT CHECKED: temporary files cannot be written in {folder}" in output, output


def run_script_in(temporary, folder):
    done = subprocess.run(
        ["sh", VERIFY_SH, folder],
        env={**os.environ, "TMPDIR": temporary},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_results_that_cannot_be_written(unique):
    with open("/dev/full", "w") as full:
        done = subprocess.run(["sh", VERIFY_SH, unique], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 3


def test_each_failed_write_is_noticed():
    """Every output of a program in verify.sh goes to a variable, through `write`, or through cat, which reports failed writes."""
    for number, line in enumerate(VERIFY_SH.read_text().splitlines(), start=1):
        if re.search(r">>? ?\"\$(work|file|manifest|sums)", line.split(" # ")[0]):
            assert "| cat >" in line and re.search(r"\|\| (no_room|printf 'full')", line), (number, line)


def test_verify_certificate_says_what_could_not_be_written(unique, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/proc")
    with pytest.raises(Unfinished, match="temporary files cannot be written"):
        verify_certificate(unique)


def test_a_full_disk_for_verify_certificate(unique):
    text = "from cnfgen_puzzles.cli import start; start.verify_certificate()"
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 16; exec "$@"', "sh", sys.executable, "-B", "-c", text, unique],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 3 and "temporary file" in done.stderr, done


# -- modes -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o027])
def test_files_have_one_mode(tmp_path, mask):
    before = os.umask(mask)
    try:
        with Draft(tmp_path / "c") as draft:
            for name in ("formula.cnf", "proofs/00001.lrat"):
                draft.add(name, b"p cnf 0 0\n")
            draft.seal("no-model", formula_certificate("no-model", None), formula_readme("no-model", None))
    finally:
        os.umask(before)
    for path in (tmp_path / "c", *(tmp_path / "c").rglob("*")):
        assert path.stat().st_mode & 0o7777 == (0o755 if path.is_dir() else 0o644), path


@pytest.mark.parametrize(
    "shell", [[shell] for shell in ("dash", "bash") if shutil.which(shell)] + [["busybox", "sh"]] * bool(shutil.which("busybox"))
)
def test_no_copy_is_left_behind_a_closed_pipe(unique, tmp_path, shell):
    """A reader such as `head -1` ends before the script writes its next result."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write) as closed:
        done = subprocess.run(
            [*shell, VERIFY_SH, unique], stdout=closed, stderr=subprocess.DEVNULL, env=os.environ | {"TMPDIR": str(tmp_path)},
            timeout=60, check=False, restore_signals=True,
        )  # fmt: skip
    assert done.returncode != 0 and os.listdir(tmp_path) == []
