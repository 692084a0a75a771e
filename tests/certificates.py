"""For tests of certificates: verify.sh with the checkers that were built, and folders damaged with and without new checksums."""

import hashlib
import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

from cnfgen_puzzles.evidence.certificate.manifest import Entry, Manifest
from cnfgen_puzzles.evidence.certificate.opened import sums_of
from cnfgen_puzzles.evidence.certificate.readme import readme_text
from cnfgen_puzzles.evidence.certificate.script import script_text
from cnfgen_puzzles.evidence.certificate.statements import STATEMENTS
from cnfgen_puzzles.solving.table import find_solver

FRAME = ("certificate.json", "README.md", "verify.sh")
CHECKERS = ("drat-trim", "lrat-check")
BUILT = all(find_solver(name).available() for name in CHECKERS)


def run_script(folder, **programs):
    """What `sh verify.sh` says: exit code and all that it prints. Programs by the variables that name them; None: not there."""
    named = {
        name.upper().replace("-", "_"): str(find_solver(name).locate()) for name in CHECKERS if find_solver(name).available()
    }
    named |= {name: str(path) if path else "/nowhere" for name, path in programs.items()}
    done = subprocess.run(
        ["sh", str(folder / "verify.sh")], env={**os.environ, **named}, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


def manifest_of(folder):
    """The manifest as it stands, whatever else is wrong."""
    return Manifest.from_text((folder / "certificate.json").read_bytes(), "certificate.json")


def reseal(folder, change=lambda manifest: manifest, *, words=False):
    """New checksums for all files that there are, and a changed manifest; with `words` a README and a script that fit it, too."""
    manifest = manifest_of(folder)
    files = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and name not in (*FRAME, "SHA256SUMS"):
            data = path.read_bytes()
            role = manifest.files[name].role if name in manifest.files else "new"
            files[name] = Entry(role, len(data), hashlib.sha256(data).hexdigest())
    manifest = change(replace(manifest, files=files))
    (folder / "certificate.json").write_text(manifest.to_text())
    if words:
        statement = STATEMENTS[manifest.statement]
        (folder / "README.md").write_text(readme_text(manifest, statement.says))
        (folder / "verify.sh").write_text(script_text(manifest, statement.says, statement.checks(manifest)))
    new_sums(folder)


def new_sums(folder):
    """SHA256SUMS for what there is; the manifest stays."""
    frame = {name: (folder / name).read_bytes() for name in FRAME}
    entries = json.loads(frame["certificate.json"])["files"]
    files = {name: Entry(told["role"], told["bytes"], told["sha256"]) for name, told in entries.items()}
    (folder / "SHA256SUMS").write_bytes(sums_of(Manifest("", "", files=files), frame))


def edit(path: Path, old, new, count=1):
    """Put `new` for `old` in a file, which has it."""
    data = path.read_bytes()
    old, new = (text if isinstance(text, bytes) else text.encode() for text in (old, new))
    assert old in data
    path.write_bytes(data.replace(old, new, count))
