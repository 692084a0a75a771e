"""cnf-solvers as a user types it, in a separate home; nothing is fetched."""

import json
import os
import subprocess
import sys

import pytest
from repository import REPOSITORY
from solving.archives import packed

START = "from cnfgen_puzzles.cli.start import cnf_solvers; cnf_solvers()"
SOURCES = REPOSITORY / "solvers" / "sources"
ARCHIVE = "drat-trim-effa1dc.tar.gz"


@pytest.fixture
def cnf(tmp_path):
    """`cnf("list", PATH=...)` is the finished command; its home has a space and an umlaut in its name."""
    given = {name: value for name, value in os.environ.items() if not name.startswith(("CNFGEN_", "XDG_"))}

    def call(*words, command="cnf_solvers", **more):
        home = {"HOME": str(tmp_path), "CNFGEN_SOLVERS_FOLDER": str(tmp_path / "my sölvers"), "CNFGEN_ARCHIVES": str(SOURCES)}
        return subprocess.run(
            [sys.executable, "-c", START.replace("cnf_solvers", command), *words],
            env=given | home | more,
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )

    return call


def test_help_names_every_command_and_starts_quickly(cnf):
    done = cnf("--help")
    for name in ("list", "install", "check", "where", "remove"):
        assert f"\n  {name} " in done.stdout
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", START, "--help"], capture_output=True, text=True, timeout=60, check=False
    ).stderr
    for heavy in ("urllib.request", "tabulate", "cnfgen_puzzles.evidence"):
        assert heavy not in loaded


@pytest.mark.release
def test_a_checker_from_its_archive_to_its_removal(cnf, tmp_path):
    """All steps of an installed program: DRAT-trim is built here, tested on proofs, and listed."""
    if not (SOURCES / ARCHIVE).is_file():
        pytest.skip("the archive is not there: `make solvers` fetches it")
    place = tmp_path / "my sölvers" / "bin" / "drat-trim"
    done = cnf("install", "drat-trim", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "installed in" in done.stdout and str(place) in done.stdout
    note = json.loads(place.with_name("drat-trim.json").read_text())
    assert note["licence"] == "MIT"
    again = cnf("install", "drat-trim")
    assert (again.returncode, again.stdout) == (0, f"drat-trim: 2024-04-28 is already installed: {place}\n")
    assert json.loads(cnf("where", "drat-trim", "--json").stdout)["program"] == str(place)
    row = next(line for line in cnf("list").stdout.splitlines() if line.startswith("drat-trim"))
    assert row.split()[:4] == ["drat-trim", "2024-04-28", "checker", "installed"] and row.endswith(str(place))
    other = cnf("install", "drat-trim", CNFGEN_SOLVER_DRAT_TRIM="/bin/true").stdout.splitlines()[-1]
    instead = "drat-trim: but /bin/true is used instead, since $CNFGEN_SOLVER_DRAT_TRIM takes precedence"
    assert other == instead
    place.with_name("drat-trim.json").write_text(json.dumps(note | {"recipe": "of last year"}))
    assert "older recipe; `cnf-solvers install drat-trim` updates it" in cnf("list").stdout
    other = cnf("install", "drat-trim", CNFGEN_SOLVER_DRAT_TRIM="/bin/true")
    assert "installed in" in other.stdout
    assert other.stdout.splitlines()[-1] == instead
    assert cnf("check", "drat-trim").returncode == 0
    assert cnf("remove", "drat-trim").stdout == f"drat-trim: removed from {place.parent}\n"
    assert list(place.parent.iterdir()) == []


@pytest.mark.release
@pytest.mark.timeout(1300)
def test_a_solver_that_only_a_registry_has(cnf, tmp_path):
    """`make solvers` does not build CryptoMiniSat, which takes two minutes of CPU time."""
    done = cnf("install", "cryptominisat", CNFGEN_ARCHIVES=os.environ.get("CNFGEN_ARCHIVES", ""))
    unreachable = "no origin gave" in done.stderr and "SHA-256" not in done.stderr
    if unreachable or "this system lacks" in done.stderr:
        pytest.skip(done.stderr)
    assert (done.returncode, done.stderr) == (0, "")
    assert cnf("check", "cryptominisat").returncode == 0
    (tmp_path / "x.cnf").write_text("p cnf 2 2\n1 2 0\n-1 2 0\n")
    run = cnf("cryptominisat5", str(tmp_path / "x.cnf"), "--seed", "3", command="run_cnf")
    assert run.returncode == 10 and "s SATISFIABLE" in run.stdout


@pytest.fixture
def archive(tmp_path):
    """`archive(FLAGS)` is an archive that is built like kissat, with these flags of the compiler."""

    def make(flags="-O1"):
        files = {
            "configure": b"#!/bin/sh\nmkdir build\n",
            "makefile": f"all:\n\tcc {flags} dpll.c -o build/kissat\n".encode(),
            "dpll.c": (REPOSITORY / "tests" / "solving" / "dpll.c").read_bytes(),
        }
        path = tmp_path / "rel-4.0.4.tar.gz"
        path.write_bytes(packed({f"kissat-rel-4.0.4/{name}": data for name, data in files.items()}))
        return str(path)

    return make


def test_a_solver_from_the_users_archive(cnf, archive, tmp_path):
    """Add, install, and run it with a seed and a checked proof; replace it with another archive; remove it."""
    user_file, place = tmp_path / ".config" / "cnfgen-puzzles" / "solvers.yaml", tmp_path / "my sölvers" / "bin" / "kissat-4.0.4"
    words = ("add", "kissat-4.0.4", "--from", archive(), "--like", "kissat")
    build = f"version 4.0.4 is added to {user_file}; build it with `cnf-solvers install kissat-4.0.4`"
    assert (done := cnf(*words)).stdout == f"kissat-4.0.4: {build}\n", done.stderr
    done = cnf("install", "kissat-4.0.4")
    assert (done.returncode, done.stderr) == (0, "")
    assert "4.0.4 installed in" in done.stdout and str(place) in done.stdout
    row = next(line for line in cnf("list").stdout.splitlines() if line.startswith("kissat-4.0.4"))
    assert row.split() == ["kissat-4.0.4", "4.0.4", "solver", "text", "installed", *str(place).split()]
    cnf_file, proof = tmp_path / "x.cnf", tmp_path / "x.drat"
    cnf_file.write_text("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n")
    options = ("--seed", "5", "--proof", str(proof), "--check-proof")
    run = cnf("kissat-4.0.4", str(cnf_file), *options, command="run_cnf")
    assert run.returncode == 20 and "s UNSATISFIABLE" in run.stdout, run.stderr
    assert proof.read_text().endswith("0\n") and '"kind": "proof", "by": "the built-in checker"' in run.stdout
    again = cnf(*words)
    assert again.returncode == 2 and "solvers.yaml:2: kissat-4.0.4 already has an entry; --force" in again.stderr
    archive("-O2")
    assert cnf(*words, "--force").returncode == 0
    assert "from an older recipe; `cnf-solvers install kissat-4.0.4` updates it" in cnf("list").stdout
    assert "installed in" in cnf("install", "kissat-4.0.4").stdout
    assert cnf("remove", "kissat-4.0.4").returncode == 0 and not place.exists()


def test_an_added_solver_whose_build_fails(cnf, archive, tmp_path):
    assert cnf("add", "mine", "--from", archive("-no-such-flag"), "--like", "kissat").returncode == 0
    done = cnf("install", "mine")
    log = tmp_path / "my sölvers" / "build" / "mine.log"
    assert done.returncode == 1 and f"mine: NOT INSTALLED: its build failed; the end of {log}:" in done.stderr
    assert "no-such-flag" in done.stderr
    missing = cnf("add", "mine", "--like", "kissat")
    assert missing.returncode == 2 and "Missing option '--from'" in missing.stderr


def test_unknown_names_and_incomplete_calls(cnf, tmp_path):
    for words, message in {
        ("install", "minisat", "kisat"): "unknown solver 'kisat'; did you mean kissat",
        ("remove", "./kissat"): "found the path './kissat', expected the name of a solver",
        ("install",): "expected names of solvers, or --all",
    }.items():
        done = cnf(*words)
        assert (done.returncode, done.stdout) == (2, "") and message in done.stderr, words
    assert not (tmp_path / "my sölvers").exists(), "nothing is begun before all names are known"


def test_offline_installation_reports_failures_and_continues(cnf, tmp_path):
    """No compiler and no client of a registry on PATH, no pip in Python: a line for each step, and exit code 1."""
    (tmp_path / "empty").mkdir()
    done = cnf("install", "lingeling", "clasp", "plingeling", PATH=str(tmp_path / "empty"), CNFGEN_ARCHIVES="")
    assert done.returncode == 1
    assert "lingeling: license: free for evaluation and research; not for commerce" in done.stdout
    assert "lingeling: NOT INSTALLED: this system lacks cc and make: " in done.stderr
    assert "pip install 'cnfgen-puzzles[solvers]'" in done.stderr
    assert "clasp: NOT INSTALLED: clasp is not installed by this command: install it with `" in done.stderr
    assert done.stderr.endswith("not installed: lingeling, clasp, plingeling\n")


def test_a_solver_whose_archive_no_registry_has(cnf, tmp_path):
    (tmp_path / "empty").mkdir()
    done = cnf("install", "gimsatul", PATH=str(tmp_path / "empty"))
    how = "build it from https://github.com/arminbiere/gimsatul and put `gimsatul` on PATH"
    assert (done.returncode, done.stderr) == (1, f"gimsatul: NOT INSTALLED: gimsatul is not installed by this command: {how}\n")


def test_where_and_solvers_that_are_not_installed(cnf, tmp_path):
    (tmp_path / "empty").mkdir()
    done = cnf("where", "lingeling", PATH=str(tmp_path / "empty"))
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "1. $CNFGEN_SOLVER_LINGELING: nothing"
    assert "is not installed: install it with `cnf-solvers install lingeling`" in done.stdout
    override = cnf("where", "lingeling", CNFGEN_SOLVER_LINGELING="/nowhere")
    assert override.returncode == 2 and "expected an executable file" in override.stdout
    gone = cnf("remove", "lingeling")
    assert gone.returncode == 2 and "not installed in" in gone.stderr


def test_licenses(cnf):
    done = cnf("list", "--licenses")
    assert "free for evaluation and research; not for commerce" in done.stdout
    assert done.stdout.count("MIT") >= 8
