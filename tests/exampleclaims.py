"""Claims of every kind for tests of `studies.reproduce`; a module, so that worker processes can import the measurements."""

import os
import signal
import time
from functools import partial

from cnfgen_puzzles.common.errors import InputError
from studies.claims import Claim, Measured


def give(value, place):
    return Measured(value, "given")


def differ(place):
    return Measured("5", "counted", "one was forgotten")


def undecided(place):
    return Measured(None, "", "a limit was met")


def fail(place):
    raise InputError("found nothing", source="here")


def stumble(place):
    return 1 // 0


def die(place):
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(place):
    time.sleep(300)


def count_up(place):
    """The number of measurements."""
    place.folder.mkdir(parents=True, exist_ok=True)
    (place.folder / f"{len(list(place.folder.iterdir()))}").touch()
    return Measured(str(len(list(place.folder.iterdir()))), "")


def claim(key, measure, claimed="4", *, full=False):
    return Claim(key, "an article", f"the number of {key}", claimed, measure, seconds=7200, full=full)


FOUR = claim("sums/four", partial(give, "4"))
FIVE = claim("sums/five", differ)
OPEN = claim("sums/open", undecided)
FAILS = claim("faults/fails", fail)
STUMBLES = claim("faults/stumbles", stumble)
DIES = claim("faults/dies", die)
SLEEPS = claim("long/sleeps", sleep, full=True)
AGAIN = claim("long/again", count_up, "1", full=True)
QUICK = claim("quick/again", count_up, "1")
