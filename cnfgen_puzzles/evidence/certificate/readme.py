"""README.md of a certificate: what is claimed, how to check it, the files, the programs. A function of the manifest."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from cnfgen_puzzles.evidence.certificate.manifest import Manifest, Program
from cnfgen_puzzles.evidence.certificate.names import FRAME, SUMS

WIDTH = 120

FRAME_ROLES = {
    "README.md": "this text",
    "SHA256SUMS": "the checksums of all other files, for `sha256sum -c`",
    "certificate.json": "the same for programs: what is stated, files with roles and checksums, the programs that were used",
    "verify.sh": "checks the certificate by public programs",
}


def readme_text(manifest: Manifest, says: str) -> str:
    """The text; `says` is what the statement's checks show."""
    parts = [f"# {manifest.claim}", *_sections(manifest), "## How to check it", _how(says), "## The files", _files(manifest)]
    if manifest.programs:
        parts += [
            "## What was used",
            "\n".join(_program(program) for program in manifest.programs) + "\n" + f"- {manifest.package}",
        ]
    return "\n\n".join([parts[0], *map(wrapped, parts[1:])]) + "\n"


def wrapped(text: str) -> str:
    """The same text in lines of readable width; what is indented stays as it is."""
    return "\n".join(
        line if line.startswith("    ") or not line else textwrap.fill(
            line, WIDTH, subsequent_indent="  " * line.startswith("- "), break_long_words=False, break_on_hyphens=False
        )
        for line in text.split("\n")
    )  # fmt: skip


def _sections(manifest: Manifest) -> Iterator[str]:
    for heading, text in manifest.sections:
        yield f"## {heading}"
        yield text


def _how(says: str) -> str:
    return f"""\
    sh verify.sh

It calls no program of those who made this certificate, only sha256sum, awk, cmp, grep, sed and, where there is a proof, \
drat-trim or lrat-check (from PATH, or as DRAT_TRIM and LRAT_CHECK name them; https://github.com/marijnheule/drat-trim has \
both). Read it before you run it. Where it says VERIFIED in the end, it has shown this:

    {says}.

`verify-certificate FOLDER` of cnfgen-puzzles checks the same and more; with `--encoding` it also makes the formula anew. \
Checksums show accidents. Against somebody who writes the whole folder anew only what the checks themselves show counts, or the \
SHA-256 of the file {SUMS} itself, told to you in another way."""


def _files(manifest: Manifest) -> str:
    roles = {name: entry.role for name, entry in manifest.files.items()} | {name: FRAME_ROLES[name] for name in (*FRAME, SUMS)}
    return "\n".join(f"- `{name}`: {roles[name]}" for name in sorted(roles))


def _program(program: Program) -> str:
    told = [f"- {program.used_as} {program.name}"]
    told += [f"version {program.version}"] if program.version else []
    told += [f"SHA-256 of the program {program.sha256}"] if program.sha256 else []
    told += [f"called as `{program.command}`"] if program.command else []
    return ", ".join(told)
