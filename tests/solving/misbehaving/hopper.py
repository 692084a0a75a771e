"""COUNT processes that fork and end, over and over, each time in a new session: whoever looks at one finds it gone.

The main process sleeps meanwhile. They give up after a minute, in case nobody catches them.
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
