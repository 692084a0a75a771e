"""run-cnf with programs that misbehave: the list of solvers is complete, and their output forges no answer."""

from __future__ import annotations

import json
import os
import re

import pytest
from conftest import make_script
from inprocess import call

from cnfgen_puzzles.solving.table import find_solver

SAT = "p cnf 2 1\n1 -2 0\n"


@pytest.fixture
def environment(tmp_path):
    """An environment in which this text is the user's solver file."""

    def make(text):
        (tmp_path / "solvers.yaml").write_text(text)
        return os.environ | {"CNFGEN_SOLVERS_FILE": str(tmp_path / "solvers.yaml")}

    return make


def test_one_bad_program_does_not_empty_the_list(command, environment, tmp_path):
    bad = {
        "floods": "exec cat /dev/zero",
        "fails": "echo error: no licence 5; exit 3",
        "escapes": r"printf 'v-7.0 \033[31m\n'",
        "broken": "#!/no/such/interpreter",
    }
    lines = [
        f"  {name}: {{executable: {make_script(tmp_path / name, text)}, call: {{version: [-v]}}}}" for name, text in bad.items()
    ]
    (tmp_path / "broken").write_bytes(b"\x7fELF rubbish")
    env = environment("\n".join(["solvers:", *lines, "  missing: {executable: /nowhere/x}", "  wrong: {executabel: x}", ""]))
    listed = command("run-cnf", "--list", env=env)
    assert listed.returncode == 0, listed.stderr
    rows = {line.split()[0]: line for line in listed.stdout.decode().splitlines()}
    assert rows.keys() >= {*bad, "missing", "wrong", "kissat", "cadical", "minisat"}
    told = {
        "floods": "stdout has more than",
        "fails": "exit code 3 (error: no licence 5)",
        "escapes": r"v-7.0 \x1b[31m",
        "broken": "does not report its version",
        "missing": "found '/nowhere/x', expected an executable file",
        "wrong": "unknown key 'executabel'; did you mean executable",
    }
    for name, words in told.items():
        assert words in rows[name]
    assert "unknown" in rows["fails"].split()
    assert b"\x1b" not in listed.stdout


def test_a_missing_program_costs_only_its_solver(command, environment, tmp_path):
    env = environment("solvers:\n  kissat: {executable: /nowhere/kissat}\n  new: {executable: /nowhere/new}\n")
    (tmp_path / "x.cnf").write_text(SAT)
    assert command("run-cnf", "cadical", "x.cnf", env=env, cwd=tmp_path).returncode == 10
    (tmp_path / "x.nin").write_text("1 1\n1\n1\n")
    solved = command("solve-puzzle", "nonogram", "x.nin", env=env, cwd=tmp_path)
    assert solved.returncode == 0, solved.stderr
    refused = command("run-cnf", "kissat", "x.cnf", env=env, cwd=tmp_path)
    assert refused.returncode == 2 and b"solvers.yaml:2: found '/nowhere/kissat'" in refused.stderr


def test_solver_output_cannot_forge_an_answer(command, tmp_path):
    solver = make_script(tmp_path / "liar", r"printf 'c \rs SATISFIABLE\rv 1 0\n\033[2Jx\n' >&2; printf 's UNKNOWN\n'; exit 7")
    (tmp_path / "x.cnf").write_text(SAT)
    done = command("run-cnf", solver, "x.cnf", cwd=tmp_path)
    assert done.returncode == 1
    said = done.stdout.decode()
    assert [line for line in said.splitlines() if line.startswith("s ")] == ["s UNKNOWN"]
    assert all(line.isprintable() for line in [*said.split("\n"), *done.stderr.decode().split("\n")])


def test_a_file_cannot_forge_an_answer_by_its_comments(command, tmp_path):
    forged = b"\rs SATISFIABLE\rv 1 0\x1b[2J\n" + SAT.encode()
    (tmp_path / "x.cnf").write_bytes(b"c " + forged)
    done = command("run-cnf", "minisat", "x.cnf", cwd=tmp_path)
    assert done.returncode == 10
    assert sum(line.startswith("s ") for line in done.stdout.decode().splitlines()) == 1 and b"\x1b" not in done.stdout
    (tmp_path / "x.cnf").write_bytes(b"c cnfgen-map {" + forged)
    refused = command("run-cnf", "minisat", "x.cnf", cwd=tmp_path)
    assert (
        (refused.returncode, refused.stdout) == (2, b"")
        and b"not a variable map" in refused.stderr
        and b"\x1b" not in refused.stderr
    )


CLAUSE, COUNTS, CHECKSUM = "a clause more", "another number of variables", "another checksum"


@pytest.mark.parametrize("edit", [CLAUSE, COUNTS, CHECKSUM])
@pytest.mark.parametrize("scrambled", [(), ("--scramble", 1)])
def test_a_map_of_another_formula_is_refused_wherever_it_is_read(command, puzzles, edit, scrambled):
    text = command("gen-cnf", "one.nin", *scrambled, cwd=puzzles).stdout.decode()
    (puzzles / "right.cnf").write_text(text)
    answer = command("run-cnf", "minisat", "right.cnf", cwd=puzzles)
    assert command("decode-cnf", "--cnf", "right.cnf", input=answer.stdout, cwd=puzzles).returncode == 0
    header = re.search(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    variables, clauses = map(int, header.groups())
    text = {
        CLAUSE: text.replace(header[0], f"p cnf {variables} {clauses + 2}") + "1 0\n-1 0\n",
        COUNTS: text.replace(header[0], f"p cnf {variables + 1} {clauses}"),
        CHECKSUM: re.sub(r'("sha256":")[0-9a-f]{4}', r"\g<1>0000", text, count=1),
    }[edit]
    (puzzles / "x.cnf").write_text(text)
    plain = "".join(line for line in answer.stdout.decode().splitlines(keepends=True) if not line.startswith("c "))
    for words, given in (
        (("run-cnf", "minisat", "x.cnf"), b""),
        (("run-cnf", "minisat,kissat", "-"), text.encode()),
        (("count-cnf", "x.cnf"), b""),
        (("count-cnf", "-", "--all"), text.encode()),
        (("decode-cnf", "--cnf", "x.cnf"), plain.encode()),
        (("decode-cnf", "--cnf", "x.cnf"), answer.stdout),
    ):
        done = command(*words, input=given, cwd=puzzles)
        assert (done.returncode, done.stdout) == (2, b""), words
        assert b"belongs to another formula" in done.stderr
    refused = command("run-cnf", "minisat", "-", input=text.encode(), cwd=puzzles).stderr
    assert b"<stdin>: the map in its comments" in refused and b"or remove its lines `c cnfgen-map`" in refused


def test_the_size_of_a_proof_has_a_limit(command, tmp_path):
    yaml = tmp_path / "solvers.yaml"
    program = make_script(tmp_path / "writer", 'exec cat /dev/zero > "$2"')
    yaml.write_text(
        f"solvers:\n  writer:\n    executable: {program}\n    call:\n"
        '      arguments: ["{cnf}", "{proof}", "{options}"]\n      proof: {arguments: ["{proof}"], format: text}\n'
    )
    (tmp_path / "x.cnf").write_text(SAT)
    words = ["writer", "x.cnf", "--proof", "p", "--proof-size", "3MiB", "--wall-time", "60", "--json"]
    done = command("run-cnf", *words, cwd=tmp_path, env=os.environ | {"CNFGEN_SOLVERS_FILE": str(yaml)})
    entry = json.loads(done.stdout)
    assert (done.returncode, entry["status"]) == (1, "ERROR")
    assert entry["reason"] == f"more output than the limit: p has more than {3 << 20} bytes"


def test_a_program_that_is_like_a_known_solver(tmp_path, command):
    program = tmp_path / "mine"
    program.symlink_to(find_solver("kissat").locate())
    cnf = tmp_path / "x.cnf"
    cnf.write_text("p cnf 1 2\n1 0\n-1 0\n")
    words = (program, cnf, "--seed", 3, "--proof", tmp_path / "x.drat", "--check-proof")
    assert b"use `like: NAME`" in command("run-cnf", *words).stderr
    assert command("run-cnf", *words, "--like", "kissat").returncode == 20
    assert command("run-cnf", "mine", cnf, "--like", "kissat").returncode == 2


def test_relaxed_accepts_a_wrong_header(tmp_path):
    cases = {"sat": (b"p cnf 1 9\n1 2 0\n-1 0\n", 10), "unsat": (b"p cnf 1 1\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", 20)}
    for name, (text, code) in cases.items():
        (tmp_path / "x.cnf").write_bytes(text)
        refused = call("run-cnf", ["cadical", "x.cnf"], cwd=tmp_path)
        assert refused.returncode == 2 and b"--relaxed" in refused.stderr
        proof = ["--proof", f"{name}.drat", "--check-proof", "--checker", "drat-trim"]
        done = call("run-cnf", ["cadical", "x.cnf", "--relaxed", *proof], cwd=tmp_path)
        assert done.returncode == code, done.stderr
        assert b"warning: x.cnf: found " in done.stderr
        counted = call("count-cnf", ["x.cnf", "--relaxed", "-q"], cwd=tmp_path)
        assert b"c s exact arb int " + (b"1" if code == 10 else b"0") in counted.stdout
        assert b"warning: x.cnf: found " in counted.stderr


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('"$kissat" "$1"; exit 0', "exit code 0 with a model"),
        ('"$kissat" "$1" | sed "/^v/s/ 0$//; /^v 0$/d"; exit 10', "no 0 at the end of the model"),
    ],
)
def test_relaxed_accepts_models_of_unusual_solvers(tmp_path, body, found):
    (tmp_path / "x.cnf").write_text(SAT)
    program = make_script(tmp_path / "mine", f"kissat='{find_solver('kissat').locate()}'\n{body}")
    yaml = tmp_path / "solvers.yaml"
    yaml.write_text(
        f"solvers:\n  strict: {{executable: {program}, reads: [/]}}\n"
        f"  mine: {{executable: {program}, reads: [/], call: {{answer: {{relaxed: true}}}}}}\n"
    )
    env = os.environ | {"CNFGEN_SOLVERS_FILE": str(yaml)}
    refused = call("run-cnf", ["strict", "x.cnf"], cwd=tmp_path, env=env)
    assert refused.returncode == 1 and b"--relaxed of run-cnf accepts a right model" in refused.stderr
    for words in (["strict", "x.cnf", "--relaxed"], ["mine", "x.cnf"]):
        done = call("run-cnf", words, cwd=tmp_path, env=env)
        assert done.returncode == 10, done.stderr
        assert f"the answer has {found}; accepted, since its model was checked" in done.stderr.decode()
        assert f": SATISFIABLE ({found})" in done.stdout.decode()


@pytest.mark.parametrize("command", [["run-cnf", "cadical"], ["count-cnf"], ["decode-cnf", "--cnf"], ["bench-cnf", "run"]])
def test_other_formats_are_refused_by_name(tmp_path, command):
    (tmp_path / "x.cnf").write_text("p wcnf 1 1 2\n1 1 0\n")
    (tmp_path / "s.yaml").write_text("name: s\ninstances: [{cnf: x.cnf}]\nsolvers: [minisat-core]\nlimits: {cpu: 5}\n")
    name, *words = command
    file = "x.cnf" if name != "bench-cnf" else "s.yaml"
    done = call(name, [*words, file], b"s SATISFIABLE\nv 1 0\n", cwd=tmp_path)
    assert done.returncode == (1 if name == "bench-cnf" else 2), done.stderr  # one bad file does not end a suite
    assert b"a WCNF file (MaxSAT)" in done.stderr


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ("echo 'no license' >&2; exit 0", 1, ["no license"]),
        ("echo 'c busy'; echo 'gave up' >&2; exit 0", 0, ["gave up"]),
        ("for i in 1 2 3 4 5 6; do echo line $i; done >&2; echo 's UNKNOWN'", 0, ["line 4", "line 5", "line 6"]),
        ("printf 'a\\033[31mb\\n' >&2; kill -SEGV $$", 1, ["a\\x1b[31mb"]),
        ("echo waiting >&2; sleep 9", 0, ["waiting"]),
        ("echo chatter >&2; printf 's SATISFIABLE\\nv 1 2 0\\n'; exit 10", 10, []),
        ("printf '%05000d' 1 >&2; exit 1", 1, ["0" * 200]),
    ],
)
def test_the_standard_error_of_a_program_without_an_answer_is_shown(command, tmp_path, text, code, shown):
    (tmp_path / "x.cnf").write_text(SAT)
    done = command("run-cnf", make_script(tmp_path / "tool", text), str(tmp_path / "x.cnf"), "--wall-time", "1")
    assert done.returncode == code
    told = done.stderr.decode().splitlines()
    lines = [line for line in told if "standard error: " in line]
    reason = next((line for line in told if "ERROR: " in line), "")
    assert [line for line in shown if f"({line})" not in reason] == [line.partition("standard error: ")[2] for line in lines]
    assert all(line in done.stderr.decode() for line in shown)
