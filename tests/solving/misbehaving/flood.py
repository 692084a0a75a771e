"""Write to file descriptor NUMBER at full speed, for at most a minute."""

import os
import sys
import time

number = int(sys.argv[1])
block = b"v 1 -2 3 0\n" * 100_000
end = time.monotonic() + 60
while time.monotonic() < end:
    os.write(number, block)
