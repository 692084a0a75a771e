"""Outputs that cannot be written: one line that names the target, exit code 2, nothing left behind, nothing destroyed."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SCRIPTS

LONG = "n" * 300
ENTRY = "import sys; from cnfgen_puzzles.cli.start import {0}; {0}()"
"""A command as its console script starts it."""

COMMANDS = {
    "gen-cnf": ["gen-cnf", "nonogram", "one.nin", "-o"],
    "map": ["gen-cnf", "nonogram", "one.nin", "-o", "fine.cnf", "--map"],
    "solve-puzzle": ["solve-puzzle", "nonogram", "one.nin", "-o"],
    "all": ["solve-puzzle", "nonogram", "two.nin", "--all", "--jobs", "1", "-o"],
    "sheet": ["solve-puzzle", "nonogram", "two.nin", "--all", "--jobs", "1", "--as", "svg", "-o"],
    "record": ["run-cnf", "kissat", "one.cnf", "--record"],
    "proof": ["run-cnf", "kissat", "one.cnf", "--proof"],
    "decode-cnf": ["decode-cnf", "--cnf", "one.cnf", "one.answer", "-o"],
    "convert-puzzle": ["convert-puzzle", "nonogram", "one.nin", "--to", "non", "-o"],
    "scores": ["bench-cnf", "scores", "results", "-o"],
    "csv": ["bench-cnf", "export", "results", "--csv"],
    "report": ["bench-cnf", "report", "results", "-o"],
}

SUITE = """\
name: small
instances:
  - {family: nonogram, puzzles: [one.nin], encodings: [order]}
solvers: [kissat]
limits: {cpu: 5, wall: 20, memory: 1GiB}
"""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder with an example of each input of the commands."""
    folder = tmp_path_factory.mktemp("outputs")
    (folder / "one.nin").write_text("1 2\n1\n1\n2\n")
    (folder / "two.nin").write_text("2 2\n1\n1\n1\n1\n")
    (folder / "suite.yaml").write_text(SUITE)
    for line in (
        "gen-cnf nonogram one.nin -o one.cnf",
        "run-cnf kissat one.cnf > one.answer",
        "bench-cnf suite.yaml -o results",
    ):
        subprocess.run(f"{SCRIPTS}/{line}", shell=True, cwd=folder, capture_output=True, timeout=120)
    assert (folder / "results" / "runs.jsonl").exists() and (folder / "one.answer").stat().st_size
    return folder


def shell(folder, line, programs=SCRIPTS, **how):
    """The result of a line in a shell, in which `gen-cnf` and so on are the commands of this package, as listed in `programs`."""
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        capture_output=True,
        timeout=120,
        env=os.environ | {"PATH": path} | how.pop("env", {}),
        **how,
    )


def one_line(done, *parts, code=2):
    text = done.stderr.decode(errors="backslashreplace")
    assert done.returncode == code, text
    lines = [
        line for line in text.splitlines() if not line.startswith(("warning", "note", "kissat", "Usage", "Try", "c ")) and line
    ]
    assert len(lines) == 1, text
    for part in parts:
        assert part in lines[0]


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.name != "one.map.json"}


SOME = ("gen-cnf", "proof", "convert-puzzle", "report")
TARGETS = [(name, target) for name in COMMANDS for target in (".", "missing/x", LONG, "one.nin/x", "/proc/x")]


@pytest.mark.sample(4)
@pytest.mark.parametrize("name, target", [(name, to) for name, to in TARGETS if name in SOME or to in ("missing/x", ".")])
def test_a_target_that_cannot_be_written(warm, prepared, name, target):
    before = files(prepared)
    done = subprocess.run(
        [warm / COMMANDS[name][0], *COMMANDS[name][1:], target], cwd=prepared, capture_output=True, timeout=120, check=False
    )
    if target == "missing/x" and name == "report":  # it makes the folder
        assert done.returncode == 0
        (prepared / target).unlink()
        (prepared / "missing").rmdir()
    else:
        one_line(done, target)
    assert files(prepared) == before


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"proof"}))
def test_a_full_device_is_reported_and_stays_a_device(warm, prepared, name):
    (prepared / "full").unlink(missing_ok=True)
    (prepared / "full").symlink_to("/dev/full")  # who replaces it replaces the link
    before = files(prepared)
    one_line(shell(prepared, " ".join([*COMMANDS[name], "full"]), warm), "full", "No space left")
    assert (prepared / "full").is_char_device()
    assert files(prepared) == before
    (prepared / "full").unlink()


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"proof"}))
def test_a_full_disk_leaves_the_old_file_and_no_other(prepared, name):
    """A limit on the size of files replaces a full disk."""
    target = prepared / "target"
    target.write_text("precious")
    before = files(prepared)
    command = COMMANDS[name]
    done = subprocess.run(
        [SCRIPTS / command[0], *command[1:], target], cwd=prepared, capture_output=True, timeout=120, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8)),
    )  # fmt: skip
    if name in ("gen-cnf", "map", "convert-puzzle", "decode-cnf", "scores", "csv", "report"):  # no solver that writes
        one_line(done, "File too large")
    assert b"Traceback" not in done.stderr
    assert done.returncode in (1, 2)
    assert target.read_text() == "precious"
    assert files(prepared) == before
    target.unlink()


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "line",
    [
        "gen-cnf nonogram one.nin",
        "gen-cnf --list",
        "gen-cnf --help",
        "gen-cnf --version",
        "run-cnf kissat one.cnf",
        "run-cnf kissat one.cnf --json",
        "decode-cnf --cnf one.cnf one.answer",
        "solve-puzzle nonogram one.nin",
        "solve-puzzle nonogram one.nin --as png",
        "solve-puzzle nonogram two.nin --count --jobs 1",
        "solve-puzzle nonogram two.nin --all --jobs 1",
        "convert-puzzle nonogram one.nin --to non",
        "bench-cnf scores results",
        "bench-cnf check suite.yaml",
    ],
)
def test_standard_output_that_is_full(warm, prepared, line):
    one_line(shell(prepared, f"{line} >/dev/full", warm), "<stdout>: ")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_output_that_is_written_in_part(prepared, tmp_path, unbuffered):
    with (tmp_path / "x.cnf").open("wb") as output:
        done = subprocess.run(
            [SCRIPTS / "gen-cnf", "nonogram", "one.nin"], cwd=prepared, stdout=output, stderr=subprocess.PIPE, check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
        )  # fmt: skip
    one_line(done, "<stdout>: File too large")


@pytest.mark.parametrize("line", ["gen-cnf nonogram one.nin", "gen-cnf --help", "solve-puzzle nonogram two.nin --all --jobs 1"])
def test_standard_output_that_is_closed(prepared, line):
    one_line(shell(prepared, f"{line} >&-"), "<stdout>: ")


@pytest.mark.release
def test_unused_streams_can_be_closed(prepared):
    assert shell(prepared, "gen-cnf nonogram one.nin -o x.cnf >&- 2>&- <&-").returncode == 0
    assert (prepared / "x.cnf").read_bytes() == (prepared / "one.cnf").read_bytes()
    for how in ("2>&-", "2>/dev/full", "<&-", "2>&- <&-"):
        done = shell(prepared, f"run-cnf kissat one.cnf {how}")
        assert (done.returncode, b"s SATISFIABLE" in done.stdout, done.stderr) == (10, True, b"")
    assert shell(prepared, "gen-cnf nonogram missing.nin 2>&-").returncode == 2
    assert shell(prepared, "gen-cnf nonogram missing.nin 2>/dev/full").returncode == 2
    assert shell(prepared, "solve-puzzle nonogram one.nin <&- >&- 2>&-").returncode == 2
    one_line(shell(prepared, "gen-cnf nonogram - <&-"), "<stdin>")
    for name in ("x.cnf", "x.map.json"):
        (prepared / name).unlink()


def test_closed_streams_are_mended_before_a_file_takes_their_place(prepared):
    """Called through the entry point of console scripts."""
    entry = ENTRY.format("gen_cnf")
    done = shell(prepared, f"{sys.executable} -c '{entry}' nonogram one.nin <&- >&-")
    one_line(done, "<stdout>")
    done = shell(prepared, f"{sys.executable} -c '{entry}' nonogram one.nin <&-")
    assert (done.returncode, done.stdout.count(b"p cnf")) == (0, 1)


def test_a_reader_that_leaves_is_no_fault(prepared):
    done = shell(prepared, "gen-cnf nonogram one.nin | head -c 1; exit ${PIPESTATUS[0]}")
    assert done.stderr == b""


@pytest.mark.parametrize(
    "line",
    ["gen-cnf nonogram $OLDPWD/one.nin -o x.cnf", "solve-puzzle nonogram $OLDPWD/one.nin", "run-cnf kissat $OLDPWD/one.cnf"],
)
def test_a_deleted_working_folder(prepared, line):
    """Solvers run in a folder of this package: only the outputs of this command have no place."""
    done = shell(prepared, f"mkdir gone; cd gone; rmdir ../gone; {line}")
    if "-o" in line:
        one_line(done, "x.cnf")
    else:
        assert done.returncode == (10 if line.startswith("run-cnf") else 0)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "line", ["solve-puzzle nonogram one.nin", "run-cnf kissat one.cnf", "solve-puzzle nonogram two.nin --count --jobs 1"]
)
@pytest.mark.parametrize("descriptors", [6, 14])
def test_few_descriptors(prepared, line, descriptors):
    done = shell(prepared, f"ulimit -n {descriptors}; {line}")
    if done.returncode not in (0, 10):
        one_line(done, "Too many open files", code=done.returncode)
        assert done.returncode in (1, 2)


def test_the_reader_of_a_pipe_is_waited_for(prepared):
    os.mkfifo(prepared / "pipe")
    done = shell(prepared, "gen-cnf nonogram one.nin -o pipe & sleep 0.5; cat pipe; wait $!")
    assert (done.returncode, done.stdout.count(b"c cnfgen-map {")) == (0, 1)
    (prepared / "pipe").unlink()


# -- names ----------------------------------------------------------------------------------------------------------------

ODD = b"-a\xff\nb\x1b[31m\xc3\xa9"


@pytest.mark.release
@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_names_of_any_bytes(prepared, tmp_path, locale):
    """They are read, written, recorded and printed."""
    folder = os.fsencode(tmp_path) + b"/" + ODD
    os.mkdir(folder)
    for name in ("one", "two"):
        with open(os.path.join(folder, ODD + name.encode() + b".nin"), "wb") as stream:
            stream.write((prepared / f"{name}.nin").read_bytes())
    (Path(os.fsdecode(folder)) / "s.yaml").write_text(SUITE.replace("one.nin", '"*.nin"'))
    env = {"F": os.fsdecode(folder), "O": os.fsdecode(ODD), "LC_ALL": locale}
    for line, code in (
        ('gen-cnf nonogram "$F/$O""one.nin" -o "$F/$O.cnf"', 0),
        ('cd "$F"; gen-cnf nonogram -o "$O.cnf" -- "$O""one.nin"', 0),
        ('run-cnf kissat "$F/$O.cnf" --record "$F/$O.json" --proof "$F/$O.drat" > "$F/answer"', 10),
        ('decode-cnf --cnf "$F/$O.cnf" "$F/answer" -o "$F/$O.txt"', 0),
        ('solve-puzzle nonogram "$F/$O""two.nin" --count --state "$F/$O.state" --jobs 1', 0),
        ('TMPDIR="$F" solve-puzzle nonogram "$F/$O""one.nin" --unique', 0),
        ('convert-puzzle nonogram "$F/$O""one.nin" --to webpbn -o "$F/$O.xml"', 0),
        ('bench-cnf "$F/s.yaml" -o "$F/$O.results"', 0),
        ('bench-cnf report "$F/$O.results" -o "$F/$O.html"', 0),
        ('bench-cnf export "$F/$O.results" --csv "$F/$O.csv" --json "$F/$O.json"', 0),
    ):
        done = shell(prepared, line, env=env)
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False), (line, done.stderr)
        assert b"\x1b" not in done.stderr
    done = shell(prepared, 'gen-cnf nonogram "$F/none"', env=env)
    one_line(done, r"-a\xff\nb\x1b[31m", "no such file")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "line", ["gen-cnf one.nin", "solve-puzzle one.nin --unique", "bench-cnf export results --parquet x.parquet"]
)
def test_little_address_space_is_reported_in_a_line(prepared, line):
    for kibibytes in (30_000, 40_000, 102_400):
        done = shell(prepared, f"ulimit -v {kibibytes}; {line}")
        assert b"Traceback" not in done.stderr, (kibibytes, done.stderr)
        assert done.returncode in (0, 10) or b"memory" in done.stderr
