"""Confinement: the files that a solver can access, and the result of an attempt at others, with Landlock and without."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
from pathlib import Path

import pytest
from conftest import make_script

from cnfgen_puzzles.solving import confinement, supervision
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.supervision import landlock
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers

SAT = "c a comment\np cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
UNSAT = "p cnf 1 2\n1 0\n-1 0\n"
BUILT = [name for name, solver in load_solvers().items() if solver.kind == "solver" and solver.available()]

needs_landlock = pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
needs_scopes = pytest.mark.skipif(landlock.abi() < 6, reason="this kernel's Landlock knows no signals")


# -- what Landlock refuses ----------------------------------------------------------------------------------------------------

REFUSED = {
    "read a file": "open({secret!r}).read()",
    "read a file beside the program": "open(os.path.join(os.path.dirname(sys.argv[0]), 'secret')).read()",
    "read a password": "open('/etc/shadow').read()",
    "list a folder": "os.listdir({folder!r})",
    "write a file": "open({secret!r}, 'a')",
    "make a file": "open({folder!r} + '/new', 'w')",
    "make a folder": "os.mkdir({folder!r} + '/new')",
    "make a link": "os.symlink('x', {folder!r} + '/new')",
    "make a hard link": "os.link(cnf, {folder!r} + '/new')",
    "make a pipe": "os.mkfifo({folder!r} + '/new')",
    "cut a file": "os.truncate({secret!r}, 0)",
    "remove a file": "os.unlink({secret!r})",
    "rename a file": "os.rename({secret!r}, {secret!r} + '2')",
    "take a file": "os.rename({secret!r}, 'mine')",
    "write its input": "open(cnf, 'w')",
    "write its input through what it has open": "os.open('/proc/self/fd/%d' % os.open(cnf, os.O_RDONLY), os.O_WRONLY)",
    "write its program": "open(sys.argv[0], 'a')",
    "leave something for all": "open('/dev/shm/cnfgen-test-left', 'w')",
    "look at its supervisor": "open('/proc/%d/environ' % os.getppid()).read()",
    "connect": "socket.create_connection(('127.0.0.1', {port}), 5)",
    "listen": "socket.create_server(('127.0.0.1', 0))",
    "by a child": "import subprocess; subprocess.run(['cat', {secret!r}], check=True)",
}


@pytest.mark.sample(13)
@needs_landlock
@pytest.mark.parametrize("what", REFUSED)
def test_access_to_other_files_is_refused(trespass, sat, tmp_path, what):
    folder = tmp_path / "folder"
    folder.mkdir()
    secret = folder / "secret"
    for path in (secret, tmp_path / "secret"):
        path.write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        body = REFUSED[what].format(secret=str(secret), folder=str(folder), port=server.getsockname()[1])
        run = run_solver(trespass(body), sat, keep=tmp_path)
    assert "c done" not in run.excerpt
    assert "Error" in run.excerpt
    assert (run.status, run.confinement) == ("UNSATISFIABLE", "landlock")
    assert (secret.read_text(), sorted(os.listdir(folder))) == ("secret", ["secret"])
    assert sat.read_text() == SAT


ALLOWED = {
    "its input": "assert open(cnf).read().endswith('p cnf 3 3\\n1 2 0\\n-1 3 0\\n-2 -3 0\\n')",
    "its scratch folder": "open('a', 'w').write('x'); os.mkdir('d'); os.rename('a', 'd/a'); shutil.rmtree('d')",
    "that for temporary files": "import tempfile; tempfile.NamedTemporaryFile().write(b'x')",
    "devices": "open('/dev/null', 'w').write('x'); open('/dev/urandom', 'rb').read(1); open('/dev/zero', 'rb').read(1)",
    "its own outputs by name": "open('/dev/stdout', 'a').write('c x\\n'); open('/dev/stderr', 'w').write('x')",
    "the system's programs": "import subprocess; subprocess.run('echo x | cat | gzip -c', shell=True, check=True, stdout=-3)",
    "what the kernel tells of it": "open('/proc/self/status').read(); open('/proc/meminfo').read(); os.cpu_count()",
    "threads and children": "import threading; threading.Thread(target=print).start(); os.waitpid(os.fork() or os._exit(0), 0)",
    "signals to itself": "import signal; signal.signal(10, lambda *_: None); os.kill(os.getpid(), 10)",
    "signals to its children": "import subprocess; c = subprocess.Popen(['sleep', '9']); c.kill(); assert c.wait() == -9",
    "pairs of sockets": "a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'",
    "copies with modes": "shutil.copy2(cnf, 'copy')",
}


@pytest.mark.sample(10)
@pytest.mark.parametrize("what", ALLOWED)
def test_access_to_its_files_is_allowed(trespass, sat, tmp_path, either, what):
    run = run_solver(trespass(ALLOWED[what]), sat, keep=tmp_path)
    assert "c done" in run.excerpt
    assert (run.status, run.confinement) == ("UNSATISFIABLE", either)


def test_both_ways_it_runs_in_its_scratch_folder(trespass, sat, tmp_path, either):
    run = run_solver(trespass(f"assert os.getcwd() == os.environ['TMPDIR'] != {os.getcwd()!r}"), sat, keep=tmp_path)
    assert "c done" in run.excerpt


@needs_landlock
def test_a_declaration_may_ask_for_more(trespass, sat, tmp_path):
    """A wrapper fails with a message that says why, and works with `reads`."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    make_script(elsewhere / "real", "echo s UNSATISFIABLE\nexit 20")
    wrapper = make_script(tmp_path / "wrapper", f'exec {elsewhere / "real"} "$@"')
    solver = Solver(name="wrapper", program=str(wrapper), executable=str(wrapper), source="test")
    run = run_solver(solver, sat, keep=tmp_path)
    assert run.status == "ERROR"
    assert "reads" in run.reason
    assert confinement.CONFINEMENT in run.reason
    allowed = Solver(name="wrapper", program=str(wrapper), executable=str(wrapper), source="test", reads=(elsewhere,))
    assert run_solver(allowed, sat, keep=tmp_path).status == "UNSATISFIABLE"


def test_reads_in_the_users_file(tmp_path, monkeypatch):
    program = tmp_path / "wrapper"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    declared = tmp_path / "solvers.yaml"
    declared.write_text(
        f"solvers:\n  kissat: {{executable: {program}, reads: [lib]}}\n  mine: {{executable: {program}, reads: [/x]}}\n"
    )
    monkeypatch.setenv("CNFGEN_SOLVERS_FILE", str(declared))
    assert find_solver("kissat").reads == (tmp_path / "lib",)
    assert find_solver("mine").reads == (Path("/x"),)


# -- signals ------------------------------------------------------------------------------------------------------------------


@needs_scopes
def test_signals_to_others_are_refused(trespass, sat, tmp_path):
    with subprocess.Popen(["sleep", "60"]) as other:
        body = "\n".join(
            (
                f"for other in ({other.pid}, os.getppid(), {os.getpid()}):",
                "    try: os.kill(other, 19); print('c done wrong')",
                "    except PermissionError: pass",
            )
        )
        run = run_solver(trespass(body), sat, keep=tmp_path)
        assert "wrong" not in run.excerpt
        assert "c done" in run.excerpt
        other.kill()


def test_a_supervisor_that_is_killed(trespass, sat, tmp_path, unconfined):
    run = run_solver(trespass("os.kill(os.getppid(), 9); time.sleep(60)"), sat, keep=tmp_path)
    assert (run.status, run.measurement.ended) == ("ERROR", supervision.SUPERVISOR_LOST)
    assert "the supervisor of" in run.reason


# -- the real ones ------------------------------------------------------------------------------------------------------------


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", BUILT)
def test_real_solvers_run_confined(name, tmp_path, either, monkeypatch):
    """From any folder, on plain and compressed files, with a proof in another folder by a relative path."""
    solver = find_solver(name)
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    plain, packed = tmp_path / "in" / "x.cnf", tmp_path / "in" / "y.cnf.gz"
    plain.write_text(SAT)
    packed.write_bytes(gzip.compress(UNSAT.encode()))
    monkeypatch.chdir(tmp_path / "in")
    threads = 2 if solver.parallel else None
    one = run_solver(solver, Path("x.cnf"), threads=threads)
    assert (one.status, one.reason, one.confinement) == ("SATISFIABLE", "", either)
    proof = Path("../out/proof") if solver.proof_arguments else None
    other = run_solver(solver, Path("y.cnf.gz"), proof=proof, threads=threads)
    assert (other.status, other.reason) == ("UNSATISFIABLE", "")
    if proof:
        assert proof.is_file()


def test_a_kernel_that_refuses_the_call_counts_as_without_landlock(monkeypatch):
    def forbid(*_):
        raise OSError(38, "no such system call")

    landlock._abi.cache_clear()
    monkeypatch.setattr(landlock, "system_call", forbid)
    assert landlock.abi() == 0
    assert not confinement.is_enforced()
    monkeypatch.undo()
    landlock._abi.cache_clear()
