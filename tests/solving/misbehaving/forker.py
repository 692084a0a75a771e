"""Fork up to COUNT sleeping children at full speed, then sleep. All ignore SIGTERM."""

import os
import signal
import sys
import time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for number in range(int(sys.argv[1])):
    if os.fork() == 0:
        if number % 2:
            os.setsid()
        break
time.sleep(60)
