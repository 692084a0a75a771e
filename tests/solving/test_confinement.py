"""What a solver may touch, and what becomes of what it touches all the same: with Landlock and without."""

from __future__ import annotations

import gzip
import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.solving import confinement, process, workplace
from cnfgen_puzzles.solving.integrity import Guarded
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import INTEGRITY_CHECK, run_solver
from cnfgen_puzzles.solving.supervision import landlock
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers

SAT = "c a comment\np cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
UNSAT = "p cnf 1 2\n1 0\n-1 0\n"
BUILT = [name for name, solver in load_solvers().items() if solver.kind == "solver" and solver.available()]

needs_landlock = pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
needs_scopes = pytest.mark.skipif(landlock.abi() < 6, reason="this kernel's Landlock knows no signals")


@pytest.fixture
def unconfined(monkeypatch):
    monkeypatch.setenv(confinement.CONFINEMENT, "no")


@pytest.fixture(params=["landlock", INTEGRITY_CHECK])
def either(request, monkeypatch):
    """Once with Landlock, where the kernel has it, and once without; the name of what holds."""
    if request.param == INTEGRITY_CHECK:
        monkeypatch.setenv(confinement.CONFINEMENT, "no")
    elif not landlock.abi():
        pytest.skip("this kernel has no Landlock")
    return request.param


@pytest.fixture
def sat(tmp_path):
    path = tmp_path / "sat.cnf"
    path.write_text(SAT)
    return path


@pytest.fixture
def play(tmp_path):
    """A solver that runs this Python text. It says what it has caught, and UNSATISFIABLE: a lie about `sat`."""

    def make(body, **fields):
        program = tmp_path / "fake"
        text = (
            f"#!{sys.executable} -S\nimport glob, os, shutil, socket, sys, time\ncnf = sys.argv[1]\ntry:\n"
            + "".join(f"    {line}\n" for line in body.splitlines())
            + "    print('c done')\nexcept Exception as error:\n    print('c', type(error).__name__, error)\n"
            + "print('s UNSATISFIABLE')\nsys.stdout.flush()\nos._exit(20)\n"
        )
        program.write_text(text)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return Solver(name="fake", program=str(program), executable=str(program), source="test", **fields)

    return make


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
    "send a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))",
    "talk to a daemon": "socket.socket(socket.AF_UNIX).connect({folder!r} + '/daemon')",
    "set a limit of its supervisor": "import resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "set an attribute": "os.setxattr({secret!r}, 'user.x', b'y')",
    "by a child": "import subprocess; subprocess.run(['cat', {secret!r}], check=True)",
}


@needs_landlock
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_its_own_is_refused(play, sat, tmp_path, what):
    folder = tmp_path / "folder"
    folder.mkdir()
    secret = folder / "secret"
    for path in (secret, tmp_path / "secret"):
        path.write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as daemon:
        daemon.bind(str(folder / "daemon"))
        daemon.listen()
        body = REFUSED[what].format(secret=str(secret), folder=str(folder), port=server.getsockname()[1])
        run = run_solver(play(body), sat, keep=tmp_path)
    assert "c done" not in run.excerpt
    assert "Error" in run.excerpt
    assert (run.status, run.confinement) == ("UNSATISFIABLE", "landlock")
    assert (secret.read_text(), sorted(os.listdir(folder))) == ("secret", ["daemon", "secret"])
    assert sat.read_text() == SAT


@needs_landlock
@pytest.mark.parametrize("body", ["os.chmod({0!r}, 0)", "os.chown({0!r}, 1, 1)", "os.utime({0!r}, (0, 0))"])
def test_modes_owners_and_times_stay_as_they_are(play, sat, tmp_path, body):
    before = sat.stat()
    run = run_solver(play(body.format(str(sat))), sat, keep=tmp_path)
    assert "c done" in run.excerpt
    now = sat.stat()
    assert (now.st_mode, now.st_uid, now.st_mtime_ns) == (before.st_mode, before.st_uid, before.st_mtime_ns)


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


@pytest.mark.parametrize("what", ALLOWED)
def test_what_is_its_own_is_allowed(play, sat, tmp_path, either, what):
    run = run_solver(play(ALLOWED[what]), sat, keep=tmp_path)
    assert "c done" in run.excerpt
    assert (run.status, run.confinement) == ("UNSATISFIABLE", either)


def test_both_ways_it_runs_in_its_scratch_folder(play, sat, tmp_path, either):
    run = run_solver(play(f"assert os.getcwd() == os.environ['TMPDIR'] != {os.getcwd()!r}"), sat, keep=tmp_path)
    assert "c done" in run.excerpt


@needs_landlock
def test_a_declaration_may_ask_for_more(play, sat, tmp_path):
    """A wrapper fails, is told why, and works with `reads`."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "real").write_text("#!/bin/sh\necho s UNSATISFIABLE\nexit 20\n")
    (elsewhere / "real").chmod(0o755)
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f'#!/bin/sh\nexec {elsewhere / "real"} "$@"\n')
    wrapper.chmod(0o755)
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


# -- what is found and repaired without it ------------------------------------------------------------------------------------

LIAR = """
target = {target!r}
{how}
"""
DAMAGES = {
    "rewritten": "open(target, 'w').write('p cnf 1 2\\n1 0\\n-1 0\\n')",
    "same size, same time": "\n".join(
        (
            "old = os.stat(target)",
            "text = open(target).read()",
            "open(target, 'r+').write(text.replace('3', '2'))",
            "os.utime(target, ns=(old.st_atime_ns, old.st_mtime_ns))",
        )
    ),
    "removed": "os.unlink(target)",
    "removed and made again": "os.unlink(target); open(target, 'w').write('p cnf 0 1\\n0\\n')",
    "another renamed over it": "open('x', 'w').write('p cnf 0 1\\n0\\n'); shutil.move('x', target)",
    "a link in its place": "open('/tmp/cnfgen-test-link', 'w'); os.unlink(target); os.symlink('/tmp/cnfgen-test-link', target)",
    "a folder in its place": "os.unlink(target); os.mkdir(target)",
    "a pipe in its place": "os.unlink(target); os.mkfifo(target)",
    "cut": "os.truncate(target, 0)",
    "its mode": "os.chmod(target, 0)",
    "its folder removed": "shutil.rmtree(os.path.dirname(target))",
    "by another name": "os.link(target, 'other'); open('other', 'w').write('p cnf 0 1\\n0\\n')",
    "by a child that stays": "\n".join(
        (
            "if os.fork() == 0:",
            "    os.setsid(); time.sleep(0.3)",
            "    open(target, 'w').write('x'); os._exit(0)",
            "time.sleep(0.6)",
        )
    ),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("how", DAMAGES)
def test_damage_to_the_users_formula_is_an_error_and_repaired(play, tmp_path, unconfined, how, packed):
    folder = tmp_path / "users"
    folder.mkdir()
    path = folder / ("x.cnf.gz" if packed else "x.cnf")
    content = gzip.compress(SAT.encode()) if packed else SAT.encode()
    path.write_bytes(content)
    mode = path.stat().st_mode
    if packed and how == "same size, same time":
        pytest.skip("a packed file has no such text")
    run = run_solver(play(LIAR.format(target=str(path), how=DAMAGES[how])), path, keep=tmp_path)
    assert "c done" in run.excerpt
    assert (run.status, run.confinement) == ("ERROR", INTEGRITY_CHECK)
    assert str(path) in run.reason
    assert "repaired" in run.reason
    assert (path.read_bytes(), path.stat().st_mode) == (content, mode)
    assert not path.is_symlink()


def test_what_was_found_in_place_of_a_file_is_kept(play, sat, tmp_path, unconfined):
    """It may be the user's own change, made at the wrong moment."""
    run = run_solver(play(f"open({str(sat)!r}, 'w').write('p cnf 1 0\\n')"), sat, keep=tmp_path)
    assert run.status == "ERROR"
    assert (run.kept / "found-as-sat.cnf").read_text() == "p cnf 1 0\n"


def test_damage_to_what_it_is_given_as_input(play, sat, tmp_path, unconfined):
    run = run_solver(play("open(cnf, 'w').write('p cnf 0 1\\n0\\n')"), sat, keep=tmp_path)
    assert (run.status, sat.read_text()) == ("ERROR", SAT)


def test_damage_to_both(play, sat, tmp_path, unconfined):
    """The formula is repaired from memory then, without its comments."""
    run = run_solver(
        play(
            f"for f in (*glob.glob(os.path.dirname(cnf) + '/orig*'), cnf, {str(sat)!r}): open(f, 'w').write('p cnf 0 1\\n0\\n')"
        ),
        sat,
        keep=tmp_path,
    )
    assert (run.status, sat.read_text()) == ("ERROR", SAT.split("\n", 1)[1])


def test_a_formula_behind_a_link(play, sat, tmp_path, unconfined):
    link = tmp_path / "link.cnf"
    link.symlink_to(sat)
    body = f"os.unlink({str(link)!r}); open({str(link)!r}, 'w').write('p cnf 0 1\\n0\\n')"
    run = run_solver(play(body), link, keep=tmp_path)
    assert run.status == "ERROR"
    assert (os.readlink(link), sat.read_text()) == (str(sat), SAT)


def test_touching_is_no_damage(play, sat, tmp_path, unconfined):
    """Other names and times that the content outlives: a backup, `make`."""
    body = f"os.link({str(sat)!r}, {str(tmp_path / 'backup')!r}); os.utime({str(sat)!r})"
    run = run_solver(play(body), sat, keep=tmp_path)
    assert (run.status, run.reason) == ("UNSATISFIABLE", "")


def test_honest_runs_after_a_liar(play, sat, tmp_path, unconfined):
    run_solver(play(f"open({str(sat)!r}, 'w').write('p cnf 1 2\\n1 0\\n-1 0\\n')"), sat, keep=tmp_path)
    assert run_solver(find_solver("minisat"), sat).status == "SATISFIABLE"


@pytest.mark.parametrize("what", ["its own", "another"])
def test_a_program_that_was_replaced(play, sat, tmp_path, unconfined, monkeypatch, what):
    home = tmp_path / "bin"
    home.mkdir()
    shutil.copy("/bin/true", home / "another")
    monkeypatch.setattr(workplace, "BIN", home)
    target = tmp_path / "fake" if what == "its own" else home / "another"
    body = f"t = {str(target)!r}; open('x', 'w').write('#!/bin/sh\\nexit 20\\n'); os.chmod('x', 0o755); shutil.move('x', t)"
    run = run_solver(play(body), sat, keep=tmp_path)
    assert run.status == "ERROR"
    assert str(target) in run.reason
    assert "repaired" not in run.reason


def test_files_that_a_caller_guards(play, sat, tmp_path, unconfined):
    mine = tmp_path / "mine"
    mine.write_text("mine")
    run = run_solver(
        play(f"open({str(mine)!r}, 'a').write('x')"), sat, keep=tmp_path, guarded=[Guarded.with_content(mine, b"mine")]
    )
    assert (run.status, mine.read_text()) == ("ERROR", "mine")


# -- outputs ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["os.unlink(p); os.symlink({0!r}, p)", "os.unlink(p); os.mkfifo(p)", "os.unlink(p)"])
@pytest.mark.parametrize("output", ["proof", "model"])
def test_something_else_in_place_of_an_output(play, sat, tmp_path, unconfined, output, how):
    fields = {"arguments": ("{options}", "{cnf}", "{proof}"), "proof_arguments": ("{proof}",), "proof_format": "text"}
    if output == "model":
        fields = {"arguments": ("{options}", "{cnf}", "{model}"), "model_from": "file"}
    body = f"p = sys.argv[2]; {how.format(str(sat))}"
    run = run_solver(play(body, **fields), sat, proof=tmp_path / "proof" if output == "proof" else None, keep=tmp_path)
    assert run.status == "ERROR"
    assert output in run.reason
    assert sat.read_text() == SAT


def test_outputs_that_were_removed(play, sat, tmp_path, unconfined):
    run = run_solver(play("shutil.rmtree(os.path.dirname(os.getcwd()))"), sat, keep=tmp_path)
    assert run.status == "ERROR"
    assert "removed" in run.reason


def test_a_scratch_folder_that_is_hard_to_remove(play, sat, tmp_path, either, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    body = "for _ in range(1100): os.mkdir('d'); os.chdir('d')"
    assert run_solver(play(body), sat, keep=tmp_path).status == "UNSATISFIABLE"
    assert not list(tmp_path.glob("cnfgen-run-*"))


def test_a_proof_that_nobody_wrote_is_not_there(play, sat, tmp_path, either):
    fields = {"arguments": ("{options}", "{cnf}", "{proof}"), "proof_arguments": ("{proof}",), "proof_format": "text"}
    run_solver(play("pass", **fields), sat, proof=tmp_path / "proof", keep=tmp_path)
    assert not (tmp_path / "proof").exists()
    run_solver(play("open(sys.argv[2], 'w')", **fields), sat, proof=tmp_path / "proof", keep=tmp_path)
    assert (tmp_path / "proof").exists()


def test_the_proof_goes_nowhere_else(sat, tmp_path, either):
    link = tmp_path / "same.cnf"
    link.hardlink_to(sat)
    for proof in (sat, link, Path(find_solver("kissat").locate())):
        size = proof.stat().st_size
        with pytest.raises(InputError, match="as the file for the proof"):
            run_solver(find_solver("kissat"), sat, proof=proof)
        assert proof.stat().st_size == size
    with pytest.raises(InputError, match="cannot be written"):
        run_solver(find_solver("kissat"), sat, proof=tmp_path / "nowhere" / "proof")


def test_a_word_of_the_user_does_not_make_the_input_an_output(sat, tmp_path, either):
    """minisat writes its model to the second file of its command line, which was our input here."""
    other = tmp_path / "other.cnf"
    other.write_text(UNSAT)
    run = run_solver(find_solver("minisat"), sat, options=[str(other)], keep=tmp_path)
    assert (run.status, sat.read_text()) == ("ERROR", SAT)


# -- signals ------------------------------------------------------------------------------------------------------------------


@needs_scopes
def test_signals_to_others_are_refused(play, sat, tmp_path):
    with subprocess.Popen(["sleep", "60"]) as other:
        body = "\n".join(
            (
                f"for other in ({other.pid}, os.getppid(), {os.getpid()}):",
                "    try: os.kill(other, 19); print('c done wrong')",
                "    except PermissionError: pass",
            )
        )
        run = run_solver(play(body), sat, keep=tmp_path)
        assert "wrong" not in run.excerpt
        assert "c done" in run.excerpt
        other.kill()


PARENTS = """
def parent(pid): return int(open(f'/proc/{pid}/stat').read().rsplit(')')[-1].split()[1])
chain = [os.getppid(), parent(os.getppid())]
"""


@pytest.mark.parametrize("who", ["chain[:1]", "chain[1:2]", "chain[:2]"])
def test_a_stopped_supervisor_or_launcher_still_limits(play, sat, tmp_path, unconfined, who):
    body = f"{PARENTS}for p in {who}: os.kill(p, 19)\ntime.sleep(60)"
    run = run_solver(play(body), sat, limits=Limits(wall=1.5), keep=tmp_path)
    assert (run.status, run.reason) == ("TIMEOUT", "wall time limit")
    assert run_solver(find_solver("minisat"), sat).status == "SATISFIABLE"


def test_a_supervisor_that_is_stopped_again_and_again(play, sat, tmp_path, unconfined):
    run = run_solver(play("while True: os.kill(os.getppid(), 19); time.sleep(0.01)"), sat, limits=Limits(wall=30), keep=tmp_path)
    assert run.status == "ERROR"
    assert "supervisor" in run.reason


def test_a_supervisor_that_is_killed(play, sat, tmp_path, unconfined):
    run = run_solver(play("os.kill(os.getppid(), 9); time.sleep(60)"), sat, keep=tmp_path)
    assert (run.status, run.measurement.ended) == ("ERROR", process.SUPERVISOR_LOST)


# -- the real ones ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT)
def test_real_solvers_run_confined(name, tmp_path, either, monkeypatch):
    """From any folder, on plain and packed files, with a proof in another folder by a relative path."""
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


def test_a_kernel_that_forbids_to_ask_is_one_without(monkeypatch):
    def forbid(*_):
        raise OSError(38, "no such system call")

    landlock.abi.cache_clear()
    monkeypatch.setattr(landlock, "system_call", forbid)
    assert landlock.abi() == 0
    assert not confinement.is_enforced()
    monkeypatch.undo()
    landlock.abi.cache_clear()
