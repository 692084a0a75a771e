"""For tests of certificates: verify.sh with the installed checkers, and damaged folders with and without new checksums."""

import os
import subprocess
from pathlib import Path

from cnfgen_puzzles.evidence.certificate import (
    VERIFY_SH,
    Certificate,
    Damaged,
    ListNumbers,
    formula_readme,
    readme_text,
    seal_folder,
)
from cnfgen_puzzles.evidence.verifying import verify
from cnfgen_puzzles.pipeline.certificates.claims import readme
from cnfgen_puzzles.pipeline.certificates.verification import facts_in
from cnfgen_puzzles.solving.table import find_solver

CHECKERS = ("drat-trim", "lrat-check")
BUILT = all(find_solver(name).available() for name in CHECKERS)


def run_script(folder, *, script=None, shell=("sh",), **programs):
    """The exit code and the output of verify.sh on a folder. `programs` are its variables; None: not installed.

    The script is that of the package, unless `script` is given.
    """
    named = {
        name.upper().replace("-", "_"): str(find_solver(name).locate()) for name in CHECKERS if find_solver(name).available()
    }
    named |= {name: str(path) if path else "/nowhere" for name, path in programs.items()}
    done = subprocess.run(
        [*shell, str(script or VERIFY_SH), str(folder)],
        env={**os.environ, **named}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def refused_by_both(folder, **script):
    """The output of verify.sh for a folder that it refuses, and the error of `verify`, which must agree."""
    code, said = run_script(folder, **script)
    assert code == 1 and "NOT VERIFIED" in said, said
    try:
        verify(folder)
    except Damaged as error:
        return said, str(error)
    raise AssertionError("verify took it")


def certificate_of(folder):
    """certificate.json, even if the certificate is damaged."""
    return Certificate.from_text((folder / "certificate.json").read_bytes(), "certificate.json")


def manifest_of(folder):
    """The statement and the numbers of manifest.txt."""
    words = dict(line.split(" ", 1) for line in (folder / "manifest.txt").read_text().splitlines() if not line.startswith("file"))
    count = ListNumbers(int(words["solutions"]), int(words["orbits"]), words["short"] == "1") if "solutions" in words else None
    return words["statement"], count


def reseal(folder, change=lambda certificate: certificate, *, statement=None, count=None):
    """New checksums for all existing files; optionally another certificate.json, statement, or numbers in manifest.txt."""
    stated, counted = manifest_of(folder)
    certificate = certificate_of(folder)
    (folder / "certificate.json").write_bytes(change(certificate).to_text())
    seal_folder(folder, statement or stated, count or counted)


def shown_in(folder):
    """The number of variables of the projection set, and the formula."""
    return (folder / "projection.txt").read_text().count("\n"), int((folder / "formula.cnf").read_text().split()[2])


def forge(folder, change=lambda certificate: certificate, **manifest):
    """The changed certificate, with the README that this package would write for the new content, if it would write one."""
    reseal(folder, change, **manifest)
    try:
        found = verify(folder, refute=lambda formula, cubes: None)
        facts = facts_in(found) if "family" in found.certificate.details else None
        text = readme(facts) if facts else formula_readme(found.statement, found.count, shown_in(folder))
        (folder / "README.md").write_bytes(readme_text(text))
    except (Damaged, KeyError, AttributeError):
        return  # the package would not write a README for such content
    reseal(folder)


def edit(path: Path, old, new, count=1):
    """Replace `old` by `new` in a file that contains it."""
    data = path.read_bytes()
    old, new = (text if isinstance(text, bytes) else text.encode() for text in (old, new))
    assert old in data
    path.write_bytes(data.replace(old, new, count))
