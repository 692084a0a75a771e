"""From an empty machine without a compiler to a checked board: the wheel in a clean environment, outside of the repository.

Skipped if pip has no network access.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from repository import REPOSITORY

COMPILERS = re.compile(r"(.*-)?(gcc|g\+\+|cc|c\+\+|c89|c99|cpp|clang.*|make|gmake|as|ld(\..*)?)(-[\d.]+)?")
CAT = "5 10\n2\n2 1\n1 1\n3\n1 1\n1 1\n2\n1 1\n1 2\n2\n2 1\n2 1 3\n7\n1 3\n2 1\n"  # webpbn.com #1 by Jan Wolter, redistributable


@pytest.fixture
def machine(tmp_path):
    """`machine(program, *words)` runs a program without a compiler on PATH and with an empty home folder."""
    path = tmp_path / "path"
    path.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in sorted(Path(folder).iterdir()) if os.path.isdir(folder) else ():
            if not COMPILERS.fullmatch(program.name) and not os.path.lexists(path / program.name):
                (path / program.name).symlink_to(program)
    given = {name: value for name, value in os.environ.items() if not name.startswith(("CNFGEN_", "XDG_", "PYTHON", "VIRTUAL_"))}

    def run(*words, **how):
        env = given | {"PATH": str(path), "HOME": str(tmp_path / "hömé with space")}
        return subprocess.run(list(map(str, words)), env=env, cwd=tmp_path, capture_output=True, text=True, check=False, **how)

    return run


@pytest.mark.release
@pytest.mark.timeout(600)
def test_from_nothing_to_a_checked_board(machine, tmp_path):
    assert machine("sh", "-c", "command -v cc gcc c++ make").stdout == ""
    made = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, REPOSITORY],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip(f"no wheel could be made, perhaps for want of a network: {made.stderr[-200:]}")
    (wheel,) = tmp_path.glob("*.whl")
    bin = tmp_path / "venv" / "bin"
    assert machine(sys.executable, "-m", "venv", tmp_path / "venv", timeout=100).returncode == 0
    brought = machine(bin / "pip", "install", "--quiet", f"{wheel}[solvers]", timeout=300)
    if brought.returncode:
        pytest.skip(f"pip brought nothing, perhaps for want of a network: {brought.stderr[-200:]}")
    (tmp_path / "cat.nin").write_text(CAT)
    solved = machine(bin / "solve-puzzle", "nonogram", "cat.nin", timeout=60)
    assert solved.returncode == 0, solved.stderr
    assert "2 # # . . ." in solved.stdout
    assert "kissat, " in solved.stderr
    unique = machine(bin / "solve-puzzle", "nonogram", "cat.nin", "--unique", timeout=60)
    assert "The only solution (proof checked by the built-in checker)." in unique.stdout
    assert "kissat" in unique.stderr  # line logic finds the board, kissat proves that there is no other
    listed = machine(bin / "cnf-solvers", "list", timeout=60).stdout
    for solver, version in (("kissat", "4.0.2"), ("glucose", "4.2.1")):
        where = json.loads(machine(bin / "cnf-solvers", "where", solver, "--json", timeout=60).stdout)
        assert where["program"].endswith(f"site-packages/sage_wheels/bin/{solver}")
        assert re.search(rf"^{solver} +{version}\S* +solver +text +PyPI ", listed, re.MULTILINE)
    checked = machine(bin / "cnf-solvers", "check", "kissat", "glucose", timeout=100)
    assert checked.returncode == 0, checked.stdout
    refused = machine(bin / "cnf-solvers", "install", "minisat", timeout=100)
    assert refused.returncode == 1 and "this system lacks c++ and make: " in refused.stderr
