"""Coverage-guided fuzzing of all readers, one after another: `make fuzz SECONDS=60`.

    PYTHONPATH=.:tests python -m fuzz [--seconds N] [--until HH:MM] [--folder FOLDER] [TARGET ...]

Each target runs in a separate process for N seconds, with `--until` in rounds. FOLDER/log.jsonl has a line for each turn
(executions, coverage, CPU seconds), FOLDER/crashes the inputs that violate the contract, FOLDER/corpus the inputs that cover more
than the seeds; the table at the end sums up the log. The exit code is 1 if there are crashes. `one.py` fuzzes one target.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

from fuzz.targets import TARGETS

LONGEST = 8192
"""The largest input in bytes."""
MEMORY = 2048
"""The memory limit of libFuzzer for a process in MiB, in addition to the limit of `target.py`."""
STATUS = re.compile(r"^#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)", re.MULTILINE)


def turn(name: str, folder: Path, seconds: int) -> dict[str, Any]:
    """Fuzz one target for this number of seconds; returns a line of the log."""
    before = os.times()
    began = time.monotonic()
    log = folder / "logs" / f"{name}.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    limits = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        f"-rss_limit_mb={MEMORY}",
        "-timeout=120",
        "-print_final_stats=1",
    ]
    with log.open("wb") as stream:
        command = [sys.executable, "-m", "fuzz.one", name, str(folder), *limits, f"-seed={int(time.time())}"]
        code = subprocess.run(command, stdout=stream, stderr=subprocess.STDOUT, check=False).returncode
    after = os.times()
    said = STATUS.findall(log.read_text(errors="replace"))
    executions, coverage, features, corpus = map(int, said[-1]) if said else (0, 0, 0, 0)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    found = {"executions": executions, "coverage": coverage, "features": features, "corpus": corpus}
    used = {"cpu": round(cpu, 1), "wall": round(time.monotonic() - began, 1), "exit_code": code}
    return {"target": name, "at": datetime.now().isoformat(timespec="seconds"), **found, **used}


def campaign(names: list[str], folder: Path, seconds: int, until: str | None) -> None:
    """Fuzz one target after another; each line of the log is written at the end of its turn."""
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        for name in names:
            if until and datetime.now().strftime("%H:%M") >= until:
                return
            done = turn(name, folder, seconds)
            with (folder / "log.jsonl").open("a") as log:
                log.write(json.dumps(done) + "\n")
            print(f"{name}: {done['executions']} executions, coverage {done['coverage']}, {done['cpu']} s", flush=True)
        if not until:
            return


def table(folder: Path) -> str:
    """The sums of the log, and the crashes, by target."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0])
    for line in (folder / "log.jsonl").read_text().splitlines():
        done = json.loads(line)
        found = sums[done["target"]]
        found[0] += done["executions"]
        found[1] = max(found[1], done["coverage"])
        found[2] += done["cpu"]
    rows = [f"{'target':20} {'executions':>10} {'coverage':>8} {'CPU s':>7} {'findings':>8}"]
    rows += [f"{n:20} {e:10.0f} {c:8.0f} {cpu:7.0f} {len(crashes(folder, n)):8}" for n, (e, c, cpu) in sums.items()]
    total = [sum(column) for column in zip(*sums.values(), strict=True)]
    return "\n".join([*rows, f"{'all':20} {total[0]:10.0f} {'':8} {total[2]:7.0f} {len(crashes(folder)):8}"])


def crashes(folder: Path, name: str = "") -> list[Path]:
    return [path for path in (folder / "crashes").glob(f"{name}-[A-Zctos]*" if name else "*") if path.suffix != ".txt"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = [target.name for target in TARGETS]
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"by default all: {', '.join(known)}")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--until", metavar="HH:MM", help="round after round until this time")
    parser.add_argument("--folder", type=Path, default=Path("results/fuzz"))
    given = parser.parse_args()
    if strange := set(given.targets) - set(known):
        parser.error(f"found {', '.join(sorted(strange))}, expected some of {', '.join(known)}")
    folder = given.folder.absolute()
    campaign(given.targets or known, folder, given.seconds, given.until)
    print(table(folder))
    return 1 if crashes(folder) else 0


if __name__ == "__main__":
    sys.exit(main())
