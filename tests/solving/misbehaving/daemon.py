"""Leave a grandchild in a session of its own, which keeps stdout open and sleeps, and end well."""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
print("done", flush=True)
