"""The commands as a user types them: the printed examples, the exit codes, and a one-line error for every mistake."""

import json
import subprocess
from pathlib import Path

import pytest
from installedcheckers import NOTE, OF_DRAT, OF_HINTS

SOLVERS = ["kissat", "minisat", "glucose", "cadical", "lingeling"]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "solver, encoding", [*((solver, "order") for solver in SOLVERS), ("kissat", "direct"), ("minisat", "regular")]
)
def test_the_pipe(warm, puzzles, solver, encoding):
    rest = f"run-cnf {solver} - | {warm}/decode-cnf --as plain"
    line = f"{warm}/gen-cnf nonogram {puzzles}/one.nin -e {encoding} | {warm}/{rest}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == ".##..\n.##.#\n..#.#\n.###.\n#.#..\n#.#..\n..##.\n.#.#.\n.#.##\n##...\n"


def test_the_pipe_without_solution(warm, puzzles, solver="kissat"):
    line = f"{warm}/gen-cnf nonogram {puzzles}/none.nin | {warm}/run-cnf {solver} - | {warm}/decode-cnf"
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (
        0,
        f"no solution (claimed by <stdin>; not independently verified: it says: claimed by {solver}; "
        "not independently verified): 3x3 nonogram\n".encode(),
    )


@pytest.mark.parametrize(
    "name, code, said",
    [
        ("one", 0, f"The only solution (proof checked by {OF_HINTS}).".encode()),
        ("two", 0, b"Several solutions. Two of them differ in:\n  row 1, columns 1, 2\n  row 2, columns 1, 2\n"),
        ("none", 0, f"No solution (proof checked by {OF_HINTS}).".encode()),
        ("contradiction", 0, b"No solution: rows and columns need 4 and 2 black cells.\n"),
    ],
)
def test_solve_puzzle_unique(command, puzzles, name, code, said):
    done = command("solve-puzzle", "nonogram", puzzles / f"{name}.nin", "--unique")
    assert done.returncode == code
    assert said in done.stdout


def test_two_pictures_of_two_boards(command, puzzles):
    command("solve-puzzle", "nonogram", puzzles / "two.nin", "--unique", "--as", "svg", "-o", puzzles / "x.svg")
    assert (puzzles / "x.svg").read_text().startswith("<svg")
    assert (puzzles / "x-2.svg").read_text() != (puzzles / "x.svg").read_text()


def test_run_json_and_record(command, puzzles):
    command("gen-cnf", "nonogram", puzzles / "one.nin", "-o", puzzles / "x.cnf")
    done = command("run-cnf", "minisat", puzzles / "x.cnf", "--json", "--seed", 3, "--record", puzzles / "r.json")
    entry = json.loads(done.stdout)
    assert done.returncode == 10
    assert (entry["solver"], entry["status"], entry["verified"], entry["seed"]) == ("minisat", "SATISFIABLE", True, 3)
    assert entry["cpu"] >= 0
    assert entry["memory"] > 0
    assert len(entry["binary_sha256"]) == len(entry["cnf"]["sha256"]) == 64
    assert len(entry["model"]) == entry["cnf"]["variables"]
    assert json.loads((puzzles / "r.json").read_text())["status"] == "SATISFIABLE"


@pytest.mark.parametrize("solver", ["cadical", "kissat"])
def test_run_with_a_checked_proof(command, puzzles, solver):
    command("gen-cnf", "nonogram", puzzles / "none.nin", "-o", puzzles / "x.cnf")
    done = command("run-cnf", solver, puzzles / "x.cnf", "--proof", puzzles / "x.drat", "--check-proof")
    assert done.returncode == 20
    assert f'c cnfgen-evidence {{"kind": "proof", "by": "{OF_DRAT}", "note": "{NOTE}"}}\n'.encode() in done.stdout
    assert (puzzles / "x.drat").exists()


def test_decode_minisats_own_file(command, puzzles):
    command("gen-cnf", "nonogram", puzzles / "one.nin", "-o", puzzles / "x.cnf")
    minisat = Path(__file__).parents[2] / "solvers" / "bin" / "minisat"
    subprocess.run([minisat, "-verb=0", puzzles / "x.cnf", puzzles / "model"], capture_output=True, timeout=60, check=False)
    done = command("decode-cnf", "--cnf", puzzles / "x.cnf", puzzles / "model", "--as", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["board"]


def test_a_board_that_breaks_the_rules_is_never_shown(command, puzzles):
    command("gen-cnf", "nonogram", puzzles / "two.nin", "-o", puzzles / "x.cnf")
    answer = b"s SATISFIABLE\nv 1 2 3 4 5 6 7 8 0\n"
    done = command("decode-cnf", "--map", puzzles / "x.map.json", input=answer)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"breaks the rules" in done.stderr
    with_cnf = command("decode-cnf", "--cnf", puzzles / "x.cnf", input=answer)
    assert (with_cnf.returncode, with_cnf.stdout) == (1, b"")
    assert b"WRONG" in with_cnf.stderr


@pytest.mark.parametrize("name", ["gen-cnf", "run-cnf", "decode-cnf", "solve-puzzle", "convert-puzzle", "bench-cnf"])
def test_help_and_version(command, name):
    shown = command(name, "--help")
    assert shown.returncode == 0
    assert b"Example" in shown.stdout
    assert command(name, "--version").stdout.startswith(name.encode())


@pytest.mark.parametrize("name", ["solve-puzzle", "gen-cnf", "bench-cnf"])
def test_a_command_without_arguments_prints_its_help(command, tmp_path, name):
    done = command(name, cwd=tmp_path)
    assert done.returncode == 2
    assert b"\nOptions:\n" in done.stdout + done.stderr
