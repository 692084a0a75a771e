"""COUNT processes that repeatedly fork and exit, each time in a new session, so that each one is gone when it is examined.

The main process sleeps meanwhile. They end after a minute.
"""

import os
import sys
import time

end = time.monotonic() + 60
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        while time.monotonic() < end:
            if os.fork() != 0:
                os._exit(0)
            os.setsid()
        os._exit(0)
time.sleep(60)
