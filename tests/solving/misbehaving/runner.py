"""A caller of run_process that can be killed: runs the command in its arguments, with output in `out` and `err` here.

Unlike the other programs, it uses the package. With --fork, it forks during the run, after the program has written something; the
child inherits all open descriptors, and sleeps.
"""

import os
import sys
import threading
import time
from pathlib import Path

from cnfgen_puzzles.solving.process import run_process

OUTPUT = Path("out")


def fork_in_the_middle() -> None:
    while not (OUTPUT.exists() and OUTPUT.read_text()):
        time.sleep(0.01)
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)


command = sys.argv[1:]
if command[0] == "--fork":
    del command[0]
    threading.Thread(target=fork_in_the_middle).start()
print(run_process(command, stdout=OUTPUT, stderr=Path("err")).ended, flush=True)
