"""cnf-solvers as a user types it, in a separate home; nothing is fetched."""

import json
import os
import subprocess
import sys

import pytest
from repository import REPOSITORY

START = "from cnfgen_puzzles.cli.start import cnf_solvers; cnf_solvers()"
SOURCES = REPOSITORY / "solvers" / "sources"
ARCHIVE = "drat-trim-effa1dc.tar.gz"


@pytest.fixture
def cnf(tmp_path):
    """`cnf("list", PATH=...)` is the finished command; its home has a space and an umlaut in its name."""
    given = {name: value for name, value in os.environ.items() if not name.startswith(("CNFGEN_", "XDG_"))}

    def call(*words, **more):
        home = {"HOME": str(tmp_path), "CNFGEN_SOLVERS_FOLDER": str(tmp_path / "my sölvers"), "CNFGEN_ARCHIVES": str(SOURCES)}
        return subprocess.run(
            [sys.executable, "-c", START, *words],
            env=given | home | more,
            capture_output=True,
            text=True,
            timeout=120,
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
    assert "clasp: NOT INSTALLED: clasp is not installed by this command: pip install clingo" in done.stderr
    assert done.stderr.endswith("not installed: lingeling, clasp, plingeling\n")


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
