"""Puzzles as addresses of puzz.link, alone or in a file with one on each line.

slither/5/5/cbcbcddad
https://puzz.link/p?slither/5/5/cbcbcddad
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

PUZZ_LINK = re.compile(
    r"(?:https?://\S*?\?)?(?P<genre>[a-z][\w-]*)/(?:(?P<variant>[^/\s]*[^/\s0-9][^/\s]*)?/)?"
    r"(?P<width>[0-9]+)/(?P<height>[0-9]+)(?:/(?P<body>\S*))?",
    re.ASCII,
)
"""An address with or without the host."""
ANY_URL = re.compile(r"https?://\S+")

ALIASES = {
    "akari": "lightup",
    "bijutsukan": "lightup",
    "bridges": "hashikake",
    "building": "skyscrapers",
    "hakyukoka": "ripple",
    "hashi": "hashikake",
    "heyawacky": "heyawake",
    "masyu": "mashu",
    "numberlink": "numlin",
    "pearl": "mashu",
    "skyscraper": "skyscrapers",
    "slitherlink": "slither",
}
"""Other names of genres, which puzz.link has in addresses."""


class Address(NamedTuple):
    """An address, the genre that it names (empty for another URL), and its line in the file (0: it is no line of a file)."""

    text: str
    genre: str
    line: int


def is_address(text: str) -> bool:
    """Whether this looks like an address, right or wrong."""
    return bool(PUZZ_LINK.fullmatch(text) or ANY_URL.fullmatch(text))


@lru_cache(maxsize=2)
def addresses_in(text: str) -> tuple[Address, ...]:
    """The addresses of a file, one on each line that is neither empty nor a comment (`#`); none for other files."""
    found: list[Address] = []
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip()
        if word and not word.startswith("#"):
            if not found and not is_address(word):
                return ()
            match = PUZZ_LINK.fullmatch(word)
            genre = match["genre"] if match else ""
            found.append(Address(word, ALIASES.get(genre, genre), number))
    return tuple(found)
