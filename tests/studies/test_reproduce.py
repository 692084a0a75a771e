"""`make reproduce`: kept and repeated measurements, the state after a failure or an interrupt, and the page."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import exampleclaims as examples
import pytest

from studies import reproduce
from studies.claims import Measured, Study
from studies.findings import Finding, finding, read_findings

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def run(monkeypatch, tmp_path):
    """`run(claims, *words)` is the command with these claims as its only study; returns the exit code."""

    def command(claims, *words):
        monkeypatch.setattr(reproduce, "all_studies", lambda: [Study("Examples", "Sums.", tuple(claims))])
        return reproduce.main(["--folder", str(tmp_path / "here"), "--page", str(tmp_path / "results.md"), "--jobs", "2", *words])

    return command


def findings(tmp_path, name="results.jsonl"):
    return read_findings(tmp_path / name)


def test_a_difference_is_not_a_failure_and_comes_first(run, tmp_path, capsys):
    assert run([examples.FOUR, examples.FIVE]) == 0
    said = capsys.readouterr().out
    assert said.index("sums/five") < said.index("sums/four")
    assert "one was forgotten" in " ".join(said.split())
    text = (tmp_path / "results.md").read_text()
    assert "2 claims by verdict: same 1, differs 1, not decided yet 0." in text
    assert text.index("## Differences") < text.index("| 5 | differs |") < text.index("## Examples\n\nSums.")
    details = (tmp_path / "results-details.md").read_text()
    assert "- verdict: differs: one was forgotten\n" in details
    assert "- command: `make reproduce ONLY=sums/four`\n" in details


def test_a_failed_claim_is_reported_and_the_others_continue(run, tmp_path, capsys):
    assert run([examples.FAILS, examples.STUMBLES, examples.DIES, examples.FOUR, examples.OPEN]) == 1
    found = findings(tmp_path)
    assert {key for key, each in found.items() if each.decided} == {"sums/four"}
    assert found["faults/fails"].why == "here: found nothing"
    assert found["faults/stumbles"].why.startswith("ZeroDivisionError")
    assert "a process ended without a result" in found["faults/dies"].why
    captured = capsys.readouterr()
    assert "faults/fails failed: here: found nothing" in captured.out
    assert "sums/open is not decided: a limit was met" in captured.out
    assert "return 1 // 0" in captured.err


@pytest.mark.release
def test_long_claims_only_where_asked_for_and_only_once(run, tmp_path):
    both = [examples.QUICK, examples.AGAIN]

    def values(*words):
        assert run(both, *words) == 0
        found = findings(tmp_path)
        return [found[key].value if key in found else None for key in ("quick/again", "long/again")]

    assert values() == ["1", None]
    assert values("--full") == ["2", "1"]
    assert values("--full") == ["3", "1"]
    assert values("--only", "long/*") == ["3", "1"]
    assert values("--full", "--again") == ["4", "2"]
    kept = tmp_path / "here" / "findings.jsonl"
    kept.write_text("".join(line.replace(reproduce.__version__, "0.0.1") + "\n" for line in kept.read_text().splitlines()))
    assert values("--full") == ["5", "3"]
    assert values("--show") == ["5", "3"]


def test_an_interrupt_keeps_what_is_done(run, tmp_path, capsys):
    kept = tmp_path / "here" / "findings.jsonl"

    def interrupt():
        while not (kept.exists() and kept.read_text().count("\n") == 1):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    assert run([examples.FOUR, examples.SLEEPS], "--full") == reproduce.INTERRUPTED
    assert findings(tmp_path)["sums/four"].value == "4"
    assert "same 1, differs 0, not decided yet 1" in (tmp_path / "results.md").read_text()
    assert "sums/four" in capsys.readouterr().out


def test_mistakes_are_one_line(run, capsys):
    assert run([examples.FOUR], "--only", "sums/for") == 2
    assert "did you mean sums/four?" in capsys.readouterr().err
    assert run([examples.FOUR], "--puzzles", "/nowhere") == 2
    assert capsys.readouterr().err == "reproduce: /nowhere: found no such folder\n"


def test_the_table_never_loses_a_decided_row(run, tmp_path):
    old = Finding("sums/open", "4", "counted then", "", 9.0, "0.0.1", "2020-02-02T00:00:00Z")
    gone = Finding("another/study", "1", "", "", 1.0, "0.0.1", "2020-02-02T00:00:00Z")
    (tmp_path / "results.jsonl").write_text("".join(json.dumps(vars(each)) + "\n" for each in (gone, old)))
    assert run([examples.FOUR, examples.OPEN]) == 0
    found = findings(tmp_path)
    assert list(found) == ["sums/four", "sums/open", "another/study"]
    assert found["sums/open"] == old
    assert found["another/study"] == gone
    details = (tmp_path / "results-details.md").read_text()
    assert "- evidence: counted then\n- run: 9.0 s, version 0.0.1, 2020-02-02\n" in details


def test_findings_of_another_checkout_are_merged(run, tmp_path, capsys):
    assert run([examples.FOUR, examples.FIVE], "--only", "sums/five") == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    found = finding("sums/four", Measured("4", "counted elsewhere"), 1.0)
    (elsewhere / "findings.jsonl").write_text(json.dumps(vars(found)) + "\n")
    for _ in range(2):
        assert run([examples.FOUR, examples.FIVE], "--show", "--folder", str(elsewhere)) == 0
        assert findings(tmp_path)["sums/four"] == found and findings(tmp_path)["sums/five"].value == "5"
    assert "counted elsewhere" in (tmp_path / "results-details.md").read_text()


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["check/reproduce", "check/check_counts", "studies/four_holes", "check/reproduce_nonograms"])
def test_the_scripts_run_the_studies(name):
    script = SCRIPTS / f"{name}.py"
    ended = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, timeout=120, check=True)
    assert f"python scripts/{name}.py" in ended.stdout
    assert len(script.read_text().splitlines()) < 25
