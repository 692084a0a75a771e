"""Records what the commands print and write, and compares two recordings.

    python tests/golden/golden.py record before          # a file for each case of cases.txt, in the folder `before`
    python tests/golden/golden.py record after --only 'count*'
    python tests/golden/golden.py compare before after   # exits with 1 if a case differs

A case is a line of shell that runs in a new folder, in which `i` is a copy of `instances/` and `g` is this folder. Its recording
holds the exit code, standard output and error, and the SHA-256 of every file it wrote. Measured times, memory, dates, versions,
process numbers, and paths are masked; everything else must be equal. The commands are those of this interpreter's environment.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import fnmatch
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
SECONDS = 120

MASKS = [
    (r"\x1b\[[0-9;]*m", "<sgr>"),
    (r"\d+\.\d+ (s|ms|MiB|GiB|kB|MB|KiB)\b", r"<n> \1"),
    (r"\b\d+ (MiB|KiB|ms)\b", r"<n> \1"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(\+00:00|Z)?", "<date>"),
    (r"\b\d\d:\d\d:\d\d\b", "<time>"),
    (r"tmp\.\w{10}|cnfgen-\w+-\w{8}\b", "<temporary>"),
    (r"\b(in|after|within) \d+(\.\d+)? (s|seconds?)\b", r"\1 <n> \3"),
]
MEASURED = re.compile(
    r"cpu|wall|seconds|memory|rss|time|started|date|host|machine|pid|version|binary|program|path|sha256|limits_"
    r"|conflicts|decisions|propagations|restarts|kernel|load|python|finished|launch|overhead|samples|mask"
)
"""Keys of JSON whose numbers and texts depend on the run or the machine."""
KEPT = {"cnf_sha256", "time_limit"}
PRETTY = re.compile(r'^( *"(\w+)": )(-?[\d.e+-]+|".*")(,?)$')
"""A line of indented JSON."""
UNSUMMED = {"SHA256SUMS", "manifest.txt", "runs.jsonl"}
"""Files that hold times in other forms."""


def masked_json(value: object, key: str = "") -> object:
    if isinstance(value, dict):
        return {name: masked_json(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [masked_json(each, key) for each in value]
    if isinstance(value, int | float | str) and not isinstance(value, bool) and MEASURED.search(key.lower()) and key not in KEPT:
        return "<measured>"
    return value


def masked(text: str, folder: str) -> str:
    text = text.replace(folder, "<folder>").replace(str(REPOSITORY), "<repository>").replace(str(Path(sys.prefix)), "<prefix>")
    lines = []
    for line in text.split("\n"):
        if line.startswith(("{", "[")) and len(line) > 2:
            with contextlib.suppress(ValueError):
                line = json.dumps(masked_json(json.loads(line)))
        if (pretty := PRETTY.match(line)) and MEASURED.search(pretty[2]) and pretty[2] not in KEPT:
            line = f"{pretty[1]}<measured>{pretty[4]}"
        for pattern, replacement in MASKS:
            line = re.sub(pattern, replacement, line)
        lines.append(line)
    return "\n".join(lines)


def file_sum(path: Path, folder: str) -> str:
    """SHA-256 of the contents; of text, with measured numbers masked."""
    if path.is_symlink():
        return f"link to {os.readlink(path)}"
    if path.name in UNSUMMED or path.suffix == ".lock":
        return "not compared"
    data = path.read_bytes()
    if path.suffix in (".json", ".jsonl", ".md", ".html", ".csv", ".txt", ".err"):
        text = data.decode("utf-8", "replace")
        try:
            text = json.dumps(masked_json(json.loads(text)))
        except ValueError:
            text = masked(text, folder)
        data = masked(text, folder).encode()
    return hashlib.sha256(data).hexdigest()[:20]


def record_case(name: str, command: str, instances: Path) -> str:
    """The results of the command, as text."""
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        work = Path(folder) / "w"
        work.mkdir()
        shutil.copytree(instances, work / "i")
        (work / "g").symlink_to(HERE)
        home = Path(folder) / "home"
        home.mkdir()
        environment = {
            "PATH": f"{Path(sys.executable).parent}:{REPOSITORY}/solvers/bin:/usr/bin:/bin", "HOME": str(home), "COLUMNS": "120",
            "LC_ALL": "C.UTF-8", "TMPDIR": folder, "PYTHONHASHSEED": "0",
        }  # fmt: skip
        environment |= {key: os.environ[key] for key in ("CNFGEN_SOLVERS_FOLDER", "PYTHONPATH") if key in os.environ}
        try:
            done = subprocess.run(
                ["bash", "-c", command], cwd=work, env=environment, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL
            )
            code, out, err = str(done.returncode), done.stdout, done.stderr
        except subprocess.TimeoutExpired as error:
            code, out, err = "timeout", error.stdout or b"", error.stderr or b""
        shutil.rmtree(work / "i")
        lines = [f"# {name}", f"$ {command}", f"exit {code}", "--- stdout", masked(out.decode("utf-8", "replace"), folder)]
        lines += ["--- stderr", masked(err.decode("utf-8", "replace"), folder), "--- files"]
        for path in sorted(work.rglob("*")):
            if (path.is_file() or path.is_symlink()) and path.name != "g" and "g" not in path.relative_to(work).parts[:1]:
                lines.append(f"{path.relative_to(work)} {file_sum(path, folder)}")
        return "\n".join(lines) + "\n"


def record(to: Path, only: str, jobs: int) -> int:
    lines = [line for line in (HERE / "cases.txt").read_text().splitlines() if line and not line.startswith("#")]
    cases = dict(line.split(": ", 1) for line in lines)
    chosen = {name: command for name, command in cases.items() if any(fnmatch.fnmatch(name, each) for each in only.split(","))}
    to.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        instances = REPOSITORY / "instances"
        for name, text in zip(chosen, pool.map(lambda item: record_case(*item, instances), chosen.items()), strict=True):
            (to / f"{name}.txt").write_text(text)
    print(f"{len(chosen)} cases recorded in {to}")
    return 0


def compare(before: Path, after: Path) -> int:
    names = sorted(path.name for path in after.glob("*.txt"))
    differing = 0
    for name in names:
        texts = [(folder / name).read_text().split("\n") if (folder / name).exists() else [] for folder in (before, after)]
        if not all(texts):
            print(f"not in {before}: {name}")
        elif texts[0] != texts[1]:
            differing += 1
            print("\n".join(difflib.unified_diff(*texts, f"before/{name}", f"after/{name}", lineterm="", n=1)))
    print(f"{len(names)} cases, {differing} differ")
    return 1 if differing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run the cases and write a file for each")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--only", default="*", help="names of cases, such as 'count*,solve*'")
    recording.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    comparing = commands.add_parser("compare", help="show the cases of `after` that differ from `before`")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    given = parser.parse_args()
    return record(given.folder, given.only, given.jobs) if given.command == "record" else compare(given.before, given.after)


if __name__ == "__main__":
    sys.exit(main())
