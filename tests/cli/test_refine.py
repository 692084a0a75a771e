"""solve-puzzle for puzzles that the CEGAR loop solves, as a user calls it."""

import json
import signal
import subprocess
import time

from installedcheckers import OF_DRAT

BLOCKED = ("maze", "--kind", "blocked", "--size", "3x3")


def test_a_string_and_the_end_of_all_shorter_ones(command):
    done = command("solve-puzzle", *BLOCKED, "--length", 11, "--as", "plain")
    assert done.returncode == 0
    assert done.stdout.decode().strip() in ("ESEESWWSSEE", "SESSENNEESS")
    done = command("solve-puzzle", *BLOCKED, "--length", 10, "--certify", "--quiet")
    assert done.returncode == 0
    assert f"of 39 mazes are enough to show it (proof checked by {OF_DRAT})".encode() in done.stdout
    assert done.stderr == b""


def test_gen_cnf_reads_the_lazy_constraints(command, tmp_path):
    path = tmp_path / "few.mazes"
    done = command("solve-puzzle", *BLOCKED, "--length", 10, "--state", tmp_path / "s", "--mazes-out", path)
    assert done.returncode == 0
    assert f"mazes written to {path}".encode() in done.stderr
    formula = command("gen-cnf", "maze", path, "--length", 10).stdout
    assert command("run-cnf", "minisat", "-", input=formula).returncode == 20


def test_uniqueness(command):
    several = command("solve-puzzle", *BLOCKED, "--length", 11, "--unique", "--as", "plain")
    assert several.returncode == 0 and b"Several solutions" in several.stdout
    one = command("solve-puzzle", *BLOCKED, "--pattern", "E**********", "--unique", "--as", "json", "--quiet")
    entry = json.loads(one.stdout)
    assert (one.returncode, entry["complete"], len(entry["boards"])) == (0, True, 1)
    assert entry["boards"][0]["solved"] == 39


def test_ctrl_c_says_how_to_resume(tmp_path):
    from conftest import SCRIPTS

    words = ["maze", "--kind", "blocked", "--size", "4x4", "--length", "27", "--state", str(tmp_path / "s")]
    process = subprocess.Popen([str(SCRIPTS / "solve-puzzle"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 20
    while not (tmp_path / "s" / "state.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"the same command resumes from the state in" in told
