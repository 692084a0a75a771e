"""count-cnf as a user calls it: accepted input, answers, refused input, and no remaining processes after an interrupt."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import time

import inprocess
import psutil
import pytest
from childprocesses import command_line
from counting.enumerating import queens
from installedcheckers import OF_HINTS

from cnfgen_puzzles.evidence.certificate import Damaged
from cnfgen_puzzles.formula import write_dimacs
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.solving.table import find_solver

COMMAND = [sys.executable, "-c", "from cnfgen_puzzles.cli.start import count_cnf; count_cnf()"]
FREE = "c p show 1 2 0\np cnf 4 2\n1 2 0\n-3 4 0\n"


@pytest.fixture
def count_cnf():
    """`count_cnf(words ..., text=...)` is the finished command."""

    def run(*words, text=None, cwd=None):
        return inprocess.call_text(["count-cnf", *words], text, cwd=cwd)

    return run


def exact(done):
    """The number in the line of the competition format."""
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("c s exact arb int ")]
    return int(line.split()[-1])


def test_a_projected_count_in_the_format_of_the_competitions(count_cnf):
    done = count_cnf("-", "--engine", "counters", text=FREE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "c o 3 models, projected on 2 of the 4 variables: ganak and tididi agree.",
        "s SATISFIABLE",
        "c s type pmc",
        "c s log10-estimate 0.47712125472",
        "c s exact arb int 3",
    ]


def test_none_and_more_than_python_would_print(count_cnf, tmp_path):
    (tmp_path / "none.cnf.gz").write_bytes(gzip.compress(b"p cnf 2 3\n1 0\n-1 2 0\n-2 0\n"))
    done = count_cnf(tmp_path / "none.cnf.gz", "-e", "tididi")
    assert (done.returncode, exact(done)) == (0, 0)
    assert "s UNSATISFIABLE" in done.stdout
    assert "c s log10-estimate -inf" in done.stdout
    assert "c o No model (claimed by tididi; not independently verified)." in done.stdout
    (tmp_path / "many.cnf.xz").write_bytes(lzma.compress(b"p cnf 15000 1\n1 2 0\n"))
    done = count_cnf(tmp_path / "many.cnf.xz", "-e", "ganak")
    sys.set_int_max_str_digits(0)
    assert exact(done) == 3 << 14998
    assert "\nc o confidence: ganak is a probabilistic counter, exact with probability at least 1 - delta, which" in done.stdout
    entry = json.loads(count_cnf(tmp_path / "many.cnf.xz", "-e", "ganak", "--json").stdout)
    assert entry["models"] == 3 << 14998
    assert entry["evidence"]["kind"] == "word"


@pytest.mark.parametrize("engine", ["clasp", "blocking"])
def test_all_models_are_listed(count_cnf, engine):
    done = count_cnf("-", "--all", "-e", engine, "-j", 1, text=FREE)
    assert {line for line in done.stdout.splitlines() if line.startswith("v")} == {"v 1 2 0", "v 1 -2 0", "v -1 2 0"}
    assert "each checked. No others (claimed by" in done.stdout
    assert (done.returncode, exact(done)) == (0, 3)


def test_some_models_as_json_and_other_variables(count_cnf):
    done = count_cnf("-", "--all", "--limit", 2, "--show", "1,3-4", "--json", text=FREE)
    *models, last = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 0
    assert len(models) == 2
    assert all([abs(literal) for literal in each["model"]] == [1, 3, 4] for each in models)
    assert (last["models"], last["complete"], last["reason"], last["evidence"]) == (2, False, "limit of 2 models", None)


@pytest.fixture
def hard(tmp_path):
    """More than a minute of work for every engine; solutions are found at once."""
    path = tmp_path / "queens.cnf"
    with path.open("wb") as stream:
        write_dimacs(queens(13), stream)
    return path


def test_limits_give_a_partial_count(count_cnf, hard):
    done = count_cnf(hard, "-e", "counters", "--time", 1)
    assert done.returncode == 3
    assert "Partial (CPU time limit): no model was found." in done.stdout
    assert "s UNKNOWN" in done.stdout


@pytest.mark.parametrize("engine", ["counters", "auto"])
def test_ctrl_c_leaves_nothing(engine, hard, tmp_path):
    environment = os.environ | {"COUNTING_TEST": str(tmp_path)}
    process = subprocess.Popen(
        [*COMMAND, str(hard), "-e", engine], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env=environment, start_new_session=True,
    )  # fmt: skip

    def ours():
        return [each for each in psutil.process_iter() if _marked(each, str(tmp_path))]

    deadline = time.monotonic() + 60
    while not any("worker" in command_line(each) for each in ours()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    printed, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert "Partial (interrupted" in printed
    assert "Traceback" not in told
    assert not ours()


def _marked(process, mark):
    try:
        return process.environ().get("COUNTING_TEST") == mark
    except psutil.Error:
        return False


@pytest.mark.release
def test_the_checker_of_a_certificate(count_cnf, tmp_path, monkeypatch):
    """--checker names it; a checker that cannot be used is refused before the count."""
    monkeypatch.setenv("CNFGEN_SOLVER_CAKE_LPR", "/nowhere")
    for words, message in (
        (("--checker", "lrat"), "found --checker without --certificate"),
        (
            ("--certificate", tmp_path / "c", "--checker", "drat-trim"),
            "drat-trim does not read lrat proofs; these do: verified, lrat, built-in",
        ),
        (("--certificate", tmp_path / "c", "--checker", "verified"), "/nowhere"),
    ):
        done = count_cnf("-", *words, text=FREE)
        assert done.returncode == 2 and message in done.stderr and not done.stdout, done.stderr
        assert not list(tmp_path.iterdir())
    done = count_cnf("-", "--certificate", tmp_path / "c", "--checker", "built-in", "--json", text=FREE)
    assert json.loads(done.stdout)["evidence"]["by"] == "the built-in checker"


@pytest.mark.long
def test_a_certificate_of_all_models(count_cnf, tmp_path):
    done = count_cnf("-", "--certificate", tmp_path / "c", "--keep-proofs", "--quiet", text=FREE)
    assert done.stdout.splitlines()[:2] == [
        f"c o 3 models, projected on 2 of the 4 variables, each checked. No others (proof checked by {OF_HINTS}).",
        "s SATISFIABLE",
    ], done.stderr
    found = verify_certificate(tmp_path / "c")
    assert found.sentence == "Verified. This formula has exactly 3 models, projected on 2 of the 4 variables"
    environment = {**os.environ, "LRAT_CHECK": find_solver("lrat-check").locate(), "DRAT_TRIM": find_solver("drat-trim").locate()}
    script = subprocess.run(["sh", tmp_path / "c" / "verify.sh"], env=environment, capture_output=True, text=True, check=False)
    assert script.returncode == 0, script.stdout
    assert "VERIFIED: solutions.txt has all models" in script.stdout
    readme = tmp_path / "c" / "README.md"
    readme.write_text(readme.read_text().replace("exactly 3 models", "exactly 2 models"))
    with pytest.raises(Damaged):
        verify_certificate(tmp_path / "c")
