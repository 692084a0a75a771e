"""Programs that imitate solvers: each is a few lines that do one thing that no solver should do.

They are called as `PROGRAM CNF [PROOF]`. Only a limit on elapsed time or memory ends some of them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import yaml

from cnfgen_puzzles.solving.recipeschema import DECLARATION

HEAD = """
import os, random, signal, subprocess, sys, time
cnf, proof = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
honest, dice = {honest!r}, random.Random({seed})
def unsat(text="0\\n"):
    if proof:
        open(proof, "w").write(text)
    print("s UNSATISFIABLE", flush=True)
    os._exit(20)
def variables():
    return next(int(line.split()[2]) for line in open(cnf) if line.startswith("p cnf"))
def model(literals):
    print("s SATISFIABLE\\nv " + " ".join(map(str, literals)) + " 0", flush=True)
    os._exit(10)
def instead(make):
    if proof:
        if os.path.lexists(proof):
            os.unlink(proof)
        make(proof)
    print("s UNSATISFIABLE", flush=True)
    os._exit(20)
def truth(*more):
    return subprocess.run([honest, "-q", cnf, *more], stdout=subprocess.PIPE)
"""


LIARS: Mapping[str, str] = {
    # the code of each program after HEAD
    "false-unsat": "unsat()",
    "false-unsat-without-proof": "print('s UNSATISFIABLE', flush=True); os._exit(20)",
    "empty-proof": "unsat('')",
    "rubbish-proof": "unsat(''.join(chr(dice.randrange(32, 127)) for _ in range(300)))",
    "proof-that-deletes": "unsat(''.join('d ' + l for l in open(cnf) if l[0] not in 'cp') + '0\\n')",
    "proof-of-another": (
        "other = os.path.join(os.path.dirname(proof or cnf), 'other')\n"
        "open(other, 'w').write('p cnf 2 4\\n1 2 0\\n-1 2 0\\n1 -2 0\\n-1 -2 0\\n')\n"
        "subprocess.run([honest, '-q', '--no-binary', other, other + '.drat'], stdout=subprocess.DEVNULL)\n"
        "unsat(open(other + '.drat').read())"
    ),
    "proof-is-a-fifo": "instead(os.mkfifo)",
    "proof-is-endless": "instead(lambda name: os.symlink('/dev/zero', name))",
    "false-model": "model(dice.choice((-1, 1)) * v for v in range(1, variables() + 1))",
    "all-true": "model(range(1, variables() + 1))",
    "model-of-another": "n = variables(); model(range(n + 1, 2 * n + 1))",
    "short-model": "print('s SATISFIABLE\\nv 1 -2', flush=True); os._exit(10)",
    "no-model": "print('s SATISFIABLE', flush=True); os._exit(10)",
    "inverter": "unsat() if truth().returncode == 10 else model(range(1, variables() + 1))",
    "half-an-answer": ("out = truth().stdout; sys.stdout.buffer.write(out[:len(out) // 2]); sys.stdout.flush(); os._exit(10)"),
    "contradicts-its-code": "print('s SATISFIABLE'); unsat()",
    "unsat-with-code-10": "print('s UNSATISFIABLE', flush=True); os._exit(10)",
    "says-nothing": "os._exit(20)",
    "rubbish": "sys.stdout.buffer.write(dice.randbytes(5000)); sys.stdout.flush(); os._exit(dice.choice((0, 10, 20, 99)))",
    "crash": "os.kill(os.getpid(), dice.choice((signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL)))",
    "escapes": "print('c \\x1b[2J\\x1b]0;owned\\x07\\x1b[31m\\rs SATISFIABLE\\ns \\x1b[1mUNSATISFIABLE'); unsat()",
    "rewrites-its-input": "os.chmod(cnf, 0o644); open(cnf, 'w').write('p cnf 1 2\\n1 0\\n-1 0\\n'); unsat('0\\n')",
    "replaces-its-input": "open(cnf + '.x', 'w').write('p cnf 1 2\\n1 0\\n-1 0\\n'); os.replace(cnf + '.x', cnf); unsat()",
    "weakens-its-input": "n = variables(); open(cnf, 'w').write(f'p cnf {n} 0\\n'); model(range(1, n + 1))",
    "removes-its-input": "os.unlink(cnf); unsat()",
    "writes-elsewhere": (
        "for top, _, names in os.walk(os.getcwd()):\n"
        "    for name in names:\n"
        "        try: open(os.path.join(top, name), 'w').write('mine')\n"
        "        except OSError: pass\n"
        "unsat()"
    ),
    "flood": "while True: os.write(1, b'v 1 -2 3\\n' * 30000); time.sleep(0.02)",
    "flood-of-complaints": "for _ in range(80): os.write(2, b'\\x1b[31mno\\n' * 30000)\nunsat()",
    "many-lines": "os.write(1, b'c x\\n' * 500000); model(range(1, variables() + 1))",
    "memory-hog": "held = []\nwhile True: held.append(b'x' * (1 << 23)); time.sleep(0.002)",
    "hangs": "time.sleep(3600)",
    "hangs-deaf": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]\nwhile True: pass",
    "daemon": "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(3600)\n    os._exit(0)\nunsat()",
    "stops-its-parent": "os.kill(os.getppid(), signal.SIGSTOP); time.sleep(3600)",
    "kills-its-parent": "os.kill(os.getppid(), signal.SIGKILL); time.sleep(30)",
    "stops-itself": "os.kill(os.getpid(), signal.SIGSTOP); unsat()",
}


def write_liar(name: str, folder: Path, honest: Path, seed: int) -> Path:
    """The program as an executable file."""
    path = folder / name
    head = HEAD.format(honest=str(honest), seed=seed)
    path.write_text(f"#!{sys.executable} -ISB\n{head}{LIARS[name]}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def write_slow(folder: Path, honest: Path, seconds: float) -> Path:
    """An honest solver that waits first, so that a fault can strike it."""
    path = folder / "slow"
    path.write_text(f'#!/bin/sh\nsleep {seconds:.2f}\nexec "{honest}" -q "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def solver_table(programs: Mapping[str, Path], honest: Path) -> str:
    """The user's solver file with these programs, which are declared to write proofs and to read Python and `honest`."""
    call = {"arguments": ["{options}", "{cnf}", "{proof}"], "proof": {"arguments": ["{proof}"], "format": "text"}}
    needed = {str(path) for path in (honest, honest.resolve(), sys.prefix, sys.base_prefix)}
    more = {"reads": sorted(needed)} if "reads" in DECLARATION else {}
    return yaml.safe_dump({"solvers": {name: {"executable": str(path), "call": call, **more} for name, path in programs.items()}})
