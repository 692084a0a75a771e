"""Commands that start warm: some thousand calls of commands spend most of their time on importing modules.

A server imports the modules of all commands once and forks for every call. `Warm.folder` has a program for each command, which
sends its arguments, folder, environment and standard streams to the server and ends with the exit code of the command, so it
works in pipes and shell scripts like the real one. It is not suitable for tests of signals, limits, or the start itself: these
start `SCRIPTS`, the installed commands.

The server is this file, started as `python warmstart.py SOCKET`; a program is PROGRAM.
"""

import marshal
import os
import signal
import socket
import sys
from contextlib import suppress
from select import select

NAMES = (
    "gen-cnf", "run-cnf", "decode-cnf", "solve-puzzle", "convert-puzzle", "bench-cnf", "cnf-solvers", "verify-certificate",
    "count-cnf", "explain-puzzle", "make-puzzle",
)  # fmt: skip
LOADED = """
cli.gen_cnf cli.run_cnf cli.decode_cnf cli.solve_puzzle cli.convert_puzzle cli.cnf_solvers cli.explain_puzzle
cli.make_puzzle cli.count_cnf cli.verify_certificate cli.solve.allboards pipeline.count pipeline.mus
families.nonogram.explaining bench.runsuite bench.analyse.results bench.show.report
"""
NUMBER = 8
"""The number of bytes of a length or an exit code, lowest byte first."""

PROGRAM = f"""\
#!{sys.executable} -IS
# Only what Python has loaded anyway, and sockets: 15 ms, where the modules that everybody uses take 35.
import _signal, _socket, marshal, posix, sys

words = [{os.path.dirname(sys.executable) + "/"!r} + sys.argv[0].rpartition("/")[2], *sys.argv[1:]]
data = marshal.dumps((words, posix.getcwdb(), dict(posix.environ)))
connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
connection.connect(PLACE)
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
length = len(data).to_bytes({NUMBER}, "little")
connection.sendmsg([length], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
connection.sendall(data)
posix.close(0), posix.close(1)  # a pipe ends when the command ends, not when this program does
answer = connection.recv({NUMBER})
code = int.from_bytes(answer, "little", signed=True) if answer else -_signal.SIGKILL
if code < 0:  # it ends as the command did
    _signal.signal(-code, _signal.SIG_DFL)
    posix.kill(posix.getpid(), -code)
posix._exit(code)
"""


# -- the server --------------------------------------------------------------------------------------------------------------


def serve(path):
    """Fork for every call, until standard input ends; returns in the child with the function to call."""
    import gc

    load()
    gc.collect()
    gc.freeze()  # else the collector writes into all that the children share
    running = {}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        print("ready", flush=True)
        while sys.stdin not in (ready := select([listener, sys.stdin, *running], [], [])[0]):
            for each in ready:
                if each is not listener:
                    tell(each, *running.pop(each))
                    continue
                connection, _ = listener.accept()
                child = os.fork()
                if not child:
                    for watched, (_, other) in running.items():
                        os.close(watched), other.close()
                    return become(connection)
                running[os.pidfd_open(child)] = child, connection
    return None


def load():
    """The modules of all commands and families; nothing that starts threads."""
    from importlib import import_module

    for module in LOADED.split():
        import_module(f"cnfgen_puzzles.{module}")
    import click

    from cnfgen_puzzles.cli.bench_cnf import COMMAND, COMMANDS
    from cnfgen_puzzles.families import find_family

    for name in COMMANDS:
        COMMAND.get_command(click.Context(COMMAND), name)

    for name in ("nonogram", "tiling", "maze", "triddler"):
        family = find_family(name)
        _ = family.views, family.generators, family.refinement


def tell(watched, child, connection):
    """Send the exit code of the command in the child to the program."""
    os.close(watched)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with connection, suppress(OSError):  # who asked may be gone
        connection.sendall(code.to_bytes(NUMBER, "little", signed=True))


def become(connection):
    """Take over the streams, arguments, folder and environment of the program; returns the name of the function to call."""
    with connection:
        length, streams, *_ = socket.recv_fds(connection, NUMBER, 3)
        data = b""
        while len(data) < int.from_bytes(length, "little"):
            data += connection.recv(1 << 16)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.argv, folder, environment = marshal.loads(data)
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(environment)
    sys.path[1:1] = [os.path.abspath(place) for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    return os.path.basename(sys.argv[0]).replace("-", "_")


# -- for tests ---------------------------------------------------------------------------------------------------------------


class Warm:
    """A running server, and a folder with a program for each command."""

    def __init__(self, folder):
        import subprocess

        self.folder = folder
        path = str(folder / "socket")
        self.server = subprocess.Popen(
            [sys.executable, __file__, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        for name in NAMES:
            program = folder / name
            program.write_text(PROGRAM.replace("PLACE", repr(path)))
            program.chmod(0o755)
        assert self.server.stdout.readline() == b"ready\n"

    def close(self):
        """End the server; the processes that it started have ended before."""
        self.server.stdin.close()
        self.server.wait(10)
        self.server.stdout.close()


if __name__ == "__main__":
    if command := serve(sys.argv[1]):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as at the start of Python
        from cnfgen_puzzles.cli import start

        sys.exit(getattr(start, command)())
