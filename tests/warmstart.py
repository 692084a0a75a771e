"""Commands that start warm: most of what a test's command takes is Python loading our modules, and some thousand are started.

A server loads the modules of all commands once and forks for every call. `Warm.folder` has a program of each command's name,
which hands its words, folder, environment and standard streams to the server and ends as the command ends; so it works in pipes
and scripts of a shell as the real one does. It is no use where a signal, a limit or the start itself is what is tested: those
tests start `SCRIPTS`, the installed commands.

The program is this file, started as `python warmstart.py SOCKET NAME WORD ...`; the server `python warmstart.py SOCKET`.
"""

import json
import os
import signal
import socket
import struct
import sys

NAMES = (
    "gen-cnf", "run-cnf", "decode-cnf", "solve-puzzle", "convert-puzzle", "bench-cnf", "cnf-solvers", "verify-certificate",
    "cnf-completion", "count-cnf", "explain-puzzle", "make-puzzle",
)  # fmt: skip
LENGTH = struct.Struct("!Q")


# -- the program of a command ------------------------------------------------------------------------------------------------


def call(path, name, words):
    """Run the command in the server's child; its exit code, or minus the signal that ended it."""
    entry = [os.path.join(os.path.dirname(sys.executable), name), *words], os.getcwd(), dict(os.environ)
    data = json.dumps(entry).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, [LENGTH.pack(len(data))], [0, 1, 2])
        connection.sendall(data)
        os.close(0), os.close(1)  # a pipe ends when the command ends, not when this program does
        answer = connection.recv(LENGTH.size)
    return struct.unpack("!q", answer)[0] if answer else -signal.SIGKILL


def end_like(code):
    """End as the command did."""
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


# -- the server --------------------------------------------------------------------------------------------------------------


def serve(path):
    """Fork for every call, until standard input ends."""
    import gc
    from select import select

    load()
    gc.collect()
    gc.freeze()  # else the collector writes into all that the children share
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who watch
        print("ready", flush=True)
        while sys.stdin not in select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                return watch(connection)
            connection.close()
    return None


def load():
    """The modules of all commands and families; nothing that starts threads."""
    from importlib import import_module

    for module in ("gen_cnf", "run_cnf", "decode_cnf", "solve_puzzle", "convert_puzzle", "cnf_solvers", "shell.completion"):
        import_module(f"cnfgen_puzzles.cli.{module}")
    for module in ("cli.explain_puzzle", "cli.making.command", "cli.count.command", "cli.certificates.verify", "pipeline.count"):
        import_module(f"cnfgen_puzzles.{module}")
    from cnfgen_puzzles.families import find_family

    for name in ("nonogram", "tiling", "maze", "triddler"):
        family = find_family(name)
        _ = family.views, family.generators, family.refinement


def watch(connection):
    """Run the command in a child, and tell how it ended; in the child, what to call."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    length, streams, *_ = socket.recv_fds(connection, LENGTH.size, 3)
    data = b""
    while len(data) < LENGTH.unpack(length)[0]:
        data += connection.recv(1 << 16)
    child = os.fork()
    if child:
        for stream in (0, 1, 2, *streams):
            os.close(stream)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(struct.pack("!q", code))
        os._exit(0)
    connection.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.argv, folder, environment = json.loads(data)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[1:1] = [os.path.abspath(place) for place in environment.get("PYTHONPATH", "").split(os.pathsep) if place]
    return os.path.basename(sys.argv[0]).replace("-", "_")


# -- for tests ---------------------------------------------------------------------------------------------------------------


class Warm:
    """A server that runs, and a folder with a program a command."""

    def __init__(self, folder):
        import subprocess

        self.folder = folder
        path = folder / "socket"
        self.server = subprocess.Popen(
            [sys.executable, __file__, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        for name in NAMES:
            program = folder / name
            program.write_text(f'#!/bin/sh\nexec {sys.executable} -IS {__file__} {path} {name} "$@"\n')
            program.chmod(0o755)
        assert self.server.stdout.readline() == b"ready\n"

    def close(self):
        """The server ends; what it started has ended before."""
        self.server.stdin.close()
        self.server.wait(10)
        self.server.stdout.close()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        end_like(call(sys.argv[1], sys.argv[2], sys.argv[3:]))
    command = serve(sys.argv[1])
    if command:
        from cnfgen_puzzles.cli import start

        sys.exit(getattr(start, command)())
