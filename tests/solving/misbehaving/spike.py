"""Hold SIZE bytes for SECONDS, then free them and run for another REST seconds."""

import mmap
import sys
import time

size, seconds, rest = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
block = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for page in range(0, size, mmap.PAGESIZE):
    block[page] = 1
time.sleep(seconds)
block.close()
time.sleep(rest)
