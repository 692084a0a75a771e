"""COUNT processes that hold SIZE bytes each, for SECONDS after all of them do."""

import os
import sys
import time

count, size, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
ready, is_ready = os.pipe()
enough, is_enough = os.pipe()
for _ in range(count):
    if os.fork() == 0:
        os.close(is_enough)
        held = b"x" * size
        os.write(is_ready, b"x")
        os.read(enough, 1)  # end of file
        os._exit(0)
for _ in range(count):
    os.read(ready, 1)
time.sleep(seconds)
os.close(is_enough)
for _ in range(count):
    os.wait()
