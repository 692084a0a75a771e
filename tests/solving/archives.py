"""A tool that is built from an archive of one script, and its recipe."""

import hashlib
import io
import tarfile

from cnfgen_puzzles.solving.table import Solver


def packed(files: dict[str, bytes]) -> bytes:
    """A tar.gz with these files."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o755
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


GOOD = packed({"tool-1/program.sh": b"#!/bin/sh\necho 1.0\n"})


def wants(*origins) -> dict:
    return {"archive": "tool-1.tar.gz", "sha256": sha256(GOOD), "origins": list(origins)}


def tool(*commands: str, version="1", **build) -> Solver:
    parts = {"folder": "tool-1", "commands": list(commands), "binary": "made", "needs": ["sh"]}
    return Solver("tool", program="tool", version=version, licence="MIT", build={**wants(), **parts, **build})
