"""Reading what this package wrote by itself: a plain file or none. For files that users name there is `sources`."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError


def content_of(path: Path) -> bytes | None:
    """The bytes of a file; None if it is not there. InputError for what is no file or cannot be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a named pipe would wait for its writer
        with os.fdopen(file, "rb") as stream:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise InputError("found something else than a file", source=str(path))
            return stream.read()
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise InputError("found a directory, expected a file", source=str(path)) from None
    except (OSError, MemoryError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or 'too large'}", source=str(path)) from None
