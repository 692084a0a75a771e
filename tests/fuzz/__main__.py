"""Coverage-guided fuzzing of all readers, one after another: `make fuzz SECONDS=60`.

    PYTHONPATH=.:tests python -m fuzz [--seconds N] [--folder FOLDER] [TARGET ...]

Each target runs in a separate process for N seconds; a line shows its executions, coverage, and CPU seconds. FOLDER/logs has
the output of the fuzzer, FOLDER/crashes the inputs that violate the contract, FOLDER/corpus those that cover more than the seeds.
The exit code is 1 if there are crashes. `one.py` fuzzes one target.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from fuzz.targets import TARGETS

LONGEST = 8192
"""The largest input in bytes."""
MEMORY = 2048
"""The memory limit of libFuzzer for a process in MiB, in addition to the limit of `target.py`."""
STATUS = re.compile(r"^#(\d+)\s+\w+\s+cov: (\d+)", re.MULTILINE)


def turn(name: str, folder: Path, seconds: int) -> str:
    """Fuzz one target for this number of seconds; returns a line about it."""
    before = os.times()
    log = folder / "logs" / f"{name}.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-rss_limit_mb={MEMORY}", "-timeout=120"]
    with log.open("wb") as stream:
        command = [sys.executable, "-m", "fuzz.one", name, str(folder), *limits, f"-seed={int(time.time())}"]
        code = subprocess.run(command, stdout=stream, stderr=subprocess.STDOUT, check=False).returncode
    after = os.times()
    executions, coverage = (STATUS.findall(log.read_text(errors="replace")) or [("0", "0")])[-1]
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return f"{name}: {executions} executions, coverage {coverage}, {cpu:.1f} s" + (f", exit code {code}" if code else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = [target.name for target in TARGETS]
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"by default all: {', '.join(known)}")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--folder", type=Path, default=Path("results/fuzz"))
    given = parser.parse_args()
    if strange := set(given.targets) - set(known):
        parser.error(f"found {', '.join(sorted(strange))}, expected some of {', '.join(known)}")
    folder = given.folder.absolute()
    for name in given.targets or known:
        print(turn(name, folder, given.seconds), flush=True)
    crashes = [path for path in (folder / "crashes").glob("*") if path.suffix != ".txt"]
    print("\n".join(["crashes:", *map(str, crashes)] if crashes else ["no crashes"]))
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
