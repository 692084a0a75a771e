"""Fork children that sleep, as fast as it goes but not more than COUNT, and then sleep too. They ignore SIGTERM."""

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
