"""Ignore every signal that can be ignored, and compute."""

import signal
import time

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
end = time.monotonic() + 60
while time.monotonic() < end:
    pass
