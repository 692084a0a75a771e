"""SHA-256 of data, of JSON values, and of files: the only digest of this package."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.files import open_regular


def digest(data: bytes | str) -> str:
    """The SHA-256 of bytes, or of a text in UTF-8, in 64 hexadecimal digits."""
    return hashlib.sha256(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data).hexdigest()


def digest_of_json(value: Any) -> str:
    """The digest of a JSON value, independent of the order of its keys."""
    return digest(json.dumps(value, sort_keys=True, separators=(",", ":")))


def digest_of_file(path: Path) -> str:
    """The digest of a file's contents; OSError if it cannot be read."""
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
