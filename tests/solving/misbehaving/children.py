"""COUNT short children one after another, each using SECONDS of CPU time.

HOW: `waited` for as usual; `orphaned` by a second fork, so that no process here waits for them; `ignored`, with SIGCHLD ignored,
so that the kernel discards each at its end.
"""

import os
import signal
import sys
import time

count, seconds, how = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]


def burn() -> None:
    while time.process_time() < seconds:
        pass


if how == "ignored":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(count):
    done, ended = os.pipe()
    if os.fork() == 0:
        if how != "orphaned" or os.fork() == 0:
            burn()
        os._exit(0)
    os.close(ended)
    if how != "ignored":
        os.wait()
    os.read(done, 1)  # end of file once the last holder of `ended` is gone
    os.close(done)
