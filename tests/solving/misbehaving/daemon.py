"""Leave a grandchild in a new session, which keeps stdout open and sleeps, and exit with 0."""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
print("done", flush=True)
