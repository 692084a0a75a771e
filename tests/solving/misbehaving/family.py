"""A main process with a child, a grandchild in a new session, and an orphan, all sleeping; prints a line after their start."""

import os
import sys
import time


def sleep() -> None:
    time.sleep(60)
    os._exit(0)


ready, is_ready = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid()
        os.write(is_ready, b"x")
        sleep()
    os.write(is_ready, b"x")
    sleep()
if os.fork() == 0:
    if os.fork() == 0:
        os.write(is_ready, b"x")
        sleep()
    os._exit(0)
for _ in range(3):
    os.read(ready, 1)
print("ready", flush=True)
sys.stdout.close()
sleep()
